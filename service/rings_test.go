package service

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// waker is a System of one process, whose sleeps end with a wake; nobody else notices one. With a channel of
// who may go on a wake does not return before that.
type waker struct {
	woken, may chan struct{}
}

func (*waker) Lock(uint32) (bool, error)   { return true, nil }
func (*waker) Unlock(uint32) error         { return nil }
func (*waker) Locked(uint32) (bool, error) { return false, nil }
func (*waker) Pid() uint64                 { return 1 }
func (*waker) Now() uint64                 { return 0 }

func (w *waker) Sleep(_ *uint32, _ uint32, most time.Duration) bool {
	select {
	case <-w.woken:
	case <-time.After(most):
	}
	return true
}

func (w *waker) Wake(*uint32) {
	if w.woken == nil {
		return // the region is being made, and nobody sleeps
	}
	select {
	case w.woken <- struct{}{}:
	default: // nobody sleeps
	}
	if w.may != nil {
		<-w.may
	}
}

// woken starts a service on a table whose sleeps end by the waker, and lets it fall asleep for long.
func woken(t *testing.T, w *waker, o Options) (*hopscotch.Table, *Service) {
	t.Helper()
	l := hopscotch.Layout{CellsPerHalf: cells, Window: 8, Descriptors: 4}
	m := make([]byte, l.Region().Size()+region.LineBytes)
	m = m[-uintptr(unsafe.Pointer(&m[0]))%region.LineBytes:][:l.Region().Size()]
	r, err := region.Make(m, l.Region(), w)
	if err != nil {
		t.Fatal(err)
	}
	w.woken = make(chan struct{})
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	own, err := table.NewHandle(2)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), own, o)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(30 * time.Minute)
	synctest.Wait()
	return table, s
}

// A service that is stopped has not ended before the ring has that wakes it for its end: whoever closes the
// region after Stop takes the memory away from under nobody.
func TestService_EndsAfterItsOwnRing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &waker{may: make(chan struct{})}
		_, s := woken(t, w, Options{Idle: time.Hour})
		stopped := make(chan error)
		go func() { stopped <- s.Stop() }()
		synctest.Wait()
		select {
		case <-s.Done():
			t.Error("it has ended while it is still rung for")
		default:
		}
		close(w.may)
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

// gaps are the times between the next n bits of work of a service; the first one is from now on. In the midst
// of each of the first so many somebody rings.
func gaps(s *Service, table *hopscotch.Table, n, rings int, look time.Duration) (all []time.Duration) {
	last, since := s.Counts().Buckets, time.Now()
	for len(all) < n && time.Since(since) < time.Minute {
		time.Sleep(look)
		synctest.Wait()
		if now := s.Counts().Buckets; now != last {
			all = append(all, time.Since(since))
			last, since = now, time.Now()
		} else if len(all) < rings {
			table.Region().Ring()
		}
	}
	return all
}

