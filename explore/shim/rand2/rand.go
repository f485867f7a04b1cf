// Package rand is the standard package math/rand/v2 with the same numbers in each execution.
//
// Inside an exploration the functions of the package draw from one source, which starts the same in each
// execution. A draw is a step on it: in every order, the actor that draws first gets the first number.
// Sources that the program makes are its own memory, and draws from them are not steps.
package rand

import (
	"math/rand/v2"

	"github.com/samecycle/samecycle/explore/shim/chance"
)

// The types of the original.
type (
	// ChaCha8 is a strong Source of a given seed.
	ChaCha8 = rand.ChaCha8
	// PCG is a Source of a given seed with 128 bits of state.
	PCG = rand.PCG
	// Rand is a source of random numbers of all kinds.
	Rand = rand.Rand
	// Source is where random numbers come from.
	Source = rand.Source
	// Zipf draws numbers of a Zipf distribution.
	Zipf = rand.Zipf
)

// source is that of the running execution.
var source = chance.Source[*rand.Rand]{New: func() *rand.Rand {
	return rand.New(rand.NewPCG(chance.Seed, chance.Seed))
}}

// draw calls f with the source of the execution; outside explorations it calls original.
func draw[T any](original func() T, f func(r *rand.Rand) T) T {
	return chance.Draw(&source, original, f)
}

// New does what the original does.
func New(src Source) *Rand { return rand.New(src) }

// NewChaCha8 does what the original does.
func NewChaCha8(seed [32]byte) *ChaCha8 { return rand.NewChaCha8(seed) }

// NewPCG does what the original does.
func NewPCG(seed1, seed2 uint64) *PCG { return rand.NewPCG(seed1, seed2) }

// NewZipf does what the original does.
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf { return rand.NewZipf(r, s, v, imax) }

// ExpFloat64 draws a number as the original does.
func ExpFloat64() float64 { return draw(rand.ExpFloat64, (*rand.Rand).ExpFloat64) }

// Float32 draws a number as the original does.
func Float32() float32 { return draw(rand.Float32, (*rand.Rand).Float32) }

// Float64 draws a number as the original does.
func Float64() float64 { return draw(rand.Float64, (*rand.Rand).Float64) }

// Int draws a number as the original does.
func Int() int { return draw(rand.Int, (*rand.Rand).Int) }

// Int32 draws a number as the original does.
func Int32() int32 { return draw(rand.Int32, (*rand.Rand).Int32) }

// Int32N draws as the original does.
func Int32N(n int32) int32 {
	return draw(func() int32 { return rand.Int32N(n) },
		func(r *rand.Rand) int32 { return r.Int32N(n) })
}

// Int64 draws a number as the original does.
func Int64() int64 { return draw(rand.Int64, (*rand.Rand).Int64) }

// Int64N draws as the original does.
func Int64N(n int64) int64 {
	return draw(func() int64 { return rand.Int64N(n) },
		func(r *rand.Rand) int64 { return r.Int64N(n) })
}

// IntN draws as the original does.
func IntN(n int) int {
	return draw(func() int { return rand.IntN(n) },
		func(r *rand.Rand) int { return r.IntN(n) })
}

// NormFloat64 draws a number as the original does.
func NormFloat64() float64 { return draw(rand.NormFloat64, (*rand.Rand).NormFloat64) }

// Perm draws as the original does.
func Perm(n int) []int {
	return draw(func() []int { return rand.Perm(n) },
		func(r *rand.Rand) []int { return r.Perm(n) })
}

// Uint draws a number as the original does.
func Uint() uint { return draw(rand.Uint, (*rand.Rand).Uint) }

// Uint32 draws a number as the original does.
func Uint32() uint32 { return draw(rand.Uint32, (*rand.Rand).Uint32) }

// Uint32N draws as the original does.
func Uint32N(n uint32) uint32 {
	return draw(func() uint32 { return rand.Uint32N(n) },
		func(r *rand.Rand) uint32 { return r.Uint32N(n) })
}

// Uint64 draws a number as the original does.
func Uint64() uint64 { return draw(rand.Uint64, (*rand.Rand).Uint64) }

// Uint64N draws as the original does.
func Uint64N(n uint64) uint64 {
	return draw(func() uint64 { return rand.Uint64N(n) },
		func(r *rand.Rand) uint64 { return r.Uint64N(n) })
}

// UintN draws as the original does.
func UintN(n uint) uint {
	return draw(func() uint { return rand.UintN(n) },
		func(r *rand.Rand) uint { return r.UintN(n) })
}

// Shuffle permutes n elements with swap as the original does. The swaps are made after the draw.
func Shuffle(n int, swap func(i, j int)) {
	for _, p := range draw(func() []chance.Swap { return chance.Swaps(n, rand.Shuffle) },
		func(r *rand.Rand) []chance.Swap { return chance.Swaps(n, r.Shuffle) }) {
		swap(p.I, p.J)
	}
}

type intType interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// N draws a number from 0 up to n. It panics if n is not positive.
func N[Int intType](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(Uint64N(uint64(n)))
}
