package basket_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// checked is a store with an index that it is checked against.
type checked struct {
	*basket.Store
	*words
}

// findings are those of a check against the index.
func (c checked) findings() basket.Findings {
	return c.Check(func(yield func(hash, ref uint32) bool) {
		for hash := range c.all {
			if ref := uint32(c.all[hash].Load() >> 32); ref != 0 && !yield(uint32(hash), ref) {
				return
			}
		}
	}, nil)
}

// heads are those of all baskets.
func (c checked) heads(t testing.TB) (all []basket.Head) {
	words := section(t, c.Store, basket.SectionHeads)
	for i := 0; i < len(words); i += 2 {
		all = append(all, basket.Head(words[i].Load()))
	}
	return all
}

// check finds nothing wrong, and the hints right.
func (c checked) check(t testing.TB) basket.Findings {
	t.Helper()
	f := c.findings()
	for _, x := range f.All {
		t.Error(x)
	}
	if f.LiveBytes != f.HintedBytes {
		t.Errorf("%d bytes live, the hints say %d", f.LiveBytes, f.HintedBytes)
	}
	s := c.Stats()
	if s.FreeBytes+s.LiveBytes+s.DeadBytes != s.Bytes || s.Free+s.Open+s.Sealed+s.Retiring != s.Baskets {
		t.Errorf("the numbers do not add up: %+v", s)
	}
	return f
}

// number is a key, or a value, of 8 bytes or more.
func number(n uint64, size int) []byte {
	return append(binary.BigEndian.AppendUint64(nil, n), make([]byte, size-8)...)
}

// TestWriter_OverwritesPushNothingOut: while there is room for all that lives, some keys that are set again
// and again push no other one out, whether their hashes collide or not (D1).
func TestWriter_OverwritesPushNothingOut(t *testing.T) {
	for _, c := range []struct{ bits, baskets, bytes int }{{16, 16, 4096}, {6, 16, 4096}, {16, 300, 1024}} {
		t.Run(fmt.Sprintf("%d bits, %d baskets", c.bits, c.baskets), func(t *testing.T) {
			l := basket.Layout{Baskets: uint32(c.baskets), BasketBytes: uint32(c.bytes), Writers: 1}
			x := checked{newStore(t, l, 0), newWords(1<<c.bits, 1)}
			w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{})
			const bytes = 88
			cold := c.baskets * c.bytes * 6 / 10 / bytes
			if c.bits == 6 {
				cold = 160
			}
			for k := range cold {
				key := number(uint64(k), 8)
				set(t, w, hashOf(key, c.bits), key, number(uint64(k), 64), basket.RecordOptions{})
			}
			times := 40
			if testing.Short() {
				times = 4
			}
			for n := range times * c.baskets * c.bytes / bytes {
				key := number(1<<40+uint64(n%7), 8)
				set(t, w, hashOf(key, c.bits), key, number(uint64(n), 64), basket.RecordOptions{})
			}
			if n := w.Tally().Of(basket.ReasonEvicted); n != 0 {
				t.Errorf("%d records were evicted", n)
			}
			for k := range cold {
				key := number(uint64(k), 8)
				if v, _, ok, err := w.Get(hashOf(key, c.bits), key, nil); !ok || err != nil ||
					string(v) != string(number(uint64(k), 64)) {
					t.Fatalf("cold key %d is %x %v %v", k, v, ok, err)
				}
			}
			if f := x.check(t); f.Records != cold+7 {
				t.Errorf("%d records live, want %d", f.Records, cold+7)
			}
		})
	}
}

// TestWriter_KeepsWhatIsUsed: of a stream of new keys, those that are read between go on living, the others
// leave in the order of age; without marks the used ones leave, too.
func TestWriter_KeepsWhatIsUsed(t *testing.T) {
	for _, noTouch := range []bool{false, true} {
		l := basket.Layout{Baskets: 32, BasketBytes: 4096, Writers: 1}
		x := checked{newStore(t, l, 0), newWords(1<<16, 1)}
		w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{NoTouch: noTouch})
		const bits, used = 16, 100
		for n := range 20000 {
			key := number(uint64(n), 8)
			set(t, w, hashOf(key, bits), key, number(uint64(n), 64), basket.RecordOptions{})
			key = number(uint64(n*n%used), 8)
			if _, _, _, err := w.Get(hashOf(key, bits), key, nil); err != nil {
				t.Fatal(err)
			}
		}
		kept := 0
		for n := range used {
			key := number(uint64(n*n%used), 8)
			if _, ok, err := w.Has(hashOf(key, bits), key); err != nil {
				t.Fatal(err)
			} else if ok {
				kept++
			}
		}
		if kept != map[bool]int{false: used, true: 0}[noTouch] {
			t.Errorf("without marks %v: %d of the %d that were used are there", noTouch, kept, used)
		}
		x.check(t)
	}
}

// TestWriter_AllUsedEnds: where all records have been used since they were written, the newcomer stays, and
// each basket makes room (D6).
func TestWriter_AllUsedEnds(t *testing.T) {
	x := checked{newStore(t, basket.Layout{Baskets: 8, BasketBytes: 1024, Writers: 1}, 0), newWords(1<<12, 1)}
	w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{})
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 5000 {
		key := number(uint64(n), 8)
		set(t, w, hashOf(key, 12), key, number(uint64(n), 8+random.IntN(200)), basket.RecordOptions{})
		if _, _, ok, err := w.Get(hashOf(key, 12), key, nil); !ok || err != nil {
			t.Fatalf("what was set just now, %d, is %v %v", n, ok, err)
		}
	}
	x.check(t)
}

