package hopscotch

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestStates_AreTheTwentySeven(t *testing.T) {
	form := regexp.MustCompile(`^S(\d\d)[A-Z][A-Za-z]+$`)
	seen := map[string]bool{}
	all := States()
	if len(all) != 27 {
		t.Fatalf("%d states, want 27", len(all))
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
	}
}

func TestStateByID(t *testing.T) {
	for id, want := range map[string]string{
		"S04AddCollisionEmpty": "S04AddCollisionEmpty", "S04": "S04AddCollisionEmpty",
		"s4": "S04AddCollisionEmpty", "4": "S04AddCollisionEmpty", "04": "S04AddCollisionEmpty",
		"27": "S27CompareDelete",
		"":   "", "S": "", "0": "", "28": "", "S004": "", "S04Add": "", "s04addcollisionempty": "",
		"-4": "", "S4x": "",
	} {
		got, ok := StateByID(id)
		if got.ID != want || ok != (want != "") {
			t.Errorf("%q is %q (%v), want %q", id, got.ID, ok, want)
		}
	}
}

// TestActions holds the register against itself: names are unique and begin with a word of their
// own, and what an action decides is a state.
func TestActions(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z][a-z]+([A-Z][a-z]+)+$`)
	seen := map[string]bool{}
	decided := map[string]bool{}
	for _, a := range Actions() {
		if !form.MatchString(a.Name) || a.Module == "" || seen[a.Name] {
			t.Errorf("%+v: want a new name of two words or more, and a module", a)
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
	for _, name := range NotInEngine() {
		if !seen[name] {
			t.Errorf("%s is not in the engine, and no action either", name)
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
