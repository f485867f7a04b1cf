package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// Reason says why a record has left. The zero value is no reason.
type Reason uint8

const (
	ReasonReplaced  Reason = 1 + iota // the key has another value
	ReasonDeleted                     // Remove
	ReasonExpired                     // its time to live was over, whatever made it leave
	ReasonEvicted                     // to make room
	ReasonIndexFull                   // the index had no cell for another key
	ReasonDead                        // an actor took it out and died before it told this
	ReasonExpelled                    // its key was asked for too often
	reasonCount
)

// String is the name in lower case.
func (r Reason) String() string {
	if r == 0 || r >= reasonCount {
		return fmt.Sprintf("reason%d", uint8(r))
	}
	return [...]string{"replaced", "deleted", "expired", "evicted", "index full",
		"taken back from the dead", "expelled"}[r-1]
}

// Leaving is a record that has left. Its bytes are valid during the call.
type Leaving struct {
	Reason     Reason
	Key, Value []byte
	Expires    uint64 // milliseconds since 1970 UTC, 0 for never
}

// Tally counts the records that have left by calls of a writer, by reason.
type Tally [reasonCount]uint64

// Of is the count of one reason.
func (t Tally) Of(r Reason) uint64 {
	if r >= reasonCount {
		return 0
	}
	return t[r]
}

// note says where the buffer has the key and the value of a record that is about to leave.
type note struct {
	reason   Reason
	from     int
	key, end int
	expires  uint64
}

// note copies a record that is about to leave. The record is told if it does leave.
func (w *Writer) note(r record, reason Reason) {
	if (reason == ReasonEvicted || reason == ReasonIndexFull) && w.expired(r.expires) {
		reason = ReasonExpired
	}
	n := note{reason: reason, from: len(w.said), expires: r.expires}
	if w.tell != nil {
		n.key = n.from + int(r.word.Key())
		n.end = n.key + r.valueBytes()
		if cap(w.said) < n.end {
			w.said = append(make([]byte, 0, 2*n.end), w.said...)
		}
		w.said = w.said[:n.end]
		seam.CopyOut(w.said[n.from:n.end], w.store.bytes, r.keyAt())
	}
	w.notes = append(w.notes, n)
}

// noteLinks notes some records of a chain that are about to leave.
func (w *Writer) noteLinks(links []link, reason Reason) {
	for i := range links {
		w.note(links[i].record, reason)
	}
}

// unsay forgets the notes, because the records have not left.
func (w *Writer) unsay() { w.notes, w.said = w.notes[:0], w.said[:0] }

// walkTell tells the noted records, in the order of the notes.
func (w *Writer) walkTell() {
	for _, n := range w.notes {
		w.tally[n.reason]++
		if w.count != nil {
			w.count(n.reason)
		}
		if w.tell != nil {
			w.tell(Leaving{n.reason, w.said[n.from:n.key:n.key], w.said[n.key:n.end:n.end], n.expires})
		}
	}
	w.unsay()
}

// noteChain notes all records of a chain that was handed over. They have left, for the reason; only the hand
// protects them from being overwritten.
func (w *Writer) noteChain(ref Ref, reason Reason) {
	unit := ref.unit()
	if uint64(unit) >= uint64(len(w.store.records)) {
		return
	}
	hash := w.store.copySize(unit).Hash()
	for range ChainMax {
		x, sound := w.store.look(ref, hash)
		if !sound {
			return
		}
		w.note(x, reason)
		b := w.store.basketOf(x.unit)
		w.store.lower(dying{b, x.size.Units(), w.store.baskets[b].hintRead()})
		if ref = x.word.Next(); ref == 0 {
			return
		}
	}
}
