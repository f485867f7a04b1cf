// Package rand is the standard package math/rand with the same numbers in each execution.
//
// Inside an exploration the functions of the package draw from one source, which starts the same in each
// execution. A draw is a step on it: in every order, the actor that draws first gets the first number.
// Sources that the program makes are its own memory, and draws from them are not steps.
package rand

import (
	"math/rand"

	"github.com/samecycle/samecycle/explore/shim/chance"
)

// The types of the original.
type (
	// Rand is a source of random numbers of all kinds.
	Rand = rand.Rand
	// Source is where random numbers come from.
	Source = rand.Source
	// Source64 is a Source of 64 bits at once.
	Source64 = rand.Source64
	// Zipf draws numbers of a Zipf distribution.
	Zipf = rand.Zipf
)

// source is that of the running execution.
var source = chance.Source[*rand.Rand]{New: func() *rand.Rand {
	return rand.New(rand.NewSource(chance.Seed))
}}

// draw calls f with the source of the execution; outside explorations it calls original.
func draw[T any](original func() T, f func(r *rand.Rand) T) T {
	return chance.Draw(&source, original, f)
}

// New does what the original does.
func New(src Source) *Rand { return rand.New(src) }

// NewSource does what the original does.
func NewSource(seed int64) Source { return rand.NewSource(seed) }

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

// Int31 draws a number as the original does.
func Int31() int32 { return draw(rand.Int31, (*rand.Rand).Int31) }

// Int31n draws as the original does.
func Int31n(n int32) int32 {
	return draw(func() int32 { return rand.Int31n(n) },
		func(r *rand.Rand) int32 { return r.Int31n(n) })
}

// Int63 draws a number as the original does.
func Int63() int64 { return draw(rand.Int63, (*rand.Rand).Int63) }

// Int63n draws as the original does.
func Int63n(n int64) int64 {
	return draw(func() int64 { return rand.Int63n(n) },
		func(r *rand.Rand) int64 { return r.Int63n(n) })
}

// Intn draws as the original does.
func Intn(n int) int {
	return draw(func() int { return rand.Intn(n) },
		func(r *rand.Rand) int { return r.Intn(n) })
}

// NormFloat64 draws a number as the original does.
func NormFloat64() float64 { return draw(rand.NormFloat64, (*rand.Rand).NormFloat64) }

// Perm draws as the original does.
func Perm(n int) []int {
	return draw(func() []int { return rand.Perm(n) },
		func(r *rand.Rand) []int { return r.Perm(n) })
}

// Uint32 draws a number as the original does.
func Uint32() uint32 { return draw(rand.Uint32, (*rand.Rand).Uint32) }

// Uint64 draws a number as the original does.
func Uint64() uint64 { return draw(rand.Uint64, (*rand.Rand).Uint64) }

// Shuffle permutes n elements with swap as the original does. The swaps are made after the draw.
func Shuffle(n int, swap func(i, j int)) {
	for _, p := range draw(func() []chance.Swap { return chance.Swaps(n, rand.Shuffle) },
		func(r *rand.Rand) []chance.Swap { return chance.Swaps(n, r.Shuffle) }) {
		swap(p.I, p.J)
	}
}

// Read fills p with random bytes. It never fails.
func Read(p []byte) (n int, err error) {
	fill := func(word func() uint64) int {
		for i := range p {
			p[i] = byte(word())
		}
		return len(p)
	}
	return draw(func() int { return fill(rand.Uint64) },
		func(r *rand.Rand) int { return fill(r.Uint64) }), nil
}

// Seed starts the source again. Inside an exploration it is a step. Outside it does nothing, as the original
// if the program's go.mod asks for Go 1.24 or later.
func Seed(seed int64) {
	draw(func() bool { return false },
		func(r *rand.Rand) bool { r.Seed(seed); return true })
}
