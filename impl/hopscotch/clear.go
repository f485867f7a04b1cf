package hopscotch

import "fmt"

// Work on the whole table: clearing it, and cropping it bit by bit.

// Clear deletes the elements of the table and reclaims their cells. It passes each element that leaves to
// left, as CropAll does. It returns the number of elements that it deleted; others may have deleted some
// elements before it reached them.
//
// For each key it is a Walk and, if that finds the key, a Delete. An element that is in the table when the
// call begins is gone when it ends. An element that is added during the call may stay or not. Unless nobody
// adds, there need be no instant at which the table is empty.
//
// Errors: ErrClosed; ErrCorrupt and ErrBusy as for Add, with the cell; the elements of the buckets before it
// are deleted. Progress: lock-free for each bucket. It takes time in proportion to the table.
func (h *Handle) Clear(left func(Leaving)) (deleted uint64, err error) {
	if err := h.begin(); err != nil {
		return 0, fmt.Errorf("clear of the table: %w", err)
	}
	var b contents
	for half := range uint32(2) {
		for home := range h.table.cells {
			before := h.tally.Deleted
			err := h.clearBucket(&b, place{half, home}, orNobody(left))
			if deleted += h.tally.Deleted - before; err != nil {
				return deleted, err
			}
		}
	}
	return deleted, nil
}

func (h *Handle) clearBucket(b *contents, at place, left func(Leaving)) error {
	if o := h.table.gather(b, at); o != present {
		return fmt.Errorf("clear of the bucket at cell %d.%d: %w", at.half, at.home, o.err())
	}
	for _, k := range b.keys[:b.n] {
		ok, err := h.delete(h.table.prepared(k))
		if err != nil {
			return fmt.Errorf("clear of key %v: %w", k, err)
		}
		if ok {
			h.tally.Deleted++
		}
	}
	return h.tendBucket("clear", at, true, left)
}

// share is the part of the services' work that a handle does beside its own.
type share struct {
	every, buckets int    // of the option Assist; 0: none
	calls          int    // since the last bit of work
	next           uint64 // buckets that were cropped
}

// CropNext crops the next so many buckets of the table, from where the last call ended, and hands each
// element that leaves to left, as CropAll does. passed is true if this call has completed a pass over all
// buckets of both halves; the next call begins again. Less than one bucket does nothing, and leaves Left as
// it is. More than all buckets are one pass. Handles begin at different places, so that several share the
// work.
//
// Errors: those of CropAll; the bucket is tried again by the next call. Progress: each bucket
// lock-free; it takes time in proportion to their number.
func (h *Handle) CropNext(buckets int, left func(Leaving)) (passed bool, err error) {
	n := h.atMostAPass(buckets)
	if n == 0 {
		return false, nil
	}
	if err := h.begin(); err != nil {
		return false, fmt.Errorf("crop of the next bucket: %w", err)
	}
	for range n {
		end, err := h.cropNext(orNobody(left))
		if err != nil {
			return passed, err
		}
		passed = passed || end
	}
	return passed, nil
}

// atMostAPass is the number of buckets, or of those that there are.
func (h *Handle) atMostAPass(buckets int) int {
	if h.table == nil {
		return max(buckets, 0) // begin says what is missing
	}
	return int(min(uint64(max(buckets, 0)), 2*uint64(h.table.cells)))
}

// cropNext crops one bucket, and tells whether it was the last one of a pass.
func (h *Handle) cropNext(left func(Leaving)) (end bool, err error) {
	cells := uint64(h.table.cells)
	first := uint64(h.index) * 2 * cells / uint64(len(h.table.descriptors))
	at := (first + h.share.next) % (2 * cells)
	where := place{uint32(at / cells), uint32(at % cells)}
	if err := h.tendBucket("crop", where, true, left); err != nil {
		return false, err
	}
	h.share.next++
	return h.share.next%(2*cells) == 0, nil
}

// Assist lets the handle do a share of the services' work: at the end of each every-th add, update or
// delete it crops the next so many buckets, as CropNext does. Left lists the elements that leave by this as
// well. So a program without a service reclaims what it deletes, at a bounded cost for each call. If either
// number is below 1, the handle stops doing so. More than all buckets are one pass.
//
// The call itself has taken effect before this work begins. If the work fails, which happens only on a
// damaged table, the next call returns the error, as it does for an operation that could not be finished.
func (h *Handle) Assist(every, buckets int) {
	h.table.mustBeMade("assist by a handle")
	h.share.every, h.share.buckets, h.share.calls = every, h.atMostAPass(buckets), 0
}

// assist does the share that is due.
func (h *Handle) assist() {
	if h.share.every > 0 {
		h.assistAfter()
	}
}

// assistAfter counts the call, and does the share after each every-th one.
func (h *Handle) assistAfter() {
	if h.share.calls++; h.share.calls < h.share.every {
		return
	}
	h.share.calls = 0
	for range h.share.buckets {
		if _, err := h.cropNext(nil); err != nil {
			if h.stuck == nil {
				h.stuck = fmt.Errorf("assist: %w", err)
			}
			return
		}
	}
}
