package basket

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	model "github.com/samecycle/samecycle/model/basket"
)

// asked is the policy of programs with tiers: what becomes of the records of a basket that retires is what
// the call says by which it does. No basket ages but by a call that says so, and the last tier retires.
type asked struct {
	program
	*demand      // of the writer
	lowers  bool // of a canary: what is promoted goes to the tier below
}

var (
	_ basket.Policy = asked{}
	_ basket.Order  = asked{}
)

// policy is that of a writer with a demand: the one that ships where baskets age by parameters.
func (p program) policy(d *demand, lowers bool) basket.Policy {
	if p.tuned() {
		return basket.Ageing{}
	}
	return asked{p, d, lowers}
}

// demand is what the calls of a writer ask for.
type demand struct {
	kind model.Kind // of the call in progress
	free int        // so many baskets are to be free behind it
}

// demandOf is that of an actor, from 0, ahead of its first call. Each call that makes room wants one more
// free basket than the one before it, and the calls of the actors before come first. So each one has work to
// do.
func (p program) demandOf(a int) (d demand) {
	for _, calls := range p.Calls[:a] {
		for _, o := range calls {
			d.begin(o.Kind)
		}
	}
	return d
}

// begin is the beginning of a call.
func (d *demand) begin(k model.Kind) {
	if d.kind = k; k.Service() && k != model.Age {
		d.free++
	}
}

// tuning says so to the writer. Nothing is compacted.
func (d *demand) tuning() basket.Tuning { return basket.Tuning{Reserve: d.free, Gain: 100} }

// tiered reports whether the program has more than one tier.
func (p program) tiered() bool { return p.Tiers > 1 }

// Name is by which the region knows it.
func (asked) Name() string { return "asked" }

// Shape is that of the program.
func (x asked) Shape(uint32) (tiers, lanes uint32) { return uint32(x.Tiers), uint32(max(x.Lanes, 1)) }

// Words is 0: it remembers nothing.
func (asked) Words(uint64) uint64 { return 0 }

// Order is itself.
func (x asked) Order(region.Words, basket.Layout) basket.Order { return x }

// Enters is the top tier.
func (asked) Enters(_, _ uint32) uint32 { return 0 }

// Ages is none.
func (asked) Ages(*basket.Balance) (tier uint32, ok bool) { return 0, false }

// Forgets is false: the programs have no marks.
func (asked) Forgets(uint32) bool { return false }

// Retires is the last tier.
func (x asked) Retires(*basket.Balance) uint32 { return uint32(x.Tiers) - 1 }

// Walks changes nothing.
func (asked) Walks(_, _ uint32) {}

// Judge evicts, moves within the tier, or promotes.
func (x asked) Judge(c *basket.Candidate) basket.Verdict {
	switch x.kind {
	case model.Compact:
		return basket.Verdict{Stays: true, Tier: c.Tier}
	case model.Promote:
		if x.lowers {
			return basket.Verdict{Stays: true, Tier: 1}
		}
		return basket.Verdict{Stays: true}
	}
	return basket.Verdict{}
}
