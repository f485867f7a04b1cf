// Package catalog has the types of the names that all layers share: engines, their operation states, their
// atomic actions, and the links of the chain of evidence. The names of one engine stand in a package below
// this one, such as internal/catalog/hopscotch. General packages import this package and none of those.
//
// An identifier is, letter for letter, a TLA+ operator, an action of the model, a step of the engine, a
// scenario, a subtest and a JSON value. internal/lint fails when a layer misses one.
package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Engine has the names of one engine.
type Engine struct {
	// Name is that of its folder in each layer: impl/NAME, model/NAME, spec/tla/NAME, scenarios/NAME and
	// results/NAME.
	Name  string
	Title string // what it is, in a few words

	States  []State
	Actions []Action // in the order of the specification

	// Stutters are accesses of the engine that change no state of the specification and that no decision
	// rests on: the model takes no step for them.
	Stutters []string

	// Missing are actions for which the implementation has no function.
	Missing []string

	// Elsewhere are actions whose function makes no access itself: it calls another engine, or there is none.
	Elsewhere []string

	// NotBuilt are links that the engine does not have: their cells are NOT BUILT. The engine promises all
	// others, for each of its states.
	NotBuilt []string
}

// Promises reports whether the engine promises the link: its catalog does not name it in NotBuilt.
func (e *Engine) Promises(link string) bool { return !slices.Contains(e.NotBuilt, link) }

// State is one operation state: a race "in the same cycle" that the source text names.
type State struct {
	ID     string // S01AddEmpty: the engine's letter, two digits, CamelCase
	Number int    // from 1, as in the source text
	Title  string // the source text's title, verbatim where it has one
	Claim  string // what must come of the race, in one sentence
}

// Short is the state's identifier without its words: S01.
func (s State) Short() string { return s.ID[:min(3, len(s.ID))] }

// Action is one atomic step of the protocol: one access of shared memory, or an event of the
// client. Its name is the same in spec/tla, in the model, and in the engine, where the function
// that makes the access has it in lower camel case (AddClaimEmpty: addClaimEmpty).
type Action struct {
	Name   string // <Actor><Step>
	Module string // Search, Update, Add, ...: TLA+ module and file stem
	LP     bool   // a linearization point, for some outcome
	States string // operation states that it decides, comma separated; may be empty
}

// PartAction is an atomic step of a part of the protocol that has a specification and a model of its own.
type PartAction struct {
	Name      string   // operator, and program counter
	Folder    string   // where the functions are; empty of an event that nobody makes
	Functions []string // of that folder: one makes the access, others stand for the same step
	Access    bool     // the function of its name makes the one access
}

// StateIDs returns the identifiers of the states, in their order.
func (e *Engine) StateIDs() (all []string) {
	for _, s := range e.States {
		all = append(all, s.ID)
	}
	return all
}

// StateByID returns the engine's state with the given identifier, or with the given short form (S04, s4, 4).
func (e *Engine) StateByID(id string) (State, bool) {
	for _, s := range e.States {
		if s.ID == id || matchesShort(s, id) {
			return s, true
		}
	}
	return State{}, false
}

// Find returns the state that a word names among those of several engines: by its identifier or its short
// form. A number alone must fit one engine only. The error says what the word could have been.
func Find(engines []*Engine, word string) (*Engine, State, error) {
	var in []*Engine
	var found []State
	for _, e := range engines {
		if s, ok := e.StateByID(word); ok {
			in, found = append(in, e), append(found, s)
		}
	}
	switch len(found) {
	case 1:
		return in[0], found[0], nil
	case 0:
		var ranges []string
		for _, e := range engines {
			if len(e.States) > 0 {
				ranges = append(ranges, fmt.Sprintf("%s to %s (%s)", e.States[0].Short(),
					e.States[len(e.States)-1].Short(), e.Name))
			}
		}
		return nil, State{},
			fmt.Errorf("%q is no operation state; name one of %s, listed by samecycle states",
				word, strings.Join(ranges, ", "))
	}
	var texts []string
	for i, s := range found {
		texts = append(texts, fmt.Sprintf("%s (%s)", s.Short(), in[i].Name))
	}
	return nil, State{}, fmt.Errorf("%q names a state of several engines; choose one of %s", word,
		strings.Join(texts, ", "))
}

// matchesShort reports whether the word is the short form of a state: S04, s4 or 4.
func matchesShort(s State, word string) bool {
	if len(word) > 1 && strings.EqualFold(word[:1], s.ID[:1]) {
		word = word[1:]
	}
	n, ok := number(word)
	return ok && n == s.Number
}

// number reads one or two digits.
func number(word string) (int, bool) {
	if len(word) == 0 || len(word) > 2 || strings.Trim(word, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	return n, err == nil
}

var reState = regexp.MustCompile(`^[A-Z](\d\d)[A-Z][A-Za-z0-9]+$`)

// IsStateID reports whether the word has the form of a state's identifier, of whatever engine.
func IsStateID(word string) bool { return reState.MatchString(word) }

// Names reports whether the word is the identifier of the state, or its short form, of whatever engine.
func Names(word, state string) bool {
	m := reState.FindStringSubmatch(state)
	if m == nil {
		return false
	}
	n, _ := number(m[1])
	return word == state || matchesShort(State{ID: state, Number: n}, word)
}

// Clone returns a copy that a caller may change.
func (e *Engine) Clone() *Engine {
	c := *e
	c.States, c.Actions = slices.Clone(e.States), slices.Clone(e.Actions)
	c.Stutters, c.NotBuilt = slices.Clone(e.Stutters), slices.Clone(e.NotBuilt)
	c.Missing, c.Elsewhere = slices.Clone(e.Missing), slices.Clone(e.Elsewhere)
	return &c
}
