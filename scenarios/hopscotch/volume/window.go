package volume

import (
	"io"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// window is what happened between two times of rest: the whole of a round, and nothing of another.
// At its end every operation of the dead has been finished by somebody, so none of them can take
// effect later, and the contents are known: they are what the next window begins with.
type window struct {
	workload
	events   []event
	initial  map[uint32]uint32
	contents map[uint32]uint32 // at the end, read one by one
	ended    int64             // moment before those reads
}

// clientsMost is above all owners of a run; evictions and the last reads get clients above it.
const clientsMost = 1 << (32 - serialBits)

// history is the window as the judge reads it: the operations of the clients, those of the dead
// pending, what adds evicted, and a last read of each key.
func (w *window) history() mapmodel.History {
	var h mapmodel.History
	extra := clientsMost
	add := func(op mapmodel.Op) {
		op.ID, op.Client = uint64(extra)<<32|1, extra
		extra++
		h = append(h, op)
	}
	for i := range w.events {
		h = append(h, w.events[i].Op)
	}
	for i := range w.events {
		w.evictions(&w.events[i], add)
	}
	at := w.ended
	for _, key := range w.Keys {
		op := mapmodel.Op{Request: mapmodel.Request{Kind: mapmodel.Get, Key: key},
			Call: at + 1, Return: at + 2, Result: mapmodel.Result{Outcome: mapmodel.Absent}}
		if v, ok := w.contents[key]; ok {
			op.Result = mapmodel.Result{Outcome: mapmodel.Found, Value: v}
		}
		add(op)
		at += 2
	}
	slices.SortStableFunc(h, func(a, b mapmodel.Op) int { return int(a.Call - b.Call) })
	return h
}

// evictions are what an add made leave, each within its interval. One that died may have evicted
// whatever its windows reach, and nobody knows what.
func (w *window) evictions(e *event, add func(mapmodel.Op)) {
	if e.Request.Kind != mapmodel.Add {
		return
	}
	known := map[uint32]bool{e.Request.Key: true}
	for _, l := range e.left {
		if l.key == 0 {
			continue
		}
		known[l.key] = true
		end := e.Return
		if e.Pending {
			end = w.ended
		}
		add(mapmodel.Op{Request: mapmodel.Request{Kind: mapmodel.Evict, Key: l.key},
			Call: e.Call, Return: end, Result: mapmodel.Result{Outcome: mapmodel.Evicted, Value: l.value}})
	}
	if !e.Pending || !w.Room {
		return
	}
	for _, key := range w.Keys {
		if !known[key] && w.reaches(e.Request.Key, key, w.Width, w.Width) {
			add(mapmodel.Op{Request: mapmodel.Request{Kind: mapmodel.Evict, Key: key}, Call: e.Call,
				Return: history.Forever, Pending: true})
		}
	}
}

// decidable is the history of a window with what it begins with.
type decidable struct {
	ops     mapmodel.History
	initial map[uint32]uint32
}

func (d decidable) Operations() int { return len(d.ops) }

func (d decidable) Decide(within time.Duration, opsPerKey int) error {
	limits := linearizability.DefaultLimits()
	limits.Timeout, limits.OpsPerKey = within, opsPerKey
	return mapmodel.CheckWithin(d.ops, limits, d.initial).Err()
}

func (d decidable) Write(w io.Writer, note string) error {
	return mapmodel.Encode(w, mapmodel.File{Note: note, Initial: d.initial, Ops: d.ops})
}

// dead are the operations that were in flight when their client died.
func (w *window) dead() (all []event) {
	for i := range w.events {
		if w.events[i].Pending {
			all = append(all, w.events[i])
		}
	}
	return all
}
