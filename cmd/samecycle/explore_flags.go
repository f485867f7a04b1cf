package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/samecycle/samecycle/internal/disk"
)

// The ways to search that --strategy names.
const (
	strategyDFS       = "dfs"
	strategyPortfolio = "portfolio"
	strategyPCT       = "pct"
)

var strategies = []string{strategyDFS, strategyPCT, "uniform", "reversing", "plain", strategyPortfolio}

// defaultDepth is the depth of PCT, and the highest one of a portfolio: most known bugs need no
// more ordering constraints.
const defaultDepth = 3

// searchFlags are the flags of explore that say how a state is searched.
type searchFlags struct {
	Strategy string
	Seed     uint64
	Depth    int
	Time     time.Duration

	Reduce        bool // run one of the executions that differ in the order of independent steps only
	Apart         bool // each actor is a process of its own
	Stateless     bool // do not join states seen before
	Shard, Shards int  // this process searches shard number Shard, from 0; Shards 0: everything
	Processes     int  // split the search among so many processes

	Checkpoint string // folder of files from which searches go on
	Solo       int    // accesses within which an actor alone must end its operation, 0: not checked
	LockFree   int    // accesses within which some operation must end, 0: not checked
	Coverage   bool   // list the pairs of accesses that were seen in one order only

	shard string // the flag
}

// searchHelp is what the help of explore says of them.
const searchHelp = `
Strategies

dfs is the search above. The others draw random executions: pct finds bugs of a given depth
with a known probability; uniform draws each interleaving about equally often; plain makes an
even choice at each step; reversing prefers orders of conflicting accesses that were not seen
yet, which --coverage lists at the end. portfolio spends half of its budget on ascending
bounds, and the rest on pct with depth 1 to --depth, uniform and plain, and with --coverage
also reversing. Random executions need a budget, --time or --executions. The seed is printed
first, and the report says what the executions prove.

--reduce runs one interleaving of each class of equivalent ones, with any number of
preemptions. Two are equivalent if they differ only in the order of independent steps and have
the same history. All results, histories and final states are found. A state in between is
found only if an interleaving that is run passes it.

--apart makes each actor a process of its own. It maps the region at its own address, and has
its own entry in the process table. With --kills it may die at any time from its first step
to its end, and not only after its own steps.

explore processes searches programs whose processes attach to a region, die, detach, and are
followed by others that take over what they left. The name of one, such as ProcessInherit,
searches it alone. Their bound ascends to 1, at which each ends within seconds.

explore hostile searches programs in which one more actor overwrites one word of the region.
It tries any word that the others access, each of a list of values, at any point. The name of
one, such as HostileReclaim, searches it alone. A call on a damaged table must end with an error
within its bound, access nothing outside of the region, and leave each bucket as it is that
the damage cannot reach.

Long searches, progress

--processes N splits a search among N processes, and --shard I/N runs one of these parts by
itself. Their counts add up to those of the whole search. Both need one --bound and
--stateless, because a process does not know which states another one has seen.

--checkpoint FOLDER saves a dfs search there every 30 seconds and when it is interrupted. The
same command continues it, and ends with the counts of a search that was not stopped.

--solo N checks obstruction freedom: from each state of the search, and from one of each drawn
execution, each live actor goes on alone and must end its operation within N accesses.
--lock-free N checks that some operation ends within every N accesses of all actors. Both
print the largest number that was needed.

Before a search with --stateless the number of its executions is estimated. Any other dfs
search joins states that it has seen, so the number of its executions is not known before. An
interrupt ends any search with a report of what was done.
`

func (f *searchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Strategy, "strategy", strategyDFS, "how to search: "+strings.Join(strategies, ", "))
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of random executions and of estimates")
	flags.Lookup("seed").DefValue = "a new one"
	flags.IntVar(&f.Depth, "depth", defaultDepth, "depth of pct; for a portfolio, the highest depth")
	flags.DurationVar(&f.Time, "time", 0,
		"time for each program (of a type: for all), as 90s or 2h; 0: no limit")
	flags.BoolVar(&f.Reduce, "reduce", false, "search one interleaving of each class of equivalent ones")
	flags.BoolVar(&f.Apart, "apart", false, "make each actor a process of its own")
	flags.BoolVar(&f.Stateless, "stateless", false, "do not join states seen before")
	flags.StringVar(&f.shard, "shard", "", "search one part only, as 0/4 to 3/4")
	flags.IntVar(&f.Processes, "processes", 1, "split the search among so many processes")
	flags.BoolVar(&f.Coverage, "coverage", false,
		"list the pairs of conflicting accesses that were seen in one order only")
	flags.IntVar(&f.Solo, "solo", 0,
		"from each state each actor alone must end its operation within so many accesses")
	flags.IntVar(&f.LockFree, "lock-free", 0,
		"some operation must end within every so many accesses of all actors together")
	flags.StringVar(&f.Checkpoint, "checkpoint", "", "folder to save the search in, and to go on from")
}

// random reports whether executions are drawn.
func (f *searchFlags) random() bool { return f.Strategy != strategyDFS }

func wrongAccesses(flag string, n int) error {
	return fmt.Errorf("--%s %d: use 1 to %d accesses, or 0 for no check", flag, n, maxAccesses)
}

