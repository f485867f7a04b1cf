package driver

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/plural"
)

// A Target is a foreign map and what to try on it.
type Target struct {
	New    func() Map      // a new, empty map; deterministic
	Names  map[Kind]string // its names for the operations, where they differ
	Suites []Suite
}

// A Suite is a group of programs that are reported together, under one name.
type Suite struct {
	Name      string
	Programs  []Program
	Unbounded bool // cover all interleavings, whatever the bound of the search is
}

// Single returns a suite of one program.
func Single(p Program) Suite { return Suite{Name: p.Name, Programs: []Program{p}} }

// Status is the outcome of a suite. What was not covered is never taken for clean.
type Status string

// The outcomes.
const (
	Found Status = "found" // a program failed
	// Every execution within the bound was judged and is linearizable; if Result.Cut is not 0, this holds
	// for every execution that was searched. For a replay it holds for the one execution.
	Clean   Status = "clean"
	Unknown Status = "unknown" // not covered or not judged; Message says why
	Skipped Status = "skipped" // the test skips itself, so there is nothing to cover
)

// A Result is the outcome of one suite.
type Result struct {
	Name     string `json:"name"`
	Program  string `json:"program"` // the failing program, or the only one
	Programs int    `json:"programs"`
	Status   Status `json:"status"`
	Kind     string `json:"kind,omitempty"` // the explorer's kind of the failure
	Message  string `json:"message,omitempty"`
	Token    string `json:"token,omitempty"`   // replays the failing schedule
	History  string `json:"history,omitempty"` // what the clients saw in it
	Table    string `json:"table,omitempty"`   // its steps, one column per actor
	HTML     string `json:"html,omitempty"`    // the same as a page for a browser
	Page     string `json:"page,omitempty"`    // the file of the page, once it is written

	Notes  []string `json:"notes,omitempty"`  // what a minimisation did
	Calls  [][]Call `json:"calls,omitempty"`  // calls of each actor of the failing program
	Stored []Call   `json:"stored,omitempty"` // calls that store the initial contents

	Probe []string `json:"probe,omitempty"` // for a type without an adapter: the calls of the probe

	methods []string // methods of the failing program of such a type

	Bound      string `json:"bound"` // in words
	Exhaustive bool   `json:"exhaustive"`
	Complete   int    `json:"complete"` // programs of which all interleavings were covered

	// Reduced says that the interleavings were covered by a reduced search, which runs one execution of each
	// class of those that differ only in the order of independent steps.
	Reduced bool `json:"reduced,omitempty"`

	// Short says that the test was explored in its short form (testing.Short), because the long one makes
	// more steps than an execution may have.
	Short bool `json:"short,omitempty"`

	// First says that the first execution of a search fails, in which the goroutines run one after the other.
	First bool `json:"first,omitempty"`

	// Steady says that the failure of a test also comes up with other clocks; see doubtClock.
	Steady bool `json:"steady,omitempty"`

	// Seen is the token of a failure to which no code has led that is not explored; see doubtUnseen.
	Seen string `json:"-"`

	// Crowded says that in an execution more goroutines could go on than are explored at a time. Some of them
	// had to wait for others.
	Crowded bool `json:"crowded,omitempty"`

	// Starvation, if it is not 0, says that in some execution a goroutine that could continue went next only
	// because it had waited for so many steps of others. Executions in which one waits longer are not
	// searched.
	Starvation  int           `json:"starvation,omitempty"`
	Cut         int           `json:"cut"` // number of programs whose search was not finished
	Preemptions int           `json:"preemptions"`
	Schedules   uint64        `json:"schedules"`
	Steps       uint64        `json:"steps"`   // shared accesses
	Elapsed     time.Duration `json:"elapsed"` // of the exploration alone, in nanoseconds
}

