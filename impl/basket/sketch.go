package basket

import (
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// sketch estimates how often a hash was counted of late, for all writers of a region: a count-min sketch
// (Cormode and Muthukrishnan, 2005) with counters up to 15 which are halved from time to time, as in TinyLFU.
// An estimate is too high if other hashes have the same counters, and too low by what concurrent writers have
// lost. Nothing depends on it but which records stay.
//
// The first line of its memory has the time: how large the records were, in all, that were counted. An epoch
// lasts until they are some times what there is room for, so the sketch forgets as fast as the store has
// others, however many words it has. The others are blocks of one line
// each. A hash has one block, and in each of three pairs of its words one counter. The last pair has ghosts.
//
//	bits    field of a word of counters
//	63..60  epoch in which it was last written, modulo 16
//	59..0   15 counters of 4 bits, the first one lowest
//
// A word of an earlier epoch has each of its counters halved as often as epochs have begun since. So no sweep
// is needed, and no death leaves half of one. A word that nobody writes to for 16 epochs counts as new.
type sketch struct {
	clock  *sketchClock
	line   *block // the same line: TinyLFU has the words from lineTiers on
	blocks []block
	untold uint64 // of this writer since
	span   uint64 // for which an epoch lasts
	epoch  uint64
}

// sketchClock is the first line.
type sketchClock struct {
	units seam.Uint64 // of the records that were counted, as far as all writers have told
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
	epochRooms   = 6  // an epoch lasts for records of so many times the room of the store
	tellPart     = 64 // a writer tells of what it has counted when it is such a part of an epoch
)

// sketchWords is how many words a sketch for so many records wants: one for each, in whole blocks, and the
// line of the clock.
func sketchWords(records uint64) uint64 {
	return (max(records, blockWords)+blockWords-1)/blockWords*blockWords + blockWords
}

// newSketch is one writer's view of the sketch in the words, which are whole lines, of a store with room for
// so many units.
func newSketch(words region.Words, room uint64) sketch {
	rest := words[blockWords:]
	s := sketch{span: epochRooms * room,
		clock:  (*sketchClock)(unsafe.Pointer(unsafe.SliceData(words))),
		line:   (*block)(unsafe.Pointer(unsafe.SliceData(words))),
		blocks: unsafe.Slice((*block)(unsafe.Pointer(unsafe.SliceData(rest))), len(rest)/blockWords)}
	if len(s.blocks) == 0 { // a header that somebody has damaged may say so
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

// at is the word and the place in it of a hash in a row.
func (s *sketch) at(h uint64, row int) (word *seam.Uint64, shift uint) {
	b := &s.blocks[(h>>32)*uint64(len(s.blocks))>>32]
	n := uint(h>>(8*row)&0xFF) * (rowWords * countersWord) >> 8
	return &b[uint(row*rowWords)+n/countersWord], n % countersWord * counterBits
}

// aged is the word as it is in an epoch.
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

// add counts a hash n times, whose record has so many units.
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
	for row := range sketchRows { // only those that would be too low are raised
		now := aged(seen[row], s.epoch)
		if has := now >> shifts[row] & counterMost; has < most {
			sketchSwap(words[row], seen[row], now+(most-has)<<shifts[row])
		}
	}
	s.tell(uint64(n) * uint64(units))
}

// tell moves the clock.
func (s *sketch) tell(units uint64) {
	if s.untold += units; s.untold >= s.span/tellPart {
		sketchTell(s.clock, s.untold)
		s.untold = 0
		s.epoch = s.now()
	}
}

func sketchRead(word *seam.Uint64) uint64 { return word.Load() }

// sketchSwap raises counters. If somebody else has changed the word, the counts are lost.
func sketchSwap(word *seam.Uint64, old, new uint64) { word.CompareAndSwap(old, new) }

func sketchTell(clock *sketchClock, units uint64) { clock.units.Add(units) }

func (c *sketchClock) sketchTime() uint64 { return c.units.Load() }
