package scenarios

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/samecycle/samecycle/explore"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// A validator follows an execution of the engine in the model, step by step.
//
// The model may be in several states, for it does not know the random half before the engine acts
// on it; a step that one of them accepts is accepted. Executions of one search share prefixes, so
// what was accepted before is kept by position and not judged again.
type validator struct {
	m     *model.Machine
	w     *world
	names map[string]string // engine function -> action, "" for a stutter
	trail []accepted        // the steps of the current execution and of the one before it
	at    int               // how many of them the current execution has made
	fresh int               // how many of these are not from the execution before
	fired map[string]uint64 // action -> accepted steps
	steps uint64            // steps judged

	initial   []model.State     // the state before the first step
	outcomes  []model.Successor // memory of take and returned
	following []model.State     // memory of what take returns
}

// accepted is a step and the states that the model may be in after it: those before it if it is none of
// the model's. Own is the memory of this place in the trail, for steps that it gets later, too.
type accepted struct {
	step   explore.Step
	action string
	states []model.State
	own    []model.State
}

func newValidator(m *model.Machine, w *world) *validator {
	v := &validator{m: m, w: w, names: map[string]string{}, fired: map[string]uint64{},
		initial: []model.State{m.Initial()}}
	for _, a := range register.Actions() {
		v.names[lowerFirst(a.Name)] = a.Name
	}
	for _, s := range register.Stutters() {
		v.names[lowerFirst(s)] = ""
	}
	return v
}

func lowerFirst(s string) string { return string(unicode.ToLower(rune(s[0]))) + s[1:] }

// start begins a new execution.
func (v *validator) start() { v.at, v.fresh = 0, 0 }

// states are those that the model may be in now.
func (v *validator) states() []model.State {
	if v.at == 0 {
		return v.initial
	}
	return v.trail[v.at-1].states
}

// step judges one step. Repeated reports that it and all before it are those of the execution
// before, and were judged then.
func (v *validator) step(s explore.Step, last mapmodel.Result) (repeated bool, err error) {
	if v.fresh == 0 && v.at < len(v.trail) && v.trail[v.at].step == s {
		v.at++
		return true, nil
	}
	action, next, err := v.accept(s, last)
	if err != nil {
		return false, err
	}
	p := v.place()
	p.step, p.action, p.states = s, action, next
	v.trail = v.trail[:v.at+1]
	v.at++
	v.fresh++
	v.steps++
	v.fired[action]++
	return false, nil
}

// place is where the trail goes on.
func (v *validator) place() *accepted {
	if v.at == cap(v.trail) {
		v.trail = append(v.trail[:v.at], accepted{})
	}
	return &v.trail[:v.at+1][v.at]
}

// accept returns the action that the step is, and the states after it.
func (v *validator) accept(s explore.Step, last mapmodel.Result) (string, []model.State, error) {
	t := s.Actor + 1
	switch s.Kind {
	case hook.Choice:
		return "random bit", v.states(), nil // known by what the actor does next
	case hook.Kill:
		return v.each(s, "ClientCrash", func(st *model.State) ([]model.State, string) {
			back := v.returned(st, t)
			if v.m.Enabled(&back, t) == "ClientCall" {
				return v.only(back), "" // between operations: it just never calls again
			}
			next, ok := v.m.Crash(st, t)
			if !ok {
				return nil, v.m.Explain(st, t, "ClientCrash")
			}
			return v.only(next), ""
		})
	case hook.Begin:
		return v.each(s, "ClientCall", func(st *model.State) ([]model.State, string) {
			back := v.returned(st, t)
			if why := sameResult(back.Out(t), last); why != "" {
				return nil, why
			}
			return v.take(&back, t, "ClientCall")
		})
	}
	name := s.Func[strings.LastIndexByte(s.Func, '.')+1:]
	action, known := v.names[name]
	if !known {
		return "", nil, v.reject(s, "?", fmt.Sprintf(
			"function %s makes an access but is no action of the catalog", s.Func))
	}
	if action == "" {
		return name, v.states(), nil
	}
	return v.each(s, action, func(st *model.State) ([]model.State, string) {
		return v.access(st, s, t, action)
	})
}

