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
		g.set(t, 100+i, fmt.Sprint("key", i), bytes.Repeat([]byte{byte(i)}, int(i)), o)
	}
	present := 0
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
		value, m, what := g.store.Glance(g.table, 100+i, key, dst)
		switch what {
		case basket.Present:
			present++
			if !ok || !bytes.Equal(value, want) || m != meta {
				t.Errorf("key %d: %q, %+v; a get: %v, %q, %+v", i, value, m, ok, want, meta)
			}
		case basket.Absent:
			if ok || string(value) != "before" || m != (basket.Meta{}) {
				t.Errorf("key %d is absent: %q, %+v; a get: %v", i, value, m, ok)
			}
		default:
			t.Errorf("key %d: unsure", i)
		}
	}
	if present != n {
		t.Errorf("%d keys of %d", present, n)
	}
}

// TestGlance_Counts: it counts a use as a get does in another store, and one that finds nothing counts none.
func TestGlance_Counts(t *testing.T) {
	g, other := newGlanced(t), newGlanced(t)
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
				t.Errorf("%d uses: word %d of marks is %#x, want %#x", i, w, has, want)
			}
		}
		if _, _, ok, err := get.Get(7, []byte("key"), nil); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if _, _, what := g.store.Glance(g.table, 7, []byte("other"), nil); what != basket.Unsure {
			t.Errorf("a key of the same hash: %d", what)
		}
		if _, _, what := g.store.Glance(g.table, 7, []byte("key"), nil); what != basket.Present {
			t.Errorf("glance %d: %d", i, what)
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
		value, m, what := g.store.Glance(g.table, hash, []byte(key), []byte("x"))
		if what != basket.Unsure || string(value) != "x" || m != (basket.Meta{}) {
			t.Errorf("%s: %d, %q, %+v", name, what, value, m)
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
