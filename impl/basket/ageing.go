package basket

import "github.com/samecycle/samecycle/impl/region"

// Ageing is the policy of age: baskets go from tier to tier as they become older, and retire from the last
// one. What was used meanwhile goes back to the top. So a tier has the entries of one span of age. With one
// tier it is a FIFO of baskets whose used records come in again.
//
// How much a tier may have, and how old what is in it may become, are live thresholds (Tuning). The tiers
// have equal shares by default. No byte is copied when a basket ages.
//
// Source: seeds 000 and 001 (tiers by time); the ageing of whole generations is that of the
// multi-generational LRU of Linux, and coming in again that of CLOCK.
type Ageing struct{}

// Name is "ageing".
func (Ageing) Name() string { return "ageing" }

// ageingTiers are those that Ageing has by default.
const ageingTiers = 4

// Shape has as many tiers as are asked for, 4 by default. New records enter the top one.
func (Ageing) Shape(asked uint32) (tiers, lanes uint32) {
	if asked == 0 {
		asked = ageingTiers
	}
	return min(asked, TiersMax), 1
}

// Words is 0: what it knows is in the marks of recency.
func (Ageing) Words(uint64) uint64 { return 0 }

// Order is that of one writer.
func (Ageing) Order(_ region.Words, l Layout) Order {
	return &ageing{last: l.tiers() - 1, all: uint64(l.Baskets) * uint64(l.units()),
		idle: share{hits: 0, all: 1}, often: share{hits: 1, all: 2}}
}

// ageing is the Order of Ageing.
//
// What was used may be moved up to seven eighths of a basket. So a walk always makes room: behind 8 records
// there is room for another one.
//
// Where a quarter of all that there is room for has been used, one record as often as the other, that does
// not tell which ones are to stay, and the age decides: then a quarter may be moved. Else what was used once
// would push out all that comes after it, used or not.
//
// A record that was used stays for one more round, as in CLOCK. If it was used more than once it may stay for
// up to three, as in GCLOCK, which is better where what was used often will be used again, and worse where
// it has had its time. Which of the two is so is measured, by samples: records that were used often
// and then, for a round, not at all; and records that were not used at all. Both stay for a round more. If
// more of the first ones are used in it, often counts.
type ageing struct {
	last   uint32 // tier
	budget uint32 // so many units of the basket that retires may still be moved
	uses   int    // that the last record had which was judged
	alike  uint64 // so many units of records one after the other had as many
	all    uint64 // units that there is room for
	idle   share  // of the records that were not used in one round, those that are in the next one
	often  share  // the same of records that were used often before
}

// share is a part of all, of which the last ones count most.
type share struct{ hits, all uint32 }

// count counts one more.
func (s *share) count(hit bool) {
	if s.all++; hit {
		s.hits++
	}
	if s.all >= shareMost {
		s.hits, s.all = s.hits/2, s.all/2
	}
}

const (
	shareMost  = 256
	movedMost  = 7
	movedAlike = 2
	movedOf    = 8
	alikeOf    = 4
)

// oftenCounts reports whether a record that was used often before is worth a round in which it was not used:
// one in eight is used again at least, and half as many again as of those that were not used at all. A record
// may stay for two rounds without a use, so it has to be the better one by more than the errors of samples.
func (o *ageing) oftenCounts() bool {
	return 8*o.often.hits >= o.often.all && 2*o.often.hits*o.idle.all > 3*o.idle.hits*o.often.all
}

// Samples are chosen by hash: of 64 records one each.
const (
	sampleShift = 32 - 6
	sampleIdle  = 0
	sampleOften = 1
)

// sampleOf is the number of its sample.
func sampleOf(hash uint32) uint32 { return hash * 0x9E3779B1 >> sampleShift }

func (o *ageing) Enters(_, _ uint32) uint32 { return 0 }

// Ages: a tier that has more baskets than its share, or one that is too old, gives its oldest one down.
func (o *ageing) Ages(b *Balance) (tier uint32, ok bool) {
	for t := range o.last {
		x, share := b.Tiers[t], b.Share[t]
		if share == 0 {
			share = 100 / (o.last + 1)
		}
		if x.Sealed > 0 && (b.Aged[t] || x.Baskets > b.All*share/100) {
			return t, true
		}
	}
	return 0, false
}

// Retires is the last tier.
func (o *ageing) Retires(*Balance) uint32 { return o.last }

func (o *ageing) Walks(_, units uint32) {
	o.budget = units / movedOf * movedMost
	if o.uses > 0 && o.alike >= o.all/alikeOf {
		o.budget = units / movedOf * movedAlike
	}
}

// Judge: a record that was used stays, as long as not too much does. Each time that it is moved one use of it
// counts no more. So of a record that nobody uses any more the moves have an end.
func (o *ageing) Judge(c *Candidate) Verdict {
	if c.Uses == 0 || c.Uses != o.uses {
		o.alike = 0
	}
	o.uses = c.Uses
	o.alike += uint64(c.Units)
	v := o.verdict(c, c.Uses > c.Given)
	if v.Stays = v.Stays && c.Units <= o.budget; v.Stays {
		o.budget -= c.Units
	}
	return v
}

// verdict is what becomes of a record if there is room. Used says that it was used in this round.
func (o *ageing) verdict(c *Candidate, used bool) Verdict {
	sample := sampleOf(c.Hash)
	switch {
	case c.Old:
	case sample == sampleIdle:
		if c.Given == 1 {
			o.idle.count(used)
		}
		if !used && c.Given == 0 {
			return Verdict{Stays: true, Uses: 1}
		}
		return Verdict{Stays: used}
	case sample == sampleOften:
		if c.Given == 1 {
			o.often.count(used)
		}
		switch {
		case used && c.Uses-c.Given > 1:
			return Verdict{Stays: true, Uses: 2}
		case !used && c.Given == 2:
			return Verdict{Stays: true, Uses: 1}
		}
		return Verdict{Stays: used}
	}
	if o.oftenCounts() {
		return Verdict{Stays: c.Uses > 0, Uses: max(c.Uses-1, 0)}
	}
	return Verdict{Stays: used}
}
