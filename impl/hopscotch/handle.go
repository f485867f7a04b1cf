package hopscotch

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// Handle changes the table. It owns one descriptor. Only one goroutine at a time may use it.
type Handle struct {
	table      *Table
	d          *descriptor
	index      uint32
	owner      Owner
	generation Generation // of the last operation
	named      Generation // of the last operation by which something left,
	names      bool       // if there was one that has not been forgotten
	stuck      error      // why no call may begin: the last operation could not be finished; closed
	lost       bool       // that operation is the handle's own: a cell may refer to the descriptor
	left       []Leaving  // by the last call
	handOver   func(Leaving)
	tally      Tally
	share      share
	inherited  Reclaimed
	unrung     uint32 // deletes since the services were told of some
	op         operation
	coin       seam.Coin
}

// Left returns the elements that left the table by the last call of this handle, in that order. Each value
// now belongs to the caller: nobody else receives it, and no element of the table has it. The value of a
// deleted element leaves when an add or a crop reclaims its cell. The slice is valid until the next call of a
// method of the handle. (The old value of an update is returned by Update. Values that leave by Clear,
// CropAll and CropNext are passed to their functions, and are not listed here.)
//
// Readers may still be about to use a value that has left. If a value names a record, reuse the record only
// after all readers of that time have finished.
//
// If the owner of an operation dies before the operation returns, Reclaim returns what left by it.
func (h *Handle) Left() []Leaving { return h.left }

// admits reports whether a call on the key may begin; if not, refuse returns the reason. In both cases it
// empties the list of Left.
func (h *Handle) admits(key Key) bool { return h.begin() == nil && !key.Reserved() }

// refuse is the error of a call on the key that may not begin; what is the name of the call.
func (h *Handle) refuse(what string, key Key) error {
	if key.Reserved() {
		return fmt.Errorf("%s of key %v: %w", what, key, ErrKey)
	}
	return fmt.Errorf("%s of key %v: %w", what, key, h.begin())
}

// refuseValue is the error of a call that brings the value 0 for the key.
//
//go:noinline
func (h *Handle) refuseValue(what string, key Key) error {
	return fmt.Errorf("%s of key %v: %w", what, key, ErrValue)
}

// begin returns why no call may begin, or nil, and empties the list of Left.
func (h *Handle) begin() error {
	h.left = h.left[:0]
	if h.table == nil {
		return ErrZero
	}
	return h.stuck
}

// help finishes the operation of another handle to which r refers.
func (h *Handle) help(r Ref) error {
	switch h.op.help(h.table, r) {
	case broken:
		return ErrCorrupt
	case unfinished:
		return ErrBusy
	}
	return nil
}

// drive finishes the own operation, which has just been installed, and keeps what left by it. After an error
// the handle cannot be used any more, because a cell may still refer to its descriptor.
func (h *Handle) drive() error { return h.driven(h.op.finish()) }

// driven handles the end of the own operation.
func (h *Handle) driven(e ending) error {
	switch e {
	case over:
		if l, ok := h.op.leaving(); ok {
			h.left = append(h.left, l)
			h.named, h.names = h.generation, true
			h.book(l)
		}
		return nil
	case unfinished:
		h.stuck, h.lost = ErrBusy, true
	default: // the generation of one's own operation does not move on by itself
		h.stuck, h.lost = ErrCorrupt, true
	}
	return h.stuck
}

// NewHandle takes the first free descriptor for owner, a number of 1 to 2^32-1 by which people recognise the
// actor. If all descriptors are taken, it takes the first one whose owner is dead, as Reclaim does; Inherited
// then returns what was in it. Errors: ErrOwner, ErrHandles, and with the latter those of Reclaim;
// region.ErrReadOnly. Progress: wait-free; lock-free if all are taken.
func (t *Table) NewHandle(owner uint64) (*Handle, error) {
	word, err := t.ownerWord(owner)
	if err != nil {
		return nil, err
	}
	for i := range t.descriptors {
		if t.descriptors[i].ownerTake(word) {
			return t.handle(uint32(i), word), nil
		}
	}
	return t.inherit(word)
}

// handle is the handle of a descriptor that is the owner's already.
func (t *Table) handle(index uint32, owner Owner) *Handle {
	h := &Handle{table: t, d: &t.descriptors[index], index: index, owner: owner}
	h.Rewind()
	return h
}

// Inherited returns what was in the descriptor if NewHandle took it from a dead owner, and whether it did.
// The value that left by the last operation of that owner belongs to the caller, as with Reclaim.
func (h *Handle) Inherited() (Reclaimed, bool) { return h.inherited, h.inherited.Owner != 0 }

// Rewind reads the generation from the descriptor again. It also forgets a failure, and the number of
// deletes since a service was last woken. It is only for programs that put the region back to an earlier
// state under a handle. A closed handle stays closed.
func (h *Handle) Rewind() {
	if h.d == nil {
		return // closed
	}
	h.generation = h.d.ownerHead().Generation()
	h.stuck, h.lost, h.unrung, h.names = nil, false, 0, false
}

// Descriptor is the index of the descriptor that the handle owns.
func (h *Handle) Descriptor() uint32 { return h.index }

// Table is the table that the handle changes.
func (h *Handle) Table() *Table { return h.table }

// Get is Table.Get.
func (h *Handle) Get(key uint32) (value uint32, ok bool) {
	if h.table == nil {
		h.table.mustBeMade("get by a handle")
	}
	return h.table.Get(key)
}

// Close gives the descriptor back. The next owner continues from its generation, so references to operations
// of this handle stay harmless, and nobody else receives the values that left by them. If an operation of the
// handle could not be finished, the descriptor is not given back, because a cell may still refer to it, and
// Close returns the error of that operation. If only a share of the services' work failed (Assist), the
// descriptor is given back, and Close returns that error. A second Close returns ErrClosed.
func (h *Handle) Close() error {
	if h.d == nil {
		return ErrClosed
	}
	d, stuck := h.d, h.stuck
	h.d, h.stuck = nil, ErrClosed
	if h.lost {
		return fmt.Errorf("descriptor %d is lost: %w", h.index, stuck)
	}
	d.ownerRetire(h.table.refs.Next(h.generation))
	if !d.ownerFree(h.owner) {
		return fmt.Errorf("descriptor %d has another owner: %w", h.index, ErrCorrupt)
	}
	return stuck
}
