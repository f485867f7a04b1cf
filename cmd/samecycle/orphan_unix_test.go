//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const orphanChild = "SAMECYCLE_TEST_ORPHAN"

func init() { childJobs[orphanChild] = becomeOrphan }

// becomeOrphan says why it ends: in the file that it is given, if any, and then it writes lines all the time.
func becomeOrphan(file string) {
	ctx, stop := untilOrphaned(context.Background())
	defer stop()
	for file != "1" && ctx.Err() == nil {
		fmt.Println("progress")
		time.Sleep(time.Millisecond)
	}
	<-ctx.Done()
	if file == "1" {
		fmt.Println(context.Cause(ctx))
	} else if os.WriteFile(file+"-", []byte(context.Cause(ctx).Error()), 0o600) == nil {
		_ = os.Rename(file+"-", file)
	}
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

// TestUntilOrphaned_Pipe: what ends with its parent can clean up, although nobody reads its output any more.
func TestUntilOrphaned_Pipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "end")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", parentVariable+`=$$ "$0" &`, os.Args[0])
	cmd.Env, cmd.Stdout = append(os.Environ(), orphanChild+"="+file), write
	err = errors.Join(cmd.Start(), read.Close(), write.Close(), cmd.Wait())
	var text []byte
	for end := time.Now().Add(time.Minute); err == nil && text == nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
		text, _ = os.ReadFile(file)
	}
	if err != nil || string(text) != errOrphaned.Error() {
		t.Errorf("%v, %q, want %q in the file", err, text, errOrphaned)
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
