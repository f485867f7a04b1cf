//go:build unix

package mutate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A mutant whose tests do not end hangs, and what they have started ends with them; tests that need longer
// without a mutant have longer.
func TestTry_TestsThatDoNotEnd(t *testing.T) {
	folder := t.TempDir()
	late := filepath.Join(folder, "late")
	script := "#!/bin/sh\necho '=== RUN   TestA'\n(sleep 1; : >" + late + ") &\nsleep 2\n"
	if err := os.WriteFile(filepath.Join(folder, "tests"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b := &bench{overlay: overlay{folder: folder}, p: &Package{Dir: folder}}
	s := stage{limit: 200 * time.Millisecond}
	f, err := b.try(context.Background(), s, subject{})
	if err != nil || f.Verdict != Hangs || f.Test != "TestA" {
		t.Errorf("%+v, %v", f, err)
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(late); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a test has started has gone on: %v", err)
	}
	b.took = map[bool]time.Duration{false: time.Second}
	if f, err := b.try(context.Background(), s, subject{}); err != nil || f.Verdict == Hangs {
		t.Errorf("of tests that take a second: %+v, %v", f, err)
	}
}
