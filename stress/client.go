package stress

import (
	"fmt"
	"math/rand/v2"
	"runtime"
)

// actor drives one client of a run: it makes the client's operations and writes the log.
type actor struct {
	client Client
	seed   uint64
	arena  *arena
	log    *logbook
	meter  *meter
	slot   int
	owner  uint32
}

func newActor(c Client, a *arena, seed uint64, slot int, owner uint32) *actor {
	return &actor{client: c, seed: seed, arena: a, log: a.log(slot), slot: slot, owner: owner}
}

// A client makes at least leastOperations in a round. Then it goes on until the round is to end or it has
// made as many as the round allows. That is calmOperations, or more if clients are stopped or killed, so
// that the parent finds them at work also on a busy machine.
const (
	leastOperations = 400
	calmOperations  = 1500
	mostOperations  = 12000
)

// serve makes rounds until the run ends, or wanted says that nobody wants them any more.
func (c *actor) serve(wanted func() bool) error {
	runtime.LockOSThread()
	c.meter = newMeter()
	for ended := c.arena.ended(c.slot); wanted(); {
		switch n := c.arena.round(); n {
		case roundQuit:
			return nil
		case ended:
			nap(pollEvery)
		default:
			if err := c.round(n); err != nil {
				return err
			}
			ended = n
			c.arena.end(c.slot, n)
		}
	}
	return nil
}

// round makes the operations of one round, until there are enough of them or the round is to end.
func (c *actor) round(n uint64) error {
	rng := rand.New(rand.NewPCG(c.seed^uint64(c.owner)<<32, n))
	c.client.Begin(n)
	quota := c.arena.quota()
	for i := 0; i < quota && c.log.room() && (i < leastOperations || !c.arena.hurried()); i++ {
		if i%readingEvery == 0 {
			c.meter.read()
		}
		if err := c.operate(c.client.Next(rng)); err != nil {
			return fmt.Errorf("client %d, round %d: %w", c.owner, n, err)
		}
	}
	c.log.next = 0 // the reader empties it
	return nil
}

// operate makes one operation and records it. What is looked at before and after lies between the
// moments of call and return, so that a race that was seen is one within the recorded interval.
func (c *actor) operate(req Words) error {
	r := c.log.call(req, c.arena.tick)
	c.client.Before(req)
	start := c.meter.now()
	res, notes, err := c.client.Call(req)
	cost := effort{start: start, spent: c.meter.now() - start}
	if err != nil {
		return err
	}
	if len(notes) > NotesMost {
		return fmt.Errorf("an operation hands over %d notes, %d are the most: a client with more is a "+
			"defect of the engine's part of the stress", len(notes), NotesMost)
	}
	for _, w := range notes {
		c.log.note(w)
	}
	seen := c.client.After(req, res, notes)
	cost.count = seen.Count
	finish(r, res, cost, seen.Extra, c.arena.tick)
	if cost.spent > slowAfter {
		c.log.slow(c.meter.slow(cost.spent))
	}
	return nil
}
