package driver

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

// Results makes the results of a call a list.
func Results(all ...any) []any { return all }

// Background is the context without an end.
func Background() context.Context { return context.Background() }

// Cancelled is a context that is at its end.
func Cancelled() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx
}

// Failed is an error.
func Failed() error { return errors.New("failed") }

// Pointer is the address of a new variable with the value.
func Pointer[T any](v T) *T { return &v }

// Text is a text that is its own name.
type Text string

// String implements fmt.Stringer.
func (t Text) String() string { return string(t) }

// Reader reads the text.
func Reader(text string) io.Reader { return strings.NewReader(text) }

// Channel is a closed channel with the values. It is closed so that a loop over it ends.
func Channel[T any](values ...T) chan T {
	c := make(chan T, len(values))
	for _, v := range values {
		c <- v
	}
	close(c)
	return c
}

// room is how many values a channel takes that a call may send on.
const room = 4

// Room is an empty channel. What is in it when the call returns is a result.
func Room[T any](h *Heard) chan T {
	c := make(chan T, room)
	h.channels = append(h.channels, func() string { return content(c) })
	return c
}

// content lists what is in a channel, where it stays, for the type may receive from it later.
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
	if !closed {
		for _, v := range values {
			select {
			case c <- v.(T):
			default: // a goroutine of the type was faster
			}
		}
	}
	text := "sent (" + plainList(values) + ")"
	if closed {
		text += ", closed"
	}
	return text
}

// Heard is what the functions that a call was given were called with, its writers were given, and its
// channels were sent. It is a result of the call.
type Heard struct {
	mu       sync.Mutex // of the standard library: goroutines of the type may call at the same time
	all      []string
	channels []func() string // what is in each
}

// Add notes the arguments of one call of a function.
func (h *Heard) Add(args ...any) {
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

// text lists the calls, sorted: most types promise no order.
func (h *Heard) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var parts []string
	if slices.Sort(h.all); len(h.all) > 0 {
		parts = append(parts, "called with "+strings.Join(h.all, " "))
	}
	for _, content := range h.channels {
		parts = append(parts, content())
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing called")
}
