package driver

import (
	"strings"
	"testing"
)

// seen is a call that an actor made, by the times at which it was made and returned, 0 if it did not.
func seen(actor int, answer string, called, returned int) performed[string, string] {
	return performed[string, string]{actor: actor, answer: answer, called: called, returned: returned}
}

// ran is a run by its turns: "0?" of an actor who waits, "0=a" of one whose call returns a.
func ran(after string, turns ...string) sequentialRun {
	r := sequentialRun{after: []string{after}}
	for _, text := range turns {
		_, result, returns := strings.Cut(text, "=")
		r.turns = append(r.turns, turn{int(text[0] - '0'), !returns, result})
	}
	return r
}

// A judged history is one whose verdict follows from the runs that there are.
type judged struct {
	name  string
	runs  []sequentialRun
	sizes []int
	calls calls
	after string
	want  string // in the reason; empty: it is right
}

type calls = []performed[string, string]

func wantJudged(t *testing.T, all []judged) {
	t.Helper()
	for _, c := range all {
		why := refusal(c.runs, c.sizes, c.calls, []string{c.after})
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.name, why, c.want)
		}
	}
}

// TestRefusal: what clients saw is right only if one sequential run has their results in an order that agrees
// with the time, and leaves what is left.
func TestRefusal(t *testing.T) {
	three := []sequentialRun{ran("left", "0=a", "1=b", "2=c")}
	wantJudged(t, []judged{
		{"at the same time", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 5), seen(0, "a", 3, 4)}, "left", ""},
		{"another result", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "d", 2, 5), seen(0, "a", 3, 4)}, "left", "no order"},
		{"the last before the first", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 3), seen(0, "a", 4, 5)}, "left", "no order"},
		{"something else is left", three, []int{1, 1, 1},
			calls{seen(1, "b", 1, 6), seen(2, "c", 2, 5), seen(0, "a", 3, 4)}, "right", "afterwards"},
		{"a call is missing", three, []int{1, 1, 1}, calls{seen(0, "a", 1, 2), seen(1, "b", 3, 4)}, "left",
			"that the others wait"},
	})
}

