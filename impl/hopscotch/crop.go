package hopscotch

import "fmt"

// The services, which have no special rights. A restore finishes the operations that are installed on a
// bucket. A crop also reclaims what is lost there: a lost member is dropped; a lost base gets the key of
// its farthest live member; a lost base without members becomes empty. S08 to S10, S16, S17, S20 to S24.
// Specification: spec/tla/hopscotch/Crop.tla.

// tending is a visit to the bucket of a key in both halves, or to one bucket.
type tending struct {
	homes       [2]uint32
	first, last uint32 // half
	crop        bool
	left        func(Leaving) // told of what leaves, before the next operation; nil: Left has it
	work        work          // what to install
	ref         Ref           // of the operation to help
}

// Crop reclaims the cells of deleted elements in the bucket of the key, in both halves, and finishes
// the operations there. Left has their values. The table holds the same elements afterwards, each
// with its value.
//
// Errors: ErrKey, ErrClosed; ErrCorrupt and ErrBusy as for Add. Progress: lock-free.
func (h *Handle) Crop(key uint32) error { return h.service("crop", Key(key), true) }

// Restore finishes the operations on the bucket of the key, in both halves, such as those of actors
// that have died. The table holds the same elements afterwards as if their owners had gone on.
//
// Errors and progress: those of Crop.
func (h *Handle) Restore(key uint32) error { return h.service("restore", Key(key), false) }

// CropAll crops every bucket of the table, one after the other, and hands each element that leaves to left
// before the next one leaves. left may be nil if nobody wants the values, and it may use the handle. If
// left does not return, because it panics or its goroutine ends, the elements that it was not told of are
// still in the table, deleted. If the process dies, Reclaim hands over the last element, so that none is
// lost. CropAll is for a service that runs beside the clients. It takes time in proportion to the table,
// and elements that are deleted behind it are left for the next pass.
//
// Errors: ErrClosed; ErrCorrupt and ErrBusy as for Add, with the cell; the pass ends there.
// Progress: each bucket lock-free.
func (h *Handle) CropAll(left func(Leaving)) error { return h.pass("crop", true, left) }

// RestoreAll finishes every operation that is installed anywhere. Errors and progress: those of
// CropAll.
func (h *Handle) RestoreAll() error { return h.pass("restore", false, nil) }

func (h *Handle) service(what string, key Key, crop bool) error {
	if !h.admits(key) {
		return h.refuse(what, key)
	}
	x := tending{first: 0, last: 1, crop: crop}
	x.homes[0], x.homes[1] = h.table.homes(key)
	if err := h.tend(&x); err != nil {
		return fmt.Errorf("%s of key %v: %w", what, key, err)
	}
	return nil
}

// pass tends all buckets.
func (h *Handle) pass(what string, crop bool, left func(Leaving)) error {
	if err := h.begin(); err != nil {
		return fmt.Errorf("%s of the table: %w", what, err)
	}
	for half := range uint32(2) {
		for home := range h.table.cells {
			if err := h.tendBucket(what, place{half, home}, crop, orNobody(left)); err != nil {
				return err
			}
		}
	}
	return nil
}

// tendBucket tends one bucket of one half.
func (h *Handle) tendBucket(what string, at place, crop bool, left func(Leaving)) error {
	x := tending{homes: [2]uint32{at.home, at.home}, first: at.half, last: at.half, crop: crop, left: left}
	if err := h.tend(&x); err != nil {
		return fmt.Errorf("%s of the bucket at cell %d.%d: %w", what, at.half, at.home, err)
	}
	return nil
}

// orNobody is left, or a function that does nothing if left is nil.
func orNobody(left func(Leaving)) func(Leaving) {
	if left == nil {
		return func(Leaving) {}
	}
	return left
}

// tell calls left with the element that left by the last operation, if one did, before the handle begins
// another operation. So no more than this one element can be untold, and it is in the descriptor, from
// which it is handed over if the owner dies. The list is empty meanwhile, for left may use the handle.
func (h *Handle) tell(left func(Leaving)) {
	last := h.left
	h.left = nil
	defer func() { h.left = last[:0] }()
	for _, l := range last {
		left(l)
	}
}

// driveAndTell is drive, and then tells left, unless it is nil, which may have closed the handle.
func (h *Handle) driveAndTell(left func(Leaving)) error {
	if err := h.drive(); err != nil || left == nil {
		return err
	}
	h.tell(left)
	return h.stuck
}

// tend visits the buckets until they need nothing.
func (h *Handle) tend(x *tending) error {
	half := x.first
	for range h.table.patience {
		switch h.table.inspect(x, half) {
		case stepTended:
			if half++; half > x.last {
				return nil
			}
			continue
		case stepHelp:
			if err := h.help(x.ref); err != nil {
				return err
			}
		case stepInstall:
			if h.install(&x.work, 0) {
				if err := h.driveAndTell(x.left); err != nil {
					return err
				}
			}
		case stepDamaged:
			return ErrCorrupt
		}
		half = x.first
	}
	return ErrBusy
}

// inspect looks at a bucket and says what it needs.
func (t *Table) inspect(x *tending, half uint32) step {
	w := &x.work
	*w = work{half: half, home: x.homes[half]}
	base := t.halves[half].cell(w.home)
	w.base.word1 = base.cropVersion()
	w.base.word0 = base.cropBase()
	word := w.base.word0
	switch word.Form() {
	case FormClaimed, FormOperating, FormEngaged:
		x.ref = word.Ref()
		return stepHelp
	case FormInvalid:
		return stepDamaged
	case FormBase:
		switch {
		case !x.crop:
		case w.base.word1.Frozen():
			return stepAgain // read before the operation on it had ended
		case word.Map()&t.halves[half].beyond != 0:
			return stepDamaged
		case word.Map() != 0:
			return t.inspectMembers(x, word.Map())
		case word.Key() == KeyLost:
			w.kind = KindClear
			return stepInstall
		}
	}
	return stepTended
}

// inspectMembers looks at the members one by one, nearest first. The first lost one is dropped; if
// there is none, the farthest takes a base that is lost.
func (t *Table) inspectMembers(x *tending, members Map) step {
	w := &x.work
	for w.kind = KindLift; members != 0 && w.kind == KindLift; members = members.Rest() {
		w.offset = members.First()
		w.member.word0 = t.halves[w.half].at(w.home, w.offset).cropMember()
		switch word := w.member.word0; {
		case word.Form() == FormEngaged:
			x.ref = word.Ref()
			return stepHelp
		case word.Form() != FormMember:
			return stepAgain
		case word.Key() == KeyLost:
			w.kind = KindDrop
		}
	}
	if w.kind == KindLift && w.base.word0.Key() != KeyLost {
		return stepTended
	}
	w.member.word1 = t.halves[w.half].at(w.home, w.offset).cropValue()
	return stepInstall
}

// The accesses, in the order of the specification.

func (c *cell) cropVersion() Word1 { return Word1(c.word1.Load()) }

func (c *cell) cropBase() Word0 { return Word0(c.word0.Load()) }

func (c *cell) cropMember() Word0 { return Word0(c.word0.Load()) }

func (c *cell) cropValue() Word1 { return Word1(c.word1.Load()) }
