package explore_test

//lint:file-ignore SA4000 two calls of one function need not give the same

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

func smallProgram(t *testing.T, name string) small {
	t.Helper()
	for _, s := range smallPrograms() {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no small program %s", name)
	return small{}
}

func walks(s explore.Strategy, n, seed uint64) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Walks: n, Seed: seed, Strategy: s, Audit: -1}
}

// chiSquare is the statistic of counts against equal shares.
func chiSquare(got map[string]int, kinds int) float64 {
	n := 0
	for _, c := range got {
		n += c
	}
	want, sum := float64(n)/float64(kinds), 0.0
	for _, c := range got {
		sum += (float64(c) - want) * (float64(c) - want) / want
	}
	return sum + float64(kinds-len(got))*want
}

// TestUniform_IsUniform: where the numbers of accesses are fixed, every order comes equally often.
// The plain walk fails the same test, so it can fail. The bounds are the quantiles of the chi
// square distribution at 1e-6 for 19 and 89 degrees of freedom.
func TestUniform_IsUniform(t *testing.T) {
	for _, c := range []struct {
		name string
		most float64
	}{{"ctr2x3", 64}, {"ctr3x2", 163}} {
		s := smallProgram(t, c.name)
		chi := func(how explore.Strategy) float64 {
			got := map[string]int{}
			r := mustExplore(t, s.program(got, false), walks(how, 9000, 11))
			if how == explore.Uniform && !strings.Contains(r.Bound, "all interleavings are equally likely") {
				t.Errorf("%s: %s", c.name, r.Bound)
			}
			return chiSquare(got, s.outcomes)
		}
		if x := chi(explore.Uniform); x > c.most {
			t.Errorf("%s: chi square %.0f, at most %.0f if uniform", c.name, x, c.most)
		}
		if x := chi(explore.Plain); x < 5*c.most {
			t.Errorf("%s: the plain walk passes for uniform: %.0f", c.name, x)
		}
	}
}

// TestUniform_SaysWhenItIsNot: where the number of accesses depends on the order, and where
// somebody waits, the report does not claim an even draw.
func TestUniform_SaysWhenItIsNot(t *testing.T) {
	for name, p := range map[string]explore.Program{
		"numbers vary": smallProgram(t, "cas2x2").program(nil, false), "wait": abba()} {
		o := walks(explore.Uniform, 300, 3)
		o.BlockedOK = true
		if r := mustExplore(t, p, o); !strings.Contains(r.Bound, "about equally likely (not exactly") ||
			!strings.Contains(r.Bound, name) {
			t.Errorf("%s: %s", name, r.Bound)
		}
	}
	o := walks(explore.Uniform, 300, 3)
	o.Kills = 1
	if r := mustExplore(t, smallProgram(t, "ctr2x3").program(nil, false), o); !strings.Contains(r.Bound,
		"deaths are drawn apart") {
		t.Errorf("with deaths: %s", r.Bound)
	}
}

// TestPCT_FindsWithinItsBound: the share of seeds with which a bug is found within m executions is
// not below what the theorem promises, which is computed here from the programs' sizes: late has
// 12 accesses at most, race2x1 has 4, two actors each, and their bug needs two constraints. With
// depth 1 nobody is ever preempted, so a bug that needs a preemption is not found.
func TestPCT_FindsWithinItsBound(t *testing.T) {
	for name, k := range map[string]float64{"race2x1": 4, "late": 12} {
		p := smallProgram(t, name).program(nil, true)
		k += math.Floor(k / 4)
		chance := 1 / (2 * k)
		const seeds, learned = 200, 20
		m := math.Ceil(math.Log(0.5) / math.Log1p(-chance)) // one half at least
		found := 0
		for seed := range uint64(seeds) {
			o := walks(explore.PCT, learned+uint64(m), seed)
			o.Depth = 2
			if r := mustExplore(t, p, o); r.Failure != nil {
				mustReplay(t, p, r.Failure)
				found++
			}
		}
		// The mean is at least 100 with a deviation of 7; 65 is five deviations below.
		if found < 65 {
			t.Errorf("%s: found with %d of %d seeds in %.0f executions", name, found, seeds, m)
		}
	}
}

// TestPCT_DepthOneIsSerial: depth 1 changes no priority, so after the executions that learn there
// is no preemption.
func TestPCT_DepthOneIsSerial(t *testing.T) {
	got := map[string]int{}
	n := 0
	p := smallProgram(t, "ctr2x6").program(got, false)
	finish := p.Finish
	p.Finish = func(x *explore.Execution) error {
		if n++; n <= 20 {
			return nil
		}
		return finish(x)
	}
	o := walks(explore.PCT, 500, 5)
	o.Depth = 1
	mustExplore(t, p, o)
	if len(got) != 2 {
		t.Errorf("%d orders, want the 2 serial ones: %v", len(got), got)
	}
	o.Depth = 2
	clear(got)
	n = 0
	mustExplore(t, p, o)
	if len(got) < 8 {
		t.Errorf("depth 2 gives %d orders", len(got))
	}
}

