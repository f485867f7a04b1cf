package catalog

import (
	"errors"
	"strings"
	"testing"
)

// TestCheck_Canaries spoils a register that is right, in one place each, and wants the place named.
func TestCheck_Canaries(t *testing.T) {
	sound := func() *Engine {
		return &Engine{Name: "toy",
			States: []State{{"T01First", 1, "First", "it holds"}, {"T02Second", 2, "Second", "it holds"}},
			Actions: []Action{{Name: "ActorTake", Module: "Actor", States: "T01First,T02Second"},
				{Name: "ActorGive", Module: "Actor"}}}
	}
	if err := sound().Check(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*Engine){
		`the state with the number 2 has the identifier "T03Second"`: func(e *Engine) {
			e.States[1].ID = "T03Second"
		},
		`the state with the number 2 has the identifier "U02Second"`: func(e *Engine) {
			e.States[1].ID = "U02Second"
		},
		`the state with the number 1 has the identifier "T01"`: func(e *Engine) { e.States[0].ID = "T01" },
		"T01Second has the number 1: numbers": func(e *Engine) {
			e.States[1].ID, e.States[1].Number = "T01Second", 1
		},
		"T00First has the number 0: numbers": func(e *Engine) {
			e.States[0].ID, e.States[0].Number = "T00First", 0
		},
		`T01First: the title ""`:                   func(e *Engine) { e.States[0].Title = "" },
		`T01First: the title "First" or the claim`: func(e *Engine) { e.States[0].Claim = "" },
		`T02Second: the title "First"`:             func(e *Engine) { e.States[1].Title = "First" },
		"action {Name:Take ":                       func(e *Engine) { e.Actions[0].Name = "Take" },
		"action {Name:ActorGive Module: ":          func(e *Engine) { e.Actions[1].Module = "" },
		"action {Name:ActorTake Module:Actor LP:false States:}": func(e *Engine) {
			e.Actions[1].Name = "ActorTake"
		},
		`action ActorGive decides "T03Third"`: func(e *Engine) { e.Actions[1].States = "T03Third" },
		"ActorLend is missing or made elsewhere, and no action": func(e *Engine) {
			e.Missing = []string{"ActorLend"}
		},
		"ActorGive is missing or made elsewhere, and no action, or it is named twice": func(e *Engine) {
			e.Missing, e.Elsewhere = []string{"ActorGive"}, []string{"ActorGive"}
		},
		"no action decides T02Second": func(e *Engine) { e.Actions[0].States = "T01First" },
	} {
		e := sound()
		spoil(e)
		if err := e.Check(); !errors.Is(err, ErrRegister) || !strings.Contains(err.Error(), "toy: "+want) {
			t.Errorf("%v, want toy: %s", err, want)
		}
	}
}

// TestClone_IsACopy: who changes a clone does not change the register.
func TestClone_IsACopy(t *testing.T) {
	e := &Engine{States: []State{{ID: "a"}}, Actions: []Action{{Name: "b"}}, Stutters: []string{"c"},
		NotBuilt: []string{"d"}, Missing: []string{"e"}, Elsewhere: []string{"f"}}
	c := e.Clone()
	c.States[0].ID, c.Actions[0].Name, c.Stutters[0], c.NotBuilt[0] = "x", "x", "x", "x"
	c.Missing[0], c.Elsewhere[0] = "x", "x"
	if e.States[0].ID+e.Actions[0].Name+e.Stutters[0]+e.NotBuilt[0]+e.Missing[0]+e.Elsewhere[0] != "abcdef" {
		t.Errorf("the register is %+v now", e)
	}
}
