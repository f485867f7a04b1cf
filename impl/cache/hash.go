package cache

import (
	"crypto/rand"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// hasher turns a key into a key of the index: 32 bits of a hash that is keyed with the secret of the region.
type hasher struct {
	kind   HashKind
	mask   uint32 // tests cut the hash, so that keys collide
	secret [2]uint64
}

// Keys of the index that no element may have, and what takes their place.
const (
	hashLow, hashHigh = 1, 0xFFFFFFFE
)

// of is the key of the index for a key. It never is 0 or 0xFFFFFFFF, which are reserved: two of 2^32 keys
// share their place with the neighbours.
func (h *hasher) of(key []byte) uint32 {
	var all uint64
	if h.kind == HashSip {
		all = sipHash(h.secret, key)
	} else {
		all = xxh3.HashSeed(key, h.secret[0])
	}
	return min(max(uint32(all)&h.mask, hashLow), hashHigh)
}

// newHasher is the hasher of a cache with that secret; bits is 32, but in tests.
func newHasher(kind HashKind, bits int, secret [2]uint64) hasher {
	return hasher{kind, uint32(1<<bits - 1), secret}
}

// random is a number other than 0 that nobody can foresee.
func random() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return max(binary.LittleEndian.Uint64(b[:]), 1)
}
