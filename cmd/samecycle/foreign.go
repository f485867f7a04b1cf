package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/samecycle/samecycle/scenarios/foreign"
	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// isForeign tells a target outside of the repository from an operation state.
func isForeign(arg string) bool {
	return strings.HasPrefix(arg, "sync.Map") || strings.ContainsAny(arg, "/@")
}

func (a *app) exploreForeign(ctx context.Context, target string, preemptions int, races bool) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	rep, err := foreign.Explore(ctx, target, foreign.Options{Root: root, Preemptions: preemptions,
		Races: races})
	rep.WritePages(failuresIn(root))
	return a.deliver(foreignReport(rep), err)
}

func (a *app) replayForeign(ctx context.Context, r replayRequest) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	again := foreign.Replay
	if r.Minimise {
		again = foreign.Minimise
	}
	rep, err := again(ctx, r.Token, foreign.Options{Root: root})
	rep.WritePages(failuresIn(root))
	if err == nil && r.Export != "" {
		if err = exportTest(r.Export, rep.Export); err == nil {
			fmt.Fprintf(a.err, "test written: %s\n", r.Export)
		}
	}
	return a.deliver(foreignReport(rep), err)
}

// foreignReport is red unless every suite is clean: found, and unknown, too.
func foreignReport(rep foreign.Report) report {
	return report{Red: rep.Status() != driver.Clean, Data: rep, Text: func(w io.Writer) error {
		_, err := io.WriteString(w, rep.Text())
		return err
	}}
}
