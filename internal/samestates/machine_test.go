package samestates

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// stair is the machine of testdata/steps. Its state is how high the actor is.
type stair struct {
	c     stairConfig
	fault stairFault
}

type stairConfig struct {
	Name, Program string
	Without       []string
}

type (
	stairStep  = search.Step[int, action]
	stairFault = Fault[*stair, int, action]
)

func (*stair) Initial() int           { return 0 }
func (*stair) Actors() int            { return 1 }
func (*stair) AtRest(s *int) bool     { return *s >= 2 }
func (m *stair) lacksTheRail() bool   { return len(m.c.Without) > 0 }
func (m *stair) text(s *int) tla.Pair { return tla.Pair{"x", tla.Num(*s)} }

func (m *stair) Steps(s *int, _ int, list []stairStep) []stairStep {
	var steps []stairStep
	switch {
	case *s < 2:
		steps = []stairStep{{Actor: 1, Action: "Climb", Next: *s + 1}}
	case *s == 2 && m.lacksTheRail():
		steps = []stairStep{{Actor: 1, Action: "Fall", Next: 9}}
	}
	if m.fault != nil {
		steps = m.fault(m, s, 1, steps)
	}
	return append(list, steps...)
}

type stairModel = Model[stairConfig, *stair, int, action, stairFault]

// leadsTo is the fault by which each step leads to a height.
func leadsTo(height int) stairFault {
	return func(_ *stair, _ *int, _ int, steps []stairStep) []stairStep {
		for i := range steps {
			steps[i].Next = height
		}
		return steps
	}
}

// sound is the model of testdata/steps.
func sound() *stairModel {
	return &stairModel{
		Part:      Part{Dir: "testdata/steps", Module: "MCSteps"},
		New:       func(c stairConfig) (*stair, error) { return &stair{c: c}, nil },
		Variables: func(m *stair, s *int) []tla.Pair { return []tla.Pair{m.text(s)} },
		Spoil:     func(m *stair, f stairFault) { m.fault = f },
		Properties: []search.Property[*stair, int]{
			{Name: "Safe", State: func(_ *stair, s *int) bool { return *s <= 2 }},
			{Name: "Upward", Step: func(_ *stair, prev, next *int) bool { return *next >= *prev }},
			{Name: "NoZ01Steps", State: func(_ *stair, s *int) bool { return *s != 1 }}},
		ComesAbout: []string{"Arrives"},
		Live: func(_ *stair, name string) (*search.Live[int, action], bool) {
			return &search.Live[int, action]{Name: name, Fair: func(action) bool { return true },
				Bad: []func(*int) bool{func(s *int) bool { return *s != 2 }}}, true
		},
		Actions: []string{"Climb", "Fall"},
		Faults:  map[string]stairFault{"ClimbFalls": leadsTo(3)},
	}
}

// refuses wants a test of the model to be green, and to be red when the model is spoiled.
func refuses(t *testing.T, test func(t testing.TB, x *stairModel), spoil map[string]func(x *stairModel)) {
	t.Helper()
	failing := &counting{TB: t}
	if test(failing, sound()); failing.errors > 0 {
		t.Errorf("a model that is right has %d errors: %s", failing.errors, failing.text)
	}
	for name, f := range spoil {
		failing, x := &counting{TB: t}, sound()
		f(x)
		if test(failing, x); failing.errors == 0 {
			t.Errorf("%s: no error", name)
		}
	}
}

// faulty gives each machine of the model a fault.
func faulty(f stairFault) func(x *stairModel) {
	return func(x *stairModel) {
		x.New = func(c stairConfig) (*stair, error) { return &stair{c, f}, nil }
	}
}

// forgetful takes a property out of the model, which says of everything that it holds.
func forgetful(i int) func(x *stairModel) {
	return func(x *stairModel) {
		if p := &x.Properties[i]; p.State != nil {
			p.State = func(*stair, *int) bool { return true }
		} else {
			p.Step = func(*stair, *int, *int) bool { return true }
		}
	}
}

func programs(x *stairModel) *Program[stairConfig] {
	return &Program[stairConfig]{Name: "Z01Steps", State: "Z01Steps", Live: "Arrives",
		Config: stairConfig{Name: "Z01Steps", Program: "Z01Steps"}}
}

func TestProgramsOfRuns_Canaries(t *testing.T) {
	var change func(p *Program[stairConfig])
	test := func(t testing.TB, x *stairModel) {
		p := *programs(x)
		if change != nil {
			change(&p)
		}
		x.ProgramsOfRuns(t, []Program[stairConfig]{p})
	}
	spoil := map[string]func(x *stairModel){}
	for name, f := range map[string]func(p *Program[stairConfig]){
		"another name":   func(p *Program[stairConfig]) { p.Name = "Z01Stairs" },
		"another state":  func(p *Program[stairConfig]) { p.State = "Z02Steps" },
		"other rules":    func(p *Program[stairConfig]) { p.Config.Without = []string{"rail"} },
		"something else": func(p *Program[stairConfig]) { p.Live = "Leaves" },
	} {
		spoil[name] = func(*stairModel) { change = f }
	}
	refuses(t, test, spoil)
}

