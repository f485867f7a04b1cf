//go:build unix

package mutate

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/disk"
)

// A mutant whose tests do not end hangs, and what they have started ends with them. What is started says that
// it has begun, and holds its end of a pipe as long as it lives; until it has begun the limit is too short.
func TestTry_TestsThatDoNotEnd(t *testing.T) {
	folder := t.TempDir()
	held := filepath.Join(folder, "held")
	if out, err := exec.Command("mkfifo", held).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pipe, err := os.OpenFile(held, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	b := benchOf(t, folder, "echo '=== RUN   TestA'\n(echo begun; exec sleep 600) >"+held+" &\nsleep 600\n")
	var said []byte
	for limit := 200 * time.Millisecond; len(said) == 0; limit *= 2 {
		f, err := b.try(context.Background(), stage{limit: limit}, subject{})
		if err != nil || f.Verdict != Hangs {
			t.Fatalf("%+v, %v", f, err)
		}
		if err := pipe.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if said, err = io.ReadAll(pipe); err != nil {
			t.Fatalf("what a test has started goes on: %v", err)
		}
		if len(said) > 0 && f.Test != "TestA" {
			t.Errorf("%+v", f)
		}
	}
}

// Tests that need longer without a mutant have longer.
func TestTry_TestsThatTakeLong(t *testing.T) {
	b := benchOf(t, t.TempDir(), "sleep 1\n")
	b.took = map[bool]time.Duration{false: time.Minute}
	f, err := b.try(context.Background(), stage{limit: time.Millisecond}, subject{})
	if err != nil || f.Verdict == Hangs {
		t.Errorf("of tests that take a minute: %+v, %v", f, err)
	}
}

// TestTry_ByChance: a test that fails with a mutant, and passes when it is asked again, kills nothing, and
// the tests behind it have their say. One that fails again kills.
func TestTry_ByChance(t *testing.T) {
	const (
		failsA, failsB = "echo '--- FAIL: TestA (0.00s)'; exit 1", "echo '--- FAIL: TestB (0.00s)'; exit 1"
		crashes        = "echo '=== RUN   TestA/b'; echo 'panic: no'; exit 2"
		once           = "test -e once && exit 0; touch once; "
	)
	for name, c := range map[string]struct {
		all, alone, rest string // what the tests do: all of them, TestA, all but TestA
		verdict          Verdict
		test             string
	}{
		"fails again":               {failsA, failsA, "", Killed, "TestA"},
		"fails once":                {failsA, "", "", "", ""},
		"fails once, another kills": {failsA, "", failsB, Killed, "TestB"},
		"crashes again":             {crashes, crashes, "", Killed, "TestA/b"},
		"crashes among all again":   {crashes, "", "", Killed, "TestA/b"},
		"crashes once":              {once + crashes, "", "", "", ""},
	} {
		b := benchOf(t, t.TempDir(), "case \"$*\" in *'run=^TestA$'*) "+c.alone+
			"\n;; *'run=^TestB$'*) "+failsB+"\n;; *TestA*) "+c.rest+"\n;; *) "+c.all+"\n;; esac\n")
		f, err := b.try(t.Context(), stage{limit: time.Minute}, subject{mutant: 1})
		if err != nil || f.Verdict != c.verdict || f.Test != c.test {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

// benchOf is a bench whose tests are a script.
func benchOf(t *testing.T, folder, script string) *bench {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "tests"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return &bench{overlay: overlay{folder: folder}, p: &Package{Dir: folder}}
}

// TestMeasure_Interrupted: tests that an interrupt has ended are no reason to distrust them.
func TestMeasure_Interrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	b := benchOf(t, t.TempDir(), "echo FAIL\nexit 1\n")
	if err := b.measure(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBaseline) {
		t.Errorf("the error is %v", err)
	}
}

// TestJudging_StandardInput: what a mutant does to file 0 is done to nothing that others have.
func TestJudging_StandardInput(t *testing.T) {
	cmd := judging(t.Context(), t.TempDir(), "sh", "-c", "test -p /dev/stdin")
	if err := cmd.Run(); err != nil {
		t.Errorf("standard input is no pipe: %v", err)
	}
}

// TestBuild_DiskFull: a build that has no space says so, with what to do; it is no judgement on the mutant,
// although the complaint names a file of tests.
func TestBuild_DiskFull(t *testing.T) {
	full := []string{"errors_test.go:5:2: package testing is not in std", "no space left on device"}
	for _, said := range [][]string{full, full[:1]} {
		path := t.TempDir()
		script := "#!/bin/sh\necho '" + strings.Join(said, "\n") + "' >&2\nexit 1\n"
		if err := os.WriteFile(filepath.Join(path, "go"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", path)
		o := overlay{root: path, folder: t.TempDir(), path: "./x"}
		_, err := o.tests(t.Context())
		none := len(said) == len(full)
		if !errors.Is(err, ErrBuild) || errors.Is(err, disk.ErrFull) != none ||
			errors.Is(err, errTests) == none || strings.Contains(err.Error(), "set TMPDIR and") != none {
			t.Errorf("%q: %v", said, err)
		}
	}
}
