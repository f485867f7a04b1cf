package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/globals"
	"github.com/samecycle/samecycle/internal/plural"
)

// The limits of a search if none are given.
const (
	DefaultTime       = time.Minute // for all programs together
	DefaultExecutions = 10_000      // of one program with one bound
	DefaultOfTest     = 100_000     // executions of one test with one bound: a few seconds
	DefaultActors     = 2           // largest number of actors of a program
	MostActors        = 3

	mostFailing = 6 // failures after which a suite ends
)

// limits are the limits of the search of a type.
type limits struct {
	time       time.Duration // for all programs together
	executions uint64
	actors     int
	seed       uint64
	only       []string // methods that are called; none means all
	single     []string // methods that only one actor of a program calls
	timeGiven  bool     // draw programs while there is time
}

// MainObject is Main for a type without an adapter.
func MainObject(o Object) {
	s := subject{run: run{notice: marked{os.Stderr}}, o: o}
	var a again
	var only, single, current string
	set := commandLine()
	s.flags(set, &a)
	set.DurationVar(&s.time, "time", 0, "for all programs together")
	set.Uint64Var(&s.executions, "executions", DefaultExecutions, "most of one program with one bound")
	set.IntVar(&s.actors, "actors", DefaultActors, "most of a program that is drawn")
	set.Uint64Var(&s.seed, "seed", 0, "of the programs that are drawn")
	set.StringVar(&only, "call", "", "methods that the programs call, by comma")
	set.StringVar(&single, "single", "", "methods that one actor calls alone, by comma")
	set.StringVar(&current, "current", "", "file for the program that is explored")
	var without []string
	set.Func(Without, "a method, or the text of a call that makes a value, to leave out",
		func(what string) error {
			without = append(without, what)
			return nil
		})
	parse(set)
	s.without(without)
	if current != "" {
		var err error
		if s.current, err = os.Create(current); err != nil {
			s.deliver(Report{}, err)
			return
		}
	}
	if only != "" {
		s.only = strings.Split(only, ",")
	}
	s.single = strings.Split(single, ",")
	if s.timeGiven = s.time > 0; !s.timeGiven {
		s.time = DefaultTime
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // a search then reports what it did
	defer stop()
	s.deliver(s.do(ctx, a))
}

// straysError is the error of a program with goroutines that no scheduler controls: the functions that have
// started them.
type straysError []string

func (e straysError) Error() string {
	return strings.Join(e, ", ") + " started goroutines when the program was loaded, which would run " +
		"beside the actors: explore a copy of your own that starts none in init or for the first value of " +
		"a variable"
}

// loadTime is how long goroutines may run that were started when the program was loaded.
const loadTime = 100 * time.Millisecond

// noStrays says that the program is loaded, and returns an error if goroutines that were started outside
// explorations still run.
func noStrays() error {
	fmt.Fprint(os.Stderr, Mark+Loaded)
	flow.Loaded()
	if names := flow.Strays(loadTime); len(names) > 0 {
		return fmt.Errorf("%w: %w", ErrObject, straysError(names))
	}
	return nil
}

// do examines the type, and then does what the command line asks for.
func (s *subject) do(ctx context.Context, a again) (Report, error) {
	if err := noStrays(); err != nil {
		return Report{Target: s.name}, err
	}
	s.from = globals.Keep()
	if s.ctx = ctx; a.token == "" {
		return s.whole()
	}
	if err := s.examine(); err != nil {
		return Report{Target: s.name}, err
	}
	w, err := s.wholeObject(a.token)
	switch {
	case err != nil:
		return Report{}, err
	case a.minimise:
		return s.minimiseOf(w, a.token)
	}
	return s.replayOf(w, a.token)
}

// wholeObject returns the program of a token, which its name alone describes.
func (s *subject) wholeObject(token string) (whole, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return whole{}, err
	}
	s.races = explore.TokenRaces(token)
	all, err := s.o.parse(strings.TrimPrefix(name, s.name+fieldSeparator))
	return whole{sizesOf(all.actors), nil, func(d failure.Dropped) (variant, error) {
		p := all
		p.actors, _ = failure.Keep(all.actors, d)
		program, j, err := s.explored(s.name, p)
		if err != nil {
			return variant{}, err
		}
		settle := func(r explore.Report, err error) (explore.Report, error) {
			if err != nil {
				return r, err
			}
			return s.settle(program, j, r, token)
		}
		return variant{p.title(), p.text(), program, j.spinLimit, func(res *Result, report explore.Report) {
			res.take(p.text(), report)
			res.Probe = texts(j.probe)
		}, settle}, nil
	}}, err
}

