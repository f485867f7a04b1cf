package basket_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// newStore is a store on the heap, with a table of that many cells a half beside it if there are any.
func newStore(t testing.TB, l basket.Layout, cells uint32) *basket.Store {
	t.Helper()
	layout := region.Layout{l.Part()}
	if cells > 0 {
		layout = append(layout, hopscotch.Layout{CellsPerHalf: cells, Window: 32, Descriptors: 16}.Part())
	}
	r, err := region.Heap(layout)
	if err != nil {
		t.Fatal(err)
	}
	s, err := basket.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onTable is an index in the table of the store's region.
func onTable(t testing.TB, s *basket.Store, owner uint64) basket.Index {
	t.Helper()
	table, err := hopscotch.New(s.Region())
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(owner)
	if err != nil {
		t.Fatal(err)
	}
	return basket.OnTable(h)
}

func newWriter(t testing.TB, s *basket.Store, x basket.Index, o basket.WriterOptions) *basket.Writer {
	t.Helper()
	w, err := s.NewWriter(x, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// set sets a key, with as many tries as that takes.
func set(t testing.TB, w *basket.Writer, hash uint32, key, value []byte, o basket.RecordOptions) {
	for {
		f, _, err := w.Find(hash, key, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if ok, err := w.Replace(f, value, o); err != nil {
			t.Error(err)
			return
		} else if ok {
			return
		}
	}
}

// remove removes a key, and reports whether it was there.
func remove(t testing.TB, w *basket.Writer, hash uint32, key []byte) bool {
	for {
		f, _, err := w.Find(hash, key, nil)
		if err != nil {
			t.Error(err)
			return false
		}
		if ok, err := w.Remove(f, basket.ReasonDeleted); err != nil {
			t.Error(err)
			return false
		} else if ok {
			return f.OK()
		}
	}
}

// hashOf cuts a hash of the key to some bits, and one more so that it is not 0.
func hashOf(key []byte, bits int) uint32 {
	h := uint64(14695981039346656037)
	for _, c := range key {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>29) * 0x9E3779B97F4A7C15
	return uint32(h>>32)&(1<<bits-1) + 1
}

// told is the map with told removals: the content of the store according to the calls and the told events.
type told struct {
	t     *testing.T
	all   map[string]string
	count map[basket.Reason]int
}

func (m *told) tell(l basket.Leaving) {
	m.count[l.Reason]++
	if is, ok := m.all[string(l.Key)]; !ok || is != string(l.Value) {
		m.t.Errorf("told %v of key %x with a value of %d bytes, but it has %d (there: %v)", l.Reason, l.Key,
			len(l.Value), len(is), ok)
	}
	if l.Reason != basket.ReasonReplaced {
		delete(m.all, string(l.Key))
	}
}

// TestStore_IsAMapWithToldRemovals: for random calls of one writer, each answer is that of a map from which
// deleted and told entries are removed, each with exactly the value that it had; and each reason occurs.
// Hashes are cut to 4 bits, so that most keys share chains, and a basket has few records.
func TestStore_IsAMapWithToldRemovals(t *testing.T) {
	for _, kind := range []string{"double", "crowded double", "table", "crowded table"} {
		t.Run(kind, func(t *testing.T) { likeAMap(t, kind) })
	}
}

func likeAMap(t *testing.T, kind string) {
	const rounds = 60000
	bits, keys, baskets := 4, 20, uint32(8)
	if kind == "crowded table" {
		bits, keys, baskets = 9, 300, 64 // of 64 cells
	}
	s := newStore(t, basket.Layout{Baskets: baskets, BasketBytes: 512, Writers: 4}, 32)
	x := map[string]func() basket.Index{
		"double": func() basket.Index { return newWords(1<<bits, 1).actor(0) },
		"crowded double": func() basket.Index {
			w := newWords(1<<bits, 1)
			w.crowd, w.move = 3, 5
			return w.actor(0)
		},
		"table":         func() basket.Index { return onTable(t, s, 1) },
		"crowded table": func() basket.Index { return onTable(t, s, 1) },
	}[kind]()
	m := &told{t, map[string]string{}, map[basket.Reason]int{}}
	now := uint64(1000)
	w := newWriter(t, s, x, basket.WriterOptions{Tell: m.tell, Now: func() uint64 { return now }})
	random := rand.New(rand.NewPCG(1, 2))
	expires := map[string]uint64{}
	hits := 0
	for range rounds {
		now += uint64(random.IntN(2))
		key := fmt.Appendf(nil, "key%0*d", 1+random.IntN(2)*8, random.IntN(keys))
		hash := hashOf(key, bits)
		switch random.IntN(8) {
		case 0, 1, 2:
			value := bytes.Repeat([]byte{byte(random.Uint32())}, random.IntN(90))
			o := basket.RecordOptions{}
			if random.IntN(4) == 0 {
				o.Expires = now + uint64(random.IntN(50))
			}
			set(t, w, hash, key, value, o)
			m.all[string(key)], expires[string(key)] = string(value), o.Expires
		case 3:
			_, is := m.all[string(key)]
			lives := is && (expires[string(key)] == 0 || expires[string(key)] > now)
			evicted := m.count[basket.ReasonEvicted] // the delete may have made room for copies
			was := remove(t, w, hash, key)
			lost := lives && !was && m.count[basket.ReasonEvicted] > evicted
			if _, is = m.all[string(key)]; is || was != lives && !lost {
				t.Fatalf("key %s: removed %v, want %v; by what was told it is there: %v", key, was, lives, is)
			}
		default:
			value, meta, ok, err := w.Get(hash, key, []byte("before"))
			want, is := m.all[string(key)]
			is = is && (expires[string(key)] == 0 || expires[string(key)] > now)
			if err != nil || ok != is || ok && string(value) != "before"+want {
				t.Fatalf("get of %s is %q %v %v, want %q %v", key, value, ok, err, want, is)
			}
			if at, has, err := w.Has(hash, key); at != meta || has != ok || err != nil {
				t.Fatalf("has of %s is %v %v %v, get said %v %v", key, at, has, err, meta, ok)
			}
			if ok {
				hits++
			}
		}
	}
	if hits < rounds/100 {
		t.Errorf("%d hits of %d rounds: the test looks at nothing", hits, rounds)
	}
	m.judge(w, kind)
	if err := w.Close(); err != nil || !errors.Is(w.Close(), basket.ErrClosed) {
		t.Errorf("close: %v", err)
	}
}

// judge compares the told events with the tally: each reason must have occurred.
func (m *told) judge(w *basket.Writer, kind string) {
	for _, r := range []basket.Reason{basket.ReasonReplaced, basket.ReasonDeleted, basket.ReasonExpired,
		basket.ReasonEvicted} {
		if kind == "crowded table" && r == basket.ReasonEvicted {
			continue // the index is full before the baskets are
		}
		if m.count[r] == 0 || w.Tally().Of(r) != uint64(m.count[r]) {
			m.t.Errorf("%v was told %d times, the tally has %d", r, m.count[r], w.Tally().Of(r))
		}
	}
	if full := m.count[basket.ReasonIndexFull]; strings.HasPrefix(kind, "crowded") != (full > 0) {
		m.t.Errorf("%v was told %d times", basket.ReasonIndexFull, full)
	}
}

// stamp is a value that is set only once: the key, the number, and both again at its end.
func stamp(key []byte, n uint64, size int) []byte {
	v := binary.BigEndian.AppendUint64(append([]byte{}, key...), n)
	return append(append(v, make([]byte, size)...), v...)
}

// TestStore_TellsEachValueOnce: each value that one of several goroutines sets is told once, or is there at
// the end. No get returns a value that was not set, and all are whole.
func TestStore_TellsEachValueOnce(t *testing.T) {
	for _, kind := range []string{"double", "crowded double", "table", "crowded table"} {
		t.Run(kind, func(t *testing.T) { tellOnce(t, kind) })
	}
}
