package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// lastLine is an output whose first line ends the context.
type lastLine struct {
	stop context.CancelCauseFunc
	text []byte
}

func (s *lastLine) Write(text []byte) (int, error) {
	s.text = append(s.text, text...)
	s.stop(errInterrupted)
	return len(text), nil
}

// TestInterrupted_Looks: a command that looks at a file ends with an interrupt. One that is a process of the
// cache closes it.
func TestInterrupted_Looks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.cache")
	for _, key := range []string{"alice", "bob", "carol"} {
		if code, _, errOut := call("cache", "set", path, key, "1", "--size", "1MiB"); code != exitOK {
			t.Fatal(errOut)
		}
	}
	for _, line := range []string{"dump", "dump --json", "verify", "verify --json", "repair --dry-run"} {
		ctx, stop := context.WithCancelCause(t.Context())
		stop(errInterrupted)
		code, out, errOut := callWith(ctx, append(strings.Fields(line), path)...)
		if code != exitInterrupted || !strings.HasPrefix(errOut, "samecycle: interrupted\n") ||
			strings.Contains(out, "alice") || strings.Contains(out, "clean") {
			t.Errorf("%s: status %d\n%s%s", line, code, out, errOut)
		}
	}
	ctx, stop := context.WithCancelCause(t.Context())
	var errOut strings.Builder
	out := &lastLine{stop: stop}
	code := run(ctx, &app{out: out, err: &errOut, width: 80}, []string{"cache", "keys", path})
	if lines := strings.Count(string(out.text), "\n"); code != exitInterrupted || lines != 1 ||
		errOut.String() != "samecycle: interrupted\n" {
		t.Errorf("cache keys: status %d\n%s%s", code, out.text, errOut.String())
	}
	if code, text, _ := call("verify", path); code != exitOK || strings.Contains(text, "died") {
		t.Errorf("afterwards: status %d\n%s", code, text)
	}
}

// TestInterrupted_Again: what comes together with the first interrupt is no second one.
func TestInterrupted_Again(t *testing.T) {
	signals := make(chan os.Signal, 4)
	times := []time.Duration{0, onceWithin - 1, onceWithin, time.Hour}
	for range times {
		signals <- os.Interrupt
	}
	again(signals, func() time.Duration {
		first := times[0]
		times = times[1:]
		return first
	})
	if len(times) != 1 || len(signals) != 1 {
		t.Errorf("%d of 4 interrupts are left, want 1: the second one is that of %v", len(signals),
			onceWithin)
	}
}

// TestUntilInterrupt: whatever a command is about, an interrupt ends it, and an end of its own is its result.
func TestUntilInterrupt(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	var cmd cobra.Command
	cmd.SetContext(ctx)
	broken := errors.New("broken")
	err := untilInterrupt(func(*cobra.Command, []string) error { return broken })(&cmd, nil)
	if !errors.Is(err, broken) {
		t.Errorf("a command with an error: %v", err)
	}
	err = untilInterrupt(func(*cobra.Command, []string) error {
		stop(errInterrupted)
		<-t.Context().Done() // which is when the test has ended
		return nil
	})(&cmd, nil)
	if !errors.Is(err, errInterrupted) {
		t.Errorf("a command without an end: %v", err)
	}
}

// TestInterrupted_Repair: an interrupt ends the check that a repair ends with, and what was repaired is told
// all the same. The region is closed by then, so that nobody looks killed.
func TestInterrupted_Repair(t *testing.T) {
	path, _, _ := regionFile(t, 8)
	killOne(t, path)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errInterrupted)
	code, out, said := callWith(ctx, "repair", path)
	if code != exitInterrupted && code != exitOK || !strings.Contains(out, ": reclaimed") ||
		!strings.Contains(out, ": cleared") {
		t.Errorf("status %d\n%s%s", code, out, said)
	}
	x := newRepaired(path)
	x.Dead = []deadProcess{{Cleared: true}}
	x.verifyUntil(ctx, func(*repaired) { <-t.Context().Done() }) // which is when the test has ended
	var text strings.Builder
	if r := x.report(); !r.Red || r.Text(&text) != nil || !strings.Contains(text.String(), ": cleared\n"+
		"problem: the region is not verified: interrupted\n"+
		path+": problems: 1, findings: 0: to verify it: samecycle verify "+path+"\n") {
		t.Errorf("red %v\n%s", r.Red, text.String())
	}
	if code, out, _ := call("verify", path); code != exitOK || strings.Contains(out, "died") {
		t.Errorf("afterwards: status %d\n%s", code, out)
	}
}
