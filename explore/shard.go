package explore

import (
	"fmt"
	"math/bits"
)

// A shard of a search is a part of its executions. The first decisions of an execution, up to shardDepth,
// are hashed, and the hash names the shard. So every execution belongs to exactly one shard, and the counts
// of all shards add up to those of the whole search.

// shardDepth is the number of decisions that name the shard. It is so large that there are several times as
// many prefixes as shards, and so small that running each prefix in each shard costs little. With a bound on
// preemptions there are few prefixes of a given length.
func (o Options) shardDepth() int {
	if o.Shards < 2 {
		return 0
	}
	d := 4 + 2*bits.Len(uint(o.Shards-1))
	if o.Preemptions >= 0 {
		d += 6
	}
	return d
}

func (o Options) checkShard() error {
	switch {
	case o.Shards == 0 && o.Shard == 0:
		return nil
	case o.Shards < 1 || o.Shard < 0 || o.Shard >= o.Shards:
		return fmt.Errorf("%w: Shard is %d of %d; use 0 to Shards-1", ErrOptions, o.Shard, o.Shards)
	case o.Stateful:
		return fmt.Errorf("%w: Shards with Stateful; no shard knows which states another one has seen, "+
			"so the counts would not add up: search without Stateful", ErrOptions)
	case o.Walks > 0:
		return fmt.Errorf("%w: Shards with Walks; give each process another Seed instead", ErrOptions)
	}
	return nil
}

// foreign reports whether the running execution belongs to another shard. That is known at the last decision
// that counts, or at the end of an execution with fewer decisions.
func (e *engine) foreign() bool {
	h := uint64(k3)
	for _, n := range e.trail[:min(e.pos, e.shards)] {
		h = mix64(h, uint64(n.chosen), k6)
	}
	return h%uint64(e.o.Shards) != uint64(e.o.Shard)
}

// leaveShard cuts an execution of another shard at the last decision that counts, and reports
// whether it did.
func (e *engine) leaveShard() bool {
	if e.pos != e.shards || e.shards == 0 || e.script != nil || !e.foreign() {
		return false
	}
	e.outcome = foreignShard
	return true
}
