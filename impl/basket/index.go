package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Index is what the store needs of the map from hashes to refs: one word for each hash, whose every change is
// one compare-and-swap. [OnTable] is the one that ships; a test has a double of it. One goroutine at a time
// may use it.
type Index interface {
	// Ticket is what the hash has now; ok is false if it has nothing.
	Ticket(hash uint32) (ticket hopscotch.Ticket, ok bool, err error)
	// Still reports whether the hash has had that, unchanged, since the ticket was given. Its accesses come
	// after each copy before the call.
	Still(ticket hopscotch.Ticket) bool
	// CompareAndSwap gives the hash another ref if the ticket holds.
	CompareAndSwap(ticket hopscotch.Ticket, ref uint32) (ok bool, err error)
	// CompareAndDelete takes the hash out if the ticket holds. It hands over nothing.
	CompareAndDelete(ticket hopscotch.Ticket) (ok bool, err error)
	// Add gives a hash that has nothing a ref. It is false, and nothing has happened, if the hash has one.
	// If it has no room it takes others out, and calls left for each of their refs; Handed yields that ref
	// to everybody from the instant at which it goes until the call of left has returned, or longer.
	Add(hash, ref uint32, left func(ref uint32)) (added bool, err error)
	// Forget says that what was handed over by the last call has been copied: Handed yields it no more.
	Forget() error
	// Handed yields each ref that is neither in the index, nor copied by whoever has taken it out, or more.
	Handed(yield func(ref uint32) bool)
	// Settle finishes what dead owners have begun, and calls left for each ref that went by that and was
	// never handed over; Handed yields it until the call of left has returned.
	Settle(left func(ref uint32)) error
}

// ErrFull is the failure of an add to an index that keeps all that it has.
var ErrFull = errors.New("index is full and may take nothing out: make it without KeepAll, or with more " +
	"cells")

// table is a handle as an Index.
type table struct {
	*hopscotch.Handle
	left func(ref uint32) // of the add that runs
}

// OnTable is the index in a table, by a handle of it. The table's function Older should tell the ages of
// records. What the handle hands over (HandOver) is the store's from here on. The handle must not be used
// otherwise while a writer or a reader uses the index.
func OnTable(h *hopscotch.Handle) Index {
	x := &table{Handle: h}
	h.HandOver(x.handOver)
	return x
}

// handOver passes on what an add takes out. Old values of swaps, and deleted elements whose cells are
// reclaimed, have been dealt with by those who swapped or deleted.
func (x *table) handOver(l hopscotch.Leaving) {
	if x.left != nil && (l.Reason == hopscotch.ReasonEvicted || l.Reason == hopscotch.ReasonReplaced) {
		x.left(l.Value)
	}
}

func (x *table) Add(hash, ref uint32, left func(ref uint32)) (added bool, err error) {
	x.left = left
	r, err := x.Handle.Add(hash, ref)
	x.left = nil
	if err == nil && r == hopscotch.Full {
		err = fmt.Errorf("add of hash %#x: %w", hash, ErrFull)
	}
	return r == hopscotch.Added, err
}

// Handed is what the last operation of each handle has taken out of the table, and its owner has not
// forgotten.
func (x *table) Handed(yield func(ref uint32) bool) { x.Table().Handed(yield) }

// Settle reclaims the descriptors of the dead. What they took out by a conditional delete has left, too: they
// tell only behind Forget.
func (x *table) Settle(left func(ref uint32)) error {
	return x.ReclaimEach(func(r hopscotch.Reclaimed) {
		if r.Leaves && r.Left.Reason != hopscotch.ReasonDeleted {
			left(r.Left.Value)
		}
	})
}
