package main

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/spf13/cobra"
)

func statesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "states",
		Short: "Print the matrix from the records",
		Long: `states reads the records of earlier checks and holds them against the files of now.
It judges nothing itself. A cell whose files have changed since is STALE.

With --json it prints an array of 24 objects:
  {"state", "title", "links": {LINK: {"status", "figure", "unit", "bound"}}}
LINK is spec, model, engine, histories, volume or mutants; status is pass, fail,
unknown, not-run, not-built or stale.`,
		Example: `  samecycle states
  samecycle states --json | jq -r '.[] | select(.links.spec.status == "pass") | .state'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.states() },
	}
}

func (a *app) states() error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	covered, err := evidence.CoverageOf(evidence.Env{Root: root}, links)
	if err != nil {
		fmt.Fprintf(a.err, "samecycle: %v\n", err)
	}
	m := evidence.BuildMatrix(root, covered)
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
