package cache

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// A janitor has one turn each time that janitor.every says, from the next look at the live parameters on.
func TestJanitor_OneTurnAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "", Options{Bytes: 1 << 20})
		before := uint64(0)
		for _, every := range []time.Duration{tickEvery, 700 * time.Millisecond, 5 * time.Millisecond} {
			tuned(t, c, "janitor.every", uint64(every.Milliseconds()))
			time.Sleep(lookEvery + every/2) // it has looked, and sleeps
			before = c.turns.Load()
			time.Sleep(10 * every)
			if n := c.turns.Load() - before; n != 10 {
				t.Errorf("%d turns in %v, one each %v", n, 10*every, every)
			}
		}
	})
}

// The clock of a process begins at the reading of both clocks that took the least time, when none of them
// took as little as it should: at the end of that time.
func TestClock_NearestReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const nearest = 40
		reads, ended := 0, time.Time{}
		k := clock{host: func() (time.Duration, bool) {
			if reads++; reads == nearest {
				time.Sleep(2 * readNear)
				ended = time.Now()
			} else {
				time.Sleep(time.Millisecond)
			}
			return time.Duration(reads) * time.Hour, true
		}}
		since, ok := k.read()
		if !ok || since != nearest*time.Hour || !k.begun.Equal(ended) || reads != readTries ||
			k.near != 2*readNear {
			t.Errorf("reading %v of %d: %v at %v within %v, want number %d at %v", ok, reads, since, k.begun,
				k.near, nearest, ended)
		}
	})
}

// A janitor does each of its chores for the first time as long after its begin as it does it again: it has a
// turn when that is due, settles what the dead have left a second after the begin, and gives the first idle
// handles up after five.
func TestJanitor_FirstTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "", Options{Bytes: 4 << 20, NoJanitor: true, Readers: 3})
		var settles atomic.Int32
		var err error
		if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older,
			Alive: func(hopscotch.Owner) bool { settles.Add(1); return true }}); err != nil {
			t.Fatal(err)
		}
		var readers []*slot[*reader]
		for range 3 {
			s, err := c.readers.take()
			if err != nil {
				t.Fatal(err)
			}
			readers = append(readers, s)
		}
		for _, s := range readers {
			s.give(0)
		}
		begin := time.Now()
		stop := c.startJanitor()
		for _, x := range []struct {
			after   time.Duration // the begin
			turned  bool
			settled bool
			readers uint32
		}{{tickEvery / 2, false, false, 3}, {tickEvery * 3 / 2, true, false, 3},
			{settleEvery * 9 / 10, true, false, 3}, {settleEvery * 3 / 2, true, true, 3},
			{idleEvery * 9 / 10, true, true, 3}, {idleEvery * 3 / 2, true, true, 2},
			{idleEvery * 5 / 2, true, true, 1}} {
			time.Sleep(time.Until(begin.Add(x.after)))
			n, asked, left := c.turns.Load(), settles.Load(), c.readers.made.Load()
			if (n > 0) != x.turned || (asked > 0) != x.settled || left != x.readers {
				t.Errorf("%v behind the begin: %d turns, settled %d times, %d readers", x.after, n, asked,
					left)
			}
		}
		close(stop)
	})
}

// A janitor that comes once more behind the close of its cache does nothing: each chore sees that there is no
// handle any more, and no lease.
func TestJanitor_OfAClosedCache(t *testing.T) {
	c, err := Open(cacheFile(t), small())
	if err != nil {
		t.Fatal(err)
	}
	set(t, c, "k", "v")
	j := byHand(c)
	j.every = 7 * time.Second
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	before := c.counted()
	j.look()
	j.report()
	if records, ok := j.lease(); records != 0 || ok {
		t.Errorf("a lease of %d records, %v", records, ok)
	}
	j.release()
	j.tend(100)
	j.settle()
	j.turn(time.Now())
	if j.every != 7*time.Second || c.counted() != before || j.turns.Load() != 1 {
		t.Errorf("a turn each %v, counted %+v, %d turns", j.every, c.counted(), j.turns.Load())
	}
}

