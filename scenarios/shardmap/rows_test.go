package shardmap

import (
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	register "github.com/samecycle/samecycle/internal/catalog/shardmap"
	model "github.com/samecycle/samecycle/model/shardmap"
	"github.com/samecycle/samecycle/scenarios/shardmap/states"
)

// TestRows_AreTheModels: each state has one row, with a mix of operations and all programs of the model.
// Those are endless whose actors begin anew for ever, or that must deadlock.
func TestRows_AreTheModels(t *testing.T) {
	var want, got, ids, rows []string
	explored := 0
	for _, s := range register.States() {
		ids = append(ids, s.ID)
		for _, p := range append(model.Programs(), rounds()) {
			if p.State != s.ID {
				continue
			}
			endless := len(p.Repeats) > 0 || p.Deadlocks
			want = append(want, fmt.Sprint(s.ID, " ", p.Name, " endless: ", endless))
			if !endless {
				explored++
			}
		}
	}
	for _, row := range states.Rows() {
		rows = append(rows, row.State)
		for _, p := range row.Programs {
			got = append(got, fmt.Sprint(row.State, " ", p.Name, " endless: ", p.Bound == states.Endless))
		}
		if row.Volume == (states.Mix{}) {
			t.Errorf("%s has no mix of operations", row.State)
		}
	}
	slices.Sort(want) // the order of the programs of a state is that of the row
	slices.Sort(got)
	if !slices.Equal(rows, ids) || !slices.Equal(got, want) {
		t.Errorf("the rows %q have\n%q\nthe model has\n%q", rows, got, want)
	}
	if n := len(Engine().Programs); n != explored {
		t.Errorf("%d programs are registered, of the model %d end", n, explored)
	}
	if states.All != explore.Unbounded {
		t.Errorf("no bound is %d in a row, %d in the explorer", states.All, explore.Unbounded)
	}
}
