package explore

// FailureKind says what went wrong.
type FailureKind string

// The kinds of failures. Nondeterminism, Stray and Hung say that the program cannot be explored as it
// is; Diverged that a token does not fit it; the others are findings.
const (
	Invariant      FailureKind = "invariant"      // Program.Step returned an error
	Verdict        FailureKind = "verdict"        // Program.Finish returned an error
	Panicked       FailureKind = "panic"          // an actor or a function of the program panicked
	Deadlock       FailureKind = "deadlock"       // no actor can go on
	Livelock       FailureKind = "livelock"       // actors go on without progress
	Obstructed     FailureKind = "obstruction"    // an actor alone does not end its operation
	NotLockFree    FailureKind = "lockfreedom"    // no operation ends for too long
	NotWaitFree    FailureKind = "waitfreedom"    // an operation makes more accesses than it claims
	Fault          FailureKind = "fault"          // an address of another process is used
	Race           FailureKind = "race"           // two plain accesses that nothing orders
	Unexplored     FailureKind = "unexplored"     // an actor does what the search cannot follow
	Stray          FailureKind = "stray"          // a goroutine that is no actor comes to a step
	Hung           FailureKind = "hung"           // an actor runs without a scheduling point
	Nondeterminism FailureKind = "nondeterminism" // the same decisions led elsewhere
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
	Preemptions int      // switches away from an actor that could go on
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
