package service

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

const cells = 64

// newTable makes a table, with a handle of its client and one for the service. Only owner 9 is dead.
func newTable(t *testing.T) (*hopscotch.Table, *hopscotch.Handle, *hopscotch.Handle) {
	t.Helper()
	return newTableWith(t, cells, 1, func(o hopscotch.Owner) bool { return o.Number() != 9 })
}

// newTableWith makes a table, with a handle of that number and one for the service. alive answers for
// the owners.
func newTableWith(t *testing.T, cells uint32, number uint64,
	alive func(hopscotch.Owner) bool) (table *hopscotch.Table, other, own *hopscotch.Handle) {
	t.Helper()
	r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: cells, Window: 8, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	if table, err = hopscotch.NewWith(r, hopscotch.Options{Alive: alive}); err != nil {
		t.Fatal(err)
	}
	if other, err = table.NewHandle(number); err != nil {
		t.Fatal(err)
	}
	if own, err = table.NewHandle(2); err != nil {
		t.Fatal(err)
	}
	return table, other, own
}

// churn adds n elements and deletes them.
func churn(t *testing.T, h *hopscotch.Handle, n uint32) {
	t.Helper()
	for key := uint32(1); key <= n; key++ {
		if r, err := h.Add(key, key+100); r != hopscotch.Added || err != nil {
			t.Fatal(r, err)
		}
		if ok, err := h.Delete(key); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

func TestService_ReclaimsWhatIsDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		churn(t, client, 40)
		lost := hopscotch.Measure(table).Lost
		if lost < 10 {
			t.Fatalf("only %d cells are lost", lost)
		}
		values := map[uint32]bool{}
		s, err := Start(t.Context(), own, Options{Buckets: 16, Left: func(l hopscotch.Leaving) {
			if values[l.Value] || l.Reason != hopscotch.ReasonDeleted {
				t.Errorf("%v is handed over again", l)
			}
			values[l.Value] = true
		}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := hopscotch.Measure(table); n.Lost != 0 || len(values) != lost {
			t.Errorf("%d lost of %d, %d handed over", n.Lost, lost, len(values))
		}
		if err := s.Err(); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}
		n := s.Counts()
		if n.Left != uint64(lost) || n.Passes == 0 || n.Buckets/(2*cells) != n.Passes || n.Dead != 0 {
			t.Errorf("%+v", n)
		}
		if err := own.Close(); err != nil {
			t.Error(err)
		}
	})
}

// An idle service works ever less often; one that finds something works at once again.
func TestService_PausesAsTheTableAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, own := newTable(t)
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells, Pause: time.Millisecond,
			Idle: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		idle := s.Counts().Passes
		if idle < 3590 || idle > 3620 {
			t.Errorf("%d passes in an idle hour, want one a second", idle)
		}
		churn(t, client, 8)
		time.Sleep(time.Second + time.Millisecond)
		synctest.Wait()
		if n := s.Counts(); n.Left == 0 || n.Passes < idle+2 {
			t.Errorf("%+v after %d passes", n, idle)
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// A service that sleeps for long is woken by deletes, and passes over the table at once: in a bit of
// work after the other, not in one a sleep.
func TestService_IsWokenByDeletes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		s, err := Start(t.Context(), own, Options{Buckets: 4, Idle: 10 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Minute)
		churn(t, client, 60)
		lost := hopscotch.Measure(table).Lost
		time.Sleep(time.Minute)
		if n := hopscotch.Measure(table); lost == 0 || n.Lost != lost {
			t.Errorf("%d of %d are left although nobody has rung", n.Lost, lost)
		}
		churn(t, client, 4)
		time.Sleep(time.Second)
		synctest.Wait()
		if n := hopscotch.Measure(table); n.Lost != 0 {
			t.Errorf("%d of %d are left a second after the 64th delete", n.Lost, lost)
		}
		// One cell to reclaim, of two at least one where the next bit of work does not come to.
		for key := uint32(1); key <= 2; key++ {
			time.Sleep(30 * time.Minute)
			for range 64 {
				if _, err := client.Add(key, 5); err != nil {
					t.Fatal(err)
				}
				if ok, err := client.Delete(key); !ok || err != nil {
					t.Fatal(ok, err)
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if n := hopscotch.Measure(table); n.Lost != 0 {
				t.Errorf("%d are left of key %d a second after the 64th delete: not a whole pass", n.Lost,
					key)
			}
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// However often it is rung for, a service works once a pause.
func TestService_HasItsPauseHoweverOftenItIsRungFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, _, own := newTable(t)
		const pause, rings = 100 * time.Millisecond, 10_000
		s, err := Start(t.Context(), own, Options{Buckets: 2 * cells, Pause: pause, Idle: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		for range rings {
			time.Sleep(time.Millisecond)
			table.Region().Ring()
		}
		synctest.Wait()
		if n, most := s.Counts().Passes, uint64(rings*time.Millisecond/pause); n > most+1 || n < most/4 {
			t.Errorf("%d passes, want about one in %v of %v", n, pause, rings*time.Millisecond)
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

// While the receiver is slow nothing more is reclaimed.
func TestService_WaitsForItsReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		churn(t, client, 40)
		lost := hopscotch.Measure(table).Lost
		next := make(chan struct{})
		s, err := Start(t.Context(), own, Options{Buckets: 1, Left: func(hopscotch.Leaving) { <-next }})
		if err != nil {
			t.Fatal(err)
		}
		for taken := range 5 {
			time.Sleep(time.Hour)
			synctest.Wait()
			// What the service has in hand is at most what one bucket had.
			if n := hopscotch.Measure(table).Lost; n > lost-taken || n < lost-taken-8 {
				t.Errorf("%d lost after %d of %d were taken", n, taken, lost)
			}
			next <- struct{}{}
		}
		close(next)
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestService_TakesBackWhatTheDeadLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, client, own := newTable(t)
		dead, err := table.NewHandle(9)
		if err != nil {
			t.Fatal(err)
		}
		churn(t, client, 4)
		second, err := table.NewHandle(9)
		if err != nil {
			t.Fatal(err)
		}
		var got []hopscotch.Reclaimed
		s, err := Start(t.Context(), own, Options{
			Dead: func(x hopscotch.Reclaimed) { got = append(got, x) }})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if len(got) != 2 || got[0].Descriptor != dead.Descriptor() || s.Counts().Dead != 2 ||
			got[1].Descriptor != second.Descriptor() {
			t.Errorf("%v", got)
		}
	})
}

func TestService_EndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, own := newTable(t)
		ctx, cancel := context.WithCancel(t.Context())
		s, err := Start(ctx, own, Options{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		<-s.Done()
		if err := s.Err(); err != nil {
			t.Error(err)
		}
	})
}

func TestService_EndsWithAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, own := newTable(t)
		if err := own.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := Start(t.Context(), own, Options{})
		if err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if err := s.Stop(); !errors.Is(err, hopscotch.ErrClosed) || !errors.Is(s.Err(), hopscotch.ErrClosed) {
			t.Errorf("%v, %v", err, s.Err())
		}
		if n := s.Counts(); n != (Counts{}) {
			t.Errorf("%+v, and nothing was done", n)
		}
	})
}

// What could be taken back is told, also when something could not, which ends the service.
func TestService_TellsTheDeadAndThenTheDamage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table, _, own := newTable(t)
		var dead [2]*hopscotch.Handle
		for i := range dead {
			var err error
			if dead[i], err = table.NewHandle(9); err != nil {
				t.Fatal(err)
			}
		}
		words, err := table.Region().Section(hopscotch.Engine, hopscotch.SectionDescriptors)
		if err != nil {
			t.Fatal(err)
		}
		words[dead[0].Descriptor()*hopscotch.DescriptorWords].Store(1 << 63)
		var got []uint32
		s, err := Start(t.Context(), own, Options{
			Dead: func(x hopscotch.Reclaimed) { got = append(got, x.Descriptor) }})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if err := s.Err(); !errors.Is(err, hopscotch.ErrCorrupt) {
			t.Error(err)
		}
		if len(got) != 1 || got[0] != dead[1].Descriptor() || s.Counts().Dead != 1 {
			t.Errorf("descriptors %v are taken back, %+v", got, s.Counts())
		}
		if err := s.Stop(); !errors.Is(err, hopscotch.ErrCorrupt) {
			t.Error(err)
		}
	})
}

