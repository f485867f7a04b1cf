package hostile

import "fmt"

// WordBytes is the size of a word of the memory.
const WordBytes = 8

// A Program is what one or more ordinary actors do while the writer overwrites one word of their memory. It
// belongs to one Stage.
type Program struct {
	Name    string
	Says    string // what it is about
	Actors  int
	Memory  []uint64 // memory of the subject, at the begin of each execution
	Subject Subject

	// Told are the errors with which a call on damaged memory may end. The text of each says what is wrong
	// and, after a colon, what to do.
	Told []error

	// Most bounds the accesses of any call: it is the highest Most of the calls.
	Most int

	// Spoilt says that a word was damaged before the program, so a call may fail without a writer.
	Spoilt bool
}

// A Subject is the content of the memory, with its calls.
type Subject interface {
	// Start begins an execution. The memory is restored; the subject restores what it has elsewhere, and
	// returns the calls of each actor.
	Start() ([][]Call, error)

	// Values returns words that look like a word of the kind at the index.
	Values(word int) []uint64

	// Aside reports whether the word at the index does not concern the program: no call may change it,
	// unless such a word was overwritten.
	Aside(word int) bool

	// Name and Text return the word at an index, and a value of it, as texts for a person.
	Name(word int) string
	Text(word int, v uint64) string

	// Judge judges an execution that is over, if the general judge has found nothing.
	Judge(e End) error
}

// A Call is one call of a subject.
type Call struct {
	Name string
	Most int // accesses that it may make
	Do   func() error
}

// A Failure is a call that ended with an error.
type Failure struct {
	Call int // by its place in the calls of its actor
	Err  error
}

// An End is an execution that is over, for the subject's judge.
type End struct {
	Written int         // index of the word that the writer has written, or None
	Met     bool        // an ordinary actor has read what was written
	Failed  [][]Failure // by actor
	Again   bool        // the execution was run before, and is not to be counted
}

// None is no word.
const None = -1

// Tally is what the executions of a program had in them.
type Tally struct {
	Words   int    `json:"words"`   // that were overwritten
	Met     uint64 `json:"met"`     // executions in which somebody read what had been written
	Longest int    `json:"longest"` // most accesses of one call
}

// String is one line for a person.
func (t Tally) String() string {
	return fmt.Sprintf("%d words overwritten, met in %d executions; at most %d accesses a call",
		t.Words, t.Met, t.Longest)
}
