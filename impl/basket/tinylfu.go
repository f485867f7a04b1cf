package basket

import "github.com/samecycle/samecycle/impl/region"

// TinyLFU is a policy that resists scans and loops. New records enter a small tier, a FIFO of few baskets.
// When one of them is to leave it, it is held against a record that would leave the main tier: it comes in
// only if it was asked for more often. Records of the main tier that were used stay, as in CLOCK. A key that
// comes back and has been asked for some times enters the main tier at once.
//
// How often a key was asked for is estimated by a sketch in the region, which forgets. It costs a get
// nothing: the uses of a record are counted by its marks of recency, and go into the sketch when it is
// judged.
//
// Source: the two queues are those of S3-FIFO (Yang and others, 2023), admission by comparison with a victim
// is TinyLFU (Einziger, Friedman and Manes, 2017).
type TinyLFU struct{}

// Name is "tinylfu".
func (TinyLFU) Name() string { return "tinylfu" }

// Tiers of TinyLFU.
const (
	tierSmall = iota
	tierMain
	tinyTiers
)

// Shape has two tiers, whatever is asked for. Records enter both.
func (TinyLFU) Shape(uint32) (tiers, lanes uint32) { return tinyTiers, tinyTiers }

// Words is that of a sketch: one for each record.
func (TinyLFU) Words(records uint64) uint64 { return sketchWords(records) }

// Order is that of one writer.
func (TinyLFU) Order(words region.Words, l Layout) Order {
	return &tinyLFU{sketch: newSketch(words, uint64(l.Baskets)*uint64(l.units()))}
}

// tinyLFU is the Order of TinyLFU.
type tinyLFU struct {
	sketch sketch
	budget uint32 // units of the main tier's basket that retires which may still stay
}

const (
	smallShare = 7 // percent of the baskets that the small tier has, unless it is tuned
	smallLeast = 1 // baskets
	knownUses  = 4 // a key that was asked for so many times enters the main tier at once
)

// Enters counts the key.
func (o *tinyLFU) Enters(hash, units uint32) uint32 {
	o.sketch.add(hash, 1, units)
	if o.sketch.count(hash) >= knownUses {
		return tierMain
	}
	return tierSmall
}

// shares are how many baskets each of the tiers may have.
func shares(b *Balance) (small, main uint32) {
	share := b.Share[tierSmall]
	if share == 0 {
		share = smallShare
	}
	small = max(smallLeast, (b.All*share+50)/100)
	return small, b.All - min(b.All, b.Reserve+small)
}

// Ages: while the main tier has room for all, baskets of the small one go there as they are.
func (o *tinyLFU) Ages(b *Balance) (tier uint32, ok bool) {
	small, main := shares(b)
	return tierSmall, b.Tiers[tierMain].Baskets < main && b.Tiers[tierSmall].Baskets > small &&
		b.Tiers[tierSmall].Sealed > 0
}

// Retires is the main tier if it has more than its share.
func (o *tinyLFU) Retires(b *Balance) uint32 {
	_, main := shares(b)
	if b.Tiers[tierMain].Baskets > main || b.Tiers[tierSmall].Sealed == 0 {
		return tierMain
	}
	return tierSmall
}

func (o *tinyLFU) Walks(_, units uint32) { o.budget = units / movedOf * movedMost }

// Judge: from the small tier a record goes to the main one if it was asked for more often than a record that
// would leave that. The one that is there wins a draw: else each round of a
// loop would replace what the next one finds.
func (o *tinyLFU) Judge(c *Candidate) Verdict {
	if c.Tier == tierMain {
		o.sketch.add(c.Hash, c.Uses, c.Units)
		if c.Uses == 0 || c.Units > o.budget {
			return Verdict{}
		}
		o.budget -= c.Units
		return Verdict{Stays: true, Tier: tierMain, Uses: c.Uses - 1}
	}
	hash, uses, ok := c.Rival(tierMain)
	stays := !ok || o.sketch.count(c.Hash)+c.Uses > o.sketch.count(hash)+uses+1
	o.sketch.add(c.Hash, c.Uses, c.Units)
	return Verdict{Stays: stays, Tier: tierMain}
}
