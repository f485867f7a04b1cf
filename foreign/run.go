package foreign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
	"github.com/samecycle/samecycle/internal/plural"
)

// Explore runs all of the adapter's programs.
func (w *Work) Explore(ctx context.Context) (Report, error) {
	bound := w.o.Preemptions
	if bound == 0 {
		bound = driver.DefaultPreemptions
	}
	args := []string{"-preemptions=" + strconv.Itoa(bound), "-races=" + strconv.FormatBool(w.o.Races)}
	if w.o.Test != "" {
		args = append(args, "-time="+w.o.Time.String(), fmt.Sprint("-seed=", w.o.Seed),
			fmt.Sprint("-leaks=", w.o.Leaks), fmt.Sprint("-deepen=", w.o.Preemptions == 0),
			"-subtests="+w.subtests,
			fmt.Sprint("-executions=", cmp.Or(w.o.Executions, driver.DefaultOfTest)))
	}
	if w.o.Subject.Type != "" {
		args = append(args, "-current="+w.current(), "-time="+w.o.Time.String(),
			fmt.Sprint("-seed=", w.o.Seed),
			"-call="+strings.Join(w.o.Subject.Calls, ","), "-single="+strings.Join(w.o.Subject.Single, ","),
			fmt.Sprint("-executions=", cmp.Or(w.o.Executions, driver.DefaultExecutions)),
			fmt.Sprint("-actors=", cmp.Or(w.o.Actors, driver.DefaultActors)))
	}
	began := time.Now()
	r, err := w.run(ctx, args...)
	for n := 1; err == nil && len(r.Rest) > 0 && ctx.Err() == nil && n < mostHanging; n++ {
		w.o.log("going on behind %s", r.Results[len(r.Results)-1].Name)
		more := slices.Clone(args)
		if w.o.Time > 0 {
			more = append(more, "-time="+max(time.Second, w.o.Time-time.Since(began)).String())
		}
		for _, title := range r.Rest {
			more = append(more, "-"+driver.Rest+"="+title)
		}
		var next Report
		if next, err = w.run(ctx, more...); err == nil {
			r.add(next)
		}
	}
	if err == nil {
		w.alone(ctx, &r, began, args)
	}
	if n := len(r.Rest); n > 0 {
		r.LeftOut = append(r.LeftOut, fmt.Sprintf("%s behind those that never return, or end the process: "+
			"explore them without these", plural.Of(n, "test")))
	}
	return r, err
}

// add adds the results of the next driver, which continues after a test that never returns.
func (r *Report) add(next Report) {
	r.Results, r.Rest = append(r.Results, next.Results...), next.Rest
	for _, out := range next.LeftOut { // each driver leaves out what is not a test
		if !slices.Contains(r.LeftOut, out) {
			r.LeftOut = append(r.LeftOut, out)
		}
	}
	r.Again = append(r.Again, next.Again...)
	r.Left = append(r.Left, next.Left...)
	r.Parts = append(r.Parts, next.Parts...)
	r.Beside = append(r.Beside, next.Beside...)
	slices.Sort(r.Beside)
	r.Beside = slices.Compact(r.Beside)
}

// Replay runs the one schedule of a token.
func (w *Work) Replay(ctx context.Context, token string) (Report, error) {
	return w.again(ctx, token)
}

// Minimise removes calls, then actors, then switches from the failing schedule of a token, as long as a
// failure of the same kind remains. It reports the remaining program.
func (w *Work) Minimise(ctx context.Context, token string) (Report, error) {
	return w.again(ctx, token, "-minimise")
}

func (w *Work) again(ctx context.Context, token string, flags ...string) (Report, error) {
	t, err := TokenTarget(token)
	if err != nil {
		return Report{}, err
	}
	if t != w.Target {
		return Report{}, fmt.Errorf("%w: it belongs to %v, this is %v", ErrToken, t, w.Target)
	}
	return w.run(ctx, append(flags, "-replay="+token)...)
}

// mostHanging is how many calls of a type may fail to return. Each of them takes the time of its watchdog.
const mostHanging = 16

// run runs the driver and reads its report. After a call that does not return, the driver is of no use:
// another driver runs without that call.
func (w *Work) run(ctx context.Context, args ...string) (Report, error) {
	var out []string
	for {
		r, err := w.runOnce(ctx, out, args...)
		if err != nil || r.Hangs == nil {
			return r, err
		}
		if len(out) == mostHanging {
			return r, fmt.Errorf("%w: %v: %s", ErrTarget, w.Target, r.Hangs.What+": "+r.Hangs.Why)
		}
		out = append(out, r.Hangs.What+": "+r.Hangs.Why)
		args = append(args, "-"+driver.Without+"="+r.Hangs.What)
		w.o.log("%s does not come back: beginning again without it", r.Hangs.What)
	}
}

