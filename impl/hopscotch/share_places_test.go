package hopscotch

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestUpdate_DoesItsShareFromEachPlace: after an update of a key in whatever place, and of one that is not
// there, the handle does its share of the services' work, as after any other call.
func TestUpdate_DoesItsShareFromEachPlace(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.h.Assist(1, 1)
		for n, key := range []Key{p.key, p.absent} {
			if _, ok, err := p.h.Update(uint32(key), 21); ok != (key == p.key) || err != nil {
				t.Fatal(ok, err)
			}
			if p.h.share.next != uint64(n+1) {
				t.Errorf("%d buckets are cropped after %d updates", p.h.share.next, n+1)
			}
		}
	})
}

// TestHandOver_TheCallComesBeforeItsShare: what becomes the caller's by an update is handed over before
// what leaves by the share of the services' work after it, wherever the element is.
func TestHandOver_TheCallComesBeforeItsShare(t *testing.T) {
	eachPlace(t, func(t *testing.T, p placed) {
		p.put(p.half, 40, BaseWord(KeyLost, 0), MakeWord1(7, 1))
		var over []Leaving
		p.h.HandOver(func(l Leaving) { over = append(over, l) })
		p.h.Assist(1, int(2*p.cells))
		if _, ok, err := p.h.Update(uint32(p.key), 21); !ok || err != nil {
			t.Fatal(ok, err)
		}
		want := []Leaving{{uint32(p.key), placedValue, ReasonUpdated}, {0, 7, ReasonDeleted}}
		if !slices.Equal(over, want) {
			t.Errorf("handed over %v, want %v", over, want)
		}
	})
}

// TestCropNext_IsAPassAtMost: however many buckets are named, each is cropped once; so is it by Assist.
func TestCropNext_IsAPassAtMost(t *testing.T) {
	const cells = 11
	for _, buckets := range []int{2*cells - 1, 2 * cells, 2*cells + 1, math.MaxInt} {
		_, h := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
		want := uint64(min(buckets, 2*cells))
		passed, err := h.CropNext(buckets, nil)
		if err != nil || passed != (want == 2*cells) || h.share.next != want {
			t.Errorf("%d buckets: %d cropped, passed: %t, %v", buckets, h.share.next, passed, err)
		}
		h.Assist(1, buckets)
		if _, err := h.Add(1, 1); err != nil || h.share.next != 2*want {
			t.Errorf("%d buckets: %d cropped by Assist, %v", buckets, h.share.next-want, err)
		}
	}
	_, h := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
	for _, buckets := range []int{0, -1, math.MinInt} {
		if passed, err := h.CropNext(buckets, nil); passed || err != nil || h.share.next != 0 {
			t.Errorf("%d buckets: %d cropped, %v", buckets, h.share.next, err)
		}
	}
}

// TestCropNext_BeginsAtItsShareOfALargeTable: also where buckets times handles are more than 32 bits count.
func TestCropNext_BeginsAtItsShareOfALargeTable(t *testing.T) {
	const cells, handles = 1 << 20, 1 << 12
	table, _ := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: handles})
	p := planted{table, t}
	for _, index := range []uint32{handles/2 + 1, handles - 1} {
		const share = 2 * cells / handles
		at := place{index * share / cells, index * share % cells}
		p.put(at.half, at.home, BaseWord(KeyLost, 0), MakeWord1(7, 1))
		if _, err := table.handle(index, MakeOwner(2, 0)).CropNext(1, nil); err != nil {
			t.Fatal(err)
		}
		if w := p.word0(at.half, at.home); w.Form() != FormEmpty {
			t.Errorf("handle %d: cell %d.%d is %v, want it to be cropped first", index, at.half, at.home, w)
		}
	}
}

// TestCropNext_BeginsApartInASmallTable: also where the buckets are no multiple of the handles, or are fewer.
func TestCropNext_BeginsApartInASmallTable(t *testing.T) {
	const cells = 8
	for handles, last := range map[uint32]place{6: {1, 5}, 12: {1, 6}, 64: {1, 7}} {
		table, _ := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: handles})
		p := planted{table, t}
		p.put(last.half, last.home, BaseWord(KeyLost, 0), MakeWord1(7, 1))
		if _, err := table.handle(handles-1, MakeOwner(2, 0)).CropNext(1, nil); err != nil {
			t.Fatal(err)
		}
		if w := p.word0(last.half, last.home); w.Form() != FormEmpty {
			t.Errorf("the last of %d handles: cell %d.%d is %v, want it to be cropped first", handles,
				last.half, last.home, w)
		}
	}
}

