package explore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Unbounded as Options.Preemptions means no preemption bound.
const Unbounded = -1

// Defaults of Options, taken for fields that are zero.
const (
	DefaultMaxSteps  = 10_000
	DefaultSpinLimit = 50
	DefaultAudit     = 1000
	DefaultWatchdog  = 5 * time.Second
)

// Errors of Explore and Replay that mean that nothing was explored.
var (
	ErrProgram = errors.New("program invalid")
	ErrOptions = errors.New("options invalid")
	ErrHung    = errors.New("process unusable: an actor of an earlier exploration still runs")
	ErrToken   = errors.New("token")
)

// Usable returns ErrHung if an actor of an earlier exploration still runs, so that this process cannot
// explore anything. Otherwise it returns nil.
func Usable() error {
	if hung.Load() > 0 {
		return ErrHung
	}
	return nil
}

// Options say what to search. The zero value searches all executions without a preemption.
type Options struct {
	Preemptions int  // most preemptions per execution, or Unbounded
	Delays      int  // most delays per execution, 0: no bound; see delay.go
	Kills       int  // most kills per execution
	AnyKill     bool // offer kills also between steps of other actors
	SplitBegin  bool // an operation boundary is a decision of its own
	Stateful    bool // cut executions at states seen before
	Reduce      bool // one execution of each class of equivalent ones; needs Unbounded
	Histories   bool // with Reduce: executions with different histories are not equivalent
	Sites       bool // fill Func, File and Line of each step that Program.Step sees
	BlockedOK   bool // count deadlocks, do not report them

	MaxExecutions uint64 // stop after so many, 0: no limit
	MaxSteps      int    // cut an execution after so many shared accesses
	SpinLimit     int    // steps without a change before an actor counts as spinning: 4 to 2^21

	// Walks > 0 runs so many random executions in place of the search, drawn from Seed by the
	// Strategy. Depth is that of PCT, from 1.
	Walks    uint64
	Seed     uint64
	Strategy Strategy
	Depth    int

	// Guide, if not nil, decides the single execution of Walks 1; each sequence of bytes decides one
	// execution.
	Guide []byte

	// Shards > 1 splits the search among so many processes, of which this one is number Shard, from
	// 0. The counts of all shards add up to those of the whole, but for Audited.
	Shard, Shards int

	// Solo > 0 checks obstruction freedom: from each state each live actor alone must end its
	// operation within so many of its own accesses. Random executions check one state each.
	Solo int

	// Starvation > 0 bounds for how many decisions of others an actor waits that could continue. Then it goes
	// next. It is needed to search programs in which actors work until another one stops them; see
	// Stats.Starved for what is left out. It is not for searches with Kills, Reduce, Stateful and Solo.
	Starvation int

	// LockFree > 0 checks lock freedom: some operation must end within every so many accesses of all
	// actors together. It must be below SpinLimit.
	LockFree int

	// Races finds plain accesses of which neither happens before the other, in code that reports
	// them (shim/memory). PlainSteps makes each of them a step as well; it implies Races.
	Races, PlainSteps bool

	// Strays detects goroutines that are no actors and come to a step, because code without a shim has
	// started them, and ends the execution with a failure. Without it they break the search. Detection works
	// on amd64 and arm64.
	Strays bool

	// Coverage, if not nil, collects in which orders conflicting accesses were seen. Reversing makes its own
	// Coverage.
	Coverage *Coverage

	// Checkpoint, if not nil, is a file from which the search continues, and to which it is saved.
	Checkpoint *Checkpoint

	// Audit runs every n-th execution twice, and compares the two step by step, and their verdicts. For a
	// program of words it does so also with the executions after 1, 8, 64, ... others (and with Reduce with
	// the first one only if there is no other). Negative: never.
	Audit int

	// Watchdog is how long an actor may run without a scheduling point; negative: for ever.
	Watchdog time.Duration

	// Progress, if not nil, is called about twice a second. The call comes from another goroutine than the
	// caller's, and never at the same time as one of the program's functions.
	Progress func(Stats)

	// Context ends the search early when it is done. Nil means never. An execution that runs then comes to
	// its end, unless MaxSteps is more than DefaultMaxSteps: it is then halted, and counts as not begun.
	Context context.Context
}

