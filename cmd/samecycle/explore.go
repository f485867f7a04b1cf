package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
)

func exploreCommand(a *app) *cobra.Command {
	var r exploreRequest
	cmd := &cobra.Command{
		Use:   "explore STATE|PROGRAM|processes|hostile|MODULE@VERSION|./FOLDER|sync.Map",
		Short: "Search the interleavings of a state, or of foreign code",
		Long:  exploreHelp + searchHelp,
		Example: `  samecycle explore S04
  samecycle explore S04 --kills 1
  samecycle explore S04 --bound 1 --tokens
  samecycle explore S04 --reduce
  samecycle explore S12 --apart --kills 1
  samecycle explore S04AddCollisionEmpty_SameKey --bound -1 --json
  samecycle explore S04AddCollisionEmpty --exact --bound -1
  samecycle explore processes --kills 1
  samecycle explore HostileReclaim --reduce
  samecycle explore --history refused.ndjson --time 60s
  samecycle explore S02 --strategy portfolio --time 60s --kills 1
  samecycle explore S05 --kills 1 --solo 300 --lock-free 400 --coverage
  samecycle explore S04 --bound 3 --stateless --processes 2 --checkpoint saved
  samecycle explore S02 --strategy pct --depth 3 --executions 100000 --seed 1
  samecycle explore sync.Map
  samecycle explore github.com/alphadose/haxmap@v1.4.1
  samecycle explore github.com/alphadose/haxmap@v1.4.1 --races
  samecycle explore ./queue --type Queue
  samecycle explore ./queue --test TestQueue --races
  samecycle explore github.com/puzpuzpuz/xsync/v4@v4.5.0 --type MPMCQueue --time 5m --actors 3
  samecycle explore github.com/alphadose/haxmap@v1.4.1 --type Map --call GetOrSet,GetAndDel
  samecycle explore ./... --test . --time 10m`,
		Args: r.arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Fixed = cmd.Flags().Changed("bound")
			if r.History == "" && isForeign(args[0]) {
				o, err := r.foreignOptions(cmd, args[0])
				if err != nil {
					return err
				}
				return a.exploreForeign(cmd.Context(), args[0], o)
			}
			err := r.checkTypes(cmd)
			if err == nil {
				err = r.subject(cmd, args)
			}
			if err != nil {
				return err
			}
			if err := needsExplorer("explore", exploreBackend == nil); err != nil {
				return err
			}
			if r.Failures, err = a.failuresFolder(); err != nil {
				return err
			}
			p := newProgress(a.err)
			defer p.close()
			r.Progress, r.Say, r.Root = p.update, p.line, a.root
			found, err := exploreBackend(cmd.Context(), r)
			p.close()
			if errors.Is(err, errTarget) {
				return err // of the command line
			}
			return a.deliver(found, err)
		},
	}
	r.flags(cmd)
	return cmd
}

// errTarget is a name that only the explorer knows to be none.
var errTarget = errors.New("nothing to explore")

// flags declares the flags that fill the request.
func (r *exploreRequest) flags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&r.Bound, "bound", -1,
		"this bound on preemptions alone, -1: none (foreign code: up to this bound)")
	cmd.Flags().Lookup("bound").DefValue = "ascending"
	cmd.Flags().IntVar(&r.Kills, "kills", 0, "largest number of actors that are killed")
	cmd.Flags().IntVar(&r.Executions, "executions", 0,
		"limit of executions per program and bound (portfolio: per program); 0: none")
	r.register(cmd)
	r.Types.register(cmd)
	cmd.Flags().StringVar(&r.History, "history", "",
		"search for a schedule behind this refused history, in place of a state")
	cmd.Flags().BoolVar(&r.Races, "races", false,
		"foreign code: report its plain accesses, and find two that nothing orders")
	cmd.Flags().BoolVar(&r.Exact, "exact", false,
		"search only the program of that name, if its state has the same name")
	cmd.Flags().BoolVar(&r.Tokens, "tokens", false, "print a replay token for each outcome")
}

// arguments wants a state, or a history in its place.
func (r *exploreRequest) arguments(cmd *cobra.Command, args []string) error {
	switch {
	case r.History == "" && cmd.Flags().Changed("history"):
		return emptyFlag(cmd.Flags())
	case r.History == "":
		return oneArgument("STATE, PROGRAM, processes, hostile, MODULE@VERSION, ./FOLDER or sync.Map")(cmd,
			args)
	case len(args) > 0:
		return fmt.Errorf("%s with --history: the history says what is searched; leave %s out", args[0],
			args[0])
	}
	return nil
}

