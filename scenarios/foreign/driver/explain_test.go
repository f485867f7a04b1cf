package driver

import (
	"strings"
	"testing"
)

// seen is a call that an actor made, by the times at which it was made and returned, 0 if it did not.
func seen(actor int, answer string, called, returned int) performed[string, string] {
	return performed[string, string]{actor: actor, answer: answer, called: called, returned: returned}
}

func ran(after string, order []int, results ...string) sequentialRun {
	return sequentialRun{order, outcome{results, []string{after}}}
}

// TestRefusal: what clients saw is right only if one sequential run has their results in an order that agrees
// with the time, leaves what is left, and has everybody wait who waits.
func TestRefusal(t *testing.T) {
	type calls = []performed[string, string]
	three := []sequentialRun{ran("left", []int{0, 1, 2}, "a", "b", "c")}
	// Actors 0 and 1 take what actor 2 puts, once; who takes first waits for ever.
	takes := []sequentialRun{ran("", []int{0, 1, 2}), ran("", []int{1, 0, 2}),
		ran("", []int{0, 2, 1}), ran("", []int{1, 2, 0}),
		ran("", []int{2, 0, 1}, "put", "took"), ran("", []int{2, 1, 0}, "put", "took")}
	for _, c := range []struct {
		name  string
		runs  []sequentialRun
		sizes []int
		calls calls
		after string
		want  string // empty: it is right
	}{
		{"at the same time", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 5), seen(0, "a", 3, 4)}, "left", ""},
		{"another result", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "d", 2, 5), seen(0, "a", 3, 4)}, "left", "no order"},
		{"the last before the first", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 3), seen(0, "a", 4, 5)}, "left", "no order"},
		{"something else is left", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 5), seen(0, "a", 3, 4)}, "right", "afterwards"},
		{"one waits, for one was put", takes, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "took", 2, 5), seen(2, "put", 3, 4)}, "", ""},
		{"both wait, before there is one", takes, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "", 2, 0), seen(2, "put", 3, 4)}, "", "that the others wait"},
		{"all wait", takes, []int{1, 1, 1}, calls{seen(0, "", 1, 0), seen(1, "", 2, 0)}, "",
			"that the others wait"},
		{"two wait for what never comes", takes[:4], []int{1, 1, 0},
			calls{seen(0, "", 1, 0), seen(1, "", 2, 0)}, "", ""},
		{"one waits, who need not", []sequentialRun{ran("", []int{0, 1}), ran("", []int{1, 0}, "b", "a")},
			[]int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "b", 2, 3)}, "", "that the others wait"},
		{"one may wait, the other need not", []sequentialRun{ran("", []int{0, 1}),
			ran("", []int{1, 0}, "b")}, []int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "", 2, 0)}, "",
			"that the others wait"},
		{"who waits has not made the call that the order has", []sequentialRun{
			ran("", []int{0, 0, 1}, "x"), ran("", []int{0, 1, 0}, "x", "c"), ran("", []int{1, 0, 0}, "c")},
			[]int{2, 1}, calls{seen(0, "", 1, 0), seen(1, "b", 2, 3)}, "", "that the others wait"},
	} {
		why := refusal(c.runs, c.sizes, c.calls, []string{c.after})
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.name, why, c.want)
		}
	}
}
