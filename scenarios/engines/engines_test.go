package engines

import "testing"

// TestLetters: the identifiers of states begin with a letter, which belongs to one engine.
func TestLetters(t *testing.T) {
	of := map[string]string{}
	for _, e := range Names() {
		letter := e.States[0].ID[:1]
		if other := of[letter]; other != "" {
			t.Errorf("the letter %s belongs to %s and to %s", letter, other, e.Name)
		}
		of[letter] = e.Name
	}
}

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
