package volume

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// kind is what a client does in one operation.
type kind uint8

const (
	kindGet kind = iota
	kindSet
	kindRemove
	kindTend
	kindReopen // closes its writer and makes another one
	kindAge    // lets a basket go to the tier below
	kindMark   // marks a key as a suspect, or takes the mark away, in one try
	kindTune   // changes parameters of ageing
	kinds
)

func (k kind) String() string {
	return [...]string{"Get", "Set", "Remove", "Tend", "Reopen", "Age", "Mark",
		"Tune"}[k]
}

// mix is how often each kind comes, beside 1 for each up to kindAge. A mark comes only where it is asked for:
// it moves the record, which is by what the races of moves are seen. A change of parameters needs a recipe
// that has some.
type mix [kinds]uint32

// draw draws a kind.
func (m mix) draw(rng *rand.Rand) kind {
	for k := range kindAge + 1 {
		m[k]++
	}
	return kind(stress.Draw(rng, m[:]))
}

// recipe makes the race of a state likely. Sizes are small, so that what is rare elsewhere happens often.
type recipe struct {
	keys, hashes  uint32 // several keys to a hash are a chain
	cells, window uint32 // of a half of the index
	more          uint32 // baskets besides two for each client and three
	bytes         uint32 // of a basket
	words         uint64 // most words of a value
	reserve       int
	portion       int
	touch         bool
	tiers         uint32 // of the policy of age; 0 is one
	tunes         bool   // there are parameters of ageing
	spare         bool   // entries of writers for those who come after the dead, whose entries stay theirs
	mix           mix
}

// recipes are by the number of the state.
var recipes = map[int]recipe{
	1: {keys: 16, hashes: 16, cells: 32, window: 8, bytes: 128, words: 3, reserve: -1,
		mix: mix{kindGet: 12, kindSet: 24}},
	2: {keys: 24, hashes: 24, cells: 32, window: 8, bytes: 128, words: 3, reserve: -1,
		mix: mix{kindGet: 2, kindSet: 24}},
	3: {keys: 10, hashes: 10, cells: 32, window: 8, more: 3, bytes: 256, words: 3, reserve: 2, touch: true,
		mix: mix{kindGet: 8, kindSet: 24, kindTend: 4}},
	4: {keys: 24, hashes: 24, cells: 32, window: 8, bytes: 128, words: 3, reserve: -1,
		mix: mix{kindGet: 2, kindSet: 24, kindRemove: 8}},
	5: {keys: 10, hashes: 10, cells: 32, window: 8, more: 3, bytes: 256, words: 3, reserve: 2, touch: true,
		tiers: 2, mix: mix{kindGet: 12, kindSet: 24, kindTend: 4, kindAge: 2}},
	6: {keys: 16, hashes: 16, cells: 32, window: 8, bytes: 128, words: 3, reserve: 2, touch: true, portion: 1,
		tiers: 3, mix: mix{kindGet: 4, kindSet: 24, kindTend: 4, kindAge: 12}},
	7: {keys: 4, hashes: 2, cells: 32, window: 8, bytes: 256, words: 3, reserve: 1, mix: mix{kindSet: 24}},
	8: {keys: 4, hashes: 2, cells: 32, window: 8, bytes: 256, words: 3, reserve: 1,
		mix: mix{kindSet: 12, kindRemove: 12}},
	9: {keys: 24, hashes: 6, cells: 32, window: 8, bytes: 256, words: 3, reserve: -1,
		mix: mix{kindGet: 8, kindSet: 24}},
	10: {keys: 12, hashes: 12, cells: 32, window: 8, bytes: 512, words: 24, reserve: 1,
		mix: mix{kindGet: 2, kindSet: 24}},
	11: {keys: 12, hashes: 12, cells: 32, window: 8, more: 3, bytes: 256, words: 3, reserve: 2, portion: 1,
		touch: true, spare: true, mix: mix{kindGet: 2, kindSet: 24, kindTend: 2}},
	12: {keys: 16, hashes: 16, cells: 32, window: 8, bytes: 128, words: 3, reserve: 1,
		mix: mix{kindSet: 24}},
	13: {keys: 28, hashes: 28, cells: 8, window: 4, bytes: 256, words: 3, reserve: 1,
		mix: mix{kindGet: 4, kindSet: 24, kindRemove: 2}},
	19: {keys: 8, hashes: 4, cells: 32, window: 8, bytes: 256, words: 3, reserve: 1,
		mix: mix{kindGet: 6, kindSet: 12, kindMark: 12}},
	20: {keys: 16, hashes: 16, cells: 32, window: 8, more: 3, bytes: 256, words: 3, reserve: 2, tunes: true,
		mix: mix{kindGet: 2, kindSet: 12, kindTend: 12, kindTune: 6}},
}

// deathsMost is how many clients may die in a run for whom there are spare entries.
const deathsMost = 24

// layout is the region of a run with so many clients, of whom so many die in a round.
func (r recipe) layout(clients, deaths int) region.Layout {
	writers := uint32(clients + 1) // with that of the parent
	if r.spare && deaths > 0 {
		writers += deathsMost
	}
	l := region.Layout{
		basket.Layout{Baskets: 2*uint32(clients) + 3 + r.more, BasketBytes: r.bytes, Writers: writers,
			Tiers: r.tiers}.Part(),
		hopscotch.Layout{CellsPerHalf: r.cells, Window: r.window,
			Descriptors: uint32(clients + deaths + 2)}.Part()}
	if r.tunes {
		l = append(l, paramsPart())
	}
	return l
}

// hash is the hash of a key.
func (r recipe) hash(key uint32) uint32 { return 1 + key%r.hashes }

// keyBytes is a key as the store has it.
func keyBytes(key uint32) []byte { return binary.BigEndian.AppendUint64(nil, uint64(key)) }

// wordOf is the number of a value as a word of its record has it.
func wordOf(number uint64) uint64 {
	return binary.NativeEndian.Uint64(binary.BigEndian.AppendUint64(nil, number))
}

// value is the bytes of a value, in each word the number of it.
func (r recipe) value(dst []byte, number uint64) []byte {
	for range 1 + number%r.words {
		dst = binary.BigEndian.AppendUint64(dst, number)
	}
	return dst
}

// number is that of a value. Errors: bytes that nobody sets.
func (r recipe) number(value []byte) (uint64, error) {
	if len(value) < 8 {
		return 0, fmt.Errorf("whole: a value of %d bytes, which nobody sets: %x", len(value), value)
	}
	n := binary.BigEndian.Uint64(value)
	if want := r.value(nil, n); string(want) != string(value) {
		return 0, fmt.Errorf("whole: a value is torn: %x", value)
	}
	return n, nil
}
