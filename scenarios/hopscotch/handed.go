package scenarios

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// handed is what the clients of one execution were handed: the old values of updates, and what left
// the table by their operations.
type handed struct {
	flying []flight // by actor
	values []uint32
	gone   []eviction
}

// flight is the operation of an actor that has not returned.
type flight struct {
	id   uint64 // in the history; 0: none
	kind model.OpKind
}

// eviction is an element that an add made leave.
type eviction struct {
	add     uint64 // its ID in the history
	key     uint32 // of the model
	value   uint32
	pending bool // the adder died: nobody was handed the value
}

func (d *handed) reset(actors int) {
	d.flying = append(d.flying[:0], make([]flight, actors)...)
	d.values, d.gone = d.values[:0], d.gone[:0]
}

func (d *handed) call(t int, id uint64, op model.Op) { d.flying[t-1] = flight{id, op.Op} }

// take books what the operation of actor t has brought, and makes it a part of what the explorer
// tells states apart by.
func (d *handed) take(w *world, t int, res mapmodel.Result) {
	f := &d.flying[t-1]
	if res.Outcome == mapmodel.Updated {
		d.values = append(d.values, res.Value)
	}
	if f.kind == model.OpAdd || f.kind == model.OpCrop || f.kind == model.OpRestore {
		d.left(w, f.id, w.handles[t-1].Left(), false)
	}
	if f.kind == model.OpDiscard {
		for _, l := range w.handles[t-1].Left() { // its own element, which is no eviction
			d.values = append(d.values, l.Value)
		}
	}
	if k := w.tickets[t-1]; k != (hopscotch.Ticket{}) {
		half, cell := k.Place()
		w.x.Mark(uint64(half)<<32 | uint64(cell))
		w.x.Mark(uint64(k.Word()))
	}
	f.id = 0
}

func (d *handed) left(w *world, id uint64, left []hopscotch.Leaving, pending bool) {
	for _, l := range left {
		if !pending {
			w.x.Mark(uint64(l.Key)<<32 | uint64(l.Value))
		}
		d.values = append(d.values, l.Value)
		if l.Key != 0 {
			d.gone = append(d.gone, eviction{id, w.modelKey(l.Key), l.Value, pending})
		}
	}
}

// bury books what actors that died in an add may have evicted: what their operations of this call
// have brought, and what the last one was about to.
func (d *handed) bury(w *world) {
	for i := range d.flying {
		f := &d.flying[i]
		if f.id == 0 || f.kind != model.OpAdd && f.kind != model.OpCrop && f.kind != model.OpRestore {
			continue
		}
		d.left(w, f.id, w.handles[i].Left(), true)
		at := w.memory[w.desc(i+1):]
		var k hopscotch.Key
		switch hopscotch.Head(at[hopscotch.DescriptorHead]).Kind() {
		case hopscotch.KindDrop:
			k = hopscotch.Pair(at[hopscotch.DescriptorPair]).Key()
		case hopscotch.KindReplace:
			k = hopscotch.Plan(at[hopscotch.DescriptorPlan]).Key()
		}
		if !k.Reserved() && f.kind == model.OpAdd {
			d.gone = append(d.gone, eviction{f.id, w.modelKey(uint32(k)), 0, true})
		}
	}
}

// history is h with the evictions, each an operation of a client of its own within the interval of
// the add that caused it.
func (d *handed) history(w *world, h mapmodel.History) mapmodel.History {
	if d.bury(w); len(d.gone) == 0 {
		return h
	}
	all := append(mapmodel.History(nil), h...)
	for i, e := range d.gone {
		add := h[e.add-1]
		op := mapmodel.Op{ID: uint64(len(h)+i) + 1, Client: len(d.flying) + i, Call: add.Call,
			Request: mapmodel.Request{Kind: mapmodel.Evict, Key: e.key}, Return: add.Return,
			Pending: e.pending}
		if !e.pending {
			op.Result = mapmodel.Result{Outcome: mapmodel.Evicted, Value: e.value}
		}
		all = append(all, op)
	}
	return all
}

// check compares with what the model says has left, value by value: none was handed out twice, none
// that is in the table still, and none is missing but what a dead actor had coming.
func (d *handed) check(w *world, s *model.State, deaths int) error {
	count := map[uint32]int{}
	for _, v := range d.values {
		count[v]++
	}
	known := w.values()
	for v := range count {
		if !slices.Contains(known, v) {
			return fmt.Errorf("%w: value %d, which nobody ever had", ErrHanded, v)
		}
	}
	for _, v := range known {
		got, want := count[v], w.machine.Freed(s, uint8(v))
		if got > want || got < want && deaths == 0 {
			return fmt.Errorf("%w: value %d was handed out %d times, and left %d times",
				ErrHanded, v, got, want)
		}
	}
	return nil
}
