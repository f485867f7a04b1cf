//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/model/hopscotch/bell"
)

// A bellValidator follows an execution of the engine's bell in its model, step by step: what an access does
// to the word, or to what there is to do, must be what the action of the accessing function does.
//
// The service is the loop of service.Service without its pauses, over one place, that ends behind some
// sleeps. In an exploration nobody sleeps: SleepUntilRung is its last look. The sleep and its bound the model
// makes right before that, where nobody has rung.
type bellValidator struct {
	m          *bell.Machine
	region     *region.Region
	word, work *seam.Uint64
	x          *explore.Execution
	services   int
	clients    int
	sleeps     int // of a service
	alter      func(*explore.Step)
	quiet      bool // a canary: clients do not ring

	states []bell.State
	list   []bell.Step
	steps  map[string]int // accepted, by action
	known  map[string][]bell.Action
}

func newBellValidator(t *testing.T, services, clients int) *bellValidator {
	t.Helper()
	b := newBell(t)
	v := &bellValidator{region: b.region, word: b.word, work: b.work, services: services, clients: clients,
		sleeps: 2, steps: map[string]int{}, known: map[string][]bell.Action{}}
	all := numbers(1, services+clients)
	var err error
	if v.m, err = bell.New(bell.Config{Name: "Bell", Services: all[:services], Ringers: all[services:],
		Places: 1, MaxWork: 1, Circle: 128, Mortal: all, MaxDeaths: len(all)}); err != nil {
		t.Fatal(err)
	}
	for _, a := range register.BellActions() {
		for _, f := range a.Functions {
			if a.Folder == "impl/region" {
				v.known[f] = append(v.known[f], bell.Action(slices.Index(bell.Actions(), a.Name)))
			}
		}
	}
	v.known["crop"], v.known["make"] = []bell.Action{bell.ServiceCrop}, []bell.Action{bell.WorkMake}
	return v
}

