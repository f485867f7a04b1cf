package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/linearizability"
)

// Program is one row of an engine: a few actors, the operation state that it tests, and how far it is
// searched.
type Program struct {
	Name   string // in tokens; the identifier of its state, or that and more after an underscore
	State  string
	Actors []string // the operations of each, as text
	Budget Budget
	ByName bool // the command explore searches it only if it is named; check searches it with its state

	// NoDeaths says that no actor can die, because the actors are goroutines of one process.
	NoDeaths bool

	// Sizes are the numbers of operations of the actors.
	Sizes []int

	// Text describes all that the program does, and on which memory. A program whose text has changed is
	// another program.
	Text func() string

	// Open makes the program ready for one search. An error means that it cannot be explored.
	Open func(o Options) (*Prepared, error)
}

// ErrKills says that no actor of a program can die.
var ErrKills = errors.New("actors are goroutines of one process, whose death ends them all: leave kills out")

// NewProgram is the row of a program whose actors make these operations, for an engine that is explored in
// one process. It sets Actors and Sizes. Open returns an error in the plain build, with Options.Apart, and
// with kills if the row says that no actor can die: the errors wrap ErrPlain, ErrApart or ErrKills.
func NewProgram[Q any](row Program, ops [][]Q) Program {
	for _, calls := range ops {
		row.Actors, row.Sizes = append(row.Actors, fmt.Sprint(calls)), append(row.Sizes, len(calls))
	}
	name, noDeaths, open := row.Name, row.NoDeaths, row.Open
	row.Open = func(o Options) (*Prepared, error) {
		switch {
		case !seam.Explored:
			return nil, ErrPlain
		case o.Apart:
			return nil, ErrApart
		case noDeaths && o.Kills > 0:
			return nil, fmt.Errorf("%s: %w", name, ErrKills)
		}
		return open(o)
	}
	return row
}

// Operations is the largest number of operations that an actor has.
func (p Program) Operations() int {
	most := 0
	for _, n := range p.Sizes {
		most = max(most, n)
	}
	return most
}

// Budget says how far a program is searched in a check.
type Budget struct {
	Preemptions int // a bound, or explore.Unbounded
	Kills       int // actors that may die
	Reduce      bool
}

// Options say how a program is explored.
type Options struct {
	Preemptions int // explore.Unbounded or a bound
	Kills       int
	Executions  uint64 // stop after so many, 0: no limit
	Stateless   bool   // do not cut revisited states
	// Walks > 0 draws so many random executions in place of the search; see explore.Options.
	Walks    uint64
	Strategy explore.Strategy
	Depth    int
	Seed     uint64
	// Guide, if not nil, decides the single execution of Walks 1; see explore.Options.
	Guide []byte
	// Shards > 1 searches part number Shard of so many; see explore.Options.
	Shard, Shards int
	// Coverage, if not nil, collects in which orders conflicting accesses were seen.
	Coverage *explore.Coverage
	// Solo and LockFree check progress; see explore.Options.
	Solo, LockFree int
	// Checkpoints, if not empty, is a folder with a file for each program and bound, from which the search of
	// the program continues; see explore.Checkpoint.
	Checkpoints string
	// Reduce runs one execution of each class with its own history; it needs no preemption bound.
	Reduce bool

	Context  context.Context
	Progress func(explore.Stats)

	// Apart makes each actor a process of its own. It maps the region at its own address, has its own entry
	// in the process table, and may die at any time from its first access to its end. This needs Linux and
	// an engine in a region.
	Apart bool

	// Fixes, if not nil, makes the model differ from the engine, for the canaries of step validation. Its
	// type is the engine's.
	Fixes any
	// Misplaced, if not nil, alters each step before it is judged: for canaries.
	Misplaced func(*explore.Step)
}

// Explorer returns these options as options of the explorer.
func (o Options) Explorer() explore.Options {
	return explore.Options{
		Preemptions: o.Preemptions, Kills: o.Kills, Sites: true,
		Stateful: !o.Stateless && o.Walks == 0 && !o.Reduce,
		Reduce:   o.Reduce, Histories: o.Reduce,
		Walks: o.Walks, Guide: o.Guide, Strategy: o.Strategy, Depth: o.Depth, Seed: o.Seed,
		Shard: o.Shard, Shards: o.Shards,
		Coverage: o.Coverage, Solo: o.Solo, LockFree: o.LockFree,
		SpinLimit:     max(explore.DefaultSpinLimit, o.LockFree+1),
		MaxExecutions: o.Executions, Context: o.Context, Progress: o.Progress,
	}
}

// Report is the result of an exploration of one program.
type Report struct {
	explore.Report
	State     string            // operation state
	Validated uint64            // steps judged by the model; repeated prefixes are judged once
	Fired     map[string]uint64 // action -> accepted steps
	Marks     map[string]uint64 // operation state -> executions in which its race happened
	Histories linearizability.JudgeStats
	Outcomes  map[string]uint64 // what each operation returned -> executions
	Tokens    map[string]string // what each operation returned -> a token of one such execution
}

// Prepared is a program that is ready for one search.
type Prepared struct {
	Program explore.Program
	Options explore.Options
	Report  func(explore.Report) Report
	Steps   func() []StepLine // judged steps of the last execution
}

// StepLine is one judged step of a replayed interleaving.
type StepLine struct {
	Index  int    `json:"index"`
	Actor  int    `json:"actor"` // from 1, as in the model
	Action string `json:"action"`
	Kind   string `json:"kind"`
	Object string `json:"object"` // which word
	Old    Raw    `json:"old"`
	New    Raw    `json:"new"`
	OK     bool   `json:"ok"`
	Site   string `json:"site"` // file:line of the access
}

// ErrApart says that an engine has no processes.
var ErrApart = errors.New("the engine is no region that processes share: leave --apart out")

// Explore runs every interleaving of the program within the options on the shipping code and judges each.
// The report has a failure if a judge refused an execution. An error means that nothing was explored.
func (p Program) Explore(o Options) (Report, error) {
	r, err := p.Open(o)
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Explore(r.Program, r.Options)
	return r.Report(rep), err
}
