// Package catalogtest holds the register of an engine's names against itself.
package catalogtest

import (
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
)

// Check wants the register not to contradict itself, to have so many states, and to find each of them by its
// short form. What engine returns is the caller's to change.
func Check(t testing.TB, engine func() *catalog.Engine, states int) {
	t.Helper()
	e := engine()
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	if n := len(e.States); n != states {
		t.Errorf("%d states, want %d", n, states)
	}
	for _, s := range e.States {
		if by, ok := e.StateByID(s.Short()); !ok || by.ID != s.ID {
			t.Errorf("%s is not found by %s, but %q", s.ID, s.Short(), by.ID)
		}
	}
	e.States[0].ID, e.Actions[0].Name = "changed", "changed"
	if e = engine(); e.States[0].ID == "changed" || e.Actions[0].Name == "changed" {
		t.Error("a caller changed the register")
	}
}
