package shardmap

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

func newMap(t testing.TB, o Options) *Map[int, string, int] {
	t.Helper()
	m, err := New[int, string, int](o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNew_RefusesOptions(t *testing.T) {
	for _, n := range []int{-1, 3, 2 * MaxShards} {
		if _, err := New[int, int, int](Options{Shards: n}); !errors.Is(err, ErrOptions) ||
			!strings.Contains(err.Error(), fmt.Sprint(n)) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if m := newMap(t, Options{}); m.Shards() != 8 {
		t.Errorf("%d shards, want 8", m.Shards())
	}
	var m *Map[int, string, int]
	if unsafe.Offsetof(m.cleaning)-unsafe.Offsetof(m.asWritten) < lineBytes {
		t.Error("the words of cleanups are on the line that each call reads")
	}
	if size := unsafe.Sizeof(shard[int, string, int]{}); size%lineBytes != 0 {
		t.Errorf("a shard has %d bytes: neighbours share a cache line", size)
	}
}

// What callers forget is named by a panic.
func TestPanics_NameWhatIsMissing(t *testing.T) {
	m := newMap(t, Options{})
	m.Put(5, "", 0)
	var none *Map[int, string, int]
	for says, call := range map[string]func(){
		"make one by New":        func() { none.Get(1) },
		"was not made":           func() { (&Map[int, string, int]{}).Put(1, "", 0) },
		"action 3":               func() { m.GetFunc(5, func(string, int) Action { return 3 }) },
		"no reader":              func() { new(Lock).RUnlock() },
		"no writer":              func() { new(Lock).Unlock() },
		"use Get":                func() { m.GetFunc(1, nil) },
		"use Invalidate":         func() { m.InvalidateIf(1, nil) },
		"OfMeta":                 func() { m.Cleanup(Predicate[int, string, int]{}) },
		"cleanup without a pred": func() { m.FullCleanup(OfMeta[int, string, int](nil)) },
	} {
		if text := panicOf(call); !strings.Contains(text, says) {
			t.Errorf("%q, want %q", text, says)
		}
	}
}

// Each method tells that a map was not made, and a lock whose reader is somebody else has no writer.
func TestPanics_OfAMapThatWasNotMade(t *testing.T) {
	stale := OfMeta[int, string](func(int, int) bool { return true })
	for _, m := range []*Map[int, string, int]{nil, {}} {
		for name, call := range map[string]func(){
			"Get": func() { m.Get(1) }, "Put": func() { m.Put(1, "", 1) }, "Size": func() { m.Size() },
			"GetFunc":      func() { m.GetFunc(1, func(string, int) Action { return Accept }) },
			"Invalidate":   func() { m.Invalidate(1) },
			"InvalidateIf": func() { m.InvalidateIf(1, func(string, int) bool { return true }) },
			"Cleanup":      func() { m.Cleanup(stale) }, "TryCleanup": func() { m.TryCleanup(stale) },
			"FullCleanup": func() { m.FullCleanup(stale) }, "Clear": func() { m.Clear() },
			"All": func() { m.All() }, "Shards": func() { m.Shards() }, "ShardOf": func() { m.ShardOf(1) },
		} {
			text := panicOf(call)
			if !strings.Contains(text, "make one by New") {
				t.Errorf("%s of a map that was not made: %q", name, text)
			}
		}
	}
	var l Lock
	l.RLock()
	if text := panicOf(l.Unlock); !strings.Contains(text, "no writer") {
		t.Errorf("Unlock beside a reader: %q", text)
	}
	l.RUnlock()
	l.Lock()
	if text := panicOf(l.RUnlock); !strings.Contains(text, "no reader") {
		t.Errorf("RUnlock beside a writer: %q", text)
	}
}

// panicOf is what a call panics with, as a text.
func panicOf(call func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	call()
	return ""
}

func TestMap_OneGoroutine(t *testing.T) {
	m := newMap(t, Options{Shards: 4})
	for i := range 100 {
		m.Put(i, fmt.Sprint(i), i)
	}
	m.Put(7, "again", 7)
	if v, ok := m.Get(7); v != "again" || !ok {
		t.Errorf("%q, %v", v, ok)
	}
	if v, ok := m.Get(100); v != "" || ok {
		t.Errorf("%q, %v", v, ok)
	}
	for action, want := range map[Action]bool{Accept: true, Reject: false, Discard: false} {
		v, ok := m.GetFunc(8, func(v string, meta int) Action {
			if v != "8" || meta != 8 {
				t.Errorf("the callback is given %q, %d", v, meta)
			}
			return action
		})
		if ok != want || (v == "8") != want {
			t.Errorf("action %d: %q, %v", action, v, ok)
		}
		_, there := m.Get(8)
		if there != (action != Discard) {
			t.Errorf("after action %d the key is there: %v", action, there)
		}
		m.Put(8, "8", 8)
	}
	if m.InvalidateIf(9, func(v string, meta int) bool { return meta != 9 }) || m.Invalidate(200) {
		t.Error("what is not to go has gone")
	}
	if !m.InvalidateIf(9, func(v string, meta int) bool { return meta == 9 }) || !m.Invalidate(10) {
		t.Error("what is to go stays")
	}
	seen := map[int]bool{}
	for k, v := range m.All() {
		if seen[k] || v == "" {
			t.Errorf("key %d twice, or with %q", k, v)
		}
		seen[k] = true
	}
	if len(seen) != 98 || m.Size() != 98 || m.Clear() != 98 || m.Size() != 0 {
		t.Errorf("%d entries are seen, size %d", len(seen), m.Size())
	}
}

// The forms of a predicate are asked about the same entries; each shard is cleaned in its turn.
func TestCleanup_Forms(t *testing.T) {
	for name, p := range map[string]Predicate[int, string, int]{
		"meta":  OfMeta[int, string](func(_ int, meta int) bool { return meta%2 == 0 }),
		"value": OfValue(func(k int, v string, meta int) bool { return v == fmt.Sprint(k) && meta%2 == 0 }),
		"shard": OfShard(func(k int, _ string, meta, shard int) bool { return shard >= 0 && meta%2 == 0 }),
	} {
		m := newMap(t, Options{})
		for i := range 1000 {
			m.Put(i, fmt.Sprint(i), i)
		}
		removed, shards := 0, map[int]bool{}
		for range m.Shards() {
			r := m.Cleanup(p)
			if shards[r.Shard] || r.Removed == 0 {
				t.Errorf("%s: shard %d again, or nothing removed (%d)", name, r.Shard, r.Removed)
			}
			shards[r.Shard], removed = true, removed+r.Removed
		}
		if removed != 500 || m.Size() != 500 || m.FullCleanup(p) != 0 {
			t.Errorf("%s: %d removed, %d left", name, removed, m.Size())
		}
	}
}

// A value that was put between the phases stays; as written it is lost.
func TestCleanup_FreshValue(t *testing.T) {
	for _, written := range []bool{false, true} {
		m := newMap(t, Options{AsWritten: written})
		m.Put(1, "old", 0)
		s := m.of(1)
		all := s.collect(0, &Predicate[int, string, int]{meta: func(_, meta int) bool { return meta == 0 }})
		m.Put(1, "fresh", 1)
		for _, c := range all {
			m.eraseCollected(s, c.key, c.version)
		}
		if _, ok := m.Get(1); len(all) != 1 || ok == written {
			t.Errorf("as written %v: the fresh value is there: %v", written, ok)
		}
	}
}

// A panic of a callback or a predicate leaves no lock and no flag behind.
func TestPanics_GiveLocksBack(t *testing.T) {
	m := newMap(t, Options{Shards: 2})
	for i := range 10 {
		m.Put(i, "", i)
	}
	throw := OfMeta[int, string](func(int, int) bool { panic("thrown") })
	for name, call := range map[string]func(){
		"get":        func() { m.GetFunc(1, func(string, int) Action { panic("thrown") }) },
		"invalidate": func() { m.InvalidateIf(1, func(string, int) bool { panic("thrown") }) },
		"cleanup":    func() { m.Cleanup(throw) },
		"try":        func() { m.TryCleanup(throw) },
		"full":       func() { m.FullCleanup(throw) },
	} {
		func() {
			defer func() {
				if recover() != "thrown" {
					t.Errorf("%s: the panic does not reach the caller", name)
				}
			}()
			call()
		}()
		v := m.Inspect()
		if v.Cleaning || v.Locks[0]|v.Locks[1] != 0 {
			t.Errorf("%s leaves locks %v, flag %v", name, v.Locks, v.Cleaning)
		}
		m.Put(100, "", 0)
		m.Cleanup(OfMeta[int, string](func(int, int) bool { return false }))
	}
}

func TestTryCleanup_GivesUp(t *testing.T) {
	m := newMap(t, Options{})
	m.Put(1, "", 0)
	never := OfMeta[int, string](func(int, int) bool { return false })
	inner := true
	m.FullCleanup(OfMeta[int, string](func(int, int) bool {
		_, inner = m.TryCleanup(never)
		return false
	}))
	if _, outer := m.TryCleanup(never); inner || !outer {
		t.Errorf("within a cleanup it ran: %v, without one: %v", inner, outer)
	}
}

// Numbers that follow one another are spread evenly over the shards, whatever their type.
func TestShardOf_Spreads(t *testing.T) {
	spread(t, func(i int) int { return i })
	spread(t, func(i int) uint32 { return uint32(i) })
	spread(t, func(i int) int16 { return int16(i) })
	spread(t, func(i int) string { return fmt.Sprint(i) })
}

func spread[K comparable](t *testing.T, key func(int) K) {
	m, err := New[K, int, struct{}](Options{Shards: 16})
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, m.Shards())
	for i := range 16000 {
		counts[m.ShardOf(key(i))]++
	}
	for i, n := range counts {
		if n < 800 || n > 1200 {
			t.Errorf("%T: shard %d has %d of 16000 keys, want about 1000", key(0), i, n)
		}
	}
}

// Many goroutines: nothing is lost, and a writer is alone.
func TestLock_Excludes(t *testing.T) {
	var l Lock
	var wait sync.WaitGroup
	counter, inside := 0, 0
	for range 4 {
		wait.Go(func() {
			for i := range 2000 {
				if i%4 == 0 {
					l.Lock()
					inside++
					counter++
					if inside != 1 {
						t.Error("a writer is not alone")
					}
					inside--
					l.Unlock()
					continue
				}
				l.RLock()
				if inside != 0 {
					t.Error("a reader is inside with a writer")
				}
				l.RUnlock()
			}
		})
	}
	wait.Wait()
	if counter != 4*500 {
		t.Errorf("%d writes, want 2000", counter)
	}
}

func TestMap_ManyGoroutines(t *testing.T) {
	m := newMap(t, Options{Shards: 2})
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 2000 {
				k := i % 16
				switch (i + g) % 5 {
				case 0, 1:
					m.Put(k, fmt.Sprint(k), 1)
				case 2:
					if v, ok := m.Get(k); ok && v != fmt.Sprint(k) {
						t.Errorf("key %d has %q", k, v)
					}
				case 3:
					m.TryCleanup(OfMeta[int, string](func(key, _ int) bool { return key%3 == 0 }))
				default:
					m.Invalidate(k)
				}
			}
		})
	}
	wait.Wait()
	if v := m.Inspect(); v.Cleaning || v.Locks[0]|v.Locks[1] != 0 || m.Size() > 16 {
		t.Errorf("left behind: %+v, %d entries", v, m.Size())
	}
}

func TestMap_HitAllocatesNothing(t *testing.T) {
	m := newMap(t, Options{})
	m.Put(1, "one", 1)
	if n := testing.AllocsPerRun(100, func() { m.Get(1) }); n != 0 {
		t.Errorf("a get allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { m.Put(1, "two", 2) }); n != 0 {
		t.Errorf("a put of a key that is there allocates %v times", n)
	}
}

func ExampleMap() {
	m, err := New[int, string, int](Options{})
	if err != nil {
		panic(err)
	}
	m.Put(7, "seven", 1)
	m.Put(8, "eight", 2)
	fmt.Println(m.Get(7))
	fmt.Println(m.FullCleanup(OfMeta[int, string](func(_, age int) bool { return age < 2 })))
	fmt.Println(m.Get(7))
	// Output:
	// seven true
	// 1
	//  false
}
