package shardmap

import "testing"

// TestStates: the register does not contradict itself, and a state is found by its short form.
func TestStates(t *testing.T) {
	if err := Engine().Check(); err != nil {
		t.Error(err)
	}
	if all := States(); len(all) != 14 || all[13].Number != 14 {
		t.Fatalf("%d states, want 14 with numbers from 1 to 14", len(all))
	}
	for _, s := range States() {
		if by, ok := StateByID(s.Short()); !ok || by.ID != s.ID {
			t.Errorf("%s is not found by %s, but %q", s.ID, s.Short(), by.ID)
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
