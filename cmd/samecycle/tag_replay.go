//go:build explore

package main

import (
	"context"
	"fmt"
	"io"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// replayed is the result of replay --json.
type replayed struct {
	exploration
	StepList []harness.StepLine `json:"step_list"`
	Notes    []string           `json:"notes,omitempty"`    // of --minimise
	Exported string             `json:"exported,omitempty"` // the file of --export
}

func replayToken(ctx context.Context, r replayRequest) (report, error) {
	p, cast := castSearch(r.Token)
	switch {
	case r.Real && cast && p.Real == nil:
		return report{}, lineError("%s has a hostile writer, who is no process: replay it without "+
			"--real", p.Name)
	case r.Real && cast:
		return replayReal(ctx, r.Token)
	case cast:
		return r.ofCast(p)
	}
	e, program, err := harness.Find(engines.All(), r.Token)
	switch {
	case err != nil:
		return report{}, err
	case r.Real && program.NoDeaths:
		return report{}, lineError("--real: the actors of %s are goroutines of one process and share its "+
			"heap; only programs that --apart can explore have processes on a region file: leave --real out",
			program.Name)
	case r.Real:
		return replayReal(ctx, r.Token)
	case r.Minimise:
		return r.minimise(ctx, e)
	}
	rep, err := program.Replay(r.Token)
	if err != nil {
		return report{}, err
	}
	out := replayed{exploration: summarise(r.Failures, rep.Report), StepList: rep.Steps}
	for outcome := range out.Tokens {
		out.Tokens[outcome] = r.Token // a single execution has no token of its own
	}
	return r.report(e, out, rep.Report, rep.Table)
}

// minimise makes the failure of the token smaller.
func (r replayRequest) minimise(ctx context.Context, e *harness.Engine) (report, error) {
	found, err := e.Minimise(r.Token, harness.Reduction{Context: ctx, Say: r.Say})
	if err != nil {
		return report{}, err
	}
	out := replayed{exploration: summarise(r.Failures, found.Report), Notes: found.Notes}
	out.Outcomes, out.Tokens = nil, nil // of the last search, not of the failure
	out.Failure.Page = writePage(r.Failures, found.Page(found.Notes))
	return r.report(e, out, found.Report, "")
}

// report writes the test that was asked for and makes the report of a replayed execution.
func (r replayRequest) report(e *harness.Engine, out replayed, rep harness.Report,
	table string) (report, error) {
	out.replayed = true
	if r.Export != "" {
		export := func(pkg string) ([]byte, error) { return e.Export(rep, pkg) }
		if err := exportTest(r.Export, "", export); err != nil {
			return report{}, err
		}
		out.Exported = r.Export
	}
	return report{Red: out.Failure != nil, Data: out, Text: func(w io.Writer) error {
		if out.Failure == nil && r.Steps {
			if _, err := io.WriteString(w, table); err != nil {
				return err
			}
		}
		fmt.Fprintln(w, out.Program)
		for _, n := range out.Notes {
			fmt.Fprintf(w, "  %s\n", n)
		}
		if out.Exported != "" {
			fmt.Fprintf(w, "  test written: %s; run it with go test -tags explore\n", out.Exported)
		}
		return out.verdict(w, false)
	}}, nil
}

// writePage writes the page of a failure and returns where it is, or why there is none.
func writePage(folder string, p interface{ Write(string) (string, error) }) string {
	path, err := p.Write(folder)
	if err != nil {
		return err.Error()
	}
	return path
}
