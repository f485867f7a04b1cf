// Package service runs the services of a table in a goroutine beside its clients. A service crops: it
// reclaims the cells of deleted elements and finishes operations that are installed. With Options.Dead it
// also takes back the descriptors of dead processes.
//
// A table needs no service for its progress. A service keeps it from filling with deleted elements, whose
// cells are otherwise reclaimed only by the next add that needs the place. A program without such a
// goroutine can let its handles do a share of the same work: [hopscotch.Handle.Assist].
//
// A service that finds no work sleeps, and one of 64 deletes of a client wakes it. The word that the client
// looks at is not written as long as no service sleeps. In a region that several processes may map, the
// service sleeps in a system call (futex), which holds a thread. On the heap it looks at the word every 16
// ms. No sleep is longer than Idle, whatever the word says, and even if a client is killed before it wakes
// the service.
package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// ErrOptions is wrapped by what Start returns for options that make no sense.
var ErrOptions = errors.New("options of a service unusable")

var errReceiver = errors.New("service: whoever is told has ended the service's goroutine (runtime.Goexit); " +
	"return from Left and Dead")

// Defaults of Options, taken for fields that are zero.
const (
	DefaultBuckets = 256
	DefaultPause   = time.Millisecond
	DefaultIdle    = time.Second
)

// Options say how much a service works, and which functions receive what it finds.
type Options struct {
	// Buckets is how many buckets are cropped between two pauses. It bounds how long Stop takes.
	Buckets int
	// Pause is the time between two portions of work in the first pass over the table, and as long as
	// something is found. After a portion that found nothing the pause doubles, up to Idle, so a table
	// without deletes costs little. Such a pause ends when a client of any process has deleted more
	// elements. Then a whole pass follows without longer pauses, and one more if elements were deleted
	// meanwhile.
	Pause, Idle time.Duration
	// Left, if it is not nil, is called with each element that leaves. The service waits for it: while Left
	// is slow nothing more is reclaimed, and nothing is queued. Left runs in the service's goroutine and
	// must not call Stop. A panic of Left is not recovered and ends the program, like that of any
	// goroutine. For other processes that map the region, this process then died between two operations. No
	// element is lost by a death: at most the last one was not passed to Left, and a Reclaim of the
	// descriptor hands it over.
	Left func(hopscotch.Leaving)
	// Dead, if it is not nil, lets the service take back the descriptors of dead owners. It does so once in
	// each pass, and when Idle (or a second, if that is longer) has passed since the last time. Dead is
	// called with what was in each descriptor. The rules for Left hold for Dead as well.
	Dead func(hopscotch.Reclaimed)
}

func (o Options) withDefaults() Options {
	if o.Buckets == 0 {
		o.Buckets = DefaultBuckets
	}
	if o.Pause == 0 {
		o.Pause = DefaultPause
	}
	if o.Idle == 0 {
		o.Idle = max(DefaultIdle, o.Pause)
	}
	return o
}

func (o Options) check() error {
	if o.Buckets < 1 || o.Pause < 0 || o.Idle < o.Pause {
		return fmt.Errorf("%w: %d buckets with pauses of %v to %v; use at least 1, and 0 <= Pause <= Idle",
			ErrOptions, o.Buckets, o.Pause, o.Idle)
	}
	return nil
}

// Counts is what a service has done.
type Counts struct {
	Buckets uint64 // cropped
	Passes  uint64 // over all buckets of the table
	Left    uint64 // elements that left
	Dead    uint64 // descriptors that were taken back
}

// Service is a running service. Its methods may be called by any goroutine.
type Service struct {
	h      *hopscotch.Handle
	o      Options
	cancel context.CancelFunc
	bits   int // of work that are a pass over the table
	done   chan struct{}
	err    error     // set before done is closed
	asked  time.Time // when dead owners were looked for, by the goroutine

	buckets, passes, left, dead atomic.Uint64
}

