package hopscotch

import (
	"bytes"
	"testing"
)

// A helper that is late: what it knows of the operation's progress is not what the descriptor says any
// more. It goes on from what the descriptor says.

// late is a helper of the operation that is installed, which has read a target.
func late(p planted, seen Target) *operation {
	o := &operation{table: p.Table, ref: p.ref(), d: &p.descriptors[1]}
	if e := o.load(); e != underway {
		p.tb.Fatalf("the operation is not sound: %d", e)
	}
	o.target = seen
	return o
}

// TestHelp_FollowsTheTargetOfOthers: whatever the late helper was about to do next.
func TestHelp_FollowsTheTargetOfOthers(t *testing.T) {
	committed := MakeTarget(1).Decide(StatusCommitted)
	moved := func(p planted) { // somebody else has the hole, and the base is idle again
		p.occupy()
		p.put(0, 2, BaseWord(p.key(0, 2, 0), 2), MakeWord1(20, 6))
	}
	for name, c := range map[string]struct {
		seen, now Target
		spoil     func(p planted)
		want      ending
	}{
		"another hole is proposed": {committed, committed.Propose(3, 0), nil, underway},
		"commits, but is aborted":  {MakeTarget(1), MakeTarget(1).Decide(StatusAborted), nil, underway},
		"commits another hole":     {MakeTarget(1), committed.Propose(3, 0), nil, underway},
		"aborts, but is committed": {MakeTarget(1), committed.Propose(3, 0), func(p planted) {
			p.put(0, 2, p.word0(0, 2), MakeWord1(20, 7)) // not the version that was expected
		}, underway},
		"withdraws, and another one has": {committed.Propose(2, 0), committed.Propose(3, 0), func(p planted) {
			p.occupy()
		}, underway},
		"hole is lost, and the operation over": {committed.Propose(2, 0), committed.Propose(3, 0),
			moved, underway},
		"hole is lost, and the descriptor has the next": {committed.Propose(2, 0),
			MakeTarget(2).Decide(StatusCommitted).Propose(2, 0),
			moved, gone},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			installations["add"](p)
			p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5).Freeze())
			if c.spoil != nil {
				c.spoil(p)
			}
			o := late(p, c.seen)
			o.d.target.Store(uint64(c.now))
			before := p.bytes()
			if e := o.round(); e != c.want {
				t.Errorf("ending %d, want %d", e, c.want)
			}
			if want := c.now; c.want == underway && o.target != want {
				t.Errorf("it goes on from %v, the descriptor says %v", o.target, want)
			}
			if !bytes.Equal(before, p.bytes()) {
				t.Error("it has written")
			}
		})
	}
}

// TestHelp_AbortsTheOtherByItsReference: descriptor and generation are those of the reference, also of
// a generation that has come round.
func TestHelp_AbortsTheOtherByItsReference(t *testing.T) {
	for _, g := range []Generation{0, 1, 5} {
		p := newPlanted(t)
		installations["add"](p)
		o := late(p, MakeTarget(1))
		undecided := MakeTarget(g)
		for i := range p.descriptors {
			if i != 1 {
				p.descriptors[i].target.Store(uint64(undecided))
			}
		}
		o.helpAbortOther(p.refs.Make(2, g), undecided)
		if got := Target(p.descriptors[2].target.Load()); got != undecided.Decide(StatusAborted) {
			t.Errorf("generation %d: the other one is %v", g, got)
		}
		if Target(p.descriptors[0].target.Load()) != undecided ||
			Target(p.descriptors[1].target.Load()) != MakeTarget(1) {
			t.Errorf("generation %d: somebody else is aborted", g)
		}
	}
}

// TestHelp_OfTheLastGeneration: all bits of a generation belong to it, none to the descriptor's index.
func TestHelp_OfTheLastGeneration(t *testing.T) {
	p := newPlanted(t)
	last := p.refs.wrap(^Generation(0))
	if p.refs.Next(last) != 0 {
		t.Fatalf("generation %d is not the last one", last)
	}
	for i := range p.descriptors {
		var o operation
		if e := o.help(p.Table, p.refs.Make(uint32(i), last)); e != gone {
			t.Errorf("descriptor %d has another generation, help ends with %d", i, e)
		}
		if o.d != &p.descriptors[i] {
			t.Errorf("the operation of descriptor %d is looked for in another one", i)
		}
	}
}

// TestHelp_ByTheWholeGeneration: a descriptor, or its target, is of another generation when any bit says so.
// A helper leaves it alone, a reader begins again, and a reclaim hands nothing over by such a target.
func TestHelp_ByTheWholeGeneration(t *testing.T) {
	for bit := range newPlanted(t).refs.generationBits {
		other := Generation(1) ^ 1<<bit
		p := newPlanted(t)
		installations["replace"](p)
		d, h := &p.descriptors[1], newHandle(t, p.Table, 5)
		head, target := p.of(), MakeTarget(other).Decide(StatusCommitted)
		d.target.Store(uint64(target))
		if e := h.op.help(p.Table, p.ref()); e != gone {
			t.Errorf("bit %d of the target differs: help ends with %d", bit, e)
		}
		d.target.Store(uint64(MakeTarget(1)))
		d.head.Store(uint64(MakeHead(other, head.Kind(), head.Half(), head.Home())))
		if e := h.op.help(p.Table, p.ref()); e != gone {
			t.Errorf("bit %d of the head differs: help ends with %d", bit, e)
		}
		s := search{place: place{0, 2}, seen: p.halves[0].cell(2).look()}
		if p.readHeld(&s, &recorded{}) || s.outcome != restart {
			t.Errorf("bit %d of the head differs: a search goes on with %d", bit, s.outcome)
		}
		d.head.Store(uint64(head))
		d.target.Store(uint64(target))
		p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1)), MakeWord1(20, 6)) // never installed, or over
		deadNine(p.Table)
		if got, err := h.Reclaim(); err != nil || len(got) != 1 || got[0].Leaves {
			t.Errorf("bit %d of the target differs: reclaimed %v, %v", bit, got, err)
		}
	}
}
