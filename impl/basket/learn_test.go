package basket

import (
	"math/rand/v2"
	"testing"
)

// TestMarks_GivenAndUsed: what a record is given and what it was used since are told apart, until all three
// marks are set; and a copy with the same marks has the same.
func TestMarks_GivenAndUsed(t *testing.T) {
	for gave := range touchedMost + 1 {
		m := given(gave)
		if m.uses() != gave || gave < touchedMost && m.given() != gave {
			t.Errorf("given %d: %03b has %d uses, %d given", gave, m, m.uses(), m.given())
		}
		for used := 1; gave+used < touchedMost; used++ {
			m |= (m + 1) &^ m & allMarks // the lowest one that is not set, as touched sets it
			if m.uses() != gave+used || m.given() != gave {
				t.Errorf("given %d and used %d times: %03b has %d uses, %d given", gave, used, m, m.uses(),
					m.given())
			}
		}
	}
}

// TestGhosts_Remember: what has left is known, once, with its tier, and how much has come in since; what
// has not left is taken for it seldom.
func TestGhosts_Remember(t *testing.T) {
	const records = 4096
	s, _ := sketchOf(records)
	g := ghostsOf(&s, records)
	for i := range uint32(records / 4) {
		g.leaves(i, i%tinyTiers)
	}
	g.comes(tierSmall, 320)
	known, wrong := 0, 0
	for i := range uint32(records / 4) {
		tier, since, ok := g.returns(i)
		if !ok {
			continue
		}
		known++
		if want := uint64(320 * (1 - i%tinyTiers)); tier != i%tinyTiers || since != want {
			wrong++ // two that are taken for one another
		}
		if _, _, ok := g.returns(i); ok {
			wrong++
		}
	}
	if known < records/4*9/10 || wrong > 10 {
		t.Errorf("%d of %d are known, %d of them wrong", known, records/4, wrong)
	}
	for i := range uint32(records / 4) {
		g.leaves(i, tierSmall)
	}
	taken := 0
	for i := range uint32(10_000) {
		if _, _, ok := g.returns(1<<20 + i); ok {
			taken++
		}
	}
	if taken > 20 {
		t.Errorf("of 10000 that have not left %d are taken for others", taken)
	}
}

// TestGhosts_AnyContent: whatever the words have, the calls end, and the share stays within its bounds.
func TestGhosts_AnyContent(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	_, words := sketchOf(64)
	for i := range words {
		words[i].Store(random.Uint64())
	}
	l := Layout{Baskets: 16, BasketBytes: 4096, Tiers: 2, Lanes: 2}
	o := TinyLFU{}.Order(words, l).(*tinyLFU)
	for range 10_000 {
		o.Walks(0, 512)
		o.Enters(random.Uint32(), 1+random.Uint32N(512))
		o.Judge(&Candidate{Hash: random.Uint32(), Tier: random.Uint32N(TiersMax), Uses: random.IntN(4),
			Units: 1 + random.Uint32N(512)})
		b := Balance{All: 16, Reserve: 1}
		if small, main := o.shares(&b); small < smallLeast || small > 15 || small+main > 15 && main > 0 {
			t.Fatalf("the small tier is to have %d of 16 baskets, the main one %d", small, main)
		}
	}
}

// TestTinyLFU_SmallTierAdapts: the small tier grows while what comes back has left it a moment ago, and
// shrinks while it has left the main one; what has left long ago changes nothing.
func TestTinyLFU_SmallTierAdapts(t *testing.T) {
	_, words := sketchOf(1 << 12)
	l := Layout{Baskets: 64, BasketBytes: 4096, Tiers: 2, Lanes: 2}
	o := TinyLFU{}.Order(words, l).(*tinyLFU)
	size := func() uint64 { return o.small(sketchRead(&o.sketch.line[lineShare])) }
	begin := size()
	if want := o.room * smallBegin / 100; begin != want {
		t.Fatalf("it begins with %d units, want %d", begin, want)
	}
	back := func(tier, between uint32) {
		for i := range uint32(2000) {
			hash := tier<<20 | i
			o.left[tier].count(true)
			o.ghosts.leaves(hash, tier)
			o.ghosts.comes(tier, between)
			o.Enters(hash, 100)
		}
	}
	back(tierSmall, uint32(o.room))
	if size() != begin {
		t.Errorf("what has left long ago has changed %d units to %d", begin, size())
	}
	back(tierSmall, 0)
	if grown := size(); grown < o.room*3/4 {
		t.Errorf("it has grown from %d to %d units of %d", begin, grown, o.room)
	}
	back(tierMain, 0)
	if size() > begin {
		t.Errorf("it has shrunk to %d units, and began with %d", size(), begin)
	}
	other := TinyLFU{}.Order(words, l).(*tinyLFU)
	if other.small(sketchRead(&other.sketch.line[lineShare])) != size() {
		t.Error("another writer has another share")
	}
}
