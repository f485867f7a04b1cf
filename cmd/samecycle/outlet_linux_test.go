package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// fullPipe is a pipe that has no room, and that nobody reads.
func fullPipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := syscall.Write(fds[1], make([]byte, 1<<12)); errors.Is(err, syscall.EAGAIN) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, fd := range fds {
		if err := syscall.SetNonblock(fd, false); err != nil {
			t.Fatal(err)
		}
	}
	read, write = os.NewFile(uintptr(fds[0]), "read"), os.NewFile(uintptr(fds[1]), "write")
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return read, write
}

// keysOfSome makes a cache of some entries.
func keysOfSome(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.cache")
	c, err := cache.Open(path, cache.Options{Bytes: 4 << 20, NoJanitor: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := c.Set(fmt.Appendf(nil, "key %d", i), []byte("value")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// interruptedChild names what a child of the test runs.
const interruptedChild = "SAMECYCLE_TEST_INTERRUPTED"

// TestInterrupted_Child is a process that runs a command as main does, and says before that an interrupt is
// not its end.
func TestInterrupted_Child(t *testing.T) {
	line := os.Getenv(interruptedChild)
	if line == "" {
		return // it is no child
	}
	ctx, stop := interruptible()
	defer stop()
	if _, err := fmt.Fprintln(os.NewFile(3, "told"), "ready"); err != nil {
		t.Fatal(err)
	}
	os.Exit(run(ctx, newApp(ctx, os.Stdout, os.Stderr), strings.Split(line, "\n")))
}

// endsWithin is when a child that hangs is killed, for which it fails.
const endsWithin = time.Minute

// TestInterrupted_NobodyReads: the first interrupt ends a command whose outputs are pipes that are full, and
// that nobody reads.
func TestInterrupted_NobodyReads(t *testing.T) {
	path := keysOfSome(t, 3)
	for line, want := range map[string]int{"cache\nkeys\n" + path: exitInterrupted,
		"dump\n" + path:                  exitInterrupted, // and one that knows its end before it tells that:
		"cache\nget\n" + path + "\nnone": exitRed} {
		_, full := fullPipe(t)
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupted_Child$")
		cmd.Env = append(os.Environ(), interruptedChild+"="+line)
		cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = full, full, []*os.File{write}
		err = errors.Join(cmd.Start(), write.Close())
		if err != nil {
			t.Fatal(err)
		}
		if told, err := bufio.NewReader(read).ReadString('\n'); told != "ready\n" {
			t.Fatalf("the child says %q, %v", told, err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		hangs := time.AfterFunc(endsWithin, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // its state says how it ended
		hangs.Stop()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%q: %v, want status %d", line, cmd.ProcessState, want)
		}
	}
}

// TestOutlet: what somebody reads arrives, in its order, also behind an interrupt. Where nobody reads, an
// interrupt ends the write that waits and all that come later, which no reader gets.
func TestOutlet(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	o := outletOf(ctx, write)
	text := []byte("one")
	for _, next := range []string{"two", "end"} {
		if n, err := o.Write(text); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		text = append(text[:0], next...)
		stop()
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(read); string(got) != "onetwo" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if n, err := o.Write(text); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("to a pipe that is closed: %d, %v", n, err)
	}

	unread, full := fullPipe(t)
	ctx, stop = context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, stop)
	o = outletOf(ctx, full)
	for range 2 {
		if n, err := o.Write(text); n != 0 || !errors.Is(err, errUnread) {
			t.Errorf("to a pipe that nobody reads: %d, %v", n, err)
		}
	}
	if _, err := io.ReadFull(unread, make([]byte, 1<<16)); err != nil {
		t.Fatal(err)
	}
	if n, err := o.Write(text); n != 0 || !errors.Is(err, errUnread) {
		t.Errorf("to a pipe that somebody reads too late: %d, %v", n, err)
	}
}

// writes is an output that counts how often it was written to.
type writes struct {
	text strings.Builder
	n    int
}

func (w *writes) Write(text []byte) (int, error) {
	w.n++
	return w.text.Write(text)
}

// TestCacheKeys_Writes: the lines are written many at once, all of them; where a person watches, one by one.
func TestCacheKeys_Writes(t *testing.T) {
	const all = 5000
	path := keysOfSome(t, all)
	for _, x := range []struct {
		width int
		flags []string
		most  int
	}{{0, nil, 4}, {0, []string{"--json"}, 6}, {80, nil, all}} {
		var w writes
		code := run(t.Context(), &app{out: &w, err: io.Discard, width: x.width},
			append([]string{"cache", "keys", path}, x.flags...))
		lines := strings.Count(w.text.String(), "\n")
		if code != exitOK || lines != all || w.n > x.most || x.width > 0 && w.n != all {
			t.Errorf("%v, of %d columns: status %d, %d lines in %d writes, want %d in at most %d", x.flags,
				x.width, code, lines, w.n, all, x.most)
		}
	}
}
