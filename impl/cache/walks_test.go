package cache

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// walked is how many entries each way to walk finds, and the error of the one that tells it.
func walked(c *Cache) (found map[string]int, err error) {
	found = map[string]int{"len": c.Len(), "all": 0, "keys": 0, "values": 0, "walk": 0}
	for range c.All() {
		found["all"]++
	}
	for range c.Keys() {
		found["keys"]++
	}
	for range c.Values() {
		found["values"]++
	}
	err = c.Walk(func(_, _ []byte) bool { found["walk"]++; return true })
	return found, err
}

// A walk ends where a record is damaged, whoever walks: what comes behind is not told any more.
func TestWalk_EndsAtDamagedRecord(t *testing.T) {
	const n = 40
	c := open(t, "", small())
	for i := range n {
		if err := c.Set(key(i), key(i)); err != nil {
			t.Fatal(err)
		}
	}
	hashes, err := c.hashes()
	if err != nil || len(hashes) != n {
		t.Fatalf("%d hashes, %v", len(hashes), err)
	}
	for _, at := range []int{0, 7, n - 1} {
		bad := -1
		for i := range n {
			if c.hasher.of(key(i)) == hashes[at] {
				bad = i
			}
		}
		sound := damage(t, c, key(bad))
		found, err := walked(c)
		for how, got := range found {
			if got != at {
				t.Errorf("with a record damaged that comes as number %d, %s finds %d entries", at, how, got)
			}
		}
		if !errors.Is(err, ErrCorrupt) || !strings.HasPrefix(err.Error(), "walk: ") {
			t.Errorf("walk: %v", err)
		}
		if all, err := c.Suspects(); all != nil || !errors.Is(err, ErrCorrupt) ||
			!strings.HasPrefix(err.Error(), "suspects: ") {
			t.Errorf("suspects: %v, %v", all, err)
		}
		sound()
		if found, err := walked(c); err != nil || found["len"] != n || found["walk"] != n {
			t.Errorf("with nothing damaged: %v, %v", found, err)
		}
	}
}

// damage makes the record of the key unreadable, and returns what makes it as it was.
func damage(t *testing.T, c *Cache, key []byte) (sound func()) {
	t.Helper()
	return broken(t, c, basket.Engine, basket.SectionRecords, func() bool {
		_, _, err := c.Peek(key, nil)
		return errors.Is(err, ErrCorrupt)
	})
}

// broken changes one word of a section so that something is wrong, and returns what makes it as it was.
func broken(t *testing.T, c *Cache, engine, section string, wrong func() bool) (sound func()) {
	t.Helper()
	words, err := c.region.Section(engine, section)
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		was := words[i].Load()
		if was == 0 {
			continue
		}
		for bit := range 64 {
			words[i].Store(was ^ 1<<bit)
			if wrong() {
				return func() { words[i].Store(was) }
			}
			words[i].Store(was)
		}
	}
	t.Fatalf("no wrong bit in section %s does damage", section)
	return nil
}

// A damaged index ends a walk, too, with its error.
func TestWalk_OfDamagedIndex(t *testing.T) {
	c := open(t, "", Options{Bytes: BytesMin, Entries: entriesMin, NoJanitor: true})
	set(t, c, "k", "v")
	broken(t, c, hopscotch.Engine, hopscotch.SectionCells, func() bool {
		return c.table.Walk(func(_, _ uint32) bool { return true }) != nil
	})
	found, err := walked(c)
	if !errors.Is(err, hopscotch.ErrCorrupt) || !errors.Is(err, ErrCorrupt) ||
		!strings.HasPrefix(err.Error(), "walk: ") ||
		found["walk"] != 0 || found["len"] != 0 {
		t.Errorf("%v, %v", found, err)
	}
	if all, err := c.Suspects(); all != nil || !errors.Is(err, ErrCorrupt) {
		t.Errorf("suspects: %v, %v", all, err)
	}
}

