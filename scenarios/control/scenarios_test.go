//go:build explore

package control

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/harness/harnesstest"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/control"
)

// mustProgram finds a program.
func mustProgram(t *testing.T, name string) program {
	t.Helper()
	p, ok := programByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	return p
}

// TestPrograms_Pass: every program keeps the model, and has histories that its sequential specification
// allows, with one preemption, or two where there are two actors, and one death anywhere; and the race of
// each state happens in one of its programs.
func TestPrograms_Pass(t *testing.T) {
	wrong, err := harnesstest.Programs(Engine(), func(p harness.Program) harness.Options {
		return harness.Options{Preemptions: max(1, 4-len(p.Actors)), Kills: 1}
	})
	if err != nil || len(wrong) > 0 {
		t.Errorf("%v, %s", err, strings.Join(wrong, "\n"))
	}
}

// spoiled searches a program of which spoil has changed the world, or the model.
func spoiled(t *testing.T, name string, o harness.Options,
	spoil func(*world, *model.Machine) *model.Machine) *explore.Failure {
	t.Helper()
	p := mustProgram(t, name)
	return harnesstest.Failure(t, registered(p), o, func(o harness.Options) (*harness.Prepared, error) {
		return open(p, o, spoil)
	})
}

// TestStep_Canaries: a step that is altered before it is judged is refused, whatever it is.
func TestStep_Canaries(t *testing.T) {
	for name, steps := range map[string][]string{
		"P01LeaseTwo": {"leaseFind", "leaseLook", "leaseClock", "leaseAsk", "leaseTake", "leaseRenew"},
		"P05TunePair": {"paramRead", "tuneLoad", "tuneSwap"},
		"P07MarkTwo":  {"levelLoad", "levelSwap", "penaltyLoad", "penaltySwap"},

		"P09HandoverTwo": {"wishSee", "wishClock", "wishSay", "wishLook", "wishTake"},
	} {
		wrong, err := harnesstest.Steps(registered(mustProgram(t, name)), harness.Options{Preemptions: 1},
			steps, harnesstest.Altered{Beside: 16, Other: "control.(*Leases).other",
				Action: "control.leaseGive"})
		if err != nil || len(wrong) > 0 {
			t.Errorf("%s: %v, %s", name, err, strings.Join(wrong, "\n"))
		}
	}
}

// TestMemory_Canaries: a word that is changed behind a step, as no step of the specification changes it, is
// found at the next step.
func TestMemory_Canaries(t *testing.T) {
	for name, c := range map[string]struct {
		program, at string
		word, bit   int
	}{
		"an owner":   {"P03LeaseOwnerLate", "leaseRenew", leasesAt, 33},
		"a stamp":    {"P03LeaseOwnerLate", "leaseRenew", leasesAt, 0},
		"the clock":  {"P03LeaseOwnerLate", "leaseRenew", clockAt, 4},
		"a death":    {"P03LeaseOwnerLate", "leaseRenew", livesAt, 3},
		"a value":    {"P05TunePair", "tuneSwap", paramsAt, 34},
		"tuned":      {"P05TunePair", "tuneSwap", paramsAt, 31},
		"a level":    {"P07MarkTwo", "penaltySwap", cellAt(3), 1},
		"an offence": {"P07MarkTwo", "penaltySwap", cellAt(2) + 1, 1},
		"an end":     {"P07MarkTwo", "penaltySwap", cellAt(2) + 1, 12},

		"a wish":              {"P09HandoverTwo", "wishTake", wishAt, 32},
		"the end of a wish":   {"P09HandoverTwo", "wishSay", wishAt, 2},
		"a bit beside a wish": {"P09HandoverTwo", "wishSay", wishAt, 33},
		"the clock of a wish": {"P09HandoverTwo", "wishClock", clockAt, 0},
	} {
		f := spoiled(t, c.program, harness.Options{Preemptions: 1},
			func(w *world, m *model.Machine) *model.Machine {
				w.spoil = func(s explore.Step) {
					if strings.HasSuffix(s.Func, "."+c.at) {
						w.set(c.word, w.raw(c.word)^1<<c.bit)
					}
				}
				return m
			})
		harnesstest.Found(t, name, f, harness.ErrRejected, "memory differs")
	}
}

