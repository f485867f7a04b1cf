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

// samplesOf are hashes of a sample.
func samplesOf(sample uint32, n int) (all []uint32) {
	for hash := uint32(1); len(all) < n; hash++ {
		if sampleOf(hash) == sample {
			all = append(all, hash)
		}
	}
	return all
}

// TestAgeing_LearnsWhetherOftenCounts: a record that was used often, and then not for a round, stays where
// most of the sample of such records are used again, and leaves where none is.
func TestAgeing_LearnsWhetherOftenCounts(t *testing.T) {
	for _, again := range []bool{true, false, true} {
		o := Ageing{}.Order(nil, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4}).(*ageing)
		judge := func(hash uint32, uses, given int) Verdict {
			o.Walks(0, 512)
			return o.Judge(&Candidate{Hash: hash, Uses: uses, Given: given, Units: 10})
		}
		for _, hash := range samplesOf(sampleOften, 100) {
			if v := judge(hash, 3, 0); !v.Stays || v.Uses != 2 {
				t.Fatalf("of the sample, used often: %+v", v)
			}
			if v := judge(hash, 2, 2); !v.Stays || v.Uses != 1 {
				t.Fatalf("then not for a round: %+v", v)
			}
			uses := 1
			if again {
				uses = 2
			}
			if v := judge(hash, uses, 1); v.Stays != again {
				t.Fatalf("and then used %v: %+v", again, v)
			}
		}
		for _, hash := range samplesOf(sampleIdle, 100) {
			if v := judge(hash, 0, 0); !v.Stays || v.Uses != 1 {
				t.Fatalf("of the sample, not used: %+v", v)
			}
			if v := judge(hash, 1, 1); v.Stays {
				t.Fatalf("not used for two rounds: %+v", v)
			}
		}
		other := samplesOf(7, 1)[0]
		if v := judge(other, 1, 1); v.Stays != again {
			t.Errorf("samples are used again: %v, and a record that was not used for a round: %+v", again, v)
		}
		if v := judge(other, 1, 0); !v.Stays {
			t.Errorf("a record that was used leaves: %+v", v)
		}
	}
}

// TestAgeing_NoSampleIsTooOld: what was not used leaves when it is older than tuned, of a sample or not.
func TestAgeing_NoSampleIsTooOld(t *testing.T) {
	o := Ageing{}.Order(nil, Layout{Baskets: 64, BasketBytes: 4096, Tiers: 4})
	o.Walks(0, 512)
	hash := samplesOf(sampleIdle, 1)[0]
	if v := o.Judge(&Candidate{Hash: hash, Units: 10, Old: true}); v.Stays {
		t.Errorf("%+v", v)
	}
	if v := o.Judge(&Candidate{Hash: hash, Units: 10}); !v.Stays {
		t.Errorf("this is no sample, the test looks at nothing: %+v", v)
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
