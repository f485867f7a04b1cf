package hopscotch

import "fmt"

// What has left the table and is in its owner's hands: readable by anybody in the descriptor of the operation
// by which it left, until the owner has dealt with it. Specification: spec/tla/hopscotch/Handed.tla.

// Handed calls yield with each value that has left the table by the last operation of a descriptor and is
// named there still, until yield returns false. A value that has left before the call is among them if its
// owner neither begins another operation nor forgets it (Handle.Forget) before the call returns. So may be
// values that leave during the call, or that an operation is about to take out. Whoever wants to use again
// what values name, such as records, looks here after it has found nothing in the table: what is handed is
// in use still.
//
// A descriptor names no more than one value. An add that makes several elements leave, or a crop, names only
// the last one: deal with each in the function of HandOver, which is called before the next operation begins.
// Values of updates and swaps never come here. What a dead owner had coming is named until it is reclaimed
// (Handle.ReclaimEach).
//
// It writes nothing and does not allocate. Progress: wait-free. A descriptor whose words make no sense is
// passed over; Check finds it.
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

// handedBy is the value that the last operation of the descriptor has taken out, or is about to, 0 if there
// is none. The head is read first and last, and the target after the first look: a decision to take something
// out stays. If the head has changed meanwhile, the owner has begun another operation, or has forgotten.
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

// Forget says that the caller has dealt with what has left by the last operation of the handle: Handed does
// not name it any more, and no Reclaim will. If nothing has left by that operation it does nothing.
//
// Errors: ErrClosed, and that of an operation of the handle that could not be finished, which keeps what it
// names. Progress: wait-free, one store.
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
