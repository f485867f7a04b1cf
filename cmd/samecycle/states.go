package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
)

// The marks between which states --into writes.
const (
	matrixBegin = "<!-- matrix -->\n"
	matrixEnd   = "<!-- /matrix -->"
)

type statesFlags struct{ engine, into, html, why string }

func statesCommand(a *app) *cobra.Command {
	var f statesFlags
	cmd := &cobra.Command{
		Use:   "states",
		Short: "Print the matrix of each engine from the records",
		Long: `states reads the records of earlier checks and compares them with the present files. It
runs no check itself. A cell is STALE when something that its verdict depends on has
changed since: the code that was checked, the code that checks, a package that one of them
imports, the version of a module, a part of the specification that was used, or a program
of the state. A change of a comment does not count.

--why CELL names what has changed, and shows the record. CELL is a state and a link, as
in S04/engine.

--html FILE writes one page for a browser: all matrices, and behind each cell its record,
the finding about the design as written, and the diagrams. The page needs no network.

With --json it prints an array of objects, one for each state of each engine:
  {"engine", "state", "title", "links": {LINK: {"status", "figure", "unit", "bound"}}}
LINK is spec, model, engine, histories, volume or mutants; status is pass, fail,
unknown, not-run, not-built or stale.`,
		Example: `  samecycle states
  samecycle states --engine hopscotch
  samecycle states --why S04/engine
  samecycle states --into README.md
  samecycle states --html results.html
  samecycle states --json | jq -r '.[] | select(.links.spec.status == "pass") | .state'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.states(cmd.Context(), f) },
	}
	cmd.Flags().StringVar(&f.engine, "engine", "", "show one engine only: "+engineNames())
	cmd.Flags().StringVar(&f.why, "why", "",
		"show the record of a `CELL`, as S04/engine, and what has changed since")
	cmd.Flags().StringVar(&f.into, "into", "",
		"write the matrices into this Markdown `FILE`, between its two matrix comments")
	cmd.Flags().StringVar(&f.html, "html", "",
		"write the matrices with their records and findings into this `FILE`, a page for a browser")
	return cmd
}

func (a *app) states(ctx context.Context, f statesFlags) error {
	if _, ok := engines.ByName(f.engine); f.engine != "" && !ok {
		return fmt.Errorf("--engine %s is none of %s", f.engine, engineNames())
	}
	root, err := a.repository()
	if err != nil {
		return err
	}
	env := evidence.Env{Root: root, Tree: closure.Open(root)}
	if f.why != "" {
		return a.why(ctx, env, f.why)
	}
	var p part
	if f.engine != "" {
		p.engines = []string{f.engine}
	}
	shown, err := matrices(ctx, env, p)
	if err != nil {
		fmt.Fprintf(a.err, "samecycle: %v\n", err)
	}
	if f.into != "" {
		if err := writeMatrices(shown, f.into); err != nil {
			return failed(err)
		}
	}
	if f.html != "" {
		if err := writeResults(root, shown, f.html); err != nil {
			return failed(err)
		}
	}
	if err := a.printMatrices(shown, p); err != nil {
		return err
	}
	if red(shown, p) || err != nil {
		return errRed
	}
	return nil
}

// printMatrices prints the tables of the part, and with --json the rows of all states.
func (a *app) printMatrices(all []*evidence.Matrix, p part) error {
	table, options := paintable(a.out), a.renderOptions()
	if a.json {
		rows := []evidence.Row{}
		for _, m := range all {
			rows = append(rows, m.Rows...)
		}
		if err := a.printJSON(rows); err != nil {
			return err
		}
		table, options = a.err, evidence.RenderOptions{}
	} else {
		fmt.Fprintln(a.err)
	}
	return failed(renderAll(table, all, p, options))
}

// renderAll prints the matrices one after the other, each under its engine if there are several.
func renderAll(w io.Writer, all []*evidence.Matrix, p part, o evidence.RenderOptions) error {
	for i, m := range all {
		if len(all) > 1 {
			gap := ""
			if i > 0 {
				gap = "\n"
			}
			e, _ := engines.ByName(m.Engine)
			if _, err := fmt.Fprintf(w, "%s%s: %s\n\n", gap, m.Engine, e.Title); err != nil {
				return err
			}
		}
		if err := p.of(m).Render(w, o); err != nil {
			return err
		}
	}
	return nil
}

// cellArgument reads a cell: a state and a link, perhaps with the engine ahead.
func cellArgument(word string) (*catalog.Engine, catalog.State, string, error) {
	parts := strings.Split(word, "/")
	if len(parts) == 3 {
		parts = parts[1:]
	}
	if len(parts) != 2 {
		return nil, catalog.State{}, "",
			fmt.Errorf("--why %q is no cell: name a state and a link, as S04/engine", word)
	}
	e, s, err := engineState(parts[0])
	if err != nil {
		return nil, s, "", fmt.Errorf("--why %w", err)
	}
	if _, ok := catalog.LinkByID(parts[1]); !ok {
		return nil, s, "", fmt.Errorf("--why: %q is no link; name one of %s", parts[1], linkNames())
	}
	if first, _, _ := strings.Cut(word, "/"); strings.Count(word, "/") == 2 && first != e.Name {
		return nil, s, "", fmt.Errorf("--why: %s is a state of %s, not of %q", s.ID, e.Name, first)
	}
	return e.Engine, s, parts[1], nil
}

// whyResult is the result of states --why --json.
type whyResult struct {
	Cell    string           `json:"cell"`
	Status  evidence.Status  `json:"status"`
	Changed []string         `json:"changed"`  // since the judgement
	Rests   int              `json:"rests_on"` // how many files, rows, modules and parts
	Record  *evidence.Record `json:"record,omitempty"`
}

// why shows the record of a cell, and names what has changed since.
func (a *app) why(ctx context.Context, env evidence.Env, word string) error {
	e, s, link, err := cellArgument(word)
	if err != nil {
		return err
	}
	env.Engine = e
	out := whyResult{Cell: e.Name + "/" + s.Short() + "/" + link, Changed: []string{}}
	r, err := evidence.Load(env.Root, e.Name, link, s.ID)
	if errors.Is(err, evidence.ErrNoRecord) {
		return failed(fmt.Errorf("%s has no record; run: samecycle check --link %s --state %s", out.Cell,
			link,
			s.Short()))
	}
	if err != nil {
		return failed(err)
	}
	for _, c := range chains {
		if c.engine.Name != e.Name {
			continue
		}
		now, err := evidence.NowOf(ctx, env, c.links)(link, s.ID, r.Inputs.Platform)
		if err != nil {
			return failed(err)
		}
		out.Rests = len(now)
		out.Status, out.Record = r.Status, &r
		if now.Hash() != r.Inputs.SHA256 {
			out.Status, out.Changed = evidence.Stale, r.Differences(env.Root, now)
		}
	}
	if a.json {
		err = a.printJSON(out)
	} else {
		err = failed(out.write(a.out))
	}
	if err == nil && out.Status != evidence.Pass {
		return errRed
	}
	return err
}

// write prints it for a person.
func (w whyResult) write(to io.Writer) error {
	r := w.Record
	switch {
	case w.Status == evidence.Stale:
		fmt.Fprintf(to, "%s is stale: %d of the %d things that its verdict depends on have changed since\n",
			w.Cell, len(w.Changed), w.Rests)
		for _, c := range w.Changed {
			fmt.Fprintf(to, "  %s\n", c)
		}
	default:
		fmt.Fprintf(to,
			"%s is %s, and none of the %d things that its verdict depends on has changed since\n",
			w.Cell, w.Status, w.Rests)
	}
	fmt.Fprintf(to, "\n  %s %s\n  bound    %s\n  command  %s\n  seed     %d\n  commit   %s\n",
		evidence.ShortFigure(r.Figure), r.Unit, r.Bound, r.Command, r.Seed, r.Commit)
	for _, tool := range slices.Sorted(maps.Keys(r.Tools)) {
		fmt.Fprintf(to, "  %-8s %s\n", tool, r.Tools[tool])
	}
	for _, d := range r.Detail {
		if _, err := fmt.Fprintf(to, "  - %s\n", d); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) renderOptions() evidence.RenderOptions {
	return evidence.RenderOptions{Colour: a.colour, Width: a.width}
}

// writeMatrices puts the matrices between the two comments of a Markdown file.
func writeMatrices(all []*evidence.Matrix, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the matrix cannot be written: %w; name a Markdown file that is there, with a "+
			"line %q and a line %q", err, strings.TrimSpace(matrixBegin), matrixEnd)
	}
	var b strings.Builder
	if err := renderAll(&b, all, part{}, evidence.RenderOptions{Width: 200}); err != nil {
		return err
	}
	page, ok := between(string(text), matrixBegin, matrixEnd, "```\n"+b.String()+"```\n")
	if !ok {
		return fmt.Errorf("%s has no place for the matrix: put a line %q and a line %q where it belongs",
			file, strings.TrimSpace(matrixBegin), matrixEnd)
	}
	return evidence.WriteFile(file, []byte(page))
}
