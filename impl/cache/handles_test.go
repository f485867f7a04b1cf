package cache

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// While another cache of the file has all writers, a call that needs one says so first, and then which handle
// it was.
func TestHandles_OthersHaveAll(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true, Writers: handlesMax}
	c, other := open(t, path, o), open(t, path, o)
	other.writers.bound = 0
	for range c.writers.slots {
		s, err := c.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		defer s.give(0)
	}
	err := other.Set([]byte("k"), []byte("v"))
	if !errors.Is(err, ErrBusy) || !errors.Is(err, basket.ErrWriters) ||
		!strings.HasPrefix(err.Error(), "set: writer: "+ErrBusy.Error()+": ") {
		t.Errorf("another cache has all writers: %v", err)
	}
}

// So does a process that comes when others have all handles of the index, and one that sets for the first
// time.
func TestHandles_OthersHaveAllOfTheIndex(t *testing.T) {
	path := cacheFile(t)
	o := Options{Bytes: BytesMin, NoJanitor: true}
	c := open(t, path, o)
	var others []*hopscotch.Handle
	for {
		h, err := c.table.NewHandle(7)
		if err != nil {
			break
		}
		others = append(others, h)
	}
	janitors := func() int {
		all := make([]byte, 1<<20)
		return strings.Count(string(all[:runtime.Stack(all, true)]), "(*janitor).run")
	}
	before := janitors()
	o.NoJanitor, c.writers.bound = false, 0
	next, err := Open(path, o)
	if n := janitors(); n > before {
		t.Errorf("%d janitors of a cache that could not be opened", n-before)
	}
	if says := "cache: reader: " + ErrBusy.Error() + ": "; next != nil || !errors.Is(err, ErrBusy) ||
		!errors.Is(err, hopscotch.ErrHandles) || !strings.HasPrefix(err.Error(), says) {
		t.Errorf("a process that comes: %v, want %q", err, says)
	}
	err = c.Set([]byte("k"), []byte("v"))
	if says := "set: writer: " + ErrBusy.Error() + ": "; !errors.Is(err, ErrBusy) ||
		!errors.Is(err, hopscotch.ErrHandles) || !strings.HasPrefix(err.Error(), says) {
		t.Errorf("one that sets: %v, want %q", err, says)
	}
	for _, h := range others {
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	set(t, c, "k", "v")
	want(t, open(t, path, o), "k", "v")
}

// What goes wrong in a call that changes something is its error, with the name of the call.
func TestCalls_TellWhatFails(t *testing.T) {
	c, err := Open("", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 1})
	if err != nil {
		t.Fatal(err)
	}
	k, v := []byte("k"), []byte("v")
	set(t, c, "k", "v")
	if err := c.writers.slots[0].handle.Writer.Close(); err != nil {
		t.Fatal(err)
	}
	write := func([]byte, bool) ([]byte, Op) { return v, Write }
	for name, call := range map[string]func() (bool, error){
		"set":              func() (bool, error) { return false, c.Set(k, v) },
		"set if absent":    func() (bool, error) { return c.SetIfAbsent(k, v) },
		"delete":           func() (bool, error) { return c.Delete(k) },
		"compare and swap": func() (bool, error) { return c.CompareAndSwap(k, v, v) },
		"add":              func() (bool, error) { n, err := c.Add(k, 1); return n != 0, err },
		"compute":          func() (bool, error) { _, ok, err := c.Compute(k, write); return ok, err },
	} {
		if did, err := call(); did || !errors.Is(err, basket.ErrClosed) ||
			!strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v, %v", name, did, err)
		}
	}
	want(t, c, "k", "v")
	if err := c.Close(); !errors.Is(err, basket.ErrClosed) {
		t.Errorf("close: %v", err)
	}
}

// A call has its writer until it has made what is to be done at its end, and not while it tells events.
func TestHandles_HeldToTheEnd(t *testing.T) {
	var c *Cache
	held := func() bool { return c.writers.slots[0].word.Load()&slotTaken != 0 }
	asked, told, watched := 0, 0, false
	now := time.UnixMilli(askStart)
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Writers: 1, TTL: time.Hour,
		Clock: func() time.Time {
			if watched {
				if asked++; !held() {
					t.Error("a writer is used that has been given back")
				}
			}
			return now
		}, OnEvent: func(Event) {
			if watched {
				if told++; held() {
					t.Error("an event is told with a writer held")
				}
			}
		}})
	for i := range 3000 {
		set(t, c, fmt.Sprint(i), string(make([]byte, 400)))
	}
	tuned(t, c, "janitor.reserve", live(t, c, "janitor.reserve").Most)
	s, err := c.writers.take()
	if err != nil {
		t.Fatal(err)
	}
	s.handle.used, watched = false, true // as of a writer that was made for this call
	c.finish(s, 0)
	if watched = false; asked == 0 || told == 0 {
		t.Errorf("the clock was asked %d times, and %d events were told: the test needs some", asked, told)
	}
}

