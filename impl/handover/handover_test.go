package handover

import (
	"math"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

const lasts = 10 // milliseconds

// A wish holds for ten milliseconds, also if the clock wraps. A word that no process can have written has no
// wish. One process hears of a wish, and afterwards the word has none.
func TestWord_Says(t *testing.T) {
	for _, now := range []uint32{0, 1000, 1<<31 - 5, 1<<32 - 10, 1<<32 - 5} {
		var word seam.Uint64
		w := Word{At: &word, Most: lasts, Clock: func() uint32 { return now }}
		for _, x := range []struct {
			word uint64
			want bool
		}{{0, false}, {wishBit | uint64(now), false}, {wishBit | uint64(now+1), true},
			{wishBit | uint64(now+10), true}, {wishBit | uint64(now+11), false},
			{uint64(now + 1), false}, {wishBit | uint64(now-1), false},
			{^uint64(0) &^ 3, now >= 1<<32-10}, {wishBit | uint64(now+1<<31), false}} {
			word.Store(x.word)
			if got := w.Hear(w.Look()); got != x.want || word.Load() != 0 {
				t.Errorf("at %d the word %x: heard is %v, and %x is left", now, x.word, got, word.Load())
			}
			word.Store(x.word)
			if !w.Want() || x.want != (word.Load() == x.word) {
				t.Errorf("at %d the word %x: %x behind another one who wants", now, x.word, word.Load())
			}
			seen := w.Look()
			if !w.Hear(seen) {
				t.Errorf("at %d behind %x: nobody hears", now, x.word)
			}
			if w.Hear(seen) || w.Hear(w.Look()) {
				t.Errorf("at %d behind %x: two hear of one who wants", now, x.word)
			}
		}
	}
}

// The bits of a wish are those of the format of a cache: bit 32 says that something is wanted, and the bits
// below say until when.
func TestMakeWish(t *testing.T) {
	for _, x := range []struct {
		now, ms uint32
		want    Wish
	}{{0, 0, 4_294_967_296}, {1000, 20, 4_294_968_316}, {math.MaxUint32, 10, 4_294_967_305}} {
		if got := MakeWish(x.now, x.ms); got != x.want {
			t.Errorf("%d from %d on: %d, want %d", x.ms, x.now, got, x.want)
		}
	}
}

// A process writes its wish only if the word has not changed. A wish that another process writes or hears in
// between stays, and then the call reports that it has not written its own.
func TestWord_LeavesWhatComesBetween(t *testing.T) {
	for _, x := range []struct{ seen, between uint64 }{{0, 7}, {5, 0}, {wishBit | 999, 0},
		{0, wishBit | 1005}} {
		var word seam.Uint64
		asked := 0
		w := Word{At: &word, Most: lasts, Clock: func() uint32 {
			if asked++; asked == 1 {
				word.Store(x.between)
			}
			return 1000
		}}
		word.Store(x.seen)
		if w.Want() || word.Load() != x.between || asked == 0 {
			t.Errorf("%x, and %x behind the first look: the word is %x", x.seen, x.between, word.Load())
		}
	}
}

// A process that has seen a wish hears of it only if the word has not changed.
func TestWord_HearsOfWhatItHasSeen(t *testing.T) {
	var word seam.Uint64
	w := Word{At: &word, Most: lasts, Clock: func() uint32 { return 1000 }}
	for _, between := range []uint64{0, wishBit | 1006, wishBit<<1 | 1005, 1005} {
		word.Store(between)
		if w.Hear(wishBit|1005) || word.Load() != between {
			t.Errorf("behind %x it hears of another wish, and the word is %x", between, word.Load())
		}
	}
}
