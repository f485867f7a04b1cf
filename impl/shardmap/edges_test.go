package shardmap

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// What faults of the code have shown that nobody looked at. These tests run in both builds.

// A predicate that is none is refused before a cleanup takes the flag, or waits for it.
func TestEdges_NoPredicateTakesNothing(t *testing.T) {
	m := newMap(t, Options{})
	m.Put(1, "", 0)
	var none Predicate[int, string, int]
	calls := map[string]func(){"Cleanup": func() { m.Cleanup(none) },
		"TryCleanup": func() { m.TryCleanup(none) }, "FullCleanup": func() { m.FullCleanup(none) }}
	for name, call := range calls {
		if text := panicOf(call); !strings.Contains(text, "without a predicate") || m.Inspect().Cleaning {
			t.Errorf("%s: %q, the flag is %v", name, text, m.Inspect().Cleaning)
		}
	}
	m.FullCleanup(OfMeta[int, string](func(int, int) bool {
		for name, call := range calls {
			text := panicOf(call)
			if !strings.Contains(text, "without a predicate") || !m.Inspect().Cleaning {
				t.Errorf("%s within a cleanup: %q, the flag is %v", name, text, m.Inspect().Cleaning)
			}
		}
		return false
	}))
}

// A cleanup says what it did, and where: the rotation begins with the first shard and comes back to it.
func TestEdges_Rotation(t *testing.T) {
	m := newMap(t, Options{Shards: 2})
	for i := range 20 {
		m.Put(i, "", i)
	}
	all := OfMeta[int, string](func(int, int) bool { return true })
	for i, want := range []int{0, 1, 0} {
		before := m.Size()
		r := m.Cleanup(all)
		if r.Shard != want || r.Removed != before-m.Size() || (r.Removed > 0) != (i < 2) {
			t.Errorf("cleanup %d: %+v, %d entries have gone", i, r, before-m.Size())
		}
	}
	m.Rotate(1)
	if r, ok := m.TryCleanup(all); !ok || r.Shard != 1 || m.Inspect().Cursor != 2 {
		t.Errorf("after Rotate: %+v, %v, the cursor is %d", r, ok, m.Inspect().Cursor)
	}
}

// Each form of predicate is given what the entry has, and the number of the shard that has it.
func TestEdges_PredicatesAreGivenTheEntry(t *testing.T) {
	m := newMap(t, Options{Shards: 4})
	for i := range 40 {
		m.Put(i, fmt.Sprint(i), -i)
	}
	asked, last := 0, -1
	seen := func(key int, value string, meta, shard int) bool {
		asked++
		if value != fmt.Sprint(key) || meta != -key || shard != m.ShardOf(key) || shard < last {
			t.Errorf("key %d of shard %d behind %d: %q, %d", key, shard, last, value, meta)
		}
		last = shard
		return key%4 == 1
	}
	removed := m.FullCleanup(OfShard(seen))
	if asked != 40 || removed != 10 || m.Size() != 30 || last != 3 {
		t.Errorf("asked %d times, %d removed, %d left", asked, removed, m.Size())
	}
	for i := range 40 {
		if _, ok := m.Get(i); ok != (i%4 != 1) {
			t.Errorf("key %d is there: %v", i, ok)
		}
	}
	n := m.FullCleanup(OfMeta[int, string](func(key, meta int) bool { return meta != -key || key == 2 }))
	if n != 1 {
		t.Errorf("the form of metadata removed %d", n)
	}
	n = m.FullCleanup(OfValue(func(key int, v string, meta int) bool {
		return v != fmt.Sprint(key) || meta != -key || key == 3
	}))
	if n != 1 {
		t.Errorf("the form of values removed %d", n)
	}
}