// TestPCT_SaysItsChance: the figure in words is the theorem's, computed by hand: two actors of six
// accesses each, 12 and a quarter more is 15; the first 20 executions do not count.
func TestPCT_SaysItsChance(t *testing.T) {
	p := smallProgram(t, "ctr2x6").program(nil, false)
	for _, c := range []struct {
		depth, kills int
		want         string
	}{
		{1, 0, "1/(n k^(d-1)) = 50% per execution and 99.99% in the 100 that count"},
		{2, 0, "d=2, n=2 actors, k=15 accesses at most"},
		{2, 0, "= 3.333% per execution and 96.63% in the 100"},
		{2, 1, "times that of its deaths: without any 1.667% per execution"},
		{2, 1, ", with 1 0.1111% per execution"},
	} {
		o := walks(explore.PCT, 120, 1)
		o.Depth, o.Kills = c.depth, c.kills
		if r := mustExplore(t, p, o); !strings.Contains(r.Bound, c.want) {
			t.Errorf("depth %d: no %q in %s", c.depth, c.want, r.Bound)
		}
	}
	o := walks(explore.PCT, 5, 1)
	o.Depth = 2
	if r := mustExplore(t, p, o); !strings.Contains(r.Bound, "no guarantee") {
		t.Errorf("five executions: %s", r.Bound)
	}
}

// TestWalks_Deaths: every strategy draws deaths at every step of every actor, and the failure that
// needs a death is found and replayed.
func TestWalks_Deaths(t *testing.T) {
	for _, how := range []explore.Strategy{explore.Plain, explore.Uniform, explore.PCT} {
		var w *atomic.Uint64
		add := func() {
			for range 6 {
				w.Add(1)
			}
		}
		at := map[string]int{}
		p := simple("deaths", func() { w = new(atomic.Uint64) }, add, add)
		p.Finish = func(x *explore.Execution) error {
			for i := range 2 {
				if x.Killed(i) {
					at[fmt.Sprint(i, w.Load()-6)]++
				}
			}
			return nil
		}
		o := walks(how, 3000, 9)
		o.Kills = 1
		if how == explore.PCT {
			o.Depth = 3
		}
		r := mustExplore(t, p, o)
		if len(at) != 10 || r.Killed < 500 || r.Killed > 2000 {
			t.Errorf("%v: deaths %v, %d of %d executions", how, at, r.Killed, r.Executions)
		}
		p = halfWriter(map[string]int{})
		p.Finish = func(x *explore.Execution) error {
			if x.Killed(0) && !x.Killed(1) {
				return fmt.Errorf("half written")
			}
			return nil
		}
		mustReplay(t, p, wantFailure(t, mustExplore(t, p, o), explore.Verdict))
	}
}

// TestWalks_SameSeed: a seed stands for its executions, another one for others.
func TestWalks_SameSeed(t *testing.T) {
	for _, how := range []explore.Strategy{explore.Plain, explore.Uniform, explore.PCT} {
		run := func(seed uint64) string {
			var all strings.Builder
			p := smallProgram(t, "ctr3x3").program(nil, false)
			p.Finish = func(x *explore.Execution) error {
				all.WriteString(x.Token())
				return nil
			}
			o := walks(how, 50, seed)
			if how == explore.PCT {
				o.Depth = 3
			}
			mustExplore(t, p, o)
			return all.String()
		}
		if run(1) != run(1) || run(1) == run(2) {
			t.Errorf("%v: the seed does not decide", how)
		}
	}
}

func TestWalks_BadOptions(t *testing.T) {
	p := smallProgram(t, "ctr2x3").program(nil, false)
	for want, o := range map[string]explore.Options{
		"no Walks":       {Preemptions: -1, Strategy: explore.Uniform},
		"needs 1 to":     {Preemptions: -1, Strategy: explore.PCT, Walks: 1},
		"only PCT":       {Preemptions: -1, Strategy: explore.Uniform, Walks: 1, Depth: 2},
		"use Unbounded":  {Preemptions: 2, Strategy: explore.Uniform, Walks: 1},
		"does not exist": {Preemptions: -1, Strategy: 99, Walks: 1},
	} {
		if _, err := explore.Explore(p, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}