// check holds the flags against one another, and draws a seed if none was given.
func (f *searchFlags) check(cmd *cobra.Command, executions int) error {
	changed := cmd.Flags().Changed
	switch {
	case !slices.Contains(strategies, f.Strategy):
		return fmt.Errorf("--strategy %s: use one of %s", f.Strategy, strings.Join(strategies, ", "))
	case f.Time < 0:
		return fmt.Errorf("--time %v: use a duration like 90s, or 0 for no limit", f.Time)
	case changed("depth") && f.Strategy != strategyPCT && f.Strategy != strategyPortfolio:
		return fmt.Errorf("--depth is for --strategy pct and portfolio; leave it out with %s", f.Strategy)
	case f.Depth < 1 || f.Depth > 64:
		return fmt.Errorf("--depth %d: use 1 to 64", f.Depth)
	case f.random() && f.Time == 0 && executions == 0:
		return fmt.Errorf("--strategy %s never ends by itself: give it --time 60s or --executions 100000",
			f.Strategy)
	case f.Checkpoint != "" && f.random():
		return fmt.Errorf("--checkpoint with --strategy %s: a seed is all there is to keep; run it again "+
			"with another --seed", f.Strategy)
	case f.Solo < 0 || f.Solo > maxAccesses:
		return wrongAccesses("solo", f.Solo)
	case f.LockFree < 0 || f.LockFree > maxAccesses:
		return wrongAccesses("lock-free", f.LockFree)
	case f.Checkpoint != "" && f.Solo > 0:
		return errors.New("--checkpoint with --solo: what was probed is not saved; leave one out")
	case f.Processes > 1 && (f.Solo > 0 || f.LockFree > 0):
		return errors.New("--processes with --solo or --lock-free: run the shards by --shard, which " +
			"each say what they needed")
	case f.Checkpoint != "" && f.Coverage:
		return errors.New("--checkpoint with --coverage: what was seen is not saved; leave one out")
	case f.Stateless && f.random() && f.Strategy != strategyPortfolio:
		return fmt.Errorf("--stateless with --strategy %s: drawn executions are never cut; leave it out",
			f.Strategy)
	case changed("bound") && f.random() && f.Strategy != "plain" && f.Strategy != strategyPortfolio:
		return fmt.Errorf("--bound with --strategy %s: what it promises holds without a bound only; "+
			"leave --bound out", f.Strategy)
	}
	if err := f.checkReduce(changed); err != nil {
		return err
	}
	if !changed("seed") {
		f.Seed = rand.Uint64N(1e9)
	}
	if err := f.checkShards(changed("bound")); err != nil || f.Checkpoint == "" {
		return err
	}
	err := os.MkdirAll(f.Checkpoint, 0o755) // nothing is made for what is refused
	if err == nil {
		err = disk.Check(f.Checkpoint)
	}
	if err != nil {
		return fmt.Errorf("--checkpoint %s: %w; name a folder that can be written", f.Checkpoint, err)
	}
	return nil
}

// checkReduce refuses what a reduced search cannot do.
func (f *searchFlags) checkReduce(changed func(string) bool) error {
	if !f.Reduce {
		return nil
	}
	for _, other := range []string{"bound", "strategy", "stateless", "shard", "processes", "checkpoint",
		"coverage", "solo", "lock-free"} {
		if changed(other) {
			return fmt.Errorf("--reduce with --%s: a reduced search leaves out executions that this would "+
				"count or judge: leave one of the two out", other)
		}
	}
	return nil
}

// maxAccesses bounds --solo and --lock-free.
const maxAccesses = 100_000

// checkShards reads --shard and holds it and --processes against the other flags.
func (f *searchFlags) checkShards(bound bool) error {
	if f.shard != "" {
		i, n, ok := strings.Cut(f.shard, "/")
		var e1, e2 error
		f.Shard, e1 = strconv.Atoi(i)
		f.Shards, e2 = strconv.Atoi(n)
		if !ok || e1 != nil || e2 != nil || f.Shard < 0 || f.Shard >= f.Shards || f.Shards > mostAtOnce {
			return fmt.Errorf("--shard %s: use I/N with I from 0 to N-1 and N up to %d", f.shard,
				mostAtOnce)
		}
	}
	split := "--processes"
	if f.shard != "" {
		split = "--shard"
	}
	if err := atOnce("processes", f.Processes); err != nil {
		return err
	}
	switch {
	case f.Processes == 1 && f.shard == "":
		return nil
	case f.Processes > 1 && f.shard != "":
		return errors.New("--processes with --shard: the processes are the shards; leave one out")
	case f.Processes > 1 && f.Coverage:
		return errors.New("--processes with --coverage: the processes do not know what the others saw; " +
			"leave one out")
	case f.random():
		return fmt.Errorf("%s with --strategy %s: run it again with another --seed instead", split,
			f.Strategy)
	case !bound:
		return fmt.Errorf("%s needs one bound, for ascending bounds end each by itself: give --bound", split)
	case !f.Stateless:
		return fmt.Errorf("%s: no process knows which states another one has seen, so the counts would "+
			"not add up: add --stateless", split)
	}
	return nil
}

// onlyForStates refuses flags that the target does not have.
func onlyForStates(cmd *cobra.Command, target string, flags ...string) error {
	for _, f := range flags {
		if cmd.Flags().Changed(f) {
			return fmt.Errorf("--%s is for operation states; leave it out with %s", f, target)
		}
	}
	return nil
}

// As targets of explore allCasts is every program of processes that come and go, and allHostile every one in
// which somebody overwrites a word of the region.
const allCasts, allHostile = "processes", "hostile"

// isCast tells such a program, or all of a kind, from an operation state.
func isCast(target string) bool {
	return target == allCasts || strings.HasPrefix(target, "Process") || isHostile(target)
}

// isHostile tells those with a hostile writer.
func isHostile(target string) bool {
	return target == allHostile || strings.HasPrefix(target, "Hostile")
}
