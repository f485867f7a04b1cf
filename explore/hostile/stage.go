package hostile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// Errors of a program that cannot be explored.
var (
	// ErrUndamaged says that a program fails without a writer.
	ErrUndamaged = errors.New("program fails although nobody writes what it should not")

	// ErrPlain says that accesses are not reported in this build.
	ErrPlain = errors.New("engine cannot be explored: build with the tag explore, as make build does")
)

// An Unprepared says that the context of Prepare ended it, so that no word was overwritten.
type Unprepared struct {
	Program  string
	Searched uint64 // executions without a writer
}

// Error names the program, and says how far the preparation came.
func (u *Unprepared) Error() string {
	return fmt.Sprintf("program %s: %s", u.Program, u.what())
}

func (u *Unprepared) what() string {
	return "nothing was overwritten: the search without a writer, which finds the words to overwrite, was " +
		"stopped before its end; executions until then: " + strconv.FormatUint(u.Searched, 10)
}

// Report is that of a search with a writer which did not begin.
func (u *Unprepared) Report(o explore.Options) explore.Report {
	return explore.Report{Program: u.Program, Preemptions: o.Preemptions, Bound: u.what()}
}

// A Stage is a program, ready to be explored, with the words that are to be overwritten.
type Stage struct {
	p       Program
	x       *explore.Execution
	image   []uint64   // the memory before the program
	writes  bool       // there is a writer
	targets []int      // the words that it may write, by index
	nasty   [][]uint64 // what to each of them

	// Of one execution.
	actors  []*actor
	began   error          // what kept the subject from beginning
	was     map[int]uint64 // what a word was before its last change, by index
	written int            // the word that the writer has written; None
	met     bool           // an ordinary actor has seen it since

	// Of all executions.
	touched map[int]bool // words that ordinary actors have accessed
	tally   Tally
}

// An actor is an ordinary one.
type actor struct {
	*Stage
	calls    []Call
	inside   int // the last call that has begun
	accesses int // that it has made
	failed   []Failure
}

// Prepare searches a program without a writer, to learn which words its actors access. These words are
// overwritten. They are the same for each kind of search, because a token has them by number. A word that no
// actor accesses is not overwritten: its value has no effect on an actor that does not read it, and no other
// damage could lead an actor to it. With two actors, words that are reached only with more than two
// preemptions are left out. If the context ends first, the error is an Unprepared.
func Prepare(p Program, c context.Context) (*Stage, error) {
	s := &Stage{p: p, image: slices.Clone(p.Memory), touched: map[int]bool{}, written: None}
	rep, err := explore.Explore(s.Program(), s.limits(explore.Options{Preemptions: 2, Stateful: true,
		Context: c}))
	switch {
	case err != nil:
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	case rep.Failure == nil && !rep.Exhaustive && c != nil && c.Err() != nil:
		return nil, &Unprepared{p.Name, rep.Executions}
	case rep.Failure != nil || !rep.Exhaustive:
		return nil, fmt.Errorf("program %s: %w: %w; %s", p.Name, ErrUndamaged, rep.Err(), rep.Bound)
	case len(s.touched) == 0:
		return nil, fmt.Errorf("program %s: %w", p.Name, ErrPlain)
	}
	s.targets = slices.Sorted(maps.Keys(s.touched))
	for _, at := range s.targets {
		s.nasty = append(s.nasty, s.Nasty(at))
	}
	s.writes, s.tally = true, Tally{Words: len(s.targets)}
	return s, nil
}

// limits returns the options for an execution. A call has a limit of its own, so repeating the same steps
// for less than that is allowed.
func (s *Stage) limits(o explore.Options) explore.Options {
	o.MaxSteps, o.SpinLimit = 4*s.p.Most, 2*s.p.Most
	return o
}

// Explore searches the program with a writer, which overwrites one word. The search has no deaths: a dead
// actor has died before the program begins.
func (s *Stage) Explore(o explore.Options) (explore.Report, error) {
	if o.Kills > 0 {
		return explore.Report{}, fmt.Errorf("%w: program %s with deaths; its dead have died before it "+
			"begins: leave them out", explore.ErrOptions, s.p.Name)
	}
	rep, err := explore.Explore(s.Program(), s.limits(o))
	if err == nil && rep.Failure == nil && rep.StepBound > 0 {
		err = fmt.Errorf("program %s: %d executions were cut; raise the limit of steps", s.p.Name,
			rep.StepBound)
	}
	return rep, err
}

// Replay runs the one execution of a token again, with the judge.
func (s *Stage) Replay(token string) (explore.Report, error) {
	return explore.Replay(s.Program(), token, s.limits(explore.Options{}))
}

// Tally counts what the executions had in them.
func (s *Stage) Tally() Tally { return s.tally }

// Met reports whether an ordinary actor has read the written value in this execution.
func (s *Stage) Met() bool { return s.met }

// Program returns the stage for the explorer, with its judge.
func (s *Stage) Program() explore.Program {
	return explore.Program{Name: s.p.Name, Start: s.start, Step: s.step, Finish: s.finish, Tell: s.tell}
}

// start restores everything.
func (s *Stage) start(x *explore.Execution) []explore.Actor {
	s.x = x
	copy(s.p.Memory, s.image)
	s.actors, s.was, s.written, s.met = nil, map[int]uint64{}, None, false
	x.Region(unsafe.Pointer(unsafe.SliceData(s.p.Memory)), len(s.p.Memory)*WordBytes)
	calls, err := s.p.Subject.Start()
	if s.began = err; err != nil {
		calls = make([][]Call, s.p.Actors)
	}
	for _, all := range calls {
		s.actors = append(s.actors, &actor{Stage: s, calls: all})
	}
	return []explore.Actor{{Name: "choice", Body: s.run}}
}

// run chooses what will be written. Then the actors begin, numbered from 1, with the writer as the last one.
// If the writer itself chose, a reduced search would try each choice wherever any of them matters.
func (s *Stage) run() {
	spawn := hook.Active.(hook.Spawner).Spawn
	var write func()
	if s.writes {
		write = s.writer()
	}
	for _, a := range s.actors {
		spawn(a.run)
	}
	if write != nil {
		spawn(write)
	}
}

// run makes the calls one after the other, whatever becomes of them.
func (a *actor) run() {
	for i, call := range a.calls {
		a.x.Begin()
		a.inside, a.accesses = i, 0
		if err := call.Do(); err != nil {
			a.failed = append(a.failed, Failure{i, err})
		}
		a.x.Mark(uint64(len(a.failed)))
	}
}

// tell says what a step read or changed.
func (s *Stage) tell(_ *explore.Execution, step explore.Step) string {
	at := int(step.Object / WordBytes)
	if !step.Kind.Access() || at >= len(s.image) || at < 0 {
		return ""
	}
	decode := func(v uint64) string { return s.p.Subject.Text(at, v) }
	text := s.p.Subject.Name(at) + " is " + decode(step.Old)
	switch {
	case step.Kind == hook.CompareAndSwap && !step.OK:
		text += ", wanted " + decode(step.New)
	case step.Old != step.New:
		text += " => " + decode(step.New)
	}
	return text
}
