// Package context is the standard package context, built on the shims, so that the explorer sees which actor
// ends a context, and when. A deadline comes at any later point of the schedule, like a timer of shim/time.
// The types and errors are those of the original. Contexts of the original, and of other packages, may be
// parents.
package context

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	clock "github.com/samecycle/samecycle/explore/shim/time"
	"github.com/samecycle/samecycle/internal/hook"
)

// The types of the original.
type (
	// Context is a context.
	Context = context.Context
	// CancelFunc ends a context.
	CancelFunc = context.CancelFunc
	// CancelCauseFunc ends a context and says why.
	CancelCauseFunc = context.CancelCauseFunc
)

// The errors of the original.
var (
	Canceled         = context.Canceled
	DeadlineExceeded = context.DeadlineExceeded
)

// Background does what the original does. Rewritten code calls it for the other empty context, too.
func Background() Context { return context.Background() }

// WithValue does what the original does.
func WithValue(parent Context, key, val any) Context { return context.WithValue(parent, key, val) }

// WithoutCancel does what the original does.
func WithoutCancel(parent Context) Context { return context.WithoutCancel(parent) }

// An ending says how a context has ended.
type ending struct{ err, cause error }

// because returns an ending whose cause is err if it has no other cause.
func because(err, cause error) *ending {
	if cause == nil {
		cause = err
	}
	return &ending{err, cause}
}

// A dependent ends with a context.
type dependent interface{ end(how *ending) }

// A cancelCtx is a context that can be ended.
type cancelCtx struct {
	Context // the parent
	done    chan struct{}
	how     atomic.Pointer[ending] // nil until the end

	mu         sync.Mutex
	dependents []dependent
	timer      *clock.Timer // of a deadline
}

// A deadlineCtx is one that ends by itself.
type deadlineCtx struct {
	*cancelCtx
	deadline time.Time
}

// Deadline returns it.
func (c *deadlineCtx) Deadline() (deadline time.Time, ok bool) { return c.deadline, true }

// String says what the context is made of, as that of the original does.
func (c *deadlineCtx) String() string {
	return fmt.Sprintf("%s.WithDeadline(%v [%v])", name(c.Context), c.deadline, clock.Until(c.deadline))
}

// String says what the context is made of, as that of the original does.
func (c *cancelCtx) String() string { return name(c.Context) + ".WithCancel" }

// name returns the text of a context, or its type.
func name(c Context) string {
	if s, ok := c.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", c)
}

// self is the key under which a cancelCtx finds itself.
var self int

// Value returns that of the parent.
func (c *cancelCtx) Value(key any) any {
	if key == &self {
		return c
	}
	return c.Context.Value(key)
}

// Done returns the channel that is closed at the end.
func (c *cancelCtx) Done() <-chan struct{} { return c.done }

// Err returns how the context has ended, which is when the channel is closed; nil if it has not.
func (c *cancelCtx) Err() error {
	how := c.how.Load()
	if how == nil {
		return nil
	}
	flow.Receive(c.done)
	return how.err
}

// end ends the context and what depends on it, unless it has ended. As in the original, a second caller
// waits until the first has ended everything. The original ends the dependents of a context in no particular
// order. Here it is the order in which they were made.
func (c *cancelCtx) end(how *ending) {
	c.mu.Lock()
	if c.how.Load() != nil {
		c.mu.Unlock()
		return
	}
	c.how.Store(how)
	flow.Close(c.done)
	for _, d := range c.dependents {
		d.end(how)
	}
	timer := c.timer
	c.dependents, c.timer = nil, nil
	c.mu.Unlock()
	if timer != nil {
		timer.Stop()
	}
}

// add makes d end with the context.
func (c *cancelCtx) add(d dependent) {
	c.mu.Lock()
	how := c.how.Load()
	if how == nil {
		c.dependents = append(c.dependents, d)
	}
	c.mu.Unlock()
	if how != nil {
		d.end(how)
	}
}

