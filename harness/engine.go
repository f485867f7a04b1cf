// Package harness has what an engine registers to be taken through the chain of evidence, and what explores
// the programs that it registers. It knows no engine: what it is given are names, programs, and functions.
//
// # An engine
//
// An [Engine] is one value, made by the package scenarios/NAME and listed in scenarios/engines. It has a row
// for each program: its name, the state that it is about, and its budget. All links read this value: the
// specification's folders for TLC, the searches of the model, the programs that are explored on the shipping
// code, the subject of the native stress, and the packages whose mutants are judged.
//
// # A program
//
// A [Program] is a few actors with a few operations each, on a world of the engine's. [Runner] runs one: it
// lets the explorer schedule the actors, follows each step in the model, records what the clients see, and
// judges the history. An engine gives it a [World] and, if there is a model, a [Follower].
package harness

import (
	"context"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/stress"
)

// Engine is the registration of one engine. Fields that are empty make cells NOT BUILT, never green.
type Engine struct {
	*catalog.Engine

	Specs    catalog.Specs // folders of the specification; the first one is the protocol as it is built
	Model    search.Model  // the model's searches
	Programs []Program     // what is explored on the shipping code
	Scope    string        // ends the bound of an exploration: sizes, and what no program covers

	// Volume is the engine as the native stress drives it; nil: it is not stressed.
	Volume stress.Subject

	// Ledger is the file of what became of the mutants of the engine's code; empty: none are made.
	Ledger string

	// Scopes say what the engine's part of each link rests on.
	Scopes map[string]closure.Scope

	// Named finds a program of a token by its name, where the engine has more than those it lists: drawn
	// ones, or smaller ones made of a failure. Errors: explore.ErrToken. nil: there are no others.
	Named func(name string) (Program, error)

	// Minimise makes the failure of a token smaller, and Export writes a failure as the source of a test. An
	// engine may have neither.
	Minimise func(token string, d Reduction) (Minimal, error)
	Export   func(r Report, pkg string) ([]byte, error)

	// Shared are explorations that belong to no state. One that fails turns each state of the engine link
	// red.
	Shared []Shared
}

// Shared is an exploration that belongs to no state.
type Shared struct {
	Name string
	Run  func(ctx context.Context, say func(what string)) SharedResult
}

// SharedResult is what it found.
type SharedResult struct {
	Executions uint64
	Bound      string // in words; says so when it is not complete
	Err        error  // what is wrong, or why there is no verdict
	Unknown    bool   // Err is no verdict
	Token      string // replays the failure
}

// statesWith returns the engine's states that f is true of, by identifier, in their order.
func (e *Engine) statesWith(f func(state string) bool) []string {
	var all []string
	for _, s := range e.States {
		if f(s.ID) {
			all = append(all, s.ID)
		}
	}
	return all
}

// Explored returns the states that a program is explored for.
func (e *Engine) Explored() []string {
	return e.statesWith(func(state string) bool { return len(e.ProgramsOf(state)) > 0 })
}

// ProgramsOf returns the programs of a state in their order.
func (e *Engine) ProgramsOf(state string) []Program {
	var all []Program
	for _, p := range e.Programs {
		if p.State == state {
			all = append(all, p)
		}
	}
	return all
}

// ProgramByName returns the registered program of that name.
func (e *Engine) ProgramByName(name string) (Program, bool) {
	for _, p := range e.Programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}
