package basket

import (
	"fmt"
	"testing"
)

// TestMixed_IsSplitMix: the first numbers of SplitMix64 with the seed 0 (Steele and others, 2014).
func TestMixed_IsSplitMix(t *testing.T) {
	for hash, want := range []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F} {
		if got := mixed(uint32(hash)); got != want {
			t.Errorf("%d: %#x, want %#x", hash, got, want)
		}
	}
}

// ghostOf packs a ghost.
func ghostOf(part, time, tier uint64) uint64 { return part<<9 | time<<1 | tier }

// slotsOf is a word of three ghosts, with the bit that no ghost has.
func slotsOf(a, b, c uint64) uint64 { return a | b<<21 | c<<42 | 1<<63 }

// haunted is a writer's view in which 20 parts of 512 units have come into the small tier and 30 into the
// main one.
func haunted() *ghosts {
	o, _ := lfuOf()
	o.ghosts.time = [tinyTiers]uint64{20*512 + 511, 30 * 512}
	return &o.ghosts
}

// TestGhosts_Place: the word of a hash, and its part.
func TestGhosts_Place(t *testing.T) {
	g := haunted()
	for _, hash := range []uint32{0, 1, 2, 1000} {
		h := mixed(hash)
		word, part := g.at(hash)
		if b := &g.blocks[h>>32*512>>32]; word != &b[6+h>>24&1] || part != h>>40&0xFFF {
			t.Errorf("hash %d: part %#x of %#x", hash, part, h)
		}
	}
}

// TestGhosts_Clock: what comes in is told when it is a quarter of a part, on top of what others have told.
func TestGhosts_Clock(t *testing.T) {
	o, words := lfuOf()
	g := &o.ghosts
	text := ""
	for _, units := range []uint32{127, 1, 100, 28} {
		if units == 100 {
			words[lineTiers+1].Store(1000)
		}
		g.comes(1, units)
		text += fmt.Sprint(words[lineTiers].Load(), words[lineTiers+1].Load(), g.untold, g.time, "; ")
	}
	want := "0 0 [0 127] [0 0]; 0 128 [0 0] [0 128]; 0 1000 [0 100] [0 128]; 0 1128 [0 0] [0 1128]; "
	if text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	g = haunted()
	for ghost, want := range map[uint64]uint64{ghostOf(0, 20, 0): 0, ghostOf(9, 18, 0): 2, ghostOf(9, 18,
		1): 12,
		ghostOf(0xFFF, 31, 1): 255, ghostOf(1, 255, 0): 21} {
		if got := g.age(ghost); got != want {
			t.Errorf("%#x has the age %d, want %d", ghost, got, want)
		}
	}
}

// TestGhosts_Leave: which place of a word a record has that leaves: its own, else an empty one, else that of
// the oldest.
func TestGhosts_Leave(t *testing.T) {
	const hash = 5
	_, part := haunted().at(hash)
	old := func(age uint64) uint64 { return ghostOf(part^1, 20-age, 0) }
	oldMain := func(age uint64) uint64 { return ghostOf(part^1, 30-age, 1) }
	own := ghostOf(part, 3, 0)
	for _, x := range []struct {
		slots [3]uint64
		want  int
	}{
		{[3]uint64{}, 0}, {[3]uint64{old(5), 0, 0}, 1}, {[3]uint64{old(5), old(6), 0}, 2},
		{[3]uint64{old(5), own, 0}, 1}, {[3]uint64{own, old(9), 0}, 0}, {[3]uint64{old(5), old(7), old(6)},
			1},
		{[3]uint64{old(7), old(5), old(6)}, 0}, {[3]uint64{old(7), old(7), old(6)}, 1},
		{[3]uint64{old(0), old(0), old(0)}, 2}, {[3]uint64{old(5), old(6), oldMain(7)}, 2},
		{[3]uint64{old(5), old(6), own}, 2},
	} {
		for tier, time := range []uint64{20, 30} {
			g := haunted()
			word, _ := g.at(hash)
			word.Store(slotsOf(x.slots[0], x.slots[1], x.slots[2]))
			g.leaves(hash, uint32(tier))
			want := x.slots
			want[x.want] = ghostOf(part, time, uint64(tier))
			if got := word.Load(); got != slotsOf(want[0], want[1], want[2]) {
				t.Errorf("%#x: %#x, want place %d", x.slots, got, x.want)
			}
		}
	}
}

// TestGhosts_Return: a record that has left is known by its part, with its tier and how much has come in
// since, and its place is empty then.
func TestGhosts_Return(t *testing.T) {
	for hash := uint32(0); ; hash++ { // until one whose part is 0
		g := haunted()
		word, part := g.at(hash)
		other := ghostOf(part^1, 7, 1)
		for slot := range 3 {
			for tier := range uint64(2) {
				slots := [3]uint64{other, other, other}
				slots[slot] = ghostOf(part, 17, tier)
				word.Store(slotsOf(slots[0], slots[1], slots[2]))
				is, since, ok := g.returns(hash)
				if want := []uint64{3 * 512, 13 * 512}[tier]; !ok || uint64(is) != tier || since != want {
					t.Fatalf("place %d: tier %d, %d, %v", slot, is, since, ok)
				}
				if slots[slot] = 0; word.Load() != slotsOf(slots[0], slots[1], slots[2]) {
					t.Fatalf("place %d: %#x is left", slot, word.Load())
				}
				if is, since, ok := g.returns(hash); ok || is != 0 || since != 0 {
					t.Fatalf("place %d: known twice: %d %d", slot, is, since)
				}
			}
		}
		if part == 0 {
			return
		}
	}
}

