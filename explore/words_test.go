package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// A reduced search of words has the executions of any other reduced search: the same in number, in their
// order and in what they come to, and the same statistics, also where executions are cut or a claim fails.
// Where an execution is too long for it, it has them in the end.
func TestWords_SameReduced(t *testing.T) {
	programs, whole, anew := 1500, 0, 0
	if testing.Short() {
		programs = 300
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 11))
		actors := 2 + r.IntN(3)
		most, always, o := 10-2*actors, 0, rarely(r)
		if r.IntN(5) == 0 {
			always = 2 + r.IntN(8)
		}
		if r.IntN(5) == 0 {
			o.SpinLimit = 4 + r.IntN(8)
		}
		idle := slices.Contains(lengths(seed, actors, most), 0) // such an actor may go whenever it wants
		name := fmt.Sprint("wanderers ", seed)
		again := sameReduced(t, name, o, idle, func(tell func(string)) explore.Program {
			return wanderers(seed, actors, most, always, tell)
		})
		whole, anew = whole+btoi(!again), anew+btoi(again)
	}
	for seed := range uint64(programs) {
		o := rarely(rand.New(rand.NewPCG(seed, 13)))
		name := fmt.Sprint("duels ", seed)
		again := sameReduced(t, name, o, false, func(tell func(string)) explore.Program {
			return duels(seed, tell)
		})
		whole, anew = whole+btoi(!again), anew+btoi(again)
	}
	t.Logf("%d searches of words to the end, %d that began anew", whole, anew)
	if whole < programs || anew == 0 {
		t.Error("too little of the one or the other")
	}
}

// rarely are the options of a reduced search, some of which are drawn.
func rarely(r *rand.Rand) explore.Options {
	o := reduced()
	o.MaxExecutions, o.Audit = 1000, -1
	if r.IntN(4) == 0 {
		o.MaxSteps = 3 + r.IntN(5)
	}
	if r.IntN(3) == 0 {
		o.Audit = 1 + r.IntN(20)
	}
	o.Histories, o.SplitBegin, o.Races = r.IntN(20) == 0, r.IntN(20) == 0, r.IntN(20) == 0
	o.Kills = btoi(r.IntN(20) == 0)
	return o
}

// duels is a program whose actors choose each of a few accesses of two words by what they have found so far.
// It tells each outcome, in the order of the search.
func duels(seed uint64, tell func(string)) explore.Program {
	r := rand.New(rand.NewPCG(seed, 17))
	var bodies []func(w []atomic.Uint64)
	actors := 2 + r.IntN(3)
	found := make([][]uint64, actors)
	for i := range actors {
		length, from := 1+r.IntN(7-actors), r.Uint64()
		bodies = append(bodies, func(w []atomic.Uint64) {
			found[i] = found[i][:0]
			h := from
			for range length {
				cell, value, v := &w[h>>8%2], h>>16%3, uint64(0)
				switch h >> 24 % 8 {
				case 0, 1:
					v = cell.Load()
				case 2:
					cell.Store(value)
				case 3, 4:
					v = uint64(btoi(cell.CompareAndSwap(value, h>>32%3)))
				case 5:
					v = cell.Swap(value)
				case 6:
					v = cell.Add(1)
				case 7:
					v = cell.And(value)
				}
				found[i] = append(found[i], v)
				if h = (h ^ v + 1) * 0x9e3779b97f4a7c15; h>>40%4 == 0 {
					return
				}
			}
		})
	}
	p, w := wordsOf(2, bodies...)
	p.Finish = func(x *explore.Execution) error {
		if !x.Again() {
			tell(fmt.Sprint(found, w[0].Load(), w[1].Load(), x.Steps(), x.Token()))
		}
		return nil
	}
	return p
}

