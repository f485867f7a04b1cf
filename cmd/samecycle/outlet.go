package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// unreadMost is for how long a command that was interrupted waits for somebody to read what it prints.
const unreadMost = time.Second

var errUnread = errors.New("nobody reads the output")

// outlet is an output that other programs read, or do not, such as a pipe. Whoever writes to a pipe that is
// full waits until somebody reads, which may be never. So an interrupt bounds this wait: what nobody has read
// for unreadMost behind it is lost, and so is all that comes later.
type outlet struct {
	ctx context.Context
	to  io.Writer

	mu   sync.Mutex
	lost error // why nothing is written any more
}

// outletOf is the output of a command with that context. A terminal is one that somebody reads.
func outletOf(ctx context.Context, f *os.File) io.Writer {
	if term.IsTerminal(int(f.Fd())) {
		return f
	}
	return &outlet{ctx: ctx, to: f}
}

// Write implements io.Writer. It may be used from any goroutine.
func (o *outlet) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost != nil {
		return 0, o.lost
	}
	type written struct {
		n   int
		err error
	}
	done := make(chan written, 1)
	text = bytes.Clone(text) // the caller may change it while the write still waits
	go func() {
		n, err := o.to.Write(text)
		done <- written{n, err}
	}()
	select {
	case w := <-done:
		return w.n, w.err
	case <-o.ctx.Done():
	}
	select {
	case w := <-done:
		return w.n, w.err
	case <-time.After(unreadMost):
		o.lost = errUnread
		return 0, o.lost
	}
}