// TestSketch_Places: the block, the word and the counter of a hash in each row.
func TestSketch_Places(t *testing.T) {
	s, _ := sketchOf(32)
	const h = 0xC0000000_007F80FF
	for row, want := range []struct {
		word  int
		shift uint
	}{{1, 56}, {3, 0}, {4, 56}} {
		if word, shift := s.at(h, row); word != &s.blocks[3][want.word] || shift != want.shift {
			t.Errorf("row %d: counter at bit %d", row, shift)
		}
	}
	if word, shift := s.at(0, 2); word != &s.blocks[0][4] || shift != 0 {
		t.Errorf("the first place of the last row: counter at bit %d", shift)
	}
	text := fmt.Sprint(sketchWords(0), sketchWords(8), sketchWords(9), sketchWords(16), sketchWords(17))
	if text != "16 16 24 24 32" {
		t.Errorf("words: %s", text)
	}
}

// TestSketch_AgedWords: counters are halved as often as epochs have begun, and spill into none.
func TestSketch_AgedWords(t *testing.T) {
	const all, epoch = 1<<60 - 1, uint64(3) << 60
	for _, x := range []struct{ word, epoch, want uint64 }{
		{epoch | all, 3, epoch | all}, {epoch | all, 3 + 16, epoch | all},
		{epoch | all, 4, 4<<60 | 0x0777777777777777}, {epoch | all, 5, 5<<60 | 0x0333333333333333},
		{epoch | all, 7, 7 << 60}, {epoch | all, 2, 2 << 60}, {epoch | 0xA, 4, 4<<60 | 5},
		{epoch | 0xA<<56, 20, 4<<60 | 5<<56}, {epoch, 9, 9 << 60}, {0xF, 1, 1<<60 | 7},
		{15<<60 | 0x21, 16, 0x10}, {15<<60 | 0x21, 15, 15<<60 | 0x21},
	} {
		if got := aged(x.word, x.epoch); got != x.want {
			t.Errorf("%#x in epoch %d: %#x, want %#x", x.word, x.epoch, got, x.want)
		}
	}
}

// TestSketch_RaisesWhatIsTooLow: of the three counters of a hash only those below the new estimate.
func TestSketch_RaisesWhatIsTooLow(t *testing.T) {
	const hash = 11
	for _, x := range []struct {
		before [sketchRows]uint64
		n      int
		after  [sketchRows]uint64
	}{{[3]uint64{}, 1, [3]uint64{1, 1, 1}}, {[3]uint64{4, 2, 3}, 1, [3]uint64{4, 3, 3}},
		{[3]uint64{4, 2, 3}, 2, [3]uint64{4, 4, 4}}, {[3]uint64{14, 14, 15}, 5, [3]uint64{15, 15, 15}},
		{[3]uint64{1, 2, 3}, 0, [3]uint64{1, 2, 3}}, {[3]uint64{1, 2, 3}, -1, [3]uint64{1, 2, 3}},
		{[3]uint64{}, -1, [3]uint64{}}} {
		s, _ := sketchOf(32)
		var after [sketchRows]uint64
		for row := range sketchRows {
			word, shift := s.at(mixed(hash), row)
			word.Store(x.before[row] << shift)
		}
		s.add(hash, x.n, 0)
		for row := range sketchRows {
			word, shift := s.at(mixed(hash), row)
			after[row] = word.Load() >> shift
		}
		if after != x.after {
			t.Errorf("%v and %d: %v, want %v", x.before, x.n, after, x.after)
		}
	}
}

// TestSketch_Clock: a writer tells of what it has counted when that is a 64th of an epoch, and sees then
// which epoch it is.
func TestSketch_Clock(t *testing.T) {
	s, words := sketchOf(64) // an epoch lasts for 384 units
	text := ""
	for _, x := range []struct {
		n     int
		units uint32
	}{{1, 5}, {1, 1}, {2, 3}, {1, 366}, {0, 9}, {1, 1}} {
		s.add(7, x.n, x.units)
		text += fmt.Sprint(s.untold, " ", words[0].Load(), " ", s.epoch, "; ")
	}
	if want := "5 0 0; 0 6 0; 0 12 0; 0 378 0; 0 378 0; 1 378 0; "; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	words[0].Add(1)
	if s.tell(5); s.epoch != 1 || words[0].Load() != 385 || s.span != 384 {
		t.Errorf("%d units are epoch %d", words[0].Load(), s.epoch)
	}
}
