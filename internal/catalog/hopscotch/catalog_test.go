package hopscotch

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
)

func TestStates_AreTheTwentySeven(t *testing.T) {
	if all := States(); len(all) != 27 || all[26].Number != 27 {
		t.Fatalf("%d states, want 27 with numbers from 1 to 27", len(all))
	}
	if err := Engine().Check(); err != nil {
		t.Error(err)
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

// TestNotInEngine: an action that the engine lacks is an action.
func TestNotInEngine(t *testing.T) {
	for _, name := range NotInEngine() {
		if !slices.ContainsFunc(Actions(), func(a catalog.Action) bool { return a.Name == name }) {
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
