// Package harness defines what an engine registers for the chain of evidence, and explores the programs
// that an engine registers. It imports no engine: an engine gives it names, programs and functions.
//
// # An engine
//
// An [Engine] is one value, made by the package scenarios/NAME and listed in scenarios/engines. It has a
// row for each program: its name, the state that it is about, and its budget. All links read this value. It
// has the folders of the specification for TLC, the searches of the model, the programs that are explored
// on the shipping code, the subject of the stress, and the packages whose mutants are judged.
//
// # A program
//
// A [Program] is a few actors with a few operations each, on objects of the engine. [Prepare] makes one
// ready to be searched: the explorer schedules the actors, each step is compared with the model, and the
// history of what the clients saw is judged. An engine provides a [World] and, if there is a model, a
// [Follower].
package harness

import (
	"context"
	"slices"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/stress"
)

// Engine is the registration of one engine. Each link that the catalog promises needs the field with its
// material; see Promised. The cells of other links are NOT BUILT, and never green.
type Engine struct {
	*catalog.Engine

	Specs    catalog.Specs // folders of the specification; the first one is the protocol as it is built
	Model    search.Model  // the model's searches
	Programs []Program     // what is explored on the shipping code
	Scope    string        // stands at the end of each bound: sizes, and what no program covers

	// Volume is the subject of the stress; nil means that the engine is not stressed.
	Volume stress.Subject

	// Mutation says into which packages of the engine faults are seeded, and what judges them; nil means that
	// there are no such faults.
	Mutation *catalog.Mutation

	// Refusals name the engine's own judges, which refuse an execution for another reason than a step or a
	// history.
	Refusals []Refusal

	// Drawn makes programs from numbers, without an end; nil means that there are none.
	Drawn *Drawn

	// Without returns the Options.Fixes of a model that lacks the repair of that name, for canaries; nil
	// means that the model has no repairs that can be removed.
	Without func(repair string) (fixes any, ok bool)

	// Scopes say on which parts of the engine each link's verdict depends.
	Scopes map[string]closure.Scope

	// Named finds the program of a token by its name, if the engine has programs that it does not list:
	// random ones, or smaller ones made from a failure, whose names failure.Split takes apart. Errors:
	// explore.ErrToken. nil means that there are no such programs, and that a failure keeps all its
	// operations.
	Named func(name string) (Program, error)

	// Source writes a program as Go source, for a test that does not depend on the list of programs; nil
	// means that the test finds the program by its name. Errors: explore.ErrToken.
	Source func(program string) (Source, error)

	// Shared are explorations that belong to no single state. If one fails, every state of the engine link
	// is red.
	Shared []Shared
}

// Refusal is a judge of an engine's own. It refuses an execution by errors that wrap Err.
type Refusal struct {
	Err   error
	Judge string // its name
}

// Drawn makes a program from a number. Walks returns the options for so many random executions of a program.
type Drawn struct {
	Program func(n int) Program
	Walks   func(n int, walks uint64) Options
}

// Shared is an exploration that belongs to no single state.
type Shared struct {
	Name string
	Run  func(ctx context.Context, say func(what string)) SharedResult
}

// SharedResult is what such an exploration found.
type SharedResult struct {
	Executions uint64
	Bound      string // in words; says so when it is not complete
	Err        error  // what is wrong, or why there is no verdict
	Unknown    bool   // Err is no verdict
	Token      string // replays the failure
}

// statesWith returns the identifiers of the states for which f is true, in their order.
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

// ProgramText says what the program of that name does, and where; it is empty if there is no such program.
func (e *Engine) ProgramText(name string) string {
	p, ok := e.ProgramByName(name)
	if !ok && e.Named != nil {
		named, err := e.Named(name)
		p, ok = named, err == nil
	}
	if !ok || p.Text == nil {
		return ""
	}
	return p.Text()
}

// Deaths reports whether actors of one of the programs may die.
func (e *Engine) Deaths() bool {
	return slices.ContainsFunc(e.Programs, func(p Program) bool { return !p.NoDeaths })
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
