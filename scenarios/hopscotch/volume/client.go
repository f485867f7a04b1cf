package volume

import (
	"fmt"
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// table is what a client calls: a handle of the engine.
type table interface {
	Add(key, value uint32) (hopscotch.Result, error)
	Get(key uint32) (value uint32, ok bool)
	Update(key, value uint32) (old uint32, ok bool, err error)
	Ticket(key uint32) (ticket hopscotch.Ticket, ok bool, err error)
	CompareAndSwap(ticket hopscotch.Ticket, value uint32) (ok bool, err error)
	CompareAndDelete(ticket hopscotch.Ticket) (ok bool, err error)
	Still(ticket hopscotch.Ticket) bool
	Delete(key uint32) (ok bool, err error)
	Crop(key uint32) error
	Restore(key uint32) error
	Left() []hopscotch.Leaving
	Reclaim() ([]hopscotch.Reclaimed, error)
}

// serialBits is how many values a client may write in a run: each value tells who wrote it.
const serialBits = 20

// client is one actor of a run.
type client struct {
	workload
	table  table
	known  map[uint32]hopscotch.Ticket // by key: of the last lookup
	eye    *eye
	owner  uint32 // of the handle, and in every value
	serial uint32

	weights    mix // of the round
	before     sight
	generation hopscotch.Generation
	notes      []stress.Words
}

// Begin draws the mix of the round.
func (c *client) Begin(round uint64) { c.weights = c.swarm(round) }

// reclaimEvery is how seldom a client reclaims: one call in so many, on average.
const reclaimEvery = 256

// Next hunts for the race, or draws a request.
func (c *client) Next(rng *rand.Rand) stress.Words {
	if rng.IntN(reclaimEvery) == 0 {
		return stress.Words{callReclaim}
	}
	req, hunted := c.hunt(rng)
	if !hunted {
		req = mapmodel.Request{Kind: c.weights.draw(rng), Key: c.Keys[rng.IntN(len(c.Keys))]}
	}
	if req.Kind.HasValue() {
		c.serial++
		req.Value = c.owner<<serialBits | c.serial
	}
	return requestWords(req)
}

// Before looks at the homes of the key.
func (c *client) Before(req stress.Words) {
	if req[0] == callReclaim {
		return
	}
	r := request(req)
	c.before = c.eye.look(r.Key, r.Kind == mapmodel.Delete, r.Kind == mapmodel.Add)
	c.generation = c.eye.generation()
}

// Call makes the operation. The notes are the elements that left by it, or what was in the descriptors
// that were taken back.
func (c *client) Call(w stress.Words) (stress.Words, []stress.Words, error) {
	if w[0] == callReclaim {
		return c.reclaim()
	}
	req := request(w)
	res, err := c.call(req)
	if err != nil {
		return stress.Words{}, nil, fmt.Errorf("%s: %w", req, err)
	}
	c.notes = c.notes[:0]
	switch req.Kind {
	case mapmodel.Add, mapmodel.Crop, mapmodel.Restore, mapmodel.Discard:
		for _, l := range c.table.Left() {
			c.notes = append(c.notes, leaving{key: l.Key, value: l.Value}.words())
		}
	}
	return resultWords(res), c.notes, nil
}

// reclaim takes the descriptors of the dead back, while the others go on.
func (c *client) reclaim() (res stress.Words, notes []stress.Words, err error) {
	all, err := c.table.Reclaim()
	if err != nil {
		return res, nil, fmt.Errorf("reclaim: %w", err)
	}
	c.notes = c.notes[:0]
	for _, x := range all {
		c.notes = append(c.notes, reclaimedOf(x).words())
	}
	return res, c.notes, nil
}

// After looks again, and says whether the operation took part in the race of the run's state.
func (c *client) After(req, res stress.Words, notes []stress.Words) stress.Seen {
	if req[0] == callReclaim {
		return stress.Seen{}
	}
	seen := stress.Seen{Count: uint32(c.eye.generation() - c.generation)}
	e := event{Op: mapmodel.Op{Request: request(req), Result: result(res)}}
	for _, w := range notes {
		e.left = append(e.left, leavingOf(w))
	}
	var after sight
	if e.Result.Outcome == mapmodel.Added {
		after = c.eye.displaced(e.Request.Key, c.before)
	} else {
		after = c.eye.look(e.Request.Key, false, false)
	}
	seen.Extra = mark(e, c.before, after).words()
	return seen
}

// call makes the operation, with the ticket that the client has of the key.
func (c *client) call(req mapmodel.Request) (res mapmodel.Result, err error) {
	ticket := c.known[req.Key]
	switch ok := false; req.Kind {
	case mapmodel.Lookup:
		ticket, ok, err = c.table.Ticket(req.Key)
		c.known[req.Key] = ticket
		if !ok {
			return mapmodel.Result{Outcome: mapmodel.Absent}, err
		}
		return mapmodel.Result{Outcome: mapmodel.Found, Value: ticket.Value()}, err
	case mapmodel.Still:
		if !c.table.Still(ticket) {
			return mapmodel.Result{Outcome: mapmodel.Void}, nil
		}
		return mapmodel.Result{Outcome: mapmodel.Same, Value: ticket.Value()}, nil
	case mapmodel.Swap:
		if ok, err = c.table.CompareAndSwap(ticket, req.Value); !ok {
			return mapmodel.Result{Outcome: mapmodel.Void}, err
		}
		return mapmodel.Result{Outcome: mapmodel.Updated, Value: ticket.Value()}, err
	case mapmodel.Discard:
		if ok, err = c.table.CompareAndDelete(ticket); !ok {
			return mapmodel.Result{Outcome: mapmodel.Void}, err
		}
		return mapmodel.Result{Outcome: mapmodel.Discarded, Value: ticket.Value()}, err
	}
	return call(c.table, req)
}

// call makes an operation that is about no ticket.
func call(t table, req mapmodel.Request) (res mapmodel.Result, err error) {
	is := func(ok bool, yes, no mapmodel.Outcome) mapmodel.Outcome {
		if ok {
			return yes
		}
		return no
	}
	ok := false
	switch req.Kind {
	case mapmodel.Add:
		var r hopscotch.Result
		r, err = t.Add(req.Key, req.Value)
		res.Outcome = map[hopscotch.Result]mapmodel.Outcome{hopscotch.Added: mapmodel.Added,
			hopscotch.Exists: mapmodel.Exists, hopscotch.Full: mapmodel.Full}[r]
	case mapmodel.Get:
		res.Value, ok = t.Get(req.Key)
		res.Outcome = is(ok, mapmodel.Found, mapmodel.Absent)
	case mapmodel.Update:
		res.Value, ok, err = t.Update(req.Key, req.Value)
		res.Outcome = is(ok, mapmodel.Updated, mapmodel.Absent)
	case mapmodel.Delete:
		ok, err = t.Delete(req.Key)
		res.Outcome = is(ok, mapmodel.Deleted, mapmodel.Absent)
	case mapmodel.Crop:
		res.Outcome, err = mapmodel.Tended, t.Crop(req.Key)
	case mapmodel.Restore:
		res.Outcome, err = mapmodel.Tended, t.Restore(req.Key)
	default:
		err = fmt.Errorf("%s is no call", req.Kind)
	}
	return res, err
}
