package cache

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// hoard lets a cache make so many writers, none of which is in use behind it.
func hoard(t *testing.T, c *Cache, n int) {
	t.Helper()
	var all []*slot[*writer]
	for range n {
		s, err := c.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for _, s := range all {
		s.give(0)
	}
	if made := c.writers.made.Load(); made != uint32(n) {
		t.Fatalf("%d writers are made, want %d", made, n)
	}
}

// However many processes have set something, another one can set, too: who has been idle leaves its writer to
// those who need one.
func TestShare_MoreProcessesThanWriters(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, Writers: 2}
	first := open(t, path, o)
	tuned(t, first, "janitor.every", 5)
	writers, _ := first.freeWriters()
	for i := range 2 * writers {
		c := first
		if i > 0 {
			c = open(t, path, o)
		}
		set(t, c, fmt.Sprint("key ", i), "v")
	}
}

// A janitor gives a writer up only if others have the cache and there is none for them: of several one, and
// the last one only if it was not used since the turn before.
func TestShare_GivesUpWhatOthersNeed(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Writers: handlesMax}
	j := byHand(open(t, path, o))
	all, free := j.freeWriters()
	if free != all || all < 4 {
		t.Fatalf("%d of %d writers are free", free, all)
	}
	hoard(t, j.Cache, all)
	made := func(want int) {
		t.Helper()
		j.share()
		if n := int(j.writers.made.Load()); n != want {
			t.Errorf("behind it there are %d writers, want %d", n, want)
		}
	}
	made(all) // nobody else is there
	other := open(t, path, o)
	other.writers.bound = 0
	if err := other.Set([]byte("k"), []byte("v")); !errors.Is(err, ErrBusy) {
		t.Fatalf("all writers are taken: %v", err)
	}
	made(all - 1)
	made(all - 1) // there is one
	set(t, other, "k", "v")
	made(all - 2)
	hoard(t, other, 2)
	last := open(t, path, o)
	for n := all - 3; n > 0; n-- {
		made(n)
		hoard(t, last, all-2-n)
	}
	set(t, j.Cache, "k", "v")
	made(1) // it was used
	made(0)
	if err := errors.Join(last.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}
	hoard(t, j.Cache, all)
	made(all) // the others have gone
}

// While a writer is in use it is not given up.
func TestShare_NotWhatIsInUse(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Writers: handlesMax}
	j, _ := byHand(open(t, path, o)), open(t, path, o)
	all, _ := j.freeWriters()
	var held []*slot[*writer]
	for range all {
		s, err := j.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, s)
	}
	if j.share(); int(j.writers.made.Load()) != all {
		t.Errorf("of %d writers in use %d are left", all, j.writers.made.Load())
	}
	for _, s := range held {
		if s.handle == nil {
			t.Fatal("a handle in use has been ended")
		}
		s.give(0)
	}
}

