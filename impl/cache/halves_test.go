package cache

import (
	"errors"
	"runtime"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// A client is known by all bits of its number: of two whose numbers have one half in common, and that share a
// place, one is refused, and the other one is not.
func TestAsk_ClientsOfOneHalf(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: 1000}})
	q := &c.refused
	const client uint64 = 7<<32 | 9
	for _, step := range []uint64{1, 1 << 32} {
		other := client + step
		for q.at(other) != q.at(client) {
			other += step
		}
		q.put(client, askStart*1_000_000+5)
		if wait := q.wait(c, other); wait != 0 {
			t.Errorf("client %x is refused for %d", other, wait)
		}
		if wait := q.wait(c, client); wait != 5 {
			t.Errorf("client %x is refused for %d, want 5", client, wait)
		}
	}
}

// A line of counts belongs to a process by all bits of its number.
func TestCounts_OwnerOfALine(t *testing.T) {
	p := region.MakeProcess(3, 5)
	l := new(countsWords)
	l.sums[0].Store(12)
	l.begun[0].Store(10)
	for word, want := range map[uint64]bool{uint64(p): true, 0: false, uint64(p) + 1: false,
		uint64(p) - 1: false, uint64(p) ^ 1<<31: false, uint64(p) ^ 1<<32: false, uint64(p) ^ 1<<63: false} {
		l.owner.Store(word)
		if got, ok := l.since(p); ok != want || ok && got != (Counts{Hits: 2}) {
			t.Errorf("the owner is %x, of %x: %+v, %v", word, uint64(p), got, ok)
		}
	}
}

// Where clients and keys are counted in the region is the same for all processes: a client by the keyed hash
// of its number, a key by its own hash, and each of them nowhere else.
func TestFormat_PlacesOfTheCounts(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Client: 1000, Object: 1000}})
	for range 50 {
		if _, _, err := c.Ask(7, []byte("k"), nil); err != nil {
			t.Fatal(err)
		}
	}
	l, now := c.thresholds(), c.instant()
	for client := range uint64(16) {
		if n := c.clients.Level(c.hasher.client(client), now, l.client); (n > 0) != (client == 7) {
			t.Errorf("client %d is counted: %d", client, n)
		}
	}
	for _, key := range []string{"", "j", "k", "l", "kk"} {
		if n := c.objects.Level(c.hasher.whole([]byte(key)), now, l.object); (n > 0) != (key == "k") {
			t.Errorf("key %q is counted: %d", key, n)
		}
	}
}

// A process that comes while others have all handles of the index waits until one is given back.
func TestOpen_WaitsForAReader(t *testing.T) {
	path := cacheFile(t)
	first := open(t, path, Options{Bytes: BytesMin, NoJanitor: true})
	var others []*hopscotch.Handle
	for {
		h, err := first.table.NewHandle(7)
		if err != nil {
			break
		}
		others = append(others, h)
	}
	r, err := region.Open(path, wanted(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	c := &Cache{region: r}
	if err := c.open(Options{NoJanitor: true}); err != nil {
		t.Fatal(err)
	}
	asked, last := 0, others[len(others)-1]
	alive := func(hopscotch.Owner) bool { // each try asks of each descriptor whether its owner lives
		if asked++; asked == 3*int(first.table.Layout().Descriptors) {
			if err := last.Close(); err != nil {
				t.Error(err)
			}
		}
		return true
	}
	o := hopscotch.Options{Older: c.store.Older, Alive: alive}
	if c.table, err = hopscotch.NewWith(r, o); err != nil {
		t.Fatal(err)
	}
	if err := c.begin(); err != nil {
		t.Errorf("behind %d looks: %v", asked, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for _, h := range others[:len(others)-1] {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Of 512 handles of the index 128 are kept, one for a reader and one for a writer of each process there may
// be.
func TestShare_HowManyHandlesAreKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64)) // so a process has room for more than one writer
	c := open(t, cacheFile(t), Options{Bytes: 4 << 20, Entries: 1 << 15, NoJanitor: true})
	const all, keep = 512, 128
	if n := c.table.Layout().Descriptors; n != all {
		t.Fatalf("%d descriptors", n)
	}
	var others []*hopscotch.Handle
	var next uint32 // that the next handle will have
	for _, left := range []uint32{keep + 2, keep + 1, keep, keep - 1, 1} {
		for next = uint32(len(others)) + 1; next < all-left; next++ { // the first one is of the open
			h, err := c.table.NewHandle(7)
			if err != nil {
				t.Fatal(err)
			}
			others = append(others, h)
		}
		r, err := c.newReader(1)
		if r != nil {
			if err := endReader(r); err != nil {
				t.Error(err)
			}
		}
		w, bad := c.newWriter(1)
		if w != nil {
			if err := endWriter(w); err != nil {
				t.Error(err)
			}
		}
		if kept := left <= keep; kept != errors.Is(err, errKept) || kept != errors.Is(bad, errKept) ||
			kept != (r == nil) || kept != (w == nil) {
			t.Errorf("of %d that are left: %v, %v", left, err, bad)
		}
	}
	for _, h := range others {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}

// damagedRecords is a cache with one writer and a basket that retires, all of whose records are damaged.
func damagedRecords(t *testing.T) *Cache {
	t.Helper()
	c := open(t, "", Options{Bytes: 1 << 20, BasketBytes: 16 << 10, NoJanitor: true, Writers: 1})
	for i := 0; c.counted().Evicted == 0; i++ {
		if err := c.Set(key(i), make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	records, err := c.region.Section(basket.Engine, basket.SectionRecords)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		records[i].Store(^uint64(0))
	}
	return c
}

// What a set meets on its way to room is its error, also if the key could be set all the same.
func TestSet_TellsWhatItMeets(t *testing.T) {
	c := damagedRecords(t)
	w, k, v := c.writers.slots[0].handle, []byte("new"), make([]byte, 4000)
	if err := w.Prepare(c.hasher.of(k), len(k)+len(v)); !errors.Is(err, basket.ErrCorrupt) {
		t.Fatalf("prepare beside damaged records: %v: the test needs an error", err)
	}
	if f, _, err := w.Find(c.hasher.of(k), w.own(k), nil); f.OK() || err != nil {
		t.Fatalf("find: %v, %v", f.OK(), err)
	}
	if err := c.Set(k, v); !errors.Is(err, ErrCorrupt) {
		t.Errorf("set beside damaged records: %v", err)
	}
	want(t, c, "new", "")
	nothingTaken(t, c, "a set that fails")
}