func (o Options) withDefaults() Options {
	if o.MaxSteps == 0 {
		o.MaxSteps = DefaultMaxSteps
	}
	if o.SpinLimit == 0 {
		o.SpinLimit = DefaultSpinLimit
	}
	if o.Audit == 0 {
		o.Audit = DefaultAudit
	}
	if o.Strategy == Reversing && o.Coverage == nil {
		o.Coverage = &Coverage{}
	}
	o.Races = o.Races || o.PlainSteps
	if o.Watchdog == 0 {
		o.Watchdog = DefaultWatchdog
	}
	return o
}

// maxSpin bounds Options.SpinLimit, because that many steps are kept in memory, and a token may have any
// number.
const maxSpin = 1 << 21

func (o Options) check(p Program) error {
	switch {
	case p.Start == nil:
		return fmt.Errorf("%w: Start is nil", ErrProgram)
	case o.Preemptions < Unbounded:
		return fmt.Errorf("%w: Preemptions is %d; use Unbounded or a bound from 0",
			ErrOptions, o.Preemptions)
	case o.Kills < 0 || o.Kills > MaxActors:
		return fmt.Errorf("%w: Kills is %d; use 0 to %d", ErrOptions, o.Kills, MaxActors)
	case o.MaxSteps < 1 || o.SpinLimit < 4 || o.SpinLimit > maxSpin:
		return fmt.Errorf("%w: MaxSteps is %d (at least 1), SpinLimit is %d (4 to %d)",
			ErrOptions, o.MaxSteps, o.SpinLimit, maxSpin)
	case o.Walks > 0 && o.Stateful:
		return fmt.Errorf("%w: Walks with Stateful; random executions are never cut", ErrOptions)
	case o.Races && o.Stateful:
		return fmt.Errorf("%w: Races with Stateful; the same state is reached with and without a "+
			"race: use one of the two", ErrOptions)
	}
	err := errors.Join(o.checkGuide(), o.checkShard(), o.checkCheckpoint(), o.checkClaims(p), o.checkReduce(),
		o.checkDelays(), o.checkStarvation())
	if err != nil {
		return err
	}
	return o.checkWalks()
}

// checkReduce refuses what the reduction would make unsound.
func (o Options) checkReduce() error {
	why := ""
	switch {
	case !o.Reduce && o.Histories:
		return fmt.Errorf("%w: Histories without Reduce; a search of all executions has all "+
			"histories: leave it out", ErrOptions)
	case !o.Reduce:
		return nil
	case o.Preemptions != Unbounded:
		why = "a preemption bound; equivalent executions differ in their preemptions: use Unbounded"
	case o.Stateful:
		why = "Stateful; an execution that is cut hides its races: use one of the two"
	case o.Walks > 0:
		why = "Walks; random executions are not reduced: use one of the two"
	case o.AnyKill:
		why = "AnyKill; a death is an alternative of the actor's own step: leave it out"
	case o.Shards > 1 || o.Checkpoint != nil:
		why = "Shards or Checkpoint; what is left to search is no list of decisions: leave them out"
	case o.Solo > 0 || o.LockFree > 0 || o.Coverage != nil:
		why = "Solo, LockFree or Coverage; they judge the states and orders that are left out: use " +
			"another search"
	}
	if why != "" {
		return fmt.Errorf("%w: Reduce with %s", ErrOptions, why)
	}
	return nil
}

// maxDepth bounds Options.Depth. With a larger depth the guarantee of PCT is worth nothing.
const maxDepth = 64