// Who finds no writer waits until another process gives one up; a mark of Ask does not wait.
func TestShare_WaitsForAWriter(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Writers: handlesMax}
	c, other := open(t, path, o), open(t, path, o)
	set(t, c, "k", "v")
	all, _ := c.freeWriters()
	hoard(t, c, all)
	other.writers.bound = time.Hour
	if _, err := other.writers.takeNow(); !errors.Is(err, ErrBusy) {
		t.Errorf("take now: %v", err)
	}
	other.once(asked{key: []byte("k")}, nil) // would call nil if it had a writer
	done := make(chan error)
	go func() { done <- other.Set([]byte("k"), []byte("later")) }()
	select {
	case err := <-done:
		t.Fatalf("set without a writer: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	if err := c.writers.shrink(1); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	want(t, c, "k", "later")
}

// A process makes no further handles of the last ones, unless its options want so many; and each has a first
// one.
func TestShare_LastOnesAreKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true}
	var caches []*Cache
	for range 4 {
		caches = append(caches, open(t, path, o))
	}
	all, _ := caches[0].freeWriters()
	keep := min(all/keptPart, keptWriters)
	if keep == 0 || len(caches[0].writers.slots)*4 <= all {
		t.Fatalf("%d writers of %d for each process, %d are kept", len(caches[0].writers.slots), all, keep)
	}
	for range all { // as calls do that find all writers taken
		for _, c := range caches[:2] {
			if s, _ := c.writers.more(); s != nil {
				s.give(0)
			}
			c.look = seam.Deadline{}
		}
	}
	if _, free := caches[0].freeWriters(); free != keep {
		t.Errorf("two processes have left %d of %d writers, want %d", free, all, keep)
	}
	for _, c := range caches[2:min(2+keep, 4)] {
		set(t, c, "k", "v")
	}
	c, descriptors := caches[0], int(caches[0].table.Layout().Descriptors)
	var taken []*hopscotch.Handle
	for {
		h, err := c.table.NewHandle(1)
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, h)
		if descriptors-int(h.Descriptor())-1 == min(descriptors/keptPart, keptDescriptors) {
			break // all that are free are kept
		}
	}
	for n, want := range []bool{true, false} {
		r, err := c.newReader(n)
		if errors.Is(err, errKept) == want || (err == nil) != want {
			t.Errorf("reader %d of a process: %v", n, err)
		}
		if err == nil && endReader(r) != nil {
			t.Error("it cannot be ended")
		}
	}
	for _, h := range taken {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	heap := open(t, "", Options{Bytes: BytesMin, NoJanitor: true})
	if heap.kept(100, 1, 1) || !c.kept(100, 1, 1) || c.kept(100, 2, 1) || c.kept(3, 1, 8) {
		t.Error("what is kept for others is too much or too little")
	}
}

// What is too old leaves though nobody writes any more: the janitor of a process that only reads sees to it,
// if ages are set, and leaves the lease to others if it can have no writer.
func TestJanitor_AgesWhileNobodyWrites(t *testing.T) {
	clock := new(testClock)
	clock.ms.Store(1_000_000)
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Tiers: 1, Clock: clock.now}
	wrote := open(t, path, o)
	for i := range 300 {
		set(t, wrote, fmt.Sprint(i), "v")
	}
	if err := wrote.Close(); err != nil {
		t.Fatal(err)
	}
	j := byHand(open(t, path, o))
	clock.ms.Add(1000)
	if j.due() || j.Len() != 300 || j.writers.made.Load() != 0 {
		t.Errorf("without ages %d entries are left, by %d writers", j.Len(), j.writers.made.Load())
	}
	tuned(t, j.Cache, "tier.0.age", 1000)
	create := j.writers.create
	j.writers.create = func(int) (*writer, error) { return nil, ErrBusy } // others have all
	if j.due() || j.Len() != 300 {
		t.Errorf("without a writer %d entries are left, and this process has a lease", j.Len())
	}
	j.writers.create = create
	clock.ms.Add(1)
	if !j.due() || j.Len() != 0 {
		t.Errorf("behind a turn %d entries are left that are too old", j.Len())
	}
}

// What is too old leaves also while nearly all baskets are free, from a cache with any number of tiers. The
// basket that is being filled does not age.
func TestJanitor_AgesWhileThereIsRoom(t *testing.T) {
	for _, tiers := range []int{1, 2} {
		clock := new(testClock)
		clock.ms.Store(1_000_000)
		o := Options{Bytes: 4 << 20, BasketBytes: 16 << 10, NoJanitor: true, Tiers: tiers, Clock: clock.now}
		j := byHand(open(t, cacheFile(t), o))
		for i := range 5000 {
			set(t, j.Cache, fmt.Sprint(i), "a value")
		}
		for tier := range tiers {
			tuned(t, j.Cache, fmt.Sprintf("tier.%d.age", tier), 1000)
		}
		before := j.Len()
		for range 100 {
			clock.ms.Add(1001) // one tier down, or out
			j.due()
		}
		b, err := j.Baskets()
		if err != nil {
			t.Fatal(err)
		}
		sealed := 0
		for _, x := range b {
			if x.State == basket.StateSealed && x.LiveBytes > 0 {
				sealed++
			}
		}
		if left := j.Len(); before != 5000 || sealed > 0 || left == 0 || left > before/10 {
			t.Errorf("%d tiers: of %d entries that are too old %d are left, and in %d sealed baskets some",
				tiers, before, left, sealed)
		}
	}
}