// Start runs a service with the handle. The handle belongs to the service until the service has ended; then
// the caller closes it. The service ends with the context, with Stop, or with the first error. Several
// services, in any processes, share the work if each has a handle of its own. Errors: ErrOptions.
func Start(ctx context.Context, h *hopscotch.Handle, o Options) (*Service, error) {
	switch {
	case ctx == nil:
		return nil, fmt.Errorf("%w: the context is nil; give context.Background()", ErrOptions)
	case h == nil || h.Table() == nil:
		return nil, fmt.Errorf("%w: the handle is nil or of no table; make one with Table.NewHandle",
			ErrOptions)
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	buckets := 2 * int(h.Table().Layout().CellsPerHalf)
	o.Buckets = min(o.Buckets, buckets) // a pass
	s := &Service{h: h, o: o, cancel: cancel, done: make(chan struct{}),
		bits: (buckets + o.Buckets - 1) / o.Buckets, asked: time.Now()}
	go s.run(ctx)
	return s, nil
}

// errZero is the end of a Service that Start has not made.
var errZero = errors.New("service: the zero value runs nothing; make a service with Start")

// ended is closed.
var ended = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Stop ends the service, waits until its present portion of work is done, and returns Err. It may be called
// more than once.
func (s *Service) Stop() error {
	if s.cancel == nil {
		return errZero
	}
	s.cancel()
	<-s.done
	return s.err
}

// Done is closed when the service has ended, for whatever reason.
func (s *Service) Done() <-chan struct{} {
	if s.done == nil {
		return ended
	}
	return s.done
}

// Err is the error that ended the service: that of [hopscotch.Handle.CropNext] or of
// [hopscotch.Handle.Reclaim]; nil while it runs, and when it was stopped.
func (s *Service) Err() error {
	if s.done == nil {
		return errZero
	}
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Counts is what the service has done so far.
func (s *Service) Counts() Counts {
	return Counts{s.buckets.Load(), s.passes.Load(), s.left.Load(), s.dead.Load()}
}

// run alternates between work and pauses. It begins with a pass, as after a ring: nobody rings for what was
// deleted before.
func (s *Service) run(ctx context.Context) {
	defer close(s.done)
	s.err = errReceiver // unless it comes to its end
	r := s.h.Table().Region()
	rung := make(chan struct{})
	unring := context.AfterFunc(ctx, func() { r.Ring(); close(rung) })
	defer func() {
		if s.cancel(); !unring() {
			<-rung // it must not meet a region that is closed
		}
	}()
	stopped := func() bool { return ctx.Err() != nil }
	// A ring in the midst of a pass is for what is behind it as well: it is heard when the pass is over.
	heard := r.Listen()
	pause, rest := time.Duration(0), s.bits // of a pass without longer pauses
	for !stopped() {
		found, err := s.work()
		if err != nil {
			s.err = fmt.Errorf("service: %w", err)
			return
		}
		switch {
		case rest > 0:
			rest--
			pause = s.o.Pause
		case found:
			pause = s.o.Pause
		default:
			pause = min(2*pause, s.o.Idle)
		}
		if found || rest > 0 {
			wait(ctx, pause)
		} else if r.SleepUntilRung(heard, pause, stopped) {
			heard, rest = r.Listen(), s.bits
			wait(ctx, s.o.Pause) // whoever rings often is not served more often
		}
	}
	s.err = nil
}

// wait pauses until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// work is one bit of work. It tells whether something was found.
func (s *Service) work() (found bool, err error) {
	passed, err := s.h.CropNext(s.o.Buckets, func(l hopscotch.Leaving) {
		found = true
		s.left.Add(1)
		if s.o.Left != nil {
			s.o.Left(l)
		}
	})
	if err != nil {
		return found, err
	}
	s.buckets.Add(uint64(s.o.Buckets))
	if passed {
		s.passes.Add(1)
	}
	if s.o.Dead == nil || !passed && time.Since(s.asked) < max(s.o.Idle, DefaultIdle) {
		return found, nil
	}
	s.asked = time.Now()
	all, err := s.h.Reclaim()
	for _, x := range all {
		found = true
		s.dead.Add(1)
		s.o.Dead(x)
	}
	return found, err
}
