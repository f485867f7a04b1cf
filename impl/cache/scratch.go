package cache

import "github.com/samecycle/samecycle/internal/seam"

// buffers are the bytes that a call needs for a while: an encoded key, a copy of a value.
type buffers struct {
	taken      seam.Uint32
	key, value []byte
	_          [64]byte
}

// scratch lends buffers. Functions of users may run while one is lent, so nobody waits for one: if all are
// lent, a call has buffers of its own.
type scratch struct{ all []buffers }

func (s *scratch) init(n int) { s.all = make([]buffers, n) }

// take lends buffers that nobody else has. What they hold is undefined.
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

// keptMost is how long a buffer may grow that is kept for the next call: as long as the values of a cache of
// the default size.
const keptMost = 2 << 20

// give takes buffers back. Those that are given twice are taken for ever, as handles are (slot.give).
func (b *buffers) give() {
	b.key, b.value = kept(b.key), kept(b.value)
	b.taken.Store(b.taken.Load() - 1)
}

// kept is what the next call has of a buffer. One that has grown to more than keptMost for fewer bytes, since
// append makes a slice longer than it has to, gives way to one which is long enough for all that is kept:
// else values of somewhat different lengths would have it grow, and be dropped, again and again.
func kept(b []byte) []byte {
	switch {
	case cap(b) <= keptMost:
		return b
	case len(b) <= keptMost:
		return make([]byte, 0, keptMost)
	}
	return nil
}
