package basket_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// section returns a section of the store's region.
func section(t testing.TB, s *basket.Store, name string) region.Words {
	t.Helper()
	words, err := s.Region().Section(basket.Engine, name)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// damages are changes of a store that no step makes, each with the finding of Check.
var damages = []struct {
	property, text string
	n              int // number of findings, including that one
	do             func(c checked, heads, records region.Words)
}{
	{"", "", 0, func(checked, region.Words, region.Words) {}},
	{"B1NoneFreed", "ref 5 of hash 0x2 leads into basket 0, which is free generation 0", 9,
		func(_ checked, heads, _ region.Words) { heads[0].Store(0) }},
	{"B2Whole", "ref 7 in the chain of hash 0x1 leads to no record of that hash", 1,
		func(c checked, _, _ region.Words) { c.all[1].Store(7<<32 | 1) }},
	{"B2Whole", "ref 2147483648 in the chain of hash 0x1 leads to no record of that hash", 1,
		func(c checked, _, _ region.Words) { c.all[1].Store(1<<63 | 1) }},
	{"B2Whole", "the chain of hash 0x1 has more than 8 records", 15,
		func(c checked, _, records region.Words) {
			at := c.all[1].Load()>>32 - 1
			w := basket.KeyWord(records[at+1].Load())
			records[at+1].Store(uint64(basket.MakeKeyWord(basket.Ref(at+1), w.Key(), w.Flags(), w.Padding())))
		}},
	{"B3KeyOnce", "the chain of hash 0x1 has the key \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\" twice", 1,
		func(c checked, _, records region.Words) {
			at := c.all[1].Load()>>32 - 1
			next := basket.KeyWord(records[at+1].Load()).Next()
			records[at+2].Store(records[uint32(next)-1+2].Load())
		}},
	{"B4Walkable", "the record at ref 13 of hash 0x1 is in no walk over basket 0", 4,
		func(_ checked, _, records region.Words) { records[0].Store(0) }},
	{"B4Walkable", "unit 4 of basket 0, where a record should begin, is 0x0000000100000001", 4,
		func(_ checked, _, records region.Words) {
			records[4].Store(1<<32 | 1)
		}},
	{"B5ThisLife", "basket 2 is free generation 0, and has a record", 1,
		func(c checked, heads, records region.Words) {
			records[2*16].Store(records[0].Load()) // of the third basket, which is free
		}},
	{"B6Owned", "the head of basket 0 is ? sealed generation 0 sequence 1 writer 0, which no step writes", 1,
		func(_ checked, heads, _ region.Words) {
			heads[0].Store(uint64(basket.MakeHead(basket.StateSealed, 1, 0, 1)))
		}},
	{"B6Owned", "the head of basket 0 is sealed generation 0 sequence 1 tier 1, which no step writes", 1,
		func(_ checked, heads, _ region.Words) {
			heads[0].Store(uint64(basket.MakeHead(basket.StateSealed, 0, 0, 1).In(1))) // there is one tier
		}},
	{"B6Owned", "basket 1 is open generation 0 sequence 2 writer 1, and nobody has that entry", 1,
		func(_ checked, heads, _ region.Words) {
			heads[2].Store(uint64(basket.MakeHead(basket.StateOpen, 2, 0, 2)))
		}},
	{"B6Owned",
		"basket 1 is open generation 0 sequence 2 writer 0, and that writer has another one in this " +
			"state", 1, func(_ checked, heads, _ region.Words) {
			heads[0].Store(uint64(basket.MakeHead(basket.StateOpen, 1, 0, 1)))
		}},
	{"B6Owned", "baskets 0 and 1 have the number 2", 1, func(_ checked, heads, _ region.Words) {
		heads[0].Store(uint64(basket.MakeHead(basket.StateSealed, 0, 0, 2)))
	}},
	{"B6Owned", "basket 0 is sealed generation 0 sequence 9, and the next number is 2", 1,
		func(_ checked, heads, _ region.Words) {
			heads[0].Store(uint64(basket.MakeHead(basket.StateSealed, 0, 0, 9)))
		}},
}

// TestCheck_FindsDamage: Check finds nothing in a sound store, and reports each damage under the name of the
// property.
func TestCheck_FindsDamage(t *testing.T) {
	const bits = 3
	for _, d := range damages {
		l := basket.Layout{Baskets: 4, BasketBytes: 128, Writers: 2}
		c := checked{newStore(t, l, 0), newWords(1<<bits, 1)}
		w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
		for k := range 6 { // four units each: four fill the first basket
			set(t, w, uint32(1+k%3), number(uint64(k), 8), number(1, 8), basket.RecordOptions{})
		}
		d.do(c, section(t, c.Store, basket.SectionHeads), section(t, c.Store, basket.SectionRecords))
		f := c.findings()
		if d.property == "" {
			if len(f.All) > 0 || f.Records != 6 || f.LiveBytes != 6*32 || f.HintedBytes != f.LiveBytes {
				t.Errorf("a sound store: %+v", f)
			}
			continue
		}
		if len(f.All) != d.n || !slices.Contains(f.All, basket.Finding{Property: d.property, Text: d.text}) {
			t.Errorf("damage of %s (%s): found %v", d.property, d.text, f.All)
		}
	}
}

// TestCheck_FollowsHands: a hand that leads into a free basket is found.
func TestCheck_FollowsHands(t *testing.T) {
	c := checked{newStore(t, basket.Layout{Baskets: 4, BasketBytes: 128, Writers: 2}, 0), newWords(8, 1)}
	w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
	set(t, w, 1, number(1, 8), number(1, 8), basket.RecordOptions{})
	none := func(func(hash, ref uint32) bool) {}
	if f := c.Check(none, slices.Values([]uint32{1})); len(f.All) > 0 {
		t.Errorf("a hand at a record: %v", f.All)
	}
	twice := func(yield func(hash, ref uint32) bool) {
		for range 2 {
			if !yield(1, 1) {
				return
			}
		}
	}
	if f := c.Check(twice, nil); len(f.All) != 1 || f.All[0].Property != "B3KeyOnce" {
		t.Errorf("an index that leads to a record twice: %v", f.All)
	}
	for _, ref := range []uint32{17, 4*16 + 1, 1 << 31} {
		f := c.Check(none, slices.Values([]uint32{ref}))
		if len(f.All) != 1 || f.All[0].Property != "B2Whole" {
			t.Errorf("a hand at %d, where nothing is: %v", ref, f.All)
		}
	}
}

// TestCheck_KnowsLanes: a writer may have one open basket in each tier to which its policy appends, and no
// more. A free basket is in the top tier.
func TestCheck_KnowsLanes(t *testing.T) {
	l, err := basket.Layout{Baskets: 4, BasketBytes: 128, Writers: 2}.WithPolicy(basket.TinyLFU{}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := checked{newStore(t, l, 0), newWords(8, 1)}
	newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
	heads := section(t, c.Store, basket.SectionHeads)
	open := basket.MakeHead(basket.StateOpen, 1, 0, 1)
	heads[0].Store(uint64(open))
	section(t, c.Store, basket.SectionShared)[0].Store(1) // the last number
	for text, head := range map[string]basket.Head{
		"":                          basket.MakeHead(basket.StateOpen, 1, 0, 0).In(1),
		"another one in this state": basket.MakeHead(basket.StateOpen, 1, 0, 0),
		"no step writes":            basket.MakeHead(basket.StateFree, 0, 0, 0).In(1),
	} {
		heads[2].Store(uint64(head))
		switch f := c.findings(); {
		case text == "" && len(f.All) > 0:
			t.Errorf("an open basket in each of two tiers: %v", f.All)
		case text != "" && (len(f.All) != 1 || !strings.Contains(f.All[0].String(), text)):
			t.Errorf("the second basket is %v: %v, want %q", head, f.All, text)
		}
	}
}
