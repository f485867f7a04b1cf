package basket

import "github.com/samecycle/samecycle/impl/region"

// TinyLFU is a policy that resists scans and loops. New records enter a small tier, which is a queue of few
// baskets. When a record is about to leave the small tier, it is compared with a record that would leave the
// main tier. It enters the main tier only if it was asked for more often. Otherwise it stays in the small
// tier if it was used there. Records of the main tier that were used stay, as in CLOCK.
//
// A key that comes back and has been asked for several times enters the main tier at once. But a key that
// has recently left that tier without a use does so only if it was asked for more often than the records
// that leave the tier now. Otherwise a scan that is repeated, and does not fit, would push itself out.
//
// A sketch in the region estimates how often a key was asked for, and forgets over time. It costs a get
// nothing: the marks of recency count the uses of a record, and they are added to the sketch when the record
// is judged.
//
// The share of the small tier adapts. If records that were used last are used next, the share grows, until
// the policy is nearly that of age. If records that were used often are used next, it shrinks. Records that
// come back soon after they have left a tier show what that tier misses.
//
// Source: the two queues are those of S3-FIFO (Yang and others, 2023). Admission by comparison with a victim
// is from TinyLFU (Einziger, Friedman and Manes, 2017). The share that moves with the records that come back
// is from ARC (Megiddo and Modha, 2003).
type TinyLFU struct{}

// Name is "tinylfu".
func (TinyLFU) Name() string { return "tinylfu" }

// Tiers of TinyLFU.
const (
	tierSmall = iota
	tierMain
	tinyTiers
)

// Shape has two tiers, whatever the program asks for. Records enter both.
func (TinyLFU) Shape(uint32) (tiers, lanes uint32) { return tinyTiers, tinyTiers }

// Words is the number of words of a sketch: one for each record.
func (TinyLFU) Words(records uint64) uint64 { return sketchWords(records) }

// Order returns the Order of one writer.
func (TinyLFU) Order(words region.Words, l Layout) Order {
	room := uint64(l.Baskets) * uint64(l.units())
	o := &tinyLFU{sketch: newSketch(words, room), room: room}
	o.ghosts = ghostsOf(&o.sketch, room)
	return o
}

// tinyLFU is the Order of TinyLFU.
type tinyLFU struct {
	sketch sketch
	ghosts ghosts
	left   [tinyTiers]share // of the records of each tier that were judged, the share that have left
	room   uint64           // units
	budget uint32           // units of the basket that retires that may still stay in its tier
	gone   int              // how often records were asked for that left the main tier: the mean times goneOf
	filled bool             // a basket has had to retire
}

const (
	smallBegin = 7  // share of the small tier at the beginning, in percent
	smallMin   = 2  // percent
	smallMax   = 90 // percent
	smallLeast = 1  // baskets
	knownUses  = 4  // a key that was asked for so often enters the main tier at once
	goneOf     = 16 // about so many records count in the mean of those that have left the main tier

	roundsMost = 16 // mean number of rounds of a record in a tier, at most, in the computation
	smallSteps = 20 // the share grows by one such part of what the small tier misses
	mainSteps  = 5  // the same for the main tier
)

// Enters counts the key.
func (o *tinyLFU) Enters(hash, units uint32) uint32 {
	o.sketch.add(hash, 1, units)
	from, since, back := o.ghosts.returns(hash)
	if back {
		o.missed(from, since, uint64(units))
	}
	tier := uint32(tierSmall)
	if o.known(hash, back && from == tierMain) {
		tier = tierMain
	}
	o.ghosts.comes(tier, units)
	return tier
}

// known reports whether a key enters the main tier at once; back says that it has recently left that tier.
func (o *tinyLFU) known(hash uint32, back bool) bool {
	n := o.sketch.count(hash)
	return n >= knownUses && (!back || n*goneOf > o.gone)
}