// The first reading of both clocks that took little time counts, and there is no further one.
func TestClock_NearReadingWillDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for far := range 3 {
			reads, ended := 0, time.Time{}
			k := clock{host: func() (time.Duration, bool) {
				if reads++; reads <= far {
					time.Sleep(readNear)
				} else {
					time.Sleep(readNear - 1)
				}
				ended = time.Now()
				return time.Duration(reads) * time.Hour, true
			}}
			since, ok := k.read()
			if want := far + 1; !ok || reads != want || since != time.Duration(want)*time.Hour ||
				!k.begun.Equal(ended) || k.near != readNear-1 {
				t.Errorf("behind %d readings that took long: %d in all, %v at %v", far, reads, since, k.begun)
			}
		}
	})
}

// byTime is a janitor whose turns the test makes, with a process that lives beside it, and how often it has
// settled what the dead have left.
func byTime(t *testing.T) (j *janitor, settled *atomic.Int32) {
	t.Helper()
	settled = new(atomic.Int32)
	path := cacheFile(t)
	other := open(t, path, Options{Bytes: 4 << 20, NoJanitor: true})
	c := open(t, path, Options{NoJanitor: true, Readers: 4, Writers: 4})
	set(t, other, "k", "v")
	var err error
	if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older,
		Alive: func(o hopscotch.Owner) bool { settled.Add(1); return true }}); err != nil {
		t.Fatal(err)
	}
	return byHand(c), settled
}

// A janitor does a chore again when as much time has passed since the last time as there is to be between
// two, and not a nanosecond earlier: it settles each second, and gives one idle handle of a kind up each five
// seconds. A turn in which it has no lease settles nothing, and the next one that has it does.
func TestJanitor_ChoresAgain(t *testing.T) {
	j, settled := byTime(t)
	hoard(t, j.Cache, 4)
	var readers []*slot[*reader]
	for range 4 {
		s, err := j.readers.take()
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, s)
	}
	for _, s := range readers {
		s.give(0)
	}
	begin := time.Unix(1_000_000, 0)
	j.settled, j.idle = begin, begin
	turn := func(after time.Duration, settles bool, handles uint32) {
		t.Helper()
		before := settled.Load()
		j.turn(begin.Add(after))
		if did := settled.Load() != before; did != settles {
			t.Errorf("%v behind the begin it has settled: %v", after, did)
		}
		if r, w := j.readers.made.Load(), j.writers.made.Load(); r != handles || w != handles {
			t.Errorf("%v behind the begin %d readers and %d writers are left, want %d", after, r, w, handles)
		}
	}
	const ns = time.Nanosecond
	turn(0, false, 4)
	turn(time.Second-ns, false, 4)
	turn(time.Second, true, 4)
	turn(2*time.Second-ns, false, 4)
	turn(2*time.Second+500*time.Millisecond, true, 4)
	turn(3*time.Second+500*time.Millisecond-ns, false, 4)
	turn(3*time.Second+500*time.Millisecond, true, 4)
	j.leases.Leave()
	tuned(t, j.Cache, "janitor.run", 1)
	other := byHand(open(t, j.File(), Options{NoJanitor: true}))
	if _, ok := other.lease(); !ok {
		t.Fatal("another process has no lease: the test needs that")
	}
	turn(5*time.Second-ns, false, 4)
	turn(5*time.Second, false, 3)
	other.release()
	turn(5*time.Second, true, 3)
	turn(6*time.Second-ns, false, 3)
	turn(10*time.Second-ns, true, 3)
	turn(10*time.Second, false, 2)
	turn(15*time.Second, true, 1)
	turn(30*time.Second, true, 1)
	if n := j.turns.Load(); n != 15 {
		t.Errorf("%d turns are counted, want 15", n)
	}
}

