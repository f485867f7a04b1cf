package explore

// FailureKind says what went wrong.
type FailureKind string

// The kinds of failures. Nondeterminism, Stray and Hung mean that the program cannot be explored as it is.
// Diverged means that a token does not fit the program. All other kinds are findings.
const (
	Invariant      FailureKind = "invariant"      // Program.Step returned an error
	Verdict        FailureKind = "verdict"        // Program.Finish returned an error
	Panicked       FailureKind = "panic"          // an actor or a function of the program panicked
	Deadlock       FailureKind = "deadlock"       // no actor can continue
	Livelock       FailureKind = "livelock"       // actors continue without progress
	Obstructed     FailureKind = "obstruction"    // an actor that runs alone does not end its operation
	NotLockFree    FailureKind = "lockfreedom"    // no operation ends for too long
	NotWaitFree    FailureKind = "waitfreedom"    // an operation makes more accesses than it claims
	Fault          FailureKind = "fault"          // an address of another process is used
	Race           FailureKind = "race"           // two plain accesses that are not ordered
	Unexplored     FailureKind = "unexplored"     // an actor does something that the search cannot follow
	Stray          FailureKind = "stray"          // a goroutine that is not an actor comes to a step
	Hung           FailureKind = "hung"           // an actor runs without a scheduling point
	Nondeterminism FailureKind = "nondeterminism" // the same decisions led to another execution
	Diverged       FailureKind = "diverged"       // a replayed decision is not possible
)

// A Failure is one failing execution.
type Failure struct {
	Kind    FailureKind
	Message string
	Err     error // the program's error, if it gave one

	Token       string   // replays the execution; see Replay
	Actors      []string // names
	Steps       []Step   // with call sites
	Notes       []string // by step: what Program.Tell said of it; nil without a Tell
	Preemptions int      // switches away from an actor that could continue
	Stacks      []string // of blocked, spinning or panicking actors
	Race        *Racing  // of a race: the two accesses
	Cycles      []Cycle  // of a livelock and the like: what each actor repeats
}

// Error implements error: kind, message and token in one line.
func (f *Failure) Error() string {
	s := string(f.Kind) + ": " + f.Message
	if f.Token != "" {
		s += " (replay token " + f.Token + ")"
	}
	return s
}

// Unwrap returns the error that the program gave.
func (f *Failure) Unwrap() error { return f.Err }
