package hopscotch

import (
	"math"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
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
	const cells = 10
	for _, buckets := range []int{2*cells - 1, 2 * cells, 2*cells + 1, math.MaxInt} {
		_, h := newTable(t, region.Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
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
	_, h := newTable(t, region.Layout{CellsPerHalf: cells, Window: 4, Descriptors: 1})
	for _, buckets := range []int{0, -1, math.MinInt} {
		if passed, err := h.CropNext(buckets, nil); passed || err != nil || h.share.next != 0 {
			t.Errorf("%d buckets: %d cropped, %v", buckets, h.share.next, err)
		}
	}
}
