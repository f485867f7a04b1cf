package cache

import (
	"slices"
	"testing"
	"time"
)

// byHand is the janitor of a cache that has none, whose turns the test makes.
func byHand(c *Cache) *janitor { return &janitor{Cache: c, every: tickEvery} }

// due makes a turn in which everything is due, and reports whether the process has a lease behind it.
func (j *janitor) due() bool {
	j.settled = time.Time{}
	j.turn(time.Now())
	return slices.Contains(j.leases.Owners(), j.leases.Me)
}

// A turn ends after so many records as the parameter says, and the next ones go on until the reserve is
// there. Without a lease nothing is done.
func TestJanitor_WorkOfATurnIsBounded(t *testing.T) {
	c := open(t, cacheFile(t), Options{Bytes: 2 << 20, BasketBytes: 16 << 10, NoJanitor: true, Writers: 1})
	for i := range 50000 {
		if err := c.Set(key(i), make([]byte, 200)); err != nil {
			t.Fatal(err)
		}
	}
	walked := func() (n uint64) { // records that left: nothing of them was used
		s, err := c.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return s.Evicted
	}
	j := byHand(c)
	const reserve = 50
	tuned(t, c, "janitor.reserve", reserve)
	tuned(t, c, "janitor.run", 0)
	before := walked()
	if j.due() || walked() != before {
		t.Errorf("without a lease %d records were walked over", walked()-before)
	}
	tuned(t, c, "janitor.run", 1)
	turns := []uint64{64, 256, 1024}
	for n := range uint64(15) {
		turns = append(turns, 65+n) // a portion, and one of fewer records
	}
	for _, most := range turns {
		tuned(t, c, "janitor.records", most)
		before := walked()
		if n := walked; !j.due() || n()-before == 0 || n()-before > most {
			t.Errorf("a turn of %d records has walked over %d", most, n()-before)
		}
	}
	tuned(t, c, "janitor.records", recordsMost)
	j.due()
	s, err := c.Stats()
	if err != nil || s.FreeBaskets < reserve {
		t.Errorf("%d baskets are free, %v; want %d", s.FreeBaskets, err, reserve)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// The janitor of a process that does not write gives its lease up at the end of its turn, so that one of a
// process that does, and can make room, has it. That one keeps it.
func TestJanitor_WhoReadsKeepsNoLease(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: 1 << 20, NoJanitor: true}
	reads, writes := byHand(open(t, path, o)), byHand(open(t, path, o))
	set(t, writes.Cache, "k", "v")
	want(t, reads.Cache, "k", "v")
	if reads.due() {
		t.Error("a process that only reads keeps the lease")
	}
	if !writes.due() {
		t.Error("a process that writes has no lease")
	}
	if reads.due() || len(writes.leases.Owners()) != 1 {
		t.Errorf("the lease was taken from one who lives: %v", writes.leases.Owners())
	}
}

// An owner that has stood still for ten turns, and for a second at least, loses its lease, and no earlier.
func TestJanitor_OwnerStandsStill(t *testing.T) {
	path := cacheFile(t)
	owner, next := byHand(open(t, path, small())), byHand(open(t, path, small()))
	now := uint32(7000)
	for _, j := range []*janitor{owner, next} {
		j.leases.Clock = func() uint32 { return now }
	}
	for _, x := range []struct {
		every time.Duration
		still uint32 // milliseconds
	}{{10 * time.Millisecond, 1000}, {100 * time.Millisecond, 1000}, {500 * time.Millisecond, 5000}} {
		next.every = x.every
		if _, ok := owner.lease(); !ok {
			t.Fatal("nobody has the lease, and none is to be had")
		}
		now += x.still
		if _, ok := next.lease(); ok {
			t.Errorf("a turn each %v: taken over after %d ms", x.every, x.still)
		}
		now++
		if _, ok := next.lease(); !ok {
			t.Errorf("a turn each %v: not taken over after %d ms", x.every, x.still+1)
		}
		next.leases.Leave()
	}
}

// A turn ends as soon as the process has no lease any more, whatever it might still do.
func TestJanitor_EndsWithItsLease(t *testing.T) {
	var c *Cache
	told, ends := 0, false
	c = open(t, cacheFile(t), Options{Bytes: 2 << 20, BasketBytes: 16 << 10, NoJanitor: true, Writers: 1,
		OnEvent: func(Event) {
			if told++; ends {
				tuned(t, c, "janitor.run", 0)
			}
		}})
	for i := range 20_000 {
		if err := c.Set(key(i), make([]byte, 200)); err != nil {
			t.Fatal(err)
		}
	}
	tuned(t, c, "janitor.reserve", live(t, c, "janitor.reserve").Most)
	j := byHand(c)
	for _, ends = range []bool{true, false} {
		tuned(t, c, "janitor.run", 1)
		told = 0
		if has := j.due(); told == 0 || (told <= tendRecords) != ends || has == ends {
			t.Errorf("its lease ends: %v; a turn has taken %d entries out, and has one behind it: %v", ends,
				told, has)
		}
	}
}

// The age of any tier makes the janitor of a process that only reads work, also that of the last tier alone.
func TestJanitor_AgesOfTheLastTier(t *testing.T) {
	clock := new(testClock)
	clock.ms.Store(askStart)
	path := cacheFile(t)
	o := Options{Bytes: 1 << 20, BasketBytes: 16 << 10, NoJanitor: true, Tiers: 2, Clock: clock.now}
	wrote := open(t, path, o)
	for i := 0; wrote.counted().Evicted == 0; i++ { // so the last tier is full
		if err := wrote.Set(key(i), make([]byte, 200)); err != nil {
			t.Fatal(err)
		}
	}
	if err := wrote.Close(); err != nil {
		t.Fatal(err)
	}
	j := byHand(open(t, path, o))
	if j.due() {
		t.Fatal("a process that only reads keeps the lease: the test needs that it does not")
	}
	tuned(t, j.Cache, "tier.1.age", 1000)
	clock.ms.Add(2000)
	before := j.Len()
	if has := j.due(); !has || j.Len() > before*9/10 {
		t.Errorf("behind a turn %d of %d entries are left; the process has a lease: %v", j.Len(), before, has)
	}
}