// TestCropNext_TriesTheDamagedBucketAgain: the next call goes on with the bucket that could not be cropped,
// not from where the pass began; mended, with what comes after it.
func TestCropNext_TriesTheDamagedBucketAgain(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 10, Window: 4, Descriptors: 1})
	p := planted{table, t}
	p.put(0, 3, Word0(7)<<keyShift|cbitMark, 0)
	p.put(0, 4, BaseWord(KeyLost, 0), MakeWord1(8, 1))
	if _, err := h.CropNext(3, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := h.CropNext(1, nil)
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "cell 0.3") {
			t.Errorf("%v, want that it tells of cell 0.3", err)
		}
	}
	p.put(0, 3, 0, 0)
	if _, err := h.CropNext(2, nil); err != nil || p.word0(0, 4).Form() != FormEmpty {
		t.Errorf("cell 0.4 is %v, want it to be cropped: %v", p.word0(0, 4), err)
	}
}

// TestAssist_ComesAfterPreparedCalls: as after any others, whether they have done something or not, and once
// for each element of a batch.
func TestAssist_ComesAfterPreparedCalls(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 4, Descriptors: 1})
	h.Assist(1, 1)
	p, err := table.PrepareAdd(7, 70)
	if err != nil {
		t.Fatal(err)
	}
	did := []bool{true, true, true, false, false, true}
	for n, call := range []func() (bool, error){
		func() (bool, error) { r, err := h.AddPrepared(p); return r == Added, err },
		func() (bool, error) { _, ok, err := h.UpdatePrepared(p.Prepared, 71); return ok, err },
		func() (bool, error) { return h.DeletePrepared(p.Prepared) },
		func() (bool, error) { return h.DeletePrepared(p.Prepared) },
		func() (bool, error) { _, ok, err := h.UpdatePrepared(p.Prepared, 72); return ok, err },
		func() (bool, error) {
			n, err := h.AddBatch([]uint32{8, 8}, []uint32{80, 81}, make([]Result, 2))
			return n == 1, err
		},
	} {
		if ok, err := call(); ok != did[n] || err != nil {
			t.Fatalf("call %d: %t, %v", n, ok, err)
		}
		if want := uint64(n + 1 + n/5); h.share.next != want {
			t.Errorf("%d buckets are cropped after call %d, want %d", h.share.next, n, want)
		}
	}
}

// TestCropNext_TellsThePassBeforeAnError: the call that has completed a pass says so, also when it cannot
// go on with the next bucket.
func TestCropNext_TellsThePassBeforeAnError(t *testing.T) {
	const cells = 10
	table, h := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
	p := planted{table, t}
	p.put(0, 0, Word0(1), 0)
	h.share.next = 2*cells - 1
	passed, err := h.CropNext(2, nil)
	if !passed || !errors.Is(err, ErrCorrupt) || h.share.next != 2*cells {
		t.Errorf("passed: %t, %v, %d buckets cropped", passed, err, h.share.next)
	}
}

// TestCropNext_OfAHandleThatGetsStuck: the bucket in which that happens is none of those that are cropped.
func TestCropNext_OfAHandleThatGetsStuck(t *testing.T) {
	const cells = 10
	table, h := newTable(t, Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
	p := planted{table, t}
	p.put(1, cells-1, BaseWord(KeyLost, 0), MakeWord1(7, 1))
	h.share.next = 2*cells - 1
	passed, err := h.CropNext(2, func(Leaving) { h.stuck = ErrBusy })
	if passed || !errors.Is(err, ErrBusy) || h.share.next != 2*cells-1 {
		t.Errorf("passed: %t, %v, %d buckets cropped", passed, err, h.share.next)
	}
	if passed, err := h.CropNext(2, nil); passed || !errors.Is(err, ErrBusy) {
		t.Errorf("the next call passed: %t, %v", passed, err)
	}
}

// TestCropNext_NoBuckets: it does nothing, whatever the handle, and what has left stays in Left.
func TestCropNext_NoBuckets(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
	h.left = []Leaving{{Key: 1, Value: 2}}
	for _, n := range []int{0, -1} {
		if passed, err := h.CropNext(n, nil); passed || err != nil || len(h.Left()) != 1 {
			t.Errorf("%d buckets: passed: %t, %v, %v have left", n, passed, err, h.Left())
		}
	}
	if passed, err := h.CropNext(1, nil); passed || err != nil || len(h.Left()) != 0 || h.share.next != 1 {
		t.Errorf("one bucket: passed: %t, %v, %v have left", passed, err, h.Left())
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.CropNext(0, nil); err != nil {
		t.Errorf("no buckets of a closed handle: %v", err)
	}
	if _, err := h.CropNext(1, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a bucket of a closed handle: %v", err)
	}
}
