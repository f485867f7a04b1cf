package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/stress"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type stressFlags struct {
	engine, state, out                  string
	resume, marksGiven, deathsGiven     bool
	duration                            time.Duration
	operations, marks, seed             uint64
	kills, processes, threads, perRound int
}

func stressCommand(a *app) *cobra.Command {
	var f stressFlags
	cmd := &cobra.Command{
		Use:   "stress",
		Short: "Run the races at full speed, in processes that are stopped and killed",
		Long: `stress runs the races of the operation states at full speed: first in goroutines, then in
worker processes on one region file, which are stopped and killed at random instants.
Each window of their histories is checked for linearizability, the place of each value
is checked, and the times that a race was seen (its marks) are counted. The code is that
of a normal build. If this program was built with the explorer, it first builds one
without it, from the sources of the repository.

Without a limit each state runs until its race was seen. The run ends at the first fault.
The exit status is 1 after a fault, if the race of a state was not seen, or if a window
was not decided.

A limit counts only after each state has run once. That takes half a minute for all states,
and one and a half minutes with 16 processes and goroutines. A state that did not run has
no verdict. An interrupt ends the run at any time and prints the figures so far.

With --out the figures are written to a file after each batch, in which each state runs
once. --resume continues from there. What was asked for must be the same, but for limits.`,
		Example: `  samecycle stress                          each state, until its race was seen
  samecycle stress --state S24 --kills 100
  samecycle stress --state C01              a state of another engine, which its letter names
  samecycle stress --duration 10m --processes 6 --seed 7
  samecycle stress --kills 10000 --out results/hopscotch/stress.json --resume`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.marksGiven, f.deathsGiven = cmd.Flags().Changed("marks"), cmd.Flags().Changed("deaths")
			if !cmd.Flags().Changed("engine") {
				f.engine = engineOfState(f.state, f.engine)
			}
			if s, ok := subjectNamed(f.engine); ok && !s.Deaths() && !cmd.Flags().Changed("processes") {
				f.processes = 0
			}
			if err := f.check(); err != nil {
				return err
			}
			ctx, stop := untilOrphaned(cmd.Context())
			defer stop()
			return a.stress(ctx, f)
		},
	}
	bindStress(cmd.Flags(), &f, "the engine: "+strings.Join(subjectNames(), ", "))
	return cmd
}

// engineOfState is the engine with the state that a person means, or else, if that is of no engine or names
// none by its letter, the one that is given.
func engineOfState(state, otherwise string) string {
	if state == "" || state[0] >= '0' && state[0] <= '9' {
		return otherwise
	}
	for _, s := range subjects {
		if _, err := stress.StateNamed(s, state); err == nil {
			return s.Name()
		}
	}
	return otherwise
}

// bindStress says which flag sets what. The link of volume runs the command with these flags.
func bindStress(flags *pflag.FlagSet, f *stressFlags, engine string) {
	flags.StringVar(&f.engine, "engine", defaultEngine, engine)
	flags.StringVar(&f.state, "state", "", "run one state only: S04 or S04AddCollisionEmpty")
	flags.DurationVar(&f.duration, "duration", 0, "end after this time, but run each state once; 0: no limit")
	flags.Uint64Var(&f.operations, "operations", 0,
		"end after so many operations, but run each state once; 0: no limit")
	flags.IntVar(&f.kills, "kills", 0, "end after so many kills, but run each state once; 0: no limit")
	flags.Uint64Var(&f.marks, "marks", 1, "without a limit: how often each race must be seen")
	flags.IntVar(&f.processes, "processes", 4,
		"worker processes of a run; 0: goroutines only, no kills (always so for an engine on the heap)")
	flags.IntVar(&f.threads, "threads", 6, "goroutines of a run without processes; 0: processes only")
	flags.IntVar(&f.perRound, "deaths", 2, "kills in each round with kills")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of all random choices")
	flags.StringVar(&f.out, "out", "", "file for the figures")
	flags.BoolVar(&f.resume, "resume", false,
		"continue from the figures in --out, which must be of the same files and flags")
}

// stressOptions are what a campaign does for the flags; its workers are started as worker says.
func stressOptions(f stressFlags, subject stress.Subject, worker string) stress.Options {
	o := stress.Options{Seed: f.seed, Processes: f.processes, Threads: f.threads, Kills: f.kills,
		Operations: f.operations, Duration: f.duration, Marks: f.marks, Deaths: f.perRound,
		Worker: []string{worker, workerCommand}}
	if state, err := stress.StateNamed(subject, f.state); err == nil {
		o.States = []string{state}
	}
	return o
}

