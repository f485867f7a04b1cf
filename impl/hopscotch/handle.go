package hopscotch

import "fmt"

// Handle is the right to change the table: it owns one descriptor. One goroutine at a time may
// use it.
type Handle struct {
	table      *Table
	d          *descriptor
	index      uint32
	owner      uint64
	generation Generation // of the last operation
	stuck      error      // the last operation could not be finished
	op         operation
}

// NewHandle takes the first free descriptor for owner, a number other than 0 by which a person
// knows the actor again. Errors: ErrOwner, ErrHandles. Progress: wait-free.
func (t *Table) NewHandle(owner uint64) (*Handle, error) {
	if owner == 0 {
		return nil, ErrOwner
	}
	for i := range t.descriptors {
		d := &t.descriptors[i]
		// Owned from here on by whoever moves it away from nobody.
		if !d.owner.CompareAndSwap(0, owner) {
			continue
		}
		h := &Handle{table: t, d: d, index: uint32(i), owner: owner}
		h.Rewind()
		return h, nil
	}
	return nil, fmt.Errorf("handle for owner %d: %w (%d of %d)",
		owner, ErrHandles, len(t.descriptors), len(t.descriptors))
}

// Rewind takes the generation from the descriptor again, and forgets a failure. It is for
// programs that put the region back to an earlier state under a handle, and for nobody else.
func (h *Handle) Rewind() {
	h.generation = Head(h.d.head.Load()).Generation()
	h.stuck = nil
}

// Descriptor is the index of the descriptor that the handle owns.
func (h *Handle) Descriptor() uint32 { return h.index }

// Table is the table that the handle changes.
func (h *Handle) Table() *Table { return h.table }

// Get is the table's.
func (h *Handle) Get(key uint32) (value uint32, ok bool) { return h.table.Get(key) }

// Close gives the descriptor back. The next owner goes on from its generation, so references to
// operations of this handle stay harmless. After an operation that could not be finished the
// descriptor is not given back, because a cell may still refer to it: Close returns the error of
// that operation. A second Close returns ErrClosed.
func (h *Handle) Close() error {
	if h.d == nil {
		return ErrClosed
	}
	d := h.d
	h.d = nil
	if h.stuck != nil {
		return fmt.Errorf("descriptor %d is lost: %w", h.index, h.stuck)
	}
	if !d.owner.CompareAndSwap(h.owner, 0) {
		return fmt.Errorf("descriptor %d has another owner: %w", h.index, ErrCorrupt)
	}
	return nil
}
