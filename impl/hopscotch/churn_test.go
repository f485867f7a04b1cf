package hopscotch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// TestChurn_KeepsWhatIsAlive: one key is deleted for each that is added, at a constant load and without a
// service. What is deleted is reclaimed by the adds, so hardly anything leaves, and what does is told. Before
// adds reclaimed bases of other buckets a quarter of these adds let an element leave. With coins that nobody
// chooses a run at 70 % has one in a fifth of all cases, and one at 50 % in one of 130: then both homes of a
// key have members of other buckets at the far ends of their windows, where a member cannot move any more
// (docs/protocol.md, "Churn"). Whatever leaves, a judge of its own looks for a cell that the add could have
// had (HoleFor).
func TestChurn_KeepsWhatIsAlive(t *testing.T) {
	for _, load := range []struct{ percent, leave int }{{30, 0}, {50, 1}, {70, 10}} {
		c := newChurn(t, 2000, load.percent)
		c.run(t, 100_000, c.deleteKey)
		if tally := c.h.Tally(); tally.Reclaimed == 0 {
			t.Errorf("load %d %%: %+v: nothing was reclaimed", load.percent, tally)
		}
		if c.left > uint64(load.leave) {
			t.Errorf("load %d %%: %d adds let an element leave, want %d at most", load.percent, c.left,
				load.leave)
		}
	}
}

// TestChurn_ByTicket is the same with conditional deletes: nothing is left to be reclaimed.
func TestChurn_ByTicket(t *testing.T) {
	for _, load := range []struct{ percent, leave int }{{30, 0}, {50, 0}, {70, 10}} {
		c := newChurn(t, 2000, load.percent)
		c.run(t, 100_000, c.discardKey)
		if tally := c.h.Tally(); tally.Reclaimed != 0 {
			t.Errorf("load %d %%: %+v: deleted cells were left", load.percent, tally)
		}
		if c.left > uint64(load.leave) {
			t.Errorf("load %d %%: %d adds let an element leave, want %d at most", load.percent, c.left,
				load.leave)
		}
	}
}

// churnSeed chooses the keys of all churns.
const churnSeed = 1

// newChurn fills a table of so many cells in each half up to the load.
func newChurn(t *testing.T, cells uint32, percent int) *churn {
	t.Helper()
	r, err := hopscotch.Heap(hopscotch.Layout{CellsPerHalf: cells, Window: 32, Descriptors: 4})
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	c := &churn{h: h, random: rand.New(rand.NewPCG(churnSeed, uint64(percent)))}
	for len(c.alive) < int(cells)*2*percent/100 {
		c.add(t)
	}
	return c
}

// run deletes a key and adds one, so often. Then each key that nobody deleted, and that was not told to
// leave, must be in the table.
func (c *churn) run(t *testing.T, pairs int, remove func(key uint32) (bool, error)) {
	t.Helper()
	for range pairs {
		i := c.random.IntN(len(c.alive))
		if deleted, err := remove(c.alive[i]); err != nil || !deleted {
			t.Fatalf("delete of key %d that was added: %v, %v", c.alive[i], deleted, err)
		}
		c.remove(i)
		c.add(t)
	}
	for _, key := range c.alive {
		if _, found, err := c.h.Table().Lookup(key); err != nil || !found {
			t.Fatalf("key %d, which nobody deleted: %v, %v", key, found, err)
		}
	}
	if tally := c.h.Tally(); tally.Evicted+tally.Replaced != c.left {
		t.Errorf("%+v, and %d were told to leave", tally, c.left)
	}
}

// deleteKey leaves the cell of the key to be reclaimed.
func (c *churn) deleteKey(key uint32) (bool, error) { return c.h.Delete(key) }

// discardKey takes the key out by a ticket.
func (c *churn) discardKey(key uint32) (bool, error) {
	k, ok, err := c.h.Ticket(key)
	if err != nil || !ok {
		return false, err
	}
	return c.h.CompareAndDelete(k)
}

// churn adds keys to a table, and removes some.
type churn struct {
	h      *hopscotch.Handle
	random *rand.Rand
	alive  []uint32 // the keys that are in the table
	left   uint64   // how many elements were told to leave that nobody deleted
	last   uint32   // the last one of them
	added  uint32   // the last key that was added
}

func (c *churn) remove(i int) {
	c.alive[i] = c.alive[len(c.alive)-1]
	c.alive = c.alive[:len(c.alive)-1]
}

// add adds a new key. What leaves for it is alive no more.
func (c *churn) add(t *testing.T) {
	t.Helper()
	for result := hopscotch.Exists; result != hopscotch.Added; {
		key := 1 + c.random.Uint32()%0xFFFF_FFFE
		var err error
		if result, err = c.h.Add(key, 7); err != nil {
			t.Fatal(err)
		}
		c.added = key
		for _, l := range c.h.Left() {
			if l.Reason == hopscotch.ReasonDeleted {
				continue
			}
			i := slices.Index(c.alive, l.Key)
			if i < 0 {
				t.Fatalf("key %d leaves, which is not in the table", l.Key)
			}
			c.remove(i)
			c.left++
			c.last = l.Key
			if hole := hopscotch.HoleFor(c.h, key, l.Key); hole != "" {
				t.Errorf("key %d leaves for key %d, which could have had a cell: %s", l.Key, key, hole)
			}
		}
		if result == hopscotch.Added {
			c.alive = append(c.alive, key)
		}
	}
}

// TestChurn_SeesAHole is the canary of what is asked of each element that leaves: behind the deletes of all
// others there is a cell for the new key.
func TestChurn_SeesAHole(t *testing.T) {
	c := newChurn(t, 2000, 70)
	for c.left == 0 && len(c.alive) < 4000 {
		c.add(t)
	}
	if c.left == 0 {
		t.Fatal("nothing leaves: the test needs a fuller table")
	}
	added := c.added
	for _, key := range c.alive {
		if key == added {
			continue
		}
		if deleted, err := c.deleteKey(key); err != nil || !deleted {
			t.Fatal(key, deleted, err)
		}
	}
	if hole := hopscotch.HoleFor(c.h, added, c.last); hole == "" {
		t.Error("no hole is seen in a table of deleted cells")
	}
}
