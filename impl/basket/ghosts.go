package basket

import "github.com/samecycle/samecycle/internal/seam"

// ghosts remember which records have left a tier of TinyLFU recently. They are in the last two words of the
// blocks of its sketch, so a writer that counts a hash has their cache line at hand. A word has three
// ghosts, each with a part of a hash. So one in 1400 records that come in is mistaken for another record
// that has left.
//
//	bits    field of a ghost
//	20..9   part of the hash
//	8..1    when it left, modulo 2^8: how much had come into the tier, in 64ths of the room of the store
//	0       tier
//
// The line of the clock has the number of units that have come into each tier, and the share of the small
// tier.
//
// Zero is no ghost, or one of little use. A change is lost if another writer changes the same word at the
// same time.
type ghosts struct {
	*sketch
	part   uint64            // units of a 64th of the room
	untold [tinyTiers]uint64 // units that have come into each tier by this writer, not yet added to the clock
	time   [tinyTiers]uint64 // the same of all writers, when this one last added its own
}

const (
	lineTiers  = 1                     // word of the clock: units that have come into a tier
	lineShare  = lineTiers + tinyTiers // units for the small tier; 0 is its share at the beginning
	ghostFirst = sketchRows * rowWords // word of a block
	ghostWords = blockWords - ghostFirst
	ghostSlots = 3 // of a word
	ghostBits  = 21
	ghostMask  = 1<<ghostBits - 1
	ghostParts = 64
	ghostTime  = 1 // shift of the time
	timeMask   = 1<<8 - 1
	ghostHash  = 9 // shift of the part of the hash
	hashMask   = 1<<12 - 1
)

// ghostsOf is one writer's view of the ghosts of a sketch, for a store with room for so many units.
func ghostsOf(s *sketch, room uint64) ghosts {
	g := ghosts{sketch: s, part: max(room/ghostParts, 1)}
	for t := range g.time {
		g.time[t] = sketchRead(&s.line[lineTiers+t])
	}
	return g
}

// at returns the word of a hash, and the part of the hash that a ghost has.
func (g *ghosts) at(hash uint32) (word *seam.Uint64, part uint64) {
	h := mixed(hash)
	b := &g.blocks[(h>>32)*uint64(len(g.blocks))>>32]
	return &b[ghostFirst+h>>24%ghostWords], h >> 40 & hashMask
}

// comes counts a record of so many units that comes into a tier.
func (g *ghosts) comes(tier, units uint32) {
	if g.untold[tier] += uint64(units); g.untold[tier] >= g.part/4 {
		word := &g.line[lineTiers+tier]
		old := sketchRead(word)
		g.time[tier] = old + g.untold[tier]
		sketchSwap(word, old, g.time[tier])
		g.untold[tier] = 0
	}
}

// age is how much has come into the tier of a ghost since it left, in 64ths of the room.
func (g *ghosts) age(ghost uint64) uint64 {
	return (g.time[ghost%tinyTiers]/g.part - ghost>>ghostTime) & timeMask
}

// leaves remembers a record that leaves a tier. It replaces its own ghost, or the oldest ghost of the word.
func (g *ghosts) leaves(hash, tier uint32) {
	word, part := g.at(hash)
	old := sketchRead(word)
	shift, oldest := 0, uint64(0)
	for i := range ghostSlots {
		x := old >> (i * ghostBits) & ghostMask
		if x == 0 || x>>ghostHash == part {
			shift = i * ghostBits
			break
		}
		if age := g.age(x); age >= oldest {
			shift, oldest = i*ghostBits, age
		}
	}
	ghost := part<<ghostHash | (g.time[tier]/g.part&timeMask)<<ghostTime | uint64(tier)
	sketchSwap(word, old, old&^(ghostMask<<shift)|ghost<<shift)
}

// returns looks for the ghost of a record that comes in. It returns the tier that the record had left, and
// how many units have come into that tier since. It then forgets the ghost.
func (g *ghosts) returns(hash uint32) (tier uint32, since uint64, ok bool) {
	word, part := g.at(hash)
	old := sketchRead(word)
	for i := range ghostSlots {
		if x := old >> (i * ghostBits) & ghostMask; x != 0 && x>>ghostHash == part {
			sketchSwap(word, old, old&^(ghostMask<<(i*ghostBits)))
			return uint32(x % tinyTiers), g.age(x) * g.part, true
		}
	}
	return 0, 0, false
}
