package cache

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// The error of a check lists the first findings of the records, and says how many more there are.
func TestFindings_FirstOnes(t *testing.T) {
	for _, n := range []int{0, 1, findingsShown, findingsShown + 1, 300} {
		var f Findings
		for i := range n {
			f.Records.All = append(f.Records.All, basket.Finding{Property: "B2Whole", Text: fmt.Sprint(i)})
		}
		err := f.Err()
		if n == 0 {
			if err != nil {
				t.Errorf("nothing was found, and it is %v", err)
			}
			continue
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%d findings: %v", n, err)
		}
		shown := strings.Count(err.Error(), "B2Whole")
		more := fmt.Sprintf("and %d more of the records", n-findingsShown)
		if shown != min(n, findingsShown) || strings.Contains(err.Error(), more) != (n > findingsShown) {
			t.Errorf("%d findings: %v", n, err)
		}
	}
}

// Each reason for which an entry leaves has a count of its own.
func TestCounts_OfEachReason(t *testing.T) {
	c := open(t, "", small())
	s, err := c.writers.take()
	if err != nil {
		t.Fatal(err)
	}
	for r := range Reason(reasons) {
		for range r {
			s.handle.queue.count(r)
		}
	}
	s.give(0)
	x := statsOf(t, c)
	for r, n := range map[Reason]uint64{Replaced: x.Replaced, Deleted: x.Deleted, Expired: x.Expired,
		Evicted: x.Evicted, IndexFull: x.IndexFull, Dead: x.Dead, Expelled: x.Expelled} {
		if n != uint64(r) {
			t.Errorf("%v was told %d times, and counted %d times", r, r, n)
		}
	}
	if x.All != x.Counts {
		t.Errorf("the only process has done %+v, and all together %+v", x.Counts, x.All)
	}
}