// The last handles are kept for other processes, of the index and of writers, but not from the first one of
// a process, nor where its options ask for some by name, nor on the heap.
func TestShare_KeepsTheLastOnes(t *testing.T) {
	for _, x := range []struct {
		heap        bool
		asked, left int // writers and readers by name, and what is left
		n           int // which handle of the process it is
		kept        bool
	}{{false, 0, 8, 1, true}, {false, 0, 8, 0, false}, {false, 4, 8, 1, false}, {true, 0, 8, 1, false},
		{false, 0, 17, 1, false}, {false, 0, 16, 1, true}, {false, 0, 15, 3, true}} {
		path := ""
		if !x.heap {
			path = cacheFile(t)
		}
		c := open(t, path, Options{Bytes: 4 << 20, Entries: 64, NoJanitor: true, Readers: x.asked,
			Writers: x.asked})
		all := int(c.table.Layout().Descriptors)
		if all != 64 {
			t.Fatalf("%d descriptors", all)
		}
		var others []*hopscotch.Handle
		for range all - 1 - x.left { // beside that of the reader which an open makes
			h, err := c.table.NewHandle(7)
			if err != nil {
				t.Fatal(err)
			}
			others = append(others, h)
		}
		r, err := c.newReader(x.n)
		if kept := errors.Is(err, errKept); kept != x.kept || kept == (r != nil) {
			t.Errorf("%+v: a reader: %v", x, err)
		}
		if r != nil {
			if err := endReader(r); err != nil {
				t.Error(err)
			}
		}
		w, err := c.newWriter(x.n)
		if kept := errors.Is(err, errKept); kept != x.kept || kept == (w != nil) {
			t.Errorf("%+v: a writer: %v", x, err)
		}
		if w != nil {
			if err := endWriter(w); err != nil {
				t.Error(err)
			}
		}
		for _, h := range others {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A process that leaves the last writers to others takes nothing of the index for that, however often it
// looks; and once it has found too few it does not count them for a while.
func TestShare_KeptTakesNothing(t *testing.T) {
	path := cacheFile(t)
	other := open(t, path, Options{Bytes: 4 << 20, NoJanitor: true, Writers: handlesMax})
	c := open(t, path, Options{NoJanitor: true})
	set(t, c, "k", "v")
	all, free := c.freeWriters()
	if all != int(c.store.Layout().Writers) || free != all-1 {
		t.Fatalf("of %d writers %d are free", all, free)
	}
	hoard(t, other, free-1)
	if all, free := c.freeWriters(); free != 1 || all < 16 {
		t.Fatalf("of %d writers %d are free", all, free)
	}
	next := func() uint32 {
		h, err := c.table.NewHandle(7)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		return h.Descriptor()
	}
	before := next()
	for range 3 {
		c.look = seam.Deadline{}
		for range 2 {
			if w, err := c.newWriter(1); w != nil || !errors.Is(err, errKept) {
				t.Fatal(w, err)
			}
		}
		if c.look == (seam.Deadline{}) {
			t.Error("the writers are counted again by the next call")
		}
	}
	if after := next(); after != before {
		t.Errorf("the next handle of the index is %d, and was %d", after, before)
	}
}

// Who finds no handle waits for two seconds until other processes give one up, a reader as well as a writer.
func TestShare_HowLongToWait(t *testing.T) {
	c := open(t, "", small())
	if r, w := c.readers.bound, c.writers.bound; r != 2*time.Second || w != 2*time.Second {
		t.Errorf("who finds no reader waits for %v, and who finds no writer for %v", r, w)
	}
}
