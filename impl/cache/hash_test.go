package cache

import (
	"crypto/rand"
	"encoding/binary"
	"math"
	"strings"
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

// A number that nobody can foresee is eight random bytes, the low one first; 1 takes the place of 0.
func TestRandom_IsWhatTheSystemGives(t *testing.T) {
	system := rand.Reader
	defer func() { rand.Reader = system }()
	for _, x := range []struct {
		bytes string
		want  uint64
	}{{strings.Repeat("\x00", 8), 1}, {"\x01\x00\x00\x00\x00\x00\x00\x00", 1},
		{"\x02\x00\x00\x00\x00\x00\x00\x00", 2}, {"\x00\x00\x00\x00\x00\x00\x00\x80", 1 << 63},
		{strings.Repeat("\xFF", 8), math.MaxUint64},
		{"\x08\x07\x06\x05\x04\x03\x02\x01", 0x0102030405060708}} {
		rand.Reader = strings.NewReader(x.bytes)
		if got := random(); got != x.want {
			t.Errorf("of %x: %#x, want %#x", x.bytes, got, x.want)
		}
	}
}

// Numbers that nobody can foresee are neither 0 nor twice the same, and use all bits. So two caches have
// secrets of their own, each line of counts draws its samples by itself, and views of one cache have one
// secret.
func TestRandom_IsNotForeseen(t *testing.T) {
	seen, ones, zeros := map[uint64]bool{}, uint64(0), uint64(0)
	for range 200 { // two of them are the same with a probability of 10^-15
		n := random()
		if n == 0 || seen[n] {
			t.Fatalf("%#x comes once more, or is 0", n)
		}
		seen[n] = true
		ones, zeros = ones|n, zeros|^n
	}
	if ones != ^uint64(0) || zeros != ^uint64(0) {
		t.Errorf("some bits are always the same: ones are at %#x, zeros at %#x", ones, zeros)
	}
	path := cacheFile(t)
	a, view, b := open(t, path, small()), open(t, path, small()), open(t, "", small())
	if a.hasher.secret != view.hasher.secret || a.hasher.secret == b.hasher.secret ||
		a.hasher.secret[0] == a.hasher.secret[1] || a.hasher.secret[0] == 0 {
		t.Errorf("secrets of two views of one cache, and of another one: %x, %x, %x", a.hasher.secret,
			view.hasher.secret, b.hasher.secret)
	}
	draws := map[uint64]bool{}
	for _, c := range []*Cache{a, view, b} {
		for i := range c.glanced {
			draws[c.glanced[i].draws.random] = true
		}
	}
	if len(draws) != 3*glancedLines || draws[0] {
		t.Errorf("three caches draw by %v", draws)
	}
}
