package hopscotch

import (
	"testing"
)

// TestReclaim_ALikenessIsNoReference: 29 bits of an idle home cell, its version or a member's place and
// generation, may be those of the reference by chance. The operation has ended, or never was, all the
// same: it is not finished, nothing is stored in the table, and what may have been told is in doubt.
func TestReclaim_ALikenessIsNoReference(t *testing.T) {
	const g = 1<<24 + 5 // as a member at distance 1 has it
	for name, c := range map[string]struct {
		kind Kind
		home func(r Ref, k Key) (Word0, Word1)
	}{
		"new, empty": {KindNew, func(r Ref, _ Key) (Word0, Word1) {
			return EmptyWord(Version(r)), EmptyWord1(Version(r))
		}},
		"replace, empty": {KindReplace, func(r Ref, _ Key) (Word0, Word1) {
			return EmptyWord(Version(r)), EmptyWord1(Version(r))
		}},
		"replace, member": {KindReplace, func(r Ref, k Key) (Word0, Word1) {
			return MemberWord(k, uint32(r)>>memberVersionBits, Version(r).Low()),
				MakeWord1(30, Version(r).Low())
		}},
	} {
		table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
		p := planted{table, t}
		dead, d := newHandle(t, table, 9), &table.descriptors[1]
		r := table.refs.Make(dead.index, g)
		if c.kind == KindReplace { // descriptor 0 has references that a member can look like
			d, r = &table.descriptors[0], table.refs.Make(0, g)
			d.owner.Store(9)
			table.descriptors[1].owner.Store(uint64(MakeOwner(1, 0)))
			h.d, h.index = &table.descriptors[1], 1
		}
		k := p.key(0, 2, 0)
		d.head.Store(uint64(MakeHead(g, c.kind, 0, 2)))
		d.pair.Store(uint64(MakePair(k, 70)))
		d.target.Store(uint64(MakeTarget(g)))
		w0, w1 := c.home(r, p.key(0, 1, 0))
		d.expect.Store(uint64(w1))
		if c.kind == KindReplace {
			d.plan.Store(uint64(MakePlan(p.key(0, 2, 1), 0)))
			d.expect.Store(uint64(MakeWord1(20, 1)))
			d.target.Store(uint64(MakeTarget(g).Decide(StatusCommitted)))
		}
		p.put(0, 2, w0, w1)
		if w0.Form() == FormMember {
			p.put(0, 1, BaseWord(p.key(0, 1, 1), Map(0).With(w0.Distance())), MakeWord1(10, 1))
		}
		if w0.Ref() != r {
			t.Fatalf("%s: the canary is %v, not like %v", name, w0, r)
		}
		deadNine(table)
		got, err := h.Reclaim()
		if err != nil || len(got) != 1 || got[0].Finished || got[0].Certain ||
			got[0].Leaves != (c.kind == KindReplace) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if at := table.halves[0].cell(2).look(); at != (view{w0, w1}) {
			t.Errorf("%s: the home is %v %v, it was %v %v", name, at.word0, at.word1, w0, w1)
		}
		clean(t, table)
	}
}

// TestReclaim_FinishesEachKind: what is installed, and not decided, of an owner that has died.
func TestReclaim_FinishesEachKind(t *testing.T) {
	for kind, install := range installations {
		p := newPlanted(t)
		install(p)
		h, err := p.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		deadNine(p.Table)
		got, err := h.Reclaim()
		if err != nil || len(got) != 1 || !got[0].Finished || got[0].Kind.String() != kind ||
			!got[0].Certain {
			t.Errorf("%s: %v, %v; want it to be finished", kind, got, err)
		}
		if v, ok := p.Get(uint32(p.key(0, 5, 0))); kind == "new" && (v != 22 || !ok) {
			t.Errorf("the new element: %d, %t", v, ok)
		}
		clean(t, p.Table)
	}
}

// TestNewHandle_InheritsEachKind: whoever gets the descriptor is told the same of it, whether anything leaves
// or not.
func TestNewHandle_InheritsEachKind(t *testing.T) {
	for kind, install := range installations {
		p := newPlanted(t)
		install(p)
		deadNine(p.Table)
		var got Reclaimed
		for inherited := false; !inherited; { // those that are free come first
			h, err := p.NewHandle(5)
			if err != nil {
				t.Fatal(kind, err)
			}
			got, inherited = h.Inherited()
		}
		if !got.Finished || !got.Certain || got.Kind.String() != kind || got.Owner.Number() != 9 {
			t.Errorf("%s: inherited %v; want it to be finished", kind, got)
		}
		clean(t, p.Table)
	}
}
