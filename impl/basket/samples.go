package basket

import (
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// samples measure, for Ageing, whether records that were used often are used again, more than those that
// were not used at all. They are in the words of the policy, so all writers of a region measure together and
// decide alike. One record in 64 of those that are judged is a sample, and the choice is drawn again each
// time. A sample stays for a round, in which it is watched, and its slot remembers its hash during that
// round. If the slot is taken, the record does not become a sample.
//
// The first line has what was measured so far, and the number of the walk. Behind it are the slots of
// samples that were not used, and then as many slots of samples that were used often.
//
//	bits    field of the word of shares     field of a slot
//	63..48  often: all                      63..34  walk that began to watch it, modulo 2^30
//	47..32  often: used again               33      it has been without a use for a round
//	31..16  idle: all                       32      taken
//	15..0   idle: used again                31..0   hash
//
// All of it is a hint. If two writers change a word at the same time, one change is lost. A slot whose
// record was deleted is free again after it has been taken for two rounds.
type samples struct {
	line  *block
	slots [2]region.Words // by watched
	round uint64          // number of walks in which each record is judged once
	walk  uint64          // number of this walk
	idle  share           // of records not used in one round, the share used in the next one
	often share           // the same for records that were used often before
}

// watched is the kind of a sample: what its record had been used for when it was drawn.
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
	slotsPart   = 64 // one slot of each kind for so many records
	slotsMost   = 128
	slotsLeast  = blockWords / 2
	slotRounds  = 2
	sampleShift = 32 - 6 // one record in 64
	shareBits   = 16
	lineShares  = 0 // index in the first line
	lineWalks   = 1
)

// samplesWords is the number of words for the samples of a store for so many records, in whole lines.
func samplesWords(records uint64) uint64 {
	slots := min(max(records/slotsPart, slotsLeast), slotsMost)
	return blockWords + (2*slots+blockWords-1)/blockWords*blockWords
}

// samplesOf is one writer's view of the samples in the words, for a store with so many baskets.
func samplesOf(words region.Words, baskets uint32) samples {
	if len(words) < 2*blockWords { // only a damaged header can say so
		words = make(region.Words, 2*blockWords)
	}
	half := (len(words) - blockWords) / 2
	s := samples{line: (*block)(words), round: uint64(baskets),
		slots: [2]region.Words{words[blockWords:][:half], words[blockWords+half:][:half]}}
	s.learn()
	return s
}

// learn reads what all writers have measured.
func (s *samples) learn() {
	word := sketchRead(&s.line[lineShares])
	s.idle, s.often = sharesOf(word)
}

// sharesOf unpacks the shares of idle and of often records from a word. For a new region, and for a damaged
// word, the result says that frequency counts, with the weight of a few samples; otherwise the first sample
// would decide.
func sharesOf(word uint64) (idle, often share) {
	field := func(i int) uint32 { return uint32(word >> (i * shareBits) & (1<<shareBits - 1)) }
	idle, often = share{field(0), field(1)}, share{field(2), field(3)}
	if idle.sound() && often.sound() {
		return idle, often
	}
	return share{0, 3}, share{3, 6}
}

// wordOfShares packs the shares.
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

// count counts a watched record that was used, or was not used.
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

// oftenCounts reports whether a record that was used often before should stay for a round in which it was
// not used. That is so if at least one in six such records is used again, and half as many again as of the
// records that were not used at all. A record may stay for two rounds without a use, so it must be better by
// more than the errors of the samples. One in eight was too low a limit: objects that are used in bursts
// stay longer while frequency counts, so that one in six or seven of them is used again; while it does not
// count, one in twenty is.
func (s *samples) oftenCounts() bool {
	return 6*s.often.hits >= s.often.all && 2*s.often.hits*s.idle.all > 3*s.idle.hits*s.often.all
}

// judge decides whether a sample stays, and counts its result; sample is false for records that are not
// samples.
func (s *samples) judge(c *Candidate) (stays, sample bool) {
	hash, used := c.Hash, c.Uses > c.Given
	for x := range s.slots {
		slot, old := s.slot(watched(x), hash)
		switch {
		case uint32(old) != hash || s.free(old):
		case s.since(old) == 0: // judged again in the same walk: the first verdict holds
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

// slot returns the slot of a hash among those of a kind, and its content.
func (s *samples) slot(x watched, hash uint32) (*seam.Uint64, uint64) {
	all := s.slots[x]
	slot := &all[uint64(hash*0x9E3779B1)*uint64(len(all))>>32]
	return slot, sketchRead(slot)
}

// word is the content of a slot that is taken in this walk.
func (s *samples) word(hash uint32) uint64 { return uint64(hash) | slotTaken | s.walk<<slotWalk }

// since is how many walks ago a slot was taken.
func (s *samples) since(slot uint64) uint64 { return (s.walk - slot>>slotWalk) & slotWalks }

// free reports whether no sample is waiting in a slot.
func (s *samples) free(slot uint64) bool {
	return slot&slotTaken == 0 || s.since(slot) > slotRounds*s.round
}

// share is a part of a whole, in which recent counts weigh most.
type share struct{ hits, all uint32 }

// shareMost is the number of counts at which a share halves both of its numbers.
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

// sound reports whether these numbers can come from counting.
func (s *share) sound() bool { return s.all > 0 && s.all < shareMost && s.hits <= s.all }
