package main

import (
	"context"
	"io"
	"strings"

	"github.com/samecycle/samecycle/scenarios/foreign"
	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// isForeign tells a target outside of the repository from an operation state.
func isForeign(arg string) bool {
	return strings.HasPrefix(arg, "sync.Map") || strings.ContainsAny(arg, "/@")
}

func (a *app) exploreForeign(ctx context.Context, target string, preemptions int) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	rep, err := foreign.Explore(ctx, target, foreign.Options{Root: root, Preemptions: preemptions})
	return a.deliver(foreignReport(rep), err)
}

func (a *app) replayForeign(ctx context.Context, token string) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	rep, err := foreign.Replay(ctx, token, foreign.Options{Root: root})
	return a.deliver(foreignReport(rep), err)
}

// foreignReport is red unless every suite is clean: found, and unknown, too.
func foreignReport(rep foreign.Report) report {
	return report{Red: rep.Status() != driver.Clean, Data: rep, Text: func(w io.Writer) error {
		_, err := io.WriteString(w, rep.Text())
		return err
	}}
}
