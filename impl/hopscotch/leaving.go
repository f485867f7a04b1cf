package hopscotch

import "fmt"

// Elements that leave the table: who receives them, why they left, and how often that happened.

// Leaving is an element that has left the table, or the old value of an element that was updated.
type Leaving struct {
	Key    uint32 // 0 if the element had been deleted before
	Value  uint32 // nobody else receives it, and no element has it
	Reason Reason
}

// Reason says why a value belongs to the caller now. The zero value is no reason.
type Reason uint8

const (
	// ReasonDeleted is for an element that was deleted before; its cell has been reclaimed.
	ReasonDeleted Reason = 1 + iota
	// ReasonEvicted is for the oldest member of a bucket whose windows were full, or for the member of
	// another bucket in the home cell of a new element: nothing could move, so it left.
	ReasonEvicted
	// ReasonReplaced is for a base without members whose windows were full: the new element, of the
	// same bucket, has its cell.
	ReasonReplaced
	// ReasonDiscarded is for the element of a ticket, by CompareAndDelete.
	ReasonDiscarded
	// ReasonUpdated is for the old value of an update; the element is in the table.
	ReasonUpdated
)

// String is the reason's name in lower case.
func (r Reason) String() string {
	switch r {
	case ReasonDeleted:
		return "deleted"
	case ReasonEvicted:
		return "evicted"
	case ReasonReplaced:
		return "replaced"
	case ReasonDiscarded:
		return "discarded"
	case ReasonUpdated:
		return "updated"
	}
	return fmt.Sprintf("reason%d", uint8(r))
}

// HandOver sets a function that is called with each value that becomes the caller's by a call of this handle,
// at that moment and in order, including old values of updates; nil ends this. Release records only in this
// function. Left, Update, CropAll and similar calls report the same values too, so release nothing there. The
// function must not use the handle.
//
// The value of a dead process is reported only by Reclaim, because it may be uncertain.
func (h *Handle) HandOver(to func(Leaving)) { h.handOver = to }

// Tally counts what a handle has done since it was made. It is in the memory of its process, and only the
// handle changes it.
type Tally struct {
	Added     uint64 // elements, by Add
	Updated   uint64 // elements, by Update and CompareAndSwap
	Deleted   uint64 // elements, by Delete, CompareAndDelete and Clear
	Evicted   uint64 // elements that left by an add for want of room, with ReasonEvicted
	Replaced  uint64 // the same with ReasonReplaced
	Reclaimed uint64 // cells of deleted elements, by an add or a crop
}

// Tally returns what the handle has done so far. Help for an operation of another handle counts for that
// handle.
func (h *Handle) Tally() Tally { return h.tally }

// book counts a value that the caller receives, and hands it over.
func (h *Handle) book(l Leaving) {
	switch l.Reason {
	case ReasonDeleted:
		h.tally.Reclaimed++
	case ReasonEvicted:
		h.tally.Evicted++
	case ReasonReplaced:
		h.tally.Replaced++
	}
	h.give(l)
}

// give hands it over.
func (h *Handle) give(l Leaving) {
	if h.handOver != nil {
		h.handOver(l)
	}
}

// leaving is the element that has left the table by the operation, which is over.
func (o *operation) leaving() (l Leaving, ok bool) {
	if o.target.Status() != StatusCommitted {
		return l, false
	}
	key := KeyLost
	switch o.head.Kind() {
	case KindDrop:
		key, l.Value, l.Reason = o.pair.Key(), uint32(o.pair.Value()), ReasonEvicted
	case KindReplace:
		key, l.Value, l.Reason = o.plan.Key(), uint32(o.expect.Value()), ReasonReplaced
	case KindLift, KindClear:
		key, l.Value, l.Reason = o.plan.Key(), uint32(o.expect.Value()), ReasonDiscarded
	default:
		return l, false
	}
	switch {
	case key == KeyLost:
		l.Reason = ReasonDeleted
	case o.discards:
		l.Key, l.Reason = uint32(key), ReasonDiscarded
	default:
		l.Key = uint32(key)
	}
	return l, true
}