// check refuses flags that do not go together; their bounds are those of the package.
func (f stressFlags) check() error {
	subject, known := subjectNamed(f.engine)
	switch {
	case !known:
		return fmt.Errorf("--engine %q: use one of %s", f.engine, strings.Join(subjectNames(), ", "))
	case f.processes > 0 && !subject.Deaths():
		return fmt.Errorf("--processes: %s lives on the heap of one process: use 0", f.engine)
	case f.resume && f.out == "":
		return errors.New("--resume needs --out: the file to continue from")
	case f.duration < 0:
		return fmt.Errorf("--duration %v: use a duration like 5m, or 0 for no limit", f.duration)
	case f.kills < 0:
		return fmt.Errorf("--kills %d: use 1 or more, or 0 for no limit", f.kills)
	case f.marks == 0:
		return errors.New("--marks 0: use 1 or more")
	case f.marksGiven && (f.duration > 0 || f.kills > 0 || f.operations > 0):
		return errors.New("--marks is for a run without a limit: leave it out, or --duration, --kills and " +
			"--operations")
	case f.kills > 0 && f.processes == 0:
		return errors.New("--kills needs --processes: goroutines cannot be killed")
	case f.deathsGiven && f.processes == 0:
		return errors.New("--deaths needs --processes: goroutines cannot be killed")
	case f.processes+f.threads == 0:
		return errors.New("--processes 0 --threads 0: nobody is left to work; use 1 or more for one of them")
	}
	for _, x := range []struct {
		name         string
		n, low, most int
	}{{"processes", f.processes, 0, stress.ClientsMost}, {"threads", f.threads, 0, stress.ClientsMost},
		{"deaths", f.perRound, 1, stress.DeathsMost}} {
		if x.n < x.low || x.n > x.most {
			return fmt.Errorf("--%s %d: use %d to %d", x.name, x.n, x.low, x.most)
		}
	}
	if f.state != "" {
		if _, err := stress.StateNamed(subject, f.state); err != nil {
			return fmt.Errorf("--state %w", err)
		}
	}
	return nil
}

// args are the flags as a command line that asks for the same.
func (f stressFlags) args() []string {
	args := []string{"stress"}
	if f.engine != "" && f.engine != defaultEngine {
		args = append(args, "--engine", f.engine)
	}
	args = append(args, "--seed", strconv.FormatUint(f.seed, 10),
		"--processes", strconv.Itoa(f.processes), "--threads", strconv.Itoa(f.threads))
	if f.processes > 0 {
		args = append(args, "--deaths", strconv.Itoa(f.perRound))
	}
	if f.state != "" {
		args = append(args, "--state", f.state)
	}
	limits := len(args)
	if f.kills > 0 {
		args = append(args, "--kills", strconv.Itoa(f.kills))
	}
	if f.operations > 0 {
		args = append(args, "--operations", strconv.FormatUint(f.operations, 10))
	}
	if f.duration > 0 {
		args = append(args, "--duration", f.duration.String())
	}
	if len(args) == limits {
		args = append(args, "--marks", strconv.FormatUint(f.marks, 10))
	}
	return args
}

// hold makes the path of --out absolute and keeps other runs from the file.
func (f *stressFlags) hold() (release func(), err error) {
	if f.out == "" {
		return func() {}, nil
	}
	path, err := filepath.Abs(f.out)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f.out = path
	if release, err = holdWritable("--out", path); err != nil || f.resume {
		return release, err
	}
	if err := overwrites(path); err != nil {
		release()
		return nil, fmt.Errorf("--out: %w", err)
	}
	return release, nil
}

func (a *app) stress(ctx context.Context, f stressFlags) error {
	release, err := f.hold()
	if err != nil {
		return failed(err)
	}
	defer release()
	if seam.Explored {
		release() // the program that is started holds it
		return a.stressPlain(ctx, f)
	}
	self, err := os.Executable()
	if err != nil {
		return failed(fmt.Errorf("the program's own file is not known: %w", err))
	}
	p := newProgress(a.err)
	defer p.close()
	p.line("seed %d", f.seed)
	subject, _ := subjectNamed(f.engine) // the flags have been checked
	o := stressOptions(f, subject, self)
	o.Progress = p.update
	if o.Histories, err = a.failuresFolder(); err != nil {
		return err
	}
	var file *stressFile
	if f.out != "" {
		if file, err = a.openStressFile(ctx, f); err != nil {
			return failed(err)
		}
		o.Before = file.Report
		o.Batch = func(r *stress.Report) error { return file.save(r) }
	}
	r, err := stress.Campaign(ctx, subject, o)
	p.close()
	if r == nil || err != nil && ctx.Err() == nil {
		return failed(err)
	}
	if err != nil {
		r.Ended = context.Cause(ctx).Error()
	}
	for _, s := range r.States {
		s.Faults, s.Undecided = listed(s.Faults), listed(s.Undecided)
	}
	r.Faults = listed(r.Faults)
	return a.deliver(report{Red: redStress(r) || err != nil, Data: r,
		Text: func(w io.Writer) error { return writeStress(w, r) }}, nil)
}

// redStress tells whether something is wrong, was not seen, or was not decided.
func redStress(r *stress.Report) bool {
	red := len(r.Faults) > 0
	for _, s := range r.States {
		text, _ := s.Verdict()
		red = red || text != ""
	}
	return red
}