// A tour is the search of many programs, one after the other, as one suite.
type tour struct {
	*subject
	name   string
	row    Result // result of the programs that did not fail
	left   int    // programs that were not searched
	cut    int    // programs whose search did not reach the bound
	failed int
	longer bool // its programs are longer than others: nobody need know which of them cannot be explored
}

// whole examines the type and explores it, both within the time limit.
func (s *subject) whole() (Report, error) {
	var stop func()
	s.ctx, stop = context.WithTimeout(s.ctx, s.time)
	defer stop()
	fmt.Fprintf(s.notice, "examining %s\n", plural.Of(len(s.o.Methods), "method"))
	s.dropUnasked()
	all := s.o.Methods
	if len(all) == 0 {
		return Report{Target: s.name}, fmt.Errorf("%w: %s has no methods but those that are to be asked for "+
			"by --call", ErrObject, s.o.Name)
	}
	switch err := s.examine(); {
	case errors.Is(err, errEnded):
		return s.unexamined(all), nil
	case err != nil:
		return Report{Target: s.name}, err
	}
	return s.search(s.ctx)
}

// dropUnasked leaves out methods that programs call only on request, unless they were requested. A replay
// keeps them, because its token may be of a program for which they were requested.
func (s *subject) dropUnasked() {
	s.o.Methods = slices.DeleteFunc(s.o.Methods, func(m Method) bool {
		return m.Asked && !slices.Contains(s.only, m.Name) && !slices.Contains(s.single, m.Name)
	})
}

// search explores pairs of methods on a new value, then pairs on values in other states, and then drawn
// programs.
func (s *subject) search(ctx context.Context) (Report, error) {
	s.ctx = ctx
	out := Report{Target: s.name, Seed: s.seed, Maker: s.maker.Text, NotMade: s.notMade}
	for _, m := range s.chosen() {
		out.Methods = append(out.Methods, m.Name)
	}
	if len(out.Methods) == 0 {
		return out, fmt.Errorf("%w: none of the methods %s can be explored: %s", ErrObject,
			strings.Join(s.only, ", "), strings.Join(s.leftOut, "; "))
	}
	states, err := s.states()
	if errors.Is(err, errEnded) {
		return s.unexamined(s.o.Methods), nil
	}
	if err != nil {
		return out, err
	}
	if err := s.searchPairs(states, &out); err != nil {
		return out, err
	}
	err = s.drawnPrograms(states, &out)
	doubtSilence(&out)
	out.Size, out.Blind = s.sizes(), s.blind()
	if s.clocked {
		out.Clock = overtakenClock
	}
	if out.LeftOut, out.Crashes = s.leftOut, s.crashes; err == nil && len(out.Results) == 0 {
		err = fmt.Errorf("%w: no program of %s can be explored: %s", ErrObject, s.o.Name,
			strings.Join(slices.Concat(s.crashes, s.leftOut), "; "))
	}
	return out, err
}

// searchPairs explores pairs of methods.
func (s *subject) searchPairs(states [][]*Invocation, out *Report) error {
	first := s.pairs(nil)
	if len(first) == 0 {
		return fmt.Errorf("%w: no program is left: %s is called by one actor alone, and no other method is "+
			"called: name fewer methods by --single, or more by --call", ErrObject,
			strings.Join(out.Methods, ", "))
	}
	var later []objectProgram
	for _, setup := range states[1:] {
		later = append(later, s.pairs(setup)...)
	}
	for _, suite := range []struct {
		name     string
		programs []objectProgram
	}{{"pairs", first}, {"pairs, later states", later}} {
		if len(suite.programs) == 0 {
			continue
		}
		fmt.Fprintf(s.notice, "exploring %s: %s\n", suite.name, plural.Of(len(suite.programs), "program"))
		t := &tour{subject: s, name: suite.name}
		for _, p := range suite.programs {
			if !t.goesOn() {
				t.left++
			} else if err := t.explore(p, out); err != nil {
				return err
			}
		}
		t.end(out)
	}
	return nil
}

// doubtSilence makes a search unknown, and not clean, if it saw nothing that actors share.
func doubtSilence(out *Report) {
	for _, r := range out.Results {
		if r.Steps > 0 || r.Status != Clean {
			return
		}
	}
	for i := range out.Results {
		out.Results[i].Status, out.Results[i].Message = Unknown, "no call made an access that the explorer "+
			"sees: it may use plain memory, which --races reports, or packages that are no part of the module"
	}
}

// goesOn reports whether there is time for more programs, and fewer failures than wanted were found.
func (t *tour) goesOn() bool {
	return t.ended() == nil && t.failed < mostFailing && !t.hopeless
}