func TestSameVerdicts_Canaries(t *testing.T) {
	refuses(t, func(t testing.TB, x *stairModel) { x.SameVerdicts(t) }, map[string]func(x *stairModel){
		"a step too far":      faulty(leadsTo(3)),
		"a step too long":     faulty(leadsTo(2)),
		"a property says yes": forgetful(0),
		"a witness says yes":  forgetful(2),
		"nobody checks": func(x *stairModel) {
			x.Properties = append(x.Properties, x.Properties[0])
			x.Properties[3].Name = "More"
		},
		"an action nobody takes": func(x *stairModel) { x.Actions = append(x.Actions, "Jump") },
		"it does not come about": func(x *stairModel) {
			x.Live = func(_ *stair, name string) (*search.Live[int, action], bool) {
				return &search.Live[int, action]{Name: name, Fair: func(action) bool { return true },
					Bad: []func(*int) bool{func(*int) bool { return true }}}, true
			}
		},
	})
}

func TestSameStatesOfAModel_Canaries(t *testing.T) {
	test := func(t testing.TB, x *stairModel) { x.SameStates(t, nil, nil) }
	refuses(t, test, map[string]func(x *stairModel){
		"a step too long": faulty(leadsTo(2)),
		"another text": func(x *stairModel) {
			x.Variables = func(_ *stair, s *int) []tla.Pair { return []tla.Pair{{"x", tla.Num(*s + 1)}} }
		},
	})
}

func TestMutants_Canaries(t *testing.T) {
	refuses(t, func(t testing.TB, x *stairModel) { x.MutantsAreRed(t) }, map[string]func(x *stairModel){
		"a fault that is none":          func(x *stairModel) { x.Faults["ClimbFalls"] = leadsTo(2) },
		"a fault that is no mutant":     func(x *stairModel) { x.Faults["Other"] = leadsTo(3) },
		"a fault that violates another": forgetful(0),
	})
	all, more := []string{"Z01Steps"}, []string{"Z01Steps", "Z02Steps"}
	for _, c := range []struct {
		states, properties []string
		runs               bool
		errors             int
	}{
		{all, []string{"Safe"}, false, 0}, {more, []string{"Safe"}, false, 1},
		{all, []string{"NoZ01Steps"}, true, 0}, {all, []string{"NoZ01Steps"}, false, 1},
	} {
		failing := &counting{TB: t}
		if sound().EachIsRed(failing, c.states, c.properties, c.runs); failing.errors != c.errors {
			t.Errorf("%+v: %d errors", c, failing.errors)
		}
	}
	for rule, errors := range map[string]int{"rail": 0, "lamp": 1} {
		failing := &counting{TB: t}
		if sound().EachRuleHasARun(failing, []string{rule}); failing.errors != errors {
			t.Errorf("%s: %d errors, want %d", rule, failing.errors, errors)
		}
	}
	test := func(t testing.TB, x *stairModel) { x.OneWord(t, "ClimbFalls") }
	refuses(t, test, map[string]func(x *stairModel){
		"a fault that changes nothing": func(x *stairModel) {
			x.Faults["ClimbFalls"] = Both[*stair, int, action]()
		},
	})
}

func TestSameProperties_Canaries(t *testing.T) {
	spoiled := func(x *stairModel) func(m *stair) []Judged {
		return func(m *stair) (list []Judged) {
			for _, s := range x.Visited(t, m) {
				list = append(list, x.Judge(m, "as it is", s, s), x.Judge(m, "down", s+3, s))
			}
			return list
		}
	}
	run := []string{"Z01Steps"}
	refuses(t, func(t testing.TB, x *stairModel) { x.SameProperties(t, run, 1, spoiled(x)) },
		map[string]func(x *stairModel){
			"a state property says yes": forgetful(0),
			"a step property says yes":  forgetful(1),
			"a witness says yes":        forgetful(2),
		})
	failing := &counting{TB: t}
	if x := sound(); true {
		x.SameProperties(failing, run, 4, spoiled(x))
	}
	if !strings.Contains(failing.text, "want 4") {
		t.Errorf("violated too seldom: %q", failing.text)
	}
	refuses(t, func(t testing.TB, x *stairModel) {
		x.ForgetfulDiffer(t, "Z01Steps", spoiled(x), map[string]tlc.Edit{"Safe": {Old: "x < 9 /\\ x <= Top",
			New: "x < 9"}})
	}, map[string]func(x *stairModel){
		"the specification has forgotten what the model has forgotten": func(x *stairModel) {
			x.Properties[0].State = func(_ *stair, s *int) bool { return *s < 9 }
		},
	})
}
