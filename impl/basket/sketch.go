package basket

import (
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// sketch estimates how often a hash was counted recently, for all writers of a region. It is a count-min
// sketch (Cormode and Muthukrishnan, 2005) with counters up to 15, which are halved from time to time, as in
// TinyLFU. An estimate is too high if other hashes have the same counters, and too low if concurrent writers
// have lost counts. Only the choice of the records that stay depends on it.
//
// The first line of its memory is the clock: the total size of the records that were counted. An epoch lasts
// until that has grown by some times the room of the store. So the sketch forgets as fast as the store
// replaces its records, however many words it has. The other lines are blocks. A hash has one block, and one
// counter in each of three pairs of its words. The last pair has ghosts.
//
//	bits    field of a word of counters
//	63..60  epoch in which it was last written, modulo 16
//	59..0   15 counters of 4 bits, the first one lowest
//
// Each counter of a word from an earlier epoch counts as halved once for every epoch that has begun since.
// So no sweep is needed, and a death cannot leave one half done. A word that no writer has written to for 16
// epochs counts as new.
type sketch struct {
	clock  *sketchClock
	line   *block // the same line as an array; TinyLFU has its words from lineTiers on
	blocks []block
	untold uint64 // units counted by this writer and not yet added to the clock
	span   uint64 // length of an epoch
	epoch  uint64
}

// sketchClock is the first line.
type sketchClock struct {
	units seam.Uint64 // of the records that were counted and that writers have added
	spare [blockWords - 1]seam.Uint64
}

// block is a cache line of counters.
type block [region.LineBytes / region.WordBytes]seam.Uint64

const (
	blockWords   = region.LineBytes / region.WordBytes
	sketchRows   = 3  // counters of a hash
	rowWords     = 2  // words of a block that a row has
	countersWord = 15 // in one word
	counterBits  = 4
	counterMost  = 1<<counterBits - 1
	epochShift   = countersWord * counterBits
	epochMask    = 1<<(64-epochShift) - 1
	epochRooms   = 6  // length of an epoch, in rooms of the store
	tellPart     = 64 // a writer adds its counts to the clock when they are such a part of an epoch
)

// sketchWords is the number of words of a sketch for so many records: one for each record, in whole blocks,
// and the line of the clock.
func sketchWords(records uint64) uint64 {
	return (max(records, blockWords)+blockWords-1)/blockWords*blockWords + blockWords
}

// newSketch is one writer's view of the sketch in the words, which are whole lines, for a store with room
// for so many units.
func newSketch(words region.Words, room uint64) sketch {
	rest := words[blockWords:]
	s := sketch{span: epochRooms * room,
		clock:  (*sketchClock)(unsafe.Pointer(unsafe.SliceData(words))),
		line:   (*block)(unsafe.Pointer(unsafe.SliceData(words))),
		blocks: unsafe.Slice((*block)(unsafe.Pointer(unsafe.SliceData(rest))), len(rest)/blockWords)}
	if len(s.blocks) == 0 { // only a damaged header can say so
		s.blocks = make([]block, 1)
	}
	s.epoch = s.now()
	return s
}

// now is the epoch of the clock.
func (s *sketch) now() uint64 { return s.clock.sketchTime() / s.span }

// mixed spreads the bits of a hash.
func mixed(hash uint32) uint64 {
	h := (uint64(hash) + 1) * 0x9E3779B97F4A7C15
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}

// at returns the word of a hash in a row, and the place of its counter in the word.
func (s *sketch) at(h uint64, row int) (word *seam.Uint64, shift uint) {
	b := &s.blocks[(h>>32)*uint64(len(s.blocks))>>32]
	n := uint(h>>(8*row)&0xFF) * (rowWords * countersWord) >> 8
	return &b[uint(row*rowWords)+n/countersWord], n % countersWord * counterBits
}

// aged returns the word as it counts in an epoch.
func aged(word, epoch uint64) uint64 {
	for age := (epoch - word>>epochShift) & epochMask; age > 0 && word<<4 != 0; age-- {
		const lower = 0x0777777777777777
		word = word >> 1 & lower
	}
	return word&(1<<epochShift-1) | (epoch&epochMask)<<epochShift
}

// count is the estimate for a hash, 0 to 15.
func (s *sketch) count(hash uint32) int {
	h, least := mixed(hash), uint64(counterMost)
	for row := range sketchRows {
		word, shift := s.at(h, row)
		least = min(least, aged(sketchRead(word), s.epoch)>>shift&counterMost)
	}
	return int(least)
}

// add counts a hash n times; its record has so many units.
func (s *sketch) add(hash uint32, n int, units uint32) {
	if n <= 0 {
		return
	}
	h := mixed(hash)
	var words [sketchRows]*seam.Uint64
	var shifts [sketchRows]uint
	var seen [sketchRows]uint64
	least := uint64(counterMost)
	for row := range sketchRows {
		words[row], shifts[row] = s.at(h, row)
		seen[row] = sketchRead(words[row])
		least = min(least, aged(seen[row], s.epoch)>>shifts[row]&counterMost)
	}
	most := min(least+uint64(n), counterMost)
	for row := range sketchRows { // only the counters that would be too low are raised
		now := aged(seen[row], s.epoch)
		if has := now >> shifts[row] & counterMost; has < most {
			sketchSwap(words[row], seen[row], now+(most-has)<<shifts[row])
		}
	}
	s.tell(uint64(n) * uint64(units))
}

// tell advances the clock.
func (s *sketch) tell(units uint64) {
	if s.untold += units; s.untold >= s.span/tellPart {
		sketchTell(s.clock, s.untold)
		s.untold = 0
		s.epoch = s.now()
	}
}

func sketchRead(word *seam.Uint64) uint64 { return word.Load() }

// sketchSwap raises counters. If another writer has changed the word, these counts are lost.
func sketchSwap(word *seam.Uint64, old, new uint64) { word.CompareAndSwap(old, new) }

func sketchTell(clock *sketchClock, units uint64) { clock.units.Add(units) }

func (c *sketchClock) sketchTime() uint64 { return c.units.Load() }
