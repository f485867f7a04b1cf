package shardmap

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestStates holds the register against itself: identifiers in their order, and no title twice.
func TestStates(t *testing.T) {
	form := regexp.MustCompile(`^M(\d\d)[A-Z][A-Za-z]+$`)
	seen := map[string]bool{}
	all := States()
	if len(all) != 14 {
		t.Fatalf("%d states, want 14", len(all))
	}
	for i, s := range all {
		m := form.FindStringSubmatch(s.ID)
		if m == nil || m[1] != fmt.Sprintf("%02d", i+1) || s.Number != i+1 {
			t.Errorf("state %d has the identifier %q and the number %d", i+1, s.ID, s.Number)
		}
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
// each state is decided.
func TestActions(t *testing.T) {
	form := regexp.MustCompile(`^(Client|Read|Write|Shard|Cleanup)[A-Z][a-z]+$`)
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
}

// TestCopies holds the promise that callers cannot change the register.
func TestCopies(t *testing.T) {
	States()[0].ID, Actions()[0].Name = "changed", "changed"
	if States()[0].ID == "changed" || Actions()[0].Name == "changed" {
		t.Error("a caller changed the register")
	}
}
