package catalogtest

import (
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
)

// failing counts the errors of a test.
type failing struct {
	testing.TB
	errors int
}

func (*failing) Helper()                 {}
func (f *failing) Error(...any)          { f.errors++ }
func (f *failing) Errorf(string, ...any) { f.errors++ }

// TestCheck_Canaries: a register that is right has no error, and one that is wrong in one place has one.
func TestCheck_Canaries(t *testing.T) {
	sound := func() *catalog.Engine {
		return &catalog.Engine{Name: "toy",
			States:  []catalog.State{{ID: "T01First", Number: 1, Title: "First", Claim: "it holds"}},
			Actions: []catalog.Action{{Name: "ActorTake", Module: "Actor", States: "T01First"}}}
	}
	shared := sound()
	spoiled := func(spoil func(e *catalog.Engine)) func() *catalog.Engine {
		return func() *catalog.Engine {
			e := sound()
			spoil(e)
			return e
		}
	}
	for name, c := range map[string]struct {
		engine func() *catalog.Engine
		states int
		errors int
	}{
		"as it should be":  {sound, 1, 0},
		"a state too few":  {sound, 2, 1},
		"no claim":         {spoiled(func(e *catalog.Engine) { e.States[0].Claim = "" }), 1, 1},
		"another number":   {spoiled(func(e *catalog.Engine) { e.States[0].Number = 2 }), 1, 2},
		"changed by those": {func() *catalog.Engine { return shared }, 1, 1},
	} {
		f := &failing{TB: t}
		if Check(f, c.engine, c.states); f.errors != c.errors {
			t.Errorf("%s: %d errors, want %d", name, f.errors, c.errors)
		}
	}
}
