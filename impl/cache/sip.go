package cache

import (
	"encoding/binary"
	"math/bits"
)

// sipState are the four words of SipHash.
type sipState struct{ v0, v1, v2, v3 uint64 }

// round is the function SipRound of "SipHash: a fast short-input PRF" (Aumasson and Bernstein, 2012).
func (s *sipState) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}

// word takes 8 bytes in, with two rounds.
func (s *sipState) word(m uint64) {
	s.v3 ^= m
	s.round()
	s.round()
	s.v0 ^= m
}

// sipHash is SipHash-2-4 of the bytes under a key of 128 bits.
func sipHash(key [2]uint64, b []byte) uint64 {
	s := sipState{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573}
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		s.word(binary.LittleEndian.Uint64(b))
	}
	for i, x := range b {
		last |= uint64(x) << (8 * i)
	}
	s.word(last)
	s.v2 ^= 0xff
	for range 4 {
		s.round()
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}
