package hopscotch

import (
	"slices"
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