// subject checks the flags, and says what is searched.
func (r *exploreRequest) subject(cmd *cobra.Command, args []string) error {
	err := r.target(cmd, args)
	if err == nil {
		err = r.check()
	}
	if err == nil {
		err = r.searchFlags.check(cmd, r.Executions)
	}
	return err
}

// target is what is searched, without the flags that it does not have.
func (r *exploreRequest) target(cmd *cobra.Command, args []string) error {
	switch {
	case r.History != "":
		return r.checkHistory(cmd)
	case isCast(args[0]):
		r.Cast = args[0]
		if r.Kills > 0 && isHostile(r.Cast) {
			return fmt.Errorf("--kills with %s: who dies there has died before it begins; leave it out",
				r.Cast)
		}
		return onlyForStates(cmd, args[0], "tokens", "strategy", "depth", "shard", "processes", "checkpoint",
			"coverage", "solo", "lock-free", "apart", "exact")
	}
	return r.programs(args[0])
}

// programNames are those of a state's programs.
func programNames(e *harness.Engine, state string) (all []string) {
	for _, p := range e.ProgramsOf(state) {
		all = append(all, p.Name)
	}
	return all
}

// programNamed finds a program among those of all engines.
func programNamed(name string) (harness.Program, bool) {
	for _, e := range engines.All() {
		if p, ok := e.ProgramByName(name); ok {
			return p, true
		}
	}
	return harness.Program{}, false
}

// programs takes a state, or one of its programs: by a name that is not the state's own, or exactly.
func (r *exploreRequest) programs(name string) (err error) {
	if r.Engine, r.State, err = engineState(name); err == nil && !r.Exact {
		return nil
	}
	p, ok := programNamed(name)
	switch {
	case !ok && err == nil:
		return fmt.Errorf("--exact: %q is a state, and no program of it; name one of: %s", name,
			strings.Join(programNames(r.Engine, r.State.ID), ", "))
	case !ok:
		return fmt.Errorf("%w, or a program that their search prints; foreign code is MODULE@VERSION, "+
			"./FOLDER or sync.Map", err)
	}
	r.Program = p.Name
	r.Engine, r.State, err = engineState(p.State)
	return err
}

// checkHistory refuses what a search for a history's schedule does not have.
func (r exploreRequest) checkHistory(cmd *cobra.Command) error {
	return onlyForStates(cmd, "--history", "exact", "shard", "processes", "checkpoint")
}

// check holds the numbers of the request against their ranges.
func (r exploreRequest) check() error {
	switch {
	case r.Races:
		return errors.New("--races is for foreign code: of an engine the explorer sees the words of " +
			"internal/seam alone; leave it out, and judge plain memory with go test -race")
	case r.Bound < -1:
		return fmt.Errorf("--bound %d: use 0 or more, or -1 for none", r.Bound)
	case r.Kills < 0 || r.Kills > explore.MaxActors:
		return fmt.Errorf("--kills %d: use 0 to %d", r.Kills, explore.MaxActors)
	case r.Executions < 0:
		return fmt.Errorf("--executions %d: use 0 for no limit, or more", r.Executions)
	}
	return nil
}

