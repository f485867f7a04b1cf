package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/slots"
)

// Call is a batch that is in flight. One goroutine at a time may wait for it.
type Call struct {
	client *Client
	held   slots.Held
	n      int // operations
	end    time.Time

	gone    bool // no service was alive at the last check
	over    bool
	results []Result
	err     error
}

// Wait waits for the answer until the context ends. If the context has no deadline, it waits no longer than
// DialOptions.Timeout after Start. A second Wait returns the same.
//
// Errors: ErrTimeout or ErrNoService, and then nothing was done and nothing will be done; ErrUnknown;
// ErrCorrupt and ErrClosed (with ErrUnknown); slots.ErrSystem if the system does not say whether a service
// lives, and then nothing was done and nothing will be done, unless it is ErrUnknown, too. If the cache
// refuses an operation, this is no error of Wait; see Result.Err.
func (c *Call) Wait(ctx context.Context) ([]Result, error) {
	if c.over {
		return c.results, c.err
	}
	answer, err := c.wait(ctx, nil)
	if err == nil {
		c.results, err = resultsOf(answer, c.n, c.client.ValueMax())
	}
	c.over, c.err = true, err
	return c.results, err
}

// firstSleep is how long a call sleeps before it arranges that the end of its context wakes it. This
// arrangement costs more than a call that is answered soon.
const firstSleep = time.Millisecond

// wait appends the answer to dst.
func (c *Call) wait(ctx context.Context, dst []byte) ([]byte, error) {
	if own, ok := ctx.Deadline(); ok {
		c.end = own
	}
	sleep := c.client.options.Look
	if ctx.Done() != nil {
		sleep = min(sleep, firstSleep)
	}
	for round := 0; ; round++ {
		o, answer, err := c.turn(ctx, dst, sleep)
		if o != slots.Pending || err != nil {
			c.client.tell()
			return answer, c.outcome(ctx, o, err)
		}
		if round == 0 {
			sleep = c.client.options.Look
			if ctx.Done() != nil {
				defer context.AfterFunc(ctx, c.wake)()
			}
		}
	}
}

// turn looks for the answer, and sleeps once if there is none.
func (c *Call) turn(ctx context.Context, dst []byte, sleep time.Duration) (slots.Outcome, []byte, error) {
	x := c.client
	x.open.RLock()
	defer x.open.RUnlock()
	if x.closed {
		return slots.Unknown, dst, fmt.Errorf("remote: client of %s: %w", x.path, ErrClosed)
	}
	o, dst, err := x.core.Poll(&c.held, dst)
	if o != slots.Pending || err != nil {
		return o, dst, err
	}
	left := time.Until(c.end)
	if ctx.Err() != nil || left <= 0 {
		return x.core.GiveUp(&c.held, dst)
	}
	sleep = min(sleep, left)
	begun := time.Now()
	if err := x.core.Sleep(&c.held, sleep); err != nil {
		return slots.Unknown, dst, err
	}
	if sleep < x.options.Look || time.Since(begun) < sleep {
		return slots.Pending, dst, nil
	}
	x.timeout.Add(1)
	o, dst, err = x.core.Mourn(&c.held, dst)
	if o == slots.Pending && err != nil {
		return c.leave(dst, err)
	}
	if o == slots.NotDone || o == slots.Unknown && err == nil {
		c.gone = true
		x.down.Store(1)
	}
	return o, dst, err
}

// leave ends a call because the system did not say whether a service lives. Nobody waits for the call any
// longer, so it gives up its slot: otherwise no later call could free the slot. look is what the system said.
func (c *Call) leave(dst []byte, look error) (slots.Outcome, []byte, error) {
	o, dst, err := c.client.core.GiveUp(&c.held, dst)
	switch {
	case o == slots.Answered: // just now, so the call has all that it waited for
		return o, dst, nil
	case err != nil:
		look = errors.Join(look, err)
	}
	return o, dst, look
}

// wake ends the sleep of the call, so that it looks at its context.
func (c *Call) wake() {
	c.client.open.RLock()
	defer c.client.open.RUnlock()
	if !c.client.closed {
		c.client.core.Wake(&c.held)
	}
}

// outcome is the error for this outcome of the request.
func (c *Call) outcome(ctx context.Context, o slots.Outcome, err error) error {
	switch {
	case err != nil && o == slots.NotDone:
		return fmt.Errorf("remote: request not done: whether a service lives is not known: %w", err)
	case err != nil:
		return fmt.Errorf("remote: %w: %w", ErrUnknown, err)
	case o == slots.Answered:
		return nil
	case o == slots.NotDone && c.gone:
		return fmt.Errorf("remote: %w", ErrNoService)
	case o == slots.NotDone:
		return fmt.Errorf("remote: %w: %w", ErrTimeout, because(ctx))
	case c.gone || ctx.Err() == nil && time.Now().Before(c.end): // the next service may have said so
		return fmt.Errorf("remote: %w: the service died with it", ErrUnknown)
	}
	return fmt.Errorf("remote: %w: %w", ErrUnknown, because(ctx))
}
