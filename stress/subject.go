package stress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Words are a request, a result, or a note of an operation. What they mean is the engine's own: the driver
// stores them and hands them back.
type Words [2]uint64

// Subject is an engine as the driver needs it: what its states are, and how to make a world in which clients
// run into the race of one of them. Its methods are called by one goroutine.
type Subject interface {
	// Name is the engine's, as reports and the assignments of workers have it.
	Name() string

	// States are the names of all states, in the order in which they run.
	States() []string

	// Deaths tells whether clients may be processes, which are killed: then the world lies in files that
	// several processes can use. An engine on the heap of one process has goroutines only, and no deaths.
	Deaths() bool

	// Counts is what Seen.Count counts, in the singular, such as "installation"; "" is nothing.
	Counts() string

	// Open makes the world of one run. Errors: a state that the subject does not know; those of the engine.
	Open(s Setup) (World, error)

	// Join attaches a worker process to the world that the hand-out is of, see World.Handout. Errors:
	// ErrAssignment for a hand-out that no World has made; those of the engine. A subject without deaths is
	// never asked.
	Join(handout []byte, owner uint32) (Client, error)

	// Metamorphic runs one random program in several ways which must not matter, and returns how many there
	// were; 0 if the engine has no such program. Errors: ErrDiffers with the first difference; those of the
	// engine. folder is for files, "" is the system's own.
	Metamorphic(seed uint64, folder string) (ways int, err error)
}

// Plain is embedded by a subject of which nothing is counted, and that has no program that runs in several
// ways.
type Plain struct{}

// Counts is nothing.
func (Plain) Counts() string { return "" }

// Metamorphic runs nothing: there are no ways.
func (Plain) Metamorphic(uint64, string) (ways int, err error) { return 0, nil }

// ReadAssignment reads the assignment of a worker, or the part of it that World.Handout has made, into what a
// points to. Errors: ErrAssignment for a text that is no JSON value, or has a field that a does not have.
func ReadAssignment(text []byte, a any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return fmt.Errorf("%w: %w", ErrAssignment, err)
	}
	return nil
}

// Setup is what the world of one run is made for.
type Setup struct {
	State   string
	Seed    uint64
	Folder  string // for the files of a world that processes share; "" is a world on the heap
	Clients int    // how many there are at a time, besides the parent
	Deaths  int    // how many of them die in one round at most
}

// Memory makes what a world lies in: by heap, or, if processes share it, by create in a file of that name.
// Errors: those of heap and create.
func Memory[L, M any](s Setup, name string, layout L, heap func(L) (M, error),
	create func(file string, l L) (M, error)) (M, error) {
	if s.Folder == "" {
		return heap(layout)
	}
	return create(filepath.Join(s.Folder, name), layout)
}

// World is what the clients of one run share, as the parent has it: the process that starts the others,
// kills them, and judges. The parent's own attachment has the owner ParentOwner. All methods are called by
// one goroutine; Audit and Drain while all clients rest.
type World interface {
	// Client attaches a goroutine of the parent's process. The attachment is given back by nobody: the end
	// of the run is the world's.
	Client(owner uint32) (Client, error)

	// Handout is what Subject.Join needs to attach a process, as a JSON value.
	Handout() ([]byte, error)

	// InProgress tells whether the world holds an operation of that owner which has begun and not ended. The
	// clients may be at work.
	InProgress(owner uint32) Progress

	// Audit finishes what the dead have left, and judges the window that has just ended.
	Audit(w *Window, f *Faults) Audit

	// Drain takes everything out of the world by operations, and judges what comes. It is the last call but
	// for Close, and is made only where no fault was found before.
	Drain(f *Faults)

	// Close gives the memory back. No client is at work any more.
	Close() error
}

// Progress tells what a world holds of an owner.
type Progress uint8

const (
	Idle   Progress = iota // no operation
	Busy                   // an operation
	Wanted                 // an operation that the race of the state needs
)

// ParentOwner is the owner of the parent's own attachment. Those of the clients follow: no two clients of a
// run have the same.
const ParentOwner = 1

