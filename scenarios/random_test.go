//go:build explore

package scenarios

import (
	"fmt"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/model"
)

// asModel turns a generated program into one of the model. Initial contents become standing
// bases, as far as home cells are free; what does not fit is left out.
func asModel(g linearizability.Program) model.Program {
	p := model.Program{Name: "random", State: "S04AddCollisionEmpty"}
	value := uint8(0)
	taken := map[int]bool{}
	for key := uint32(1); key <= model.MaxKeys; key++ {
		home := model.HomeOf(int(key))
		if _, ok := g.Initial[key]; !ok || taken[home] {
			continue
		}
		taken[home] = true
		value++
		p.Memory = append(p.Memory, model.Standing{H: uint8(key % 2), K: uint8(key), V: value})
	}
	for _, actor := range g.Actors {
		var ops []model.Op
		for _, op := range actor {
			m := model.Op{Op: model.OpGet, K: uint8(op.Key)}
			if op.Kind == history.Add {
				value++
				m.Op, m.V = model.OpAdd, value
			}
			ops = append(ops, m)
		}
		p.Ops = append(p.Ops, ops)
	}
	return p
}

var randomShape = linearizability.Shape{
	MinActors: 2, MaxActors: 3, MinOps: 1, MaxOps: 2,
	Keys: []uint32{1, 2, 5, 9}, Kinds: history.Kinds(), Initial: true,
}

// parameters prints the seed first, so that a failure can be run again.
func parameters(t *testing.T, runs int) *gopter.TestParameters {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = runs
	params.MaxSize = 10
	fmt.Printf("%s: gopter seed %d\n", t.Name(), params.Seed())
	return params
}

// Random programs on the engine: every judge of the scenarios accepts every schedule with at most
// one preemption and one death, up to a number of executions. A failing program is shrunk.
func TestRandomPrograms(t *testing.T) {
	gen, err := linearizability.Programs(randomShape)
	if err != nil {
		t.Fatal(err)
	}
	executions, races := uint64(0), map[string]uint64{}
	properties := gopter.NewProperties(parameters(t, 60))
	properties.Property("judges accept", prop.ForAll(func(g linearizability.Program) (bool, error) {
		rep, err := Explore(asModel(g), Options{Preemptions: 1, Kills: 1, Executions: 2000})
		if err != nil {
			return false, err
		}
		executions += rep.Executions
		for mark, n := range rep.Marks {
			races[mark] += n
		}
		if rep.Failure != nil {
			return false, fmt.Errorf("%v\n%s", rep.Failure, rep.Failure.Table())
		}
		return true, nil
	}, gen))
	properties.TestingRun(t)
	if executions < 10_000 || len(races) < 3 {
		t.Errorf("only %d executions, races %v: the programs do not collide", executions, races)
	}
}

// The property can fail: against the model without the retry of S04 some program is refused.
func TestRandomPrograms_Canary(t *testing.T) {
	gen, err := linearizability.Programs(randomShape)
	if err != nil {
		t.Fatal(err)
	}
	properties := gopter.NewProperties(parameters(t, 200))
	properties.Property("another protocol is accepted", prop.ForAll(
		func(g linearizability.Program) (bool, error) {
			rep, err := Explore(asModel(g), Options{Preemptions: 1, Executions: 2000,
				Fixes: model.AllFixes &^ model.FixRetry})
			return err == nil && rep.Failure == nil, err
		}, gen))
	if properties.Run(gopter.ConsoleReporter(false)) {
		t.Error("200 random programs do not tell the two protocols apart")
	}
}
