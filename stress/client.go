package stress

import (
	"fmt"
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
)

// table is what a client calls: a handle of the engine.
type table interface {
	Add(key, value uint32) (hopscotch.Result, error)
	Get(key uint32) (value uint32, ok bool)
	Update(key, value uint32) (old uint32, ok bool, err error)
	Delete(key uint32) (ok bool, err error)
	Crop(key uint32) error
	Restore(key uint32) error
	Left() []hopscotch.Leaving
}

// serialBits is how many values a client may write in a run: each value tells who wrote it.
const serialBits = 20

// client is one actor of a run.
type client struct {
	workload
	table  table
	eye    *eye
	arena  *arena
	log    *logbook
	meter  *meter
	slot   int
	owner  uint32 // of the handle, and in every value
	serial uint32
}

// newClient attaches a client to the table in r. The handle is given back by nobody: the run's end
// is the region's.
func newClient(r *region.Region, a *arena, w workload, slot int, owner uint32) (*client, error) {
	t, err := hopscotch.NewWith(r, w.options())
	if err != nil {
		return nil, err
	}
	h, err := t.NewHandle(uint64(owner))
	if err != nil {
		return nil, err
	}
	e, err := newEye(r, h.Descriptor())
	if err != nil {
		return nil, err
	}
	return &client{workload: w, table: h, eye: e, arena: a, log: a.log(slot), slot: slot,
		owner: owner}, nil
}

// A client makes at least leastOperations in a round, and then goes on until the round is to end or
// it has made as many as the round allows: calmOperations, or more where something is done to the
// clients, so that whoever does it finds them at work also on a busy machine.
const (
	leastOperations = 400
	calmOperations  = 1500
	mostOperations  = 12000
)

// round makes the operations of one round, until there are enough of them or the round is to end.
func (c *client) round(n uint64) error {
	rng := rand.New(rand.NewPCG(c.Seed^uint64(c.owner)<<32, n))
	weights := c.swarm(n)
	quota := c.arena.quota()
	for i := 0; i < quota && c.log.room() && (i < leastOperations || !c.arena.hurried()); i++ {
		if i%readingEvery == 0 {
			c.meter.read()
		}
		req, hunted := c.hunt(rng)
		if !hunted {
			req = history.Request{Kind: weights.draw(rng), Key: c.Keys[rng.IntN(len(c.Keys))]}
		}
		if req.Kind.HasValue() {
			c.serial++
			req.Value = c.owner<<serialBits | c.serial
		}
		if err := c.operate(req); err != nil {
			return fmt.Errorf("client %d, round %d: %s: %w", c.owner, n, req, err)
		}
	}
	c.log.next = 0 // who reads it empties it
	return nil
}

// operate makes one operation and records it. What is looked at before and after lies between the
// moments of call and return, so that a race that was seen is one within the recorded interval.
func (c *client) operate(req history.Request) error {
	r := c.log.call(req, c.arena.tick)
	before := c.eye.look(req.Key, req.Kind == history.Delete, req.Kind == history.Add)
	generation := c.eye.generation()
	start := c.meter.now()
	res, err := call(c.table, req)
	cost := effort{start: start, spent: c.meter.now() - start}
	if err != nil {
		return err
	}
	cost.installs = uint32(c.eye.generation()-generation) & (1<<installBits - 1)
	e := event{Op: history.Op{Request: req, Result: res}}
	if req.Kind == history.Add || req.Kind == history.Crop || req.Kind == history.Restore {
		for _, l := range c.table.Left() {
			c.log.left(l.Key, l.Value)
			e.left = append(e.left, leaving{l.Key, l.Value})
		}
	}
	var after sight
	if res.Outcome == history.Added {
		after = c.eye.displaced(req.Key, before)
	} else {
		after = c.eye.look(req.Key, false, false)
	}
	finish(r, res, cost, mark(e, before, after), c.arena.tick)
	if cost.spent > slowAfter {
		c.log.slow(c.meter.slow(cost.spent))
	}
	return nil
}

// call makes the operation.
func call(t table, req history.Request) (res history.Result, err error) {
	is := func(ok bool, yes, no history.Outcome) history.Outcome {
		if ok {
			return yes
		}
		return no
	}
	ok := false
	switch req.Kind {
	case history.Add:
		var r hopscotch.Result
		r, err = t.Add(req.Key, req.Value)
		res.Outcome = map[hopscotch.Result]history.Outcome{hopscotch.Added: history.Added,
			hopscotch.Exists: history.Exists, hopscotch.Full: history.Full}[r]
	case history.Get:
		res.Value, ok = t.Get(req.Key)
		res.Outcome = is(ok, history.Found, history.Absent)
	case history.Update:
		res.Value, ok, err = t.Update(req.Key, req.Value)
		res.Outcome = is(ok, history.Updated, history.Absent)
	case history.Delete:
		ok, err = t.Delete(req.Key)
		res.Outcome = is(ok, history.Deleted, history.Absent)
	case history.Crop:
		res.Outcome, err = history.Tended, t.Crop(req.Key)
	case history.Restore:
		res.Outcome, err = history.Tended, t.Restore(req.Key)
	default:
		err = fmt.Errorf("%s is no call", req.Kind)
	}
	return res, err
}
