package explore_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// TestCheckpoint_OfOtherClaims: a finished search that checked no claim says nothing about one. Its file is
// refused for a search with a claim.
func TestCheckpoint_OfOtherClaims(t *testing.T) {
	claim := withoutAudit(unbounded())
	whole := mustExplore(t, smallProgram(t, "race2x2").program(nil, false), claim)
	claim.LockFree = whole.LongestGap - 1 // some executions break it
	if r := mustExplore(t, smallProgram(t, "race2x2").program(nil, false), claim); r.Failure == nil ||
		r.Failure.Kind != explore.NotLockFree {
		t.Fatalf("the claim is wrong, and is not refused: %v", r.Err())
	}
	file := filepath.Join(t.TempDir(), "search")
	o := withoutAudit(unbounded())
	o.Checkpoint = &explore.Checkpoint{File: file}
	if r := mustExplore(t, smallProgram(t, "race2x2").program(nil, false), o); !r.Exhaustive {
		t.Fatal(r.Bound)
	}
	claim.Checkpoint = o.Checkpoint
	r, err := explore.Explore(smallProgram(t, "race2x2").program(nil, false), claim)
	if !errors.Is(err, explore.ErrCheckpoint) {
		t.Errorf("%v; exhaustive %t, failure %v: %s", err, r.Exhaustive, r.Failure, r.Bound)
	}
}