// access judges an access from one state of the model.
func (v *validator) access(st *model.State, s explore.Step, t int,
	action string) ([]model.State, string) {
	if why := v.m.Explain(st, t, action); why != "" {
		return nil, why
	}
	word, how := v.m.Touches(st, t)
	if want := v.w.offset(word); s.Object != want {
		return nil, fmt.Sprintf("the access is to offset %#x, that of the action to %#x (%+v)",
			s.Object, want, word)
	}
	if kind := kindOf(s.Kind); kind != how {
		return nil, fmt.Sprintf("the access is a %v, that of the action a %v", kind, how)
	}
	next, why := v.follow(st, t, action)
	if why != "" {
		return nil, why
	}
	if diff := v.w.differs(v.m, &next[0]); diff != "" {
		return nil, "afterwards memory differs: " + diff
	}
	return next, ""
}

func kindOf(k hook.Kind) model.Access {
	switch k {
	case hook.Load:
		return model.Loads
	case hook.Store:
		return model.Stores
	case hook.CompareAndSwap:
		return model.Swaps
	}
	return model.NoAccess
}

// returned is the state after the return of the actor's operation, if it is about to return.
// Returning is no access, so nobody sees when it happens: the model's actor returns when the
// engine's calls again, or dies, or at the end. Until then its operation counts as in progress,
// and a race that another actor finds it in is one.
func (v *validator) returned(st *model.State, t int) model.State {
	if v.m.Enabled(st, t) == "ClientReturn" {
		v.outcomes = v.m.Step(st, t, v.outcomes[:0])
		return v.outcomes[0].Next
	}
	return *st
}

// only is one state that follows, in the memory of take.
func (v *validator) only(s model.State) []model.State {
	v.following = append(v.following[:0], s)
	return v.following
}

// take makes the step in the model. What it returns is valid until the next call.
func (v *validator) take(st *model.State, t int, action string) ([]model.State, string) {
	if why := v.m.Explain(st, t, action); why != "" {
		return nil, why
	}
	return v.follow(st, t, action)
}

// follow is take for an action that is enabled.
func (v *validator) follow(st *model.State, t int, action string) ([]model.State, string) {
	next := v.following[:0]
	v.outcomes = v.m.Step(st, t, v.outcomes[:0])
	for i := range v.outcomes {
		x := &v.outcomes[i]
		if bad := v.m.CheckStep(st, &x.Next, action, t); len(bad) > 0 {
			return nil, strings.Join(bad, "; ")
		}
		if bad := v.m.Check(&x.Next); len(bad) > 0 {
			return nil, strings.Join(bad, "; ")
		}
		next = append(next, x.Next)
	}
	v.following = next
	return next, ""
}

// each makes a step from every state that the model may be in, and keeps those that accept.
func (v *validator) each(s explore.Step, action string,
	f func(*model.State) ([]model.State, string)) (string, []model.State, error) {
	all := v.place().own[:0]
	var why string
	now := v.states()
	for i := range now {
		next, reason := f(&now[i])
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
		return action, nil, v.reject(s, action, why)
	}
	v.place().own = all
	return action, all, nil
}

func contains(all []model.State, s *model.State) bool {
	for i := range all {
		if all[i] == *s {
			return true
		}
	}
	return false
}

// sameResult compares what the model returned with what the engine's client saw.
func sameResult(m model.Out, e mapmodel.Result) string {
	want := mapmodel.Result{Outcome: outcomes[m.R]}
	if want.Outcome.HasValue() {
		want.Value = uint32(m.V)
	}
	if want != e {
		return fmt.Sprintf("the model returned %v, the engine %v", m, e)
	}
	return ""
}

var outcomes = map[model.Status]mapmodel.Outcome{
	model.NoResult: mapmodel.NoOutcome, model.Added: mapmodel.Added, model.Exists: mapmodel.Exists,
	model.Full: mapmodel.Full, model.Absent: mapmodel.Absent, model.Found: mapmodel.Found,
	model.Updated: mapmodel.Updated, model.Deleted: mapmodel.Deleted, model.Tended: mapmodel.Tended,
}
