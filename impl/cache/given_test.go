package cache

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// cutAtGive makes a call that goes as far as to where it gives the handle of that pool back, and reports
// whether it has come there.
func cutAtGive[H any](p *pool[H], call func()) (came bool) {
	for i := range p.slots {
		p.slots[i].home = nil // so give panics, ahead of anything that it does
	}
	defer func() {
		came = recover() != nil
		for i := range p.slots {
			s := &p.slots[i]
			s.home = p
			if i < int(p.made.Load()) {
				s.word.Store(s.word.Load() &^ slotTaken)
			}
		}
	}()
	call()
	return false
}

// What a call does with a reader's handle, and with the region, it has done when it gives the handle back:
// from then on another call may have the handle, and a Close takes the region away.
func TestGiven_ReadersAreDone(t *testing.T) {
	c, _ := timed(t, askStart, Options{Readers: 1, Writers: 1, Policy: Ageing{}, Tiers: 2})
	set(t, c, "there", "v")
	there := []byte("there")
	hits := func() uint64 { n := c.counted().TierHits; return n[0] + n[1] }
	tuned(t, c, "janitor.every", 700)
	j := byHand(c)
	own := func() uint64 { return c.counters.own.sum().Sets }
	for _, x := range []struct {
		name   string
		call   func()
		is     func() uint64 // what it does
		adds   uint64
		before func()
	}{
		{"get", func() { _, _, _ = c.getByHandle(there, nil) }, hits, 1, nil},
		{"report", j.report, own, 1, nil},
		{"stats", func() { _, _ = c.Stats() }, own, 1, func() { set(t, c, "there", "v") }},
		{"processes", func() { _, _ = c.Processes() }, own, 1, func() { set(t, c, "there", "v") }},
		{"look", j.look, func() uint64 { return uint64(j.every.Milliseconds()) }, 600, nil},
		{"tune", func() { _ = c.Tune("janitor.every", 800) },
			func() uint64 { return c.params.value(liveEvery) }, 100, nil},
	} {
		if x.before != nil {
			x.before()
		}
		was := x.is()
		if !cutAtGive(c.readers, x.call) {
			t.Errorf("%s gives no reader back", x.name)
		}
		if got := x.is() - was; got != x.adds {
			t.Errorf("%s has done %d of %d when it gives its reader back", x.name, got, x.adds)
		}
	}
}

// So it is with a writer's handle: the key has changed, what has left is counted, and the events of the call
// are no longer in the handle, where the next call would tell them.
func TestGiven_WritersAreDone(t *testing.T) {
	k, v := []byte("key"), []byte("12345678")
	for name, x := range map[string]struct {
		call   func(c *Cache)
		has    string
		counts Counts
	}{
		"set":        {func(c *Cache) { _ = c.Set(k, []byte("new")) }, "new", Counts{Replaced: 1}},
		"set a time": {func(c *Cache) { _ = c.SetTTL(k, k, time.Hour) }, "key", Counts{Replaced: 1}},
		"swap": {func(c *Cache) { _, _ = c.CompareAndSwap(k, v, []byte("new")) }, "new",
			Counts{Replaced: 1, Sets: 1}},
		"add": {func(c *Cache) { _, _ = c.Add(k, 1) }, "22345678", Counts{Replaced: 1, Sets: 1}},
		"compute": {func(c *Cache) {
			_, _, _ = c.Compute(k, func([]byte, bool) ([]byte, Op) { return []byte("new"), Write })
		}, "new", Counts{Replaced: 1, Sets: 1}},
		"expire": {func(c *Cache) { _, _ = c.Expire(k, time.Hour) }, string(v), Counts{Replaced: 1, Sets: 1}},
		"remove": {func(c *Cache) {
			_, _, _ = c.Compute(k, func([]byte, bool) ([]byte, Op) { return nil, Remove })
		}, "", Counts{Deleted: 1}},
		"delete": {func(c *Cache) { _, _ = c.Delete(k) }, "", Counts{Deleted: 1}},
	} {
		told := 0
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 1,
			OnEvent: func(Event) { told++ }})
		set(t, c, string(k), string(v))
		s, err := c.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		s.handle.used = false // as of a writer that was made for this call
		s.give(0)
		before := c.counted()
		if !cutAtGive(c.writers, func() { x.call(c) }) {
			t.Errorf("%s gives no writer back", name)
		}
		if got := c.counted().Minus(before); got != x.counts {
			t.Errorf("%s counts as %+v when it gives its writer back, want %+v", name, got, x.counts)
		}
		if n := len(s.handle.queue.events); n != 0 || told != 0 || !s.handle.used {
			t.Errorf("%s leaves %d events in its writer, and has told %d", name, n, told)
		}
		want(t, c, string(k), x.has)
	}
}

// The janitor has a handle for as long as it asks, on behalf of the region, who lives and what time it is.
func TestGiven_JanitorAsksBefore(t *testing.T) {
	path := cacheFile(t)
	other, c := open(t, path, small()), open(t, path, Options{NoJanitor: true, Readers: 1, Writers: 1})
	set(t, c, "k", "v")
	asked := map[string]int{}
	asks := func(what string) {
		if asked[what]++; c.readers.slots[0].word.Load()&slotTaken == 0 {
			t.Errorf("the janitor asks %s with no handle", what)
		}
	}
	var err error
	alive := func(hopscotch.Owner) bool { asks("who has descriptors"); return true }
	if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older,
		Alive: alive}); err != nil {
		t.Fatal(err)
	}
	now, lives := uint32(0), c.leases.Alive
	c.leases.Clock = func() uint32 { asks("the clock"); return now }
	c.leases.Alive = func(p region.Process) (bool, error) { asks("who has leases"); return lives(p) }
	if _, ok := byHand(other).lease(); !ok {
		t.Fatal("the other process has no lease: the test needs that")
	}
	j := byHand(c)
	if now = leaseClock(); j.due() {
		t.Error("both have a lease")
	}
	byHand(other).release()
	if !j.due() {
		t.Error("no lease is to be had")
	}
	for _, what := range []string{"who has descriptors", "the clock", "who has leases"} {
		if asked[what] == 0 {
			t.Errorf("the janitor has not asked %s: the test needs that", what)
		}
	}
}
