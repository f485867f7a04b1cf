package basket

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// samples measure for Ageing whether records that were used often are used again, more than those that were
// not used at all. They lie in the words of the policy, so all writers of a region measure together and
// decide alike. A sample is one record in 64 of those that are judged, drawn anew each time. It stays for a
// round in which it is watched, and its slot remembers its hash meanwhile. A sample whose slot is taken is
// none.
//
// The first line has what was measured so far, and the number of the walk. Behind it lie the slots of
// samples that were not used, and as many of those that were used often.
//
//	bits    field of the word of shares     field of a slot
//	63..48  often: all                      63..34  walk that began to watch it, modulo 2^30
//	47..32  often: used again               33      it has been without a use for a round
//	31..16  idle: all                       32      taken
//	15..0   idle: used again                31..0   hash
//
// All of it is a hint. What a writer changes while another one does is lost; a slot whose record was
// deleted is free again when it has been taken for two rounds.
type samples struct {
	line  *block
	slots [2]region.Words // by watched
	round uint64          // walks, after which each record was judged
	walk  uint64          // this one
	idle  share           // of the records that were not used in one round, those that are in the next one
	often share           // the same of records that were used often before
}

// watched is what the records of a sample were found to be.
type watched int

const (
	watchedIdle watched = iota
	watchedOften
)

const (
	slotTaken   = 1 << 32
	slotRested  = 1 << 33
	slotWalk    = 34 // shift
	slotWalks   = 1<<(64-slotWalk) - 1
	slotsPart   = 64 // a slot of each kind is for so many records
	slotsMost   = 128
	slotsLeast  = blockWords / 2
	slotRounds  = 2
	sampleShift = 32 - 6 // of 64 records one
	shareBits   = 16
	lineShares  = 0 // words of the first line
	lineWalks   = 1
)

// samplesWords is how many words the samples of a store for so many records want, in whole lines.
func samplesWords(records uint64) uint64 {
	slots := min(max(records/slotsPart, slotsLeast), slotsMost)
	return blockWords + (2*slots+blockWords-1)/blockWords*blockWords
}

// samplesOf is one writer's view of the samples in the words, of a store with so many baskets.
func samplesOf(words region.Words, baskets uint32) samples {
	if len(words) < 2*blockWords { // a header that somebody has damaged may say so
		words = make(region.Words, 2*blockWords)
	}
	half := (len(words) - blockWords) / 2
	s := samples{line: (*block)(words), round: uint64(baskets),
		slots: [2]region.Words{words[blockWords:][:half], words[blockWords+half:][:half]}}
	s.learn()
	return s
}

// learn takes over what all writers have measured.
func (s *samples) learn() {
	word := sketchRead(&s.line[lineShares])
	s.idle, s.often = sharesOf(word)
}

// sharesOf are the shares of idle and of often records in a word. Those of a new region, and of a word that
// is damaged, say that often counts, and weigh as much as a few samples: else the first one would decide.
func sharesOf(word uint64) (idle, often share) {
	field := func(i int) uint32 { return uint32(word >> (i * shareBits) & (1<<shareBits - 1)) }
	idle, often = share{field(0), field(1)}, share{field(2), field(3)}
	if idle.sound() && often.sound() {
		return idle, often
	}
	return share{0, 3}, share{3, 6}
}

// wordOfShares packs them.
func wordOfShares(idle, often share) (word uint64) {
	for i, n := range []uint32{idle.hits, idle.all, often.hits, often.all} {
		word |= uint64(n) << (i * shareBits)
	}
	return word
}

// walks begins the walk over a basket.
func (s *samples) walks() {
	old := sketchRead(&s.line[lineWalks])
	sketchSwap(&s.line[lineWalks], old, old+1)
	s.walk = old + 1
	s.learn()
}

// count counts that a record which was watched was used, or was not.
func (s *samples) count(x watched, used bool) {
	old := sketchRead(&s.line[lineShares])
	s.idle, s.often = sharesOf(old)
	if x == watchedIdle {
		s.idle.count(used)
	} else {
		s.often.count(used)
	}
	sketchSwap(&s.line[lineShares], old, wordOfShares(s.idle, s.often))
}

// oftenCounts reports whether a record that was used often before is worth a round in which it was not
// used: one in six is used again at least, and half as many again as of those that were not used at all.
// A record may stay for two rounds without a use, so it has to be the better one by more than the errors of
// samples. One in eight was too little: objects that are used in bursts stay longer while it counts, so that
// one in six or seven of them is used again; while it does not count, one in twenty is.
func (s *samples) oftenCounts() bool {
	return 6*s.often.hits >= s.often.all && 2*s.often.hits*s.idle.all > 3*s.idle.hits*s.often.all
}

// judge says of a sample whether it stays, and counts what it has shown; sample is false of other records.
func (s *samples) judge(c *Candidate) (stays, sample bool) {
	hash, used := c.Hash, c.Uses > c.Given
	for x := range s.slots {
		slot, old := s.slot(watched(x), hash)
		switch {
		case uint32(old) != hash || s.free(old):
		case s.since(old) == 0: // judged once more in one walk: what it was told holds
			return true, true
		case watched(x) == watchedOften && old&slotRested == 0:
			if used {
				sketchSwap(slot, old, 0)
			} else {
				sketchSwap(slot, old, s.word(hash)|slotRested)
			}
			return true, true
		default:
			sketchSwap(slot, old, 0)
			s.count(watched(x), used)
			return used, true
		}
	}
	switch {
	case !s.drawn(hash):
		return false, false
	case c.Uses == 0:
		return s.watch(watchedIdle, hash)
	case c.Uses > c.Given+1:
		return s.watch(watchedOften, hash)
	}
	return false, false
}

// watch makes a record a sample, if its slot is free.
func (s *samples) watch(x watched, hash uint32) (stays, sample bool) {
	slot, old := s.slot(x, hash)
	if !s.free(old) {
		return false, false
	}
	sketchSwap(slot, old, s.word(hash))
	return true, true
}

// drawn reports whether the record of a hash is drawn as a sample in this walk.
func (s *samples) drawn(hash uint32) bool {
	return (hash^uint32(s.walk)*0x85EBCA6B)*0x9E3779B1>>sampleShift == 0
}

// slot is the slot of a hash among those of a kind, and what is in it.
func (s *samples) slot(x watched, hash uint32) (*seam.Uint64, uint64) {
	all := s.slots[x]
	slot := &all[uint64(hash*0x9E3779B1)*uint64(len(all))>>32]
	return slot, sketchRead(slot)
}

// word is a slot that is taken in this walk.
func (s *samples) word(hash uint32) uint64 { return uint64(hash) | slotTaken | s.walk<<slotWalk }

// since is how many walks ago a slot was taken.
func (s *samples) since(slot uint64) uint64 { return (s.walk - slot>>slotWalk) & slotWalks }

// free reports whether nobody waits for what is in a slot.
func (s *samples) free(slot uint64) bool {
	return slot&slotTaken == 0 || s.since(slot) > slotRounds*s.round
}

// share is a part of all, of which the last ones count most.
type share struct{ hits, all uint32 }

// shareMost is where a share forgets half of what it has counted.
const shareMost = 256

// count counts one more.
func (s *share) count(hit bool) {
	if s.all++; hit {
		s.hits++
	}
	if s.all >= shareMost {
		s.hits, s.all = s.hits/2, s.all/2
	}
}

// sound reports whether it can have been counted.
func (s *share) sound() bool { return s.all > 0 && s.all < shareMost && s.hits <= s.all }
