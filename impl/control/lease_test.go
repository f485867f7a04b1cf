package control

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// crew are the janitors of some processes that share one section of leases, but not real processes.
type crew struct {
	words region.Words
	now   uint32
	dead  map[region.Process]bool
	asked error // error of the system instead of an answer
}

func newCrew() *crew {
	return &crew{words: make(region.Words, 8), dead: map[region.Process]bool{}}
}

func (x *crew) alive(p region.Process) (bool, error) { return !x.dead[p], x.asked }

func (x *crew) clock() uint32 { return x.now }

// member is what one of the processes knows of the leases.
func (x *crew) member(n uint32) *member {
	return &member{Leases{x.words, region.MakeProcess(n, 7), x.alive, x.clock}, x}
}

type member struct {
	Leases
	*crew
}

// hold is a turn at a time.
func (m *member) hold(run int, now, still uint32) bool {
	m.now = now
	return m.Hold(run, still)
}

// owners returns the processes that have a lease.
func (x *crew) owners() []region.Process { return x.member(0).Owners() }

const still = 1000 // milliseconds

// A lease stays with its owner as long as the owner renews it. There are never more leases than allowed, and
// a lease that is no longer allowed is given up.
func TestLease_BoundsHowMany(t *testing.T) {
	x := newCrew()
	a, b, c := x.member(1), x.member(2), x.member(3)
	steps := []struct {
		who  *member
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
	c.Leave()
	a.Leave()
	if len(x.owners()) != 0 {
		t.Errorf("owners %v, want none", x.owners())
	}
}

// On the heap there is no other process: a janitor has its lease whatever the words contain, and does not
// change them.
func TestLease_OnTheHeap(t *testing.T) {
	x := newCrew()
	heap := &member{Leases{x.words, 0, x.alive, x.clock}, x}
	for _, word := range []Lease{0, MakeLease(0, 5), MakeLease(region.MakeProcess(1, 7), 99)} {
		for i := range x.words {
			x.words[i].Store(uint64(word))
		}
		if !heap.hold(1, 100, still) || !heap.hold(2, 100, still) || heap.hold(0, 100, still) {
			t.Errorf("with the lease %v in the words", word)
		}
		heap.Leave()
		for i := range x.words {
			if now := Lease(x.words[i].Load()); now != word {
				t.Errorf("word %d was %v, and is %v", i, word, now)
			}
		}
	}
}

// A janitor that finds all words taken has no lease, however many leases are allowed.
func TestLease_NoWordIsVacant(t *testing.T) {
	x := newCrew()
	for n := range len(x.words) {
		if m := x.member(uint32(n + 1)); !m.hold(1000, 10, still) {
			t.Errorf("janitor %d has none, owners %v", n+1, x.owners())
		}
	}
	if m := x.member(60); m.hold(1000, 11, still) {
		t.Errorf("one more has a lease: owners %v", x.owners())
	}
}

// A lease names its owner.
func TestLease_String(t *testing.T) {
	if text := MakeLease(region.MakeProcess(3, 7), 1<<31).String(); text != "of process 3@7" {
		t.Errorf("%q", text)
	}
	if text := Lease(0).String(); text != "nobody's" {
		t.Errorf("%q", text)
	}
}

// A janitor that finds the lease of a dead process has it at once; it gets that of a stopped process after a
// while, also if the clock wraps. If the system does not say which processes are dead, none counts as dead.
// A process that was stopped, and continues, finds that it has no lease.
func TestLease_IsTakenOver(t *testing.T) {
	for _, from := range []uint32{0, 1 << 31, 1<<32 - 500} {
		x := newCrew()
		a, b, c := x.member(1), x.member(2), x.member(3)
		if !a.hold(1, from, still) || b.hold(1, from+still, still) {
			t.Fatalf("from %d: owners %v", from, x.owners())
		}
		x.dead[a.Me] = true
		if x.asked = errors.New("no answer"); b.hold(1, from+still, still) {
			t.Errorf("from %d: taken from one who may live", from)
		}
		if x.asked = nil; !b.hold(1, from+still, still) || c.hold(1, from+still, still) {
			t.Errorf("from %d: behind a death the owners are %v", from, x.owners())
		}
		if !c.hold(1, from+2*still+1, still) || b.hold(1, from+2*still+2, still) {
			t.Errorf("from %d: behind a pause the owners are %v", from, x.owners())
		}
		if owners := x.owners(); !slices.Equal(owners, []region.Process{c.Me}) {
			t.Errorf("from %d: owners %v", from, owners)
		}
	}
}

// An owner that renews its lease while another one reads the clock keeps it.
func TestLease_RenewedInBetween(t *testing.T) {
	x := newCrew()
	a, b := x.member(1), x.member(2)
	if !a.hold(1, 100, still) {
		t.Fatal("no lease")
	}
	b.Clock = func() uint32 {
		read := x.now
		a.hold(1, x.now+1, still)
		return read
	}
	if b.Hold(1, still) || !slices.Equal(x.owners(), []region.Process{a.Me}) {
		t.Errorf("owners %v: taken from one who has just renewed it", x.owners())
	}
}

// Whatever is written over the leases, a janitor has one again after a while.
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
			t.Fatalf("%v: no lease", leaseFind(&x.words[0]))
		}
	}
}