// A call has its reader for as long as it uses what belongs to the handle, and not while it tells an event.
func TestHandles_ReaderIsHeld(t *testing.T) {
	var c *Cache
	var during string
	asked, told, k := 0, 0, &testClock{}
	k.ms.Store(askStart)
	held := func() bool { return c.readers.slots[0].word.Load()&slotTaken != 0 }
	c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1, Writers: 1,
		Quota: Quota{Object: 10, Client: 1000, Action: ActionExpel},
		Clock: func() time.Time {
			if during != "" {
				if asked++; !held() {
					t.Errorf("%s uses a reader that it has given back", during)
				}
			}
			return k.now()
		}, OnEvent: func(Event) {
			if told++; held() {
				t.Error("an event is told with a reader held")
			}
		}})
	set(t, c, "k", "v")
	for name, call := range map[string]func() error{
		"lookUp": func() error { _, err := c.lookUp([]byte("k")); return err },
		"Stats":  func() error { _, err := c.Stats(); return err },
	} {
		asked, during = 0, name
		for range 20 {
			if err := call(); err != nil {
				t.Error(err)
			}
		}
		if during = ""; asked == 0 {
			t.Errorf("%s does not ask the clock: the test needs that", name)
		}
	}
	for range 3 {
		a := overLimit(t, c, 1, "k")
		k.ms.Add(a.RetryAfter.Milliseconds() + 1)
	}
	if told != 1 {
		t.Errorf("%d entries are expelled: the test needs one", told)
	}
}

// lookedAt is an index that tells each look at it.
type lookedAt struct {
	basket.Index
	look func()
}

func (x lookedAt) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	x.look()
	return x.Index.Ticket(hash)
}

func (x lookedAt) Still(ticket hopscotch.Ticket) bool {
	x.look()
	return x.Index.Still(ticket)
}

// A call has its reader for as long as that one looks at the index, and has given it back at its end. A get,
// an Ask and a key of a batch for which a glance will do have none.
func TestHandles_ReaderIsHeldWhileItLooks(t *testing.T) {
	c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Readers: 1})
	for _, k := range []string{"a", "b", "c"} {
		set(t, c, k, "v")
	}
	s, err := c.readers.take()
	if err != nil {
		t.Fatal(err)
	}
	held := func() bool { return s.word.Load()&slotTaken != 0 }
	looks, during := 0, ""
	index := lookedAt{basket.OnTable(s.handle.index), func() {
		if looks++; !held() {
			t.Errorf("%s looks with a reader that it has given back", during)
		}
	}}
	for _, r := range []struct {
		of *(*basket.Reader)
		o  basket.ReaderOptions
	}{{&s.handle.Reader, basket.ReaderOptions{}}, {&s.handle.peek, basket.ReaderOptions{NoTouch: true}}} {
		if *r.of, err = c.store.NewReader(index, r.o); err != nil {
			t.Fatal(err)
		}
	}
	s.give(0)
	k, none := []byte("b"), []byte("none")
	for name, call := range map[string]func() error{
		"Get":         func() error { _, _, err := c.getByHandle(k, nil); return err },
		"Get of none": func() error { _, _, err := c.getByHandle(none, nil); return err },
		"Peek":        func() error { _, _, err := c.Peek(k, nil); return err },
		"Contains":    func() error { _, err := c.Contains(k); return err },
		"TTL":         func() error { _, _, err := c.TTL(k); return err },
		"Ask":         func() error { _, _, _, err := c.valueByHandle(c.hasher.of(k), k, nil); return err },
		"Walk":        func() error { return c.Walk(func(_, _ []byte) bool { return true }) },
		"Len":         func() error { c.Len(); return nil },
		"Suspects":    func() error { _, err := c.Suspects(); return err },
	} {
		looks, during = 0, name
		if err := call(); err != nil || looks == 0 || held() {
			t.Errorf("%s: %v, %d looks, the reader is held behind it: %v", name, err, looks, held())
		}
	}
}

