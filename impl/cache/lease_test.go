package cache

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
)

// crew are the janitors of some processes that share one section of leases, without the processes.
type crew struct {
	words region.Words
	dead  map[region.Process]bool
	asked error // what the system says instead of an answer
}

func newCrew() *crew {
	return &crew{words: make(region.Words, janitorsMost), dead: map[region.Process]bool{}}
}

func (x *crew) alive(p region.Process) (bool, error) { return !x.dead[p], x.asked }

func (x *crew) member(n uint32) *leases { return &leases{x.words, region.MakeProcess(n, 7), x.alive} }

// owners are who has a lease.
func (x *crew) owners() []region.Process { return x.member(0).owners() }

const still = 1000 // milliseconds

// A lease stays with its owner as long as he renews it. Only so many are out as there may be, and one that
// there may not be any more is given up.
func TestLease_BoundsHowMany(t *testing.T) {
	x := newCrew()
	a, b, c := x.member(1), x.member(2), x.member(3)
	steps := []struct {
		who  *leases
		run  int
		has  bool
		outs int
	}{
		{a, 0, false, 0}, {a, 1, true, 1}, {b, 1, false, 1}, {a, 1, true, 1}, {b, 2, true, 2},
		{c, 2, false, 2}, {a, 2, true, 2}, {b, 1, false, 1}, {b, 1, false, 1}, {c, 3, true, 2},
		{b, 3, true, 3}, {a, 0, false, 2}, {b, 0, false, 1}, {c, 0, false, 0}, {c, 1, true, 1},
		{c, 1000, true, 1},
	}
	for now, s := range steps {
		if has := s.who.hold(s.run, uint32(now*100), still); has != s.has || len(x.owners()) != s.outs {
			t.Errorf("step %d: %v, owners %v; want %v, and %d", now, has, x.owners(), s.has, s.outs)
		}
	}
	c.leave()
	a.leave()
	if len(x.owners()) != 0 {
		t.Errorf("owners %v, want none", x.owners())
	}
	heap := &leases{x.words, 0, x.alive}
	if !heap.hold(1, 0, still) || heap.hold(0, 0, still) || len(x.owners()) != 0 {
		t.Errorf("on the heap there is nobody to share with: owners %v", x.owners())
	}
}

// Whoever meets the lease of one who has died has it at once; of one who stands still, after a while, also
// where the clock wraps. If the system does not say who is dead, nobody counts as such. Who stood still, and
// goes on, finds that he has none.
func TestLease_IsTakenOver(t *testing.T) {
	for _, from := range []uint32{0, 1 << 31, 1<<32 - 500} {
		x := newCrew()
		a, b, c := x.member(1), x.member(2), x.member(3)
		if !a.hold(1, from, still) || b.hold(1, from+still, still) {
			t.Fatalf("from %d: owners %v", from, x.owners())
		}
		x.dead[a.me] = true
		if x.asked = errors.New("no answer"); b.hold(1, from+still, still) {
			t.Errorf("from %d: taken from one who may live", from)
		}
		if x.asked = nil; !b.hold(1, from+still, still) || c.hold(1, from+still, still) {
			t.Errorf("from %d: behind a death the owners are %v", from, x.owners())
		}
		if !c.hold(1, from+2*still+1, still) || b.hold(1, from+2*still+2, still) {
			t.Errorf("from %d: behind a pause the owners are %v", from, x.owners())
		}
		if owners := x.owners(); !slices.Equal(owners, []region.Process{c.me}) {
			t.Errorf("from %d: owners %v", from, owners)
		}
	}
}

// Whatever somebody writes over the leases, a janitor has one again after a while.
func TestLease_Damaged(t *testing.T) {
	x := newCrew()
	a := x.member(1)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 10000 {
		for i := range x.words {
			x.words[i].Store(r.Uint64())
		}
		now := uint32(n * 100)
		if !a.hold(1, now, still) && !a.hold(1, now+2*still, still) {
			t.Fatalf("%v: no lease", leaseRead(&x.words[0]))
		}
	}
}

// byHand is the janitor of a cache that has none, whose turns the test makes.
func byHand(c *Cache) *janitor { return &janitor{Cache: c, every: tickEvery} }

// due makes a turn in which everything is due, and reports whether the process has a lease behind it.
func (j *janitor) due() bool {
	j.settled = time.Time{}
	j.turn(time.Now())
	for i := range j.leases.words {
		if leaseRead(&j.leases.words[i]).owner() == j.leases.me {
			return true
		}
	}
	return false
}

// A turn ends after so many records as the parameter says, give or take a portion, and the next ones go on
// until the reserve is there. Without a lease nothing is done.
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
	tuned(t, c, "janitor.reserve", 30)
	tuned(t, c, "janitor.run", 0)
	before := walked()
	if j.due() || walked() != before {
		t.Errorf("without a lease %d records were walked over", walked()-before)
	}
	tuned(t, c, "janitor.run", 1)
	for _, most := range []uint64{64, 256, 1024} {
		tuned(t, c, "janitor.records", most)
		before := walked()
		if n := walked; !j.due() || n()-before == 0 || n()-before > most {
			t.Errorf("a turn of %d records has walked over %d", most, n()-before)
		}
	}
	tuned(t, c, "janitor.records", recordsMost)
	j.due()
	s, err := c.Stats()
	if err != nil || s.FreeBaskets < 30 {
		t.Errorf("%d baskets are free, %v; want 30", s.FreeBaskets, err)
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
	if reads.due() || len(writes.leases.owners()) != 1 {
		t.Errorf("the lease was taken from one who lives: %v", writes.leases.owners())
	}
}
