// Package service runs the services of a table in a goroutine beside its clients: it crops, that is
// reclaims the cells of deleted elements and finishes what is installed; and if somebody wants to be told
// (Options.Dead) it takes back what dead processes left.
//
// A table needs no service for its progress. A service keeps it from filling with deleted
// elements, whose cells are otherwise reclaimed by the next add only that wants the place. A
// program that would rather not have another goroutine lets its handles do a share of the same
// work: [hopscotch.Handle.Assist].
//
// A service that finds nothing sleeps, and a client's delete wakes it, one of 64: the word that the
// client looks at is only read as long as nobody sleeps. In a region that several processes may map that
// is the system's sleep on a word, which holds a thread; on the heap the service looks at the word
// every 16 ms. Whatever the word says, or if who rings is killed before it wakes anybody, no sleep is
// longer than Idle.
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

// Options say how hard a service works, and who is told what it finds.
type Options struct {
	// Buckets is how many buckets are cropped at a time, between two pauses. It bounds how long Stop
	// takes.
	Buckets int
	// Pause is the time between two bits of work in the first pass over the table, and as long as
	// something is found. After a bit that found nothing the pause doubles, up to Idle; so a table that
	// nobody deletes from costs little. Such a pause ends when somebody has deleted more, in whatever
	// process: then a whole pass follows without longer pauses, and one more if somebody did so meanwhile.
	Pause, Idle time.Duration
	// Left is told of each element that leaves, if it is not nil. The service waits for it: while the
	// receiver is slow nothing more is reclaimed, and nothing is queued. It runs in the service's
	// goroutine and must not call Stop. Nobody recovers its panic, which ends the program, as that of any
	// goroutine does: to others who map the region this process is one that died between two operations.
	// Nothing is lost by a death: of what has left, the service has told Left but for the last element at
	// most, which is handed over once more to who reclaims the descriptor.
	Left func(hopscotch.Leaving)
	// Dead, if it is not nil, lets the service take the descriptors of dead owners back, once a pass,
	// and when Idle, or a second if that is more, has gone by since the last time; it is told what was in
	// each. What holds for Left holds for it.
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

// Start runs a service with the handle, which is the service's until it has ended; closing it is
// the caller's. It ends with the context, with Stop, or with the first error. Several services
// share the work, each with a handle of its own, of any process. Errors: ErrOptions.
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

// Stop ends the service, waits until its bit of work is done, and returns Err. It may be called
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
