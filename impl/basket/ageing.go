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
// multi-generational LRU of Linux, and coming in again that of CLOCK, or of GCLOCK while samples say so.
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

// Words is that of samples: one for 32 records, up to 264.
func (Ageing) Words(records uint64) uint64 { return samplesWords(records) }

// Order is that of one writer.
func (Ageing) Order(words region.Words, l Layout) Order {
	return &ageing{last: l.tiers() - 1, all: uint64(l.Baskets) * uint64(l.units()),
		samples: samplesOf(words, l.Baskets)}
}

// ageing is the Order of Ageing.
//
// What was used may be moved up to seven eighths of a basket. So a walk always makes room: behind 8 records
// there is room for another one.
//
// Where a quarter of all that there is room for has been used, one record as often as the other, that does
// not tell which ones are to stay, and the age decides: then a quarter may be moved. Else what was used
// once would push out all that comes after it, used or not.
//
// A record that was used stays for one more round, as in CLOCK. If it was used more than once it may stay
// for up to three, as in GCLOCK, which is better where what was used often will be used again, and worse
// where it has had its time. Which of the two is so is measured by samples. Where often does not count, a
// use counts only if it was made in the last three quarters of a round, or thereabouts: a record that was
// used a moment after it came in, and then no more, leaves. That is nearer to LRU than CLOCK is.
type ageing struct {
	samples
	last   uint32 // tier
	budget uint32 // so many units of the basket that retires may still be moved
	uses   int    // that the last record had which was judged
	alike  uint64 // so many units of records one after the other had as many
	all    uint64 // units that there is room for
}

const (
	movedMost  = 7
	movedAlike = 2
	movedOf    = 8
	alikeOf    = 4
)

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

// Forgets: where often does not count, uses of the first quarter of a round count no more. That is when a
// basket leaves the first quarter of the tiers.
func (o *ageing) Forgets(tier uint32) bool {
	return tier+1 == (o.last+3)/4 && !o.oftenCounts()
}

// Retires is the last tier.
func (o *ageing) Retires(*Balance) uint32 { return o.last }

func (o *ageing) Walks(_, units uint32) {
	o.walks()
	o.budget = units / movedOf * movedMost
	if o.uses > 0 && o.alike >= o.all/alikeOf {
		o.budget = units / movedOf * movedAlike
	}
}

// Judge: a record that was used stays, as long as not too much does. Each time that it is moved one use of
// it counts no more. So of a record that nobody uses any more the moves have an end.
func (o *ageing) Judge(c *Candidate) Verdict {
	if c.Uses == 0 || c.Uses != o.uses {
		o.alike = 0
	}
	o.uses = c.Uses
	o.alike += uint64(c.Units)
	v := o.verdict(c)
	if v.Stays = v.Stays && c.Units <= o.budget; v.Stays {
		o.budget -= c.Units
	}
	return v
}

// verdict is what becomes of a record if there is room.
func (o *ageing) verdict(c *Candidate) Verdict {
	if !c.Old {
		if stays, sample := o.judge(c); sample {
			return Verdict{Stays: stays}
		}
	}
	if o.oftenCounts() {
		return Verdict{Stays: c.Uses > 0, Uses: max(c.Uses-1, 0)}
	}
	return Verdict{Stays: c.Uses > c.Given}
}