// TestModel_Canaries: the code does not follow a model that lacks one of its rules.
func TestModel_Canaries(t *testing.T) {
	for rule, program := range map[string]string{"take": "P01LeaseTwo", "ask": "P02LeaseOwnerDies",
		"proof": "P01LeaseTwo", "renew": "P03LeaseOwnerLate", "clock": "P03LeaseOwnerLate",
		"give": "P04LeaseRunLowered", "tune": "P05TunePair", "pair": "P05TunePair", "charge": "P06ChargeTwo",
		"count": "P07MarkTwo", "longer": "P07MarkTwo_Again", "admit": "P08TakeTwo",
		"hear": "P09HandoverTwo", "say": "P09HandoverTwo_Late", "behind": "P09HandoverTwo",
		"over": "P09HandoverTwo_Over", "far": "P09HandoverTwo_Damaged"} {
		f := spoiled(t, program, harness.Options{Preemptions: 2, Kills: 1},
			func(_ *world, m *model.Machine) *model.Machine {
				lacking, err := m.Lacking(rule)
				if err != nil {
					t.Fatal(err)
				}
				return lacking
			})
		harnesstest.Found(t, "without "+rule, f, harness.ErrRejected, "")
	}
}

// TestJudges_Canaries: where no model follows, the judges of histories and of the words at rest find a word
// that is changed behind a step.
func TestJudges_Canaries(t *testing.T) {
	other := uint64(control.MakeLease(process(2), 0))
	for name, c := range map[string]struct {
		program, at string
		change      func(w *world)
		want        error
	}{
		"a lease is given to another one": {"P02LeaseOwnerDies", "leaseTake",
			func(w *world) { w.set(leasesAt, other) }, linearizability.ErrIllegal},
		"a change is undone": {"P05TunePair", "tuneSwap",
			func(w *world) { w.set(paramsAt, 0) }, linearizability.ErrIllegal},
		"half a change is undone": {"P05TunePair_Fields", "tuneSwap",
			func(w *world) { w.set(paramsAt, w.raw(paramsAt)&(1<<32-1)) }, linearizability.ErrIllegal},
		"a charge is undone behind its return": {"P06ChargeTwo_Shared", "levelSwap",
			func(w *world) {
				if len(w.charged) == 2 { // those of the first identity
					w.set(cellAt(1), 0)
				}
			}, errLost},
		"all levels are undone": {"P06ChargeTwo", "levelLoad",
			func(w *world) {
				for row := uint8(1); row <= 4; row++ {
					w.set(cellAt(row), 0)
				}
			}, linearizability.ErrIllegal},
		"a level is too high": {"P06ChargeTwo", "levelLoad",
			func(w *world) {
				for row := uint8(1); row <= 4; row++ {
					w.set(cellAt(row), instant(4))
				}
			}, linearizability.ErrIllegal},
		"a wish is heard twice": {"P09HandoverTwo", "wishTake",
			func(w *world) { w.set(wishAt, wordOfWish(model.Wish{On: 1, End: 2})) },
			linearizability.ErrIllegal},
		"a wish is lost": {"P09HandoverTwo", "wishSay",
			func(w *world) { w.set(wishAt, 0) }, linearizability.ErrIllegal},
		"a wish holds for too long": {"P09HandoverTwo_Over", "timePass",
			func(w *world) { w.set(wishAt, wordOfWish(model.Wish{On: 1, End: 4})) },
			linearizability.ErrIllegal},
		"nobody has come between": {"P09HandoverTwo_Bit", "wishClock",
			func(w *world) { w.set(wishAt, 1) }, linearizability.ErrIllegal},
		"an offence is missed": {"P07MarkTwo", "levelLoad",
			func(w *world) {
				for row := uint8(1); row <= 4; row++ {
					w.set(cellAt(row), 0)
				}
			}, nil},
	} {
		f := spoiled(t, c.program, harness.Options{Preemptions: 1},
			func(w *world, _ *model.Machine) *model.Machine {
				w.spoil = func(s explore.Step) {
					if strings.HasSuffix(s.Func, "."+c.at) {
						c.change(w)
					}
				}
				return nil
			})
		if f == nil || c.want != nil && !errors.Is(f.Err, c.want) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestTurn_Canaries: what the sequential specification of leases allows, and what it does not.
func TestTurn_Canaries(t *testing.T) {
	p := mustProgram(t, "P01LeaseTwo")
	had := held{}
	had.since[2] = 1
	hold := call{op: model.OpHold, n: 1, actor: 1}
	turn := func(k model.Kind, to uint32, dead, died uint64) answer {
		return answer{gave: true, Result: model.Result{Kind: k, A: 1}, seen: seen{0, to, dead, died}}
	}
	for name, c := range map[string]struct {
		held
		answer
		ok bool
	}{
		"from nobody":                    {held{}, turn(model.Held, 0, 0, 0), true},
		"refused though nobody has it":   {held{}, turn(model.NoResult, 0, 0, 0), false},
		"from one who lives":             {had, turn(model.Held, 2, 0, 0), false},
		"from one who has stood still":   {had, turn(model.Held, 3, 0, 0), true},
		"from one who has died":          {had, turn(model.Held, 0, 0, 4), true},
		"refused, another one has it":    {had, turn(model.NoResult, 0, 0, 0), true},
		"refused, the owner was dead":    {had, turn(model.NoResult, 0, 4, 4), false},
		"refused, the owner died during": {had, turn(model.NoResult, 0, 0, 4), true},
	} {
		if _, ok := p.step(c.held, hold, c.answer); ok != c.ok {
			t.Errorf("%s: %v, want %v", name, ok, c.ok)
		}
	}
}

// TestWished_Canaries: what the sequential specification of a handover allows, and what it does not.
func TestWished_Canaries(t *testing.T) {
	p := mustProgram(t, "P09HandoverTwo")
	for name, c := range map[string]struct {
		before   wish
		kind     model.Kind
		from, to uint32
		ok       bool
		behind   wish
	}{
		"says the first one":        {wish{}, model.Said, 1, 2, true, wish{3, 4}},
		"says one behind it":        {wish{2, 3}, model.Said, 3, 4, true, wish{5, 6}},
		"sees it":                   {wish{4, 5}, model.Said, 1, 3, true, wish{4, 5}},
		"says or sees it":           {wish{3, 5}, model.Said, 2, 3, true, wish{3, 5}},
		"says or sees it, later":    {wish{3, 5}, model.Said, 4, 4, true, wish{3, 6}},
		"says nothing":              {wish{3, 5}, model.Unsaid, 4, 4, true, wish{3, 5}},
		"hears it":                  {wish{3, 5}, model.Heard, 4, 6, true, wish{}},
		"hears it too late":         {wish{3, 5}, model.Heard, 5, 6, false, wish{}},
		"hears nothing":             {wish{}, model.Heard, 0, 6, false, wish{}},
		"finds nothing":             {wish{}, model.Quiet, 0, 0, true, wish{}},
		"finds one that is over":    {wish{3, 5}, model.Quiet, 0, 3, true, wish{}},
		"finds nothing in its time": {wish{3, 5}, model.Quiet, 0, 2, false, wish{}},
	} {
		request := call{op: model.OpAsk}
		if c.kind == model.Said || c.kind == model.Unsaid {
			request.op = model.OpWant
		}
		got, ok := p.step(held{wish: c.before}, request, answer{gave: true,
			Result: model.Result{Kind: c.kind}, seen: seen{from: c.from, to: c.to}})
		if ok != c.ok || ok && got.wish != c.behind {
			t.Errorf("%s: %v, and %v behind it", name, ok, got.wish)
		}
	}
}

// TestRows_AreTheModels: each program of the model has a row.
func TestRows_AreTheModels(t *testing.T) {
	for _, p := range model.Programs() {
		if _, ok := programByName(p.Name); !ok {
			t.Errorf("%s has no row", p.Name)
		}
	}
}
