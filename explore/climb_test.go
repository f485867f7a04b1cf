package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/plural"
)

// TestClimb checks which bounds are tried, in which order, and which report is returned. The program is
// invented: it fails within a bound of needs or more, and the first failure that a search without a bound
// meets has found switches.
func TestClimb(t *testing.T) {
	const never = 1000
	none := explore.Unbounded
	for _, c := range []struct {
		name              string
		most              int // preemptions of an execution
		needs, found      int
		maxBound, decided int
		tried             []int
		says              string
	}{
		{"clean within the bound", 9, never, 0, 3, 3, []int{0, 1, 2, 3}, ""},
		{"clean without a bound", 9, never, 0, none, none, []int{0, 1, 2, none}, ""},
		{"the bound is never needed", 1, never, 0, none, 2, []int{0, 1, 2}, "these are all"},
		{"no switch at all", 9, 0, 0, none, 0, []int{0}, ""},
		{"one switch", 9, 1, 0, 3, 1, []int{0, 1}, "fewer than 1 preemption fails"},
		{"found without a bound", 9, 5, 8, none, 5, []int{0, 1, 2, none, 3, 4, 5},
			"fewer than 5 preemptions fails"},
		{"the one found is the best", 9, 5, 5, none, none, []int{0, 1, 2, none, 3, 4},
			"fewer than 5 preemptions fails"},
	} {
		var tried []int
		r, err := explore.Climb(c.maxBound, func(bound int) (explore.Report, error) {
			tried = append(tried, bound)
			r := explore.Report{Preemptions: bound, Exhaustive: true}
			r.MaxPreemptions = c.most
			if bound != none {
				r.MaxPreemptions = min(c.most, bound)
			}
			switch {
			case bound == none && c.needs != never:
				r.Failure = &explore.Failure{Preemptions: c.found}
			case bound >= c.needs:
				r.Failure = &explore.Failure{Preemptions: c.needs}
			}
			return r, nil
		})
		if err != nil || !slices.Equal(tried, c.tried) || r.Preemptions != c.decided ||
			!strings.Contains(r.Bound, c.says) || c.says == "" && r.Bound != "" {
			t.Errorf("%s: tried %v, decided by %d, %q (%v)", c.name, tried, r.Preemptions, r.Bound, err)
		}
	}
}

// TestClimb_EndsEarly: bounds that were not searched to their end are never reported as covered, and the
// others are.
func TestClimb_EndsEarly(t *testing.T) {
	for last, below := range map[int]int{0: 0, 1: 1, explore.Unbounded: 3, 3: 3, 5: 5} {
		var tried []int
		r, err := explore.Climb(explore.Unbounded, func(bound int) (explore.Report, error) {
			tried = append(tried, bound)
			r := explore.Report{Preemptions: bound, Exhaustive: bound != last}
			r.MaxPreemptions = 9
			if last >= 3 && bound == explore.Unbounded {
				r.Failure = &explore.Failure{Preemptions: 7}
			}
			return r, nil
		})
		says := ""
		if below > 0 {
			says = fmt.Sprintf("; all executions with fewer than %s were searched, and none of them fails",
				plural.Of(below, "preemption"))
		}
		if err != nil || tried[len(tried)-1] != last || r.Bound != says || r.Below != below ||
			(r.Failure != nil) != (last >= 3) {
			t.Errorf("ended at %d: tried %v, %+v %v", last, tried, r, err)
		}
	}
	broken := fmt.Errorf("broken")
	_, err := explore.Climb(5, func(int) (explore.Report, error) { return explore.Report{}, broken })
	if err != broken {
		t.Errorf("the error is lost: %v", err)
	}
}

// TestToken_OfAPassingExecution: the token of each execution replays that very one.
func TestToken_OfAPassingExecution(t *testing.T) {
	for _, s := range smallPrograms() {
		if s.orders > 300 || s.bad {
			continue
		}
		got := map[string]int{}
		p := s.program(got, false)
		var tokens, seen []string
		finish := p.Finish
		p.Finish = func(x *explore.Execution) error {
			err := finish(x)
			tokens = append(tokens, x.Token())
			seen = append(seen, keysOf(got))
			clear(got)
			return err
		}
		o := unbounded()
		o.Audit = -1
		mustExplore(t, p, o)
		for i, token := range tokens {
			p.Finish = finish
			r, err := explore.Replay(p, token, explore.Options{})
			if err != nil || r.Failure != nil || keysOf(got) != seen[i] {
				t.Fatalf("%s: token %s: %v %v, saw %s, want %s", s.name, token, err, r.Failure,
					keysOf(got), seen[i])
			}
			clear(got)
		}
		if len(tokens) < 2 {
			t.Errorf("%s: %d tokens", s.name, len(tokens))
		}
	}
}
