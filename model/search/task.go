package search

import "context"

// Model is the engine's model.
type Model struct {
	Tasks []Task

	// Note says of a state what the searches of its programs cover, besides all interleavings.
	Note func(state string) string
}

// Task is one search of a model.
type Task struct {
	Name   string
	State  string // the state that it is about; "" is all of them
	Actors int    // of the largest program
	Run    func(ctx context.Context) Found
}

// Found is what a search found.
type Found struct {
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

// Of returns the tasks of a state; "" gives those that belong to none.
func (m Model) Of(state string) []Task {
	var all []Task
	for _, t := range m.Tasks {
		if t.State == state {
			all = append(all, t)
		}
	}
	return all
}
