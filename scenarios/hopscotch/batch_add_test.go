//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// batchAdder is a way to add many elements in one call.
type batchAdder func(h *hopscotch.Handle, keys, values []uint32, results []hopscotch.Result) (int, error)

// forgetful is the canary: it adds one element less than it says.
func forgetful(h *hopscotch.Handle, keys, values []uint32, results []hopscotch.Result) (int, error) {
	results[0] = hopscotch.Added
	n, err := h.AddBatch(keys[1:], values[1:], results[1:])
	return n + 1, err
}

// adders is a caller that adds all keys, each with a value that nobody else has: for each key by itself that
// must be one add.
func adders(add batchAdder) caller { return func(b *bulk) { b.add(add) } }

func (b *bulk) add(add batchAdder) {
	values, results := make([]uint32, len(b.keys)), make([]hopscotch.Result, len(b.keys))
	for i, k := range b.keys {
		values[i] = 0x1000 + k
	}
	ids, t := b.call(mapmodel.Add, values), len(b.handles)
	b.handed.call(t, ids[0], model.Op{Op: model.OpAdd})
	n, err := add(b.newcomer, b.names, values, results)
	if err != nil {
		b.failed = fmt.Errorf("%w: adder: %w", harness.ErrOperation, err)
		return
	}
	b.handed.take(b.world, t, mapmodel.Result{})
	for i, id := range ids {
		if results[i] == hopscotch.Added {
			n--
		}
		b.rec.Return(id, mapmodel.Result{Outcome: added[results[i]]})
	}
	if n != 0 {
		b.failed = fmt.Errorf("%w: adder: %d more added than there are results", harness.ErrOperation, n)
	}
}

// A batch is one add a key.
func TestAdders_AreOneAddForEachKey(t *testing.T) { adders((*hopscotch.Handle).AddBatch).exploreAll(t) }

// Whoever says that it has added what it has not, miscounts or fails is found out; so is, at the end, who
// deletes what no other client asks for, or leaves a base that names a member which is not there.
func TestAdders_Canaries(t *testing.T) {
	p := mustProgram(t, "S02AddCollision_SharedHole")
	const nobodys = 9 // a key, in half 1
	for name, c := range map[string]struct {
		caller
		want error
	}{
		"forgetful": {adders(forgetful), linearizability.ErrIllegal},
		"miscounts": {adders(func(h *hopscotch.Handle, k, v []uint32, r []hopscotch.Result) (int, error) {
			n, err := h.AddBatch(k, v, r)
			return n + 1, err
		}), harness.ErrOperation},
		"fails": {adders(func(*hopscotch.Handle, []uint32, []uint32, []hopscotch.Result) (int, error) {
			return 0, hopscotch.ErrBusy
		}), hopscotch.ErrBusy},
		"deletes": {func(b *bulk) {
			_, b.failed = b.newcomer.Delete(b.world.keys[nobodys])
		}, linearizability.ErrIllegal},
		"breaks": {func(b *bulk) {
			at := b.cell(1, p.HomeIn(1, nobodys))
			b.memory[at] = uint64(hopscotch.BaseWord(b.key(nobodys), hopscotch.Map(0).With(2)))
		}, ErrStructure},
	} {
		rep := c.in(t, p).explore(t, explore.Options{Preemptions: 1})
		if rep.Failure == nil || !errors.Is(rep.Failure.Err, c.want) {
			t.Errorf("%s: %v, want %v", name, rep.Failure, c.want)
		}
	}
}

// A batch asks for both homes of each of its keys before it adds the first one.
func TestAdders_AskForAllHomesFirst(t *testing.T) {
	adders((*hopscotch.Handle).AddBatch).touchesHomesFirst(t)
}

// inTwoStages prepares all adds before it does the first.
func inTwoStages(h *hopscotch.Handle, keys, values []uint32, results []hopscotch.Result) (n int, err error) {
	prepared := make([]hopscotch.PreparedAdd, len(keys))
	for i, key := range keys {
		if prepared[i], err = h.Table().PrepareAdd(key, values[i]); err != nil {
			return 0, err
		}
	}
	for i := range keys {
		if results[i], err = h.AddPrepared(prepared[i]); err != nil {
			return n, err
		}
		if results[i] == hopscotch.Added {
			n++
		}
	}
	return n, nil
}

// To prepare is to ask for both homes.
func TestAdders_WhoPrepareAskForTheHomes(t *testing.T) { adders(inTwoStages).touchesHomesFirst(t) }
