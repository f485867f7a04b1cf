package harness

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
)

// Follower takes the steps of one program in the model. Actors are numbered from 1. The lists and states
// that a method is given belong to the caller.
type Follower[S comparable, R history.Value] interface {
	Initial() S

	// Enabled names the action that the actor takes next; it is "" if the actor takes none any more. If the
	// actor can take one of several actions, it names all of them, with " or " between them.
	Enabled(s *S, actor int) string

	// Call appends the states after the actor called its next operation.
	Call(list []S, s *S, actor int) ([]S, string)

	// Returned is the state after the return of the actor's operation, if it is about to return.
	Returned(s *S, actor int) S

	// Finished reports whether the actor has returned from all its operations.
	Finished(s *S, actor int) bool

	// Differs describes how the last result of the client differs from what the model returned; it is "" if
	// they are equal.
	Differs(s *S, actor int, last R) string

	// Crash appends the states after the death of the actor.
	Crash(list []S, s *S, actor int) ([]S, string)

	// Access appends the states after the actor's action, which made the access of the step, or says what
	// differs: a guard that is false, another word or kind of access, memory after it.
	Access(list []S, s *S, actor int, action string, step explore.Step) ([]S, string)

	// Marks are the operation states whose race has happened on the way to s.
	Marks(s *S) []string
}

// A Tracer follows an execution of the engine in the model, step by step.
//
// The model may be in several states at a time, because it does not know a choice of the engine before the
// engine acts on it. A step is accepted if one of these states accepts it. Executions of one search share
// prefixes, so accepted steps are kept by position and not judged again.
type Tracer[S comparable, R history.Value] struct {
	// AtEnds counts a race once for each execution that has ended with it. Otherwise a race is counted when
	// it happens, even in executions that are cut later because they join a state seen before.
	AtEnds bool

	f       Follower[S, R]
	program string
	object  func(uint64) string
	names   map[string]string // engine function -> action, "" for a stutter
	trail   []accepted[S]     // the steps of the current execution and of the one before it
	at      int               // how many of them the current execution has made
	fresh   int               // how many of these are not from the execution before
	fired   map[string]uint64 // action -> accepted steps
	steps   uint64            // steps judged
	met     map[string]uint64 // race -> accepted steps at which it came about, or executions

	initial []S // the state before the first step
	list    []S // memory of one state's successors
	ends    []S // the states that agree with what the clients saw, at the end
}

// accepted is a step and the states that the model may be in after it: those before it if it is none of
// the model's. Own is the memory of this place in the trail, for steps that it gets later, too.
type accepted[S comparable] struct {
	step   explore.Step
	action string
	states []S
	own    []S
}

// NewTrace follows executions of the program of that name. The functions of the engine that make an access
// are named after the actions of the catalog. Object names the word of a step.
func NewTrace[S comparable, R history.Value](f Follower[S, R], names *catalog.Engine, program string,
	object func(uint64) string) *Tracer[S, R] {
	t := &Tracer[S, R]{f: f, program: program, object: object, names: map[string]string{},
		fired: map[string]uint64{}, met: map[string]uint64{}, initial: []S{f.Initial()}}
	for _, a := range names.Actions {
		t.names[lowerFirst(a.Name)] = a.Name
	}
	for _, s := range names.Stutters {
		t.names[lowerFirst(s)] = ""
	}
	return t
}

func lowerFirst(s string) string { return string(unicode.ToLower(rune(s[0]))) + s[1:] }

// Start begins a new execution.
func (t *Tracer[S, R]) Start() { t.at, t.fresh = 0, 0 }

// New reports whether the execution has steps that the previous one did not have.
func (t *Tracer[S, R]) New() bool { return t.fresh > 0 }

// Judged returns how many steps were judged, and how often each action was accepted.
func (t *Tracer[S, R]) Judged() (uint64, map[string]uint64) { return t.steps, t.fired }

// Resume continues from the counts of an earlier search.
func (t *Tracer[S, R]) Resume(steps uint64, fired, met map[string]uint64) {
	t.steps, t.fired, t.met = steps, fired, met
}

// states are those that the model may be in now.
func (t *Tracer[S, R]) states() []S {
	if t.at == 0 {
		return t.initial
	}
	return t.trail[t.at-1].states
}

// Step judges one step. repeated is true if this step and all before it are those of the previous execution,
// and were judged then.
func (t *Tracer[S, R]) Step(s explore.Step, last R) (repeated bool, err error) {
	if t.fresh == 0 && t.at < len(t.trail) && t.trail[t.at].step == s {
		t.at++
		return true, nil
	}
	action, next, err := t.accept(s, last)
	if err != nil {
		return false, err
	}
	if !t.AtEnds {
		t.meet(t.states(), next)
	}
	p := t.place()
	p.step, p.action, p.states = s, action, next
	t.trail = t.trail[:t.at+1]
	t.at++
	t.fresh++
	t.steps++
	t.fired[action]++
	return false, nil
}

// place is where the trail goes on.
func (t *Tracer[S, R]) place() *accepted[S] {
	if t.at == cap(t.trail) {
		t.trail = append(t.trail[:t.at], accepted[S]{})
	}
	return &t.trail[:t.at+1][t.at]
}

