package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Index is what the store needs of the map from hashes to refs: one word for each hash, and every change of
// it is one compare-and-swap. [OnTable] is the implementation for programs; the tests have a double of it.
// One goroutine at a time may use it.
type Index interface {
	// Ticket returns what the hash has now; ok is false if it has nothing.
	Ticket(hash uint32) (ticket hopscotch.Ticket, ok bool, err error)
	// Still reports whether the hash has had that, unchanged, since the ticket was given. Its accesses come
	// after each copy that was made before the call.
	Still(ticket hopscotch.Ticket) bool
	// CompareAndSwap gives the hash another ref if the ticket holds.
	CompareAndSwap(ticket hopscotch.Ticket, ref uint32) (ok bool, err error)
	// CompareAndDelete takes the hash out if the ticket holds. Nothing is handed over.
	CompareAndDelete(ticket hopscotch.Ticket) (ok bool, err error)
	// Add gives a ref to a hash that has nothing. If the hash has a ref already, it returns false, and
	// nothing has happened. If the index has no room, Add takes other hashes out, and calls left for each of
	// their refs. Handed yields such a ref to everybody, from the instant at which it leaves the index until
	// the call of left has returned, or longer.
	Add(hash, ref uint32, left func(ref uint32)) (added bool, err error)
	// Forget says that everything handed over by the last call has been copied. Handed does not yield it any
	// more.
	Forget() error
	// Handed yields each ref that is no longer in the index and that the actor which took it out has not
	// copied yet. It may yield more refs.
	Handed(yield func(ref uint32) bool)
	// Settle finishes what dead owners have begun. It calls left for each ref that left the index by that
	// and was never handed over. Handed yields the ref until the call of left has returned.
	Settle(left func(ref uint32)) error
}

// ErrFull is the error of an add to a full index that may take nothing out.
var ErrFull = errors.New("index is full and may take nothing out: make it without KeepAll, or with more " +
	"cells")

// table is an Index on a handle of a table.
type table struct {
	*hopscotch.Handle
	left func(ref uint32) // of the add that runs
}

// OnTable is the index in a table, used through a handle. The table's function Older should tell the ages of
// records. From now on the store owns what the handle hands over (HandOver). While a writer or a reader uses
// the index, nothing else may use the handle.
func OnTable(h *hopscotch.Handle) Index {
	x := &table{Handle: h}
	h.HandOver(x.handOver)
	return x
}

// handOver passes on what an add takes out. It skips old values of swaps, and deleted elements whose cells
// are reclaimed: the actor that swapped or deleted them has handled them already.
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

// Handed yields what the last operation of each handle has taken out of the table, if its owner has not
// forgotten it.
func (x *table) Handed(yield func(ref uint32) bool) { x.Table().Handed(yield) }

// Settle reclaims the descriptors of the dead. What a conditional delete of a dead owner took out has left,
// too, because a delete tells its record only after Forget.
func (x *table) Settle(left func(ref uint32)) error {
	return x.ReclaimEach(func(r hopscotch.Reclaimed) {
		if r.Leaves && r.Left.Reason != hopscotch.ReasonDeleted {
			left(r.Left.Value)
		}
	})
}
