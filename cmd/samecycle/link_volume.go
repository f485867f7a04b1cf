package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/disk"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/samecycle/samecycle/stress"
)

// defaultEngine is the engine that stress runs if none is named.
const defaultEngine = "hopscotch"

// subjects are all engines that can be stressed.
var subjects = allSubjects()

func allSubjects() []stress.Subject {
	var all []stress.Subject
	for _, e := range engines.All() {
		if e.Volume != nil {
			all = append(all, e.Volume)
		}
	}
	return all
}

func subjectNames() (names []string) {
	for _, s := range subjects {
		names = append(names, s.Name())
	}
	return names
}

func subjectNamed(name string) (stress.Subject, bool) {
	for _, s := range subjects {
		if s.Name() == name {
			return s, true
		}
	}
	return nil, false
}

// volumeLink runs each state natively, with deaths, until its race was seen. It builds the program
// that ships, without the explorer, and runs stress of that.
type volumeLink struct {
	subject stress.Subject // nil: nothing is covered
	scope   closure.Scope
}

func (volumeLink) Link() string { return "volume" }

// Scope has, besides the link itself, how the command that it starts takes its flags, and how a worker of
// that command begins. Which engine works is said by the engine's part.
func (l volumeLink) Scope(evidence.Env) (closure.Scope, error) {
	return l.scope.With(closure.Scope{Without: []string{"scenarios/engines"},
		Declarations: map[string][]string{"cmd/samecycle": {"volumeLink", "bindStress", "stressOptions",
			"stressWorkerCommand"}}}), nil
}

func (l volumeLink) Covers(evidence.Env) ([]string, error) {
	if l.subject == nil {
		return nil, nil
	}
	return l.subject.States(), nil
}

func (l volumeLink) Run(ctx context.Context, env evidence.Env, states []catalog.State,
	progress evidence.Progress) ([]evidence.Record, error) {
	progress("building the program that ships", 0)
	program, remove, err := plainProgram(ctx, env.Root)
	if err != nil {
		return nil, err
	}
	defer remove()
	for i, s := range states {
		progress(s.ID, float64(i)/float64(len(states)))
		f := stressFlags{engine: l.subject.Name(), state: s.Short(), seed: env.Seed,
			threads: volumeThreads, perRound: volumeDeaths, marks: 1}
		if l.subject.Deaths() {
			f.processes = volumeProcesses
		}
		r, err := runStress(ctx, program, f)
		if err != nil {
			return nil, err
		}
		if err := env.Save(volumeRecord(s.ID, r, f)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// How much the link does for each state.
const (
	volumeProcesses = 4
	volumeThreads   = 6
	volumeDeaths    = 2
)

// plainProgram builds the program without the explorer, from the sources below root.
func plainProgram(ctx context.Context, root string) (path string, remove func(), err error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", nil, evidence.CannotRun(fmt.Errorf("the engine that ships cannot be built: %w; "+
			"install Go", err))
	}
	dir, err := temporaryFolder("samecycle-plain-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, "samecycle")
	build := exec.CommandContext(ctx, tool, "build", "-buildvcs=false", "-o", path, "./cmd/samecycle")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		remove()
		return "", nil, disk.OfGo("the engine that ships cannot be built", err, string(text))
	}
	return path, remove, nil
}

// stressCall is the command of a stress run in another program. The end of ctx lets it end its workers and
// print what it has, and so does the end of this process. An interrupt from the terminal reaches it by that
// alone: a second one would end it at once, without a report.
func stressCall(ctx context.Context, program string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.SysProcAttr, cmd.Env = ownGroup(), ofParent()
	return cmd
}

// runStress runs one state in the program and reads its report.
func runStress(ctx context.Context, program string, f stressFlags) (*stress.Report, error) {
	cmd := stressCall(ctx, program, append(f.args(), "--json"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == exitRed && out.Len() > 0) {
		return nil, disk.Printed(fmt.Errorf("stress of %s: %w", f.state, err), errs.String())
	}
	var r stress.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return nil, fmt.Errorf("stress of %s: its report is unreadable: %w", f.state, err)
	}
	return &r, nil
}

// volumeRecord is the verdict on one state. A report that is not of this state alone has no verdict.
func volumeRecord(state string, r *stress.Report, f stressFlags) evidence.Record {
	rec := evidence.Record{
		State: state, Status: evidence.Pass, Unit: "marks of the race", Seed: r.Seed,
		Command: "samecycle " + strings.Join(f.args(), " "),
		Tools: map[string]string{"go": runtime.Version(),
			"porcupine": evidence.ModuleVersion("github.com/anishathalye/porcupine")},
	}
	bad := func(status evidence.Status, text string) {
		if rec.Status != evidence.Fail {
			rec.Status = status
		}
		rec.Detail = append([]string{strings.Join(strings.Fields(text), " ")}, rec.Detail...)
	}
	if len(r.States) != 1 || r.States[0].State != state {
		bad(evidence.Unknown, "the report is of other states")
		return rec
	}
	s := r.States[0]
	rec.Figure = float64(s.Marks)
	rec.Bound = fmt.Sprintf("%d operations of %d goroutines, then of %d processes, on tables of a few "+
		"cells; %d windows decided; %d kills, %d of them within an operation and %d with one installed; "+
		"%d stops, %d of them with one installed; not complete: a sample of what the system does, not to "+
		"be replayed", s.Operations, f.threads, f.processes, s.Windows, s.Kills, s.InFlight, s.Installed,
		s.Stops, s.Held)
	if f.processes > 0 {
		rec.Detail = append(rec.Detail,
			fmt.Sprintf("survivors around deaths and stops: %v", &r.Near),
			fmt.Sprintf("control, rounds without: %v", &r.Away),
			fmt.Sprintf("%d values left with the dead, %d descriptors given back; one program gave the same "+
				"results in %d ways", s.Lost, s.Returned, r.Ways))
		if s.Kills == 0 {
			bad(evidence.Unknown, "nobody was killed")
		}
	} else {
		rec.Bound = fmt.Sprintf("%d operations of %d goroutines of one process, none of which can be "+
			"killed; %d windows decided; not complete: a sample of what the system does, not to be replayed",
			s.Operations, f.threads, s.Windows)
		rec.Detail = append(rec.Detail, fmt.Sprintf("%v", &r.Away))
	}
	if text, unknown := s.Verdict(); unknown {
		bad(evidence.Unknown, text)
	} else if text != "" {
		bad(evidence.Fail, text)
	}
	for _, text := range r.Faults {
		bad(evidence.Fail, text)
	}
	return rec
}

// stressPlain runs stress in a program without the explorer.
func (a *app) stressPlain(ctx context.Context, f stressFlags) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	p := newProgress(a.err)
	p.line("building the program that ships, without the explorer; the limits count from its start")
	p.close()
	program, remove, err := plainProgram(ctx, root)
	if err != nil {
		return failed(err)
	}
	defer remove()
	args := append(f.args(), "--root", root)
	if a.json {
		args = append(args, "--json")
	}
	if f.out != "" {
		args = append(args, "--out", f.out)
	}
	if f.resume {
		args = append(args, "--resume")
	}
	cmd := stressCall(ctx, program, args)
	cmd.Stdout, cmd.Stderr = a.out, beneath(a.err)
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return errRed
	}
	return failed(err)
}