// sameReduced holds a reduced search of words against one of the same program in order, and reports whether
// it began anew. Idle tells that an actor may go at any time, which makes tokens differ.
func sameReduced(t *testing.T, name string, o explore.Options, idle bool,
	program func(tell func(string)) explore.Program) (anew bool) {
	t.Helper()
	var stats [2]explore.Stats
	var told [2][]string
	for i := range 2 {
		p := program(func(s string) {
			if idle {
				s, _, _ = strings.Cut(s, "sx1~")
			}
			told[i] = append(told[i], s)
		})
		p.Words = i == 1
		rep := mustExplore(t, p, o)
		if rep.Failure != nil {
			told[i] = append(told[i], rep.Failure.Message)
			if !idle {
				told[i] = append(told[i], fmt.Sprint(rep.Failure.Token, rep.Failure.Steps))
			}
		}
		rep.Elapsed, rep.Audited = 0, 0
		stats[i] = rep.Stats
	}
	if again := stats[1].Repeated - stats[0].Repeated; again > 0 {
		if stats[1].Executions == o.MaxExecutions {
			return true
		}
		anew = true
		stats[0], stats[1] = searched(stats[0], 0), searched(stats[1], again)
		told[1] = told[1][len(told[1])-len(told[0]):]
	}
	if idle {
		stats[1].MaxPreemptions, stats[1].MaxDepth = stats[0].MaxPreemptions, stats[0].MaxDepth
	}
	if stats[0] != stats[1] {
		t.Fatalf("%s: of words\n%+v, in order\n%+v", name, stats[1], stats[0])
	}
	if len(told[0]) != len(told[1]) {
		t.Fatalf("%s: %d outcomes of words, %d in order", name, len(told[1]), len(told[0]))
	}
	for k := range told[0] {
		if told[0][k] != told[1][k] {
			t.Fatalf("%s: execution %d came to %s, in order %s", name, k, told[1][k], told[0][k])
		}
	}
	return anew
}

// wordsOf is a program of so many words, in which each actor does its part with them.
func wordsOf(n int, bodies ...func(w []atomic.Uint64)) (p explore.Program, w []atomic.Uint64) {
	w = make([]atomic.Uint64, n)
	var as []explore.Actor
	for _, b := range bodies {
		as = append(as, explore.Actor{Body: func() { b(w) }})
	}
	return explore.Program{Name: "words", Words: true, Start: func(x *explore.Execution) []explore.Actor {
		x.Region(unsafe.Pointer(&w[0]), len(w)*8)
		for i := range w {
			w[i].Store(0)
		}
		return as
	}}, w
}

// What a search of words has no room for, it searches as one that promised nothing: more steps, actors or
// words than it has bits for. What just fits, it searches itself.
func TestWords_Room(t *testing.T) {
	several := func(n int, body func(w []atomic.Uint64)) (all []func(w []atomic.Uint64)) {
		for range n {
			all = append(all, body)
		}
		return all
	}
	load := func(n int) func(w []atomic.Uint64) {
		return func(w []atomic.Uint64) {
			for range n {
				w[0].Load()
			}
		}
	}
	// There are n words from one on, and as many from another on: which of them is read is not the same in
	// all executions.
	some := func(n int) (all []func(w []atomic.Uint64)) {
		at := func(first int) func(w []atomic.Uint64) {
			return func(w []atomic.Uint64) { w[first+int(w[0].Load())].Load() }
		}
		return append(all, at(1), at(1+n), func(w []atomic.Uint64) {
			for i := range n - 1 {
				w[0].Store(uint64(i + 1))
			}
		})
	}
	add := func(w []atomic.Uint64) { w[0].Add(1) }
	for name, c := range map[string]struct {
		words  int
		bodies []func(w []atomic.Uint64)
		fits   bool
	}{
		"64 steps":              {1, append(several(3, load(20)), load(3), add), true},
		"65 steps":              {1, append(several(3, load(20)), load(4), add), false},
		"8 actors":              {1, append(several(6, load(1)), add, add), true},
		"9 actors":              {1, append(several(7, load(1)), add, add), false},
		"63 words":              {63, some(31), true},
		"65 words":              {65, some(32), false},
		"as long as a look":     {1, append(several(1, load(50)), add), true},
		"longer than all looks": {1, append(several(1, load(51)), add), false},
	} {
		p, _ := wordsOf(c.words, c.bodies...)
		o := withoutAudit(reduced())
		o.SpinLimit, o.MaxExecutions = 50, 5000
		r := mustExplore(t, p, o)
		repeated := explore.Repetitions()
		p.Words = false
		in := mustExplore(t, p, o)
		if r.Failure != nil || r.Classes != in.Classes || r.Executions-r.Repeated != in.Executions {
			t.Errorf("%s: %d executions, %d repeated, %d classes %v; in order %d and %d", name, r.Executions,
				r.Repeated, r.Classes, r.Failure, in.Executions, in.Classes)
		}
		if whole := r.Repeated == 0 && repeated == r.Executions-1; whole != c.fits {
			t.Errorf("%s: %d of %d executions began out of order, %d were made again", name, repeated,
				r.Executions, r.Repeated)
		}
	}
}

