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

var errTwice = errors.New("a key came twice")

// reading is a way to read many keys in one call: it tells found of each one that it finds.
type reading func(w *world, keys []uint32, found func(key, value uint32)) error

func walking(w *world, _ []uint32, found func(key, value uint32)) error {
	return w.table.Walk(func(key, value uint32) bool {
		found(key, value)
		return true
	})
}

func batching(w *world, keys []uint32, found func(key, value uint32)) error {
	values, there := make([]uint32, len(keys)), make([]bool, len(keys))
	_, err := w.table.GetBatch(keys, values, there)
	for i, key := range keys {
		if there[i] {
			found(key, values[i])
		}
	}
	return err
}

// byCells is the canary: it iterates over cells instead of buckets.
func byCells(w *world, _ []uint32, found func(key, value uint32)) error {
	for _, c := range hopscotch.Snapshot(w.table, hopscotch.DumpOptions{}).Cells {
		if key := hopscotch.Word0(c.Word0).Key(); !key.Reserved() {
			found(uint32(key), uint32(hopscotch.Word1(c.Word1).Value()))
		}
	}
	return nil
}

// readers is the clients of a program and one more actor, which reads all keys in one call. For each
// key by itself that must be one get, so the judge of histories is told of one get a key, all within
// the call. Keys of the model name the gets; their clients come after all others.
type readers struct {
	*run
	read  reading
	keys  []uint32 // of the model
	alone int      // what the reader claims to need alone
}

func newReaders(p model.Program, read reading) (*readers, error) {
	w, err := newWorld(p)
	if err != nil {
		return nil, err
	}
	initial := map[uint32]uint32{}
	var keys []uint32
	for _, b := range p.Memory {
		initial[uint32(b.K)] = uint32(b.V)
		keys = append(keys, uint32(b.K))
	}
	for _, op := range slices.Concat(p.Ops...) {
		keys = append(keys, uint32(op.K))
	}
	slices.Sort(keys)
	r := &readers{read: read, keys: slices.Compact(keys), run: &run{w: w,
		judge: linearizability.NewJudge(judgeTimeout, initial),
		last:  make([]history.Result, len(p.Ops))}}
	r.rec.Mark = func(bits uint64) { r.x.Mark(bits) }
	return r, nil
}

// firstReader is the client of the first key's get: behind those of the evictions.
const firstReader = 32

func (r *readers) start(x *explore.Execution) []explore.Actor {
	r.x = x
	r.w.start()
	x.Region(r.w.base(), r.w.bytes())
	r.rec.Reset()
	clear(r.last)
	r.handed.reset(len(r.last))
	r.failed, r.deaths = nil, 0
	var actors []explore.Actor
	for i, ops := range r.w.program.Ops {
		actors = append(actors, explore.Actor{Name: fmt.Sprintf("%d: %v", i+1, ops),
			Body: func() { r.client(i+1, ops, r.w.perform) }})
	}
	return append(actors, explore.Actor{Name: "reader", Body: r.reader, Alone: r.alone})
}

func (r *readers) reader() {
	ids, keys := make([]uint64, len(r.keys)), make([]uint32, len(r.keys))
	results := make([]history.Result, len(r.keys))
	for i, k := range r.keys {
		ids[i] = r.rec.Call(firstReader+i, history.Request{Kind: history.Get, Key: k})
		keys[i], results[i] = r.w.keys[k], history.Result{Outcome: history.Absent}
	}
	err := r.read(r.w, keys, func(key, value uint32) {
		i := slices.Index(keys, key)
		switch {
		case i < 0:
			r.failed = fmt.Errorf("%w: key %d, which nobody ever had", ErrContents, key)
		case results[i].Outcome == history.Found:
			r.failed = fmt.Errorf("%w: key %d", errTwice, r.keys[i])
		default:
			results[i] = history.Result{Outcome: history.Found, Value: value}
		}
	})
	if err != nil {
		r.failed = fmt.Errorf("%w: reader: %w", ErrOperation, err)
	}
	for i, id := range ids {
		r.rec.Return(id, results[i])
	}
}

func (r *readers) step(_ *explore.Execution, s explore.Step) error {
	if s.Kind != hook.Kill {
		return nil
	}
	if r.deaths++; s.Actor < len(r.last) {
		r.rec.Kill(s.Actor)
		return nil
	}
	for i := range r.keys {
		r.rec.Kill(firstReader + i)
	}
	return nil
}

func (r *readers) finish(*explore.Execution) error {
	if r.failed != nil {
		return r.failed
	}
	h, err := r.rec.History()
	if err != nil {
		return err
	}
	return r.judge.Check(r.handed.history(r.run, h))
}

func exploreReaders(t *testing.T, p model.Program, read reading, o explore.Options) explore.Report {
	t.Helper()
	r, err := newReaders(p, read)
	if err != nil {
		t.Fatal(err)
	}
	return r.explore(t, o)
}

