package cache

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/internal/seam"
)

// A process leaves writers to others for twenty milliseconds, also where the clock begins anew.
func TestHandover_Rests(t *testing.T) {
	for _, now := range []uint32{0, 1000, 1<<31 - 5, 1<<32 - 10, 1<<32 - 5} {
		var h handovers
		h.Clock = func() uint32 { return now }
		h.rest.Store(uint64(handover.MakeWish(now, restMost)))
		for i, want := range []bool{true, true, false} {
			if now += uint32(i) * 10; h.rests() != want { // behind 0, 10 and 30 milliseconds
				t.Errorf("%d: rests is not %v", i, want)
			}
		}
	}
}

// allWriters makes a view of one cache for each of its writers, which has it, and one view more.
func allWriters(t *testing.T) (views []*Cache, late *Cache) {
	t.Helper()
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Writers: 1}
	late = open(t, path, o)
	all, _ := late.freeWriters()
	for range all {
		c := open(t, path, o)
		set(t, c, "k", "v")
		views = append(views, c)
	}
	if _, free := late.freeWriters(); free != 0 {
		t.Fatalf("%d writers are free", free)
	}
	late.writers.bound = 0
	return views, late
}

// long lets a view have had its writer for long enough to hand it over.
func long(c *Cache) { c.writers.slots[0].handle.hold = seam.Deadline{} }

// Who has had its only writer for a while hands it over at the end of a call if another process wants one,
// and makes none for a while. Nobody else gives one up.
func TestHandover_OfOneToOne(t *testing.T) {
	views, late := allWriters(t)
	now := leaseClock()
	for _, c := range append(views, late) {
		c.handover.Clock = func() uint32 { return now }
	}
	made := func(want ...uint32) {
		t.Helper()
		for i, c := range append(views[:2:2], late) {
			if n := c.writers.made.Load(); n != want[i] {
				t.Errorf("view %d has %d writers, want %d", i, n, want[i])
			}
		}
	}
	a, b := views[0], views[1]
	sets := func(c *Cache, want error) {
		t.Helper()
		if err := c.Set([]byte("k"), []byte("v")); !errors.Is(err, want) {
			t.Errorf("set: %v, want %v", err, want)
		}
	}
	long(a)
	sets(a, nil)
	made(1, 1, 0) // nobody wants one
	sets(late, ErrBusy)
	sets(b, nil)
	made(1, 1, 0) // it has not had its own for long
	now += 11
	sets(a, nil)
	made(1, 1, 0) // nobody has said for a while that one is wanted
	sets(late, ErrBusy)
	sets(a, nil)
	made(0, 1, 0)
	long(b)
	sets(b, nil)
	made(0, 1, 0) // one is enough
	a.writers.bound = 0
	sets(a, errKept)
	now += 19
	sets(a, errKept)
	if a.handover.At.Load() != 0 {
		t.Error("who rests says that a writer is wanted")
	}
	sets(late, nil)
	made(0, 1, 1)
	now += 1
	sets(a, ErrBusy)
	sets(b, nil)
	made(0, 0, 1)
	sets(a, nil)
	made(1, 0, 1)
	if n, err := a.Stats(); err != nil || n.Sets != 5 {
		t.Errorf("%d sets are counted (%v), want 5", n.Sets, err)
	}
}

// A process with several writers gives up the last one, however short it has had it, and no other one.
func TestHandover_OfSeveral(t *testing.T) {
	c := open(t, cacheFile(t), Options{Bytes: BytesMin, NoJanitor: true, Writers: handlesMax})
	all, _ := c.freeWriters()
	for range all {
		if _, err := c.writers.take(); err != nil {
			t.Fatal(err)
		}
	}
	ends := func(at, left int) {
		t.Helper()
		c.handover.rest.Store(0)
		c.handover.Want()
		c.done(&c.writers.slots[at], 0)
		if s, err := c.writers.more(); s != nil || err != nil {
			t.Errorf("behind a call with writer %d of %d it makes one at once (%v)", at, all, err)
			if s != nil {
				s.give(0)
			}
		}
		if n := int(c.writers.made.Load()); n != left || c.handover.rests() != (left == at) ||
			c.handover.At.Load() != 0 {
			t.Errorf("behind a call with writer %d of %d %d are left; rests: %v", at, all, n,
				c.handover.rests())
		}
	}
	ends(0, all)
	for left := all - 1; left > 0; left-- {
		ends(left, left)
	}
	c.handover.rest.Store(0)
	c.handover.Want()
	s, err := c.writing()
	if err != nil {
		t.Fatal(err)
	}
	if c.done(s, 0); c.writers.made.Load() != 1 || c.handover.rests() || c.handover.At.Load() == 0 {
		t.Error("it has given up the only one, which it has not had for long, or has heard who wants one")
	}
}

