// Package maphash is the standard package hash/maphash with the same hashes in each execution and process.
//
// All seeds are one seed, also outside explorations, because a seed that a package makes when it is
// initialised is used in executions, and another process may replay a token. Computing a hash is not a step.
// Effects that only two different seeds show, such as keys that collide under one and not under the other,
// are not explored.
package maphash

import (
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"math/bits"
	"reflect"

	"github.com/samecycle/samecycle/explore/shim/order"
)

// Seed is what a hash depends on besides the data. All seeds that MakeSeed returns are equal.
type Seed struct{ s uint64 }

// theSeed is the value of every seed.
const theSeed = 0x9e3779b97f4a7c15

// MakeSeed returns the seed.
func MakeSeed() Seed { return Seed{theSeed} }

// check panics for a seed that MakeSeed did not make, as the original does.
func (s Seed) check() {
	if s.s == 0 {
		panic("maphash: use of uninitialized Seed")
	}
}

// Bytes is the hash of b.
func Bytes(seed Seed, b []byte) uint64 {
	seed.check()
	return finish(mix(seed.s, b))
}

// String is the hash of s, that of its bytes.
func String(seed Seed, s string) uint64 { return Bytes(seed, []byte(s)) }

// Comparable returns the hash of v. Equal values have equal hashes.
func Comparable[T comparable](seed Seed, v T) uint64 {
	var h Hash
	h.SetSeed(seed)
	WriteComparable(&h, v)
	return h.Sum64()
}

// WriteComparable adds x to the data of h. Of an address it adds the number (see order.Number), because
// addresses differ between executions.
func WriteComparable[T comparable](h *Hash, x T) { h.value(reflect.ValueOf(&x).Elem()) }

// Hash is the hash of a sequence of bytes. The zero Hash is ready for use, and has the seed.
type Hash struct {
	seed  Seed
	state uint64 // of the bytes so far, which do not count if h had no seed yet
}

var (
	_ hash.Hash64 = (*Hash)(nil)
	_ hash.Cloner = (*Hash)(nil)
)

func (h *Hash) start() {
	if h.seed.s == 0 {
		h.SetSeed(MakeSeed())
	}
}

// BlockSize is that of the original.
func (*Hash) BlockSize() int { return 128 }

// Size is the number of bytes that Sum appends.
func (*Hash) Size() int { return 8 }

// Seed returns the seed of h.
func (h *Hash) Seed() Seed {
	h.start()
	return h.seed
}

// SetSeed gives h a seed and forgets the data.
func (h *Hash) SetSeed(seed Seed) {
	seed.check()
	h.seed, h.state = seed, seed.s
}

// Reset forgets the data.
func (h *Hash) Reset() {
	h.start()
	h.state = h.seed.s
}

// Clone returns a copy of h.
func (h *Hash) Clone() (hash.Cloner, error) {
	h.start()
	c := *h
	return &c, nil
}

// Write adds b to the data; it never fails.
func (h *Hash) Write(b []byte) (int, error) {
	h.start()
	h.state = mix(h.state, b)
	return len(b), nil
}

// WriteByte adds b to the data; it never fails.
func (h *Hash) WriteByte(b byte) error {
	_, err := h.Write([]byte{b})
	return err
}

// WriteString adds the bytes of s to the data; it never fails.
func (h *Hash) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

// Sum64 is the hash of the data.
func (h *Hash) Sum64() uint64 {
	h.start()
	return finish(h.state)
}

// Sum appends the hash of the data to b.
func (h *Hash) Sum(b []byte) []byte { return binary.BigEndian.AppendUint64(b, h.Sum64()) }

// mix adds bytes to a state one by one, so the result does not depend on how they are split (FNV-1a).
func mix(state uint64, b []byte) uint64 {
	for _, c := range b {
		state = (state ^ uint64(c)) * 0x100000001b3
	}
	return state
}

// finish spreads a state over all bits (the finaliser of MurmurHash3).
func finish(z uint64) uint64 {
	z = (z ^ z>>33) * 0xff51afd7ed558ccd
	z = (z ^ z>>33) * 0xc4ceb9fe1a85ec53
	return z ^ z>>33
}

func (h *Hash) word(v uint64) { _, _ = h.Write(binary.LittleEndian.AppendUint64(nil, v)) }

// value adds a value to the data: what == compares, and lengths where they can differ.
func (h *Hash) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		if h.word(0); v.Bool() {
			h.word(1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.word(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h.float(real(v.Complex()))
		h.float(imag(v.Complex()))
	case reflect.String:
		h.word(uint64(v.Len()))
		_, _ = h.WriteString(v.String())
	case reflect.Array:
		for i := range v.Len() {
			h.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h.value(v.Field(i))
		}
	case reflect.Interface:
		if h.word(0); !v.IsNil() {
			_, _ = h.WriteString(v.Elem().Type().String())
			h.value(v.Elem())
		}
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		h.word(uint64(order.Number(v.UnsafePointer())))
	default:
		panic(fmt.Sprintf("maphash: hash of unhashable type %v", v.Type()))
	}
}

// float adds a number. Both zeroes are equal, and not-a-number is equal to nothing.
func (h *Hash) float(f float64) {
	if f == 0 {
		f = 0
	}
	h.word(bits.RotateLeft64(math.Float64bits(f), 32))
}
