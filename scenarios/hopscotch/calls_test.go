//go:build explore

package scenarios

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// looking is perform with Lookup in place of Get, which where homes are near has a way of its own.
func looking(w *world) performer {
	return func(t int, op model.Op) (mapmodel.Result, error) {
		if op.Op != model.OpGet {
			return w.perform(t, op)
		}
		value, found, err := w.handles[t-1].Table().Lookup(w.keys[op.K])
		return oneOf(found, mapmodel.Result{Outcome: mapmodel.Found, Value: value}), err
	}
}

// preparing is perform in two stages.
func preparing(w *world) performer {
	return func(t int, op model.Op) (mapmodel.Result, error) {
		h, key, value := w.handles[t-1], w.keys[op.K], uint32(op.V)
		if op.Op == model.OpAdd {
			var a hopscotch.PreparedAdd
			err := w.beforehand(t, func() (err error) {
				a, err = h.Table().PrepareAdd(key, value)
				return err
			})
			if err != nil {
				return mapmodel.Result{}, err
			}
			res, err := h.AddPrepared(a)
			return mapmodel.Result{Outcome: added[res]}, err
		}
		var p hopscotch.Prepared
		err := w.beforehand(t, func() (err error) {
			p, err = h.Table().Prepare(key)
			return err
		})
		if err != nil {
			return mapmodel.Result{}, err
		}
		switch op.Op {
		case model.OpGet:
			value, found, err := h.Table().GetPrepared(p)
			return oneOf(found, mapmodel.Result{Outcome: mapmodel.Found, Value: value}), err
		case model.OpUpdate:
			old, ok, err := h.UpdatePrepared(p, value)
			return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Updated, Value: old}), err
		case model.OpDelete:
			ok, err := h.DeletePrepared(p)
			return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Deleted}), err
		}
		return w.perform(t, op) // the services have one stage
	}
}

// adding is perform with each add as a batch of one.
func adding(w *world) performer {
	return func(t int, op model.Op) (mapmodel.Result, error) {
		if op.Op != model.OpAdd {
			return w.perform(t, op)
		}
		var results [1]hopscotch.Result
		_, err := w.handles[t-1].AddBatch([]uint32{w.keys[op.K]}, []uint32{uint32(op.V)}, results[:])
		return mapmodel.Result{Outcome: added[results[0]]}, err
	}
}

// beforehand makes actor t do what is no call of its handle: Left is of the call before, so one that dies
// here brings nothing.
func (w *world) beforehand(t int, what func() error) error {
	f := &w.handed.flying[t-1]
	id := f.id
	f.id = 0
	err := what()
	f.id = id
	return err
}

// blind is the canary: a get that does not look.
func blind(w *world) performer {
	return func(t int, op model.Op) (mapmodel.Result, error) {
		if op.Op != model.OpGet {
			return w.perform(t, op)
		}
		return mapmodel.Result{Outcome: mapmodel.Absent}, nil
	}
}

// through explores the program with its operations made by other calls.
func through(t *testing.T, p model.Program, by func(*world) performer, o Options) Report {
	t.Helper()
	w, r, err := prepare(p, o)
	if err != nil {
		t.Fatal(err)
	}
	w.by = by(w)
	rep, err := explore.Explore(r.Program, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	return r.Report(rep)
}

func has(p model.Program, kind model.OpKind) bool {
	return slices.ContainsFunc(slices.Concat(p.Ops...), func(op model.Op) bool { return op.Op == kind })
}

// Whichever call an operation is made by, the model follows each of its steps, and the clients see what
// they see by the calls of the other tests.
func TestCalls_AreOneProtocol(t *testing.T) {
	for _, p := range model.Programs() {
		if !p.Near {
			continue
		}
		o := Options{Preemptions: 2, Kills: 1}
		switch p.State {
		case "S03AddFull", "S09AddCollisionDeleteMember", "S10AddCollisionDeleteBase": // thousands more
			o.Preemptions = 1
		}
		t.Run(p.Name, func(t *testing.T) {
			want := mustRun(t, p, o)
			ways := map[string]func(*world) performer{"prepared": preparing}
			if has(p, model.OpGet) {
				ways["Lookup"] = looking
			}
			if has(p, model.OpAdd) {
				ways["AddBatch"] = adding
			}
			for name, by := range ways {
				rep := through(t, p, by, o)
				if rep.Failure != nil {
					t.Fatalf("%s: %v\n%s", name, rep.Failure, rep.Failure.Table())
				}
				if !rep.Exhaustive {
					t.Errorf("%s: not exhaustive within its bound: %s", name, rep.Bound)
				}
				got, all := slices.Sorted(maps.Keys(rep.Outcomes)), slices.Sorted(maps.Keys(want.Outcomes))
				if !slices.Equal(got, all) {
					t.Errorf("%s: outcomes\n%q\nwant\n%q", name, got, all)
				}
			}
		})
	}
}

// A get that does not look is refused.
func TestCalls_Canary(t *testing.T) {
	p, ok := model.ProgramByName("S15GetMany_Near")
	if !ok {
		t.Fatal("no such program")
	}
	rep := through(t, p, blind, Options{Preemptions: 1})
	if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) {
		t.Errorf("failure %v, want one of step validation", rep.Failure)
	}
}