// The words of a map are named where they are, in order.
func TestEdges_Places(t *testing.T) {
	m := newMap(t, Options{Shards: 2})
	type place struct {
		name  string
		at    unsafe.Pointer
		bytes int
	}
	var want []place
	for i := range m.shards {
		s := &m.shards[i]
		want = append(want, place{fmt.Sprintf("lock of shard %d", i), unsafe.Pointer(&s.Lock), 4})
		if size := int(unsafe.Sizeof(s.guard)); size > 0 {
			want = append(want, place{fmt.Sprintf("contents of shard %d", i), unsafe.Pointer(&s.guard), size})
		}
	}
	want = append(want, place{"cleanup flag", unsafe.Pointer(&m.cleaning), 4},
		place{"cursor", unsafe.Pointer(&m.cursor), 4})
	var got []place
	for _, p := range m.Places() {
		got = append(got, place{p.Name, p.At, p.Bytes})
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// A map at rest is seen as it is, and can be begun with.
func TestEdges_InspectRestoreSettle(t *testing.T) {
	m := newMap(t, Options{Shards: 2})
	v := m.Inspect()
	if len(v.Locks) != 2 || len(v.Entries) != 2 || v.Cleaning || v.Cursor != 0 {
		t.Errorf("a new map: %+v", v)
	}
	m.Put(1, "one", 11)
	m.Put(1, "uno", 12)
	at := m.ShardOf(1)
	if v = m.Inspect(); v.Entries[at][1] != (Entry[string, int]{"uno", 12, 2}) || len(v.Entries[1-at]) != 0 {
		t.Errorf("after two puts: %+v", v.Entries)
	}
	m.Restore(1, Entry[string, int]{"old", 5, 1})
	m.Put(1, "new", 6)
	if e := m.Inspect().Entries[at][1]; e != (Entry[string, int]{"new", 6, 3}) {
		t.Errorf("an older entry was restored, and the next version is %d", e.Version)
	}
	m.Restore(1, Entry[string, int]{"later", 7, 9})
	if e := m.Inspect().Entries[at][1]; e != (Entry[string, int]{"later", 7, 9}) {
		t.Errorf("restored: %+v", e)
	}
	m.Settle(20)
	m.Put(1, "last", 8)
	m.Settle(4)
	m.Put(1, "very last", 8)
	if e := m.Inspect().Entries[at][1]; e.Version != 22 {
		t.Errorf("the clock of a settled shard gives %d, want 22", e.Version)
	}
	other := 2
	for m.ShardOf(other) == at {
		other++
	}
	if m.Put(other, "", 0); m.Inspect().Entries[1-at][other].Version != 21 {
		t.Errorf("the clock of the other shard gives %d, want 21", m.Inspect().Entries[1-at][other].Version)
	}
	m.shards[0].Lock.Lock()
	m.shards[1].RLock()
	m.claim()
	m.Rotate(7)
	if v = m.Inspect(); v.Locks[0] != writer || v.Locks[1] != 1 || !v.Cleaning || v.Cursor != 7 {
		t.Errorf("with everything taken: %+v", v)
	}
}

// An entry that is restored has a version that no later put gives again.
func TestEdges_RestoreMovesTheClock(t *testing.T) {
	m := newMap(t, Options{Shards: 1})
	m.Restore(1, Entry[string, int]{"later", 7, 9})
	m.Put(2, "put", 8)
	if e := m.Inspect().Entries[0][2]; e.Version != 10 {
		t.Errorf("the version behind 9 is %d, want 10", e.Version)
	}
}

// The digest tells contents apart, and puts, and not the order of a Go map.
func TestEdges_Digest(t *testing.T) {
	digest := func(puts uint64, pairs ...int) uint64 {
		m := newMap(t, Options{Shards: 1})
		for _, k := range pairs {
			m.Restore(k, Entry[string, int]{fmt.Sprint(k), k, uint64(k)})
		}
		m.Settle(puts)
		return m.shards[0].digest()
	}
	seen := map[uint64]string{}
	for name, d := range map[string]uint64{"empty": digest(0), "put": digest(1), "one": digest(9, 1),
		"two": digest(9, 1, 2), "another": digest(9, 1, 3), "later": digest(10, 1, 2)} {
		if seen[d] != "" {
			t.Errorf("%s and %s have one digest", name, seen[d])
		}
		seen[d] = name
	}
	for range 20 {
		if digest(9, 1, 2, 3, 4, 5) != digest(9, 5, 3, 4, 1, 2) {
			t.Fatal("the order of the puts changes the digest")
		}
	}
}

// The number of an integer, and nothing else of the memory around it, chooses the shard.
func TestEdges_HashOfIntegers(t *testing.T) {
	hashes(t, int64(-1), ^uint64(0))
	hashes(t, uint64(5), 5)
	hashes(t, int(-3), uint64(^uint(0)-2))
	hashes(t, uint(7), 7)
	hashes(t, uintptr(9), 9)
	hashes(t, int32(-1), 1<<32-1)
	hashes(t, uint32(11), 11)
	hashes(t, int16(-1), 1<<16-1)
	hashes(t, uint16(13), 13)
	hashes(t, int8(-1), 1<<8-1)
	hashes(t, uint8(15), 15)
}

func hashes[K comparable](t *testing.T, key K, number uint64) {
	t.Helper()
	m, err := New[K, int, int](Options{Shards: MaxShards})
	if err != nil {
		t.Fatal(err)
	}
	if h := m.hash(key); h != number*fibonacci || m.ShardOf(key) != int(h>>56) {
		t.Errorf("%T %v: the hash is %#x, the shard %d", key, key, h, m.ShardOf(key))
	}
}

// A key of another kind has one hash in one map, and others in others.
func TestEdges_HashOfOthers(t *testing.T) {
	first := newStrings(t)
	h, same := first.hash("key"), 0
	for range 8 {
		if first.hash("key") != h {
			t.Error("the hash of a key changes")
		}
		if newStrings(t).hash("key") == h {
			same++
		}
	}
	if same > 1 {
		t.Errorf("of 8 maps %d have the same hash", same)
	}
}

func newStrings(t *testing.T) *Map[string, int, int] {
	t.Helper()
	m, err := New[string, int, int](Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The number of shards is what was asked for, each is used, and the error says what could be.
func TestEdges_Shards(t *testing.T) {
	for n := 1; n <= MaxShards; n *= 2 {
		m := newMap(t, Options{Shards: n})
		used := map[int]bool{}
		for i := range 40 * n {
			used[m.ShardOf(i)] = true
			if m.of(i) != &m.shards[m.ShardOf(i)] {
				t.Fatalf("key %d is in another shard than %d", i, m.ShardOf(i))
			}
		}
		if m.Shards() != n || len(m.shards) != n || len(used) != n {
			t.Errorf("%d shards of %d, %d are used", m.Shards(), n, len(used))
		}
	}
	_, err := New[int, int, int](Options{Shards: 3})
	const want = "shardmap: options: Shards is 3; use a power of two from 1 to 256, or 0 for 8"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A key that is not there is no entry: nobody is asked about it.
func TestEdges_KeysThatAreNotThere(t *testing.T) {
	m := newMap(t, Options{})
	m.Put(1, "one", 1)
	asked := func(string, int) bool { t.Error("asked about a key that is not there"); return true }
	if m.InvalidateIf(2, asked) || m.Invalidate(2) || m.Size() != 1 {
		t.Error("a key that was not there has gone")
	}
	v, ok := m.GetFunc(2, func(v string, meta int) Action { asked(v, meta); return Accept })
	if v != "" || ok {
		t.Errorf("%q, %v", v, ok)
	}
	if !m.Invalidate(1) || m.Invalidate(1) || m.Size() != 0 {
		t.Error("an invalidation tells whether the key was there")
	}
}

// What was put since is left alone by an erase of what was collected, and the erase says so.
func TestEdges_EraseCollected(t *testing.T) {
	for _, written := range []bool{false, true} {
		m := newMap(t, Options{Shards: 1, AsWritten: written})
		m.Put(1, "old", 1)
		if m.eraseCollected(&m.shards[0], 2, 1) {
			t.Error("a key that is not there was erased")
		}
		m.Put(1, "new", 1)
		if erased := m.eraseCollected(&m.shards[0], 1, 1); erased != written || (m.Size() == 0) != written {
			t.Errorf("as written %v: the fresh value was erased: %v", written, erased)
		}
		m.Settle(1<<32 + 1) // the low half of the next version is that of the one before
		m.Put(1, "later", 1)
		if erased := m.eraseCollected(&m.shards[0], 1, 2); erased != written {
			t.Errorf("as written %v: the value of 2^32 puts later was erased: %v", written, erased)
		}
		m = newMap(t, Options{Shards: 1, AsWritten: written})
		m.Settle(2)
		m.Put(1, "newer", 1)
		if !m.eraseCollected(&m.shards[0], 1, 3) || m.Size() != 0 {
			t.Error("the entry that was collected stays")
		}
	}
}

// held is a key whose text is asked for in the build with the explorer, under the lock. (Package fmt takes
// back a panic of String.)
type held struct {
	n       int
	m       *Map[held, int, int]
	without *int // so often the text was asked for without the lock
}

func (h held) String() string {
	if h.m.Inspect().Locks[0] != 1 {
		*h.without++
	}
	return fmt.Sprint(h.n)
}

// A loop over the entries, and a cleanup, read a shard while they have its lock.
func TestEdges_ReadWhileTheyHaveTheLock(t *testing.T) {
	m, err := New[held, int, int](Options{Shards: 1})
	if err != nil {
		t.Fatal(err)
	}
	seen, without := 0, 0
	for i := range 3 {
		m.Restore(held{i, m, &without}, Entry[int, int]{Value: i})
	}
	for k, v := range m.All() {
		if k.n != v || m.Inspect().Locks[0] != 0 {
			t.Errorf("key %d with %d, the lock is %d", k.n, v, m.Inspect().Locks[0])
		}
		seen++
	}
	if without != 0 {
		t.Errorf("a loop reads the shard without its lock: %d texts", without)
	}
	m.Cleanup(OfMeta[held, int](func(held, int) bool {
		seen++
		return false
	}))
	if seen != 6 {
		t.Errorf("%d of 6 entries are seen", seen)
	}
}

// What is read beside puts is read under the lock: the race detector sees where it is not.
func TestEdges_ReadBesidePuts(t *testing.T) {
	m := newMap(t, Options{Shards: 1})
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := range 500 {
			m.Put(i%8, "", i)
			runtime.Gosched()
		}
	})
	for i := range 500 {
		m.Get(i % 8)
		runtime.Gosched() // before this goroutine takes the lock again
		if n := m.Size(); n > 8 {
			t.Errorf("%d entries", n)
		}
		runtime.Gosched()
	}
	wait.Wait()
}

// Options that no map can have are refused, however far off, and a callback that returns no action is told
// which there are.
func TestEdges_Refusals(t *testing.T) {
	if _, err := New[int, int, int](Options{Shards: math.MinInt}); !errors.Is(err, ErrOptions) {
		t.Errorf("the least number of shards: %v", err)
	}
	m := newMap(t, Options{})
	m.Put(5, "", 0)
	const want = "shardmap: the callback of GetFunc returned the action 7; return Accept, Reject or Discard"
	if text := panicOf(func() { m.GetFunc(5, func(string, int) Action { return 7 }) }); text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// A loop over the entries may end early, and may call the map.
func TestEdges_All(t *testing.T) {
	m := newMap(t, Options{Shards: 4})
	for i := range 40 {
		m.Put(i, fmt.Sprint(i), i)
	}
	n := 0
	for range m.All() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 || m.Inspect().Locks[0]|m.Inspect().Locks[1]|m.Inspect().Locks[2]|m.Inspect().Locks[3] != 0 {
		t.Errorf("%d rounds, the locks are %v", n, m.Inspect().Locks)
	}
	last := -1
	for k, v := range m.All() {
		if v != fmt.Sprint(k) || m.ShardOf(k) < last || !m.Invalidate(k) {
			t.Errorf("key %d with %q, of shard %d behind %d", k, v, m.ShardOf(k), last)
		}
		last = m.ShardOf(k)
	}
	if m.Size() != 0 || m.Clear() != 0 {
		t.Errorf("%d entries are left", m.Size())
	}
}
