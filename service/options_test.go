package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// What is not said is a default, the idle pause no shorter than the other one; what is said stays.
func TestOptions_Defaults(t *testing.T) {
	const long = 3 * DefaultIdle
	for _, c := range []struct{ o, want Options }{
		{Options{}, Options{Buckets: 256, Pause: time.Millisecond, Idle: time.Second}},
		{Options{Pause: long}, Options{Buckets: 256, Pause: long, Idle: long}},
		{Options{Pause: time.Second}, Options{Buckets: 256, Pause: time.Second, Idle: time.Second}},
		{Options{Buckets: 1, Idle: 7}, Options{Buckets: 1, Pause: time.Millisecond, Idle: 7}},
		{Options{Buckets: 5, Pause: 6, Idle: 7}, Options{Buckets: 5, Pause: 6, Idle: 7}},
	} {
		got := c.o.withDefaults()
		if got.Buckets != c.want.Buckets || got.Pause != c.want.Pause || got.Idle != c.want.Idle {
			t.Errorf("%+v becomes %+v, want %+v", c.o, got, c.want)
		}
	}
}

// The bounds of the options are allowed, what is beyond them is refused, with what was asked for.
func TestOptions_Bounds(t *testing.T) {
	for _, o := range []Options{{Buckets: 1}, {Buckets: 1, Pause: 2, Idle: 2}} {
		if err := o.check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Idle: 1}, "0 buckets with pauses of 0s to 1ns"},
		{Options{Buckets: 3, Pause: -1}, "3 buckets with pauses of -1ns to 0s"},
		{Options{Buckets: 3, Pause: 5, Idle: 4}, "3 buckets with pauses of 5ns to 4ns"},
	} {
		want := "options of a service unusable: " + c.want + "; use at least 1, and 0 <= Pause <= Idle"
		if err := c.o.check(); !errors.Is(err, ErrOptions) || err.Error() != want {
			t.Errorf("%+v: %v, want %s", c.o, err, want)
		}
	}
}

// A pass over the table is as many bits of work as it takes for the buckets of both halves, the last of which
// may be more than are left.
func TestStart_KnowsHowLongAPassIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for buckets, want := range map[int]int{1: 128, 3: 43, 64: 2, 127: 2, 128: 1, 129: 1} {
			_, _, own := newTable(t)
			s, err := Start(t.Context(), own, Options{Buckets: buckets})
			if err != nil {
				t.Fatal(err)
			}
			if s.bits != want {
				t.Errorf("%d bits of %d buckets are a pass over %d cells, want %d", s.bits, buckets, 2*cells,
					want)
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A service works at once, and after a pause that doubles up to the idle one, to the nanosecond; also when
// the first bit of work has found something.
func TestService_PausesDouble(t *testing.T) {
	for _, deleted := range []uint32{0, 8} {
		synctest.Test(t, func(t *testing.T) {
			_, client, own := newTable(t)
			churn(t, client, deleted)
			s, err := Start(t.Context(), own, Options{Buckets: 2 * cells, Pause: time.Millisecond,
				Idle: 6 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			passes := uint64(1)
			for _, pause := range []time.Duration{1, 2, 4, 6, 6} {
				for _, c := range []struct {
					sleep time.Duration
					more  uint64
				}{{pause*time.Millisecond - 1, 0}, {1, 1}} {
					time.Sleep(c.sleep)
					synctest.Wait()
					if passes += c.more; s.Counts().Passes != passes {
						t.Errorf("%d deleted, pause of %d ms: %d passes, want %d", deleted, pause,
							s.Counts().Passes, passes)
					}
				}
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// parent is a context that counts who wants to be told of its end, and who does not any more.
type parent struct {
	context.Context
	ends        chan struct{}
	heard, gone int
}

func (p *parent) Done() <-chan struct{} { return p.ends }

func (p *parent) AfterFunc(func()) (stop func() bool) {
	p.heard++
	return func() bool { p.gone++; return true }
}

// A service that does not start leaves nothing with its context, which may be that of the whole program.
func TestStart_LeavesNothingWhereItFails(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want bool
	}{{Options{Buckets: -1}, false}, {Options{}, true}} {
		_, _, own := newTable(t)
		p := &parent{Context: context.Background(), ends: make(chan struct{})}
		s, err := Start(p, own, c.o)
		if (p.heard > 0) != c.want || (err == nil) != c.want {
			t.Errorf("%+v: %v, and %d wait for the end of the context", c.o, err, p.heard)
		}
		if err == nil {
			err = s.Stop()
		} else if errors.Is(err, ErrOptions) {
			err = nil
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// Nor does one that ends, by itself or by Stop, while its context goes on.
func TestService_LeavesNothingWhenItEnds(t *testing.T) {
	for _, fails := range []bool{true, false} {
		_, _, own := newTable(t)
		if fails {
			if err := own.Close(); err != nil {
				t.Fatal(err)
			}
		}
		p := &parent{Context: context.Background(), ends: make(chan struct{})}
		s, err := Start(p, own, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !fails {
			err = s.Stop()
		}
		if <-s.Done(); err != nil || s.Err() != nil != fails || p.heard == 0 || p.gone != p.heard {
			t.Errorf("fails %t: %v, %v; of %d who waited for the end of the context %d are gone", fails, err,
				s.Err(), p.heard, p.gone)
		}
	}
}

// TestZero_SaysWhatIsMissing: of what is nil or was never made each call says so, and none waits.
func TestZero_SaysWhatIsMissing(t *testing.T) {
	var none context.Context
	for _, c := range []struct {
		ctx  context.Context
		h    *hopscotch.Handle
		says string
	}{
		{none, &hopscotch.Handle{}, "the context is nil"},
		{t.Context(), nil, "the handle is nil"},
		{t.Context(), &hopscotch.Handle{}, "of no table"},
	} {
		s, err := Start(c.ctx, c.h, Options{})
		if s != nil || !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.says, err)
		}
	}
	var s Service
	if err := s.Stop(); !errors.Is(err, errZero) {
		t.Errorf("stop: %v", err)
	}
	if err := s.Err(); !errors.Is(err, errZero) {
		t.Errorf("error: %v", err)
	}
	<-s.Done()
	if n := s.Counts(); n != (Counts{}) {
		t.Errorf("%+v", n)
	}
}