// Client is one actor of a run: a goroutine, or a worker process. Its methods are called by one goroutine,
// for each operation Next, Before, Call and After in this order.
type Client interface {
	// Begin tells that a round begins.
	Begin(round uint64)

	// Next is the request that the client makes next.
	Next(rng *rand.Rand) Words

	// Before looks at the world. It lies within the recorded interval of the operation, as does After, so
	// that a race which one of them has seen is one in which this operation took part.
	Before(req Words)

	// Call makes the operation. Its time is measured. The notes are what the operation handed over besides
	// the result, in NotesMost notes at most; they are good until the next Call. An error ends the client,
	// and with it the run: it names the request.
	Call(req Words) (res Words, notes []Words, err error)

	// After looks again, and says what is to be kept of the operation.
	After(req, res Words, notes []Words) Seen
}

// Draw draws one of the kinds of operations by their weights, of which one is not 0. It takes one number from
// rng.
func Draw(rng *rand.Rand, weights []uint32) (kind int) {
	total := uint32(0)
	for _, n := range weights {
		total += n
	}
	for at := rng.Uint32N(total); at >= weights[kind]; kind++ {
		at -= weights[kind]
	}
	return kind
}

// Seen is what a client keeps of an operation besides its request, its result and its notes.
type Seen struct {
	Extra uint64 // the engine's own
	Count uint32 // what Subject.Counts counts, in this operation; the report has the largest
}

// Event is an operation as it is read from a log.
type Event struct {
	ID      uint64 // unique in its window
	Owner   uint32 // of the client
	Request Words
	Result  Words // zero if the operation is pending
	Notes   []Words
	Extra   uint64

	// Call and Return are moments of the run's clock: one that precedes another has a smaller return than
	// the other's call. An operation is pending if its client has died before the return, which is 0 then:
	// it may or may not have happened.
	Call, Return int64
	Pending      bool

	effort
}

// Window is what happened between two times of rest: the whole of a round, and nothing of another. All
// clients are at rest, and no operation of a dead one can take effect once the audit has finished it.
type Window struct {
	Round  uint64
	Events []Event  // by their calls
	Ended  int64    // a moment after all of them
	Living []uint32 // owners of the clients at rest
	Dead   []uint32 // owners of those that have been killed in the round
}

// Audit is what a world says of a window, besides its faults.
type Audit struct {
	Marks    uint64 // how often the race of the state was seen in the window
	Lost     uint64 // values that are gone with the dead
	Returned uint64 // attachments of the dead that were given back
	History  History
}

// History is the history of a window with the sequential model that decides it.
type History interface {
	// Operations is how many there are.
	Operations() int
	// Decide is nil if the history is linearizable. Errors: linearizability.ErrUnknown where it could not be
	// decided within the limits; else it was refused.
	Decide(within time.Duration, opsPerKey int) error
	// Write writes the history to a file, as samecycle explore --history reads it.
	Write(w io.Writer, note string) error
}

// Faults are what an audit has found.
type Faults []string

// Add enters a fault.
func (f *Faults) Add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

var reState = regexp.MustCompile(`^([A-Za-z]?)0*([0-9]+)(.*)$`)

// StateNamed is the state of the subject that a person means: by its name, or by its number, with or
// without the letter before it, such as 4, s4 and S04 for S04AddCollisionEmpty. Errors: the subject has no
// such state.
func StateNamed(s Subject, text string) (string, error) {
	all := s.States()
	asked := reState.FindStringSubmatch(text)
	for _, state := range all {
		if state == text {
			return state, nil
		}
		has := reState.FindStringSubmatch(state)
		if asked != nil && has != nil && asked[3] == "" && asked[2] == has[2] &&
			(asked[1] == "" || strings.EqualFold(asked[1], has[1])) {
			return state, nil
		}
	}
	return "", fmt.Errorf("%q is no state of %s; name one of %s to %s, listed by samecycle states", text,
		s.Name(), all[0], all[len(all)-1])
}
