package hopscotch

import "fmt"

// Values that have left the table and with which their owner has not yet dealt. Anybody can read such a value
// in the descriptor of the operation by which it left. Specification: spec/tla/hopscotch/Handed.tla.

// Handed calls yield with each value that has left the table by the last operation of a descriptor, and that
// this descriptor still names, until yield returns false. A value that has left before the call is among them
// if its owner neither begins another operation nor forgets it (Handle.Forget) before the call returns.
// Values that leave during the call, or that an operation is about to take out, may also be among them. A
// program that wants to reuse what values name, such as records, looks here after it has found nothing in the
// table: what Handed returns is still in use.
//
// A descriptor names at most one value. An add that makes several elements leave, or a crop, names only the
// last one. So deal with each value in the function of HandOver, which is called before the next operation
// begins. Old values of updates and swaps are never listed. The value of a dead owner is listed until its
// descriptor is reclaimed (Handle.ReclaimEach).
//
// Handed writes nothing and does not allocate. Progress: wait-free. It skips a descriptor whose words are
// invalid; Check reports it.
func (t *Table) Handed(yield func(value uint32) bool) {
	t.mustBeMade("handed")
	if yield == nil {
		panic("hopscotch: handed without a function to call: give one")
	}
	for i := range uint32(len(t.descriptors)) {
		if v := t.handedBy(i); v != 0 && !yield(v) {
			return
		}
	}
}

// handedBy is the value that the last operation of the descriptor has taken out, or is about to take out; it
// is 0 if there is none. The head is read first and last, and the target after the first look, because a
// decision to take something out is final. If the head has changed in between, the owner has begun another
// operation, or has forgotten the value.
func (t *Table) handedBy(i uint32) uint32 {
	d := &t.descriptors[i]
	head := d.handedHead()
	if !t.sound(head) || !kindsLeaving.has(head.Kind()) {
		return 0
	}
	o := operation{table: t, d: d, ref: t.refs.Make(i, head.Generation())}
	o.target = d.handedTarget()
	if o.target.Generation() != head.Generation() || o.load() != underway {
		return 0
	}
	l, _ := o.leaving()
	return l.Value
}

// Forget says that the caller has dealt with what left by the last operation of the handle: Handed does not
// list it any more, and no Reclaim returns it. If nothing left by that operation, Forget does nothing.
//
// Errors: ErrClosed, and the error of an operation of the handle that could not be finished; such an
// operation keeps its value. Progress: wait-free, one store.
func (h *Handle) Forget() error {
	if err := h.begin(); err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if h.names && h.named == h.generation {
		h.generation = h.table.refs.Next(h.generation)
		h.d.ownerForget(h.generation)
	}
	h.names = false
	return nil
}

// The accesses of Handed and Forget.

// handedHead is the generation and the kind of the last operation.
func (d *descriptor) handedHead() Head { return Head(d.head.Load()) }

// handedTarget is whether it takes something out. The words between the two looks at the head are helpHead to
// helpHeadAgain.
func (d *descriptor) handedTarget() Target { return Target(d.target.Load()) }

// ownerForget ends the generation of the own operation, which is over, with the next one.
func (d *descriptor) ownerForget(next Generation) {
	d.head.Store(uint64(MakeHead(next, KindNone, 0, 0)))
}
