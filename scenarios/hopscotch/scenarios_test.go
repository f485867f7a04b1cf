//go:build explore

package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

var update = flag.Bool("update", false, "rewrite testdata/goldens.json; commit only what you can explain")

const goldenFile = "testdata/goldens.json"

// golden is what an exploration counts. A change of the engine or of the explorer that moves a
// count must be explained where it is committed.
type golden struct {
	Preemptions, Kills       int
	Executions, States       uint64
	Complete, Pruned, Killed uint64
	MaxSteps                 int
	Histories                uint64
}

func loadGoldens(t *testing.T) map[string]golden {
	t.Helper()
	all := map[string]golden{}
	text, err := os.ReadFile(goldenFile)
	if errors.Is(err, os.ErrNotExist) && *update {
		return all
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// testBudget is smaller than the checked one where that takes more than a few seconds: one switch,
// or two where the race needs them.
func testBudget(p model.Program) harness.Budget {
	b := Checked(p)
	switch p.Name {
	case "S23DeleteSameKey":
		b.Preemptions = 2
	case "S07AddCollisionUpdate", "S16GetDeleteMember", "S17GetDeleteBase":
		b.Preemptions = 1
	default:
		b.Preemptions = min(b.Preemptions, 1)
	}
	return b
}

func TestScenario(t *testing.T) {
	goldens := loadGoldens(t)
	fired := map[string]bool{}
	for _, p := range slices.Concat(model.Programs(), model.ThreeActors()) {
		t.Run(p.Name+"/engine", func(t *testing.T) {
			b := testBudget(p)
			rep, err := once(p, b.Preemptions, b.Kills)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure != nil {
				t.Fatalf("%v\n%s", rep.Failure, rep.Failure.Table())
			}
			if !rep.Exhaustive || rep.StepBound != 0 {
				t.Fatalf("not exhaustive within its bound: %s", rep.Bound)
			}
			if p.Name == p.State && rep.Marks[p.State] == 0 {
				t.Errorf("the race of %s never happened in %d executions", p.State, rep.Executions)
			}
			for action := range rep.Fired {
				fired[action] = true
			}
			got := golden{b.Preemptions, b.Kills, rep.Executions, rep.States, rep.Complete,
				rep.Pruned, rep.Killed, rep.Stats.MaxSteps, rep.Histories.Distinct}
			if want := goldens[p.Name]; got != want && !*update {
				t.Errorf("counts moved:\n  now    %+v\n  golden %+v\nif you can explain it: "+
					"go test -tags explore ./scenarios -run TestScenario -update", got, want)
			}
			goldens[p.Name] = got
		})
	}
	if *update {
		text, err := json.MarshalIndent(goldens, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenFile, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The engine and the model reach the same results: not only is each one allowed, none that the
// model has is missing. An independent reason for the number of outcomes.
func TestScenario_OutcomesAreTheModels(t *testing.T) {
	for _, p := range model.Programs() {
		single := !slices.ContainsFunc(p.Ops, func(ops []model.Op) bool { return len(ops) != 1 })
		if !single || Checked(p).Preemptions != explore.Unbounded {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			b := testBudget(p)
			if b.Preemptions != explore.Unbounded {
				b.Preemptions = 2 // enough for each outcome of these
			}
			rep, err := once(p, b.Preemptions, 1)
			if err != nil || rep.Failure != nil {
				t.Fatal(err, rep.Failure)
			}
			engine, want := rep.Outcomes, modelOutcomes(t, p)
			for o := range want {
				if engine[o] == 0 && !impliedBy(engine, o) {
					t.Errorf("the model allows %q, the engine never does it", o)
				}
			}
			for o := range engine {
				if !want[o] {
					t.Errorf("the engine does %q, the model does not allow it", o)
				}
			}
			if len(want) < 2 {
				t.Errorf("only %d outcomes: %v", len(want), want)
			}
		})
	}
}

// impliedBy reports whether the outcome differs from one of the engine's only in operations that
// were killed here and returned there. The explorer kills ahead of an access; in the model an
// actor may also die between its last access and its return. Memory is the same then, and the
// history is a weaker one.
func impliedBy(engine map[string]uint64, outcome string) bool {
	parts := strings.Split(outcome, ": ")
	for e := range engine {
		other := strings.Split(e, ": ")
		same := len(other) == len(parts)
		for i := 0; same && i < len(parts); i++ {
			same = other[i] == parts[i] || strings.HasPrefix(parts[i], "killed")
		}
		if same {
			return true
		}
	}
	return false
}

// modelOutcomes searches the model for the results at the ends of all behaviours in which every
// actor called.
func modelOutcomes(t *testing.T, p model.Program) map[string]bool {
	t.Helper()
	m, err := model.New(p.Config(1))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	rep := model.Explore(context.Background(), m, model.Options{Visit: func(s *model.State) {
		if !m.AllDone(s) {
			return
		}
		var ops []string
		for a := 1; a <= m.Actors(); a++ {
			text := fmt.Sprintf("%d %v: ", a, request(p.Ops[a-1][0]))
			if s.Dead(a) {
				text += "killed"
			} else {
				text += s.Out(a).String()
			}
			ops = append(ops, text)
		}
		slices.Sort(ops)
		all[strings.Join(ops, ", ")] = true
	}})
	if !rep.OK() {
		t.Fatalf("%s: the model itself is not clean", p.Name)
	}
	return all
}

// An engine that follows one protocol is no engine of another one. Each repair that is taken out
// of the model makes it refuse the engine, in a program in which the repair matters.
func TestValidator_RejectsAnotherProtocol(t *testing.T) {
	for fix, program := range map[string]string{
		"FixRetry":         "S04AddCollisionEmpty",
		"FixValueFirst":    "S01AddEmpty",
		"FixVersionCheck":  "S06AddCollisionGet_New",
		"FixFrozenValue":   "S06AddCollisionGet_New",
		"FixStashedMember": "S06AddCollisionGet",
		"FixOtherHalf":     "S01AddEmpty",
		"FixFreezeFirst":   "S04AddCollisionEmpty_SameKeyBases",
		"FixHelp":          "S04AddCollisionEmpty",
		"FixMemberBase":    "S12UsurpUpdate",
		"FixPhase":         "S11UsurpGet",
		"FixMoveAway":      "S11UsurpGet",
		"FixMark":          "S13UsurpDelete",
		"FixStillMarked":   "S22DeleteBaseMembers",
		"FixValueAfter":    "S11UsurpGet",
		"FixLostSkipped":   "S10AddCollisionDeleteBase",
		"FixLastLook":      "S03AddFull_OnlyMember",
		"FixNewKey":        "S13UsurpDelete_Again",
	} {
		t.Run(fix, func(t *testing.T) {
			off, ok := model.FixByName(fix)
			if !ok {
				t.Fatal("no such repair")
			}
			p, _ := model.ProgramByName(program)
			o := Options{Preemptions: 2, Fixes: model.AllFixes &^ off}
			if fix == "FixNewKey" { // the get by an actor of its own, the mover dies: fewer switches
				last := len(p.Ops[1]) - 1
				p.Ops = [][]model.Op{p.Ops[0], p.Ops[1][:last], p.Ops[1][last:]}
				o.Preemptions, o.Kills = 1, 1
			}
			rep, err := Explore(p, o)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure == nil {
				t.Fatalf("the model without %s accepts %d executions of the engine", fix, rep.Executions)
			}
			var r *harness.Rejection
			if errors.As(rep.Failure.Err, &r) {
				if r.Guard == "" || r.Action == "" || r.Enabled == "" || len(r.Prefix) == 0 {
					t.Errorf("the rejection does not explain itself: %+v", r)
				}
			} else if !errors.Is(rep.Failure.Err, harness.ErrRejected) {
				t.Errorf("refused by another judge: %v", rep.Failure)
			}
			if rep.Failure.Token == "" {
				t.Error("no token")
			}
		})
	}
}

// Steps that are not where, what or by whom the model says are refused, each for its own reason.
func TestValidator_RejectsAMisplacedStep(t *testing.T) {
	p, _ := model.ProgramByName("S02AddCollision")
	for name, c := range map[string]struct {
		alter func(*explore.Step)
		why   string
	}{
		"object":   {func(s *explore.Step) { s.Object += 8 }, "the access is to offset"},
		"kind":     {func(s *explore.Step) { s.Kind = 2 }, "the access is a store"},
		"function": {func(s *explore.Step) { s.Func = "x.helpFlip" }, "loc[1].pc"},
		"unknown":  {func(s *explore.Step) { s.Func = "x.elsewhere" }, "no action of the catalog"},
	} {
		t.Run(name, func(t *testing.T) {
			rep, err := Explore(p, Options{Preemptions: 0, Misplaced: func(s *explore.Step) {
				if strings.HasSuffix(s.Func, "searchBase") {
					c.alter(s)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Failure == nil || !strings.Contains(rep.Failure.Message, c.why) {
				t.Fatalf("want a rejection that says %q, got %v", c.why, rep.Failure)
			}
		})
	}
}