// A service that has been rung for does the bits of work of one pass, and not one more. Each comes a pause
// after the one before, or after the ring; then the pauses double. A ring in the midst of the pass ends no
// pause. However many come, the service makes one more pass.
func TestService_APassForARing(t *testing.T) {
	for _, rings := range []int{0, 1, 2, 4} {
		synctest.Test(t, func(t *testing.T) {
			const pause, bits = time.Millisecond, 4
			table, s := woken(t, &waker{}, Options{Buckets: 2 * cells / bits, Pause: pause, Idle: time.Hour})
			table.Region().Ring()
			want := slices.Repeat([]time.Duration{pause}, bits*(1+min(rings, 1)))
			want = append(want, pause, 2*pause, 4*pause)
			if got := gaps(s, table, len(want), rings, pause/2); !slices.Equal(got, want) {
				t.Errorf("after a ring, and %d more, bits of work come after %v, want %v", rings, got, want)
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		const pause = time.Millisecond
		table, s := woken(t, &waker{}, Options{Buckets: 2 * cells, Pause: pause, Idle: time.Hour})
		table.Region().Ring()
		for _, c := range []struct {
			sleep time.Duration
			more  uint64
		}{{pause - 1, 0}, {1, 1}} {
			before := s.Counts().Passes
			time.Sleep(c.sleep)
			synctest.Wait()
			if n := s.Counts().Passes - before; n != c.more {
				t.Errorf("%d passes %v later, want %d", n, c.sleep, c.more)
			}
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// After a bit of work that has found something comes the shortest pause, wherever in the table it was, and no
// ring ends it. After one that has not come longer ones, unless somebody has rung meanwhile.
func TestService_FoundInTheMidst(t *testing.T) {
	for _, rings := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			const pause = time.Millisecond
			table, client, own := newTable(t)
			s, err := Start(t.Context(), own, Options{Buckets: 1, Pause: pause, Idle: 4 * pause})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute) // the pass that it begins with
			synctest.Wait()
			churn(t, client, 40)
			found, paused, left, end := 0, 0, uint64(0), s.Counts().Passes+2
			for s.Counts().Passes < end {
				now, ring := s.Counts().Left, 0
				if now != left {
					ring = rings
				}
				gap := gaps(s, table, 1, ring, pause/2)[0]
				if now != left && gap == pause {
					found++
				} else if now != left {
					t.Errorf("%v after something was found", gap)
				} else if gap > pause {
					paused++
				}
				left = now
			}
			if found == 0 || paused == 0 {
				t.Errorf("%d short pauses after something, %d longer ones after nothing", found, paused)
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A service begins with a pass without longer pauses: nobody rings for what was deleted before it came.
func TestService_BeginsWithAPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pause, bits = time.Millisecond, 4
		table, _, own := newTable(t)
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells / bits, Pause: pause, Idle: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want := []time.Duration{pause, pause, pause, pause, 2 * pause, 4 * pause}
		if got := gaps(s, table, len(want), 0, pause/2); !slices.Equal(got, want) {
			t.Errorf("after the first, bits of work come after %v, want %v", got, want)
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// The dead are asked for once a pass; of a table so large that nobody can wait for that, as often as the
// service may sleep, and no more than once a second.
func TestService_AsksForTheDeadInALargeTable(t *testing.T) {
	for _, idle := range []time.Duration{time.Millisecond, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int64
			_, _, own := newTableWith(t, 1<<14, 3, func(hopscotch.Owner) bool { asked.Add(1); return true })
			s, err := Start(t.Context(), own, Options{Buckets: 1, Idle: idle,
				Dead: func(hopscotch.Reclaimed) { t.Error("nobody is dead") }})
			if err != nil {
				t.Fatal(err)
			}
			const seconds = 30
			time.Sleep(seconds*time.Second - 1)
			synctest.Wait()
			least := int64(seconds*time.Second/(max(idle, DefaultIdle)+idle)) - 1
			most := int64(seconds*time.Second/max(idle, DefaultIdle)) + int64(s.Counts().Passes)
			if n := asked.Load(); n < least || n > most {
				t.Errorf("sleeps of %v: asked %d times in %d s, want %d to %d", idle, n, seconds, least, most)
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What dead processes left is work as any other: the next one comes after the shortest pause.
func TestService_TheDeadAreWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var died atomic.Bool
		_, _, own := newTableWith(t, cells, 9,
			func(o hopscotch.Owner) bool { return o.Number() != 9 || !died.Load() })
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells, Pause: time.Millisecond,
			Idle: time.Hour, Dead: func(hopscotch.Reclaimed) {}})
		if err != nil {
			t.Fatal(err)
		}
		// Passes are at 0, 1, 3 and 7 ms, and without the death at 15 ms.
		time.Sleep(5 * time.Millisecond)
		died.Store(true)
		for _, c := range []struct {
			sleep  time.Duration
			passes uint64
		}{{3*time.Millisecond - 1, 4}, {1, 5}} {
			time.Sleep(c.sleep)
			synctest.Wait()
			if n := s.Counts(); n.Passes != c.passes || n.Dead != 1 {
				t.Errorf("%+v, want %d passes, one of which has found somebody dead", n, c.passes)
			}
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// Who does not want to be told of the dead leaves them to others.
func TestService_LeavesTheDeadToWhoAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		dead, err := table.NewHandle(9)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Start(t.Context(), own, Options{})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if err := s.Stop(); err != nil || s.Counts().Passes == 0 || s.Counts().Dead != 0 {
			t.Errorf("%v, %+v", err, s.Counts())
		}
		all, err := client.Reclaim()
		if err != nil || len(all) != 1 || all[0].Descriptor != dead.Descriptor() {
			t.Errorf("left for who asks: %v, %v", all, err)
		}
	})
}

// Whoever is told of an element, or of somebody dead, finds it counted.
func TestService_CountsBeforeItTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		churn(t, client, 40)
		if _, err := table.NewHandle(9); err != nil {
			t.Fatal(err)
		}
		var s atomic.Pointer[Service]
		var left, dead uint64
		told := func(of *uint64) {
			synctest.Wait() // until the service is known
			if *of++; s.Load().Counts().Left != left || s.Load().Counts().Dead != dead {
				t.Errorf("told of %d and %d dead, counted %+v", left, dead, s.Load().Counts())
			}
		}
		running, err := Start(t.Context(), own, Options{Left: func(hopscotch.Leaving) { told(&left) },
			Dead: func(hopscotch.Reclaimed) { told(&dead) }})
		if err != nil {
			t.Fatal(err)
		}
		s.Store(running)
		time.Sleep(time.Minute)
		if err := running.Stop(); err != nil || left == 0 || dead != 1 {
			t.Errorf("told of %d and %d dead: %v", left, dead, err)
		}
	})
}

// The dead are asked for once a pass, however many bits of work that is, by one call for each other handle.
func TestService_AsksForTheDeadOnceAPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Uint64
		_, _, own := newTableWith(t, cells, 3, func(hopscotch.Owner) bool { asked.Add(1); return true })
		const bits = 4
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells / bits, Idle: time.Millisecond,
			Dead: func(hopscotch.Reclaimed) { t.Error("nobody is dead") }})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 * bits {
			synctest.Wait()
			if n := s.Counts(); n.Passes != n.Buckets/(2*cells) || asked.Load() != n.Passes {
				t.Errorf("asked %d times, %+v", asked.Load(), n)
			}
			time.Sleep(time.Millisecond)
		}
		if err := s.Stop(); err != nil || s.Counts().Passes < 2 {
			t.Errorf("%v, %+v", err, s.Counts())
		}
	})
}

// The dead are asked for in a pass that finds something else, too: where somebody always deletes, there is
// no other.
func TestService_AsksForTheDeadWhileThereIsOtherWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		churn(t, client, 40)
		if _, err := table.NewHandle(9); err != nil {
			t.Fatal(err)
		}
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells, Idle: time.Hour,
			Dead: func(hopscotch.Reclaimed) {}})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := s.Counts(); n.Passes != 1 || n.Left == 0 || n.Dead != 1 {
			t.Errorf("%+v, want one pass that finds what was deleted and who is dead", n)
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// A service whose context has ended before it begins does nothing.
func TestService_WhoseContextHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, own := newTable(t)
		churn(t, client, 8)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s, err := Start(ctx, own, Options{Left: func(l hopscotch.Leaving) { t.Errorf("%+v leaves", l) }})
		if err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if err := s.Err(); err != nil || s.Counts() != (Counts{}) {
			t.Errorf("%v, %+v", err, s.Counts())
		}
	})
}