// exploreHelp is what the help of explore says of its targets.
const exploreHelp = `explore runs the programs of an operation state under every interleaving
within a bound, on the engine's own source files, and checks each step and each history. The
name of a program runs this program alone; if its state has the same name, add --exact.

The bound is on preemptions: switches away from an actor that could go on. It ascends
from 0 to the bound that check uses for the program, so a failure has the fewest switches.

Modules of other people

A module by version, a folder of your own as ./FOLDER, or sync.Map, is explored in a rewritten
copy. In the copy import paths differ, go statements make actors, and with --races plain accesses
are reported. The module cache and the Go distribution are not changed. Channels, select,
reflect.Select, timers and contexts are explored: each possible case of a select is chosen, and a
timer fires at any later point. Goroutines and processes that packages without a copy start
or wait for, such as net/http and os/exec, are in no schedule. The report names the imports
that do so, and goroutines that ran beside the actors. Data races are found only with --races:
those between accesses in the copy, which then has packages slices and sort, too, and some that
the rest of the standard library makes of the maps and slices that it is given (by maps, fmt,
json.Marshal, strings.Join, Read, reflect.Value and others). What it accesses otherwise, as
json.Unmarshal does, is not seen, and no verdict says so. A send that may come beside a close is a
race, too, and so is a lock that is overwritten while others may use it.

--type explores any exported type of the module, without a specification. Small programs call
its methods concurrently. The results of the calls, and the contents of the value afterwards,
must be those of some order of the same calls one after the other, run on the same code. A
call that waits in such an order is overtaken by others. Pairs of methods come first, then
pairs in other states of the value, then programs that are drawn from the seed: with 2 calls of
each actor at most, and with --time longer ones as soon as hardly any new one can be drawn. The
search ends when --time is over, or earlier if nearly all of these were explored. Without --time
it ends after a minute, which includes the time to find the methods, or after 200 drawn programs.
The report says how large the programs were, and whether nearly all of them were explored.
Without --type a module that has no adapter lists its types.

--test explores the test functions whose names match an expression, without changes, in all
orders of their goroutines with few preemptions. A test fails if it reports a failure, panics,
or waits for ever because no goroutine can continue. The clock stands still while any goroutine
can continue; then the wait that ends first is ended. So a timeout that is long enough never
expires. If goroutines work until another one stops them, or until some time is over, none
waits for more than 1000 steps of the others (or for four times the steps of the test, if these
are more), and the report says so. With --races all interleavings of each test are also
searched, as far as the time allows; those that differ only in the order of independent steps
count as one. If this search comes to its end, "clean" has no bound. With --time, and without
--bound, tests that are clean with 2 preemptions are searched with more, as long as there is
time. Otherwise "clean" says with how many, unless these were all interleavings. A test that
was not searched to the end is "unknown", with exit status 1. Its executions with few delays
are searched as well (goroutines run in turn, and a delay passes one over), and random ones are
added. With --time it is searched again, without a limit of executions, for a third of its part
of the time, and random executions use all the time that is left. The time is for all tests
together. With --leaks a test also fails if goroutines do not end after it has returned: they
wait for ever, or still work many steps or sleeps later. A test that skips itself is listed as
"skipped", and does not count unless all tests skip themselves. One with more than 100,000 steps
is explored in its short form (testing.Short), if it has one. One that ends the process, or never
returns, is "unknown", and the tests behind it are explored in another process. FOLDER/...
explores the tests of all packages at and below a folder, one package after the other. If a
package cannot be built, the others are explored nevertheless. The exit status is 0 if each
package is clean or skipped and at least one is clean.

--new names the function that makes a value, --call the methods to call, and --package the
package below the module. --single names methods that at most one actor may call, such as
those of a queue with one producer.

A function that a method takes returns fixed values, written returns(2, false); the arguments
that it is called with are results, too. A channel to receive from is closed and has one value
or none. A channel to send on has room, and what is in it when the call returns is a result.
Left out, with the reason in the report, are methods that take an interface other than error,
Context, Reader, Writer and Stringer, and methods promoted from an embedded lock, unless --call
names them. A call that waits for the clock may be overtaken, too; how long it waits is not
judged. Tickers, timers that are set again and again, and loops that sleep run only as often as
the report says, because a goroutine that runs for ever has to end.

Modules that the module requires are copied and explored as well, if the type uses packages of
theirs that share memory or start goroutines. A go.work that uses the module is used, and so is
a vendor folder, if go test uses it; GOFLAGS=-mod=mod explores without it. Not copied are
modules that use C, that do not build with the shims, or whose goroutines still run when they
have been loaded. The report names their packages. Goroutines that the module itself starts when
it is loaded do not run unless it waits for them then, and the report names what starts them. A
search without a failure is then "clean as far as searched", with a list of what was not
searched, and the exit status is 0.
The same holds if something is not controlled, if programs were cut short, or if calls end the
process even one after the other, because a goroutine that they start panics. If a goroutine
that is no actor comes to a step, the search ends with "unknown" and exit status 1.

Histories, tokens

--history takes a history that is not linearizable from a file (one JSON event a line, as
internal/history describes); stress keeps such histories in results/failures. It searches
small programs made of the calls in the window that no order explains, and ends at the first
one that fails. A history does not tell everything, such as what else was in the table. Only a
few possibilities are tried, so a search without a failure does not clear the engine.

A failure prints a token, and --tokens prints one for each outcome of the clients. replay runs
this one interleaving again.
`
