package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/seam"
)

// DialOptions say how a client waits, and which user must own its file. The zero value suits most programs.
type DialOptions struct {
	// Timeout bounds each call whose context has no deadline, WaitMin to WaitMax; 0 is 5 s.
	Timeout time.Duration
	// Look is the longest sleep of a call that waits for an answer, WaitMin to WaitMax; 0 is 100 ms. After
	// each such sleep the call checks whether the service lives, so Look decides how soon a dead service is
	// noticed.
	Look time.Duration
	// Owner is the number of the user that must own the slot file, which is the user of the service. nil
	// stands for the effective user of this process.
	Owner *int
}

// Client sends requests to a service. All goroutines may call its methods at once. Make one with Dial, and
// end it with Close. The calls of a Client that is nil or zero return ErrClosed.
type Client struct {
	path    string
	core    *slots.Client
	options DialOptions
	freed   chan struct{} // has something if a slot may have become free
	scratch sync.Pool     // of *scratch
	down    seam.Uint32   // 1: the last call found no service
	timeout seam.Uint64   // sleeps of DialOptions.Look that ended by their bound

	open   sync.RWMutex // read-held by who uses the file
	closed bool
}

// scratch is the memory of a call.
type scratch struct {
	batch  Batch
	answer []byte
}

// Dial opens the slot file of this client. The service need not be running, but a service must have created
// the file. Errors: ErrOptions, those of slots.Dial.
func Dial(path string, o DialOptions) (*Client, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Look == 0 {
		o.Look = DefaultLook
	}
	err := errors.Join(checkWait("Timeout", o.Timeout, "choose how long a call may take"),
		checkWait("Look", o.Look, "choose how soon a dead service is noticed"))
	if err != nil {
		return nil, err
	}
	owner := os.Geteuid()
	if o.Owner != nil {
		owner = *o.Owner
	}
	core, err := slots.Dial(path, owner)
	if err != nil {
		return nil, err
	}
	return &Client{path: path, core: core, options: o, freed: make(chan struct{}, 1)}, nil
}

// dialled returns nil for a client that Dial has made, even if it is closed.
func (c *Client) dialled() error {
	if c == nil || c.core == nil {
		return neverDialled{}
	}
	return nil
}

// neverDialled is the ErrClosed of a *Client that is nil or zero. The methods that return sizes return 0 for
// such a client.
type neverDialled struct{}

func (neverDialled) Error() string {
	return "remote: client was never dialled: use what Dial returns with a nil error"
}

func (neverDialled) Unwrap() error { return ErrClosed }

// RequestMax is the largest number of bytes of a batch (Batch.Bytes).
func (c *Client) RequestMax() int {
	if c.dialled() != nil {
		return 0
	}
	return c.core.RequestMax()
}

// ValueMax is the largest number of bytes of a value that a request with one get can return.
func (c *Client) ValueMax() int {
	if c.dialled() != nil {
		return 0
	}
	return c.core.AnswerMax() - resultBytes
}

// OpsMax is the largest number of operations of a batch: the response area has room for the result of each.
// The values share the rest of the area. If a value does not fit any more, its result has ErrTooLarge; later
// values that fit are whole.
func (c *Client) OpsMax() int {
	if c.dialled() != nil {
		return 0
	}
	return min(OpsMax, c.core.AnswerMax()/resultBytes)
}

// Slots is the number of requests that can be in flight at once.
func (c *Client) Slots() int {
	if c.dialled() != nil {
		return 0
	}
	return c.core.Slots()
}

// TimedOut is the number of sleeps of this client that ended by their time limit, and not because the service
// woke the client. A sleep while the service is still performing the request counts, too.
func (c *Client) TimedOut() uint64 {
	if c.dialled() != nil {
		return 0
	}
	return c.timeout.Load()
}

