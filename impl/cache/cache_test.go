package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
)

// open is a cache on the heap, or in a file, which ends with the test.
func open(t testing.TB, path string, o Options) *Cache {
	t.Helper()
	c, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return c
}

// small is a cache of 1 MiB without a janitor, so that a test decides what happens when.
func small() Options { return Options{Bytes: 1 << 20, NoJanitor: true} }

func set(t testing.TB, c *Cache, key, value string) {
	t.Helper()
	if err := c.Set([]byte(key), []byte(value)); err != nil {
		t.Fatalf("set %s: %v", key, err)
	}
}

// want holds what the key has against a value; "" stands for none.
func want(t testing.TB, c *Cache, key, value string) {
	t.Helper()
	got, ok, err := c.Get([]byte(key), nil)
	if err != nil || ok != (value != "") || string(got) != value {
		t.Errorf("get %s: %.40q, %v, %v; want %.40q", key, got, ok, err, value)
	}
}

func key(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// Each call does what a map does.
func TestCache_IsAMap(t *testing.T) {
	for _, o := range []Options{small(), {Bytes: 1 << 20, NoJanitor: true, hashBits: 2},
		{Bytes: 1 << 20, Hash: HashSip}} {
		c := open(t, "", o)
		want(t, c, "a", "")
		set(t, c, "a", "1")
		want(t, c, "a", "1")
		set(t, c, "a", "22")
		set(t, c, "b", "3")
		want(t, c, "a", "22")
		if set, err := c.SetIfAbsent([]byte("a"), []byte("x")); set || err != nil {
			t.Errorf("set if absent: %v, %v", set, err)
		}
		if set, err := c.SetIfAbsent([]byte("c"), []byte("4")); !set || err != nil {
			t.Errorf("set if absent: %v, %v", set, err)
		}
		want(t, c, "c", "4")
		if ok, err := c.CompareAndSwap([]byte("a"), []byte("2"), []byte("x")); ok || err != nil {
			t.Errorf("swap: %v, %v", ok, err)
		}
		if ok, err := c.CompareAndSwap([]byte("a"), []byte("22"), []byte("5")); !ok || err != nil {
			t.Errorf("swap: %v, %v", ok, err)
		}
		if ok, err := c.CompareAndSwap([]byte("none"), nil, []byte("5")); ok || err != nil {
			t.Errorf("swap: %v, %v", ok, err)
		}
		want(t, c, "a", "5")
		for _, first := range []bool{true, false} {
			if deleted, err := c.Delete([]byte("a")); deleted != first || err != nil {
				t.Errorf("delete: %v, %v, want %v", deleted, err, first)
			}
		}
		want(t, c, "a", "")
		want(t, c, "b", "3")
		if ok, err := c.Contains([]byte("b")); !ok || err != nil {
			t.Errorf("contains: %v, %v", ok, err)
		}
		if ok, err := c.Contains([]byte("a")); ok || err != nil {
			t.Errorf("contains: %v, %v", ok, err)
		}
		if v, ok, err := c.Peek([]byte("b"), []byte("<")); !ok || err != nil || string(v) != "<3" {
			t.Errorf("peek: %q, %v, %v", v, ok, err)
		}
		if n := c.Len(); n != 2 {
			t.Errorf("%d entries, want 2", n)
		}
	}
}

// Empty keys and values are keys and values, nil or not.
func TestCache_EmptyIsNotNothing(t *testing.T) {
	c := open(t, "", small())
	for _, k := range [][]byte{nil, {}} {
		if _, ok, err := c.Get(k, nil); ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
		if err := c.Set(k, nil); err != nil {
			t.Fatal(err)
		}
		if v, ok, err := c.Get(k, []byte("x")); !ok || err != nil || string(v) != "x" {
			t.Errorf("%q, %v, %v", v, ok, err)
		}
		if ok, err := c.CompareAndSwap(nil, []byte{}, []byte("y")); !ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
		if v, ok, err := c.Compute(k, func(old []byte, ok bool) ([]byte, Op) {
			if !ok || string(old) != "y" {
				t.Errorf("compute is given %q, %v", old, ok)
			}
			return nil, Write
		}); !ok || err != nil || v == nil || len(v) != 0 {
			t.Errorf("%q, %v, %v", v, ok, err)
		}
		if ok, err := c.Delete(k); !ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
	}
}

// What is handed to dst stays; what a call returns without a value is dst as it was.
func TestGet_AppendsToDst(t *testing.T) {
	c := open(t, "", small())
	set(t, c, "k", "value")
	dst := append(make([]byte, 0, 100), "head "...)
	got, ok, err := c.Get([]byte("k"), dst)
	if string(got) != "head value" || !ok || err != nil || &got[0] != &dst[0] {
		t.Errorf("%q, %v, %v", got, ok, err)
	}
	if got, ok, err = c.Get([]byte("none"), dst); string(got) != "head " || ok || err != nil {
		t.Errorf("%q, %v, %v", got, ok, err)
	}
	seen := ""
	if ok, err := c.View([]byte("k"), func(v []byte) { seen = string(v); set(t, c, "k", "next") }); !ok ||
		err != nil || seen != "value" {
		t.Errorf("view: %q, %v, %v", seen, ok, err)
	}
	if ok, err := c.View([]byte("none"), func([]byte) { t.Error("a view of nothing") }); ok || err != nil {
		t.Errorf("view: %v, %v", ok, err)
	}
	want(t, c, "k", "next")
}

func TestGetBatch_AsManyGets(t *testing.T) {
	c := open(t, "", small())
	var keys [][]byte
	for i := range 100 {
		keys = append(keys, key(i))
		if i%3 != 0 {
			if err := c.Set(key(i), bytes.Repeat([]byte{byte(i)}, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	values := make([][]byte, len(keys))
	all, n, err := c.GetBatch(keys, values, []byte("head"))
	if err != nil || n != 66 || string(all[:4]) != "head" {
		t.Fatalf("%d, %v", n, err)
	}
	for i, v := range values {
		if i%3 == 0 && v != nil || i%3 != 0 && !bytes.Equal(v, bytes.Repeat([]byte{byte(i)}, i)) {
			t.Errorf("value %d is %x", i, v)
		}
		if cap(v) != len(v) {
			t.Errorf("an append to value %d would be one to the next", i)
		}
	}
	if _, _, err := c.GetBatch(keys, values[1:], nil); !errors.Is(err, ErrBatch) {
		t.Errorf("%v", err)
	}
	if s, err := c.Stats(); err != nil || s.Hits != 66 || s.Misses != 34 || s.Sets != 66 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What is empty is there, and what is absent is nil, wherever the values go. A key may come twice, and there
// may be none.
func TestGetBatch_EmptyIsNotNothing(t *testing.T) {
	c := open(t, "", small())
	if err := c.Set([]byte("empty"), nil); err != nil {
		t.Fatal(err)
	}
	set(t, c, "a", "1")
	keys := [][]byte{[]byte("empty"), []byte("none"), []byte("a"), []byte("a"), nil, []byte("empty")}
	for _, dst := range [][]byte{nil, {}, []byte("head"), make([]byte, 0, 100)} {
		values := make([][]byte, len(keys))
		all, n, err := c.GetBatch(keys, values, dst)
		if err != nil || n != 4 || string(all) != string(dst)+"11" {
			t.Errorf("%q, %d, %v", all, n, err)
		}
		text := ""
		for _, v := range values {
			text += fmt.Sprintf("%q %v ", v, v == nil)
		}
		if text != `"" false "" true "1" false "1" false "" true "" false ` {
			t.Errorf("into %q: %s", dst, text)
		}
	}
	if all, n, err := c.GetBatch(nil, nil, []byte("head")); string(all) != "head" || n != 0 || err != nil {
		t.Errorf("of no keys: %q, %d, %v", all, n, err)
	}
}

// A function of a compute that returns none of the operations changes nothing.
func TestCompute_UnknownOperation(t *testing.T) {
	c := open(t, "", small())
	set(t, c, "k", "v")
	for _, op := range []Op{WriteKeepTTL + 1, 255} {
		for _, k := range []string{"k", "none"} {
			v, ok, err := c.Compute([]byte(k), func([]byte, bool) ([]byte, Op) { return []byte("x"), op })
			if v != nil || ok || !errors.Is(err, ErrOp) {
				t.Errorf("%d of %s: %q, %v, %v", op, k, v, ok, err)
			}
		}
	}
	want(t, c, "k", "v")
	want(t, c, "none", "")
}

func TestAdd_Counts(t *testing.T) {
	c := open(t, "", small())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				if _, err := c.Add([]byte("n"), 3); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n, err := c.Add([]byte("n"), -1); n != 11999 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	set(t, c, "text", "no counter")
	if _, err := c.Add([]byte("text"), 1); !errors.Is(err, ErrCounter) {
		t.Errorf("%v", err)
	}
	want(t, c, "text", "no counter")
	if _, err := c.Add([]byte("n"), math.MaxInt64); !errors.Is(err, ErrOverflow) {
		t.Errorf("%v", err)
	}
	if _, err := c.Add([]byte("m"), -2); err != nil {
		t.Error(err)
	}
	if _, err := c.Add([]byte("m"), math.MinInt64); !errors.Is(err, ErrOverflow) {
		t.Errorf("%v", err)
	}
	if n, err := c.Add([]byte("n"), 0); n != 11999 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, end := range []struct{ last, step int64 }{{math.MaxInt64, 1}, {math.MinInt64, -1}} {
		k := fmt.Append(nil, "end ", end.step)
		if n, err := c.Add(k, end.last); n != end.last || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if _, err := c.Add(k, end.step); !errors.Is(err, ErrOverflow) {
			t.Errorf("one step behind %d: %v", end.last, err)
		}
		if n, err := c.Add(k, -end.step); n != end.last-end.step || err != nil {
			t.Errorf("one step back from %d: %d, %v", end.last, n, err)
		}
	}
	typed, err := NewTyped[string, int64](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok, err := typed.Get("n"); n != 11999 || !ok || err != nil {
		t.Errorf("%d, %v, %v", n, ok, err)
	}
}

// The function of a compute may call the cache, for the same key too: then it is called again.
func TestCompute_IsAskedAgain(t *testing.T) {
	c := open(t, "", small())
	calls := 0
	v, ok, err := c.Compute([]byte("k"), func(old []byte, ok bool) ([]byte, Op) {
		if calls++; calls == 1 {
			set(t, c, "k", "meanwhile")
		}
		return append(old, '!'), Write
	})
	if string(v) != "meanwhile!" || !ok || err != nil || calls != 2 {
		t.Errorf("%q, %v, %v after %d calls", v, ok, err, calls)
	}
	v, ok, err = c.Compute([]byte("k"), func(old []byte, ok bool) ([]byte, Op) { return nil, Keep })
	if string(v) != "meanwhile!" || !ok || err != nil {
		t.Errorf("keep: %q, %v, %v", v, ok, err)
	}
	v, ok, err = c.Compute([]byte("k"), func(old []byte, ok bool) ([]byte, Op) { return old, Remove })
	if v != nil || ok || err != nil {
		t.Errorf("remove: %q, %v, %v", v, ok, err)
	}
	for _, op := range []Op{Keep, Remove} {
		v, ok, err = c.Compute([]byte("k"), func(old []byte, ok bool) ([]byte, Op) { return old, op })
		if v != nil || ok || err != nil {
			t.Errorf("%v of nothing: %q, %v, %v", op, v, ok, err)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				_, _, err := c.Compute([]byte("sum"), func(old []byte, ok bool) ([]byte, Op) {
					if !ok {
						return binary.LittleEndian.AppendUint64(nil, 1), Write
					}
					binary.LittleEndian.PutUint64(old, binary.LittleEndian.Uint64(old)+1) // in place
					return old, Write
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n, err := c.Add([]byte("sum"), 0); n != 2000 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestTyped_IsAMap(t *testing.T) {
	c := open(t, "", small())
	m, err := NewTyped[userID, string](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Set(1, "one"); err != nil {
		t.Fatal(err)
	}
	if set, err := m.SetIfAbsent(2, "two"); !set || err != nil {
		t.Errorf("%v, %v", set, err)
	}
	if ok, err := m.CompareAndSwap(2, "two", "zwei"); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	v, ok, err := m.Compute(3, func(old string, ok bool) (string, Op) { return old + "three", Write })
	if v != "three" || !ok || err != nil {
		t.Errorf("%q, %v, %v", v, ok, err)
	}
	keep := func(string, bool) (string, Op) { return "", Keep }
	if v, ok, err = m.Compute(3, keep); v != "three" || !ok || err != nil {
		t.Errorf("%q, %v, %v", v, ok, err)
	}
	if ok, err := m.Contains(3); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	got := map[userID]string{}
	for k, v := range m.All() {
		got[k] = v
	}
	if fmt.Sprint(got) != "map[1:one 2:zwei 3:three]" {
		t.Error(got)
	}
	if ok, err := m.Delete(2); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if _, ok, err := m.Get(2); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	set(t, c, "12345678", "bytes") // a key of a userID's length
	numbers, err := NewTyped[userID, int](c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := numbers.Get(1); !errors.Is(err, ErrCodec) {
		t.Errorf("a string as a number: %v", err)
	}
	if m.Cache() != c {
		t.Error("another cache")
	}
}

func TestAll_EachKeyOnce(t *testing.T) {
	for _, bits := range []int{0, 3} {
		o := small()
		o.hashBits = bits
		c := open(t, "", o)
		n := 200
		if bits != 0 {
			n = 30 // chains are bounded
		}
		for i := range n {
			if err := c.Set(key(i), key(-i)); err != nil {
				t.Fatal(err)
			}
		}
		var seen []uint64
		for k, v := range c.All() {
			i := binary.BigEndian.Uint64(k)
			if !bytes.Equal(v, key(-int(i))) {
				t.Errorf("key %d has %x", i, v)
			}
			seen = append(seen, i)
		}
		slices.Sort(seen)
		if all := len(seen); len(slices.Compact(seen)) != all || all != n && bits == 0 || all != c.Len() {
			t.Errorf("%d keys of %d, Len says %d", len(seen), n, c.Len())
		}
		keys, values := 0, 0
		for range c.Keys() {
			keys++
		}
		for range c.Values() {
			if values++; values == 3 {
				break
			}
		}
		if keys != len(seen) || values != 3 {
			t.Errorf("%d keys and %d values", keys, values)
		}
	}
}

// A call that starts again and again, here since its own function changes the key, ends.
func TestCompute_Ends(t *testing.T) {
	c := open(t, "", small())
	n := 0
	_, _, err := c.Compute([]byte("k"), func([]byte, bool) ([]byte, Op) {
		if n++; n > triesMost+1 {
			t.Fatal("it goes on for ever")
		}
		set(t, c, "k", fmt.Sprint(n))
		return []byte("x"), Write
	})
	if !errors.Is(err, ErrBusy) {
		t.Errorf("after %d calls of its function: %v", n, err)
	}
	want(t, c, "k", fmt.Sprint(n))
}