// A Report is what a driver writes.
type Report struct {
	Target  string   `json:"target"`
	Results []Result `json:"results"`

	// For a type without an adapter: the seed of the drawn programs, and what is left out of the programs,
	// with the reason.
	Seed    uint64   `json:"seed,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
	Handed  []string `json:"handed,omitempty"`  // methods that return types whose methods are not called
	Refused string   `json:"refused,omitempty"` // why the type cannot be explored; then there are no results
	Strays  []string `json:"strays,omitempty"`  // the reason is goroutines that these functions have started

	// For such a type also: the call that makes a value, the calls that do not make one, with the reason,
	// and the methods that programs call.
	Maker   string   `json:"maker,omitempty"`
	NotMade []string `json:"not_made,omitempty"`
	Methods []string `json:"methods,omitempty"`

	// Size says how large the programs were at most, and what searches larger ones. Blind is true if no
	// method that programs call has a result, and nothing shows afterwards what the calls have done.
	Size  string `json:"size,omitempty"`
	Blind bool   `json:"blind,omitempty"`

	// Begun, if it is not nil, says that this is not the driver's last report, and what the driver did then.
	Begun *Begun `json:"begun,omitempty"`

	// Rest are the tests that were not explored because a test before them never returns. Another driver can
	// explore them.
	Rest []string `json:"rest,omitempty"`

	// Again are the tests that failed at once, and were not the first of their process. What the tests before
	// them have left may be the reason, so another driver has to explore each of them alone.
	Again []string `json:"again,omitempty"`

	// Parts are the tests of which each subtest was explored alone, because the whole test makes more steps
	// than an execution may have.
	Parts []string `json:"parts,omitempty"`

	// Crashes are sequences of calls that end the process, because a goroutine that they start panics.
	Crashes []string `json:"crashes,omitempty"`

	// NotRun are the functions that start goroutines of the module when it is loaded. These goroutines do
	// not run.
	NotRun []string `json:"not_run,omitempty"`

	// Beside are the functions that started goroutines which are not actors, and which ran beside the
	// actors.
	Beside []string `json:"beside,omitempty"`

	// Bounds are the bounds of the clock that had an effect: how often a ticker ticks, if there are tickers;
	// and how often goroutines of the type are woken by timers, and sleep, if any of them would do so more
	// often.
	Bounds []string `json:"bounds,omitempty"`

	// Clock says how calls that wait for the clock were judged, if there were any.
	Clock string `json:"clock,omitempty"`

	// For tests: Tests is true, and Left lists the tests that left goroutines which wait for ever.
	Tests bool     `json:"tests,omitempty"`
	Left  []string `json:"left,omitempty"`

	Failed string `json:"failed,omitempty"` // why the request failed; then there are no results

	// Hangs is the method, or the function that makes a value, that did not return, and why. The driver must
	// be run again Without it. There are no results.
	Hangs *Hanging `json:"hangs,omitempty"`
}

// Hanging is a method, or a function that makes a value, that does not return control to the explorer.
type Hanging struct {
	What string `json:"what"` // the name of the method, or the text of the call that makes a value
	Why  string `json:"why"`
}

// Without is the flag of a driver that leaves out such a method or function. It may be given several times.
const Without = "without"

// Loaded is the line of progress with which a driver begins when its packages are loaded.
const Loaded = "loaded\n"

// Mark begins each line of progress, because the target may print between these lines.
const Mark = "samecycle: "

// marked writes progress, a whole line at a time.
type marked struct{ to io.Writer }

func (m marked) Write(line []byte) (int, error) {
	if _, err := m.to.Write(append([]byte(Mark), line...)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// run has the settings of one run of a driver.
type run struct {
	t      Target
	name   string // of the target, with its version
	bound  int
	races  bool
	notice io.Writer
	out    string // file for the Report

	strangers *strangers
}

// Main runs a driver. It reads the Arguments that package foreign passes. It writes a Report into a file,
// because standard output belongs to the target, and progress to standard error. It ends the process with
// status 2 if it cannot write the Report. A failure of the map is not an error of Main: it is in the Report.
func Main(t Target) {
	r := run{t: t, notice: marked{os.Stderr}}
	var a again
	set := commandLine()
	r.flags(set, &a)
	parse(set)
	switch err := noStrays(); {
	case err != nil:
		r.deliver(Report{Target: r.name}, err)
	case a.minimise:
		r.deliver(r.minimise(a.token))
	case a.token != "":
		r.deliver(r.replay(a.token))
	default:
		r.deliver(r.explore())
	}
}

// again is a request for a replay or a minimisation, instead of a search.
type again struct {
	token    string
	minimise bool
}

// flags declares the flags that all drivers have.
func (r *run) flags(set *flag.FlagSet, a *again) {
	r.strangers = &strangers{}
	set.StringVar(&r.name, "target", "", "name of the target in tokens")
	set.StringVar(&r.out, "report", "", "file for the report")
	set.IntVar(&r.bound, "preemptions", DefaultPreemptions, "most preemptions per schedule, -1: any number")
	set.BoolVar(&r.races, "races", false, "look for races of the plain accesses of the copy")
	set.StringVar(&a.token, "replay", "", "replay this token in place of a search")
	set.BoolVar(&a.minimise, "minimise", false, "take away what the failure of -replay does not need")
}

// deliver writes the report, or a report that says why there is none.
func (r run) deliver(out Report, err error) {
	h, hung := errors.AsType[hangs](err)
	switch {
	case hung:
		out = Report{Target: r.name, Hangs: &Hanging{h.what, h.why}}
	case errors.Is(err, ErrObject):
		out = Report{Target: r.name, Refused: err.Error()}
		if s, is := errors.AsType[straysError](err); is {
			out.Strays = s
		}
	case err != nil:
		out = Report{Target: r.name, Failed: err.Error()}
	default:
		out.Bounds, out.NotRun, out.Beside = clockBounds(), flow.Loaded(), r.strangers.seen()
	}
	if err := r.write(out); err != nil {
		fmt.Fprintln(os.Stderr, "report not written:", err)
		os.Exit(2)
	}
}

// clockBounds returns the bounds of the clock that had an effect.
func clockBounds() (all []string) {
	for _, b := range []struct {
		of, bound string
		met       uint64
	}{
		{"ticks", flow.TickerBound, flow.Tickers()},
		{"timers", flow.TimerBound, flow.Timers()},
		{"timers", flow.CallBound, flow.CallTimers()},
		{"sleeps", flow.SleepBound, flow.Sleeps()},
	} {
		if b.met > 0 {
			all = append(all, "bound of "+b.of+": "+b.bound)
		}
	}
	return all
}

// DefaultPreemptions is the bound of a search if none is given.
const DefaultPreemptions = 2

func (r run) explore() (Report, error) {
	out := Report{Target: r.name}
	if err := r.t.check(); err != nil {
		return out, err
	}
	for _, s := range r.t.Suites {
		fmt.Fprintf(r.notice, "exploring %s: %d program(s)\n", s.Name, len(s.Programs))
		res, err := r.suite(s)
		if err != nil {
			return out, err
		}
		out.Results = append(out.Results, res)
	}
	return out, nil
}

// suite explores the programs of a suite, up to the first one that is not clean.
func (r run) suite(s Suite) (Result, error) {
	res := Result{Name: s.Name, Exhaustive: true}
	for _, p := range s.Programs {
		report, err := r.search(s, p)
		if err != nil {
			return res, fmt.Errorf("program %s: %w", p.Name, err)
		}
		res.Programs++
		res.takeMap(r, p, report)
		if report.Failure == nil && report.Everything() {
			res.Complete++
		}
		if res.Status != Clean {
			return res, nil
		}
	}
	return res, nil
}

// search explores one program of the suite. It does so with ascending bounds, so the failure has as few
// preemptions as any, and then without a bound if the suite asks for that.
func (r run) search(s Suite, p Program) (explore.Report, error) {
	program := p.explored(r.name, r.t)
	report, err := explore.Ascending(program, explore.Options{Races: r.races, Strays: true},
		r.bound)
	if err != nil || !s.Unbounded || report.Failure != nil || !report.Exhaustive || report.Everything() {
		return report, err
	}
	all, err := explore.Explore(program, explore.Options{
		Preemptions: explore.Unbounded, Races: r.races, Strays: true})
	all.Executions += report.Executions
	all.Steps += report.Steps
	all.Elapsed += report.Elapsed
	return all, err
}

// check checks the target's programs against their limits. Names must be unique, because a token finds its
// program by the name.
func (t Target) check() error {
	seen := map[string]bool{}
	for _, s := range t.Suites {
		if len(s.Programs) == 0 {
			return fmt.Errorf("%w: suite %s has none", ErrProgram, s.Name)
		}
		for _, p := range s.Programs {
			if err := p.check(); err != nil {
				return err
			}
			if seen[p.Name] {
				return fmt.Errorf("%w: the name %s is used twice", ErrProgram, p.Name)
			}
			seen[p.Name] = true
		}
	}
	if len(seen) == 0 || t.New == nil {
		return fmt.Errorf("%w: the target has no programs, or no map", ErrProgram)
	}
	return nil
}

// takeMap adds the report of one program on a map to the result.
func (res *Result) takeMap(r run, p Program, report explore.Report) {
	if report.Failure != nil {
		res.Calls, res.Stored = p.Actors, p.stores()
	}
	res.take(p.text(r.t.Names), report)
}

// lastExecutions matches the clause of a bound that counts the executions of one search.
var lastExecutions = regexp.MustCompile(`(^|; )[0-9]+ executions?(;|$)`)

// inAll is the bound of the last of several searches, in words, with the number of executions of all of
// them.
func inAll(bound string, executions uint64) string {
	return lastExecutions.ReplaceAllString(bound, "${1}"+plural.Of(executions, "execution")+"${2}")
}

// count adds the executions of a search to the result that did not come to its end.
func (res *Result) count(report explore.Report) {
	res.Schedules += report.Executions
	res.Steps += report.Steps
	res.Elapsed += report.Elapsed
}

// take adds the report of one program to the result. text is the text of the program.
func (res *Result) take(text string, report explore.Report) {
	if res.Program = text; res.Programs > 1 && report.Failure == nil {
		res.Program = ""
	}
	res.count(report)
	res.Preemptions = max(res.Preemptions, report.MaxPreemptions)
	res.Exhaustive = res.Exhaustive && report.Exhaustive
	res.Crowded = res.Crowded || report.Crowded > 0
	if report.Starved > 0 {
		res.Starvation = max(res.Starvation, report.Starvation)
	}
	res.Bound = inAll(report.Bound, res.Schedules)
	res.Status = Clean
	if !report.Exhaustive {
		res.Status, res.Message = Unknown, "search not exhaustive: "+res.Bound
	}
	f := report.Failure
	if f == nil {
		return
	}
	doubtOutside(f, copies())
	res.Status, res.Kind, res.Message = Found, string(f.Kind), f.Message
	res.Token, res.Table, res.Preemptions = f.Token, f.Table(), f.Preemptions
	if t := told(nil); errors.As(f.Err, &t) {
		res.History, _ = t.told()
	}
	res.show(f)
	switch f.Kind {
	case explore.Hung, explore.Stray, explore.Unexplored, explore.Nondeterminism, explore.Diverged:
		res.Status = Unknown
	}
	if errors.Is(f.Err, ErrUnknown) {
		res.Status = Unknown
	}
}
