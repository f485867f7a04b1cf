//go:build explore

package basket

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/harness/harnesstest"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/basket"
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

// TestPrograms_Pass: every program keeps the model and has linearizable histories with one preemption and one
// death anywhere, and the race of each state happens in one of its programs.
func TestPrograms_Pass(t *testing.T) {
	wrong, err := harnesstest.Programs(Engine(), func(p harness.Program) harness.Options {
		return harness.Options{Preemptions: 1, Kills: 1}
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
		"C02SetEvict": {"indexSwap", "copyHead", "appendZero", "appendHead", "appendSize", "roomTake",
			"walkSize", "walkZero", "walkFree"},
		"C06PromoteAge":      {"roomAge"},
		"C20ParameterChange": {"paramRead", "tuneLoad", "tuneSwap"},
	} {
		wrong, err := harnesstest.Steps(registered(mustProgram(t, name)), harness.Options{Preemptions: 1},
			steps, harnesstest.Altered{Beside: 8 * unitsOfRecord, Other: "basket.(*Store).other",
				Action: "basket.(*Store).walkBack"})
		if err != nil || len(wrong) > 0 {
			t.Errorf("%s: %v, %s", name, err, strings.Join(wrong, "\n"))
		}
	}
}

// TestMemory_Canaries: a word that is changed behind a step, as no step of the specification changes it, is
// found at the next step that changes something.
func TestMemory_Canaries(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"a version":           func(w *world) { w.memory.index[1]++ },
		"a ref":               func(w *world) { w.memory.index[1] ^= 1 << 32 },
		"a head's owner":      func(w *world) { w.words[w.heads+2] ^= 3 << 2 },
		"a head's state":      func(w *world) { w.words[w.heads+2] ^= 3 },
		"a head's tier":       func(w *world) { w.words[w.heads+4] ^= 1 << 30 },
		"a head's generation": func(w *world) { w.words[w.heads+4] ^= 1 << 14 },
		"the number":          func(w *world) { w.words[w.common]++ },
		"a size word":         func(w *world) { w.words[w.records+sizeUnit] ^= 1 << 32 },
		"a mark":              func(w *world) { w.words[w.records+headUnit] ^= 1 << 4 },
		"a next ref":          func(w *world) { w.words[w.records+headUnit] ^= 1 << 32 },
		"half a value":        func(w *world) { w.words[w.records+lowUnit] ^= 0x0101010101010101 },
		"a byte of a value":   func(w *world) { w.words[w.records+highUnit] ^= 1 },
		"a hand":              func(w *world) { w.memory.index[firstHand] = refOf(1) },
		"the parameters":      func(w *world) { w.memory.index[w.pairAt()] ^= 1 },
	} {
		f := spoiled(t, "C02SetEvict", harness.Options{}, func(w *world, m *model.Machine) *model.Machine {
			w.spoil = func(s explore.Step) {
				if s.Kind == hook.CompareAndSwap && strings.HasSuffix(s.Func, ".indexSwap") {
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
	for rule, program := range map[string]string{
		"stamp": "C02SetEvict", "zero": "C01GetReuse", "size": "C02SetEvict", "generation": "C02SetEvict",
		"empty": "C02SetEvict", "hand": "C02SetEvict", "copies": "C07SetSetColliding",
		"neighbours": "C07SetSetColliding", "miss": "C08DeleteSetColliding", "walk": "C03SetCompact",
		"swap": "C19SuspectSet", "once": "C20ParameterChange", "both": "C20ParameterChange",
		"fresh": "C20ParameterChange_Again", "tune": "C20ParameterChange_Halves",
	} {
		f := spoiled(t, program, harness.Options{Preemptions: 1},
			func(_ *world, m *model.Machine) *model.Machine {
				lacking, err := m.Lacking(rule)
				if err != nil {
					t.Fatal(err)
				}
				return lacking
			})
		harnesstest.Found(t, "without "+rule, f, harness.ErrRejected, "")
	}
	m, err := model.Of(mustProgram(t, "C02SetEvict").Program)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Lacking("doubt"); err == nil {
		t.Error("there is a rule doubt")
	}
}

// TestFault_Canaries: a fault is found by the model; and by the judge of histories, where no model follows.
func TestFault_Canaries(t *testing.T) {
	each := func(change func(p *params)) func(w *world) {
		return func(w *world) {
			for a := range w.params {
				change(&w.params[a])
			}
		}
	}
	for name, c := range map[string]struct {
		program string
		change  func(w *world)
		judge   error
	}{
		"each ticket holds for who asks": {"C01GetReuse", func(w *world) { w.double.trusts = true },
			harness.ErrOperation},
		"each ticket holds for who swaps": {"C07SetSetColliding", func(w *world) { w.double.blind = true },
			linearizability.ErrIllegal},
		"each ticket holds for who marks": {"C19SuspectSet", func(w *world) { w.double.blind = true },
			linearizability.ErrIllegal},
		"who has evicted tells nobody": {"C09EvictColliding", func(w *world) { w.silent = true },
			linearizability.ErrIllegal},
		"parameters by two loads": {"C20ParameterChange", each(func(p *params) { p.torn = true }),
			linearizability.ErrIllegal},
		"shares by two loads": {"C20ParameterChange_Tiers", each(func(p *params) { p.torn = true }),
			linearizability.ErrIllegal},
		"parameters by an old load": {"C20ParameterChange_Again", each(func(p *params) { p.kept = true }),
			linearizability.ErrIllegal},
		"parameters by two changes": {"C20ParameterChange", each(func(p *params) { p.halves = true }),
			linearizability.ErrIllegal},
		"parameters by a blind change": {"C20ParameterChange_Halves",
			each(func(p *params) { p.blind = true }), linearizability.ErrIllegal},
	} {
		for follows, want := range map[bool]error{true: harness.ErrRejected, false: c.judge} {
			f := spoiled(t, c.program, harness.Options{Preemptions: 2},
				func(w *world, m *model.Machine) *model.Machine {
					c.change(w)
					if follows {
						return m
					}
					return nil
				})
			harnesstest.Found(t, fmt.Sprintf("%s, the model follows: %v", name, follows), f, want, "")
		}
	}
}

// TestTiers_Canaries: what is promoted, and comes to the tier below, is refused.
func TestTiers_Canaries(t *testing.T) {
	f := spoiled(t, "C05PromoteSet_Lanes", harness.Options{},
		func(w *world, m *model.Machine) *model.Machine {
			w.lowers = true
			return m
		})
	harnesstest.Found(t, "what is promoted comes to the tier below", f, harness.ErrRejected, "AppendZero")
}

// TestDecision_Canaries: what is done to a basket otherwise than the parameters say is refused: the code does
// what those say that are not the model's.
func TestDecision_Canaries(t *testing.T) {
	for name, program := range map[string]string{
		"moved, and to be evicted": "C20ParameterChange", "aged, and to stay": "C20ParameterChange_Tiers"} {
		f := spoiled(t, program, harness.Options{}, func(w *world, m *model.Machine) *model.Machine {
			for a := range w.params {
				w.params[a].other = true
			}
			return m
		})
		harnesstest.Found(t, name, f, harness.ErrRejected, "")
	}
}

// TestDeaths_Canaries: an actor that takes what a living one has is refused.
func TestDeaths_Canaries(t *testing.T) {
	f := spoiled(t, "C10OpenOwnerDies", harness.Options{Preemptions: 1},
		func(w *world, m *model.Machine) *model.Machine {
			w.dead = func(int) bool { return true }
			return m
		})
	harnesstest.Found(t, "all owners count as dead", f, harness.ErrRejected, "of actor 1")
}

// TestJudge_Canaries: a history with another answer than the map's has no order.
func TestJudge_Canaries(t *testing.T) {
	x := content{pair: model.Pair{Low: 1, High: 1}}.put(1, 10).marked(1, 1)
	x, _ = step(x, call{kind: model.Tune, pair: model.Pair{Low: 0, High: 2}}, answer{gave: true})
	suspect := func(n int8) answer { return answer{gave: true, n: n, mark: 1} }
	by := func(low, high uint8) answer { return answer{gave: true, pair: model.Pair{Low: low, High: high}} }
	for name, c := range map[string]struct {
		call
		answer
		ok bool
	}{
		"a get of what is there":     {call{kind: model.Get, key: 1}, suspect(10), true},
		"a get without the mark":     {call{kind: model.Get, key: 1}, answer{gave: true, n: 10}, false},
		"a get of another value":     {call{kind: model.Get, key: 1}, suspect(11), false},
		"a get of nothing":           {call{kind: model.Get, key: 2}, answer{gave: true}, true},
		"a mark of what is there":    {call{kind: model.Mark, key: 1}, answer{gave: true, n: 10}, true},
		"a mark of another value":    {call{kind: model.Mark, key: 1}, answer{gave: true, n: 11}, false},
		"a mark that was lost":       {call{kind: model.Mark, key: 1}, answer{gave: true}, true},
		"a set":                      {call{kind: model.Set, key: 2, value: 20}, answer{gave: true}, true},
		"a delete":                   {call{kind: model.Delete, key: 1}, answer{gave: true, n: 1}, true},
		"a delete of nothing":        {call{kind: model.Delete, key: 2}, answer{gave: true}, true},
		"a delete that should not":   {call{kind: model.Delete, key: 2}, answer{gave: true, n: 1}, false},
		"what is told was there":     {call{removed: true, key: 1, value: 10}, answer{}, true},
		"what is told was another":   {call{removed: true, key: 1, value: 11}, answer{}, false},
		"what is told was not there": {call{removed: true, key: 2, value: 20}, answer{}, false},
		"what makes room":            {call{kind: model.Retire}, answer{gave: true}, true},
		"parameters that are there":  {call{kind: model.Tend}, by(1, 2), true},
		"parameters of two changes":  {call{kind: model.Tend}, by(2, 2), false},
	} {
		if _, ok := step(x, c.call, c.answer); ok != c.ok {
			t.Errorf("%s: %v, want %v", name, ok, c.ok)
		}
	}
	if len(pending(x, call{removed: true, key: 1, value: 11})) != 0 {
		t.Error("a dead one may have told a value that was not there")
	}
	if len(pending(x, call{kind: model.Mark, key: 2, value: 1})) != 0 {
		t.Error("a dead one may have marked what was not there")
	}
	if y, _ := step(x, call{kind: model.Set, key: 1, value: 10}, answer{gave: true}); y.marks[0] != 0 {
		t.Error("a value that was set has the mark of the one before it")
	}
}

// TestReplay: a token of an outcome runs the same interleaving again, and each step has its action and its
// word.
func TestReplay(t *testing.T) {
	p := registered(mustProgram(t, "C02SetEvict"))
	rep, err := p.Explore(harness.Options{Preemptions: 1})
	if err != nil || len(rep.Tokens) == 0 {
		t.Fatalf("%v, %d tokens", err, len(rep.Tokens))
	}
	for outcome, token := range rep.Tokens {
		e, found, err := harness.Find([]*harness.Engine{Engine()}, token)
		if err != nil || e.Name != "basket" {
			t.Fatal(err)
		}
		again, err := found.Replay(token)
		if err != nil || again.Failure != nil || again.Outcomes[outcome] != 1 {
			t.Errorf("%s: %v, %v, %v", outcome, err, again.Failure, again.Outcomes)
		}
		for _, want := range []string{"AppendSize  unit", "IndexSwap  index of hash 1",
			"RoomTake  head of basket"} {
			if !strings.Contains(again.Table, want) {
				t.Errorf("the table lacks %q:\n%s", want, again.Table)
			}
		}
	}
}

// TestRows_AreTheModels: each program of the model has a row, but for those that say why not.
func TestRows_AreTheModels(t *testing.T) {
	for _, p := range model.Programs() {
		if _, ok := programByName(p.Name); ok == (leftOut[p.Name] != "") {
			t.Errorf("%s has a row: %v; it is left out: %q", p.Name, ok, leftOut[p.Name])
		}
	}
	for _, r := range rows {
		if _, ok := programByName(r.name); !ok || (r.shrunk != nil) != (r.text != "") {
			t.Errorf("%s: the model has it: %v; why it is changed: %q", r.name, ok, r.text)
		}
	}
}
