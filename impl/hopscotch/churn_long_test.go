package hopscotch_test

import (
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

var (
	churnOperations = flag.Uint64("churn", 500_000, "operations of TestChurn_Full")
	churnCommit     = flag.String("churn-commit", "", "the commit that the result of TestChurn_Full names")
	churnOut        = flag.String("churn-out", "", "a file for the result of TestChurn_Full")
)

// churnFull is what a run of TestChurn_Full has found.
type churnFull struct {
	Command    string  `json:"command"`
	Seed       uint64  `json:"seed"`
	Commit     string  `json:"commit"`
	Go         string  `json:"go"`
	Platform   string  `json:"platform"`
	Cells      int     `json:"cells"`
	Elements   int     `json:"elements"`
	Load       float64 `json:"load"`
	Operations uint64  `json:"operations"`      // conditional deletes and adds
	Left       uint64  `json:"left"`            // elements that adds let leave
	Wanting    uint64  `json:"leftForLostCell"` // of them, those beside which a cell was lost
	Lost       int     `json:"lostCells"`       // the most of them that were seen
	Seconds    float64 `json:"seconds"`
}

// TestChurn_Full deletes one element by its ticket and adds another one, for as long as -churn says, in a
// table that has 90 % of its cells in use. Whenever an element leaves for an add, all cells are counted: none
// may be lost, so that nothing leaves for want of a cell that could have been reclaimed. What leaves all the
// same finds the windows of the new key full of what lives and cannot move: the table is truly full there.
func TestChurn_Full(t *testing.T) {
	c := newChurn(t, 10_000, 90)
	found := c.full(t, *churnOperations, c.discardKey)
	c.run(t, 0, c.discardKey) // what nobody deleted is there, and the tally knows what has left
	if found.Wanting > 0 {
		t.Errorf("%d of %d elements left although up to %d cells were lost", found.Wanting, found.Left,
			found.Lost)
	}
	if most := found.Operations / 50_000; found.Left > most {
		t.Errorf("%d elements left for %d operations, want %d at most", found.Left, found.Operations, most)
	}
	t.Logf("load %.3f: %d operations in %.0f s, %d elements left", found.Load, found.Operations,
		found.Seconds, found.Left)
	if *churnOut == "" {
		return
	}
	text, err := json.MarshalIndent(found, "", " ")
	if err == nil {
		err = os.WriteFile(*churnOut, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestChurn_FullSeesLostCells is the canary: where deletes leave their cells to be reclaimed later, some
// elements leave while cells are lost.
func TestChurn_FullSeesLostCells(t *testing.T) {
	c := newChurn(t, 10_000, 90)
	if found := c.full(t, 300_000, c.deleteKey); found.Left == 0 || found.Wanting == 0 || found.Lost == 0 {
		t.Errorf("%+v: want elements that leave beside lost cells", found)
	}
}

// full removes one element and adds another one until there were so many operations.
func (c *churn) full(t *testing.T, operations uint64, remove func(uint32) (bool, error)) churnFull {
	t.Helper()
	count := hopscotch.Measure(c.h.Table())
	f := churnFull{Command: "make churn", Seed: churnSeed, Commit: *churnCommit, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Cells: count.Elements + count.Empty + count.Lost,
		Elements: len(c.alive), Load: count.Load}
	begun, told := time.Now(), time.Now()
	for ; f.Operations < operations; f.Operations += 2 {
		i := c.random.IntN(len(c.alive))
		if deleted, err := remove(c.alive[i]); err != nil || !deleted {
			t.Fatalf("after %d operations: delete of key %d, which is there: %v, %v", f.Operations,
				c.alive[i], deleted, err)
		}
		c.remove(i)
		for len(c.alive) < f.Elements { // what leaves is replaced, so that the load stays
			left := c.left
			if c.add(t); c.left == left {
				continue
			}
			n := hopscotch.Measure(c.h.Table())
			f.Left += c.left - left
			if f.Lost = max(f.Lost, n.Lost); n.Lost > 0 {
				f.Wanting += c.left - left
			}
		}
		if f.Operations&(1<<20-1) == 0 && time.Since(told) > 10*time.Second {
			told = time.Now()
			t.Logf("%d operations, %d elements have left", f.Operations, f.Left)
		}
	}
	f.Seconds = time.Since(begun).Seconds()
	return f
}
