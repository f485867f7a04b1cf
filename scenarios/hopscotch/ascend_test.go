//go:build explore

package scenarios

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// An ascending search finds a failure that no lower bound has, and says so. The engine is refused
// by a model without a repair; searches with a fixed bound are the independent reason.
func TestAscend_FewestSwitches(t *testing.T) {
	for _, c := range []struct{ fix, program string }{
		{"FixRetry", "S04AddCollisionEmpty"},
		{"FixFrozenValue", "S06AddCollisionGet_New"},
	} {
		t.Run(c.fix, func(t *testing.T) {
			off, _ := model.FixByName(c.fix)
			p, _ := model.ProgramByName(c.program)
			o := Options{Preemptions: explore.Unbounded, Fixes: model.AllFixes &^ off}
			rep, err := Ascend(p, o)
			if err != nil || rep.Failure == nil {
				t.Fatalf("no failure: %v", err)
			}
			n := rep.Failure.Preemptions
			for bound := 0; bound <= n; bound++ {
				o.Preemptions = bound
				fixed, err := Explore(p, o)
				if err != nil || (fixed.Failure != nil) != (bound == n) {
					t.Errorf("%d switches reported; with %d: %v %v", n, bound, fixed.Failure, err)
				}
			}
			if n > 0 && !strings.Contains(rep.Bound, "no execution with fewer than") {
				t.Errorf("the bound does not say that it is the fewest: %s", rep.Bound)
			}
		})
	}
}

// A passing search has a token for each outcome, and the token leads to that outcome.
func TestAscend_TokenForEachOutcome(t *testing.T) {
	p, _ := model.ProgramByName("S04AddCollisionEmpty_SameKey")
	// Either add is the first; one of the two dies, or neither; or both die.
	for kills, want := range []int{2, 2 + 4, 2 + 4 + 1} {
		o := Options{Preemptions: explore.Unbounded, Kills: kills}
		one := o
		one.Reduce = true // another way to the same outcomes
		all := mustRun(t, p, one)
		rep, err := Ascend(p, o)
		if err != nil || rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%v %v: %s", err, rep.Failure, rep.Bound)
		}
		if len(rep.Outcomes) != want || len(all.Outcomes) != want || len(rep.Tokens) != want {
			t.Fatalf("%d kills: %d outcomes, %d reduced, %d tokens; want %d", kills,
				len(rep.Outcomes), len(all.Outcomes), len(rep.Tokens), want)
		}
		for _, tokens := range []map[string]string{rep.Tokens, all.Tokens} {
			for outcome, token := range tokens {
				told, err := Replay(token)
				if err != nil || told.Failure != nil || told.Outcomes[outcome] != 1 {
					t.Errorf("token %s: %v %v %v, want %s", token, err, told.Failure,
						told.Outcomes, outcome)
				}
			}
		}
	}
}
