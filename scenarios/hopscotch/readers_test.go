//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
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

// readers is a caller that reads all keys: for each key by itself that must be one get.
func readers(read reading) caller { return func(b *bulk) { b.read(read) } }

func (b *bulk) read(read reading) {
	ids := b.call(mapmodel.Get, nil)
	results := slices.Repeat([]mapmodel.Result{{Outcome: mapmodel.Absent}}, len(b.keys))
	err := read(b.world, b.names, func(key, value uint32) {
		i := slices.Index(b.names, key)
		switch {
		case i < 0:
			b.failed = fmt.Errorf("%w: key %d, which nobody ever had", ErrContents, key)
		case results[i].Outcome == mapmodel.Found:
			b.failed = fmt.Errorf("%w: key %d", errTwice, b.keys[i])
		default:
			results[i] = mapmodel.Result{Outcome: mapmodel.Found, Value: value}
		}
	})
	if err != nil {
		b.failed = fmt.Errorf("%w: reader: %w", harness.ErrOperation, err)
	}
	for i, id := range ids {
		b.rec.Return(id, results[i])
	}
}

// Walking and a batch are one get a key.
func TestReaders_AreOneGetForEachKey(t *testing.T) {
	for name, read := range map[string]reading{"walk": walking, "batch": batching} {
		t.Run(name, readers(read).exploreAll)
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
		p := mustProgram(t, program)
		keys := len(readers(nil).in(t, p).keys)
		for _, c := range []struct {
			name  string
			read  reading
			alone int
			fails bool
		}{
			{"walk", walking, walkAlone, false}, {"walk", walking, 16, true},
			{"batch", batching, batchAlone * keys, false}, {"batch", batching, 8, true},
		} {
			b := readers(c.read).in(t, p)
			b.actor.Alone = c.alone
			rep := b.explore(t, explore.Options{Preemptions: 1, Solo: 300, MaxExecutions: 500})
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
		rep := readers(byCells).in(t, mustProgram(t, program)).explore(t, explore.Options{Preemptions: 1})
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, want) {
			t.Errorf("%s: %v, want %v", program, rep.Failure, want)
		}
	}
}

// A batch asks for both homes of each of its keys before it compares the first one.
func TestReaders_BatchAsksForAllHomesFirst(t *testing.T) { readers(batching).touchesHomesFirst(t) }

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
