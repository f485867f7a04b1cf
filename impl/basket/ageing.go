package basket

import "github.com/samecycle/samecycle/impl/region"

// Ageing is the policy of age. Baskets go down from tier to tier as they become older, and retire from the
// last tier. Records that were used in the meantime go back to the top. So each tier has the entries of one
// span of age. With one tier, Ageing is a FIFO of baskets in which used records enter again.
//
// How much a tier may have, and how old a basket in it may become, are live thresholds (Tuning). By default
// all tiers have equal shares. Ageing a basket copies no byte.
//
// Source: seeds 000 and 001 (tiers by time). The ageing of whole generations is that of the
// multi-generational LRU of Linux. A used record enters again as in CLOCK, or as in GCLOCK while the samples
// favour it.
type Ageing struct{}

// Name is "ageing".
func (Ageing) Name() string { return "ageing" }

// ageingTiers is the default number of tiers of Ageing.
const ageingTiers = 4

// Shape has as many tiers as the program asks for, 4 by default. New records enter the top tier.
func (Ageing) Shape(asked uint32) (tiers, lanes uint32) {
	if asked == 0 {
		asked = ageingTiers
	}
	return min(asked, TiersMax), 1
}

// Words is the number of words for the samples: one for 32 records, up to 264.
func (Ageing) Words(records uint64) uint64 { return samplesWords(records) }

// Order returns the Order of one writer.
func (Ageing) Order(words region.Words, l Layout) Order {
	return &ageing{last: l.tiers() - 1, all: uint64(l.Baskets) * uint64(l.units()),
		samples: samplesOf(words, l.Baskets)}
}

// ageing is the Order of Ageing.
//
// Of the used records, up to seven eighths of a basket may be moved. So a walk always makes room: for every
// 8 records that it walks over, there is room for another one.
//
// If used records in a row fill a quarter of the whole room, and all have the same number of uses, the uses
// do not tell which records should stay, so the age decides: then only a quarter of a basket may be moved.
// Without this rule, records that were used once would push out all later records, used or not.
//
// A record that was used stays for one more round, as in CLOCK. A record that was used more than once may
// stay for up to three rounds, as in GCLOCK. GCLOCK is better if records that were used often will be used
// again, and worse if their time is over. The samples measure which of the two holds. While frequency does
// not count, a use counts only if it was made in about the last three quarters of a round. So a record that
// was used only a moment after it came in leaves. This is closer to LRU than CLOCK is.
type ageing struct {
	samples
	last   uint32 // last tier
	budget uint32 // units of the basket that retires that may still be moved
	uses   int    // uses of the record that was judged last
	alike  uint64 // units of records in a row that had the same number of uses
	all    uint64 // units in the whole store
}

const (
	movedMost  = 7
	movedAlike = 2
	movedOf    = 8
	alikeOf    = 4
)

func (o *ageing) Enters(_, _ uint32) uint32 { return 0 }

// Ages returns a tier that has more baskets than its share, or whose oldest basket is too old. Its oldest
// basket goes down.
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

// Forgets returns whether uses in the first quarter of a round are forgotten, which is so while frequency
// does not count. They are forgotten when a basket leaves the first quarter of the tiers.
func (o *ageing) Forgets(tier uint32) bool {
	return tier+1 == (o.last+3)/4 && !o.oftenCounts()
}

// Retires returns the last tier.
func (o *ageing) Retires(*Balance) uint32 { return o.last }

func (o *ageing) Walks(_, units uint32) {
	o.walks()
	o.budget = units / movedOf * movedMost
	if o.uses > 0 && o.alike >= o.all/alikeOf {
		o.budget = units / movedOf * movedAlike
	}
}

// Judge lets a record stay if it was used, as long as not too many records stay. Each move takes one use
// from the record. So a record that nobody uses any more is moved only a few times.
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

// verdict returns the verdict on a record if there is room for it.
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
