package linearizability

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
)

// The second search is for the histories that porcupine has no memory for: just-in-time linearization
// (Lowe, Testing for Linearizability, 2017). It walks through the calls and returns in the order of time and
// keeps the configurations that are possible so far: the state of the object, and which of the operations in
// flight have happened. An operation that returns must have happened; where it has not, it happens then,
// after each sequence of others in flight that makes it possible. Nothing is lost by happening so late:
// whatever comes before an operation in some order was called before that operation returned.
//
// The memory depends on what is in flight at one time, not on the length of the history. Porcupine keeps a
// set of all operations for each step, and where many clients work on one part at once, many steps.

// flightMost is the largest number of operations on one key that may be in flight at one time: they are the
// bits of a word.
const flightMost = 64

// ErrFlight is the error for a history for which neither search has enough room.
var ErrFlight = errors.New("too many operations in flight on one key; record fewer clients, or fewer deaths")

// configurationWords is what the walk takes for a configuration besides its state, from above, in words of
// eight bytes.
const configurationWords = 14

// configuration is one way in which a history may have come about so far.
type configuration[S comparable] struct {
	state S
	done  uint64 // places of those in flight that have happened
}

// walk is the search through the operations of one part.
type walk[Q, R history.Value, S comparable] struct {
	*model[Q, R, S]
	ops      [flightMost]*history.Op[Q, R] // by their place
	used     uint64                        // places that are taken
	dead     uint64                        // of these, by operations of killed clients
	passive  uint64                        // of these, by operations that are read only
	frontier []configuration[S]            // all that are possible
	left     int64                         // words that may be taken within one step
	deadline time.Time
	buf      []S
	err      error // a model that contradicts itself
}

// moment is the call of an operation, or its return.
type moment[Q, R history.Value] struct {
	time    int64
	returns bool
	op      *history.Op[Q, R]
}

// walk decides the operations of one part.
func (m *model[Q, R, S]) walk(part []porcupine.Operation, limits Limits,
	deadline time.Time) (Outcome, error) {
	first := m.Init(part[0].Input.(*history.Op[Q, R]).Request)
	w := &walk[Q, R, S]{model: m, frontier: []configuration[S]{{state: first}}, deadline: deadline}
	for i, event := range moments[Q, R](part) {
		if i%1024 == 0 && time.Now().After(deadline) {
			return Unknown, ErrTimeout
		}
		w.left = limits.Words
		var err error
		if event.returns {
			err = w.end(event.op)
		} else {
			err = w.call(event.op)
		}
		switch {
		case err != nil:
			return Unknown, err
		case w.err != nil:
			return Unknown, w.err
		case len(w.frontier) == 0:
			return Illegal, nil
		}
	}
	return Ok, nil
}

// moments are the calls and the returns in the order of time, calls first: what touches overlaps. Killed
// operations do not return.
func moments[Q, R history.Value](part []porcupine.Operation) []moment[Q, R] {
	all := make([]moment[Q, R], 0, 2*len(part))
	for i := range part {
		op := part[i].Input.(*history.Op[Q, R])
		all = append(all, moment[Q, R]{op.Call, false, op})
		if !op.Pending {
			all = append(all, moment[Q, R]{op.Return, true, op})
		}
	}
	slices.SortStableFunc(all, func(a, b moment[Q, R]) int {
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
func (w *walk[Q, R, S]) call(op *history.Op[Q, R]) error {
	place := bits.TrailingZeros64(^w.used)
	if place == flightMost {
		return ErrFlight
	}
	w.ops[place] = op
	w.used |= 1 << place
	switch {
	case op.Pending && !w.knowsPending():
		return ErrPending
	case op.Pending:
		w.dead |= 1 << place
		return nil
	case w.readOnly(op):
		w.passive |= 1 << place
	}
	for i, c := range w.frontier {
		w.frontier[i] = w.settle(c, 1<<place)
	}
	return nil
}

// settle lets happen which of the living operations are read only and possible: to have that behind one is
// never a loss. Those of killed clients need not happen at all. An operation that merely changes nothing in
// this state is another matter: later it might change something.
func (w *walk[Q, R, S]) settle(c configuration[S], places uint64) configuration[S] {
	for rest := places &^ c.done & w.passive; rest != 0; rest &= rest - 1 {
		place := bits.TrailingZeros64(rest)
		op := w.ops[place]
		after, ok := w.Step(c.state, op.Request, op.Result)
		if ok && after != c.state {
			w.err = fmt.Errorf("%w: %s is said to be read only, but changes %v to %v; correct ReadOnly",
				ErrModel, op, c.state, after)
		}
		if ok {
			c.done |= 1 << place
		}
	}
	return c
}

// end takes the operation that returns out of flight: it has happened in what is possible from here on.
func (w *walk[Q, R, S]) end(op *history.Op[Q, R]) error {
	place := slices.Index(w.ops[:], op)
	bit := uint64(1) << place
	if slices.ContainsFunc(w.frontier, func(c configuration[S]) bool { return c.done&bit == 0 }) {
		if err := w.happen(bit); err != nil {
			return err
		}
	}
	for i := range w.frontier {
		w.frontier[i].done &^= bit
	}
	w.ops[place] = nil
	w.used &^= bit
	w.passive &^= bit
	return nil
}

// happen replaces each configuration in which the operation has not happened by those in which it has, after
// every sequence of others that makes it possible.
func (w *walk[Q, R, S]) happen(bit uint64) error {
	seen, next := configurations[S]{}, configurations[S]{}
	var frontier []configuration[S]
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
			w.buf = w.after(w.buf[:0], c.state, w.ops[place])
			for _, after := range w.buf {
				if w.dead&(1<<place) != 0 && after == c.state {
					continue // as if it had not happened
				}
				d := w.settle(configuration[S]{after, c.done | 1<<place}, w.used)
				if !seen.offer(d, w.dead) {
					continue
				}
				if w.left -= configurationWords + w.words() + w.beyond(after); w.left < 0 {
					return ErrMemory
				}
				queue = append(queue, d)
			}
		}
	}
	w.frontier = frontier
	return nil
}

// configurations that are kept: for the same state and the same living operations, the sets of dead ones.
type configurations[S comparable] map[configuration[S]][]uint64

// offer keeps the configuration unless one is kept that allows as much: the same one, or one in which fewer
// of the dead have happened, for these may still happen at any time, or never.
func (k configurations[S]) offer(c configuration[S], dead uint64) bool {
	living := configuration[S]{c.state, c.done &^ dead}
	sets := k[living]
	for _, set := range sets {
		if set&^c.done == 0 {
			return false
		}
	}
	k[living] = append(sets, c.done&dead)
	return true
}