// runOnce runs one driver, without the calls in out.
func (w *Work) runOnce(ctx context.Context, out []string, args ...string) (Report, error) {
	r := Report{Notes: slices.Clone(w.Notes), Uncontrolled: w.uncontrolled, Outside: w.outside,
		Races: w.o.Races, Prepared: w.Took}
	if w.Target.relative() {
		here, err := os.Getwd()
		if err != nil {
			return r, fmt.Errorf("%w: %w", ErrDriver, err)
		}
		r.Folder = here
	}
	file := filepath.Join(w.Folder, "report.json")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) { // left by an earlier run
		return r, fmt.Errorf("%w: %w", ErrDriver, err)
	}
	args = append([]string{"-target=" + w.Target.String(), "-report=" + file}, args...)
	if err := w.tell(args); err != nil {
		return r, fmt.Errorf("%w: %w", ErrDriver, err)
	}
	said, ended := w.drive(ctx)
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &r.Report)
	}
	if err == nil && r.Begun != nil {
		r.unfinished(ended, said.end())
	}
	for i := range r.Results {
		s := &r.Results[i]
		s.Message, s.Table, s.HTML = w.places(s.Message), w.places(s.Table), w.places(s.HTML)
	}
	switch {
	case err == nil && r.Refused != "":
		err := fmt.Errorf("%w: %v: %s%s", ErrTarget, w.Target, r.Refused,
			leftOutText(slices.Concat(w.leftOut(), out)))
		if len(r.Strays) > 0 && len(w.others) > 0 {
			err = &requiredError{modules: w.modulesOf(r.Strays), err: err}
		}
		return r, err
	case err == nil && r.Failed != "":
		return r, fmt.Errorf("%w: %v: %s", ErrDriver, w.Target, r.Failed)
	case err != nil && ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil && errors.Is(ended, errNotLoaded):
		return r, fmt.Errorf("%w: %v: %w within %v%s", ErrDriver, w.Target, ended, loadLimit, waitsAtLoad)
	case err != nil:
		return r, fmt.Errorf("%w: %v: it ended without a report, %v%s: %s%s", ErrDriver, w.Target, ended,
			w.killer(), said.end(), w.loading(said.end()))
	}
	r.LeftOut, r.subject = slices.Concat(w.leftOut(), out, r.LeftOut), w.subject
	if w.subject != nil {
		r.Handed = w.subject.handed
	}
	if err == nil && r.Hangs != nil {
		return r, ctx.Err()
	}
	if r.Target != w.Target.String() || len(r.Results) == 0 {
		return r, fmt.Errorf("%w: %v: report of %q with %d results", ErrDriver, w.Target, r.Target,
			len(r.Results))
	}
	return r, nil
}

// unfinished completes the report of a driver that has ended before its last one. How it ended is all that is
// known of the test that it explored.
func (r *Report) unfinished(ended error, said string) {
	how := "the process that explores it ended before its report"
	if ended != nil {
		how += ", with " + ended.Error()
	}
	if test := r.Begun.Test; test == "" {
		r.LeftOut = append(r.LeftOut, "a search beyond what is reported: "+how)
	} else {
		r.Results = append(r.Results, driver.Result{Name: test, Programs: 1, Status: driver.Unknown,
			Kind: string(explore.Hung), Bound: "nothing", Message: how + ": " + said})
	}
	r.Begun = nil
}

// leftOut returns the methods of the type that cannot be called, or the functions that are not tests, with
// the reasons.
func (w *Work) leftOut() []string {
	if w.subject == nil {
		return w.noTests
	}
	return w.subject.leftOut
}

// current is the file in which the driver notes what it is exploring.
func (w *Work) current() string { return filepath.Join(w.Folder, "current") }

// arguments is the file with the arguments of the driver.
func (w *Work) arguments() string { return filepath.Join(w.Folder, "arguments.json") }

// tell writes the arguments of the next driver.
func (w *Work) tell(args []string) error {
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return os.WriteFile(w.arguments(), text, 0o644)
}

// drive runs the driver, and returns what it has said and how it has ended.
func (w *Work) drive(ctx context.Context) (*output, error) {
	ctx, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	limit := time.AfterFunc(loadLimit, func() { kill(errNotLoaded) })
	defer limit.Stop()
	cmd := exec.CommandContext(ctx, w.exe)
	cmd.Env = append(os.Environ(), driver.Arguments+"="+w.arguments())
	cmd.Dir, cmd.WaitDelay = cmp.Or(w.runsIn, w.Folder), waitDelay
	said := &output{log: w.o.Log, loaded: func() { limit.Stop() }}
	cmd.Stdout, cmd.Stderr = said, said
	if w.o.Subject.Type != "" || w.o.Test != "" { // the results so far are useful
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	err := cmd.Run()
	if cause := context.Cause(ctx); errors.Is(cause, errNotLoaded) {
		return said, cause
	}
	return said, err
}

// loadLimit is how long the packages of a driver may take to be loaded.
var loadLimit = time.Minute

// errNotLoaded is the reason of the end of a driver that takes longer.
var errNotLoaded = errors.New("its packages are not loaded")

// waitsAtLoad says why, and what to do.
const waitsAtLoad = "; init or the first value of a variable waits: let the test make that value, or its " +
	"first use"

// asleep is what the runtime says of a program in which nobody can go on.
const asleep = "all goroutines are asleep"

// loading says why the driver may have ended while it was loaded.
func (w *Work) loading(why string) string {
	if !strings.Contains(why, asleep) || w.killer() != "" {
		return ""
	}
	return waitsAtLoad
}

// killer says which program a driver was exploring when it ended, and what to do about it. It is empty if
// the driver notes no program.
func (w *Work) killer() string {
	text, err := os.ReadFile(w.current())
	if err != nil || len(text) == 0 {
		return ""
	}
	program, _, _ := strings.Cut(string(text), "\n")
	return " while it explored " + program
}
