package engines

import "testing"

// TestAll: an engine is made once, and who changes the list changes nobody else's.
func TestAll(t *testing.T) {
	all := All()
	first := all[0]
	all[0] = nil
	if again := All(); again[0] != first {
		t.Errorf("the first engine is %p, then %p", first, again[0])
	}
	if e, ok := ByName(first.Name); e != first || !ok {
		t.Errorf("%s is %p by its name, want %p", first.Name, e, first)
	}
}
