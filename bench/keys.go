package bench

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Keys is the number of elements: far more than the caches near a processor hold.
const Keys = 1 << 20

// Seed of the order in which keys are drawn.
const Seed = 20

// zipfSkew is that of YCSB.
const zipfSkew = 0.99

// Spread makes a key of a number. Multiplying by an odd number is a bijection of 32-bit words.
func Spread(i uint32) uint32 { return i * 0x9E3779B1 }

// PresentKeys are the keys of 1..n in random order; none of them is reserved for n below 2^31.
func PresentKeys(n uint32) []uint32 {
	keys := make([]uint32, 0, n)
	for i := uint32(1); i <= n; i++ {
		keys = append(keys, Spread(i))
	}
	r := generator(uint64(n))
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

func generator(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(Seed, stream)) }

// UniformDraws takes n keys at random, with repetition.
func UniformDraws(keys []uint32, n int) []uint32 {
	r := generator(uint64(n) + 1)
	drawn := make([]uint32, n)
	for i := range drawn {
		drawn[i] = keys[r.IntN(len(keys))]
	}
	return drawn
}

// ZipfDraws takes n keys, the key at place i with a weight of 1/(i+1)^0.99. The keys come in random
// order, so the frequent ones lie anywhere in a table.
func ZipfDraws(keys []uint32, n int) []uint32 {
	below := make([]float64, len(keys)) // the weight of all keys before each
	sum := 0.0
	for i := range below {
		below[i] = sum
		sum += math.Pow(float64(i+1), -zipfSkew)
	}
	r := generator(uint64(n) + 2)
	drawn := make([]uint32, n)
	for i := range drawn {
		at, exact := slices.BinarySearch(below, r.Float64()*sum)
		if !exact {
			at--
		}
		drawn[i] = keys[at]
	}
	return drawn
}

// AbsentDraws are n keys that PresentKeys(after) does not have.
func AbsentDraws(after uint32, n int) []uint32 {
	drawn := make([]uint32, n)
	for i := range drawn {
		drawn[i] = Spread(after + 1 + uint32(i))
	}
	return drawn
}

// MixPattern says of each of 4096 operations whether it reads; half of them do.
func MixPattern() []bool {
	reads := make([]bool, 4096)
	for i := range reads {
		reads[i] = i < len(reads)/2
	}
	r := generator(3)
	r.Shuffle(len(reads), func(i, j int) { reads[i], reads[j] = reads[j], reads[i] })
	return reads
}

// The value of a key is the key itself, or flipped: all its bits turned over. A set turns all values
// from one to the other, so a reader beside it may see either, and nothing else.
const (
	straight = uint32(0)
	flipped  = ^uint32(0)
)

// wrongValue tells whether v is neither.
func wrongValue(key, v uint32) bool { return (v^key)+1 > 1 }