// remove undoes add.
func (c *cancelCtx) remove(d dependent) {
	c.mu.Lock()
	c.dependents = slices.DeleteFunc(c.dependents, func(e dependent) bool { return e == d })
	c.mu.Unlock()
}

// own finds the context of this package that decides when c ends. It is nil if there is none.
func own(c Context) *cancelCtx {
	found, ok := c.Value(&self).(*cancelCtx)
	if !ok || c.Done() == nil || found.Done() != c.Done() {
		return nil
	}
	return found
}

// follow makes d end with the parent, until d's own channel is closed, or forget is called.
func follow(parent Context, d dependent, over <-chan struct{}) (forget func()) {
	if p := own(parent); p != nil {
		p.add(d)
		return func() { p.remove(d) }
	}
	forget = func() {}
	done := parent.Done()
	if done == nil {
		return forget
	}
	ended := func() { d.end(because(parent.Err(), Cause(parent))) }
	if flow.Select(true, flow.Receiving(done)) == 0 {
		ended()
		return forget
	}
	serve(func() {
		if flow.Select(false, flow.Receiving(done), flow.Receiving(over)) == 0 {
			ended()
		}
	})
	return forget
}

// serve runs f in a goroutine for which the execution does not wait.
func serve(f func()) {
	if s, ok := hook.Active.(hook.Spawner); ok {
		s.Serve(flow.Begins(f))
		return
	}
	go f()
}

func newCancel(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return &cancelCtx{Context: parent, done: make(chan struct{})}
}

// WithCancelCause returns a copy of parent that ends with it or when cancel is called.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	c := newCancel(parent)
	forget := follow(parent, c, c.done)
	return c, func(cause error) { c.end(because(Canceled, cause)); forget() }
}

// WithCancel is WithCancelCause without a cause.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	ctx, end := WithCancelCause(parent)
	return ctx, func() { end(nil) }
}

// Cause returns why c has ended, nil if it has not.
func Cause(c Context) error {
	p := own(c)
	if p == nil {
		return context.Cause(c)
	}
	err := c.Err()
	if err == nil {
		return nil
	}
	p.mu.Lock() // as in the original, the dependents have ended, too
	defer p.mu.Unlock()
	if how := p.how.Load(); how != nil {
		return how.cause
	}
	return err // for a context that wraps p
}

// WithDeadline returns a copy of parent that ends with it, at d, or when cancel is called.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is WithDeadline with the cause of an end at d.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	c := newCancel(parent)
	if earlier, ok := parent.Deadline(); ok && earlier.Before(d) {
		return WithCancel(parent)
	}
	forget := follow(parent, c, c.done)
	late := because(DeadlineExceeded, cause)
	if left := clock.Until(d); left <= 0 {
		c.end(late)
	} else {
		c.mu.Lock()
		if c.how.Load() == nil {
			c.timer = clock.AfterFunc(left, func() { c.end(late); forget() })
		}
		c.mu.Unlock()
	}
	return &deadlineCtx{c, d}, func() { c.end(because(Canceled, nil)); forget() }
}

// WithTimeout is WithDeadline with the time from now on.
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

// WithTimeoutCause is WithDeadlineCause with the time from now on.
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, clock.Now().Add(timeout), cause)
}

// An afterFunc calls a function at the end of a context.
type afterFunc struct {
	f    func()
	done chan struct{}
	once atomic.Bool // it was called, or will not be called
}

func (a *afterFunc) end(*ending) {
	if a.once.CompareAndSwap(false, true) {
		flow.Go(a.f)
	}
}

// AfterFunc calls f in a goroutine of its own when ctx has ended. stop prevents that, and reports whether it
// did.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	a := &afterFunc{f: f, done: make(chan struct{})}
	forget := follow(ctx, a, a.done)
	return func() bool {
		if !a.once.CompareAndSwap(false, true) {
			return false
		}
		flow.Close(a.done)
		forget()
		return true
	}
}