// A janitor that can have no reader does nothing in its turns, and gives no writer up.
func TestJanitor_WithoutAReader(t *testing.T) {
	j, settled := byTime(t)
	all, _ := j.freeWriters()
	set(t, j.Cache, "k", "v")
	if _, ok := j.lease(); !ok {
		t.Fatal("no lease")
	}
	tuned(t, j.Cache, "janitor.every", 700)
	others := open(t, j.File(), Options{NoJanitor: true, Writers: handlesMax})
	hoard(t, others, all-2) // and one for each of the other two
	if !j.scarce() {
		t.Fatal("a writer is free: the test needs that there is none")
	}
	if err := j.readers.shrink(0); err != nil || j.readers.made.Load() != 0 {
		t.Fatal(err)
	}
	create := j.readers.create
	j.readers.create = func(int) (*reader, error) { return nil, ErrClosed }
	every, before, stored := j.every, settled.Load(), j.counters.own.sum()
	j.look()
	j.report()
	if records, ok := j.lease(); records != 0 || ok {
		t.Errorf("a lease of %d records, %v", records, ok)
	}
	if j.scarce() {
		t.Error("it knows that there is no writer")
	}
	j.share()
	j.release()
	j.settle()
	j.turn(time.Now())
	if j.every != every || settled.Load() != before || j.counters.own.sum() != stored ||
		j.writers.made.Load() != 1 || len(j.leases.Owners()) != 1 {
		t.Errorf("a turn each %v, settled %d times, counts %+v, %d writers, leases of %v", j.every,
			settled.Load()-before, j.counters.own.sum(), j.writers.made.Load(), j.leases.Owners())
	}
	j.readers.create = create
}

// Each look of a janitor gives its reader back, whatever it finds: no writer of its own, one that is free,
// none that is free, nobody else.
func TestJanitor_GivesItsReaderBack(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Readers: 1, Writers: handlesMax}
	j := byHand(open(t, path, o))
	all, _ := j.freeWriters()
	looks := func(what string, scarce bool) {
		t.Helper()
		if j.scarce() != scarce {
			t.Errorf("%s: writers are scarce: %v", what, !scarce)
		}
		nothingTaken(t, j.Cache, what)
	}
	looks("no writer of its own", false)
	hoard(t, j.Cache, all)
	looks("nobody else", false)
	other := open(t, path, o)
	looks("none that is free", true)
	for range 2 { // of which the last one goes only if it was not used since the look before
		if err := j.writers.shrink(1); err != nil {
			t.Fatal(err)
		}
	}
	looks("two that are free", false)
	set(t, other, "k", "v")
	looks("one that is free", false)
	hoard(t, other, 2)
	looks("none that is free again", true)
	for name, chore := range map[string]func(){"look": j.look, "report": j.report, "share": j.share,
		"lease": func() { _, _ = j.lease() }, "release": j.release, "settle": j.settle,
		"tend": func() { j.tend(1) }, "turn": func() { j.turn(time.Now()) }} {
		chore()
		nothingTaken(t, j.Cache, name)
	}
}

// A janitor whose work meets damage gives its writer back, so calls get it.
func TestJanitor_GivesItsWriterBack(t *testing.T) {
	c := damagedRecords(t)
	if _, err := c.writers.slots[0].handle.Tend(1); !errors.Is(err, basket.ErrCorrupt) {
		t.Fatalf("tend beside damaged records: %v: the test needs an error", err)
	}
	byHand(c).tend(100)
	if s := &c.writers.slots[0]; s.word.Load()&slotTaken != 0 {
		t.Error("a janitor that meets damage keeps its writer")
		s.give(0) // else the close would wait for it
	}
}

// What a janitor settles for the dead it tells at once, and not when a later call comes by.
func TestJanitor_TellsWhatItSettles(t *testing.T) {
	path := cacheFile(t)
	died, err := Open(path, small())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = died.Close() }() // whose handles others have taken over
	var told []Event
	c := open(t, path, Options{NoJanitor: true, OnEvent: func(e Event) { told = append(told, e) }})
	set(t, died, "k", "v")
	s, err := died.writers.take()
	if err != nil {
		t.Fatal(err)
	}
	defer s.give(0)
	ticket, ok, err := s.handle.index.Ticket(died.hasher.of([]byte("k")))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if ok, err := s.handle.index.CompareAndDelete(ticket); !ok || err != nil { // it dies before it tells that
		t.Fatal(ok, err)
	}
	if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older,
		Alive: func(o hopscotch.Owner) bool { return o.Process() != died.region.Process() }}); err != nil {
		t.Fatal(err)
	}
	c.settle()
	if len(told) != 1 || told[0].Reason != Dead || string(told[0].Key) != "k" ||
		string(told[0].Value) != "v" {
		t.Errorf("behind the settling %v is told", told)
	}
	nothingTaken(t, c, "a janitor that settles")
}
