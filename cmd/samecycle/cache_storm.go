package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/samecycle/samecycle/internal/cachestorm"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/spf13/cobra"
)

// stormWorkerCommand is what cache storm starts its processes with.
const stormWorkerCommand = "storm-worker"

func stormWorker() *cobra.Command {
	return &cobra.Command{Use: stormWorkerCommand + " ASSIGNMENT", Hidden: true,
		Args:  oneArgument("ASSIGNMENT"),
		Short: "One process of a storm on a cache",
		RunE: func(_ *cobra.Command, args []string) error {
			return failed(cachestorm.Worker(args[0]))
		}}
}

type stormFlags struct {
	outFlags
	kills, processes, threads int
	duration                  time.Duration
}

func cacheStormCommand(a *app) *cobra.Command {
	var f stormFlags
	cmd := &cobra.Command{
		Use:   "storm",
		Short: "Kill processes that work on a cache, and check the answers that they got",
		Long: `storm makes a small cache, and processes that make all kinds of calls on it. They are killed
(SIGKILL) and stopped at random instants, and others take their places. Each process has a
journal that outlives it. At the end of each round storm compares the journals with one
another and with the cache. Each value that has left was reported once, with a reason. No
value comes back, and none is torn. The structure, the accounts and the counts are right. No
call took more than 10 ms beyond the time in which its process waited for a processor.

The processes also ask with quotas, tune live parameters, and give entries that leave to
stores. In each fifth cache half of them use slots, whose services are killed, too. A key
that is rarely asked for must never be refused. Parameters that are set together must be
read together. A call that was reported as not done must never have an effect.

A process that dies within a call may have reported nothing about the entries that it
removed. Such values are counted, and bounded by what the calls of the dead can have removed.

The code is that of a normal build. The run ends at the first fault. Caches of different
kinds take turns; one of them has keys that share chains, and one has an index that is too
small. The exit status is 1 after a fault. An interrupt ends the run, and prints
the figures so far.

With --out the figures are written to a file after each cache. --resume continues from
there. What was asked for must be the same, but for limits.`,
		Example: `  samecycle cache storm --kills 100
  samecycle cache storm --duration 10m --processes 8 --threads 1 --seed 7
  samecycle cache storm --kills 10000 --out results/cache/storm.json --resume`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.cacheStorm(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.kills, "kills", 0, "end after so many kills; 0: no limit")
	flags.DurationVar(&f.duration, "duration", 0, "end after this time; 0: no limit")
	flags.IntVar(&f.processes, "processes", 4, "processes at work")
	flags.IntVar(&f.threads, "threads", 2, "threads of each process")
	f.bind(flags)
	return cmd
}

// check refuses what is out of bounds.
func (f *stormFlags) check() error {
	switch {
	case f.kills < 0:
		return fmt.Errorf("--kills %d: use 1 or more, or 0 for no limit", f.kills)
	case f.duration < 0:
		return fmt.Errorf("--duration %v: use a duration like 5m, or 0 for no limit", f.duration)
	case f.kills == 0 && f.duration == 0:
		return errors.New("--kills or --duration is missing: say when the storm ends")
	case f.processes < 1 || f.processes > cachestorm.ProcessesMost:
		return fmt.Errorf("--processes %d: use 1 to %d", f.processes, cachestorm.ProcessesMost)
	case f.threads < 1 || f.threads > cachestorm.ThreadsMost:
		return fmt.Errorf("--threads %d: use 1 to %d", f.threads, cachestorm.ThreadsMost)
	}
	return f.checkOut()
}

// limits are the flags that say what is done.
func (f *stormFlags) limits() []string {
	args := []string{"cache", "storm", "--processes", strconv.Itoa(f.processes), "--threads",
		strconv.Itoa(f.threads)}
	if f.kills > 0 {
		args = append(args, "--kills", strconv.Itoa(f.kills))
	}
	if f.duration > 0 {
		args = append(args, "--duration", f.duration.String())
	}
	return args
}

func (a *app) cacheStorm(ctx context.Context, f stormFlags) error {
	ctx, stop := untilOrphaned(ctx)
	defer stop()
	if done, err := a.plainly(ctx, append(f.limits(), f.args()...)); done {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	p.line("seed %d", f.seed)
	file, release, err := openFigures[cachestorm.Report](ctx, a, "storm", &f.outFlags, f.limits(), writeStorm)
	if err != nil {
		return failed(err)
	}
	defer release()
	self, err := os.Executable()
	if err != nil {
		return failed(fmt.Errorf("the program's own file is not known: %w", err))
	}
	r, err := cachestorm.Run(ctx, cachestorm.Options{Seed: f.seed, Kills: f.kills, Duration: f.duration,
		Processes: f.processes, Threads: f.threads, Folder: sharedFolder(), Progress: p.update,
		Before: file.Report, Batch: file.save,
		Command: func(assignment string) *exec.Cmd {
			cmd := exec.Command(self, stormWorkerCommand, assignment)
			cmd.SysProcAttr, cmd.Env = ownGroup(), ofParent()
			return cmd
		}})
	p.close()
	if r == nil || err != nil {
		return failed(err)
	}
	if err := file.save(r); err != nil {
		return failed(err)
	}
	return a.deliver(report{Red: len(r.Faults) > 0 || ctx.Err() != nil, Data: r,
		Text: func(w io.Writer) error { writeStorm(w, r); return nil }}, nil)
}

// writeStorm prints the figures for a person.
func writeStorm(w io.Writer, r *cachestorm.Report) {
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	fmt.Fprintf(w, "%s, %s of them within a call that changes something; %s\n", counted(r.Kills, "kill"),
		thousands(r.InCalls), counted(r.Stops, "stop"))
	fmt.Fprintf(w, "%s on %s, %d of them without deaths\n", counted(r.Rounds, "round"),
		plural.Of(r.Caches, "cache"), r.Calm)
	fmt.Fprintf(w, "%s, %s of which change something; %s were there\n", counted(r.Calls, "call"),
		thousands(r.Changes), counted(r.Values, "value"))
	fmt.Fprint(w, "told:")
	for _, reason := range slices.Sorted(maps.Keys(r.Told)) {
		fmt.Fprintf(w, " %s %s;", reason, thousands(r.Told[reason]))
	}
	fmt.Fprintf(w, " twice, by the dead and for them, %s\n", thousands(r.Twice))
	fmt.Fprintf(w, "in doubt, being taken out by the dead: %s, at most %d in a round; deaths excuse %s\n",
		counted(r.Doubt, "value"), r.DoubtPeak, thousands(r.DoubtMost))
	fmt.Fprintf(w, "%s with quotas: %s told of a suspect, %s of a denied key, %s of a denied client; %s at "+
		"rest refused none\n", counted(r.Asks, "call"), thousands(r.Suspects), thousands(r.DeniedKeys),
		thousands(r.DeniedClients), thousands(r.Calmed))
	fmt.Fprintf(w, "%s of live parameters, %d of which a death has cut; %s\n", counted(r.Tunes, "change"),
		r.Tuning, counted(r.Reads, "reading"))
	fmt.Fprintf(w, "stores were given %s; all counts are those of the journals in %s\n",
		counted(r.Stored, "value"), plural.Of(r.Tallied, "round"))
	fmt.Fprintf(w, "%s by slots, of which %s were not made, and %s are not known; %s within a change that a "+
		"service made\n", counted(r.BySlots, "call"), thousands(r.NotMade), thousands(r.Unknown),
		counted(r.Serving, "kill"))
	fmt.Fprintf(w, "%s of structure and accounts; hints of baskets off by %d bytes at most, at the end of a "+
		"cache by %d\n", counted(r.Checks, "check"), r.Drift, r.Stale)
	fmt.Fprintf(w, "longest call %.1f ms on the wall; %s took over 10 ms; beyond the scheduler %.2f ms at "+
		"most\n", ms(r.Longest), counted(r.Slow, "call"), ms(r.Own))
	if !r.Scheduler {
		fmt.Fprintln(w, "the kernel does not say how long threads wait for a processor: their own time "+
			"counted")
	}
	if r.Busy > 0 {
		fmt.Fprintf(w, "%s without room, all baskets or writers being in use\n", counted(r.Busy, "call"))
	}
	writeEnd(w, r.Seed, r.Ended, r.Faults)
}
