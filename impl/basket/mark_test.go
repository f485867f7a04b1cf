package basket_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// mark marks a key, or takes the mark away, and reports whether the key was there.
func mark(t testing.TB, w *basket.Writer, hash uint32, key []byte, suspect bool) bool {
	t.Helper()
	for {
		f, _, err := w.Find(hash, key, nil)
		if err != nil {
			t.Error(err)
			return false
		}
		if ok, err := w.Mark(f, suspect); err != nil {
			t.Error(err)
			return false
		} else if ok {
			return f.OK()
		}
	}
}

// TestMark_KeepsTheEntry: random sets, deletes and marks of keys that share chains, in a store that compacts
// and evicts all the time. A mark changes nothing but the flag; a set takes it away; moves keep it.
func TestMark_KeepsTheEntry(t *testing.T) {
	const bits, keys, rounds = 3, 16, 30_000
	l := basket.Layout{Baskets: 8, BasketBytes: 512, Writers: 2}
	c := checked{newStore(t, l, 0), newWords(1<<bits, 1)}
	m := &told{t, map[string]string{}, map[basket.Reason]int{}}
	marked, expires, replaced := map[string]bool{}, map[string]uint64{}, 0
	w := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{Tell: m.tell})
	random := rand.New(rand.NewPCG(11, 12))
	seen := 0
	for n := range rounds {
		key := fmt.Appendf(nil, "key%0*d", 1+random.IntN(2)*8, random.IntN(keys))
		hash, k := hashOf(key, bits), string(key)
		_, had := m.all[k]
		switch random.IntN(6) {
		case 0:
			o := basket.RecordOptions{Expires: random.Uint64N(2) * 5000}
			value := fmt.Sprintf("%s=%d%0*d", key, n, random.IntN(40), 0)
			set(t, w, hash, key, []byte(value), o)
			if m.count[basket.ReasonReplaced] > replaced && !had {
				t.Fatalf("round %d: a set of an absent key has replaced something", n)
			}
			m.all[k], marked[k], expires[k] = value, false, o.Expires
		case 1:
			remove(t, w, hash, key)
		case 2, 3:
			suspect := random.IntN(3) > 0
			if mark(t, w, hash, key, suspect) {
				marked[k] = suspect
			}
			if m.count[basket.ReasonReplaced] != replaced {
				t.Fatalf("round %d: a mark has told that it replaced a value", n)
			}
		default:
			value, meta, ok, err := w.Get(hash, key, nil)
			want, is := m.all[k]
			if err != nil || ok != is || ok && (string(value) != want || meta.Suspect != marked[k] ||
				meta.Expires != expires[k]) {
				t.Fatalf("round %d: get of %s is %q %+v %v %v, want %q, marked %v, expires %d", n, key, value,
					meta, ok, err, want, marked[k], expires[k])
			}
			if has, _, err := w.Has(hash, key); has != meta || err != nil {
				t.Fatalf("round %d: has of %s is %+v %v, get said %+v", n, key, has, err, meta)
			}
			if ok && meta.Suspect {
				seen++
			}
		}
		replaced = m.count[basket.ReasonReplaced]
	}
	if seen < rounds/50 || m.count[basket.ReasonEvicted] == 0 {
		t.Errorf("%d marks were seen, and %v told: the test looks at nothing", seen, m.count)
	}
	c.check(t)
}

// TestC19_ASetWinsOverAMark: of a mark and a set of one key, whichever finds the other one in between begins
// anew. So the value that was set is there in either order, and it is not marked if the set came last.
func TestC19_ASetWinsOverAMark(t *testing.T) {
	l := basket.Layout{Baskets: 6, BasketBytes: 512, Writers: 2}
	c := checked{newStore(t, l, 0), newWords(8, 2)}
	setter := newWriter(t, c.Store, c.actor(0), basket.WriterOptions{})
	marker := newWriter(t, c.Store, c.actor(1), basket.WriterOptions{})
	key, other := []byte("key"), []byte("other")
	is := func(want string, suspect bool) {
		t.Helper()
		value, meta, ok, err := setter.Get(1, key, nil)
		if string(value) != want || !ok || err != nil || meta.Suspect != suspect {
			t.Errorf("%q %+v %v %v, want %q, marked %v", value, meta, ok, err, want, suspect)
		}
	}
	set(t, setter, 1, key, []byte("old"), basket.RecordOptions{})
	set(t, setter, 1, other, []byte("x"), basket.RecordOptions{})

	f, _, err := marker.Find(1, key, nil) // the mark begins, and a set comes between
	set(t, setter, 1, key, []byte("new"), basket.RecordOptions{})
	if ok, err2 := marker.Mark(f, true); ok || err != nil || err2 != nil {
		t.Errorf("a mark whose ticket is void: %v %v %v", ok, err, err2)
	}
	is("new", false)

	f, _, err = setter.Find(1, key, nil) // the set begins, and a mark comes between
	mark(t, marker, 1, key, true)
	is("new", true)
	ok, err2 := setter.Replace(f, []byte("newest"), basket.RecordOptions{})
	if ok || err != nil || err2 != nil {
		t.Errorf("a set whose ticket is void: %v %v %v", ok, err, err2)
	}
	set(t, setter, 1, key, []byte("newest"), basket.RecordOptions{})
	is("newest", false)

	f, _, err = marker.Find(1, key, nil) // a delete comes between
	remove(t, setter, 1, key)
	if ok, err2 := marker.Mark(f, true); ok || err != nil || err2 != nil {
		t.Errorf("a mark of a key that was deleted meanwhile: %v %v %v", ok, err, err2)
	}
	if _, _, ok, err := setter.Get(1, key, nil); ok || err != nil {
		t.Errorf("a mark has brought a deleted key back: %v %v", ok, err)
	}
	if mark(t, marker, 1, key, true) {
		t.Error("an absent key was marked")
	}
	c.check(t)
	if err := marker.Close(); err != nil {
		t.Error(err)
	}
	if _, err := marker.Mark(f, true); !errors.Is(err, basket.ErrClosed) {
		t.Errorf("a mark after the close: %v", err)
	}
}
