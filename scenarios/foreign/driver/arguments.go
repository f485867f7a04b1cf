package driver

import (
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

// Heard is what the functions that a call was given were called with, and its writers were given. It is a
// result of the call.
type Heard struct {
	mu  sync.Mutex // of the standard library: goroutines of the type may call at the same time
	all []string
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
	if len(h.all) == 0 {
		return "nothing called"
	}
	slices.Sort(h.all)
	return "called with " + strings.Join(h.all, " ")
}
