package basket

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestStates holds the register against itself: identifiers in their order, and no title twice.
func TestStates(t *testing.T) {
	form := regexp.MustCompile(`^C(\d\d)[A-Z][A-Za-z]+$`)
	seen, before := map[string]bool{}, 0
	all := States()
	if len(all) != 11 {
		t.Fatalf("%d states, want 11", len(all))
	}
	for _, s := range all {
		if !form.MatchString(s.ID) || s.Number <= before || s.Number == 5 || s.Number == 6 {
			t.Errorf("%q has the number %d behind %d", s.ID, s.Number, before)
		}
		before = s.Number
		if s.Title == "" || s.Claim == "" || seen[s.Title] {
			t.Errorf("%s: title %q or claim %q is empty or used twice", s.ID, s.Title, s.Claim)
		}
		seen[s.Title] = true
		if by, ok := StateByID(s.Short()); !ok || by.ID != s.ID {
			t.Errorf("%s is not found by %s, but %q", s.ID, s.Short(), by.ID)
		}
	}
}

// TestActions holds the register against itself: names are unique, what an action decides is a state, and
// each state is decided. What is said of some actions is said of actions, and once.
func TestActions(t *testing.T) {
	form := regexp.MustCompile(`^(Client|Copy|Append|Index|Room|Walk)[A-Z][a-z]+$`)
	seen, decided := map[string]bool{}, map[string]bool{}
	for _, a := range Actions() {
		if !form.MatchString(a.Name) || a.Module == "" || seen[a.Name] {
			t.Errorf("%+v: want a new name of two words, and a module", a)
		}
		seen[a.Name] = true
		for id := range strings.SplitSeq(a.States, ",") {
			if s, ok := StateByID(id); id != "" && (!ok || s.ID != id) {
				t.Errorf("%s decides %q, which is no state", a.Name, id)
			}
			decided[id] = true
		}
	}
	for _, s := range States() {
		if !decided[s.ID] {
			t.Errorf("no action decides %s", s.ID)
		}
	}
	for _, name := range Elsewhere() {
		if !seen[name] || slices.Contains(NotInEngine(), name) {
			t.Errorf("%s is no action, or not in the engine", name)
		}
	}
	for _, name := range NotInEngine() {
		if !seen[name] {
			t.Errorf("%s is no action", name)
		}
	}
}

// TestCopies holds the promise that callers cannot change the register.
func TestCopies(t *testing.T) {
	States()[0].ID, Actions()[0].Name = "changed", "changed"
	if States()[0].ID == "changed" || Actions()[0].Name == "changed" {
		t.Error("a caller changed the register")
	}
}
