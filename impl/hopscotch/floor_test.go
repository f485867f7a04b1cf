package hopscotch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// A floor is the table without its protocol: the same cells, homes and windows, for one goroutine that
// nobody disturbs and nobody kills. It has no versions to look at again, no compare-and-swap and no
// descriptor. What it takes is what the layout costs; what the table takes beyond that is the protocol's.
type floor struct{ *Table }

func (f floor) get(key uint32) (value uint32, ok bool) {
	k := Key(key)
	first, apart := nearSpots(key, f.span)
	home := first.of(f.all)
	_, seen := (home.address() ^ address(apart)).cell().searchTouch()
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if _, found := c.searchBase(); found != k {
		if c = f.member(k, first, apart); c == nil {
			return 0, false
		}
	}
	return uint32(Word1(c.word1.Load()).Value()), true
}

func (f floor) set(key, value uint32) bool {
	k := Key(key)
	first, apart := nearSpots(key, f.span)
	home := first.of(f.all)
	_, seen := (home.address() ^ address(apart)).cell().searchTouch()
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if _, found := c.searchBase(); found != k {
		if c = f.member(k, first, apart); c == nil {
			return false
		}
	}
	seam.StoreOwn(&c.word1, uint64(MakeWord1(Value(value), 0)))
	return true
}

// member is the cell of a key that is at neither home, nil if it is not there.
//
//go:noinline
func (f floor) member(k Key, first, apart spot) *cell {
	for half, at := range [2]spot{first, first ^ apart} {
		h := &f.halves[half]
		for m := Word0(f.on(at).word0.Load()).members(); m != 0; m = m.Rest() {
			if c := h.at(at.index(), m.First()); Word0(c.word0.Load()).Key() == k {
				return c
			}
		}
	}
	return nil
}

// add adds a key that may be there; it is false if it is, or if there is no room.
func (f floor) add(key, value uint32) bool {
	k, v := Key(key), Value(value)
	first, apart := nearSpots(key, f.span)
	c0, c1 := first.of(f.all), (first ^ apart).of(f.all)
	w0, w1 := Word0(c0.word0.Load()), Word0(c1.word0.Load())
	switch empty0, empty1 := w0.empty(), w1.empty(); {
	case empty0 && empty1:
		at := first ^ apart&-spot(seam.RandomBit())
		at.of(f.all).fill(BaseWord(k, 0), v)
		return true
	case empty1 && w0.bare() && w0.Key() != k:
		c1.fill(BaseWord(k, 0), v)
		return true
	case empty0 && w1.bare() && w1.Key() != k:
		c0.fill(BaseWord(k, 0), v)
		return true
	}
	return f.addCrowded(k, v, first, apart)
}

// fill writes a cell.
func (c *cell) fill(w Word0, v Value) {
	seam.StoreOwn(&c.word1, uint64(MakeWord1(v, 0)))
	seam.StoreOwn(&c.word0, uint64(w))
}

//go:noinline
func (f floor) addCrowded(k Key, v Value, first, apart spot) bool {
	spots := [2]spot{first, first ^ apart}
	words := [2]Word0{Word0(f.on(spots[0]).word0.Load()), Word0(f.on(spots[1]).word0.Load())}
	if words[0].Key() == k || words[1].Key() == k || f.member(k, first, apart) != nil {
		return false
	}
	half := f.lighterHalf(words[0], words[1])
	for range 2 {
		if at := spots[half]; words[half].empty() || f.push(half, at.index(), words[half]) {
			f.on(at).fill(BaseWord(k, Word0(f.on(at).word0.Load()).members()), v)
			return true
		}
		half = 1 - half
	}
	return false
}

// push makes room at a home with that word: its base becomes a member, a member of another bucket moves on.
// The map that the new base has is in the word afterwards.
func (f floor) push(half, home uint32, w Word0) bool {
	h, base, offset := &f.halves[half], home, uint32(0)
	if w.Form() == FormMember {
		offset = w.Distance()
		base = h.below(home, offset)
	}
	for to := offset + 1; to < f.window; to++ {
		hole := h.at(base, to)
		if !Word0(hole.word0.Load()).empty() {
			continue
		}
		hole.fill(MemberWord(w.Key(), to, 0), Word1(h.cell(home).word1.Load()).Value())
		word := Word0(h.cell(base).word0.Load())
		members := word.members().With(to)
		if base != home {
			members = members.Without(offset)
			seam.StoreOwn(&h.cell(home).word0, 0)
		}
		seam.StoreOwn(&h.cell(base).word0, uint64(BaseWord(word.Key(), members)))
		return true
	}
	return false
}

// newFloor is an empty floor of so many keys at that load.
func newFloor(tb testing.TB, keys int, load float64) floor {
	tb.Helper()
	cells := uint32(float64(keys) / load / 2)
	table, _ := newTableWith(tb, Layout{CellsPerHalf: cells, Window: 32, Descriptors: 4}, Options{})
	return floor{table}
}