// A handle is given up if it is the last one, but not while somebody makes one, nor beside a close. Then it
// is left as it was.
func TestPool_GivesUp(t *testing.T) {
	for i, x := range []struct {
		making, ended uint32
		at, left      int
		want          bool
	}{{0, 0, 1, 1, true}, {1, 0, 1, 2, false}, {0, 1, 1, 2, false}, {0, 0, 0, 2, false}} {
		p, alive := testPool(2, 2)
		a, bad := p.take()
		b, err := p.take()
		if err = errors.Join(bad, err); err != nil {
			t.Fatal(err)
		}
		if a != &p.slots[0] {
			a, b = b, a
		}
		s := []*slot[*made]{a, b}[x.at]
		p.making.Store(x.making)
		p.ended.Store(x.ended)
		if s.giveUp(slotFirst) != x.want || int(p.made.Load()) != x.left || int(alive.Load()) != x.left ||
			p.making.Load() != x.making || (s.handle == nil) != x.want || s.word.Load()&slotTaken == 0 {
			t.Errorf("%d: %d of %d handles are left, making %d, taken %v", i, alive.Load(), p.made.Load(),
				p.making.Load(), s.word.Load()&slotTaken != 0)
		}
		if first, _ := p.counts(); (first == 1) != x.want {
			t.Errorf("%d: %d calls are counted", i, first)
		}
	}
}

// More processes change a cache all the time than there are writers: none is refused, and each of them has a
// writer again and again.
func TestHandover_MoreThanWritersAllTheTime(t *testing.T) {
	views, late := allWriters(t)
	views = append(views, late)
	for range late.store.Layout().Writers {
		views = append(views, open(t, late.File(), Options{NoJanitor: true, Writers: 1}))
	}
	var lost sync.WaitGroup // of the processes that have given a writer up
	var wrong sync.Map
	stop := make(chan struct{})
	for i, c := range views {
		c.writers.bound = time.Hour
		lost.Add(1)
		go func() {
			times, had := 0, c.writers.made.Load()
			for n := 0; ; n++ {
				if err := c.Set(fmt.Append(nil, i, n%10), []byte("v")); err != nil {
					wrong.Store(i, err)
				}
				if has := c.writers.made.Load(); has != had {
					if had = has; has == 0 {
						if times++; times == 3 {
							lost.Done()
						}
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	lost.Wait()
	close(stop)
	wrong.Range(func(i, err any) bool { t.Errorf("process %v: %v", i, err); return true })
}

// A process leaves writers to others for twenty milliseconds; a word that says more than that is damage.
func TestHandover_RestsNotForLonger(t *testing.T) {
	const now, bit = 1000, 1 << 32
	var h handovers
	h.Clock = func() uint32 { return now }
	for word, want := range map[uint64]bool{0: false, bit | now: false, bit | (now + 1): true,
		bit | (now + 20): true, bit | (now + 21): false, bit | (now + 50): false, now + 5: false, 1: false} {
		if h.rest.Store(word); h.rests() != want {
			t.Errorf("the word %x: rests is not %v", word, want)
		}
	}
}

// A writer is wanted for ten milliseconds, by the word of the region.
func TestHandover_WantsForTenMilliseconds(t *testing.T) {
	c := open(t, cacheFile(t), Options{Bytes: BytesMin, NoJanitor: true})
	now := uint32(1000)
	c.handover.Clock = func() uint32 { return now }
	c.handover.Want()
	own, err := c.region.Section(Engine, SectionClock)
	if err != nil || own[1].Load() != 1<<32|1010 {
		t.Errorf("the word is %x (%v)", own[1].Load(), err)
	}
	for later, want := range map[uint32]bool{9: true, 10: false} {
		if now = 1000; !c.handover.Want() {
			t.Error("nobody has said that one is wanted")
		}
		if now += later; c.handover.Hear(c.handover.Look()) != want {
			t.Errorf("%d ms later: heard is not %v", later, want)
		}
	}
}

// The only writer of a process is given up when it has been had for fifty milliseconds, and not a nanosecond
// earlier.
func TestHandover_HoldsItsWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, x := range []struct {
			held time.Duration
			gone bool
		}{{0, false}, {holdTime - 1, false}, {holdTime, true}, {holdTime + 1, true}} {
			c := open(t, "", small())
			c.handover.Clock = func() uint32 { return 1000 }
			set(t, c, "k", "v")
			if left := c.writers.slots[0].handle.hold.Left(); left != 50*time.Millisecond {
				t.Errorf("a new writer is held for %v", left)
			}
			time.Sleep(x.held)
			c.handover.Want()
			set(t, c, "k", "w")
			if gone := c.writers.made.Load() == 0; gone != x.gone {
				t.Errorf("held for %v, the writer is gone: %v", x.held, gone)
			}
		}
	})
}

// Who has found too few writers counts them again ten milliseconds later, and not a nanosecond earlier.
func TestShare_CountsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := cacheFile(t)
		other := open(t, path, Options{Bytes: 4 << 20, NoJanitor: true, Writers: handlesMax})
		all, _ := other.freeWriters()
		for _, x := range []struct {
			later time.Duration
			kept  bool
		}{{0, true}, {keptFor - 1, true}, {keptFor, false}, {keptFor + 1, false}} {
			c := open(t, path, Options{NoJanitor: true})
			hoard(t, other, all)
			if w, err := c.newWriter(1); w != nil || !errors.Is(err, errKept) {
				t.Fatal(w, err)
			}
			if left := c.look.Left(); left != 10*time.Millisecond {
				t.Errorf("the next look is %v later", left)
			}
			for range all {
				if err := other.writers.shrink(0); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(x.later)
			w, err := c.newWriter(1)
			if kept := errors.Is(err, errKept); kept != x.kept || kept == (w != nil) {
				t.Errorf("%v later: %v", x.later, err)
			}
			if w != nil {
				if err := endWriter(w); err != nil {
					t.Error(err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
