package explore

import (
	"fmt"
	"strings"
)

// A Cycle is what one actor of a livelock does over and over.
type Cycle struct {
	Actor int
	Steps []Step // one round
	Times int    // rounds without a break at the end of the execution
	Same  bool   // each round finds and leaves the same values
}

// cyclesOf finds, for each actor, the shortest group of its last accesses that follows itself
// directly at least once more. Values are left out of the comparison if no group has the same
// ones, as in a loop that counts.
func cyclesOf(actors int, steps []Step) []Cycle {
	var all []Cycle
	for i := range actors {
		var own []Step
		for _, s := range steps {
			if s.Actor == i && s.Kind.Access() {
				own = append(own, s)
			}
		}
		for _, same := range []bool{true, false} {
			if p, times := tailPeriod(own, same); p > 0 {
				all = append(all, Cycle{i, own[len(own)-p:], times, same})
				break
			}
		}
	}
	return all
}

// tailPeriod returns the length of the shortest group at the end of s that follows itself, and how
// often it occurs in a row; 0 if there is none.
func tailPeriod(s []Step, values bool) (period, times int) {
	equal := func(a, b Step) bool {
		a.Index = b.Index
		if !values {
			a.Old, a.New = b.Old, b.New
		}
		return a == b
	}
	for p := 1; 2*p <= len(s); p++ {
		n := p
		for n < len(s) && equal(s[len(s)-1-n], s[len(s)-1-n+p]) {
			n++
		}
		if n >= 2*p {
			return p, n / p
		}
	}
	return 0, 0
}

// text renders the cycle under the actor's name.
func (c Cycle) text(actor string) string {
	var b strings.Builder
	values := "the same values each time"
	if !c.Same {
		values = "the values change"
	}
	fmt.Fprintf(&b, "%s repeats these %d steps (%d times at the end, %s):\n", actor, len(c.Steps),
		c.Times, values)
	for _, s := range c.Steps {
		fmt.Fprintf(&b, "    %s", cell(s))
		if s.File != "" {
			fmt.Fprintf(&b, "  %s", place(s.File, s.Line))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
