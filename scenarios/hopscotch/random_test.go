//go:build explore

package scenarios

import (
	"fmt"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// asModel turns a generated program into one of the model. Initial contents become standing
// elements, bases and members, as far as cells are free; what does not fit is left out. Every other
// program makes room, by the parity of its operations.
func asModel(g mapmodel.Program) model.Program {
	p := model.Program{Name: "random", State: "S04AddCollisionEmpty"}
	if g.Ops()%2 == 0 {
		p.State = "S03AddFull"
	}
	value := uint8(0)
	for key := uint8(1); key <= model.MaxKeys; key++ {
		if _, ok := g.Initial[uint32(key)]; !ok {
			continue
		}
		if x, ok := place(p.Memory, key); ok {
			value++
			x.V = value
			p.Memory = append(p.Memory, x)
		}
	}
	for _, actor := range g.Actors {
		var ops []model.Op
		for _, op := range actor {
			m := model.Op{Op: operations[op.Kind], K: uint8(op.Key)}
			if op.Kind.HasValue() {
				value++
				m.V = value
			}
			ops = append(ops, m)
		}
		p.Ops = append(p.Ops, ops)
	}
	return p
}

var operations = map[mapmodel.Kind]model.OpKind{
	mapmodel.Add: model.OpAdd, mapmodel.Get: model.OpGet, mapmodel.Update: model.OpUpdate,
	mapmodel.Delete: model.OpDelete, mapmodel.Crop: model.OpCrop, mapmodel.Restore: model.OpRestore,
}

// place finds a cell for the key: its home, or a hole of the window when its bucket is there.
func place(memory []model.Standing, key uint8) (model.Standing, bool) {
	for _, half := range []uint8{key % 2, 1 - key%2} {
		free, own := [model.ProgramWindow]bool{}, false
		for o := range free {
			free[o] = true
			for _, y := range memory {
				cell := (model.HomeOf(int(y.K)) + int(y.O)) % model.ProgramCells
				if y.H == half && cell == (model.HomeOf(int(key))+o)%model.ProgramCells {
					free[o] = false
					own = own || o == 0 && y.O == 0
				}
			}
		}
		for o := range free {
			if free[o] && (o == 0 || own) {
				return model.Standing{H: half, K: key, O: uint8(o)}, true
			}
		}
	}
	return model.Standing{}, false
}

var randomShape = mapmodel.Shape{
	MinActors: 2, MaxActors: 3, MinOps: 1, MaxOps: 2,
	Keys: []uint32{1, 2, 3, 4, 5, 6, 9}, Kinds: mapmodel.Calls(), Initial: true,
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
	gen, err := mapmodel.Programs(randomShape)
	if err != nil {
		t.Fatal(err)
	}
	executions, races := uint64(0), map[string]uint64{}
	properties := gopter.NewProperties(parameters(t, 80))
	properties.Property("judges accept", prop.ForAll(func(g mapmodel.Program) (bool, error) {
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
	if executions < 10_000 || len(races) < 6 {
		t.Errorf("only %d executions, races %v: the programs do not collide", executions, races)
	}
}

// The property can fail: against the model without the retry of S04 some program is refused.
func TestRandomPrograms_Canary(t *testing.T) {
	gen, err := mapmodel.Programs(randomShape)
	if err != nil {
		t.Fatal(err)
	}
	properties := gopter.NewProperties(parameters(t, 1000)) // of 200 one in twenty runs finds nothing
	properties.Property("another protocol is accepted", prop.ForAll(
		func(g mapmodel.Program) (bool, error) {
			rep, err := Explore(asModel(g), Options{Preemptions: 1, Executions: 2000,
				Fixes: model.AllFixes &^ model.FixRetry})
			return err == nil && rep.Failure == nil, err
		}, gen))
	if properties.Run(gopter.ConsoleReporter(false)) {
		t.Error("1000 random programs do not tell the two protocols apart")
	}
}
