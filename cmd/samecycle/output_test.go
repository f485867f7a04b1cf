package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// repositoryRoot is this repository, seen from the package's folder.
const repositoryRoot = "../.."

// full is an output that has room for so many bytes.
type full int

func (f *full) Write(text []byte) (int, error) {
	n := min(len(text), int(*f))
	*f -= full(n)
	if n < len(text) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// TestRun_OutputIsLost: an answer that nobody could read is no answer, whichever command gave it, and
// whether it was green or red.
func TestRun_OutputIsLost(t *testing.T) {
	root := repositoryWith(t, testLink{link: "spec"})
	for _, line := range []string{
		"--help", "spec --help", "completion bash", "states --root " + root, "states --json --root " + root,
	} {
		for _, room := range []full{0, 9} {
			var errOut bytes.Buffer
			left := room
			code := run(context.Background(), &app{out: &left, err: &errOut}, strings.Fields(line))
			if code != exitRed || !strings.Contains(errOut.String(), syscall.ENOSPC.Error()) {
				t.Errorf("%s with room for %d bytes: status %d, %q", line, room, code, errOut.String())
			}
		}
	}
}

// TestExplore_NamesTheLimitThatIsWrong, and not the one beside it.
func TestExplore_NamesTheLimitThatIsWrong(t *testing.T) {
	for _, wrong := range []string{"--solo -1", "--solo 100001", "--lock-free -1", "--lock-free 100001"} {
		code, _, errOut := call(strings.Fields("explore S04 " + wrong)...)
		want := "samecycle: " + wrong + ": use 1 to 100000 accesses, or 0 for no check\n"
		if code != exitUsage || !strings.HasPrefix(errOut, want) {
			t.Errorf("status %d, %q, want %q", code, errOut, want)
		}
	}
}

// TestSpec_RefusesWhatItWouldNotDo: a flag that has no effect is a mistake.
func TestSpec_RefusesWhatItWouldNotDo(t *testing.T) {
	root := repositoryWith(t) // what is not refused finds nothing to write
	const lists, tables = "--list runs and writes nothing", "--table runs nothing"
	for flags, want := range map[string]string{
		"--list --table": lists, "--list --update": lists, "--trace --list": lists,
		"--table --large": tables, "--table --update": tables, "--table --trace": tables,
	} {
		code, out, errOut := call(strings.Fields("spec --root " + root + " " + flags)...)
		if code != exitUsage || out != "" || !strings.Contains(errOut, want) {
			t.Errorf("spec %s: status %d, %q, %q, want %q", flags, code, out, errOut, want)
		}
	}
	code, out, errOut := call("spec", "--list", "--large", "--root", "../..")
	if code != exitOK || out == "" {
		t.Errorf("the list of the large runs: status %d, %q", code, errOut)
	}
}

// TestPlainProgram_SaysWhyAlone: a build that was interrupted has printed nothing that could follow.
func TestPlainProgram_SaysWhyAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := plainProgram(ctx, "../..")
	want := "the engine that ships cannot be built: " + context.Canceled.Error()
	if !errors.Is(err, context.Canceled) || errorText(err) != want {
		t.Errorf("%q, want %q", errorText(err), want)
	}
}

// TestTemporaryFolder_SaysWhatToSet: the variable names a folder that is not there.
func TestTemporaryFolder_SaysWhatToSet(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	_, err := temporaryFolder("samecycle-")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) ||
		!strings.Contains(err.Error(), "set TMPDIR") {
		t.Error(err)
	}
}
