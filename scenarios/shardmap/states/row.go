// Package states says, in one row for each operation state of the sharded map, what is run for it: the
// programs that are explored on the engine, how far each is searched, and what makes the race likely in the
// native stress.
//
// What the actors of a program do is in model/shardmap, as the specification has it.
package states

// Row is what is run for a state.
type Row struct {
	State    string
	Programs []Program
	Volume   Mix
}

// Program is a program of the model, with its budget in a check. A program of which all executions take
// minutes has a bound of preemptions.
type Program struct {
	Name  string
	Bound int // of preemptions, or All, Classes or Endless
}

const (
	// All is no bound of preemptions: every execution is searched.
	All = -1

	// Classes is no bound either, and one execution of each class of equivalent ones is run.
	Classes = -2

	// Endless says that a check does not search the program on the engine, since some of its executions do
	// not end: actors begin anew for ever, or the program must deadlock. TLC and the model have it, and a
	// test sees the explorer find each deadlock.
	Endless = -3
)

// Kind is what a client of the native stress calls.
type Kind uint8

// The kinds.
const (
	Get Kind = iota
	GetFunc
	Put
	Invalidate
	InvalidateIf
	Cleanup
	TryCleanup
	FullCleanup
	Size
	Kinds // how many there are
)

var kindNames = [Kinds]string{"get", "get with a callback", "put", "invalidate", "conditional invalidate",
	"cleanup", "cleanup if none is in progress", "full cleanup", "size"}

// String is the kind in words.
func (k Kind) String() string { return kindNames[k] }

// Mix is the weight of each kind of operation: what the race of a state needs.
type Mix [Kinds]uint32

// Rows returns all of them, in the order of the states. The caller must not change what it is given.
func Rows() []Row { return rows }

// Of returns the row of a state.
func Of(state string) (Row, bool) {
	for _, r := range rows {
		if r.State == state {
			return r, true
		}
	}
	return Row{}, false
}
