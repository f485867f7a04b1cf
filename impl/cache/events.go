package cache

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// Reason says why an entry has left the cache, or its value was replaced.
type Reason = basket.Reason

// Reasons of events.
const (
	Replaced  = basket.ReasonReplaced  // a call has written another value
	Deleted   = basket.ReasonDeleted   // a call has deleted the key
	Expired   = basket.ReasonExpired   // the time to live of the entry was over
	Evicted   = basket.ReasonEvicted   // its room was needed for others, or it was too old (tier.N.age)
	IndexFull = basket.ReasonIndexFull // its place in the index was needed for others: see Options.Entries
	Dead      = basket.ReasonDead      // a process died while it removed the entry, and may have told it, too
	Expelled  = basket.ReasonExpelled  // it was asked for too often
)

const reasons = 8 // with 0, which is none

// Event is the argument of Options.OnEvent: an entry that has left, or whose value was replaced, with the
// value that it had. Key and Value belong to the receiver.
//
// The function is called by the goroutine whose call removed the entry, or by the janitor. This happens after
// all steps of that call and before it returns. No handle is held, so the function may call the cache, even
// Close. A set by the function may remove further entries, whose events are reported within that set. So a
// function that sets whenever an entry is evicted or has expired may call itself again and again, deeper and
// deeper in one stack. It should leave the set to another goroutine. Several goroutines may call the function
// at the same time.
//
// If the function panics, so does the call, whose change stays made. The further events of that call are
// lost; a panic in a janitor ends the process. If the function ends the goroutine (runtime.Goexit), the
// further events are lost as well, and a janitor continues.
//
// A removal is reported at most once, except those of reason Dead. A removal that a process makes just before
// it is killed may be reported by this process, by the process that takes its descriptor over, by both, or by
// neither if the first had no function.
type Event struct {
	Reason     Reason
	Key, Value []byte

	expires uint64 // as basket keeps it
}

// tally counts the entries that left by the calls with one handle.
type tally struct {
	left [reasons]seam.Uint64
	_    [64]byte
}

// queue collects the events of a writer until its handle has been given back.
type queue struct {
	wanted bool
	tally  *tally
	events []Event
	gone   uint32 // number of entries that have left for want of room
}

// options returns o for a writer that counts for the queue. If somebody wants events, the writer also reports
// entries to the queue. Otherwise nothing that leaves is copied.
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

// tell is called by the writer in the middle of a call. It copies the key and the value.
func (q *queue) tell(l basket.Leaving) {
	both := make([]byte, len(l.Key)+len(l.Value))
	n := copy(both, l.Key)
	copy(both[n:], l.Value)
	q.events = append(q.events, Event{l.Reason, both[:n:n], both[n:], l.Expires})
}

// out removes the events from the queue and returns them, with the number of entries that have left for want
// of room.
func (q *queue) out() (events []Event, gone uint32) {
	if gone = q.gone; gone != 0 {
		q.gone = 0
	}
	if len(q.events) != 0 {
		events, q.events = q.events, nil
	}
	return events, gone
}
