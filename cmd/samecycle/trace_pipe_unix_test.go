//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTrace_Pipe: a trace may come out of a pipe, which is named as a file or is the standard input.
func TestTrace_Pipe(t *testing.T) {
	before := os.Stdin
	defer func() { os.Stdin = before }()
	for _, c := range []struct {
		line  string
		first string
	}{
		{"-", "standard input"},
		{"- --format text --requests 4", "standard input"},
		{"FIFO", "FIFO"},
	} {
		fifo := makeFIFO(t)
		in, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		os.Stdin = in
		go func() {
			if strings.Contains(c.line, "FIFO") {
				if to, err = os.OpenFile(fifo, os.O_WRONLY, 0); err != nil {
					t.Error(err)
					return
				}
			}
			_, err := to.WriteString("a\nb\na\nc\nb\na\n")
			if err = errors.Join(err, to.Close()); err != nil {
				t.Error(err)
			}
		}()
		words := strings.Fields(strings.ReplaceAll(c.line, "FIFO", fifo))
		code, out, errOut := call(append([]string{"trace", "--size", "100%"}, words...)...)
		if want := strings.ReplaceAll(c.first, "FIFO", fifo) + "\n"; code != exitRed || // the size is NOT RUN
			!strings.HasPrefix(out, want) || !strings.Contains(out, " for 3 objects, ") {
			t.Errorf("%s: status %d\n%s%s", c.line, code, out, errOut)
		}
	}
}

// TestTrace_PipeInterrupted: the first interrupt ends a trace for which somebody waits at a pipe, whether
// nobody has opened the other end or nobody writes there.
func TestTrace_PipeInterrupted(t *testing.T) {
	for name, flags := range map[string]int{"nobody writes": os.O_RDWR, "nobody has it open": 0} {
		for _, more := range []string{"", " --processes 2"} {
			fifo := makeFIFO(t)
			if flags != 0 {
				f, err := os.OpenFile(fifo, flags, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
			}
			said := endedBy(t, strings.Fields("trace "+fifo+more)...)
			if !strings.HasPrefix(said, "status 130: ") || !strings.Contains(said, "interrupted\n") {
				t.Errorf("%s%s: %s", name, more, said)
			}
		}
	}
}

// endedBy runs a command, and is what it says when an interrupt has ended it.
func endedBy(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(errInterrupted) })
	ended := make(chan string, 1)
	go func() {
		code, out, errOut := callWith(ctx, args...)
		ended <- fmt.Sprintf("status %d: %s%s", code, out, errOut)
	}()
	select {
	case said := <-ended:
		return said
	case <-time.After(20 * time.Second):
		return "goes on after an interrupt"
	}
}

// makeFIFO makes one, and lets go who waits for somebody to write there when the test is over.
func makeFIFO(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			_ = f.Close()
		}
	})
	return path
}
