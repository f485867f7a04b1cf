package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// ErrHistory is a history of which no program can be made.
var ErrHistory = errors.New("history not searched")

// Bounds of what is searched: more operations than these have too many schedules.
const (
	maxWindow     = 6 // operations of the evidence
	maxNeighbours = 3 // of other keys beside it
)

// historyLimits bound the judging of a history that is handed over, which may be a round of many
// clients on one key.
func historyLimits() linearizability.Limits {
	l := linearizability.DefaultLimits()
	l.Timeout, l.OpsPerKey = time.Minute, 1<<16
	return l
}

// A Handover is what is searched for a history that was refused.
type Handover struct {
	Verdict  mapmodel.Verdict
	Programs []model.Program // from the plainest on; their names are the programs themselves
	Kills    int             // actors that died in the window
}

// HandOver makes small programs of a history that is not linearizable: what the clients called in the
// window that no order explains, at most maxWindow, on a table of the explorer's size. A history does not
// say what else was in the table. So several programs are made: of the window alone, with standing elements
// that its adds collide with, and with calls on other keys that overlapped it, in the same bucket and in
// the next. Keys and values get small names. Errors wrap ErrHistory.
func HandOver(f mapmodel.File) (Handover, error) {
	v := mapmodel.CheckWithin(f.Ops, historyLimits(), f.Initial)
	switch {
	case v.Outcome == linearizability.Ok:
		return Handover{}, fmt.Errorf("%w: it is linearizable, so there is nothing to search for", ErrHistory)
	case v.Outcome == linearizability.Unknown:
		return Handover{}, fmt.Errorf("%w: %w", ErrHistory, v.Err())
	}
	var calls mapmodel.History
	kills, died := 0, map[uint64]bool{}
	for _, op := range f.Ops { // the evidence may end before a return that the file has
		died[op.ID] = op.Pending
	}
	key := v.Evidence[0].Request.Key
	window, holds := lastWindow(v.Evidence, f.Initial)
	for _, op := range window {
		if op.Request.Kind == mapmodel.Evict {
			continue // no call of a client
		}
		if calls = append(calls, op); died[op.ID] {
			kills++
		}
	}
	if len(calls) == 0 || len(calls) > maxWindow {
		return Handover{}, fmt.Errorf("%w: no order explains %d calls on key %d; 1 to %d can be searched: "+
			"cut the history",
			ErrHistory, len(calls), key, maxWindow)
	}
	initial := maps.Clone(f.Initial)
	delete(initial, key)
	maps.Copy(initial, holds)
	h := Handover{Verdict: v, Kills: kills}
	beside := neighbours(f.Ops, calls)
	for _, c := range []struct {
		beside   mapmodel.History
		other    uint8 // key of the model that is the first one of the other keys
		standing []model.Standing
	}{
		{nil, 2, nil},
		{nil, 2, []model.Standing{{H: 0, K: 3, V: 1}, {H: 1, K: 4, V: 2}}},
		{beside, 2, nil},
		{beside, 5, nil},
	} {
		n := naming{initial: initial, keys: map[uint32]uint8{key: 1}, next: c.other,
			values: map[uint32]uint8{}, memory: c.standing}
		p, ok := n.program(slices.Concat(calls, c.beside))
		if ok && !slices.ContainsFunc(h.Programs, func(q model.Program) bool { return q.Name == p.Name }) {
			h.Programs = append(h.Programs, p)
		}
	}
	if len(h.Programs) == 0 {
		return h, fmt.Errorf("%w: %d calls by more than %d clients at once, or with too many values; cut it",
			ErrHistory, len(calls), model.MaxActors)
	}
	return h, nil
}

// neighbours are calls on other keys that overlap the window, those that began last.
func neighbours(all, window mapmodel.History) mapmodel.History {
	from, to := history.Forever, int64(0)
	for _, op := range window {
		from = min(from, op.Call)
		if to = max(to, op.Call); !op.Pending {
			to = max(to, op.Return)
		}
	}
	var found mapmodel.History
	for _, op := range all {
		r := op.Request
		if r.Key != window[0].Request.Key && r.Kind != mapmodel.Evict && !op.Pending && op.Call < to &&
			op.Return > from {
			found = append(found, op)
		}
	}
	slices.SortStableFunc(found, func(a, b mapmodel.Op) int { return int(b.Call - a.Call) })
	return found[:min(len(found), maxNeighbours)]
}

// naming gives keys and values their names in a program.
type naming struct {
	initial map[uint32]uint32
	keys    map[uint32]uint8
	next    uint8 // key
	values  map[uint32]uint8
	memory  []model.Standing
}

// program puts the calls on as few actors as their times allow: one actor makes calls that followed
// one another, which keeps their order. False if it has no room in the explorer's table.
func (n *naming) program(calls mapmodel.History) (model.Program, bool) {
	slices.SortStableFunc(calls, func(a, b mapmodel.Op) int { return int(a.Call - b.Call) })
	var p model.Program
	var free []int64 // by actor: when its last call returned
	for _, op := range calls {
		i := slices.IndexFunc(free, func(t int64) bool { return t < op.Call })
		if i < 0 {
			i = len(free)
			free, p.Ops = append(free, 0), append(p.Ops, nil)
		}
		free[i] = op.Return
		x := model.Op{Op: operationKinds[op.Request.Kind], K: n.key(op.Request.Key)}
		if op.Request.Kind.HasValue() {
			x.V = n.value(op.Request.Value)
		}
		p.Ops[i] = append(p.Ops[i], x)
	}
	p.Memory = n.memory
	p.Name = programText(p)
	_, err := model.New(p.Config(0))
	return p, err == nil && countOps(p) <= maxTextOps
}

var operationKinds = map[mapmodel.Kind]model.OpKind{
	mapmodel.Add: model.OpAdd, mapmodel.Get: model.OpGet, mapmodel.Update: model.OpUpdate,
	mapmodel.Delete: model.OpDelete, mapmodel.Crop: model.OpCrop, mapmodel.Restore: model.OpRestore,
	mapmodel.Lookup: model.OpLookup, mapmodel.Still: model.OpStill, mapmodel.Swap: model.OpSwap,
	mapmodel.Discard: model.OpDiscard,
}

// key names a key, and lets it stand in the table if it did: as the base of the first half in which
// its home cell has none.
func (n *naming) key(k uint32) uint8 {
	small, known := n.keys[k]
	if !known {
		small = n.next
		n.keys[k], n.next = small, n.next+1
	}
	value, stands := n.initial[k]
	if !stands || slices.ContainsFunc(n.memory, func(x model.Standing) bool { return x.K == small }) {
		return small
	}
	half := uint8(0)
	for _, x := range n.memory {
		if model.HomeOf(int(x.K)) == model.HomeOf(int(small)) {
			half++
		}
	}
	n.memory = append(slices.Clone(n.memory), model.Standing{H: half, K: small, V: n.value(value)})
	return small
}

// firstValue is above the values of standing elements that the history does not have.
const firstValue = 11

func (n *naming) value(v uint32) uint8 {
	small, known := n.values[v]
	if !known {
		small = uint8(firstValue + len(n.values))
		n.values[v] = small
	}
	return small
}
