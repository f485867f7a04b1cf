package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/globals"
)

// A subject is a type in one run of the driver, with the parts of it that can be explored.
type subject struct {
	run
	limits
	o     Object // without the methods that are left out
	maker *Maker
	probe []*Invocation // shows what is in a value

	several   bool // a sequential order had several runs, because of a goroutine of the type or a select
	longest   int  // the longest row of accesses of one call in these runs that changed nothing
	partial   bool // there were more runs than were made
	timed     bool // a call waited for the clock
	overtakes bool // in the program, a call waited for the clock, or for others
	clocked   bool // in some program, a call waited for the clock
	brief     bool // a few runs are enough
	cuts      bool // runs end with the probe

	from *globals.Snapshot // variables of the packages with which each execution begins

	ctx context.Context // its end ends everything early; nil: never

	watchdog time.Duration // how long a call may make no access; 0: the explorer's default

	current *os.File // gets the program being explored, for a reader that outlives this process

	tried    []string // methods that were called alone
	size     size     // of the largest programs that were explored
	allDrawn bool     // hardly any new program can be drawn
	leftOut  []string
	notMade  []string // calls that do not make a value, with the reason
	crashes  []string // calls that end the process, with the reason
	works    bool     // some call on a new value does not panic
	panics   string   // the first panic
	hopeless bool     // the type depends on what is not explored
}

// Limits of what is tried.
const (
	probeCalls   = 12 // calls of the probe
	probeRepeats = 3  // times that a call without arguments is in the probe
	mostStates   = 4  // states besides the first in which pairs are tried
	stateDepth   = 3  // calls that lead to one
)

// examine finds a way to make a value. By sequential runs it finds the methods that cannot be explored, and
// leaves them out.
func (s *subject) examine() error {
	s.brief = true
	defer func() { s.brief = false }()
	for i := range s.o.Makers {
		m := &s.o.Makers[i]
		_, err := s.twice(m, nil, nil)
		if _, hung := errors.AsType[hangs](err); hung || errors.Is(err, errEnded) ||
			errors.Is(err, explore.ErrHung) {
			return err
		}
		if err == nil {
			s.maker = m
			break
		}
		s.notMade = append(s.notMade, m.Text+": "+err.Error())
	}
	if s.maker == nil {
		return fmt.Errorf("%w: no value of %s can be made: %s; name another function by --new, or zero for "+
			"the zero value", ErrObject, s.o.Name, cmp.Or(strings.Join(s.notMade, "; "),
			"no function is left"))
	}
	var kept []Method
	for _, m := range s.o.Methods {
		err := s.examineMethod(m)
		switch {
		case ofProgram(err):
			s.leftOut = append(s.leftOut, m.Name+": "+err.Error())
			s.crash(objectProgram{maker: s.maker, actors: [][]*Invocation{{m.call()}}}, err)
		case err != nil:
			return fmt.Errorf("%w: %s: %w", ErrObject, s.o.Name, err)
		default:
			kept = append(kept, m)
		}
		s.tried = append(s.tried, m.Name)
	}
	if s.o.Methods = kept; len(kept) > 0 {
		if err := s.leaveOutVarying(); err != nil {
			return err
		}
		kept = s.o.Methods
	}
	if len(kept) > 0 && !s.works {
		return fmt.Errorf("%w: each call on %s panics, the first: %s: name a function that makes a value by "+
			"--new, or, if none is exported, explore a test that has one, by --test", ErrObject, s.maker.Text,
			s.panics)
	}
	if len(kept) == 0 {
		return fmt.Errorf("%w: no method of %s can be explored: %s; the value was made by %s: if it lacks "+
			"something, name a function that makes a whole one by --new", ErrObject, s.o.Name,
			strings.Join(s.leftOut, "; "), s.maker.Text)
	}
	return s.chooseProbe()
}

// crash notes the error of a program, each reason once, if the program ends the process, and reports whether
// it does.
func (s *subject) crash(p objectProgram, err error) bool {
	c, is := errors.AsType[crashes](err)
	known := func(k string) bool { return strings.HasSuffix(k, c.Error()) }
	if is && !slices.ContainsFunc(s.crashes, known) {
		s.crashes = append(s.crashes, p.text()+": "+c.Error())
	}
	return is
}

// without leaves out the calls that did not return in an earlier process.
func (s *subject) without(names []string) {
	s.o.Makers = slices.DeleteFunc(s.o.Makers,
		func(m Maker) bool { return slices.Contains(names, m.Text) })
	s.o.Methods = slices.DeleteFunc(s.o.Methods,
		func(m Method) bool { return slices.Contains(names, m.Name) })
}

// unexamined is the report of a search that ended before it was known what can be called. A partial list
// would be of no use, because the probe of a replay is made of all methods.
func (s *subject) unexamined(all []Method) Report {
	var not []string
	for _, m := range all {
		if !slices.Contains(s.tried, m.Name) {
			not = append(not, m.Name)
		}
	}
	what := fmt.Sprintf("all %d methods had been called alone, not yet one after the other", len(all))
	if len(not) > 0 {
		what = fmt.Sprintf("%d of %d methods had been called alone, not yet %s", len(s.tried), len(all),
			strings.Join(not, ", "))
	}
	return Report{Target: s.name, LeftOut: s.leftOut, Results: []Result{{Name: "examination",
		Status: Unknown, Bound: "no program", Message: "the search ended before it was known what can be " +
			"called: " + what + ": give it more --time"}}}
}