// TestTend_KeepsTheReserve: without it a Replace would have to make room.
func TestTend_KeepsTheReserve(t *testing.T) {
	l := basket.Layout{Baskets: 16, BasketBytes: 1024, Writers: 2}
	x := checked{newStore(t, l, 0), newWords(1<<12, 2)}
	w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{Reserve: -1})
	for n := range 300 {
		key := number(uint64(n), 8)
		set(t, w, hashOf(key, 12), key, number(uint64(n), 64), basket.RecordOptions{})
	}
	if s := x.Stats(); s.Free > 0 {
		t.Fatalf("%d baskets are free before the test", s.Free)
	}
	janitor := newWriter(t, x.Store, x.actor(1), basket.WriterOptions{Reserve: 3})
	did, rounds := 0, 0
	for ; x.Stats().Free < 3; rounds++ {
		n, err := janitor.Tend(5)
		if did += n; err != nil || n > 5 || rounds > 100 {
			t.Fatalf("round %d of 5 records did %d: %v", rounds, n, err)
		}
	}
	if did < 3*11 {
		t.Errorf("three baskets were free after %d records", did)
	}
	if n, err := janitor.Tend(5); n != 0 || err != nil {
		t.Errorf("with the reserve free, a round did %d: %v", n, err)
	}
	x.check(t)
}

// TestWalk_MovesSevenEighthsAtMost: where all has been used once. What is moved counts as not used since.
func TestWalk_MovesSevenEighthsAtMost(t *testing.T) {
	const records, bytes, baskets = 32, 32, 6
	l := basket.Layout{Baskets: baskets, BasketBytes: records * bytes, Writers: 2}
	x := checked{newStore(t, l, 0), newWords(1<<12, 2)}
	w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{Reserve: -1})
	for n := range records * (baskets - 1) {
		key := number(uint64(n), 8)
		set(t, w, uint32(n+1), key, number(uint64(n), 8), basket.RecordOptions{})
		if _, _, ok, err := w.Get(uint32(n+1), key, nil); !ok || err != nil {
			t.Fatal(n, ok, err)
		}
	}
	janitor := newWriter(t, x.Store, x.actor(1), basket.WriterOptions{Reserve: 1})
	touch := section(t, x.Store, basket.SectionTouch)
	words := len(touch) / baskets
	for i := range words { // marks of an earlier life
		touch[(baskets-1)*words+i].Store(^uint64(0))
	}
	for range 2 * records {
		if n, err := janitor.Tend(1); err != nil || n > 1 {
			t.Fatal(n, err)
		}
	}
	if n := janitor.Tally().Of(basket.ReasonEvicted); n != 0 {
		t.Fatalf("%d records left while the reserve was free", n)
	}
	set(t, janitor, 1<<11, number(1<<40, 8), number(1, 8), basket.RecordOptions{})
	for x.Stats().Free == 0 {
		if _, err := janitor.Tend(1); err != nil {
			t.Fatal(err)
		}
	}
	if n := janitor.Tally().Of(basket.ReasonEvicted); n != records/8 {
		t.Errorf("of %d records that were used %d left, want an eighth", records, n)
	}
	for i := range words / 2 { // a record of 32 bytes has three of four bits
		if mark := touch[(baskets-1)*words+i].Load() & 0x7777777777777777; mark != 0 {
			t.Errorf("word %d of the marks of what was moved is %#x", i, mark)
		}
	}
	x.check(t)
}

// TestReplace_RoomInPortions: a store at its limit makes room in small portions, whether what it meets is
// used or not: each Replace, with a Prepare ahead of it or without one, takes out no more than some records,
// and finds a free basket where it needs one.
func TestReplace_RoomInPortions(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare bool
		reads   int // of what was set lately, for each set
	}{{"unused", false, 0}, {"unused, prepared", true, 0}, {"used", true, 8}} {
		t.Run(c.name, func(t *testing.T) {
			const bits, portion, records = 16, 8, 64 * 46 // of 88 bytes, that there is room for
			x := checked{newStore(t, basket.Layout{Baskets: 64, BasketBytes: 4096, Writers: 1}, 0),
				newWords(1<<bits, 1)}
			w := newWriter(t, x.Store, x.actor(0), basket.WriterOptions{})
			random := rand.New(rand.NewPCG(5, 6))
			left, most, whole := uint64(0), uint64(0), 0
			for n := range 4 * records {
				key := number(uint64(n), 8)
				if c.prepare {
					if err := w.Prepare(hashOf(key, bits), 72); err != nil {
						t.Fatal(err)
					}
				}
				set(t, w, hashOf(key, bits), key, number(uint64(n), 64), basket.RecordOptions{})
				now := w.Tally().Of(basket.ReasonEvicted)
				if most = max(most, now-left); now-left > portion {
					whole++
				}
				left = now
				for range c.reads {
					key := number(uint64(max(0, n-random.IntN(records))), 8)
					if _, _, _, err := w.Get(hashOf(key, bits), key, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			if whole > 0 || left < 2*records {
				t.Errorf("%d calls took more than %d records out, one %d; %d left", whole, portion, most,
					left)
			}
			x.check(t)
		})
	}
}