func (r *readers) explore(t *testing.T, o explore.Options) explore.Report {
	t.Helper()
	o.Stateful, o.SpinLimit = true, 400
	rep, err := explore.Explore(explore.Program{Name: r.w.program.Name + "_Readers", Start: r.start,
		Step: r.step, Finish: r.finish}, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// Walking and a batch are one get a key, in every interleaving with at most one preemption of the
// programs of all operation states; and in the first ones of those with more of them and a death.
func TestReaders_AreOneGetForEachKey(t *testing.T) {
	for name, read := range map[string]reading{"walk": walking, "batch": batching} {
		t.Run(name, func(t *testing.T) {
			executions := uint64(0)
			for _, p := range model.Programs() {
				for _, o := range []explore.Options{{Preemptions: 1},
					{Preemptions: 2, Kills: 1, MaxExecutions: 1000}} {
					rep := exploreReaders(t, p, read, o)
					if rep.Failure != nil {
						t.Errorf("%s: %v\n%s", p.Name, rep.Failure, rep.Failure.Table())
					} else if !rep.Exhaustive && o.MaxExecutions == 0 {
						t.Errorf("%s: %s", p.Name, rep.Bound)
					}
					executions += rep.Executions
				}
			}
			t.Logf("%d executions; beyond one preemption not all", executions)
		})
	}
}

// What readers claim to need alone. A walk reads every bucket as a get reads one, to the last member; a
// batch touches both homes of each key, and then gets each: still within what as many gets claim.
const (
	walkAlone  = 2 * model.Halves * model.ProgramCells * readHalf
	batchAlone = getAlone // a key
)

// A reader left alone ends within a number of its own accesses, whatever others have begun; a claim
// that is too low is found out.
func TestReaders_NeedNobody(t *testing.T) {
	for _, program := range []string{"S02AddCollision_SharedHole", "S11UsurpGet", "S17GetDeleteBase"} {
		p, ok := model.ProgramByName(program)
		if !ok {
			t.Fatalf("no program %s", program)
		}
		r, err := newReaders(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name  string
			read  reading
			alone int
			fails bool
		}{
			{"walk", walking, walkAlone, false}, {"walk", walking, 16, true},
			{"batch", batching, batchAlone * len(r.keys), false}, {"batch", batching, 8, true},
		} {
			r.read, r.alone = c.read, c.alone
			rep := r.explore(t, explore.Options{Preemptions: 1, Solo: 300, MaxExecutions: 500})
			if c.fails != (rep.Failure != nil && rep.Failure.Kind == explore.Obstructed) {
				t.Errorf("%s of %s with %d accesses: %v", c.name, program, c.alone, rep.Failure)
			}
			t.Logf("%s of %s: %d accesses at most", c.name, program, rep.SoloSteps)
		}
	}
}

// The canary: who goes over cells sees an element twice while it moves, and a value that the key never
// had.
func TestReaders_WhoGoesOverCellsIsFoundOut(t *testing.T) {
	for program, want := range map[string]error{
		"S11UsurpGet": errTwice, "S22DeleteBaseMembers": errTwice,
		"S06AddCollisionGet": linearizability.ErrIllegal,
		"S23DeleteSameKey":   linearizability.ErrIllegal,
	} {
		p, ok := model.ProgramByName(program)
		if !ok {
			t.Fatalf("no program %s", program)
		}
		rep := exploreReaders(t, p, byCells, explore.Options{Preemptions: 1})
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, want) {
			t.Errorf("%s: %v, want %v", program, rep.Failure, want)
		}
	}
}

// A batch asks for both homes of each of its keys before it compares the first one, whether the homes are
// near or apart.
func TestReaders_BatchAsksForAllHomesFirst(t *testing.T) {
	for _, name := range []string{"S16GetDeleteMember", "S16GetDeleteMember_Near"} {
		p, ok := model.ProgramByName(name)
		if !ok {
			t.Fatalf("no program %s", name)
		}
		r, err := newReaders(p, batching)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []uint64
		for _, k := range r.keys {
			for half := range model.Halves {
				want = append(want, uint64(r.w.cell(half, p.HomeIn(half, int(k)))*region.WordBytes))
			}
		}
		program := explore.Program{Name: name, Start: r.start, Finish: r.finish}
		program.Step = func(x *explore.Execution, s explore.Step) error {
			if s.Actor == len(p.Ops) && s.Kind == hook.Load && len(got) < len(want) {
				got = append(got, s.Object)
			}
			return r.step(x, s)
		}
		rep, err := explore.Explore(program, explore.Options{Walks: 1, MaxExecutions: 1, SpinLimit: 400})
		if err != nil || rep.Failure != nil {
			t.Fatal(err, rep.Failure)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the first loads are of %v, the homes are at %v", name, got, want)
		}
	}
}

// A get that has seen its base, and finds the home as empty as the other one was when it looked there, of
// the same generation: it has not found the base again.
func TestReaders_HomesThatBecomeAlike(t *testing.T) {
	p := model.Program{Name: "HomesThatBecomeAlike", State: "S17GetDeleteBase", Near: true,
		Ops: [][]model.Op{{{Op: model.OpGet, K: 1}},
			{{Op: model.OpDelete, K: 3}, {Op: model.OpCrop, K: 3}},
			{{Op: model.OpDelete, K: 1}, {Op: model.OpCrop, K: 1}}},
		Memory: []model.Standing{{H: 0, K: 1, V: 10}, {H: 1, K: 3, V: 30}}}
	rep, err := Explore(p, Options{Preemptions: 1, Kills: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v, exhaustive %t: %s", rep.Failure, rep.Exhaustive, rep.Bound)
	}
}
