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
func (h *hasher) of(key []byte) uint32 { return h.index(h.whole(key)) }

// whole are all 64 bits of the hash, by which quotas know a key.
func (h *hasher) whole(key []byte) uint64 {
	if h.kind == HashSip {
		return sipHash(h.secret, key)
	}
	return xxh3.HashSeed(key, h.secret[0])
}

// index is the key of the index for a whole hash.
func (h *hasher) index(all uint64) uint32 { return min(max(uint32(all)&h.mask, hashLow), hashHigh) }

// client is the hash by which quotas know a client: whoever chooses the number does not choose its place.
func (h *hasher) client(number uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], number)
	return sipHash(h.secret, b[:])
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
