package linearizability

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// The second search is for the histories that porcupine has no memory for: just-in-time linearization
// (Lowe, Testing for Linearizability, 2017). It walks through the calls and returns in the order of time and
// keeps the configurations that are possible so far: what the map holds, and which of the operations in
// flight have happened. An operation that returns must have happened; where it has not, it happens then,
// after each sequence of others in flight that makes it possible. Nothing is lost by happening so late:
// whatever comes before an operation in some order was called before that operation returned.
//
// The memory depends on what is in flight at one time, not on the length of the history. Porcupine keeps a
// set of all operations for each step, and where many clients work on one key at once, many steps.

// flightMost is how many operations on one key may be in flight at one time: they are the bits of a word.
const flightMost = 64

// ErrFlight is of a history that neither search has room for.
var ErrFlight = errors.New("too many operations in flight on one key; record fewer clients, or fewer deaths")

// configurationWords is what the walk takes for a configuration, from above, in words of eight bytes.
const configurationWords = 16

// configuration is one way in which a history may have come about so far.
type configuration struct {
	state keyState
	done  uint64 // places of those in flight that have happened
}

// walk is the search through the operations of one key.
type walk struct {
	ops      [flightMost]*mapmodel.Op // by their place
	used     uint64                   // places that are taken
	dead     uint64                   // of these, by operations of killed clients
	frontier []configuration          // all that are possible
	left     int                      // configurations that may be seen within one step
	deadline time.Time
}

// moment is the call of an operation, or its return.
type moment struct {
	time    int64
	returns bool
	op      *mapmodel.Op
}

// walkThrough decides the operations of one key, which is as given at first.
func walkThrough(part []porcupine.Operation, limits Limits, deadline time.Time,
	first keyState) (o Outcome, err error) {
	w := &walk{frontier: []configuration{{state: first}}, deadline: deadline}
	for i, m := range moments(part) {
		if i%1024 == 0 && time.Now().After(deadline) {
			return Unknown, ErrTimeout
		}
		w.left = int(min(limits.Words/configurationWords, 1<<30))
		if m.returns {
			err = w.end(m.op)
		} else {
			err = w.call(m.op)
		}
		switch {
		case err != nil:
			return Unknown, err
		case len(w.frontier) == 0:
			return Illegal, nil
		}
	}
	return Ok, nil
}

// moments are the calls and the returns in the order of time, calls first: what touches overlaps. Killed
// operations do not return.
func moments(part []porcupine.Operation) []moment {
	all := make([]moment, 0, 2*len(part))
	for i := range part {
		op := part[i].Input.(*mapmodel.Op)
		all = append(all, moment{op.Call, false, op})
		if !op.Pending {
			all = append(all, moment{op.Return, true, op})
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		switch {
		case a.time != b.time || a.returns == b.returns:
			return cmp.Compare(a.time, b.time)
		case b.returns:
			return -1
		}
		return 1
	})
	return all
}

// call gives the operation a place.
func (w *walk) call(op *mapmodel.Op) error {
	place := bits.TrailingZeros64(^w.used)
	if place == flightMost {
		return ErrFlight
	}
	w.ops[place] = op
	w.used |= 1 << place
	if op.Pending {
		w.dead |= 1 << place
		return nil
	}
	for i, c := range w.frontier {
		w.frontier[i] = w.settle(c, 1<<place)
	}
	return nil
}

// settle lets happen which of the living operations are possible and change nothing: to have that behind one
// is never a loss. Those of killed clients need not happen at all.
func (w *walk) settle(c configuration, places uint64) configuration {
	for rest := places &^ c.done &^ w.dead; rest != 0; rest &= rest - 1 {
		place := bits.TrailingZeros64(rest)
		if ok, after := c.state.step(w.ops[place]); ok && after == c.state {
			c.done |= 1 << place
		}
	}
	return c
}

// end takes the operation that returns out of flight: it has happened in what is possible from here on.
func (w *walk) end(op *mapmodel.Op) error {
	place := slices.Index(w.ops[:], op)
	bit := uint64(1) << place
	if slices.ContainsFunc(w.frontier, func(c configuration) bool { return c.done&bit == 0 }) {
		if err := w.happen(bit); err != nil {
			return err
		}
	}
	for i := range w.frontier {
		w.frontier[i].done &^= bit
	}
	w.ops[place] = nil
	w.used &^= bit
	return nil
}

// happen replaces each configuration in which the operation has not happened by those in which it has, after
// every sequence of others that makes it possible.
func (w *walk) happen(bit uint64) error {
	seen, next := configurations{}, configurations{}
	var frontier []configuration
	queue := w.frontier
	for i := 0; i < len(queue); i++ { // the shortest sequences first
		c := queue[i]
		if c.done&bit != 0 {
			if next.offer(c, w.dead) {
				frontier = append(frontier, c)
			}
			continue
		}
		if i%1024 == 0 && time.Now().After(w.deadline) {
			return ErrTimeout
		}
		for rest := w.used &^ c.done; rest != 0; rest &= rest - 1 {
			place := bits.TrailingZeros64(rest)
			ok, after := c.state.step(w.ops[place])
			if !ok || after == c.state {
				continue
			}
			d := w.settle(configuration{after, c.done | 1<<place}, w.used)
			if !seen.offer(d, w.dead) {
				continue
			}
			if w.left--; w.left < 0 {
				return ErrMemory
			}
			queue = append(queue, d)
		}
	}
	w.frontier = frontier
	return nil
}

// configurations that are kept: for the same contents and the same living operations, the sets of dead ones.
type configurations map[configuration][]uint64

// offer keeps the configuration unless one is kept that allows as much: the same one, or one in which fewer
// of the dead have happened, for these may still happen at any time, or never.
func (k configurations) offer(c configuration, dead uint64) bool {
	living := configuration{c.state, c.done &^ dead}
	sets := k[living]
	for _, set := range sets {
		if set&^c.done == 0 {
			return false
		}
	}
	k[living] = append(sets, c.done&dead)
	return true
}
