package main

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"
)

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
	for _, line := range []string{"--help", "spec --help", "states --root " + root, "states --json --root " + root} {
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
