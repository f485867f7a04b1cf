// Package harness has what an engine registers to be taken through the chain of evidence, and what explores the
// programs that it registers. It knows no engine: what it is given are names, programs, and functions.
//
// # An engine
//
// An [Engine] is one value, made by the package scenarios/NAME and listed in scenarios/engines. It has a row for
// each program: its name, the state that it is about, and its budget. All links read this value: the specification's
// folders for TLC, the searches of the model, the programs that are explored on the shipping code, the subject of the
// native stress, and the packages whose mutants are judged.
//
// # A program
//
// A [Program] is a few actors with a few operations each, on a world of the engine's. [Runner] runs one: it lets the
// explorer schedule the actors, follows each step in the model, records what the clients see, and judges the history.
// An engine gives it a [World] and, if there is a model, a [Follower].
package harness

import (
	"context"
	"slices"

	"github.com/samecycle/samecycle/internal/catalog"
)

// Engine is the registration of one engine. Fields that are empty make cells NOT BUILT, never green.
type Engine struct {
	*catalog.Engine

	Specs    []Spec    // folders of the specification; the first one is the protocol as it is built
	Model    Model     // the model's searches
	Programs []Program // what is explored on the shipping code
	Scope    string    // ends the bound of an exploration: sizes, and what no program covers

	// Judged are the files that each link judges, besides those of the general packages.
	Judged map[string][]string

	// Named finds a program of a token by its name, where the engine has more than those it lists: drawn ones, or
	// smaller ones made of a failure. Errors: explore.ErrToken. nil: there are no others.
	Named func(name string) (Program, error)

	// Minimise makes the failure of a token smaller, and Export writes a failure as the source of a test. An
	// engine may have neither.
	Minimise func(token string, d Reduction) (Minimal, error)
	Export   func(r Report, pkg string) ([]byte, error)

	// Shared are explorations that belong to no state. One that fails turns each state of the engine link red.
	Shared []Shared
}

// Spec is one folder of the specification, with a manifest of its runs.
type Spec struct {
	Dir string // below the repository's root

	// Again are modules whose runs search states of other runs once more: they do not count twice.
	Again []string
}

// Model is the engine's model.
type Model struct {
	Searches []Search

	// Note says of a state what the searches of its programs cover, besides all interleavings.
	Note func(state string) string
}

// Search is one search of the model.
type Search struct {
	Name   string
	State  string // the state that it is about; "" is all of them
	Actors int    // of the largest program
	Run    func(ctx context.Context) Searched
}

// Searched is what a search found.
type Searched struct {
	Counts     []Count  // by program; each is held against the run of TLC of the same name
	Exhaustive bool     // all states were searched
	Bound      string   // why not, if not
	Violation  string   // of which property, and how; "" is none
	Marks      []string // states whose race happened
	Solo       int      // steps that an actor alone needs at most from any state; 0: not asked
	Note       string   // for the record
}

// Count is the size of one program's set of states.
type Count struct {
	Name     string
	Distinct int64
	Depth    int // as TLC counts: the initial state alone is 1

	// Complete says that TLC's run of liveness, which searches all states as well, will do for a comparison.
	Complete bool
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

// Searched returns the states that a search of the model is about.
func (e *Engine) Searched() []string {
	return e.statesWith(func(state string) bool { return len(e.SearchesOf(state)) > 0 })
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

// SearchesOf returns the searches of a state; "" gives those that belong to none.
func (e *Engine) SearchesOf(state string) []Search {
	var all []Search
	for _, s := range e.Model.Searches {
		if s.State == state {
			all = append(all, s)
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

// SearchesAgain reports whether the runs of a module of the specification search states of other runs once more.
func (e *Engine) SearchesAgain(module string) bool {
	for _, s := range e.Specs {
		if slices.Contains(s.Again, module) {
			return true
		}
	}
	return false
}
