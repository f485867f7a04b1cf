package basket_test

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// abused is a store that is used while somebody writes into it, with its own writers.
type abused struct {
	*basket.Store
	table   *hopscotch.Table
	writers []*basket.Writer
	random  *rand.Rand
	told    int
}

// newAbused has one writer that works on, and one in whose name baskets are open and retiring.
func newAbused(t testing.TB, seed uint64) *abused {
	const few = 1 << 10 // damage keeps no call for long
	a := &abused{Store: newStore(t, basket.Layout{Baskets: 6, BasketBytes: 512, Writers: 3}, 32),
		random: rand.New(rand.NewPCG(seed, 1))}
	var err error
	if a.table, err = hopscotch.NewWith(a.Region(), hopscotch.Options{Patience: few}); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		a.enter(t, uint32(n+1))
	}
	for n := range 60 {
		a.use(n)
	}
	return a
}

// enter makes a writer, unless the damage is against it.
func (a *abused) enter(t testing.TB, number uint32) {
	h, err := a.table.NewHandle(uint64(number))
	if err != nil {
		return
	}
	o := basket.WriterOptions{Number: number, Now: func() uint64 { return 1000 }}
	o.Alive = func(o basket.Owner) bool { return o.Number() != 9 }
	o.Tell = func(l basket.Leaving) {
		if a.told++; len(l.Key)+len(l.Value) > 512 {
			t.Errorf("told a record of %d bytes, a basket has 512", len(l.Key)+len(l.Value))
		}
	}
	w, err := a.NewWriter(basket.OnTable(h), o)
	if err == nil {
		a.writers = append(a.writers, w)
	}
}

// use makes a call of any kind. Whatever it answers is right, as long as it answers.
func (a *abused) use(n int) {
	w := a.writers[a.random.IntN(len(a.writers))]
	key := number(uint64(a.random.IntN(20)), 8)
	hash := hashOf(key, 3)
	switch a.random.IntN(9) {
	case 0:
		w.Get(hash, key, nil)
	case 1:
		w.Has(hash, key)
	case 2:
		if f, _, err := w.Find(hash, key, nil); err == nil {
			w.Remove(f, basket.ReasonDeleted)
		}
	case 3:
		w.Tend(7)
	case 4:
		if n%8 == 0 {
			a.Records(func(r basket.Record) bool { return len(r.Key) <= 512 })
			a.Stats()
			a.Check(a.pairs, nil)
		}
	default:
		if f, _, err := w.Find(hash, key, []byte{}); err == nil {
			w.Replace(f, number(uint64(n), 8+a.random.IntN(90)),
				basket.RecordOptions{Expires: uint64(n) % 3 * 700})
		}
	}
}

// pairs are what some hashes have in the index.
func (a *abused) pairs(yield func(hash, ref uint32) bool) {
	for hash := range uint32(8) {
		if ref, ok := a.table.Get(hash + 1); ok && !yield(hash+1, ref) {
			return
		}
	}
}

// damage writes a few bytes anywhere in the parts of the store and the table: mostly into the words that
// are of most use.
func (a *abused) damage(t testing.TB) {
	names := []string{basket.SectionHeads, basket.SectionRecords, basket.SectionRecords,
		basket.SectionWriters, basket.SectionTouch, basket.SectionShared}
	words := section(t, a.Store, names[a.random.IntN(len(names))])
	at := a.random.IntN(len(words))
	if a.random.IntN(6) == 0 {
		cells, err := a.Region().Section(hopscotch.Engine, hopscotch.SectionCells)
		if err != nil {
			t.Fatal(err)
		}
		words, at = cells, a.random.IntN(len(cells))
	}
	old := words[at].Load()
	words[at].Store([]uint64{old ^ 1<<a.random.IntN(64), old + 1, 0, ^uint64(0), a.random.Uint64(),
		old&^0xFFFFFFFF | uint64(a.random.IntN(70))}[a.random.IntN(6)])
}

// abuse uses a store, damages it, and uses it on.
func abuse(t testing.TB, seed uint64) {
	a := newAbused(t, seed)
	for round := range 12 {
		for range 1 + a.random.IntN(3) {
			a.damage(t)
		}
		for n := range 8 {
			a.use(round*8 + n)
		}
		if a.random.IntN(4) == 0 && len(a.writers) > 1 {
			a.writers[0].Close()
			a.writers = a.writers[1:]
			a.enter(t, uint32(3+round))
		}
	}
}

// TestStore_HostileContent: whatever is written into the region, no call faults, none reaches beyond its
// basket, and all calls end.
func TestStore_HostileContent(t *testing.T) {
	seeds := 120
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		abuse(t, uint64(seed))
	}
}

// FuzzStore_HostileContent is the same from any seed.
func FuzzStore_HostileContent(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { abuse(t, seed) })
}
