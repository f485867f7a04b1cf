package main

import (
	"fmt"
	"os"
	"strings"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/spf13/cobra"
)

// The marks between which states --into writes.
const (
	matrixBegin = "<!-- matrix -->\n"
	matrixEnd   = "<!-- /matrix -->"
)

func statesCommand(a *app) *cobra.Command {
	var into string
	cmd := &cobra.Command{
		Use:   "states",
		Short: "Print the matrix from the records",
		Long: `states reads the records of earlier checks and holds them against the files of now.
It judges nothing itself. A cell whose files have changed since is STALE.

With --json it prints an array of 24 objects:
  {"state", "title", "links": {LINK: {"status", "figure", "unit", "bound"}}}
LINK is spec, model, engine, histories, volume or mutants; status is pass, fail,
unknown, not-run, not-built or stale.`,
		Example: `  samecycle states
  samecycle states --into README.md
  samecycle states --json | jq -r '.[] | select(.links.spec.status == "pass") | .state'`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.states(into) },
	}
	cmd.Flags().StringVar(&into, "into", "",
		"write the matrix into this Markdown `FILE`, between its two matrix comments")
	return cmd
}

func (a *app) states(into string) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	env := evidence.Env{Root: root, Engine: register.Engine()}
	covered, err := evidence.CoverageOf(env, links)
	if err != nil {
		fmt.Fprintf(a.err, "samecycle: %v\n", err)
	}
	m := evidence.BuildMatrix(root, env.Engine, covered)
	if into != "" {
		if err := writeMatrix(m, into); err != nil {
			return failed(err)
		}
	}
	if a.json {
		if err := a.printJSON(m.Rows); err != nil {
			return err
		}
	} else if err := m.Render(a.out, a.renderOptions()); err != nil {
		return failed(err)
	}
	if m.Red() || err != nil {
		return errRed
	}
	return nil
}

func (a *app) renderOptions() evidence.RenderOptions {
	return evidence.RenderOptions{Colour: a.colour, Width: a.width}
}

// writeMatrix puts the matrix between the two comments of a Markdown file.
func writeMatrix(m *evidence.Matrix, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the matrix cannot be written: %w; name a Markdown file that is there, with a "+
			"line %q and a line %q", err, strings.TrimSpace(matrixBegin), matrixEnd)
	}
	head, rest, begins := strings.Cut(string(text), matrixBegin)
	_, tail, ends := strings.Cut(rest, matrixEnd)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the matrix: put a line %q and a line %q where it belongs",
			file, strings.TrimSpace(matrixBegin), matrixEnd)
	}
	var b strings.Builder
	if err := m.Render(&b, evidence.RenderOptions{Width: 200}); err != nil {
		return err
	}
	return evidence.WriteFile(file, []byte(head+matrixBegin+"```\n"+b.String()+"```\n"+matrixEnd+tail))
}
