package stress

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
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

// judgeTime bounds the search for one window. A window that was not decided is unknown.
const judgeTime = 20 * time.Second

// clientsMost is above all owners of a run; evictions and the last reads get clients above it.
const clientsMost = 1 << (32 - serialBits)

// history is the window as the judge reads it: the operations of the clients, those of the dead
// pending, what adds evicted, and a last read of each key.
func (w *window) history() history.History {
	var h history.History
	extra := clientsMost
	add := func(op history.Op) {
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
		op := history.Op{Request: history.Request{Kind: history.Get, Key: key}, Call: at + 1, Return: at + 2,
			Result: history.Result{Outcome: history.Absent}}
		if v, ok := w.contents[key]; ok {
			op.Result = history.Result{Outcome: history.Found, Value: v}
		}
		add(op)
		at += 2
	}
	slices.SortStableFunc(h, func(a, b history.Op) int { return int(a.Call - b.Call) })
	return h
}

// evictions are what an add made leave, each within its interval. One that died may have evicted
// whatever its windows reach, and nobody knows what.
func (w *window) evictions(e *event, add func(history.Op)) {
	if e.Kind != history.Add {
		return
	}
	known := map[uint32]bool{e.Key: true}
	for _, l := range e.left {
		if l.key == 0 {
			continue
		}
		known[l.key] = true
		end := e.Return
		if e.Pending {
			end = w.ended
		}
		add(history.Op{Request: history.Request{Kind: history.Evict, Key: l.key}, Call: e.Call, Return: end,
			Result: history.Result{Outcome: history.Evicted, Value: l.value}})
	}
	if !e.Pending || !w.Room {
		return
	}
	for _, key := range w.Keys {
		if !known[key] && w.reaches(e.Key, key, w.Width, w.Width) {
			add(history.Op{Request: history.Request{Kind: history.Evict, Key: key}, Call: e.Call,
				Return: history.Forever, Pending: true})
		}
	}
}

// judge decides the window.
func (w *window) judge(h history.History, opsPerKey int) error {
	limits := linearizability.DefaultLimits()
	limits.Timeout, limits.OpsPerKey = judgeTime, cmp.Or(opsPerKey, ClientsMost*logRoom)
	return linearizability.CheckWithin(h, limits, w.initial).Err()
}

// keep writes the refused history to a file of its own, as explore --history reads it, and adds to
// the refusal where it is.
func (w *window) keep(folder string, h history.History, refused error) error {
	err := os.MkdirAll(folder, 0o755)
	if err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	file, err := os.CreateTemp(folder, w.State+"-*.ndjson")
	if err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	note, _, _ := strings.Cut(refused.Error(), "\n")
	note = note[:min(len(note), noteMost)]
	err = history.Encode(file, history.File{Note: note, Initial: w.initial, Ops: h})
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(refused, fmt.Errorf("history not kept: %w", err))
	}
	return fmt.Errorf("%w; a schedule of it may be found: samecycle explore --history %s", refused,
		file.Name())
}

// noteMost bounds the note of a history's file, which is one line of it.
const noteMost = 1000

// dead are the operations that were in flight when their client died.
func (w *window) dead() (all []event) {
	for i := range w.events {
		if w.events[i].Pending {
			all = append(all, w.events[i])
		}
	}
	return all
}

// rest is what a table is found to be when nobody works on it.
type rest struct {
	contents map[uint32]uint32
	cells    []hopscotch.CellPicture
	owners   map[uint64]int // of descriptors
}

// atRest finishes what the dead have left, then holds the table's structure, its counts and its
// contents against one another.
func atRest(t *hopscotch.Table, keeper *hopscotch.Handle, keys []uint32, f *faults) rest {
	r := rest{contents: map[uint32]uint32{}, owners: map[uint64]int{}}
	if err := keeper.RestoreAll(); err != nil {
		f.add("a newcomer cannot finish what is installed: %v", err)
	}
	for _, finding := range hopscotch.Check(t, hopscotch.CheckOptions{Limit: 8}) {
		f.add("structure: %s", finding)
	}
	p := hopscotch.Snapshot(t, hopscotch.DumpOptions{})
	n := p.Count
	if cells := int(2 * t.Layout().CellsPerHalf); n.Elements+n.Lost+n.Empty != cells || n.Held != 0 ||
		n.Frozen != 0 || n.Invalid != 0 {
		f.add("cells: %d elements, %d lost and %d empty are not the %d of the table; %d held, %d frozen, "+
			"%d invalid", n.Elements, n.Lost, n.Empty, cells, n.Held, n.Frozen, n.Invalid)
	}
	for _, key := range keys {
		v, ok, err := t.Lookup(key)
		if err != nil {
			f.add("at rest: %v", err)
		} else if ok {
			r.contents[key] = v
		}
	}
	seen := map[uint32]uint32{}
	r.cells = p.Cells
	for _, c := range p.Cells {
		if c.Key != uint32(hopscotch.KeyLost) {
			seen[c.Key] = c.Value
		}
	}
	if !maps.Equal(seen, r.contents) {
		f.add("keys: the cells hold %v, the keys read as %v", seen, r.contents)
	}
	for _, d := range p.Descriptors {
		r.owners[d.Owner]++
	}
	return r
}
