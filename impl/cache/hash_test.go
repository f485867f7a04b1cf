package cache

import (
	"encoding/binary"
	"testing"
)

// The vectors of the authors of SipHash: key 00 to 0f, input 00, 01, 02 and so on.
func TestSipHash_KnownAnswers(t *testing.T) {
	key := [2]uint64{0x0706050403020100, 0x0f0e0d0c0b0a0908}
	input := make([]byte, 16)
	for i := range input {
		input[i] = byte(i)
	}
	for n, want := range map[int][8]byte{
		0:  {0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72},
		1:  {0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74},
		8:  {0x62, 0x24, 0x93, 0x9a, 0x79, 0xf5, 0xf5, 0x93},
		15: {0xe5, 0x45, 0xbe, 0x49, 0x61, 0xca, 0x29, 0xa1},
	} {
		if got := sipHash(key, input[:n]); got != binary.LittleEndian.Uint64(want[:]) {
			t.Errorf("of %d bytes %x, want %x", n, got, want)
		}
	}
}

// No key has a reserved place, all bits are used, and the secret matters.
func TestHasher_PlacesOfKeys(t *testing.T) {
	for _, kind := range []HashKind{HashXXH3, HashSip} {
		for _, bits := range []int{1, 4, 32} {
			h, other := newHasher(kind, bits, [2]uint64{1, 2}), newHasher(kind, bits, [2]uint64{3, 4})
			seen, differ := uint32(0), 0
			var key [8]byte
			for i := range uint64(1000) {
				binary.LittleEndian.PutUint64(key[:], i)
				x := h.of(key[:])
				if x == 0 || x == 0xFFFFFFFF || bits < 32 && x >= 1<<bits {
					t.Fatalf("%v: %d bits: place %#x", kind, bits, x)
				}
				if x != h.of(key[:]) {
					t.Fatalf("%v: two places of one key", kind)
				}
				seen |= x
				if x != other.of(key[:]) {
					differ++
				}
			}
			if bits > 1 && (seen != h.mask || differ < 800) {
				t.Errorf("%v: %d bits: uses %#x, %d of 1000 depend on the secret", kind, bits, seen, differ)
			}
		}
	}
	// 0 and 0xFFFFFFFF are remapped.
	h := hasher{kind: HashXXH3}
	if h.of(nil) != 1 {
		t.Errorf("place 0 becomes %#x", h.of(nil))
	}
}
