package cache

import "github.com/samecycle/samecycle/internal/seam"

// buffers are the bytes that a call needs temporarily: an encoded key, and a copy of a value.
type buffers struct {
	taken      seam.Uint32
	key, value []byte
	_          [64]byte
}

// scratch lends buffers. A function of the user may run while buffers are lent, so no call waits for them: if
// all are lent, a call gets buffers of its own.
type scratch struct{ all []buffers }

func (s *scratch) init(n int) { s.all = make([]buffers, n) }

// take lends buffers to one call. Their contents are undefined.
func (s *scratch) take() *buffers {
	if n := uint64(len(s.all)); n > 0 {
		first := uint64(hint()) * n >> 32
		for i := range n {
			b := &s.all[(first+i)%n]
			if b.taken.Load() == 0 && b.taken.CompareAndSwap(0, 1) {
				return b
			}
		}
	}
	return &buffers{}
}

// keptMost is the largest size of a buffer that is kept for the next call: as long as the values of a cache
// with the default size.
const keptMost = 2 << 20

// give takes buffers back. Buffers that are given back twice stay taken for ever, as handles do (slot.give).
func (b *buffers) give() {
	b.key, b.value = kept(b.key), kept(b.value)
	b.taken.Store(b.taken.Load() - 1)
}

// kept returns the buffer that the next call gets. append makes a slice longer than necessary, so a buffer
// may have more than keptMost bytes of capacity for fewer bytes of content. Such a buffer is replaced by one
// of keptMost bytes: otherwise values of slightly different lengths would make it grow, and be dropped, again
// and again.
func kept(b []byte) []byte {
	switch {
	case cap(b) <= keptMost:
		return b
	case len(b) <= keptMost:
		return make([]byte, 0, keptMost)
	}
	return nil
}
