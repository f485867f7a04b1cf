package cachestorm

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// tallied is a number of calls of a round that the cache counts: sure is the number of calls that have
// ended, and may is the number of further calls that it may have counted.
type tallied struct{ sure, may uint64 }

// counted is what the counts of Stats must be according to the journals of a round.
type counted struct {
	hits, misses, sets, suspects, denied tallied
	left                                 [basket.ReasonExpelled + 1]uint64 // told removals, by reason
}

// call counts a call.
func (c *counted) call(k kind, ended bool, found uint64, a answered) {
	add := func(t *tallied, is bool) {
		switch {
		case found&foundNot != 0: // it was not made
		case !ended:
			t.may++
		case is:
			t.sure++
		}
	}
	switch k {
	case kindGet, kindBatch:
		add(&c.hits, found&foundSeen != 0)
		add(&c.misses, found&foundAbsent != 0)
	case kindAsk:
		add(&c.hits, a.state() == cache.Hit)
		add(&c.misses, a.state() == cache.Miss)
		add(&c.suspects, a.state() == cache.Suspect)
		add(&c.denied, a.state() == cache.Denied)
	case kindSet, kindSetTTL, kindSetIfAbsent, kindCompareAndSwap, kindCompute:
		add(&c.sets, found&foundNew != 0)
	}
}

// tally compares the counts of all processes, which have grown by x since the round before, with the
// journals. In a round with a death they must not exceed what the journals allow, because the last counts of
// the dead are lost. Otherwise they must be equal, except for calls whose outcome is unknown.
func (w *world) tally(x cache.Counts, deaths int) {
	r, c := w.storm.report, &w.judge.counts
	one := func(name string, is uint64, want tallied) {
		if is > want.sure+want.may || deaths == 0 && is < want.sure {
			r.fault("counts: Stats has %d %s more than a round before, and the journals have %d, and %d "+
				"that may be; %d deaths, seed %d, round %d", is, name, want.sure, want.may, deaths,
				w.storm.o.Seed, r.Rounds)
		}
	}
	one("hits", x.Hits, c.hits)
	one("misses", x.Misses, c.misses)
	one("sets", x.Sets, c.sets)
	one("answers that are suspects", x.Suspects, c.suspects)
	one("answers that are denied", x.Denied, c.denied)
	if deaths > 0 {
		return // a dead process may have counted more than it has told
	}
	r.Tallied++
	for reason, is := range map[basket.Reason]uint64{cache.Replaced: x.Replaced, cache.Deleted: x.Deleted,
		cache.Expired: x.Expired, cache.Evicted: x.Evicted, cache.IndexFull: x.IndexFull, cache.Dead: x.Dead,
		cache.Expelled: x.Expelled} {
		one("entries that are "+reason.String(), is, tallied{sure: c.left[reason]})
	}
}
