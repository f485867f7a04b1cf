package cache

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// Reason says why an entry has left the cache, or its value was replaced.
type Reason = basket.Reason

// Reasons of events.
const (
	Replaced  = basket.ReasonReplaced  // a call has set another value
	Deleted   = basket.ReasonDeleted   // a call has deleted the key
	Expired   = basket.ReasonExpired   // the time of the entry was over
	Evicted   = basket.ReasonEvicted   // its room was needed for others, or it was too old (tier.N.age)
	IndexFull = basket.ReasonIndexFull // its place in the index was needed for others: see Options.Entries
	Dead      = basket.ReasonDead      // a process died while it took the entry out; it may have told it, too
	Expelled  = basket.ReasonExpelled  // it was asked for too often
)

const reasons = 8 // with 0, which is none

// Event is what Options.OnEvent is told: an entry that has left, or whose value was replaced, with the value
// that has gone. Key and Value belong to the receiver.
//
// The function is called by the goroutine whose call took the entry out (or by the janitor), behind all steps
// of that call and ahead of its return, with nothing held: it may call the cache, Close too. A set that it
// makes may take further entries out, of which it is told within that set: so a function that sets whenever
// an entry is evicted calls itself without an end. Goroutines call it at the same time. If it panics, so does
// the call, whose change is made; the further events of that call are lost, and a janitor ends the process. A
// removal is told at most once, save for those of reason Dead: what a process takes out just before it is
// killed may be told by it, by who finds its traces, by both, or by nobody if it had no function.
type Event struct {
	Reason     Reason
	Key, Value []byte

	expires uint64 // as basket keeps it
}

// tally counts what left by the calls with one handle.
type tally struct {
	left [reasons]seam.Uint64
	_    [64]byte
}

// queue collects what a writer is told of, until its handle has been given back.
type queue struct {
	wanted bool
	tally  *tally
	events []Event
	gone   uint32 // entries that have left for want of room
}

// options are o for a writer that counts for the queue, and tells it what events are made of if somebody
// wants them. Else nothing of what leaves is copied.
func (q *queue) options(o basket.WriterOptions) basket.WriterOptions {
	o.Count = q.count
	if q.wanted {
		o.Tell = q.tell
	}
	return o
}

// count is called by the writer for each entry that has left.
func (q *queue) count(r Reason) {
	if int(r) < reasons {
		x := &q.tally.left[r]
		x.Store(x.Load() + 1) // whoever has the writer is the only one who counts
		if r == Evicted || r == IndexFull {
			q.gone++
		}
	}
}

// tell is called by the writer, in the middle of a call: what it shows is copied.
func (q *queue) tell(l basket.Leaving) {
	both := make([]byte, len(l.Key)+len(l.Value))
	n := copy(both, l.Key)
	copy(both[n:], l.Value)
	q.events = append(q.events, Event{l.Reason, both[:n:n], both[n:], l.Expires})
}

// out are the events, which the queue has no more, and how many entries have left for want of room.
func (q *queue) out() (events []Event, gone uint32) {
	if gone = q.gone; gone != 0 {
		q.gone = 0
	}
	if len(q.events) != 0 {
		events, q.events = q.events, nil
	}
	return events, gone
}