// The floor is a table, or its figures would mean nothing: what it has added it finds, and so do the gets of
// the protocol; and the structure is sound.
func TestFloor_IsATable(t *testing.T) {
	const n = 1 << 16
	f := newFloor(t, n, 0.9)
	keys := freshKeys(2 * n)
	in := keys[:0:0]
	for _, key := range keys[:n] {
		if f.add(key, key) {
			in = append(in, key)
		}
		if f.add(key, 1) && len(in) > 0 && in[len(in)-1] == key {
			t.Fatalf("key %d added twice", key)
		}
	}
	if len(in) < n*99/100 {
		t.Errorf("%d of %d keys found a place", len(in), n)
	}
	for _, key := range in {
		if v, ok := f.get(key); !ok || v != key {
			t.Fatalf("key %d: %d, %t", key, v, ok)
		}
		if !f.set(key, ^key) {
			t.Fatalf("key %d cannot be set", key)
		}
		if v, ok := f.Get(key); !ok || v != ^key {
			t.Fatalf("key %d by the protocol: %d, %t", key, v, ok)
		}
	}
	for _, key := range keys[n:] {
		if _, ok := f.get(key); ok || f.set(key, 1) {
			t.Fatalf("key %d is there", key)
		}
	}
	if found := Check(f.Table, CheckOptions{}); len(found) > 0 {
		t.Errorf("the floor is no sound table: %v", found[0])
	}
}

// BenchmarkFloor has the operations of the table and those of its floor, passes over 2^20 random keys in
// turns. Table/floor is the median of the ratios of passes that follow each other.
//
//	go test -run '^$' -bench Floor -benchtime 20x ./impl/hopscotch
func BenchmarkFloor(b *testing.B) {
	for _, load := range []float64{0.5, 0.9} {
		f := newFloor(b, benchKeys, load)
		h, err := f.NewHandle(2)
		if err != nil {
			b.Fatal(err)
		}
		keys := freshKeys(benchKeys)
		anew := func() {
			plain := f.region.Words().Plain()
			clear(plain[f.Region().Layout().Offset(Engine, SectionCells)/region.WordBytes:])
			h.d.owner.Store(uint64(h.owner))
			h.Rewind()
		}
		run := func(op string, before func(), table, floor func(keys []uint32) int) {
			b.Run(fmt.Sprintf("op=%s/load=%v", op, load), func(b *testing.B) {
				inTurns(b, keys, before, [2]func(keys []uint32) int{table, floor})
			})
		}
		run("add", anew, h.adds, f.adds)
		in := keys[:0:0]
		for key := range f.All() {
			in = append(in, key)
		}
		keys = make([]uint32, benchKeys)
		for i := range keys {
			keys[i] = in[rand.IntN(len(in))]
		}
		run("get", func() {}, f.Table.gets, f.gets)
		run("set", func() {}, h.sets, f.sets)
	}
}

// inTurns measures passes of the table and of the floor. Nearly all keys of each must come to something.
func inTurns(b *testing.B, keys []uint32, before func(), ways [2]func(keys []uint32) int) {
	var ns [2][]float64
	var ratios []float64
	for turn := 0; b.Loop(); turn++ {
		for i := range ways {
			way := (turn + i) % len(ways)
			before()
			start := time.Now()
			n := ways[way](keys)
			ns[way] = append(ns[way], float64(time.Since(start).Nanoseconds())/float64(len(keys)))
			if n < len(keys)*99/100 {
				b.Fatalf("%d of %d", n, len(keys))
			}
		}
		ratios = append(ratios, ns[0][turn]/ns[1][turn])
	}
	b.ReportMetric(0, "ns/op") // of both, and what comes before
	b.ReportMetric(middle(ns[0]), "table-ns/key")
	b.ReportMetric(middle(ns[1]), "floor-ns/key")
	b.ReportMetric(middle(ratios), "table/floor")
}

// middle is the median.
func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// The passes call what they measure, and nothing in between.

func (f floor) adds(keys []uint32) (n int) {
	for _, key := range keys {
		if f.add(key, key) {
			n++
		}
	}
	return n
}

func (h *Handle) adds(keys []uint32) (n int) {
	for _, key := range keys {
		if r, _ := h.Add(key, key); r == Added {
			n++
		}
	}
	return n
}

func (f floor) gets(keys []uint32) (n int) {
	for _, key := range keys {
		if v, ok := f.get(key); ok && v == key {
			n++
		}
	}
	return n
}

func (t *Table) gets(keys []uint32) (n int) {
	for _, key := range keys {
		if v, ok := t.Get(key); ok && v == key {
			n++
		}
	}
	return n
}

func (f floor) sets(keys []uint32) (n int) {
	for _, key := range keys {
		if f.set(key, key) {
			n++
		}
	}
	return n
}

func (h *Handle) sets(keys []uint32) (n int) {
	for _, key := range keys {
		if _, ok, _ := h.Update(key, key); ok {
			n++
		}
	}
	return n
}
