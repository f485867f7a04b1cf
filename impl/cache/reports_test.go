package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The tests of this file and of its neighbours are named after kinds of failures that other caches have had,
// by what went wrong there: A is the identity of records, B collisions, C values that come back, D accounts
// and eviction, E death, H clocks, I callbacks and latency, J files, parameters and iteration, K rates. G,
// messages, is in impl/slots, impl/remote and clients. Some have no test. C1 and all of F are of loaders, of
// which there are none here: Compute changes a value by the one that it was given, or asks again. E4 is of a
// call that empties a cache while others use it, and there is no such call; TestClose_BesideCalls is the
// nearest one. G5 is of a newcomer that has to catch up with events, and here each event is told within the
// process whose call it was. J4 is of a cache that is saved after it could not be loaded, and nothing here
// saves or loads.

// stamp is a value of n words, each of which is the number.
func stamp(b []byte, n uint64, words int) []byte {
	b = b[:0]
	for range words {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// stamped is the number of a value that is whole.
func stamped(b []byte) (n uint64, whole bool) {
	if len(b) < 8 || len(b)%8 != 0 {
		return 0, false
	}
	n = binary.LittleEndian.Uint64(b)
	for ; len(b) > 0; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != n {
			return 0, false
		}
	}
	return n, true
}

// shorter is n, or less of it in a short run.
func shorter(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// A2: a key that is overwritten all the time is never absent, and no reader sees it go back.
func TestReportA2_HotKeyIsNeverAbsent(t *testing.T) {
	c := open(t, "", Options{Bytes: 4 << 20})
	hot, gets := []byte("hot"), shorter(300000)
	var stop atomic.Bool
	var writer, readers sync.WaitGroup
	if err := c.Set(hot, stamp(nil, 1, 8)); err != nil {
		t.Fatal(err)
	}
	writer.Go(func() {
		var b []byte
		for n := uint64(2); !stop.Load(); n++ {
			b = stamp(b, n, 1+int(n%32))
			if err := c.Set(hot, b); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 2 {
		readers.Go(func() {
			last, dst := uint64(0), make([]byte, 0, 256)
			for range gets {
				v, ok, err := c.Get(hot, dst)
				n, whole := stamped(v)
				if !ok || err != nil || !whole || n < last {
					t.Errorf("after %d: %x, %v, %v", last, v, ok, err)
					return
				}
				last = n
			}
		})
	}
	readers.Wait()
	stop.Store(true)
	writer.Wait()
}

// A5: no value has two stamps, whatever its size.
func TestReportA5_NoTornValues(t *testing.T) {
	c := open(t, "", Options{Bytes: 32 << 20, BasketBytes: 2 << 20})
	for _, words := range []int{1, 512, 1 << 17} {
		k := key(words)
		if err := c.Set(k, stamp(nil, 1, words)); err != nil {
			t.Fatal(err)
		}
		var stop atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			var b []byte
			for n := uint64(2); !stop.Load(); n++ {
				b = stamp(b, n, words)
				if err := c.Set(k, b); err != nil {
					t.Error(err)
					return
				}
			}
		})
		var dst []byte
		for range min(20000, shorter(4<<20)/words) {
			v, ok, err := c.Get(k, dst[:0])
			if _, whole := stamped(v); !ok || err != nil || !whole || len(v) != 8*words {
				t.Errorf("value of %d words: %d bytes, whole %v, %v, %v", words, len(v), whole, ok, err)
				break
			}
			dst = v
		}
		stop.Store(true)
		wg.Wait()
	}
}

// A7: a loop over the cache, while large values overwrite one another, yields nothing that nobody has set.
func TestReportA7_IterationBesideOverwrites(t *testing.T) {
	c := open(t, "", Options{Bytes: 2 << 20, BasketBytes: 128 << 10})
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		r := rand.New(rand.NewPCG(1, 2))
		var b []byte
		for !stop.Load() {
			i := r.Uint64N(40)
			b = stamp(b, i, 1+r.IntN(12000))
			if err := c.Set(key(int(i)), b); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for end := time.Now().Add(time.Duration(shorter(1000)) * time.Millisecond); time.Now().Before(end); {
		seen := map[uint64]bool{}
		err := c.Walk(func(k, v []byte) bool {
			i := binary.BigEndian.Uint64(k)
			if n, whole := stamped(v); !whole || n != i || seen[i] {
				t.Errorf("key %d: %d bytes of %d, whole %v, twice %v", i, len(v), n, whole, seen[i])
			}
			seen[i] = true
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	stop.Store(true)
	wg.Wait()
}

// B1: keys with one hash are different keys: a get finds its own value or none, a delete takes no other.
func TestReportB1_CollidingKeys(t *testing.T) {
	for _, bits := range []int{4, 8} {
		c := open(t, "", Options{Bytes: 8 << 20, BasketBytes: 64 << 10, hashBits: bits})
		n := shorter(10000)
		r := rand.New(rand.NewPCG(3, uint64(bits)))
		value := func(i int) []byte { return bytes.Repeat(key(i), 1+i%50) }
		for i := range n {
			if err := c.Set(key(i), value(i)); err != nil {
				t.Fatal(err)
			}
			if v, ok, err := c.Get(key(i), nil); !ok || err != nil || !bytes.Equal(v, value(i)) {
				t.Fatalf("%d right behind its set: %.20x, %v, %v", i, v, ok, err)
			}
			if j := r.IntN(i + 1); j != i && r.IntN(4) == 0 {
				if _, err := c.Delete(key(j)); err != nil {
					t.Fatal(err)
				}
				if ok, err := c.Contains(key(i)); !ok || err != nil {
					t.Fatalf("a delete of %d took %d: %v, %v", j, i, ok, err)
				}
			}
		}
		found := 0
		for i := range n {
			v, ok, err := c.Get(key(i), nil)
			if err != nil || ok && !bytes.Equal(v, value(i)) {
				t.Fatalf("%d has %.20x, %v, %v", i, v, ok, err)
			}
			if ok {
				found++
			}
		}
		if least := 1 << bits; found < least || found > 8<<bits {
			t.Errorf("%d bits: %d keys are there, want %d to %d", bits, found, least, 8<<bits)
		}
	}
}

// C7: a value that is too large is an error, and the key has what it had. One that just fits replaces it.
func TestReportC7_TooLargeLeavesTheOldValue(t *testing.T) {
	for _, bits := range []int{32, 1} {
		o := small()
		o.BasketBytes, o.hashBits = 16<<10, bits
		c := open(t, "", o)
		set(t, c, "other", "x")
		set(t, c, "k", "old")
		most := c.ValueMax(1)
		if err := c.Set([]byte("k"), make([]byte, most+1)); !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%v", err)
		}
		want(t, c, "k", "old")
		large := bytes.Repeat([]byte{7}, most)
		if err := c.Set([]byte("k"), large); err != nil {
			t.Fatal(err)
		}
		want(t, c, "k", string(large))
		if bits == 32 {
			want(t, c, "other", "x")
		}
	}
}

// C8: a set never overtakes the delete behind it.
func TestReportC8_SetDeleteGet(t *testing.T) {
	for _, bits := range []int{32, 2} {
		o := small()
		o.hashBits = bits
		c := open(t, "", o)
		for i := range shorter(100000) {
			k := key(i % 7)
			if err := c.Set(k, k); err != nil {
				t.Fatal(err)
			}
			if ok, err := c.Delete(k); !ok || err != nil {
				t.Fatalf("delete %d: %v, %v", i, ok, err)
			}
			if _, ok, err := c.Get(k, nil); ok || err != nil {
				t.Fatalf("get %d behind its delete: %v, %v", i, ok, err)
			}
		}
	}
}

// D9: what is larger than the cache is an error at once, and nothing leaves for it.
func TestReportD9_HugeValues(t *testing.T) {
	left := 0
	o := small()
	o.OnEvent = func(Event) { left++ }
	c := open(t, "", o)
	for i := range 50 {
		if err := c.Set(key(i), make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{c.ValueMax(8) + 1, int(c.Options().BasketBytes), 1 << 20, 1 << 27} {
		value := make([]byte, size) // which may take long by itself
		begin := time.Now()
		if err := c.Set(key(0), value); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("%d bytes took %v", size, d)
		}
	}
	if n := c.Len(); n != 50 || left != 0 {
		t.Errorf("%d entries, %d have left", n, left)
	}
	if err := c.Set(make([]byte, KeyMax+1), nil); !errors.Is(err, ErrKey) {
		t.Errorf("a key of %d bytes: %v", KeyMax+1, err)
	}
	if _, ok, err := c.Get(make([]byte, KeyMax+1), nil); ok || err != nil {
		t.Errorf("a key of %d bytes: %v, %v", KeyMax+1, ok, err)
	}
}

// I2: what is told of events may call the cache in any way, and close it.
func TestReportI2_CallbacksCallTheCache(t *testing.T) {
	var c *Cache
	var told, deep atomic.Int32
	o := small()
	o.Writers, o.Readers = 1, 1
	o.OnEvent = func(e Event) {
		told.Add(1)
		if deep.Add(1) > 3 {
			return
		}
		if _, _, err := c.Get(e.Key, nil); err != nil {
			t.Error(err)
		}
		if err := c.Set([]byte("from the callback"), []byte("x")); err != nil {
			t.Error(err)
		}
		if _, err := c.Delete([]byte("from the callback")); err != nil {
			t.Error(err)
		}
		for range c.All() {
			break
		}
		if _, err := c.Stats(); err != nil {
			t.Error(err)
		}
	}
	c = open(t, "", o)
	set(t, c, "k", "1")
	set(t, c, "k", "2")
	if told.Load() < 2 {
		t.Errorf("told of %d events", told.Load())
	}
	closing := small()
	var once atomic.Bool
	var other *Cache
	closing.OnEvent = func(Event) {
		if once.CompareAndSwap(false, true) {
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	other = open(t, "", closing)
	set(t, other, "k", "1")
	set(t, other, "k", "2")
	if !once.Load() {
		t.Error("nothing was told")
	}
	if err := other.Set([]byte("k"), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after the close: %v", err)
	}
}

// J6: a loop yields each key that is there all the time, exactly once, while others come and go.
func TestReportJ6_IterationIsComplete(t *testing.T) {
	const stay = 300
	for _, bits := range []int{0, 7} {
		c := open(t, "", Options{Bytes: 16 << 20, hashBits: bits})
		for i := range stay {
			if err := c.Set(fmt.Appendf(nil, "stay-%d", i), key(i)); err != nil {
				t.Fatal(err)
			}
		}
		kept := map[string]bool{} // chains are bounded: some may have left
		for k := range c.Keys() {
			kept[string(k)] = true
		}
		if bits == 0 && len(kept) != stay {
			t.Fatalf("%d of %d keys", len(kept), stay)
		}
		var stop atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			r := rand.New(rand.NewPCG(5, 6))
			for i := 0; !stop.Load() && bits == 0; i++ {
				if err := c.Set(fmt.Appendf(nil, "go-%d", i%2000), key(i)); err != nil {
					t.Error(err)
				}
				if _, err := c.Delete(fmt.Appendf(nil, "go-%d", r.IntN(2000))); err != nil {
					t.Error(err)
				}
			}
		})
		for range shorter(50) {
			seen := map[string]int{}
			for k := range c.Keys() {
				seen[string(k)]++
			}
			for k := range kept {
				if seen[k] == 0 {
					t.Errorf("%s is missing", k)
				}
			}
			for k, n := range seen {
				if n != 1 {
					t.Errorf("%s comes %d times", k, n)
				}
			}
		}
		stop.Store(true)
		wg.Wait()
	}
}
