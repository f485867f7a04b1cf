//go:build explore

package slots

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/harness/harnesstest"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/slots"
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

// TestPrograms_Pass: every program keeps the model and has linearizable histories with one preemption, or two
// where there are two actors, and one death anywhere; and the race of each state happens in one of its
// programs.
func TestPrograms_Pass(t *testing.T) {
	wrong, err := harnesstest.Programs(Engine(), func(p harness.Program) harness.Options {
		return harness.Options{Preemptions: max(1, 4-len(p.Actors)), Kills: 1}
	})
	if err != nil || len(wrong) > 0 {
		t.Errorf("%v, %s", err, strings.Join(wrong, "\n"))
	}
}

// TestPrograms_Canary: a program that fails is told, and so is a race that never happens.
func TestPrograms_Canary(t *testing.T) {
	const name = "B04BellSleep"
	options := func(harness.Program) harness.Options { return harness.Options{Preemptions: 1} }
	for want, change := range map[string]func(*harness.Engine){
		name + ": ": func(e *harness.Engine) {
			e.Programs[0].Open = func(o harness.Options) (*harness.Prepared, error) {
				return open(mustProgram(t, name), o, func(w *world, _ *model.Machine) *model.Machine {
					w.deaf = true
					return nil
				})
			}
		},
		"the race of " + name + " never happens": func(e *harness.Engine) {
			e.Programs[0].State = "B01SlotAbandoned"
		},
	} {
		e := Engine()
		e.Programs, e.States = []harness.Program{registered(mustProgram(t, name))}, e.States[3:4]
		if wrong, err := harnesstest.Programs(e, options); err != nil || len(wrong) != 0 {
			t.Fatalf("as it is: %v, %q", err, wrong)
		}
		change(e)
		wrong, err := harnesstest.Programs(e, options)
		if err != nil || len(wrong) == 0 || !strings.HasPrefix(wrong[0], want) {
			t.Errorf("%q, %v, want %q", wrong, err, want)
		}
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
	p := registered(mustProgram(t, "B04BellSleep"))
	wrong, err := harnesstest.Steps(p, harness.Options{Preemptions: 2},
		[]string{"slotLook", "slotClaim", "slotWrite", "slotPublish", "bellRing", "bellCheck", "slotWait",
			"slotRead", "slotFree", "slotScan", "slotTake", "slotCopy", "slotPerform", "slotAnswer",
			"slotDone", "slotWake", "bellSleep", "bellLook", "bellWait", "bellRise"},
		harnesstest.Altered{Beside: 16, Other: "slots.(*slot).other", Action: "slots.(*slot).slotDrop"})
	if err != nil || len(wrong) > 0 {
		t.Errorf("%v, %s", err, strings.Join(wrong, "\n"))
	}
}

// TestStep_NotAltered: a step that nothing alters is told, so a judge that refuses none would be.
func TestStep_NotAltered(t *testing.T) {
	wrong, err := harnesstest.Steps(registered(mustProgram(t, "B04BellSleep")), harness.Options{},
		[]string{"slotNowhere"}, harnesstest.Altered{})
	if err != nil || len(wrong) != 6 {
		t.Errorf("%v, %q", err, wrong)
	}
}

// TestMemory_Canaries: a word that is changed behind a step, as no step of the specification changes it, is
// found at the next step.
func TestMemory_Canaries(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"a state":              func(w *world) { w.words[slotAt(0, statePart)/8] ^= 1 },
		"a serial":             func(w *world) { w.words[slotAt(0, statePart)/8] ^= 1 << 9 },
		"a request":            func(w *world) { w.bytes()[slotAt(0, requestPart)] ^= 1 },
		"a response":           func(w *world) { w.bytes()[slotAt(0, responsePart)] ^= 1 },
		"the doorbell":         func(w *world) { w.words[bellOffset/8]++ },
		"that somebody sleeps": func(w *world) { w.words[sleepsOffset/8] ^= 1 },
		"a lock":               func(w *world) { w.lock[1]++ },
		"a sleeper":            func(w *world) { w.own[asleepWord] ^= 2 },
	} {
		f := spoiled(t, "B04BellSleep", harness.Options{}, func(w *world, m *model.Machine) *model.Machine {
			w.spoil = func(s explore.Step) {
				if strings.HasSuffix(s.Func, ".slotTake") {
					change(w)
				}
			}
			return m
		})
		harnesstest.Found(t, name, f, harness.ErrRejected, "memory differs")
	}
}

// TestModel_Canaries: the code does not follow a model that lacks one of its rules.
func TestModel_Canaries(t *testing.T) {
	for rule, program := range map[string]string{"swap": "B01SlotAbandoned", "service": "B02SlotServiceDies",
		"client": "B05SlotReuse", "order": "B03SlotClientDies_Serving", "again": "B04BellSleep",
		"wake": "B04BellSleep", "bound": "B01SlotAbandoned", "serial": "B05SlotReuse"} {
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

// TestSleep_Canaries: a wake-up that the system loses is a deadlock, where no model follows.
func TestSleep_Canaries(t *testing.T) {
	f := spoiled(t, "B04BellSleep", harness.Options{Preemptions: 1},
		func(w *world, _ *model.Machine) *model.Machine {
			w.deaf = true
			return nil
		})
	if f == nil || f.Kind != explore.Deadlock {
		t.Errorf("nobody is woken: %v", f)
	}
}

// TestJudge_Canaries: a history with another answer than the counter's has no order.
func TestJudge_Canaries(t *testing.T) {
	ask, done := call{kind: model.Ask, actor: 1}, func(n uint8) answer {
		return answer{gave: true, result: model.Performed, n: n}
	}
	for name, c := range map[string]struct {
		call
		answer
		ok bool
	}{
		"the next number":      {ask, done(3), true},
		"a number twice":       {ask, done(2), false},
		"a number left out":    {ask, done(4), false},
		"nothing was done":     {ask, answer{gave: true}, true},
		"another one's answer": {ask, answer{gave: true, result: model.Wrong}, false},
		"a client that attaches": {call{kind: model.Attach},
			answer{gave: true, result: model.Attached}, true},
	} {
		if _, ok := step(2, c.call, c.answer); ok != c.ok {
			t.Errorf("%s: %v, want %v", name, ok, c.ok)
		}
	}
}

// TestResponses_Canaries: a response of another request is refused by the judge, where no model follows.
func TestResponses_Canaries(t *testing.T) {
	f := spoiled(t, "B04BellSleep", harness.Options{}, func(w *world, _ *model.Machine) *model.Machine {
		w.spoil = func(s explore.Step) {
			if strings.HasSuffix(s.Func, ".slotDone") {
				w.bytes()[slotAt(0, responsePart)]++
			}
		}
		return nil
	})
	harnesstest.Found(t, "a response of another request", f, linearizability.ErrIllegal, "")
}

// TestRows_AreTheModels: each program of the model has a row.
func TestRows_AreTheModels(t *testing.T) {
	for _, p := range model.Programs() {
		if _, ok := programByName(p.Name); !ok {
			t.Errorf("%s has no row", p.Name)
		}
	}
}