// Close gives up the file. Calls that wait end with ErrUnknown and ErrClosed; Close waits for them, for at
// most DialOptions.Look. A second Close returns ErrClosed.
func (c *Client) Close() error {
	if err := c.dialled(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	c.open.Lock()
	defer c.open.Unlock()
	if c.closed {
		return fmt.Errorf("close %s: %w", c.path, ErrClosed)
	}
	c.closed = true
	return c.core.Close()
}

// Get appends the value of the key to dst, which may be nil, and reports whether the key is there. If the key
// is absent, dst is returned unchanged. Errors: ErrTooLarge if the value does not fit into a response area;
// those of Call.Wait.
func (c *Client) Get(ctx context.Context, key, dst []byte) (value []byte, ok bool, err error) {
	value, ok, err = c.one(ctx, dst, func(b *Batch) { b.Get(key) })
	return value, ok, c.named("get", err)
}

// Set gives the key a value, with the default time to live of the cache. Errors: those of Call.Wait;
// ErrTooLarge, ErrBusy.
func (c *Client) Set(ctx context.Context, key, value []byte) error {
	_, _, err := c.one(ctx, nil, func(b *Batch) { b.Set(key, value) })
	return c.named("set", err)
}

// SetTTL is Set with a time to live of its own; 0 is for ever.
func (c *Client) SetTTL(ctx context.Context, key, value []byte, ttl time.Duration) error {
	_, _, err := c.one(ctx, nil, func(b *Batch) { b.SetTTL(key, value, ttl) })
	return c.named("set", err)
}

// Delete removes the key, and reports whether it was there. Errors: those of Call.Wait; ErrBusy.
func (c *Client) Delete(ctx context.Context, key []byte) (deleted bool, err error) {
	_, deleted, err = c.one(ctx, nil, func(b *Batch) { b.Delete(key) })
	return deleted, c.named("delete", err)
}

func (c *Client) named(call string, err error) error {
	switch {
	case err == nil:
		return nil
	case c.dialled() != nil:
		return fmt.Errorf("%s: %w", call, err)
	}
	return fmt.Errorf("%s by %s: %w", call, c.path, err)
}

// one sends a request of one operation and waits for its answer.
func (c *Client) one(ctx context.Context, dst []byte, add func(*Batch)) ([]byte, bool, error) {
	if err := c.dialled(); err != nil {
		return dst, false, err
	}
	x, _ := c.scratch.Get().(*scratch)
	if x == nil {
		x = &scratch{}
	}
	defer c.scratch.Put(x)
	x.batch.Reset()
	add(&x.batch)
	call, err := c.Start(ctx, &x.batch)
	if err != nil {
		return dst, false, err
	}
	x.answer, err = call.wait(ctx, x.answer[:0])
	if err != nil {
		return dst, false, err
	}
	s, n, value, _, ok := nextResult(x.answer)
	if !ok {
		return dst, false, fmt.Errorf("%w: the answer has %d bytes, and no result", ErrCorrupt, len(x.answer))
	}
	return append(dst, value...), s == StatusOK, s.err(n, c.ValueMax())
}

// Do sends a batch and waits for its answer, which has one result for each operation, in their order. Errors:
// those of Start and Call.Wait.
func (c *Client) Do(ctx context.Context, b *Batch) ([]Result, error) {
	call, err := c.Start(ctx, b)
	if err != nil {
		return nil, err
	}
	return call.Wait(ctx)
}

// Start sends a batch without waiting for the answer. It waits for a free slot until the context ends, or, if
// the context has no deadline, no longer than DialOptions.Timeout. The batch may be used again at once. The
// caller must wait for each Call, which keeps its slot until then. Errors: ErrTimeout if the context has
// already ended, ErrNoSlot, ErrNoService, ErrTooLarge, ErrRequest, slots.ErrSystem if the system does not say
// whether a service lives, and then nothing was done; ErrCorrupt, ErrClosed.
func (c *Client) Start(ctx context.Context, b *Batch) (*Call, error) {
	if err := c.dialled(); err != nil {
		return nil, err
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	if fit := c.OpsMax(); b.n > fit {
		return nil, fmt.Errorf("remote: a batch of %d: %w", b.n, tooMany(fit))
	}
	waitEnd := time.Now().Add(c.options.Timeout) // of a Wait whose context has no deadline
	end := waitEnd
	if own, ok := ctx.Deadline(); ok {
		end = own
	}
	for pause := WaitMin; ; pause = min(2*pause, slotPauseMost) {
		call, err := c.claim(ctx, b, waitEnd)
		if call != nil || err != nil {
			return call, err
		}
		// The service frees an abandoned slot without a signal to this client. So look again.
		timer := time.NewTimer(min(pause, time.Until(end)))
		select {
		case <-c.freed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil || time.Until(end) <= 0 {
			return nil, fmt.Errorf("remote: %w (%d in use): %w", ErrNoSlot, c.core.Slots(), because(ctx))
		}
	}
}

const slotPauseMost = 16 * time.Millisecond

// because is the reason why the context ended, which wraps ctx.Err, or the error that the time was over.
func because(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case err == nil:
		return context.DeadlineExceeded
	case errors.Is(cause, err):
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// claim takes a slot and sends the request. It returns nil without an error if no slot is free. If the
// context has already ended, it sends nothing. If the context ends later, the goroutine that waits for the
// answer notices.
func (c *Client) claim(ctx context.Context, b *Batch, end time.Time) (*Call, error) {
	c.open.RLock()
	defer c.open.RUnlock()
	if c.closed {
		return nil, fmt.Errorf("remote: client of %s: %w", c.path, ErrClosed)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("remote: %w: %w", ErrTimeout, because(ctx))
	}
	if c.down.Load() != 0 {
		lives, err := c.core.ServiceLives()
		if err == nil && !lives {
			err = fmt.Errorf("remote: %w", ErrNoService)
		}
		if err != nil {
			return nil, err
		}
		c.down.Store(0)
	}
	h, ok, err := c.core.Claim()
	if !ok || err != nil {
		return nil, err
	}
	if err := c.core.Send(&h, b.request); err != nil {
		c.tell()
		return nil, err
	}
	return &Call{client: c, held: h, n: b.n, end: end}, nil
}

// tell signals that a slot may be free.
func (c *Client) tell() {
	select {
	case c.freed <- struct{}{}:
	default: // somebody has said so, and nobody has looked yet
	}
}
