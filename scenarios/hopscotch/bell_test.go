//go:build explore

package scenarios

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// errSlept says that a service sleeps although there is work, and the client that made it has rung;
// errUnasked that a service says so which has not slept.
var (
	errSlept   = errors.New("a ring was slept through")
	errUnasked = errors.New("nobody has slept, and nobody has rung")
)

// bellProgram is a service that is about to sleep, and clients that make work for it. A client may die
// between the work and the ring: that costs the service its bound.
type bellProgram struct {
	region     *region.Region
	word, work *seam.Uint64
	x          *explore.Execution
	clients    int

	sleep func(awake func() bool) bool // of the service
	make  func()                       // of a client

	failed error  // what is wrong with several who sleep
	slept  bool   // the service found no work when a ring could be heard
	on     uint32 // what it compares with then

	rung, over, orphaned int // of all executions: sleeps that a ring ended, or their bound; rings that died
}

func newBell(t *testing.T) *bellProgram {
	t.Helper()
	r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: 2, Window: 2, Descriptors: 1})
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Section(region.Own, region.OwnBell)
	if err != nil {
		t.Fatal(err)
	}
	b := &bellProgram{region: r, word: &words[0], work: &words[1]}
	b.sleep = func(awake func() bool) bool { return r.SleepUntilRung(r.Listen(), seam.Second, awake) }
	b.make = func() {
		b.work.Store(1)
		r.Ring()
	}
	return b
}

// plain reads what a sleep compares, the low half of the word, without a step.
func (b *bellProgram) plain() uint32 { return uint32(*(*uint64)(unsafe.Pointer(b.word))) }

func (b *bellProgram) explore(t *testing.T, clients int) explore.Report {
	t.Helper()
	start := func(x *explore.Execution) []explore.Actor {
		b.x, b.slept = x, false
		b.word.Store(0)
		b.work.Store(0)
		x.Region(unsafe.Pointer(b.word), region.LineBytes)
		b.clients = clients
		actors := []explore.Actor{{Name: "service", Body: b.serve}}
		for range clients {
			actors = append(actors, explore.Actor{Name: "client", Body: b.make})
		}
		return actors
	}
	rep, err := explore.Explore(explore.Program{Name: "Bell", Start: start, Finish: b.finish},
		explore.Options{Preemptions: explore.Unbounded, Kills: 1, Audit: -1})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func (b *bellProgram) serve() {
	rung := b.sleep(func() bool {
		b.slept, b.on = b.work.Load() == 0, b.plain()
		return !b.slept
	})
	b.x.Mark(uint64(oneIf(rung)))
	switch {
	case b.slept && rung:
		b.rung++
	case b.slept:
		b.over++
	}
}

func (b *bellProgram) finish(x *explore.Execution) error {
	if !b.slept || x.Killed(0) || b.plain() != b.on || b.on&1 == 0 {
		return nil // it is awake, or not there any more
	}
	for i := 1; i <= b.clients; i++ {
		if !x.Killed(i) {
			return errSlept
		}
	}
	b.orphaned++
	return nil
}

// Nobody sleeps through a ring, with a death at any step; a client that dies before it rings costs the bound.
func TestBell_NoRingIsSleptThrough(t *testing.T) {
	for clients := 1; clients <= 2; clients++ {
		b := newBell(t)
		rep := b.explore(t, clients)
		if rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%d clients: %v\n%s", clients, rep.Failure, rep.Bound)
		}
		t.Logf("%d clients: %s", clients, rep.Bound)
		t.Logf("%d rung, %d over, %d orphaned", b.rung, b.over, b.orphaned)
		if b.rung == 0 || b.over == 0 || (b.orphaned == 0) != (clients > 1) {
			t.Errorf("%d clients: %d rung, %d over, %d orphaned", clients, b.rung, b.over, b.orphaned)
		}
	}
}

// Whoever listens, then looks for work, and then sleeps, does not sleep through what was rung for in between.
func TestBell_ARingInTheMidstOfWorkIsHeard(t *testing.T) {
	b := newBell(t)
	b.sleep = func(awake func() bool) bool {
		heard := b.region.Listen()
		return !awake() && b.region.SleepUntilRung(heard, seam.Second, nil)
	}
	rep := b.explore(t, 2)
	if rep.Failure != nil || !rep.Exhaustive || b.rung == 0 || b.over == 0 {
		t.Errorf("%v, %d rung, %d over\n%s", rep.Failure, b.rung, b.over, rep.Bound)
	}
}

// The canaries: who asks for work before a ring can be heard, and who rings before there is work.
func TestBell_OtherOrdersAreFound(t *testing.T) {
	early := newBell(t)
	early.sleep = func(awake func() bool) bool {
		return awake() || early.region.SleepUntilRung(early.region.Listen(), seam.Second, func() bool {
			early.on = early.plain()
			return false
		})
	}
	hasty := newBell(t)
	hasty.make = func() {
		hasty.region.Ring()
		hasty.work.Store(1)
	}
	for name, b := range map[string]*bellProgram{"asks too early": early, "rings too early": hasty} {
		if rep := b.explore(t, 1); rep.Failure == nil || !errors.Is(rep.Failure.Err, errSlept) {
			t.Errorf("%s: %v", name, rep.Failure)
		}
	}
}

// sleeper is one of several who sleep, and what has been rung for it.
type sleeper struct{ asleep, due bool }

// Of several who sleep each is woken by a ring that begins when it can be heard, whatever else is rung and
// whoever else falls asleep meanwhile; and nobody says that nothing was rung who was not asked whether to
// sleep. The bell begins as somebody has left it who died asleep.
func TestBell_ARingIsForAllWhoSleep(t *testing.T) {
	b := newBell(t)
	var all [2]sleeper
	rings, woken := 0, 0
	sleeps := func(s *sleeper) func() {
		return func() {
			heard := b.region.Listen()
			rung := b.region.SleepUntilRung(heard, seam.Second, func() bool { s.asleep = true; return false })
			b.x.Mark(uint64(oneIf(rung)))
			switch {
			case !rung && !s.asleep:
				b.failed = errUnasked
			case !rung && s.due:
				b.failed = errSlept
			case s.due:
				woken++
			}
			s.asleep = false
		}
	}
	ring := func() {
		hears := all
		b.region.Ring()
		rings++
		for i, h := range hears {
			all[i].due = all[i].due || h.asleep
		}
	}
	start := func(x *explore.Execution) []explore.Actor {
		b.x, b.failed, all = x, nil, [2]sleeper{}
		b.word.Store(1)
		x.Region(unsafe.Pointer(b.word), region.LineBytes)
		return []explore.Actor{{Name: "sleeper", Body: sleeps(&all[0])},
			{Name: "other", Body: sleeps(&all[1])},
			{Name: "client", Body: ring}, {Name: "twice", Body: func() { ring(); ring() }}}
	}
	rep, err := explore.Explore(explore.Program{Name: "Bells", Start: start,
		Finish: func(*explore.Execution) error { return b.failed }},
		explore.Options{Preemptions: 2, Audit: -1})
	if err != nil || rep.Failure != nil || !rep.Exhaustive || woken == 0 {
		t.Fatalf("%v, %v, %d rings, %d woken\n%s", err, rep.Failure, rings, woken, rep.Bound)
	}
	t.Log(rep.Bound)
}
