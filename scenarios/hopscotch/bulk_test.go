//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// bulk is the clients of a program and one more actor, behind them, which makes one call about all keys.
// For each key by itself that must be one operation, so the judge of histories is told of one operation a
// key, all within the call, and of a get of each key when all is over.
type bulk struct {
	*world
	r      *harness.Prepared
	keys   []uint32      // of the model; they name the operations of the call
	names  []uint32      // the same of the engine
	actor  explore.Actor // who makes the call
	failed error         // of the call, or of the gets at the end
}

// newBulk is a program's; who makes the call is to be said.
func newBulk(p model.Program) (*bulk, error) {
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	w.handles = append(w.handles, w.newcomer)
	var keys []uint32
	for _, b := range p.Memory {
		keys = append(keys, uint32(b.K))
	}
	for _, op := range slices.Concat(p.Ops...) {
		keys = append(keys, uint32(op.K))
	}
	slices.Sort(keys)
	b := &bulk{keys: slices.Compact(keys), world: w}
	for _, k := range b.keys {
		b.names = append(b.names, w.keys[k])
	}
	b.r = harness.Prepare(setupOf(p, b), Options{})
	return b, nil
}

// firstOfCall is the client of the first key's operation, behind those of the evictions. lastOfAll is that of
// the gets at the end.
const (
	firstOfCall = 32
	lastOfAll   = history.MaxClients - 1
)

func (b *bulk) start(x *explore.Execution) []explore.Actor {
	b.failed = nil
	return append(b.r.Program.Start(x), b.actor)
}

// call begins one operation a key; values may be nil.
func (b *bulk) call(kind mapmodel.Kind, values []uint32) (ids []uint64) {
	for i, k := range b.keys {
		req := mapmodel.Request{Kind: kind, Key: k}
		if values != nil {
			req.Value = values[i]
		}
		ids = append(ids, b.rec.Call(firstOfCall+i, req))
	}
	return ids
}

// Observe makes the death of the one that calls a death of each key's client.
func (b *bulk) Observe(s explore.Step) {
	if s.Kind == hook.Kill && s.Actor == len(b.program.Ops) {
		for i := range b.keys {
			b.rec.Kill(firstOfCall + i)
		}
	}
}

// Step judges nothing.
func (*bulk) Step(explore.Step) error { return nil }

// History has the gets at the end, too.
func (b *bulk) History(h mapmodel.History) mapmodel.History {
	h, _, b.failed = b.withEnd(h, b.keys)
	return h
}

// Finish wants the structure of the table.
func (b *bulk) Finish(_ *explore.Execution, deaths int) error {
	return errors.Join(b.failed, structure(b.table, deaths > 0))
}

// finish judges what the clients saw and what is in the table at the end, and its structure.
func (b *bulk) finish(x *explore.Execution) error {
	if b.failed != nil {
		return b.failed
	}
	return b.r.Program.Finish(x)
}

// withEnd gets the keys, of the model, now that all is over, and appends what that has seen to the history.
// It returns the values that are there.
func (w *world) withEnd(h mapmodel.History, keys []uint32) (mapmodel.History, []uint32, error) {
	var values []uint32
	for _, k := range keys {
		id := w.rec.Call(lastOfAll, mapmodel.Request{Kind: mapmodel.Get, Key: k})
		value, found, err := w.table.Lookup(w.keys[k])
		if err != nil {
			return w.handed.history(w, h), nil, fmt.Errorf("%w: get of key %d: %w", ErrContents, k, err)
		}
		if found {
			values = append(values, value)
		}
		w.rec.Return(id, oneOf(found, mapmodel.Result{Outcome: mapmodel.Found, Value: value}))
	}
	h, err := w.rec.History()
	return w.handed.history(w, h), values, err
}

// eachOnce holds values that were handed out, and those in the table, against one another: none twice.
func eachOnce(values []uint32) error {
	slices.Sort(values)
	for i, v := range values {
		if i > 0 && values[i-1] == v {
			return fmt.Errorf("%w: value %d was handed out twice, or is in the table still", ErrHanded, v)
		}
	}
	return nil
}

func (b *bulk) explore(t *testing.T, o explore.Options) explore.Report {
	t.Helper()
	o.Stateful, o.SpinLimit = true, 400
	rep, err := explore.Explore(explore.Program{Name: b.program.Name + "_Bulk", Start: b.start,
		Step: b.r.Program.Step, Finish: b.finish}, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// caller is a way to make the call.
type caller func(b *bulk)

// in is the call beside the clients of a program.
func (c caller) in(t *testing.T, p model.Program) *bulk {
	t.Helper()
	b, err := newBulk(p)
	if err != nil {
		t.Fatal(err)
	}
	b.actor = explore.Actor{Name: "all keys", Body: func() { c(b) }}
	return b
}

// exploreAll is every interleaving with at most one preemption of the programs of all operation states, and
// the first ones of those with more of them and a death.
func (c caller) exploreAll(t *testing.T) {
	t.Helper()
	executions := uint64(0)
	for _, p := range model.Programs() {
		for _, o := range []explore.Options{{Preemptions: 1},
			{Preemptions: 2, Kills: 1, MaxExecutions: 1000}} {
			rep := c.in(t, p).explore(t, o)
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

// touchesHomesFirst holds the first accesses of the call against the lines of the homes of each key, in the
// order of the keys: two that are apart, or the one that near homes share.
func (c caller) touchesHomesFirst(t *testing.T) {
	t.Helper()
	for _, name := range []string{"S16GetDeleteMember", "S16GetDeleteMember_Near"} {
		p := mustProgram(t, name)
		b := c.in(t, p)
		type access struct {
			kind hook.Kind
			at   uint64
		}
		var want, got []access
		for _, k := range b.keys {
			for half := range model.Halves {
				home := b.cell(half, p.HomeIn(half, int(k)))
				if half == 0 || !p.Near {
					want = append(want, access{hook.Load, uint64(home * region.WordBytes)})
				}
			}
		}
		program := explore.Program{Name: name, Start: b.start, Finish: b.finish}
		program.Step = func(x *explore.Execution, s explore.Step) error {
			if s.Actor == len(p.Ops) && s.Kind.Access() && len(got) < len(want) {
				got = append(got, access{s.Kind, s.Object})
			}
			return b.r.Program.Step(x, s)
		}
		rep, err := explore.Explore(program, explore.Options{Walks: 1, MaxExecutions: 1, SpinLimit: 400})
		if err != nil || rep.Failure != nil {
			t.Fatal(err, rep.Failure)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the first accesses are %v, want %v of the homes", name, got, want)
		}
	}
}