// TestRefusal_Waits: whoever waits at the end must wait in the run, and where it is made last.
func TestRefusal_Waits(t *testing.T) {
	// Actors 0 and 1 take what actor 2 puts, once.
	takes := []sequentialRun{ran("", "0?", "1?", "2=put", "0=took"), ran("", "1?", "0?", "2=put", "1=took"),
		ran("", "0?", "2=put", "0=took", "1?"), ran("", "1?", "2=put", "1=took", "0?"),
		ran("", "2=put", "0=took", "1?"), ran("", "2=put", "1=took", "0?")}
	// Who waits stands in the way of others: actor 0 wants more than there is.
	row := []sequentialRun{ran("", "0?", "1=no"), ran("", "1=yes", "0?")}
	// Actor 1 forgets to let go who waits.
	forgets := []sequentialRun{ran("", "0?", "1=done"), ran("left", "1=done", "0=took")}
	// Who comes second lets the first one go.
	meet := []sequentialRun{ran("", "0?", "1=b", "0=a"), ran("", "1?", "0=a", "1=b")}
	wantJudged(t, []judged{
		{"one waits, for one was put", takes, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "took", 2, 5), seen(2, "put", 3, 4)}, "", ""},
		{"both wait, before there is one", takes, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "", 2, 0), seen(2, "put", 3, 4)}, "", "that the others wait"},
		{"who returned was called after the put, as the one before", takes, []int{1, 1, 1},
			calls{seen(2, "put", 1, 2), seen(1, "took", 3, 5), seen(0, "", 4, 0)}, "", ""},
		{"two wait for what never comes", []sequentialRun{ran("", "0?", "1?"), ran("", "1?", "0?")},
			[]int{1, 1, 0}, calls{seen(0, "", 1, 0), seen(1, "", 2, 0)}, "", ""},
		{"each waits alone, but not both", meet, []int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "", 2, 0)}, "",
			"that the others wait"},
		{"who waits is let go", meet, []int{1, 1}, calls{seen(0, "a", 1, 4), seen(1, "b", 2, 3)}, "", ""},
		{"who was let go was called later", meet[:1], []int{1, 1},
			calls{seen(1, "b", 1, 2), seen(0, "a", 3, 4)}, "", "no order"},
		{"one serves, and the other finds that somebody does", []sequentialRun{ran("", "0?", "1=done"),
			ran("", "1?", "0=done")}, []int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "done", 2, 3)}, "", ""},
		{"who returned has waited for a later call", meet[:1], []int{1, 1},
			calls{seen(0, "a", 1, 2), seen(1, "b", 3, 4)}, "", "no order"},
		{"who waits stands in the way", row, []int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "no", 2, 3)}, "",
			""},
		{"who waits came too late to stand in the way", row, []int{1, 1},
			calls{seen(1, "no", 1, 2), seen(0, "", 3, 0)}, "", "that the others wait"},
		{"one waits, who need not", forgets, []int{1, 1}, calls{seen(0, "", 1, 0), seen(1, "done", 2, 3)}, "",
			"returns if it is made after the rest"},
		{"one of two waits, who need not", []sequentialRun{ran("", "0?", "1?", "2=done"),
			ran("", "1?", "2=done", "0?"), ran("", "0?", "2=done", "1=b", "0=a")}, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "", 2, 0), seen(2, "done", 3, 4)}, "",
			"returns if it is made after the rest"},
		{"who waits need not behind these in their order", []sequentialRun{ran("", "0?", "1=x", "2=y"),
			ran("", "1=x", "2=y", "0=z"), ran("", "2=y", "1=x", "0?")}, []int{1, 1, 1},
			calls{seen(0, "", 1, 0), seen(1, "x", 2, 3), seen(2, "y", 4, 5)}, "",
			"returns if it is made after the rest"},
		{"it is the next call that waits when it is made last", []sequentialRun{ran("", "0?", "1=b"),
			ran("", "1=b", "0=a", "0?")}, []int{2, 1}, calls{seen(0, "", 1, 0), seen(1, "b", 2, 3)}, "",
			"returns if it is made after the rest"},
		{"who waits in the order has returned", []sequentialRun{ran("", "0?", "1=b")}, []int{1, 1},
			calls{seen(0, "a", 1, 4), seen(1, "b", 2, 3)}, "", "no order"},
		{"who has not made its last call does not wait", []sequentialRun{ran("", "0=a", "1?")}, []int{2, 1},
			calls{seen(0, "a", 1, 2), seen(1, "", 3, 0), seen(0, "", 4, 0)}, "", "that the others wait"},
		{"who waits has not made the call that the order has", []sequentialRun{
			ran("", "0=x", "0?", "1=b"), ran("", "0=x", "1=c", "0?"), ran("", "1=c", "0=x", "0?")},
			[]int{2, 1}, calls{seen(0, "", 1, 0), seen(1, "b", 2, 3)}, "", "that the others wait"},
		{"the last of two calls waits, as it does when it is made last", []sequentialRun{
			ran("", "0=x", "0?", "1=b"), ran("", "0=x", "1=c", "0?")}, []int{2, 1},
			calls{seen(0, "x", 1, 2), seen(0, "", 3, 0), seen(1, "b", 4, 5)}, "", ""},
	})
}

// TestSequentialRun_Text: who waits is told from who never returns.
func TestSequentialRun_Text(t *testing.T) {
	r := ran("", "0?", "1=b", "0=a", "0=c", "1?")
	names := [][]string{{"First()", "Second()"}, {"Third()", "Fourth()"}}
	got := r.text(func(actor, n int) string { return names[actor][n] })
	want := "First() waits, Third() -> b, First() -> a, Second() -> c, Fourth() never returns"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
