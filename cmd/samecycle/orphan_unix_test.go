//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

const orphanChild = "SAMECYCLE_TEST_ORPHAN"

func init() { childJobs[orphanChild] = becomeOrphan }

// becomeOrphan says why it ends.
func becomeOrphan(string) {
	ctx, stop := untilOrphaned(context.Background())
	defer stop()
	<-ctx.Done()
	fmt.Println(context.Cause(ctx))
	os.Exit(exitOK)
}

// TestUntilOrphaned starts a process whose parent ends, and waits for its end, too: whoever has its output.
func TestUntilOrphaned(t *testing.T) {
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", parentVariable+`=$$ "$0" &`, os.Args[0])
	cmd.Env, cmd.WaitDelay = append(os.Environ(), orphanChild+"=1"), time.Minute
	if out, err := cmd.Output(); err != nil || string(out) != errOrphaned.Error()+"\n" {
		t.Errorf("%q, %v", out, err)
	}
	ctx, stop := untilOrphaned(t.Context())
	defer stop()
	if ctx != t.Context() {
		t.Error("a process that was started by nobody in particular waits for the end of its parent")
	}
}

// TestStressCall_OfParent: a run of stress in another program ends with this one.
func TestStressCall_OfParent(t *testing.T) {
	want := fmt.Sprintf("%s=%d\n", parentVariable, os.Getpid())
	asks := []string{"-c", "env | grep " + parentVariable}
	if out, err := stressCall(t.Context(), "sh", asks).Output(); err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}