// Where somebody closes the cache in the middle of a walk, that is its error; what was found before counts.
func TestWalk_ClosedInTheMiddle(t *testing.T) {
	closing := func() (c *Cache, arm func(at int)) {
		asked, closes := 0, -1
		var err error
		o := Options{Bytes: 1 << 20, NoJanitor: true, Quota: perKey}
		o.Clock = func() time.Time {
			if asked++; asked == closes { // with no handle held; a user's clock must not do so
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			return time.UnixMilli(askStart)
		}
		c, err = Open(cacheFile(t), o) // whoever reads of it behind the close faults
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			setTTL(t, c, fmt.Sprint(i), time.Hour)
			overLimit(t, c, 1, fmt.Sprint(i))
		}
		return c, func(at int) { asked, closes = 0, at }
	}
	for at := 1; at < 2*5; at += 2 { // a look at each suspect asks once more, with a handle
		c, arm := closing()
		arm(at)
		if all, err := c.Suspects(); all != nil || !errors.Is(err, ErrClosed) ||
			!strings.HasPrefix(err.Error(), "suspects: ") {
			t.Errorf("suspects, closed at look %d: %v, %v", at, all, err)
		}
	}
	c, arm := closing()
	if arm(3); c.Len() != 3 {
		t.Error("what was found before the close is not counted, or more is")
	}
	c, arm = closing()
	n := 0
	arm(2)
	if err := c.Walk(func(_, _ []byte) bool { n++; return true }); n != 2 || !errors.Is(err, ErrClosed) ||
		!strings.HasPrefix(err.Error(), "walk: ") {
		t.Errorf("%d entries, %v", n, err)
	}
}

// What a check has found is told in the order in which it is kept: of the region, the index and the records.
func TestFindings_InOrder(t *testing.T) {
	f := Findings{Region: []error{errors.New("first"), errors.New("second")},
		Index:   hopscotch.Findings{{Invariant: "third", Cell: -1, Descriptor: -1}},
		Records: basket.Findings{All: []basket.Finding{{Property: "fourth"}, {Property: "fifth"}}}}
	text, from := f.Err().Error(), 0
	for _, x := range []string{ErrCorrupt.Error() + ": first", "second", "third", "fourth: ", "fifth: "} {
		at := strings.Index(text[from:], x)
		if at < 0 {
			t.Fatalf("%q is not where it belongs in %q", x, text)
		}
		from += at + len(x)
	}
	for part, f := range map[string]Findings{"region": {Region: f.Region}, "index": {Index: f.Index},
		"records": {Records: f.Records}} {
		if err := f.Err(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("findings of the %s: %v", part, err)
		}
	}
}

// A batch that fails has no values, wherever the damage is met, also if it has found some by then; and it
// returns what it was given to append to.
func TestGetBatch_OfADamagedRecord(t *testing.T) {
	const n = 2*batchAhead + 5
	c := open(t, "", small())
	keys, values := make([][]byte, n), make([][]byte, n)
	for i := range n {
		keys[i] = key(i)
		if err := c.Set(key(i), key(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []int{0, 1, batchAhead - 1, batchAhead, n - 1} {
		sound := damage(t, c, key(at))
		for i := range values {
			values[i] = []byte("before")
		}
		all, found, err := c.GetBatch(keys, values, []byte("to:"))
		if string(all) != "to:" || found != 0 || !errors.Is(err, ErrCorrupt) ||
			!strings.HasPrefix(err.Error(), "get batch: ") {
			t.Errorf("number %d is damaged: %q, %d, %v", at, all, found, err)
		}
		for i, v := range values {
			if v != nil {
				t.Errorf("number %d is damaged: number %d has %q", at, i, v)
			}
		}
		sound()
		if _, found, err := c.GetBatch(keys, values, nil); found != n || err != nil {
			t.Errorf("with nothing damaged %d are found, %v", found, err)
		}
	}
}