// A handle that cannot be made takes nothing of the index, however often somebody tries, and says what it was
// to be.
func TestHandles_NoneIsLeftOver(t *testing.T) {
	c := open(t, "", small())
	set(t, c, "k", "v")
	store := c.store
	c.store = &basket.Store{} // of which no reader and no writer can be made
	for n := range 2 * c.table.Layout().Descriptors {
		r, err := c.newReader(0)
		w, bad := c.newWriter(0)
		if r != nil || w != nil || err == nil || bad == nil || !strings.HasPrefix(err.Error(), "reader: ") ||
			!strings.HasPrefix(bad.Error(), "writer: ") || errors.Is(errors.Join(err, bad), ErrBusy) {
			t.Fatalf("try %d: %v, %v; %v, %v", n, r, err, w, bad)
		}
	}
	c.store = store
	r, err := c.newReader(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := endReader(r); err != nil {
		t.Error(err)
	}
}

// The first call of a writer walks over so many records at most, however many baskets are to be free.
func TestHandles_FirstCallIsBounded(t *testing.T) {
	c := open(t, "", Options{Bytes: 8 << 20, NoJanitor: true, Writers: 1})
	for i := range 60_000 {
		if err := c.Set(key(i), make([]byte, 200)); err != nil {
			t.Fatal(err)
		}
	}
	most := live(t, c, "janitor.reserve").Most
	tuned(t, c, "janitor.reserve", most)
	for enough, calls := false, 0; !enough; calls++ {
		if calls == 100 {
			t.Fatal("the reserve is never there")
		}
		s, err := c.writers.take()
		if err != nil {
			t.Fatal(err)
		}
		before := c.counted()
		if err := s.handle.reserve(); err != nil {
			t.Error(err)
		}
		s.give(0)
		d := c.counted().Minus(before)
		enough = uint64(statsOf(t, c).FreeBaskets) >= most
		if n := d.Evicted + d.IndexFull; n > tendRecords*tendMost || calls == 0 && (enough ||
			n < tendRecords*tendMost*3/4) {
			t.Errorf("call %d: %d records have left, and the reserve is there: %v", calls, n, enough)
		}
	}
}

// Each call that borrows a writer is one more that has, whatever it finds: so a writer which calls have had
// since the last look is none that rests.
func TestHandles_CallsOfAWriter(t *testing.T) {
	c, k := timed(t, askStart, Options{Writers: 1, Quota: perKey})
	set(t, c, "k", "v")
	w := c.writers.slots[0].handle
	calls := answers(c, []byte("k"), nil)
	for name := range calls {
		if _, reads := map[string]bool{"get": true, "peek": true, "view": true, "contains": true,
			"time to live": true, "batch": true, "suspects": true, "walk": true, "ask": true}[name]; reads {
			delete(calls, name)
		}
	}
	calls["expire"] = func() (string, error) { _, err := c.Expire([]byte("none"), time.Hour); return "", err }
	calls["mark"] = func() (string, error) { overLimit(t, c, 1, "k"); return "", nil }
	calls["mark that goes"] = func() (string, error) {
		k.ms.Add(3_600_000)
		askFor(t, c, 1, "k", Hit)
		return "", nil
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		set(t, c, "k", "v")
		if name == "mark that goes" {
			overLimit(t, c, 1, "k")
		}
		w.seen = w.calls
		before := w.calls
		if _, err := calls[name](); err != nil && name != "add" {
			t.Errorf("%s: %v", name, err)
		}
		if n := w.calls - before; n != 1 {
			t.Errorf("%s: the writer was borrowed by %d calls", name, int64(n))
		}
		if w.rested() || !w.rested() {
			t.Errorf("%s: whether the writer rests is not what is so", name)
		}
	}
	if w.calls += 1 << 32; w.rested() {
		t.Error("a writer rests that 2^32 calls have had")
	}
}

// clerk keeps the locks of a region that this process has in its memory, and at times cannot tell who has
// them.
type clerk struct {
	region.Futex
	locked map[uint32]bool
	fails  error
}

func (k *clerk) Lock(i uint32) (bool, error) {
	if k.locked[i] {
		return false, nil
	}
	k.locked[i] = true
	return true, nil
}

func (k *clerk) Unlock(i uint32) error         { delete(k.locked, i); return nil }
func (k *clerk) Locked(i uint32) (bool, error) { return k.locked[i], k.fails }
func (*clerk) Pid() uint64                     { return 1 }
func (*clerk) Now() uint64                     { return 0 }

// A writer is free if nobody has it, or one who is dead for certain. While the system does not tell whether
// its owner is dead, it is not: else a process would take the last ones from those who live.
func TestHandles_OwnersOfUnknownLife(t *testing.T) {
	const writers = 3
	l := region.Layout{{Engine: basket.Engine, Version: 1, Sections: []region.Section{
		{Name: basket.SectionWriters, Bytes: writers * region.LineBytes}}}}
	const align = 1 << 12
	memory := make([]byte, l.Size()+align)
	at := align - uint64(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%align)
	memory = memory[at:][:l.Size()]
	k := &clerk{locked: map[uint32]bool{}}
	r, err := region.Make(memory, l, k)
	if err != nil {
		t.Fatal(err)
	}
	other, err := region.Attach(memory, l, k)
	if err != nil {
		t.Fatal(err)
	}
	words, err := r.Section(basket.Engine, basket.SectionWriters)
	if err != nil {
		t.Fatal(err)
	}
	words[0].Store(uint64(hopscotch.MakeOwner(7, other.Process())))
	c := &Cache{region: r}
	for _, x := range []struct {
		lives bool
		fails error
		free  int
	}{{true, nil, writers - 1}, {false, region.ErrSystem, writers - 1}, {false, nil, writers}} {
		k.locked[other.Process().Index()], k.fails = x.lives, x.fails
		if all, free := c.freeWriters(); all != writers || free != x.free {
			t.Errorf("it lives: %v, %v: of %d writers %d are free, want %d", x.lives, x.fails, all, free,
				x.free)
		}
	}
}