// The canary of the comparisons: with a dependency relation that is wrong, a search of words loses outcomes.
func TestWords_ReducedFault(t *testing.T) {
	var won [2]bool
	swap := func(i int) func(w []atomic.Uint64) {
		return func(w []atomic.Uint64) { won[i] = w[0].CompareAndSwap(0, uint64(i+1)) }
	}
	p, _ := wordsOf(1, swap(0), swap(1))
	outcomes := func() int {
		got := map[[2]bool]bool{}
		p.Finish = func(*explore.Execution) error { got[won] = true; return nil }
		mustExplore(t, p, withoutAudit(reduced()))
		return len(got)
	}
	if n := outcomes(); n != 2 {
		t.Fatalf("%d outcomes, want 2", n)
	}
	explore.WithFault(explore.Faults["a CompareAndSwap reads"], func() {
		if n := outcomes(); n != 1 {
			t.Errorf("when a CompareAndSwap counts as a read, %d outcomes: want 1, for the other is lost", n)
		}
	})
}

// A failure of a search of words has the steps and the token that it has in order, and the token replays it;
// so does that of an execution which passes.
func TestWords_ReducedFailure(t *testing.T) {
	lose := func(w []atomic.Uint64) { w[0].Store(w[0].Load() + 1) }
	rarely := func(w []atomic.Uint64) {
		if w[0].Load() == 1 {
			panic("two")
		}
	}
	for kind, bodies := range map[explore.FailureKind][]func(w []atomic.Uint64){
		explore.Verdict: {lose, lose, lose}, explore.Panicked: {lose, lose, rarely},
	} {
		p, w := wordsOf(1, bodies...)
		var passed []string
		p.Finish = func(x *explore.Execution) error {
			if v := w[0].Load(); v == 1 && kind == explore.Verdict {
				return fmt.Errorf("it is %d", v)
			}
			passed = append(passed, x.Token())
			return nil
		}
		f := wantFailure(t, mustExplore(t, p, reduced()), kind)
		if explore.Repetitions() == 0 || len(passed) == 0 {
			t.Errorf("%s in the first execution: little was tested", kind)
		}
		steps, tokens := slices.Clone(f.Steps), slices.Clone(passed)
		mustReplay(t, p, f)
		for _, token := range tokens {
			r, err := explore.Replay(p, token, explore.Options{})
			if token == "" || err != nil || r.Failure != nil {
				t.Errorf("%s: %v %v", token, err, r.Failure)
			}
		}
		p.Words = false
		g := wantFailure(t, mustExplore(t, p, reduced()), kind)
		if f.Message != g.Message || f.Token != g.Token || !slices.Equal(steps, g.Steps) {
			t.Errorf("of words\n%v %s\n%v\nin order\n%v %s\n%v", f, f.Token, steps, g, g.Token, g.Steps)
		}
	}
}

// An actor that ends earlier in one execution than its accesses tell is found, if that is noticed at all:
// also where it was planned to go on.
func TestWords_EndsEarly(t *testing.T) {
	executions, odd, at, found := 0, 0, 0, 0
	body := func(i int) func(w []atomic.Uint64) {
		return func(w []atomic.Uint64) {
			for range 3 - btoi(i == odd && executions == at) {
				w[0].Add(1)
			}
		}
	}
	p, _ := wordsOf(1, body(0), body(1), body(2))
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		executions++
		return start(x)
	}
	for n := range 3 * 60 {
		odd, at, executions = n%3, 2+n/3, 0
		r := mustExplore(t, p, withoutAudit(reduced()))
		if r.Failure == nil {
			continue
		}
		found++
		want := fmt.Sprintf("actor actor%d found the same values", odd)
		if r.Failure.Kind != explore.Nondeterminism || !strings.Contains(r.Failure.Message, want) {
			t.Errorf("execution %d: %v, want %s", at, r.Failure, want)
		}
	}
	if found < 60 {
		t.Errorf("%d of %d were found", found, 3*60)
	}
}

// An actor that has ended where several steps of it are planned is found: its turn does not come once more.
func TestWords_EndsWherePlanned(t *testing.T) {
	executions := 0
	p, _ := wordsOf(2, func(w []atomic.Uint64) { w[0].Add(1) }, func(w []atomic.Uint64) {
		for n := range 3 {
			if w[1].Add(1); n == 1 && executions == 2 {
				return
			}
		}
		w[0].Add(1)
	})
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		executions++
		return start(x)
	}
	f := wantFailure(t, mustExplore(t, p, withoutAudit(reduced())), explore.Nondeterminism)
	if !strings.Contains(f.Message, "actor actor1 found the same values") {
		t.Error(f.Message)
	}
}