// writeStress prints the figures for a person.
func writeStress(w io.Writer, r *stress.Report) error {
	const form = "%-28s %9v %11v %8v %6v %10v %10v %6v  %s\n"
	fmt.Fprintf(w, form, "STATE", "MARKS", "OPERATIONS", "WINDOWS", "KILLS", "IN FLIGHT", "INSTALLED",
		"STOPS", "VERDICT")
	for _, s := range r.States {
		text, unknown := s.Verdict()
		switch {
		case text == "":
			text = "pass"
		case unknown:
			text = "UNKNOWN"
		default:
			text = "FAIL"
		}
		fmt.Fprintf(w, form, s.State, s.Marks, s.Operations, s.Windows, s.Kills, s.InFlight, s.Installed,
			s.Stops, text)
	}
	writeLatency(w, r)
	if r.Ways > 0 {
		fmt.Fprintf(w, "one program in several ways, same results: %s\n", plural.Of(r.Ways, "way"))
	}
	fmt.Fprintf(w, "seed %d, %s, ended: %s\n", r.Seed, plural.Of(r.Done, "batch"), r.Ended)
	for _, text := range r.Faults {
		fmt.Fprintln(w, "FAULT:", text)
	}
	for _, s := range r.States {
		for _, text := range s.Faults {
			fmt.Fprintln(w, "FAULT:", text)
		}
		for _, text := range s.Undecided {
			fmt.Fprintf(w, "UNKNOWN: %s: %s\n", s.State, text)
		}
		if text, _ := s.Verdict(); text != "" && !s.Red() && len(s.Undecided) == 0 {
			fmt.Fprintf(w, "%s: %s\n", s.State, text)
		}
	}
	return nil
}

// writeLatency prints how long the operations took.
func writeLatency(w io.Writer, r *stress.Report) {
	if r.Deaths {
		fmt.Fprintf(w, "\nsurvivors around deaths and stops: %v\n", &r.Near)
		fmt.Fprintf(w, "control, rounds without:           %v\n", &r.Away)
	} else {
		fmt.Fprintf(w, "\ngoroutines of one process, none of which can be killed or stopped: %v\n", &r.Away)
	}
	if r.Counts != "" {
		fmt.Fprintf(w, "at most %s in one call\n", plural.Of(max(r.Near.Installs, r.Away.Installs), r.Counts))
	}
	if r.Deaths {
		fmt.Fprintf(w, "a slow operation used at most %.1f ms of processor time\n", float64(r.Near.Own)/1e6)
	}
}

// stressFile is what --out keeps.
type stressFile struct {
	Command string            `json:"command"` // judges the same again, as far as chance allows
	Seed    uint64            `json:"seed"`
	Commit  string            `json:"commit"`
	Inputs  string            `json:"inputs_sha256"` // of the code that was judged, and that judged
	Tools   map[string]string `json:"tools"`
	Report  *stress.Report    `json:"report"`

	path string
}

// overwrites is the error of a run that would put its figures in the place of something else.
func overwrites(path string) error {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 { // there is none, or nothing in it
		return nil
	}
	var old stressFile
	if json.Unmarshal(text, &old) != nil || old.Report == nil {
		return fmt.Errorf("%s is no file of figures, and would be lost: name another one", path)
	}
	return nil
}

// openStressFile reads the file to go on from, or begins one.
func (a *app) openStressFile(ctx context.Context, f stressFlags) (*stressFile, error) {
	root, err := a.repository()
	if err != nil {
		return nil, err
	}
	scope := closure.Scope{Packages: []string{"scenarios/" + f.engine + "/volume"}}
	code, err := closure.Open(root).Of(ctx, scope, "")
	if err != nil {
		return nil, err
	}
	if err := (evidence.Env{Root: root}).Outdated(ctx); err != nil {
		return nil, err
	}
	command := "samecycle"
	for _, arg := range f.args() {
		command += " " + arg
	}
	out := &stressFile{Command: command, Seed: f.seed, Commit: evidence.CommitOf(root, code.Files()),
		Inputs: code.Hash(), Tools: map[string]string{"go": runtime.Version(), "system": runtime.GOOS + "/" +
			runtime.GOARCH, "processors": strconv.Itoa(runtime.NumCPU())}, path: f.out}
	if !f.resume {
		return out, nil
	}
	text, err := os.ReadFile(out.path)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the figures to continue from: %w; leave out --resume to start again", err)
	}
	var old stressFile
	if err := json.Unmarshal(text, &old); err != nil {
		return nil, fmt.Errorf("%s is no file of figures: %w; leave out --resume to start again", f.out, err)
	}
	if err := continues(f.out, old.Inputs == out.Inputs, old.Command, out.Command); err != nil {
		return nil, err
	}
	out.Report = old.Report
	return out, nil
}

// save replaces the file in one step.
func (f *stressFile) save(r *stress.Report) error {
	f.Report = r
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return evidence.WriteFile(f.path, append(text, '\n'))
}

// workerCommand is what stress starts its processes with.
const workerCommand = "stress-worker"

func stressWorkerCommand() *cobra.Command {
	return &cobra.Command{Use: workerCommand + " ASSIGNMENT", Hidden: true, Args: oneArgument("ASSIGNMENT"),
		Short: "One process of a stress run",
		RunE: func(_ *cobra.Command, args []string) error {
			return failed(stress.Worker(args[0], subjects...))
		}}
}