// failing returns the methods of each program that failed.
func failing(out Report) [][]string {
	var all [][]string
	for _, r := range out.Results {
		if r.methods != nil {
			all = append(all, r.methods)
		}
	}
	return all
}

// explore explores a program, and adds a result of its own to the report if the program fails.
func (t *tour) explore(p objectProgram, out *Report) error {
	if slices.ContainsFunc(failing(*out), func(f []string) bool { return contains(p.methods(), f) }) {
		return nil
	}
	if err := t.announce(p, "may be a fault of it: leave a method out by --call"); err != nil {
		return err
	}
	program, j, err := t.explored(t.run.name, p)
	if errors.Is(err, errEnded) {
		t.left++
		return nil
	}
	if ofProgram(err) {
		why := "some programs: " + err.Error()
		if !t.crash(p, err) && !t.longer && !slices.Contains(t.leftOut, why) {
			t.leftOut = append(t.leftOut, why)
		}
		return nil
	}
	if err != nil {
		return err
	}
	t.measure(p)
	report, err := t.within(program, explore.Options{Races: t.races, Strays: true,
		MaxExecutions: t.executions, SpinLimit: j.spinLimit, Context: t.ctx})
	if err == nil {
		report, err = t.settle(program, j, report, "")
	}
	if errors.Is(err, errEnded) {
		t.left++
		return nil
	}
	if err != nil {
		return err
	}
	if report.Failure != nil {
		t.failed++
		row := Result{Name: p.title(), Programs: 1,
			Exhaustive: true, methods: p.methods()}
		row.take(p.text(), report)
		out.Results = append(out.Results, row)
		switch report.Failure.Kind {
		case explore.Nondeterminism, explore.Hung, explore.Stray:
			t.hopeless = true // other programs have the same reason
		}
		return nil
	}
	if !report.Exhaustive {
		t.cut++
	} else if report.Everything() {
		t.row.Complete++
	}
	t.row.Programs++
	t.row.Schedules += report.Executions
	t.row.Steps += report.Steps
	t.row.Elapsed += report.Elapsed
	return nil
}

// within explores a program with ascending bounds. If the last bound has too many executions, some
// executions are also drawn at random. Otherwise most executions might be those of the lower bounds, because
// goroutines of the type continue in many orders after each call.
func (s *subject) within(p explore.Program, o explore.Options) (explore.Report, error) {
	report, err := explore.Ascending(p, o, s.bound)
	if err != nil || report.Failure != nil || report.Exhaustive || s.ended() != nil {
		return report, err
	}
	o.Walks, o.Strategy, o.Depth, o.Seed = s.drawn(), explore.PCT, s.depth(), s.seed
	o.MaxExecutions, o.Preemptions = 0, explore.Unbounded
	drawn, err := explore.Explore(p, o)
	report.Executions, report.Steps = report.Executions+drawn.Executions, report.Steps+drawn.Steps
	report.Elapsed += drawn.Elapsed
	report.Failure = drawn.Failure
	return report, err
}

// drawn is the number of executions of a program that are drawn if the search is not complete.
func (s *subject) drawn() uint64 { return max(1, s.executions/2) }

// announce writes the program, and what its failure would mean, to a place where it is found if the process
// ends, for example for want of memory. Only the first line counts, because a shorter line leaves a part of
// the line before behind it.
func (s *subject) announce(p objectProgram, means string) error {
	if s.current == nil {
		return nil
	}
	_, err := s.current.WriteAt([]byte(p.text()+", which "+means+"\n"), 0)
	return err
}

// contains reports whether a sorted list has all elements of another one, at least as often.
func contains(all, some []string) bool {
	for _, m := range some {
		i := slices.Index(all, m)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// end adds the result of the programs that did not fail.
func (t *tour) end(out *Report) {
	r := t.row
	r.Name, r.Status, r.Preemptions = t.name, Clean, t.bound
	r.Cut, r.Exhaustive = t.cut, t.cut == 0
	r.Bound = t.run.within()
	if t.cut > 0 {
		r.Bound = fmt.Sprintf("%d of %s to the end, with %s; of each other one %s drawn, too",
			r.Programs-t.cut, plural.Of(r.Programs, "program"), r.Bound,
			plural.Of(int(t.drawn()), "execution"))
	}
	switch {
	case t.left > 0 && t.ended() != nil:
		r.Status, r.Exhaustive = Unknown, false
		r.Message = fmt.Sprintf("the search ended before %s: give it more --time, or fewer methods by --call",
			plural.Of(t.left, "program"))
	case r.Programs == 0:
		return
	case t.cut == r.Programs:
		r.Status = Unknown
		r.Message = "no program was searched to the end: give it more --executions or --time, or a " +
			"smaller --bound"
	}
	out.Results = append(out.Results, r)
}