// A service that is stopped in a pause, or just before it falls asleep, does not wait for the end of that.
func TestService_StopsInItsPauses(t *testing.T) {
	const long = time.Hour
	synctest.Test(t, func(t *testing.T) {
		_, client, own := newTable(t)
		churn(t, client, 40)
		s, err := Start(t.Context(), own, Options{Pause: long})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		begun := time.Now()
		if err := s.Stop(); err != nil || s.Counts().Left == 0 {
			t.Errorf("%v, %+v", err, s.Counts())
		}
		if d := time.Since(begun); d > long/2 {
			t.Errorf("in a pause after work Stop took %v", d)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		asked := false
		_, _, own := newTableWith(t, cells, 3, func(hopscotch.Owner) bool {
			asked = true
			cancel()
			synctest.Wait() // whoever rings because of that has rung
			return true
		})
		begun := time.Now()
		s, err := Start(ctx, own, Options{Buckets: 2 * cells, Pause: long,
			Dead: func(hopscotch.Reclaimed) { t.Error("nobody is dead") }})
		if err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if d := time.Since(begun); d > long/2 || !asked {
			t.Errorf("stopped before it fell asleep, it slept for %v", d)
		}
	})
}

func TestStart_RefusesBadOptions(t *testing.T) {
	_, _, own := newTable(t)
	for _, o := range []Options{{Buckets: -1}, {Pause: -1}, {Pause: 2, Idle: 1}} {
		if _, err := Start(t.Context(), own, o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Start(t.Context(), nil, Options{}); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
	s, err := Start(t.Context(), own, Options{Pause: 2 * DefaultIdle}) // and as long when it is idle
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// TestService_StopsInAPass: however much is cropped at a time, it is a pass over the table at most.
func TestService_StopsInAPass(t *testing.T) {
	for _, buckets := range []int{2*cells + 1, math.MaxInt32, math.MaxInt} {
		synctest.Test(t, func(t *testing.T) {
			_, _, own := newTable(t)
			s, err := Start(t.Context(), own, Options{Buckets: buckets})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got, want := s.Counts(), (Counts{Buckets: 2 * cells, Passes: 1}); got != want {
				t.Errorf("%d buckets at a time: %+v after the first, want %+v", buckets, got, want)
			}
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A receiver that ends the service's goroutine ends the service, which says so.
func TestService_WhoseReceiverDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, own := newTable(t)
		churn(t, client, 40)
		s, err := Start(t.Context(), own, Options{Left: func(hopscotch.Leaving) { runtime.Goexit() }})
		if err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		const want = "(runtime.Goexit); return from Left and Dead"
		if err := s.Err(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("ended with %v", err)
		}
	})
}
