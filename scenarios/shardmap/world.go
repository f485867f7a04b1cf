package shardmap

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/shardmap"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// What the judges complain of.
const (
	ErrLeftover = harness.Complaint("a lock or the flag is taken though everybody has ended")
	ErrCount    = harness.Complaint("an operation returned another number than it erased or counted")
)

// table is the map of a program: values and metadata are the model's numbers, keys are chosen so that each is
// in the shard that it has in the model.
type table = shardmap.Map[uint64, uint8, uint8]

// world is one program's map.
type world struct {
	// An operation waits for others, so no actor has a bound alone.
	harness.PlainWorld[call, answer]

	program model.Program
	written bool
	m       *table
	keys    []uint64 // by key of the model, from 0
	places  []shardmap.Place
	running []running // by actor
	rec     *history.Recorder[call, answer]
	before  [][]model.Item // by shard: contents after the last step
}

// running is the operation of an actor that has not returned, with that of its callback or predicate on top.
type running struct {
	op    [2]model.Op
	depth int
	n     [2]uint8 // entries that it has erased, or counted
}

// top is the operation that is in progress.
func (r *running) top() (o *model.Op, n *uint8) { return &r.op[r.depth-1], &r.n[r.depth-1] }

// newWorld builds the map of a program. Written is the behaviour of the source.
func newWorld(p model.Program, written bool) (*world, error) {
	w := &world{program: p, written: written, running: make([]running, len(p.Calls)),
		before: make([][]model.Item, p.Shards)}
	if err := w.build(); err != nil {
		return nil, err
	}
	for k, home := range p.Homes {
		for key := uint64(1); ; key++ {
			if w.m.ShardOf(key) == int(home)-1 && !w.has(key) {
				w.keys = append(w.keys, key)
				break
			}
			if key == 1<<16 {
				return nil, fmt.Errorf("program %s: no key is in shard %d for key %d", p.Name, home, k+1)
			}
		}
	}
	return w, nil
}

func (w *world) has(key uint64) bool {
	for _, k := range w.keys {
		if k == key {
			return true
		}
	}
	return false
}

// build makes a new map with as many shards as the program has.
func (w *world) build() (err error) {
	w.m, err = shardmap.New[uint64, uint8, uint8](shardmap.Options{Shards: int(w.program.Shards),
		AsWritten: w.written})
	return err
}

// Start makes the map anew and names its words.
func (w *world) Start(x *explore.Execution, rec *history.Recorder[call, answer]) {
	w.rec = rec
	if err := w.build(); err != nil {
		panic(err) // newWorld has built one
	}
	w.m.Rotate(uint32(w.program.Cursor))
	for k, e := range w.program.Start {
		if e.Version != 0 {
			w.m.Restore(w.keys[k], shardmap.Entry[uint8, uint8]{Value: e.Value, Meta: e.Meta,
				Version: uint64(e.Version)})
		}
	}
	w.m.Settle(1)
	w.places = w.m.Places()
	for _, p := range w.places {
		x.Region(p.At, p.Bytes)
	}
	clear(w.running)
	for i := range w.before {
		w.before[i] = w.contents(uint8(i + 1))
	}
}

// contents are the entries of a shard in the order of their keys.
func (w *world) contents(shard uint8) (list []model.Item) {
	entries := w.m.Inspect().Entries[shard-1]
	for k, key := range w.keys {
		if e, ok := entries[key]; ok {
			list = append(list, model.Item{Key: uint8(k + 1),
				Entry: model.Entry{Value: e.Value, Meta: e.Meta, Version: uint8(e.Version)}})
		}
	}
	return list
}

// Observe records what takes effect at a step within an operation: an entry that a cleanup or a deferred
// invalidation erases, a shard that Size counts or Clear empties.
func (w *world) Observe(s explore.Step) {
	shard := int(s.Object>>48) / 2
	if !s.Kind.Access() || shard >= len(w.before) || s.Object>>48 != uint64(w.contentsOf(shard)) {
		return
	}
	now, was := w.contents(uint8(shard+1)), w.before[shard]
	w.before[shard] = now
	r := &w.running[s.Actor]
	if r.depth == 0 {
		return
	}
	o, n := r.top()
	c := callOf(*o)
	c.shard = uint8(shard + 1)
	switch {
	case o.Kind == model.Size && s.Kind == hook.Load:
		c.part = counted
		*n += uint8(len(now))
		w.record(s.Actor, c, uint8(len(now)))
	case o.Kind == model.Clear && s.Kind != hook.Load:
		c.part = emptied
		*n += uint8(len(was))
		w.record(s.Actor, c, uint8(len(was)))
	case (o.Kind.Cleans() || o.Kind == model.GetFunc) && s.Kind != hook.Load:
		for _, e := range was {
			if !slices.ContainsFunc(now, func(x model.Item) bool { return x.Key == e.Key }) {
				c.part, c.key = erased, e.Key
				*n++
				w.record(s.Actor, c, 1)
			}
		}
	}
}

// record makes a part of an actor's operation one of a client of its own: it is called and returns at once.
func (w *world) record(actor int, c call, n uint8) {
	w.rec.Return(w.rec.Call(2*len(w.program.Calls)+actor, c), answer{gave: true, n: n})
}

// Finish wants all locks and the flag free.
func (w *world) Finish(*explore.Execution, int) error {
	v := w.m.Inspect()
	for i, word := range v.Locks {
		if word != 0 {
			return fmt.Errorf("%w: the lock of shard %d is %#x", ErrLeftover, i, word)
		}
	}
	if v.Cleaning {
		return fmt.Errorf("%w: the cleanup flag is set", ErrLeftover)
	}
	return nil
}

// ObjectName names a word.
func (w *world) ObjectName(object uint64) string {
	if i := int(object >> 48); i < len(w.places) && object<<16 == 0 {
		return w.places[i].Name
	}
	return fmt.Sprintf("object %#x", object)
}

// Tell says what a step did to its word.
func (w *world) Tell(s explore.Step) string {
	name := w.ObjectName(s.Object)
	for i := range w.before {
		if s.Kind.Access() && s.Object>>48 == uint64(w.contentsOf(i)) {
			return fmt.Sprintf("%s: %v", name, w.contents(uint8(i+1)))
		}
	}
	return harness.Told(s, name, nil)
}

// contentsOf is the number of the place that stands for the contents of a shard.
func (w *world) contentsOf(shard int) int { return 2*shard + 1 }