func (o Options) checkWalks() error {
	switch {
	case o.Strategy >= strategies:
		return fmt.Errorf("%w: Strategy is %v, which does not exist", ErrOptions, o.Strategy)
	case o.Walks == 0 && (o.Strategy != Plain || o.Depth != 0):
		return fmt.Errorf("%w: Strategy %v with Depth %d but no Walks; say how many executions to draw",
			ErrOptions, o.Strategy, o.Depth)
	case o.Strategy == PCT && (o.Depth < 1 || o.Depth > maxDepth):
		return fmt.Errorf("%w: Depth is %d; PCT needs 1 to %d", ErrOptions, o.Depth, maxDepth)
	case o.Strategy != PCT && o.Depth != 0:
		return fmt.Errorf("%w: Depth is %d; only PCT has one", ErrOptions, o.Depth)
	case o.Strategy != Plain && (o.Preemptions != Unbounded || o.SplitBegin):
		return fmt.Errorf("%w: Strategy %v with a preemption bound or SplitBegin; what it promises "+
			"holds without them only: use Unbounded", ErrOptions, o.Strategy)
	}
	return nil
}

// Stats count what a search did.
type Stats struct {
	Executions uint64 // runs of the program, audits and replays of a failure not counted
	Complete   uint64 // of these, run to the verdict
	Pruned     uint64 // cut at a state seen before (Stateful)
	Blocked    uint64 // ended in a wait that is allowed (BlockedOK, Program.Stuck)
	StepBound  uint64 // cut at MaxSteps; their continuations are not covered
	Crowded    uint64 // in which actors that could continue, or with AnyKill die, had no place; see MaxActors
	Starved    uint64 // in which an actor went next only because it had waited for too long (Starvation)
	Killed     uint64 // executions with at least one kill
	Audited    uint64 // executions run twice
	Steps      uint64 // shared accesses, those of repeated prefixes included
	States     uint64 // distinct states (Stateful)
	Probes     uint64 // runs of one actor alone (Solo)

	// With Reduce: the distinct classes of complete executions, the executions whose class had
	// occurred before or (see Program.Words) that were made again, and those cut because all that could
	// follow was searched elsewhere.
	Classes, Repeated, SleepBlocked uint64

	MaxDepth       int // most decisions with an alternative in one execution
	MaxSteps       int // most shared accesses in one execution
	MaxPreemptions int // most preemptions in one execution
	MaxDelays      int // most delays in one execution (Delays)
	MaxActors      int // most actors of one execution
	SoloSteps      int // most accesses that an operation needed alone (Solo)
	LongestGap     int // most accesses of all actors without the end of an operation
	Elapsed        time.Duration
}

// A Report is the result of an exploration.
type Report struct {
	Program string
	Stats
	Preemptions int // the bound searched, or Unbounded
	Delays      int // the bound searched, 0: none
	Starvation  int // the limit searched, 0: none
	shard       bool

	Failure *Failure // nil if no execution failed

	// Below is set by Climb if it ended early: all executions with fewer preemptions were searched
	// before, and none of them failed.
	Below int

	// Exhaustive reports whether every execution within the bound, and of the shard, was covered. The rule
	// that no more than MaxActors actors can continue at a time is a part of the bound.
	Exhaustive bool

	// Bound says in words what was covered and what was not.
	Bound string
}

// Everything reports whether all executions were covered. This is also true of a search with a bound, if no
// execution needed the full bound, no actor waited for a place, and none starved (Starvation).
func (r Report) Everything() bool {
	return r.Exhaustive && !r.shard && r.Crowded == 0 && r.Starved == 0 &&
		(r.Preemptions == Unbounded || r.Preemptions > r.MaxPreemptions) &&
		(r.Delays == 0 || r.Delays > r.MaxDelays)
}

// Shard reports whether only a shard was searched.
func (r Report) Shard() bool { return r.shard }

// Err returns the failure as an error, nil if there is none.
func (r Report) Err() error {
	if r.Failure == nil {
		return nil
	}
	return r.Failure
}
