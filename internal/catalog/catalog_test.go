package catalog

import (
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	want := []string{"spec", "model", "engine", "histories", "volume", "mutants"}
	all := Links()
	if len(all) != len(want) {
		t.Fatalf("%d links, want %d", len(all), len(want))
	}
	for i, l := range all {
		if l.ID != want[i] || l.Title == "" {
			t.Errorf("link %d is %+v, want %s", i, l, want[i])
		}
		if got, ok := LinkByID(l.ID); !ok || got != l {
			t.Errorf("LinkByID(%q) is %+v", l.ID, got)
		}
	}
	if _, ok := LinkByID("Spec"); ok {
		t.Error("identifiers of links are exact")
	}
}

// TestFind: a word names a state of one engine, or the error says what it could have been.
func TestFind(t *testing.T) {
	one := &Engine{Name: "one", States: []State{{ID: "S01First", Number: 1}, {ID: "S02Second", Number: 2}}}
	two := &Engine{Name: "two", States: []State{{ID: "M01Other", Number: 1}}}
	for _, c := range []struct{ word, engine, state, complaint string }{
		{"S01", "one", "S01First", ""}, {"s2", "one", "S02Second", ""}, {"2", "one", "S02Second", ""},
		{"M01Other", "two", "M01Other", ""}, {"m1", "two", "M01Other", ""},
		{"1", "", "", "choose one of S01 (one), M01 (two)"},
		{"S03", "", "", "name one of S01 to S02 (one), M01"},
		{"", "", "", "is no operation state"}, {"S", "", "", "is no operation state"},
	} {
		e, s, err := Find([]*Engine{one, two}, c.word)
		switch {
		case c.complaint != "":
			if err == nil || !strings.Contains(err.Error(), c.complaint) {
				t.Errorf("%q: %v, want an error with %q", c.word, err, c.complaint)
			}
		case err != nil || e.Name != c.engine || s.ID != c.state:
			t.Errorf("%q is %v %v (%v)", c.word, e, s, err)
		}
	}
}
