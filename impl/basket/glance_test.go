package basket_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// glanced is a store with its table, and a writer.
type glanced struct {
	store  *basket.Store
	table  *hopscotch.Table
	writer *basket.Writer
}

// newGlanced makes one with room for some hundred records.
func newGlanced(t *testing.T) glanced {
	t.Helper()
	g := glanced{store: newStore(t, basket.Layout{Baskets: 8, BasketBytes: 4096, Writers: 1, Tiers: 2}, 512)}
	var err error
	if g.table, err = hopscotch.New(g.store.Region()); err != nil {
		t.Fatal(err)
	}
	if g.writer, err = g.store.NewWriter(onTable(t, g.store, 1), basket.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	return g
}

type glanceFunc = func(hash uint32, key, dst []byte) ([]byte, basket.Meta, basket.Sight)

// glances are the ways to make one: at once, and in its two halves.
func (g glanced) glances() map[string]glanceFunc {
	return map[string]glanceFunc{
		"at once": func(hash uint32, key, dst []byte) ([]byte, basket.Meta, basket.Sight) {
			return g.store.Glance(g.table, hash, key, dst)
		},
		"in halves": func(hash uint32, key, dst []byte) ([]byte, basket.Meta, basket.Sight) {
			return g.store.GlanceAt(g.table, g.store.Request(g.table, hash), key, dst)
		},
	}
}

// set sets a key.
func (g glanced) set(t *testing.T, hash uint32, key string, value []byte, o basket.RecordOptions) {
	t.Helper()
	f, _, err := g.writer.Find(hash, []byte(key), nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := g.writer.Replace(f, value, o); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

// TestGlance_FindsWhatAGetFinds: values of each length up to some, appended or where there is room; what a
// record says of itself; and keys that are not there.
func TestGlance_FindsWhatAGetFinds(t *testing.T) {
	g := newGlanced(t)
	get, err := g.store.NewReader(onTable(t, g.store, 2), basket.ReaderOptions{Tiers: true})
	if err != nil {
		t.Fatal(err)
	}
	const n = 40
	for i := range uint32(n) {
		o := basket.RecordOptions{}
		if i%3 == 1 {
			o.Expires = uint64(1000 + i)
		}
		g.set(t, 100+i, fmt.Sprint("key", i), bytes.Repeat([]byte{byte(i)}, 17*int(i)), o)
	}
	if done, err := g.writer.Age(); !done || err != nil { // some of what is there is in tier 1 then
		t.Fatal(done, err)
	}
	for way, glance := range g.glances() {
		findsWhatAGetFinds(t, way, glance, get, n)
	}
}

func findsWhatAGetFinds(t *testing.T, way string, glance glanceFunc, get *basket.Reader, n int) {
	t.Helper()
	present, tiers := 0, [2]int{}
	for i := range uint32(2 * n) {
		key, dst := []byte(fmt.Sprint("key", i)), []byte("before")
		if i%2 == 1 {
			dst = make([]byte, 6, 100)
			copy(dst, "before")
		}
		want, meta, ok, err := get.Get(100+i, key, []byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		value, m, what := glance(100+i, key, dst)
		switch what {
		case basket.Present:
			present++
			tiers[m.Tier]++
			if !ok || !bytes.Equal(value, want) || m != meta {
				t.Errorf("%s, key %d: %q, %+v; a get: %v, %q, %+v", way, i, value, m, ok, want, meta)
			}
		case basket.Absent:
			if ok || string(value) != "before" || m != (basket.Meta{}) {
				t.Errorf("%s, key %d is absent: %q, %+v; a get: %v", way, i, value, m, ok)
			}
		default:
			t.Errorf("%s, key %d: unsure", way, i)
		}
	}
	if present != n || tiers[0] == 0 || tiers[1] == 0 {
		t.Errorf("%s: %d keys of %d, in tiers %v", way, present, n, tiers)
	}
}

// TestGlance_Counts: it counts a use as a get does in another store, and one that finds nothing counts none.
func TestGlance_Counts(t *testing.T) {
	for _, way := range []string{"at once", "in halves"} {
		g := newGlanced(t)
		glanceCounts(t, g, way, g.glances()[way])
	}
}

func glanceCounts(t *testing.T, g glanced, way string, glance glanceFunc) {
	t.Helper()
	other := newGlanced(t)
	for _, x := range []glanced{g, other} {
		x.set(t, 6, "first", []byte("value"), basket.RecordOptions{})
		x.set(t, 7, "key", []byte("value"), basket.RecordOptions{})
	}
	words, wants := section(t, g.store, basket.SectionTouch), section(t, other.store, basket.SectionTouch)
	get, err := other.store.NewReader(onTable(t, other.store, 2), basket.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		for w := range words {
			if has, want := words[w].Load(), wants[w].Load(); has != want {
				t.Errorf("%s, %d uses: word %d of marks is %#x, want %#x", way, i, w, has, want)
			}
		}
		if _, _, ok, err := get.Get(7, []byte("key"), nil); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if _, _, what := glance(7, []byte("other"), nil); what != basket.Unsure {
			t.Errorf("%s, a key of the same hash: %d", way, what)
		}
		if _, _, what := glance(7, []byte("key"), nil); what != basket.Present {
			t.Errorf("%s, glance %d: %d", way, i, what)
		}
	}
}

// TestGlance_IsUnsure: where the record is not the first one of its chain, or no record can be what is there,
// nothing is known, and dst comes back.
func TestGlance_IsUnsure(t *testing.T) {
	g := newGlanced(t)
	g.set(t, 7, "behind", []byte("value"), basket.RecordOptions{})
	g.set(t, 7, "first", []byte("value"), basket.RecordOptions{})
	unsure := func(name string, hash uint32, key string) {
		t.Helper()
		for way, glance := range g.glances() {
			value, m, what := glance(hash, []byte(key), []byte("x"))
			if what != basket.Unsure || string(value) != "x" || m != (basket.Meta{}) {
				t.Errorf("%s, %s: %d, %q, %+v", name, way, what, value, m)
			}
		}
	}
	unsure("the second one of a chain", 7, "behind")
	unsure("a key that is not in the chain", 7, "none")
	unsure("a reserved hash", 0, "first")
	unsure("the other reserved hash", 1<<32-1, "first")
	if _, _, what := g.store.Glance(g.table, 7, []byte("first"), nil); what != basket.Present {
		t.Errorf("the first one of the chain: %d", what)
	}
	h, err := g.table.NewHandle(3)
	if err != nil {
		t.Fatal(err)
	}
	const units = 8 * 4096 / 8 // of the store
	for hash, ref := range map[uint32]uint32{9: 1, 10: 4096/8 - 3, 11: 1 << 20, 12: 1<<32 - 1, 13: units} {
		if _, err := h.Add(hash, ref); err != nil {
			t.Fatal(err)
		}
		unsure(fmt.Sprint("a ref to nowhere, ", ref), hash, "first")
	}
}
