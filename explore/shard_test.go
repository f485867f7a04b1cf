package explore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// TestShards_AddUp: the shards' counts and outcomes are those of the whole search, for programs
// shorter and longer than the decisions that name a shard, with deaths, bounds and data choices.
// No shard has everything, so the split is real.
func TestShards_AddUp(t *testing.T) {
	for _, name := range []string{"empty2", "sb", "race2x2", "cas3x1", "ctr3x3", "late", "choose"} {
		for _, o := range []explore.Options{
			{Preemptions: explore.Unbounded}, {Preemptions: 2, Kills: 1}, {Preemptions: 1, Kills: 2},
		} {
			got := map[string]int{}
			program := func() explore.Program {
				if name == "choose" {
					p := chooser()
					p.Finish = func(x *explore.Execution) error { got[x.Token()]++; return nil }
					return p
				}
				return smallProgram(t, name).program(got, false)
			}
			whole := mustExplore(t, program(), withoutAudit(o))
			want := got
			for _, n := range []int{1, 2, 3, 5} {
				got = map[string]int{}
				var sum explore.Stats
				most := uint64(0)
				for i := range n {
					o.Shard, o.Shards = i, n
					r := mustExplore(t, program(), withoutAudit(o))
					if !r.Exhaustive {
						t.Errorf("%s: shard %d of %d ends early: %s", name, i, n, r.Bound)
					}
					most = max(most, r.Executions)
					addStats(&sum, r.Stats)
				}
				o.Shard, o.Shards = 0, 0
				if sum.Executions != whole.Executions || sum.Complete != whole.Complete ||
					sum.Killed != whole.Killed || sum.Steps != whole.Steps ||
					sum.MaxDepth != whole.MaxDepth || sum.MaxPreemptions != whole.MaxPreemptions {
					t.Errorf("%s %+v: %d shards\n%+v, want\n%+v", name, o, n, sum, whole.Stats)
				}
				for outcome := range want {
					if got[outcome] != want[outcome] {
						t.Errorf("%s: %d shards: outcome %s %d times, want %d", name, n, outcome,
							got[outcome], want[outcome])
					}
				}
				if whole.Executions > 500 && n > 1 && most > whole.Executions*9/10 {
					t.Errorf("%s %+v: one of %d shards has %d of %d", name, o, n, most, whole.Executions)
				}
			}
		}
	}
}

func addStats(sum *explore.Stats, s explore.Stats) {
	sum.Executions += s.Executions
	sum.Complete += s.Complete
	sum.Killed += s.Killed
	sum.Steps += s.Steps
	sum.MaxDepth = max(sum.MaxDepth, s.MaxDepth)
	sum.MaxPreemptions = max(sum.MaxPreemptions, s.MaxPreemptions)
}

// TestShards_OneFinds: a failure is found by the shard that it belongs to, and its token needs no
// shard. The bound says that a shard is a part only.
func TestShards_OneFinds(t *testing.T) {
	p := smallProgram(t, "zig2x4").program(nil, true)
	found := 0
	for i := range 4 {
		o := unbounded()
		o.Shard, o.Shards = i, 4
		r := mustExplore(t, p, o)
		if r.Failure != nil {
			found++
			mustReplay(t, p, r.Failure)
		} else if !strings.Contains(r.Bound, "of 4 of the interleavings") || r.Everything() {
			t.Errorf("shard %d: %s", i, r.Bound)
		}
	}
	if found != 1 {
		t.Errorf("one bad order is found in %d shards", found)
	}
}

func TestShards_BadOptions(t *testing.T) {
	p := smallProgram(t, "sb").program(nil, false)
	for want, o := range map[string]explore.Options{
		"use 0 to Shards-1":    {Shard: 3, Shards: 3},
		"Shard is 1 of 0":      {Shard: 1},
		"without Stateful":     {Shards: 2, Stateful: true},
		"another Seed instead": {Shards: 2, Walks: 5},
	} {
		if _, err := explore.Explore(p, o); !errors.Is(err, explore.ErrOptions) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}