// missed changes the share of the small tier when a record comes back that has left a tier. since is the
// number of units that have come into that tier in between.
//
// If that is no more than the tier has room for, one more round would have made the record a hit. A record
// that leaves has been in the tier for as many rounds as records are judged for each one that leaves. In a
// larger tier, records that are used again would stay more often by that factor, in proportion to their
// worth per unit of room.
//
// A miss of the small tier counts a quarter, because a part of these records would have entered the main
// tier even with the same small tier.
func (o *tinyLFU) missed(tier uint32, since, units uint64) {
	old := sketchRead(&o.sketch.line[lineShare])
	now := o.small(old)
	size := now
	if tier == tierMain {
		size = o.room - now
	}
	if since > size {
		return
	}
	rounds := o.left[tier%tinyTiers]
	step := units * o.room / size
	step = min(step*uint64(rounds.all)/uint64(max(rounds.hits, 1)), step*roundsMost)
	if tier == tierSmall {
		now += step / smallSteps
	} else {
		now -= min(step/mainSteps, now)
	}
	now = min(max(now, o.room*smallMin/100, 1), o.room*smallMax/100)
	sketchSwap(&o.sketch.line[lineShare], old, now)
}

// small is the number of units that the small tier should have: the word of the region, if that is possible.
func (o *tinyLFU) small(word uint64) uint64 {
	if word == 0 || word >= o.room {
		return max(o.room*smallBegin/100, 1)
	}
	return word
}

// shares returns how many baskets each of the tiers may have.
func (o *tinyLFU) shares(b *Balance) (small, main uint32) {
	units := o.room * uint64(b.Share[tierSmall]) / 100
	if units == 0 {
		units = o.small(sketchRead(&o.sketch.line[lineShare]))
	}
	small = max(smallLeast, uint32((units*uint64(b.All)+o.room/2)/o.room))
	return small, b.All - min(b.All, b.Reserve+small)
}

// Ages moves baskets of the small tier to the main tier as they are, while the main tier has room for all.
// In a full store it moves none. There the share of the small tier goes up and down by a basket all the
// time, and with each basket that went down, records that were asked for once would enter the main tier
// without a comparison.
func (o *tinyLFU) Ages(b *Balance) (tier uint32, ok bool) {
	small, main := o.shares(b)
	if o.filled && b.Tiers[tierSmall].Baskets+b.Tiers[tierMain].Baskets+b.Reserve >= b.All {
		return 0, false
	}
	return tierSmall, b.Tiers[tierMain].Baskets < main && b.Tiers[tierSmall].Baskets > small &&
		b.Tiers[tierSmall].Sealed > 0
}

// Forgets returns false, because the sketch counts all uses.
func (*tinyLFU) Forgets(uint32) bool { return false }

// Retires returns the main tier if it has more than its share.
func (o *tinyLFU) Retires(b *Balance) uint32 {
	_, main := o.shares(b)
	o.filled = true
	if b.Tiers[tierMain].Baskets > main || b.Tiers[tierSmall].Sealed == 0 {
		return tierMain
	}
	return tierSmall
}

func (o *tinyLFU) Walks(_, units uint32) { o.budget = units / movedOf * movedMost }

// Judge moves a record from the small tier to the main tier if it was asked for more often than a record
// that would leave the main tier. If both were asked for equally often, the record of the main tier wins.
// Otherwise each round of a loop would replace the records that the next round finds.
func (o *tinyLFU) Judge(c *Candidate) Verdict {
	used := c.Uses - c.Given
	if c.Tier == tierMain {
		o.sketch.add(c.Hash, used, c.Units)
		return o.stays(c, c.Uses > 0, Verdict{Tier: tierMain, Uses: max(c.Uses-1, 0)})
	}
	hash, uses, ok := c.Rival(tierMain)
	rises := !ok || o.sketch.count(c.Hash)+used > o.sketch.count(hash)+uses+1
	o.sketch.add(c.Hash, used, c.Units)
	if rises {
		o.ghosts.comes(tierMain, c.Units)
		return Verdict{Stays: true, Tier: tierMain}
	}
	return o.stays(c, used > 0, Verdict{Tier: tierSmall})
}

// stays lets a record stay in the tier of the verdict, which is its own tier, if wants is true and the
// budget allows it. Otherwise the record leaves.
func (o *tinyLFU) stays(c *Candidate, wants bool, v Verdict) Verdict {
	v.Stays = wants && c.Units <= o.budget
	o.left[v.Tier].count(!v.Stays)
	if v.Stays {
		o.budget -= c.Units
		o.ghosts.comes(v.Tier, c.Units)
	} else {
		if v.Tier == tierMain {
			o.gone += o.sketch.count(c.Hash) - o.gone/goneOf
		}
		o.ghosts.leaves(c.Hash, v.Tier)
	}
	return v
}
