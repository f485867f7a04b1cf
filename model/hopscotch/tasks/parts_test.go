package tasks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/model/search"
)

// The searches of owner words and of the bell end, hold, and see each witness; a witness that nothing
// violates does not pass.
func TestParts_WantEachWitness(t *testing.T) {
	t.Run("owner words", func(t *testing.T) { wantEachWitness(t, owners()) })
	t.Run("the bell", func(t *testing.T) { wantEachWitness(t, bells()) })
}

func wantEachWitness[M search.Machine[S, A], S comparable, A fmt.Stringer](t *testing.T,
	x search.Programs[M, S, A]) {
	found := x.Task().Run(t.Context())
	if found.Violation != "" || !found.Exhaustive || len(found.Counts) != len(x.Programs) {
		t.Errorf("%+v", found)
	}
	never := x
	never.Witnesses = append(slices.Clip(x.Witnesses),
		search.Property[M, S]{Name: "Never", State: func(M, *S) bool { return true }})
	if found := never.Task().Run(t.Context()); !strings.Contains(found.Violation, "Never") {
		t.Errorf("a witness that nothing violates is no fault: %+v", found)
	}
	wrong := x
	wrong.Properties = []search.Property[M, S]{{Name: "Wrong", State: func(M, *S) bool { return false }}}
	if found := wrong.Task().Run(t.Context()); !strings.Contains(found.Violation, "Wrong") {
		t.Errorf("a property that does not hold is no fault: %+v", found)
	}
}
