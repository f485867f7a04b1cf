package cache

import (
	"crypto/rand"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// hasher maps a key to a key of the index: 32 bits of a hash that is keyed with the secret of the region.
type hasher struct {
	kind   HashKind
	mask   uint32 // tests reduce the hash, so that keys collide
	secret [2]uint64
}

// The lowest and the highest key of the index; 0 and 0xFFFFFFFF are reserved and are replaced by them.
const (
	hashLow, hashHigh = 1, 0xFFFFFFFE
)

// of is the key of the index for a key. It is never 0 or 0xFFFFFFFF, which are reserved: these two of the
// 2^32 values are replaced by their neighbours.
func (h *hasher) of(key []byte) uint32 { return h.index(h.whole(key)) }

// whole returns all 64 bits of the hash, by which quotas identify a key.
func (h *hasher) whole(key []byte) uint64 {
	if h.kind == HashSip {
		return sipHash(h.secret, key)
	}
	return xxh3.HashSeed(key, h.secret[0])
}

// index is the key of the index for a whole hash.
func (h *hasher) index(all uint64) uint32 { return min(max(uint32(all)&h.mask, hashLow), hashHigh) }

// client is the hash by which quotas identify a client. Somebody who chooses the number does not choose its
// place.
func (h *hasher) client(number uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], number)
	return sipHash(h.secret, b[:])
}

// newHasher is the hasher of a cache with this secret; bits is 32, except in tests.
func newHasher(kind HashKind, bits int, secret [2]uint64) hasher {
	return hasher{kind, uint32(1<<bits - 1), secret}
}

// random is an unpredictable number other than 0.
func random() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return max(binary.LittleEndian.Uint64(b[:]), 1)
}