func (v *bellValidator) explore(t *testing.T, kills int) explore.Report {
	t.Helper()
	start := func(x *explore.Execution) []explore.Actor {
		v.x = x
		v.word.Store(0)
		v.work.Store(0)
		x.Region(unsafe.Pointer(v.word), region.LineBytes)
		v.states = append(v.states[:0], v.m.Initial())
		var actors []explore.Actor
		for range v.services {
			actors = append(actors, explore.Actor{Name: "service", Body: v.serve})
		}
		for range v.clients {
			actors = append(actors, explore.Actor{Name: "client", Body: v.client})
		}
		return actors
	}
	rep, err := explore.Explore(explore.Program{Name: "BellSteps", Start: start, Finish: v.finish,
		Step: func(_ *explore.Execution, s explore.Step) error { return v.step(s) }},
		explore.Options{Preemptions: 2, Kills: kills, AnyKill: true, Sites: true, Audit: -1})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func (v *bellValidator) serve() {
	heard, rest := v.region.Listen(), 1
	for asleep := 0; asleep < v.sleeps; {
		found := v.crop()
		if rest > 0 {
			rest--
		}
		if found || rest > 0 {
			continue
		}
		asleep++
		rung := v.region.SleepUntilRung(heard, seam.Second, nil)
		if v.x.Mark(uint64(oneIf(rung))); rung {
			heard, rest = v.region.Listen(), 1
		}
	}
}

//go:noinline
func (v *bellValidator) crop() (found bool) { return v.work.Swap(0) != 0 }

//go:noinline
func (v *bellValidator) make() { v.work.Store(1) }

func (v *bellValidator) client() {
	v.make()
	if !v.quiet {
		v.region.Ring()
	}
}

func (v *bellValidator) reject(s explore.Step, why string) error {
	return fmt.Errorf("%w of the bell: step %d of actor %d, %s: %s", harness.ErrRejected, s.Index, s.Actor+1,
		s.Func,
		why)
}

// step makes the step in the model.
func (v *bellValidator) step(s explore.Step) error {
	if v.alter != nil {
		v.alter(&s)
	}
	a, actions := s.Actor+1, []bell.Action{bell.CallCrash}
	if !s.Kind.Access() && s.Kind != hook.Kill {
		return nil
	}
	if s.Kind != hook.Kill {
		actions = v.known[s.Func[strings.LastIndexByte(s.Func, '.')+1:]]
	}
	var all []bell.State
	why := fmt.Sprintf("the model is about to make %v", v.states[0].Loc[a-1].PC)
	for i := range v.states {
		for _, from := range v.slept(v.states[i], a) {
			v.list = v.m.Steps(&from, a, v.list[:0])
			for _, x := range v.list {
				if !slices.Contains(actions, x.Action) {
					continue
				}
				if diff := v.refuses(s, &x, &from); diff != "" {
					why = diff
				} else if !slices.Contains(all, x.Next) {
					all = append(all, x.Next)
					v.steps[x.Action.String()]++
				}
			}
		}
	}
	if len(all) == 0 {
		return v.reject(s, why)
	}
	v.states = all
	return nil
}

// slept adds to a state, of a service that is about to look at the word and finds it as it was, that behind
// its sleep.
func (v *bellValidator) slept(s bell.State, a int) []bell.State {
	all := []bell.State{s}
	for _, by := range []bell.Action{bell.BellLook, bell.BellSleep, bell.BellTimeOut} {
		last := all[len(all)-1]
		for _, x := range v.m.Steps(&last, a, nil) {
			if pc := x.Next.Loc[a-1].PC; x.Action == by && pc != bell.BellListen && pc != bell.ServiceCrop {
				all = append(all, x.Next)
			}
		}
	}
	return all[len(all)-1:]
}

var bellKinds = map[bell.Action]hook.Kind{
	bell.BellListen: hook.Load, bell.BellSay: hook.Or, bell.BellLook: hook.Load, bell.BellRead: hook.Load,
	bell.BellRing: hook.CompareAndSwap, bell.BellWake: hook.Load, bell.BellQuiet: hook.CompareAndSwap,
	bell.ServiceCrop: hook.Swap, bell.WorkMake: hook.Store, bell.CallCrash: hook.Kill,
}

// refuses says why a step of the model is not that of the engine.
func (v *bellValidator) refuses(s explore.Step, x *bell.Step, was *bell.State) string {
	word := uint64(oneIf(x.Action == bell.ServiceCrop || x.Action == bell.WorkMake)) * region.WordBytes
	switch {
	case s.Kind != bellKinds[x.Action]:
		return fmt.Sprintf("the access is a %v, that of %v is not", s.Kind, x.Action)
	case s.Kind != hook.Kill && s.Object != word:
		return fmt.Sprintf("the access is to offset %#x, that of %v to %#x", s.Object, x.Action, word)
	}
	for _, p := range bell.Properties() {
		if p.State != nil && !p.State(v.m, &x.Next) || p.Step != nil && !p.Step(v.m, was, &x.Next) {
			return "afterwards it violates " + p.Name
		}
	}
	n := x.Next.Bell
	want := uint64(n.N)<<1 | uint64(oneIf(n.Asleep)) | uint64(oneIf(n.Waking))<<32
	is := *(*uint64)(unsafe.Pointer(v.word))
	work := *(*uint64)(unsafe.Pointer(v.work)) != 0
	if is != want || work != x.Next.Work.Has(1) {
		return fmt.Sprintf("after %v the bell is %#x, the model's %#x; work is there: %v, %v", x.Action, is,
			want, work, x.Next.Work.Has(1))
	}
	return ""
}

// finish: an actor that has ended and lives is behind its call in the model, too.
func (v *bellValidator) finish(x *explore.Execution) error {
	for i := v.services; i < v.services+v.clients; i++ {
		if pc := v.states[0].Loc[i].PC; !x.Killed(i) && pc != bell.Ready {
			return fmt.Errorf("%w of the bell: actor %d has ended, the model is about to make %v",
				harness.ErrRejected, i+1, pc)
		}
	}
	return nil
}

// Each step of the engine's bell is one of the model, with a death at each of them, and a second one.
func TestBell_StepsAreTheModels(t *testing.T) {
	steps := map[string]int{}
	for _, c := range []struct{ services, clients, kills int }{{1, 2, 2}, {2, 1, 1}, {2, 2, 0}} {
		v := newBellValidator(t, c.services, c.clients)
		rep := v.explore(t, c.kills)
		if rep.Failure != nil || !rep.Exhaustive {
			t.Fatalf("%+v: %v\n%s", c, rep.Failure, rep.Bound)
		}
		t.Logf("%+v: %s", c, rep.Bound)
		for action, n := range v.steps {
			steps[action] += n
		}
	}
	t.Log(steps)
	for action := range bellKinds {
		if steps[action.String()] == 0 {
			t.Errorf("no step was a %v", action)
		}
	}
}

// The canaries: a step that is not the model's.
func TestBell_OtherStepsAreRefused(t *testing.T) {
	type step = explore.Step
	at := func(function string, kind hook.Kind, f func(*step)) func(*bellValidator) {
		return func(v *bellValidator) {
			v.alter = func(s *step) {
				if strings.HasSuffix(s.Func, "."+function) && s.Kind == kind {
					f(s)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		plant func(*bellValidator)
		why   string
	}{
		"word": {at("Ring", hook.Load, func(s *step) { s.Object += 8 }), "to offset"},
		"kind": {at("Listen", hook.Or, func(s *step) { s.Kind = hook.CompareAndSwap }),
			"is a CompareAndSwap"},
		"skipped": {at("wakeSleepers", hook.Load, func(s *step) { s.Func = "x.Await" }), "BellWake"},
		"unrung":  {func(v *bellValidator) { v.quiet = true }, "has ended"},
		"another": {at("Ring", hook.CompareAndSwap, func(s *step) { s.Actor ^= 1 }), "about to make"},
	} {
		v := newBellValidator(t, 1, 1)
		c.plant(v)
		rep := v.explore(t, 1)
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) ||
			!strings.Contains(rep.Failure.Message, c.why) {
			t.Errorf("%s: want a rejection that says %q, got %v", name, c.why, rep.Failure)
		}
	}
}
