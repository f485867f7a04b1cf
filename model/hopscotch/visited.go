package model

import (
	"unsafe"

	"github.com/zeebo/xxh3"
)

// visited numbers the distinct states in the order of their discovery. It keeps a 128-bit hash of
// each: two of n states collide with probability n*n/2^129, below 1e-25 for a million states. In
// the exact mode it keeps the states, too, and compares them.
type visited struct {
	slots  []uint32 // open addressing, number+1, 0 is free; a power of two
	hashes []xxh3.Uint128
	states []State // exact mode only
	exact  bool
}

func newVisited(exact bool) *visited {
	return &visited{slots: make([]uint32, 1<<12), exact: exact}
}

func bytesOf(s *State) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}

func hashOf(s *State) xxh3.Uint128 { return xxh3.Hash128(bytesOf(s)) }

// find returns the number of the state; false if it is new. Several goroutines may find at once
// as long as none inserts. It panics on a collision in the exact mode: the hash is then no name.
func (d *visited) find(h xxh3.Uint128, s *State) (uint32, bool) {
	mask := uint64(len(d.slots) - 1)
	for i := h.Lo & mask; d.slots[i] != 0; i = (i + 1) & mask {
		id := d.slots[i] - 1
		if d.hashes[id] != h {
			continue
		}
		if d.exact && d.states[id] != *s {
			panic("model: two states have one 128-bit hash")
		}
		return id, true
	}
	return 0, false
}

// insert numbers a state that find does not know.
func (d *visited) insert(h xxh3.Uint128, s *State) uint32 {
	if 2*len(d.hashes) >= len(d.slots) {
		d.double()
	}
	id := uint32(len(d.hashes))
	d.hashes = append(d.hashes, h)
	if d.exact {
		d.states = append(d.states, *s)
	}
	d.place(id)
	return id
}

func (d *visited) place(id uint32) {
	mask := uint64(len(d.slots) - 1)
	i := d.hashes[id].Lo & mask
	for d.slots[i] != 0 {
		i = (i + 1) & mask
	}
	d.slots[i] = id + 1
}

func (d *visited) double() {
	d.slots = make([]uint32, 2*len(d.slots))
	for id := range d.hashes {
		d.place(uint32(id))
	}
}
