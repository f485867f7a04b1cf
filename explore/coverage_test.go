package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// publish writes a word and then a flag; the reader reads the word only behind the flag, so these
// two accesses have one order in every execution. The accesses to the flag have both.
func publish() explore.Program {
	var w *[2]atomic.Uint64
	return simple("publish", func() { w = new([2]atomic.Uint64) },
		func() {
			w[0].Store(7)
			w[1].Store(1)
		},
		func() {
			if w[1].Load() == 1 {
				w[0].Load()
			}
		})
}

// TestCoverage_Publish: the pair that the program orders is listed with its places, the other is
// not; a search that is too short lists both.
func TestCoverage_Publish(t *testing.T) {
	for _, stateful := range []bool{false, true} {
		o := unbounded()
		o.Coverage, o.Stateful = &explore.Coverage{}, stateful
		mustExplore(t, publish(), o)
		both, oneWay := o.Coverage.Pairs()
		if both != 1 || len(oneWay) != 1 {
			t.Fatalf("stateful %t: %d both ways, one way %v; want 1 and 1", stateful, both, oneWay)
		}
		p := oneWay[0]
		if p.First.Actor != "A" || p.Then.Actor != "B" || p.Then.Line-p.First.Line != 5 ||
			!strings.HasPrefix(p.Then.String(), "B at coverage_test.go:") {
			t.Errorf("%v, then %v", p.First, p.Then)
		}
		o.Coverage, o.MaxExecutions = &explore.Coverage{}, 1
		mustExplore(t, publish(), o)
		if both, oneWay := o.Coverage.Pairs(); both != 0 || len(oneWay) != 2 {
			t.Errorf("one execution: %d both ways, one way %v", both, oneWay)
		}
	}
}

// TestCoverage_CutLosesNothing: the same pairs in the same orders with and without the state cut,
// also within bounds and with deaths.
func TestCoverage_CutLosesNothing(t *testing.T) {
	for _, name := range []string{"sb", "race2x2", "cas3x1", "alt2x3", "late", "zig2x4"} {
		for _, o := range []explore.Options{
			{Preemptions: explore.Unbounded}, {Preemptions: 1, Kills: 1}, {Preemptions: 2},
		} {
			pairs := func(stateful bool) string {
				o := withoutAudit(o)
				o.Stateful, o.Coverage = stateful, &explore.Coverage{}
				mustExplore(t, smallProgram(t, name).program(nil, false), o)
				both, oneWay := o.Coverage.Pairs()
				return fmt.Sprint(both, oneWay)
			}
			if a, b := pairs(false), pairs(true); a != b {
				t.Errorf("%s %+v: with the cut %s, without %s", name, o, b, a)
			}
		}
	}
}

// slow is a writer that comes late: twenty accesses to a word of its own ahead of the one that
// matters, and a reader of a single access. That the reader comes second needs twenty decisions
// for the writer, which a plain walk takes once in a million executions.
func slow() explore.Program {
	var w *[2]atomic.Uint64
	return simple("slow", func() { w = new([2]atomic.Uint64) },
		func() {
			for range 20 {
				w[0].Add(1)
			}
			w[1].Store(1)
		},
		func() { w[1].Load() })
}

// TestReversing_FindsTheOtherOrder: the strategy sees both orders within 300 executions with every
// seed; the plain walk, whose chance is 2^-21 each, with none of them.
func TestReversing_FindsTheOtherOrder(t *testing.T) {
	for seed := range uint64(10) {
		for _, how := range []explore.Strategy{explore.Reversing, explore.Plain} {
			o := walks(how, 300, seed)
			o.Coverage = &explore.Coverage{}
			r := mustExplore(t, slow(), o)
			both, oneWay := o.Coverage.Pairs()
			if found := both == 1; both+len(oneWay) != 1 || found != (how == explore.Reversing) {
				t.Errorf("%v, seed %d: %d pairs both ways, %v", how, seed, both, oneWay)
			}
			if how == explore.Reversing && !strings.Contains(r.Bound, "1 pairs of conflicting accesses") {
				t.Error(r.Bound)
			}
		}
	}
}

// TestReversing_StaysComplete: no order becomes impossible, and failures are replayed.
func TestReversing_StaysComplete(t *testing.T) {
	for _, name := range []string{"ctr2x3", "alt2x3", "race2x2"} {
		s := smallProgram(t, name)
		got := map[string]int{}
		mustExplore(t, s.program(got, false), walks(explore.Reversing, 20000, 2))
		if len(got) != s.outcomes {
			t.Errorf("%s: %d outcomes of %d", name, len(got), s.outcomes)
		}
	}
	p := smallProgram(t, "late").program(nil, true)
	mustReplay(t, p, wantFailure(t, mustExplore(t, p, walks(explore.Reversing, 20000, 2)), explore.Verdict))
}
