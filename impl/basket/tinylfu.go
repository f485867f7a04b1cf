package basket

import "github.com/samecycle/samecycle/impl/region"

// TinyLFU is a policy that resists scans and loops. New records enter a small tier, a queue of few baskets.
// When one of them is to leave it, it is held against a record that would leave the main tier: it comes in
// only if it was asked for more often. Otherwise it stays in the small tier if it was used there. Records of
// the main tier that were used stay, as in CLOCK. A key that comes back and has been asked for some times
// enters the main tier at once. But one that has left that tier without a use, a moment ago, does so only if
// it was asked for more often than what leaves it now: else a scan that is made again and again, and does
// not fit, would push itself out.
//
// How often a key was asked for is estimated by a sketch in the region, which forgets. It costs a get
// nothing: the uses of a record are counted by its marks of recency, and go into the sketch when it is
// judged.
//
// The small tier has a share that adapts. Where what was used last is used next, it grows until the policy
// is nearly that of age; where what was used often is used next, it shrinks. Records that come back soon
// after they have left a tier tell what that tier misses.
//
// Source: the two queues are those of S3-FIFO (Yang and others, 2023), admission by comparison with a victim
// is TinyLFU (Einziger, Friedman and Manes, 2017), and that what comes back moves a share is ARC (Megiddo and
// Modha, 2003).
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
	room := uint64(l.Baskets) * uint64(l.units())
	o := &tinyLFU{sketch: newSketch(words, room), room: room}
	o.ghosts = ghostsOf(&o.sketch, room)
	return o
}

// tinyLFU is the Order of TinyLFU.
type tinyLFU struct {
	sketch sketch
	ghosts ghosts
	left   [tinyTiers]share // of the records of each tier that were judged, those that have left
	room   uint64           // units
	budget uint32           // units of the basket that retires which may still stay in its tier
	gone   int              // how often what has left the main tier was asked for, the mean times goneOf
	filled bool             // a basket had to retire
}

const (
	smallBegin = 7  // percent of the room that the small tier has at the beginning
	smallMin   = 2  // percent
	smallMax   = 90 // percent
	smallLeast = 1  // baskets
	knownUses  = 4  // a key that was asked for so many times enters the main tier at once
	goneOf     = 16 // so many records, roughly, count in the mean of what has left the main tier

	roundsMost = 16 // rounds that a record stays in a tier, in the mean, as far as that counts
	smallSteps = 20 // parts of what a small tier misses by which its share grows
	mainSteps  = 5  // the same of the main tier
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

// known reports whether a key enters the main tier at once; back says that it has left that of late.
func (o *tinyLFU) known(hash uint32, back bool) bool {
	n := o.sketch.count(hash)
	return n >= knownUses && (!back || n*goneOf > o.gone)
}

// missed moves the share of the small tier when a record comes back that has left a tier, since when so many
// units have come into that.
//
// If no more have come than the tier has room for, one round more would have made it a hit. A record that
// leaves has been in for as many rounds as records are judged for one that leaves. So much more often would a
// record stay that is used again if the tier were larger, by what it is worth per unit of its room.
//
// What the small tier misses counts a quarter: part of it would have come into the main one, without that the
// small one is larger.
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

// small is how many units the small tier is to have: the word of the region, if that can be.
func (o *tinyLFU) small(word uint64) uint64 {
	if word == 0 || word >= o.room {
		return max(o.room*smallBegin/100, 1)
	}
	return word
}

// shares are how many baskets each of the tiers may have.
func (o *tinyLFU) shares(b *Balance) (small, main uint32) {
	units := o.room * uint64(b.Share[tierSmall]) / 100
	if units == 0 {
		units = o.small(sketchRead(&o.sketch.line[lineShare]))
	}
	small = max(smallLeast, uint32((units*uint64(b.All)+o.room/2)/o.room))
	return small, b.All - min(b.All, b.Reserve+small)
}

// Ages: while the main tier has room for all, baskets of the small one go there as they are. In a store that
// is full none does. There the share of the small tier goes up and down by a basket all the time, and with
// each one that went down what is asked for once would come into the main tier, and nothing held against it.
func (o *tinyLFU) Ages(b *Balance) (tier uint32, ok bool) {
	small, main := o.shares(b)
	if o.filled && b.Tiers[tierSmall].Baskets+b.Tiers[tierMain].Baskets+b.Reserve >= b.All {
		return 0, false
	}
	return tierSmall, b.Tiers[tierMain].Baskets < main && b.Tiers[tierSmall].Baskets > small &&
		b.Tiers[tierSmall].Sealed > 0
}

// Forgets is false: the sketch counts all uses.
func (*tinyLFU) Forgets(uint32) bool { return false }

// Retires is the main tier if it has more than its share.
func (o *tinyLFU) Retires(b *Balance) uint32 {
	_, main := o.shares(b)
	o.filled = true
	if b.Tiers[tierMain].Baskets > main || b.Tiers[tierSmall].Sealed == 0 {
		return tierMain
	}
	return tierSmall
}

func (o *tinyLFU) Walks(_, units uint32) { o.budget = units / movedOf * movedMost }

// Judge: from the small tier a record goes to the main one if it was asked for more often than a record that
// would leave that. The one that is there wins a draw: else each round of a loop would replace what the next
// one finds.
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

// stays lets a record stay in the tier of the verdict, which is its own, if it wants to and not too much
// does; else it leaves.
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
