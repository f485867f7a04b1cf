package slots

import (
	"slices"
	"testing"
)

// TestStates: the register does not contradict itself, and a state is found by its short form.
func TestStates(t *testing.T) {
	if err := Engine().Check(); err != nil {
		t.Error(err)
	}
	if n := len(States()); n != 5 {
		t.Fatalf("%d states, want 5", n)
	}
	for _, s := range States() {
		if by, ok := StateByID(s.Short()); !ok || by.ID != s.ID {
			t.Errorf("%s is not found by %s, but %q", s.ID, s.Short(), by.ID)
		}
	}
}

// TestActions: what is said of some actions is said of actions, and once.
func TestActions(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Actions() {
		seen[a.Name] = true
	}
	for _, name := range slices.Concat(Elsewhere(), NotInEngine()) {
		if !seen[name] {
			t.Errorf("%s is no action, or there twice", name)
		}
		delete(seen, name)
	}
}

// TestCopies holds the promise that callers cannot change the register.
func TestCopies(t *testing.T) {
	States()[0].ID, Actions()[0].Name = "changed", "changed"
	if States()[0].ID == "changed" || Actions()[0].Name == "changed" {
		t.Error("a caller changed the register")
	}
}