// accept returns the action that the step is, and the states after it.
func (t *Tracer[S, R]) accept(s explore.Step, last R) (string, []S, error) {
	actor := s.Actor + 1
	switch s.Kind {
	case hook.Choice:
		return "random bit", t.states(), nil // known by what the actor does next
	case hook.Kill:
		return t.each(s, "ClientCrash", func(st *S) ([]S, string) {
			back := t.f.Returned(st, actor)
			if t.f.Enabled(&back, actor) == "ClientCall" {
				return append(t.list[:0], back), "" // between operations: it just never calls again
			}
			return t.f.Crash(t.list[:0], st, actor)
		})
	case hook.Begin:
		return t.each(s, "ClientCall", func(st *S) ([]S, string) {
			back := t.f.Returned(st, actor)
			if why := t.f.Differs(&back, actor, last); why != "" {
				return nil, why
			}
			return t.f.Call(t.list[:0], &back, actor)
		})
	}
	name := s.Func[strings.LastIndexByte(s.Func, '.')+1:]
	action, known := t.names[name]
	if !known {
		return "", nil, t.reject(s, "?", fmt.Sprintf(
			"function %s makes an access but is no action of the catalog", s.Func))
	}
	if action == "" {
		return name, t.states(), nil
	}
	return t.each(s, action, func(st *S) ([]S, string) {
		return t.f.Access(t.list[:0], st, actor, action, s)
	})
}

// each makes a step from every state that the model may be in, and keeps those that accept.
func (t *Tracer[S, R]) each(s explore.Step, action string, f func(*S) ([]S, string)) (string, []S, error) {
	all := t.place().own[:0]
	var why string
	now := t.states()
	for i := range now {
		next, reason := f(&now[i])
		if next != nil {
			t.list = next
		}
		for k := range next {
			if !contains(all, &next[k]) {
				all = append(all, next[k])
			}
		}
		if why == "" {
			why = reason
		}
	}
	if len(all) == 0 {
		return action, nil, t.reject(s, action, why)
	}
	t.place().own = all
	return action, all, nil
}

func contains[S comparable](all []S, s *S) bool {
	for i := range all {
		if all[i] == *s {
			return true
		}
	}
	return false
}

// End finds the states of the model that agree with what the clients saw when all actors have ended. A return
// is not an access, so the model does not see when it happens: the model's actor returns when the engine's
// actor calls again, dies, or at the end. Until then its operation counts as in progress, also for races with
// other actors.
func (t *Tracer[S, R]) End(killed func(actor int) bool, last []R) error {
	t.ends = t.ends[:0]
	first := "" // why a state does not agree: of the first actor that has a reason
	for _, s := range t.states() {
		why := ""
		for actor := 1; actor <= len(last); actor++ {
			if killed(actor - 1) {
				continue
			}
			s = t.f.Returned(&s, actor)
			if why == "" {
				why = t.disagrees(&s, actor, last[actor-1])
			}
		}
		if why == "" {
			t.ends = append(t.ends, s)
		} else if first == "" {
			first = why
		}
	}
	if len(t.ends) == 0 {
		return fmt.Errorf("%w: at the end no state of the model agrees with what the clients saw: %s",
			ErrRejected, first)
	}
	if t.AtEnds && t.New() {
		for _, mark := range t.f.Marks(&t.ends[0]) {
			t.met[mark]++
		}
	}
	return nil
}

// disagrees says how a state of the model, at the end, differs from what the client of an actor saw; it is ""
// if they agree.
func (t *Tracer[S, R]) disagrees(s *S, actor int, last R) string {
	if !t.f.Finished(s, actor) {
		return fmt.Sprintf("actor %d has ended, the model would take: %s", actor, t.f.Enabled(s, actor))
	}
	if why := t.f.Differs(s, actor, last); why != "" {
		return fmt.Sprintf("actor %d: %s", actor, why)
	}
	return ""
}

// Ends returns the states of the model that agree with what the clients saw in the last execution that ended.
func (t *Tracer[S, R]) Ends() []S { return t.ends }

// meet counts the races that came about by a step: those of each state that the model may be in, and of none
// before.
func (t *Tracer[S, R]) meet(before, after []S) {
	for _, mark := range t.f.Marks(&after[0]) {
		has := func(s S) bool { return slices.Contains(t.f.Marks(&s), mark) }
		lacks := func(s S) bool { return !has(s) }
		if !slices.ContainsFunc(before, has) && !slices.ContainsFunc(after, lacks) {
			t.met[mark]++
		}
	}
}

// Marks returns how often each race came about.
func (t *Tracer[S, R]) Marks() map[string]uint64 { return t.met }

// Steps describes the accepted steps of the execution.
func (t *Tracer[S, R]) Steps() []StepLine {
	var all []StepLine
	for _, a := range t.trail[:t.at] {
		s := a.step
		l := StepLine{Index: s.Index, Actor: s.Actor + 1, Action: a.action, Kind: s.Kind.String(),
			Old: Raw(s.Old), New: Raw(s.New), OK: s.OK}
		if s.Kind.Access() {
			l.Object = t.object(s.Object)
			l.Site = fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
		}
		all = append(all, l)
	}
	return all
}

func (t *Tracer[S, R]) reject(s explore.Step, action, why string) error {
	r := &Rejection{
		Program: t.program, Actor: s.Actor + 1, Action: action, Guard: why,
	}
	if s.File != "" { // a call and a death are at no line of the engine
		r.Site = fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
	}
	for _, a := range t.trail[:t.at] {
		r.Prefix = append(r.Prefix, fmt.Sprintf("actor %d  %s", a.step.Actor+1, a.action))
	}
	var enabled []string
	for _, st := range t.states() {
		name := t.f.Enabled(&st, s.Actor+1)
		if name == "" {
			name = "nothing, the actor is finished or dead"
		}
		enabled = append(enabled, name)
	}
	r.Enabled = strings.Join(enabled, " or ")
	return r
}
