//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// batchAdder is a way to add many elements in one call.
type batchAdder func(h *hopscotch.Handle, keys, values []uint32, results []hopscotch.Result) (int, error)

// forgetful is the canary: it adds one element less than it says.
func forgetful(h *hopscotch.Handle, keys, values []uint32, results []hopscotch.Result) (int, error) {
	results[0] = hopscotch.Added
	n, err := h.AddBatch(keys[1:], values[1:], results[1:])
	return n + 1, err
}

// adders is the clients of a program and one more actor, which adds all keys in one call. For each key by
// itself that must be one add, so the judge of histories is told of one add a key, all within the
// call, and of a get of each key when all is over.
type adders struct {
	*readers
	add batchAdder
	t   int // the actor's number
}

func newAdders(p model.Program, add batchAdder) (*adders, error) {
	r, err := newReaders(p, nil)
	if err != nil {
		return nil, err
	}
	a := &adders{readers: r, add: add, t: len(p.Ops) + 1}
	a.w.handles = append(a.w.handles, a.w.newcomer)
	a.last = append(a.last, history.Result{})
	return a, nil
}

func (a *adders) start(x *explore.Execution) []explore.Actor {
	actors := a.readers.start(x)
	actors[len(actors)-1] = explore.Actor{Name: "adder", Body: a.adder}
	return actors
}

// adder adds all keys, each with a value that nobody else has.
func (a *adders) adder() {
	ids, keys := make([]uint64, len(a.keys)), make([]uint32, len(a.keys))
	values, results := make([]uint32, len(a.keys)), make([]hopscotch.Result, len(a.keys))
	for i, k := range a.keys {
		keys[i], values[i] = a.w.keys[k], 0x1000+k
		ids[i] = a.rec.Call(firstReader+i, history.Request{Kind: history.Add, Key: k, Value: values[i]})
	}
	a.handed.call(a.t, ids[0], model.Op{Op: model.OpAdd})
	n, err := a.add(a.w.newcomer, keys, values, results)
	if err != nil {
		a.failed = fmt.Errorf("%w: adder: %w", ErrOperation, err)
		return
	}
	a.handed.take(a.run, a.t, history.Result{})
	for i, id := range ids {
		if results[i] == hopscotch.Added {
			n--
		}
		a.rec.Return(id, history.Result{Outcome: added[results[i]]})
	}
	if n != 0 {
		a.failed = fmt.Errorf("%w: adder: %d more added than there are results", ErrOperation, n)
	}
}

func (a *adders) step(_ *explore.Execution, s explore.Step) error {
	if s.Kind != hook.Kill {
		return nil
	}
	if a.deaths++; s.Actor+1 < a.t {
		a.rec.Kill(s.Actor)
		return nil
	}
	for i := range a.keys {
		a.rec.Kill(firstReader + i)
	}
	return nil
}

func (a *adders) finish(*explore.Execution) error {
	if a.failed != nil {
		return a.failed
	}
	for i, k := range a.keys {
		id := a.rec.Call(firstReader+len(a.keys)+i, history.Request{Kind: history.Get, Key: k})
		value, found, err := a.w.get(a.w.table, a.w.keys[k])
		if err != nil {
			return fmt.Errorf("%w: get of key %d: %w", ErrContents, k, err)
		}
		a.rec.Return(id, oneOf(found, history.Result{Outcome: history.Found, Value: value}))
	}
	h, err := a.rec.History()
	if err != nil {
		return err
	}
	if err := a.judge.Check(a.handed.history(a.run, h)); err != nil {
		return err
	}
	return structure(a.w.table, a.deaths > 0)
}

func exploreAdders(t *testing.T, p model.Program, add batchAdder, o explore.Options) explore.Report {
	t.Helper()
	a, err := newAdders(p, add)
	if err != nil {
		t.Fatal(err)
	}
	o.Stateful, o.SpinLimit = true, 400
	rep, err := explore.Explore(explore.Program{Name: p.Name + "_Adders", Start: a.start,
		Step: a.step, Finish: a.finish}, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// A batch is one add a key, in every interleaving with at most one preemption of the programs of all
// operation states; and in the first ones of those with more of them and a death.
func TestAdders_AreOneAddForEachKey(t *testing.T) {
	executions := uint64(0)
	for _, p := range model.Programs() {
		for _, o := range []explore.Options{{Preemptions: 1},
			{Preemptions: 2, Kills: 1, MaxExecutions: 1000}} {
			rep := exploreAdders(t, p, (*hopscotch.Handle).AddBatch, o)
			if rep.Failure != nil {
				t.Errorf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
			} else if !rep.Exhaustive && o.MaxExecutions == 0 {
				t.Errorf("%s: %s", p.Name, rep.Bound)
			}
			executions += rep.Executions
		}
	}
	t.Logf("%d executions; beyond one preemption not all", executions)
}

// Who says that it has added what it has not is found out.
func TestAdders_Canary(t *testing.T) {
	p, ok := model.ProgramByName("S02AddCollision_SharedHole")
	if !ok {
		t.Fatal("no such program")
	}
	rep := exploreAdders(t, p, forgetful, explore.Options{Preemptions: 1})
	if rep.Failure == nil || !errors.Is(rep.Failure.Err, linearizability.ErrIllegal) {
		t.Errorf("%v, want %v", rep.Failure, linearizability.ErrIllegal)
	}
}

// A batch asks for both homes of each of its keys before it adds the first one, whether the homes are near
// or apart.
func TestAdders_AskForAllHomesFirst(t *testing.T) {
	for _, name := range []string{"S16GetDeleteMember", "S16GetDeleteMember_Near"} {
		p, ok := model.ProgramByName(name)
		if !ok {
			t.Fatalf("no program %s", name)
		}
		a, err := newAdders(p, (*hopscotch.Handle).AddBatch)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []uint64
		for _, k := range a.keys {
			for half := range model.Halves {
				want = append(want, uint64(a.w.cell(half, p.HomeIn(half, int(k)))*region.WordBytes))
			}
		}
		program := explore.Program{Name: name, Start: a.start, Finish: a.finish}
		program.Step = func(x *explore.Execution, s explore.Step) error {
			if s.Actor+1 == a.t && s.Kind.Access() && len(got) < len(want) {
				got = append(got, s.Object)
			}
			return a.step(x, s)
		}
		rep, err := explore.Explore(program, explore.Options{Walks: 1, MaxExecutions: 1, SpinLimit: 400})
		if err != nil || rep.Failure != nil {
			t.Fatal(err, rep.Failure)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the first accesses are of %v, the homes are at %v", name, got, want)
		}
	}
}
