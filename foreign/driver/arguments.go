package driver

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// Results makes the results of a call a list.
func Results(all ...any) []any { return all }

// Background returns the context that never ends.
func Background() context.Context { return context.Background() }

// Cancelled returns a context that has ended.
func Cancelled() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx
}

// Failed returns an error.
func Failed() error { return errors.New("failed") }

// Pointer returns the address of a new variable with the value.
func Pointer[T any](v T) *T { return &v }

// Text is a text that is its own name.
type Text string

// String implements fmt.Stringer.
func (t Text) String() string { return string(t) }

// Reader returns a reader of the text.
func Reader(text string) io.Reader { return strings.NewReader(text) }

// Channel returns a closed channel with the values. It is closed so that a loop over it ends.
func Channel[T any](values ...T) chan T {
	c := make(chan T, len(values))
	for _, v := range values {
		c <- v
	}
	close(c)
	return c
}

// room is the capacity of a channel on which a call may send.
const room = 4

// Room returns an empty channel. After all calls, its contents are compared (see rooms).
func Room[T any](h *Heard) chan T {
	c := make(chan T, room)
	h.channels = append(h.channels, func() string { return content(c) })
	return c
}

// content lists the values in a channel, and removes them.
func content[T any](c chan T) string {
	var values []any
	closed := false
	for more := true; more && !closed && len(values) < cap(c); {
		select {
		case v, open := <-c:
			if closed = !open; open {
				values = append(values, v)
			}
		default:
			more = false
		}
	}
	text := "sent (" + plainList(values) + ")"
	if closed {
		text += ", closed"
	}
	return text
}

// Heard has the arguments with which the functions of a call were called, and the texts that were written to
// its writers. It is a result of the call. The values that were sent on its channels are not.
type Heard struct {
	word     atomic.Uint32 // see hearing
	mu       sync.Mutex    // a real one: goroutines of the type may call at the same time
	all      []string
	channels []func() string // the contents of each
}

// hearing makes it a step that something is heard, and that the heard text is read, because goroutines of
// the type may call a function before or after the call returns that got it. It is for searches of
// sequential runs that leave out executions which differ only in the order of independent steps, or in what
// follows a result.
var hearing bool

// Add notes the arguments of one call of a function.
func (h *Heard) Add(args ...any) {
	if hearing {
		h.word.Add(1)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, "("+plainList(args)+")")
}

// Writer notes each text that is written to it.
func (h *Heard) Writer() io.Writer { return writer{h} }

type writer struct{ to *Heard }

func (w writer) Write(text []byte) (int, error) {
	w.to.Add(string(text))
	return len(text), nil
}

// text lists the calls, sorted, because most types promise no order. It is empty if there are only channels.
func (h *Heard) text() string {
	if hearing {
		h.word.Load()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.all)
	switch {
	case len(h.all) > 0:
		return "called with " + strings.Join(h.all, " ")
	case len(h.channels) > 0: // perhaps nothing was called
		return ""
	}
	return "nothing called"
}