func (s *subject) examineMethod(m Method) error {
	for i := range m.Calls {
		alone := objectProgram{maker: s.maker, actors: [][]*Invocation{{&m.Calls[i]}}}
		if err := s.announce(alone, "each search calls first: mend the method"); err != nil {
			return err
		}
		found, err := s.twice(s.maker, []*Invocation{&m.Calls[i]}, nil)
		if err != nil {
			return err
		}
		for _, o := range found {
			if !slices.ContainsFunc(o.results, panicked) {
				s.works = true
			} else if s.panics == "" {
				s.panics = m.Calls[i].Text + " -> " + o.results[0]
			}
		}
	}
	return nil
}

// varyingRuns is how often a call whose result is a list is made in the same state, to find out whether the
// list is always the same. A Go map with three elements begins with its first one three times out of four.
const varyingRuns = 24

// leaveOutVarying leaves out methods whose results differ from run to run when a value has elements. Methods
// that show the order of a Go map are an example.
func (s *subject) leaveOutVarying() error {
	var kept []Method
	for i := range s.o.Methods {
		varies, err := s.varies(s.o.Methods[i].call())
		if err != nil {
			return err
		}
		if varies {
			s.leftOut = append(s.leftOut, s.o.Methods[i].Name+": "+errVaries.Error())
			continue
		}
		kept = append(kept, s.o.Methods[i])
	}
	s.o.Methods = kept
	return nil
}

// varies reports whether the last result of a row of calls differs from run to run. The calls before are of
// one method with different arguments.
func (s *subject) varies(c *Invocation) (bool, error) {
	for i := range s.o.Methods {
		m := &s.o.Methods[i]
		calls := slices.Compact([]*Invocation{m.call(), m.call(1), m.call(2), c})
		var first []string
		last := len(calls) - 1
		more := func(k int) bool {
			return k < len(clocks) ||
				k < varyingRuns && strings.Contains(strings.Join(first[last:], " "), " ")
		}
		for k := 0; more(k); k++ {
			flow.Look = clocks[k%len(clocks)]
			found, err := s.sequential(s.maker, calls, nil)
			flow.Look = clocks[0]
			if ofProgram(err) || err == nil && (len(found) != 1 || len(found[0].results) < len(calls)) {
				break
			}
			if err != nil {
				return false, fmt.Errorf("%w: %s: %w", ErrObject, s.o.Name, err)
			}
			results := slices.Concat(found[0].results, found[0].after) // with the contents of channels
			if first != nil && !slices.Equal(first[last:], results[last:]) &&
				slices.Equal(first[:last], results[:last]) {
				return true, nil
			}
			first = results
		}
	}
	return false, nil
}

// looking matches the names of methods that usually change nothing. In the probe they come first, because
// later calls may remove what they show. The order has no other effect.
var looking = regexp.MustCompile(`^(Is|Has|Len|Size|Count|Cap|Load|Get|Peek|Contains|Value|Empty|Full|` +
	`At|Front|Back|Top|Find|Exists|Sum|Min|Max|String|Keys|Values|Items|ToSlice|Snapshot)`)

// chooseProbe chooses the calls that are made after all others, to see what these have left: calls of
// methods with results, if they return when nothing else was called.
func (s *subject) chooseProbe() error {
	var ranked []*Method
	for i := range s.o.Methods {
		if m := &s.o.Methods[i]; !m.Quiet && !m.Asked {
			ranked = append(ranked, m)
		}
	}
	rank := func(m *Method) int {
		n := 2 * len(m.Values)
		if !looking.MatchString(m.Name) {
			n += 100
		}
		return n
	}
	slices.SortStableFunc(ranked, func(a, b *Method) int { return cmp.Compare(rank(a), rank(b)) })
	for _, m := range ranked {
		calls := []*Invocation{m.call()}
		switch {
		case len(m.Values) > 0:
			calls = append(calls, m.call(1))
		case !looking.MatchString(m.Name):
			calls = slices.Repeat(calls, probeRepeats)
		}
		for _, c := range calls {
			if len(s.probe) == probeCalls {
				return nil
			}
			if err := s.addProbe(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// addProbe adds a call to the probe if it can be explored there, and returns.
func (s *subject) addProbe(c *Invocation) error {
	longer := append(slices.Clone(s.probe), c)
	found, err := s.twice(s.maker, nil, longer)
	if ofProgram(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrObject, s.o.Name, err)
	}
	for _, o := range found {
		if len(o.after) < len(longer) {
			return nil
		}
	}
	s.probe = longer
	return nil
}

// states returns calls that lead a new value into states that the probe can tell apart. The first state is
// that of the new value, without calls.
func (s *subject) states() ([][]*Invocation, error) {
	var all [][]*Invocation
	var seen []outcome
	try := func(calls []*Invocation) error {
		found, err := s.twice(s.maker, calls, s.probe)
		if ofProgram(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrObject, s.o.Name, err)
		}
		o := found[0]
		if len(found) > 1 || len(o.results) < len(calls) || slices.ContainsFunc(o.results, panicked) {
			return nil
		}
		o.results, o.after = nil, ofState(o.after, len(s.probe))
		if !slices.ContainsFunc(seen, o.equal) {
			seen, all = append(seen, o), append(all, calls)
		}
		return nil
	}
	if err := try(nil); err != nil {
		return nil, err
	}
	if len(all) == 0 { // the probe sees goroutines of the type
		return [][]*Invocation{nil}, nil
	}
	for at := 0; at < len(all); at++ {
		from := all[at]
		for i := range s.o.Methods {
			m := &s.o.Methods[i]
			for _, c := range slices.Compact([]*Invocation{m.call(), m.call(1)}) {
				if len(all) > mostStates || len(from) == stateDepth {
					return all, nil
				}
				if err := try(append(slices.Clone(from), c)); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// panicPrefix begins the result of a call that panics.
const panicPrefix = "panic: "

func panicked(result string) bool { return strings.HasPrefix(result, panicPrefix) }
