package hopscotch

import (
	"maps"
	"slices"
	"testing"
)

// TestWalk_BehindAMemberThatLeaves: the base is lost, its only member is being evicted, and the walk has
// read the base's version before the reference. The bucket is empty then only if that version stands at
// the end: else the member may have been there all the time, and be there still, since its operation has
// not thawed the base.
func TestWalk_BehindAMemberThatLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		version Version // of the base now; the walk saw 4, the operation began at 5
		want    outcome
	}{
		"the version stands": {4, present},
		"the version is new": {5, restart},
	} {
		p := newPlanted(t)
		installations["drop"](p)
		d := &p.descriptors[1]
		d.plan.Store(uint64(MakePlan(KeyLost, Map(0).With(1))))
		d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
		p.put(0, 2, OperatingWord(KeyLost, p.ref()), MakeWord1(20, c.version).Freeze())
		var b contents
		got := p.gatherHeld(&b, &search{mode: modeGet, place: place{0, 2},
			seen: view{p.word0(0, 2), MakeWord1(20, 4)}})
		if got != c.want || b.n != 0 {
			t.Errorf("%s: outcome %d with %v, want %d", name, got, b.keys[:b.n], c.want)
		}
		if c.want == restart { // The canary: who begins again finds the member.
			if got := p.gather(&b, place{0, 2}); got != present || b.n != 1 || b.keys[0] != p.key(0, 2, 1) {
				t.Errorf("%s: again: outcome %d with %v", name, got, b.keys[:b.n])
			}
		}
	}
}

// TestWalk_WithinAWalk: yield may use the table, for another walk as well, in the midst of a bucket.
func TestWalk_WithinAWalk(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		want, got := collect(t, p.Table), map[uint32]uint32{}
		for key, value := range p.All() {
			if _, ok := got[key]; ok {
				t.Errorf("key %d comes twice", key)
			}
			got[key] = value
			if inner := collect(t, p.Table); !maps.Equal(inner, want) {
				t.Errorf("within, at key %d: %v, want %v", key, inner, want)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestGather_AHoleThatOthersTook: the hole that an operation names has become the cell of the bucket before
// in the meantime, with an element of that one. It is no element of this bucket, also where its home in the
// other half has the same index.
func TestGather_AHoleThatOthersTook(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		alike, nth := 0, 0
		for ; alike == 0 || nth < 20; nth++ {
			a := newApart(t, half, 3)
			d := &a.descriptors[1]
			d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted).Propose(1, 3)))
			k := a.planted.key(half, 1, nth)
			a.put(half, 1, BaseWord(a.planted.key(half, 1, nth+1), Map(0).With(2)), MakeWord1(10, 1))
			a.put(half, 3, MemberWord(k, 2, 4), MakeWord1(11, 4))
			h := [2]uint32{}
			if h[0], h[1] = a.Table.homes(k); h[1-half] == 2 {
				alike++
			}
			var b contents
			if o := a.gather(&b, place{half, 2}); o != present || b.n != 1 || b.keys[0] != a.old {
				t.Fatalf("key %v of homes %v: outcome %d with %v", k, h, o, b.keys[:b.n])
			}
			if o := a.gather(&b, place{half, 1}); o != present || b.n != 2 || b.keys[1] != k {
				t.Fatalf("key %v in its own bucket: outcome %d with %v", k, o, b.keys[:b.n])
			}
		}
	})
}

// TestGather_BeginsAnewWithNothing: what was read before a bucket is read again is not in it twice, and what
// was read of another bucket is not in it.
func TestGather_BeginsAnewWithNothing(t *testing.T) {
	p := newPlanted(t)
	var b contents
	for _, c := range []struct {
		at   place
		want int
	}{{place{0, 2}, 2}, {place{0, 2}, 2}, {place{1, 7}, 2}, {place{0, 5}, 0}} {
		if o := p.gatherOnce(&b, c.at); o != present || b.n != c.want {
			t.Errorf("bucket at %v: outcome %d with %v, want %d elements", c.at, o, b.keys[:b.n], c.want)
		}
	}
}

// TestGather_TheKeyOfTheBaseOnce: while an operation has the base its key may stand in a member's cell, too:
// in the hole, before the base gets another key, and in the old place of a member that has become the base.
func TestGather_TheKeyOfTheBaseOnce(t *testing.T) {
	copied := func(p planted) {
		p.operate(2)
		p.decided()
		p.put(0, 4, MemberWord(p.key(0, 2, 0), 2, 1), MakeWord1(20, 1))
	}
	for name, c := range map[string]struct {
		plant func(p planted)
		keys  []int // the elements, by which key of the bucket it is, the base first
	}{
		"copied, not displaced": {copied, []int{0, 1}},
		"displaced": {func(p planted) {
			copied(p)
			p.put(0, 2, OperatingWord(p.key(0, 2, 2), p.ref()), MakeWord1(20, 5).Freeze())
		}, []int{2, 1, 0}},
		"not lifted": {func(p planted) { p.lift(false) }, []int{1}},
		"lifted":     {func(p planted) { p.lift(true) }, []int{1}},
	} {
		p := newPlanted(t)
		c.plant(p)
		var want []Key
		for _, nth := range c.keys {
			want = append(want, p.key(0, 2, nth))
		}
		var b contents
		if o := p.gather(&b, place{0, 2}); o != present || !slices.Equal(b.keys[:b.n], want) {
			t.Errorf("%s: outcome %d with %v, want %v", name, o, b.keys[:b.n], want)
		}
	}
}

// TestGather_NeedsNobodyWhereNoBaseIs: one look at a home that is no base ends the bucket, also where whoever
// has the cell has died.
func TestGather_NeedsNobodyWhereNoBaseIs(t *testing.T) {
	for name, word := range map[string]func(p planted) Word0{
		"empty":   func(planted) Word0 { return EmptyWord(3) },
		"claimed": func(p planted) Word0 { return ClaimedWord(p.ref()) },
		"member":  func(p planted) Word0 { return p.word0(0, 3) },
		"engaged": func(p planted) Word0 { return EngagedWord(p.key(0, 2, 1), p.ref()) },
	} {
		p := newPlanted(t)
		p.patience = 1
		p.aboutMember(KindDrop)
		p.put(0, 3, word(p), MakeWord1(21, 1))
		b := contents{n: 1}
		if o := p.gather(&b, place{0, 3}); o != present || b.n != 0 {
			t.Errorf("%s: outcome %d with %v, want an empty bucket", name, o, b.keys[:b.n])
		}
	}
}
