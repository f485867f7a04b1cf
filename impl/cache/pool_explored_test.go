//go:build explore

package cache

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/seam"
)

// inOrders runs actors in every order of their steps that has at most two preemptions, on what begin makes
// anew each time, and returns what finish says of the first execution that fails.
func inOrders(t *testing.T, begin func(), finish func() error, actors ...func()) error {
	t.Helper()
	p := explore.Program{Name: t.Name(), Start: func(*explore.Execution) (all []explore.Actor) {
		begin()
		for _, body := range actors {
			all = append(all, explore.Actor{Body: body})
		}
		return all
	}, Finish: func(*explore.Execution) error { return finish() }}
	r, err := explore.Explore(p, explore.Options{Preemptions: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d executions", r.Stats.Executions)
	if r.Failure != nil {
		return fmt.Errorf("%v", r.Failure)
	}
	return nil
}

// loan is a handle of a test, which knows its ends.
type loan struct{ inUse, ended bool }

// loans is a pool of one handle, and what was wrong with it.
type loans struct {
	*pool[*loan]
	made  int
	wrong error
}

func newLoans(n int) *loans {
	l := &loans{}
	l.pool = newPool(n, func(int) (*loan, error) { l.made++; return &loan{}, nil },
		func(h *loan) error {
			if h.inUse || h.ended {
				l.wrong = errors.Join(l.wrong, fmt.Errorf("ended as %+v", *h))
			}
			h.ended = true
			return nil
		})
	return l
}

// call borrows a handle and gives it back.
func (l *loans) call() {
	s, err := l.take()
	if err != nil {
		if !errors.Is(err, ErrClosed) {
			l.wrong = errors.Join(l.wrong, err)
		}
		return
	}
	if h := s.handle; h == nil || h.inUse || h.ended {
		l.wrong = errors.Join(l.wrong, fmt.Errorf("borrowed as %+v", h))
		return
	}
	s.handle.inUse = true
	s.count(slotFirst) // a step, between which others come
	s.handle.inUse = false
	s.give(slotSecond)
}

// TestExplored_PoolMakesOne: of two goroutines that find no handle one makes it, and the other one waits.
func TestExplored_PoolMakesOne(t *testing.T) {
	var l *loans
	err := inOrders(t, func() { l = newLoans(1) }, func() error {
		if first, second := l.counts(); l.wrong == nil && (l.made != 1 || first != 2 || second != 2) {
			return fmt.Errorf("%d handles, counted %d and %d", l.made, first, second)
		}
		return l.wrong
	}, func() { l.call() }, func() { l.call() })
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_PoolCloses: nobody borrows a handle that has been ended, or that is about to be.
func TestExplored_PoolCloses(t *testing.T) {
	var l *loans
	err := inOrders(t, func() { l = newLoans(1); l.call() }, func() error {
		if l.wrong == nil && l.slots[0].handle != nil {
			return errors.New("there is a handle after the close")
		}
		return l.wrong
	}, func() { l.call() }, func() { _, _ = l.close() })
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_PoolHolds: one goroutine at a time holds all handles, also of those that hold them again and
// again, and nobody borrows one meanwhile.
func TestExplored_PoolHolds(t *testing.T) {
	var l *loans
	held := false
	hold := func() {
		release, err := l.hold()
		if err != nil || held || l.slots[0].handle.inUse {
			l.wrong = errors.Join(l.wrong, err, fmt.Errorf("held already: %v, or in use", held))
			return
		}
		held = true
		l.counts() // steps, between which others come
		held = false
		release()
	}
	for _, other := range []func(){hold, func() { l.call() }} {
		err := inOrders(t, func() { l, held = newLoans(1), false; l.call() }, func() error {
			if made := l.pool.made.Load(); l.wrong == nil && made != 1 {
				return fmt.Errorf("%d handles can be found", made)
			}
			return l.wrong
		}, func() { hold(); hold() }, other)
		if err != nil {
			t.Error(err)
		}
	}
}

// TestExplored_PoolShrinks: of two goroutines that give up the last but one handle one does.
func TestExplored_PoolShrinks(t *testing.T) {
	var l *loans
	shrink := func() {
		if err := l.shrink(1); err != nil {
			l.wrong = errors.Join(l.wrong, err)
		}
	}
	err := inOrders(t, func() {
		l = newLoans(2)
		a, err := l.take()
		b, bad := l.take()
		if err = errors.Join(err, bad); err != nil {
			t.Fatal(err)
		}
		a.give(0)
		b.give(0)
	}, func() error {
		if n := l.pool.made.Load(); n != 1 {
			return fmt.Errorf("%d handles are left", n)
		}
		return l.wrong
	}, shrink, shrink)
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_PoolGivesUp: a handle that is given up at the end of a call is ended once, also beside another
// call, which makes the next one, and beside a close.
func TestExplored_PoolGivesUp(t *testing.T) {
	for name, other := range map[string]func(l *loans){
		"call": func(l *loans) { l.call() }, "close": func(l *loans) { _, _ = l.close() },
		"shrink": func(l *loans) { _ = l.shrink(0) }} {
		var l *loans
		gaveUp := false
		err := inOrders(t, func() { l, gaveUp = newLoans(1), false }, func() error {
			if name == "call" && !gaveUp {
				return errors.New("it is not given up")
			}
			if left := l.pool.made.Load() != 0; left != (l.slots[0].handle != nil) {
				return fmt.Errorf("%d handles are left, or are there", l.pool.made.Load())
			}
			return l.wrong
		}, func() {
			s, err := l.take()
			if err != nil {
				return
			}
			if gaveUp = s.giveUp(slotFirst); !gaveUp {
				s.give(slotFirst)
			}
		}, func() { other(l) })
		if err != nil {
			t.Errorf("beside a %s: %v", name, err)
		}
	}
}

// TestExplored_ClockBegins: of two processes whose calendars differ, and which are the first to come, one
// chooses the offset for both, by its calendar. The clocks stand still: so the program repeats itself.
func TestExplored_ClockBegins(t *testing.T) {
	const apart, near = 3_600_000, 60_000 // milliseconds
	host := func() (time.Duration, bool) { return time.Hour, true }
	var word *seam.Uint64
	var clocks [2]*clock
	begin := func() {
		word = new(seam.Uint64)
		for i := range clocks {
			calendar := time.UnixMilli(askStart + int64(i)*apart)
			clocks[i] = &clock{host: host, wall: func() time.Time { return calendar }}
		}
	}
	err := inOrders(t, begin, func() error {
		a, b := clocks[0].now(), clocks[1].now()
		if a > b+near || b > a+near || a < askStart || a > askStart+near && a < askStart+apart ||
			a > askStart+apart+near {
			return fmt.Errorf("one clock is at %d, and the other one at %d", a, b)
		}
		return nil
	}, func() { clocks[0].start(nil, word) }, func() { clocks[1].start(nil, word) })
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_PoolPausesGrow: where no exploration goes on, who waits for a handle sleeps longer and longer
// in this build, too.
func TestExplored_PoolPausesGrow(t *testing.T) { pausesGrow(t) }
