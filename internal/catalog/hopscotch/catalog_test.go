package hopscotch

import (
	"testing"

	"github.com/samecycle/samecycle/internal/catalogtest"
)

func TestRegister(t *testing.T) { catalogtest.Check(t, Engine, 27) }

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
