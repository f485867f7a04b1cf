package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// A move is one operation of a random program: r and w read and write the data, s stores 1, a adds
// 1, g goes on only if a load returns 1 or more, c only if a swap of 0 for 2 succeeds, l and u lock
// and unlock.
const moves = "rrwwsagclu"

// stage is what a random program shares: two words of data, once as plain memory and once as words
// that the explorer sees, two flags, and a lock.
type stage struct {
	plain [2]int
	seen  [2]atomic.Uint64
	flags [2]atomic.Uint64
	mu    sync.Mutex
}

// play makes the moves, each followed by the number of the word that it is about. The data is plain
// or seen.
func (s *stage) play(script string, plain bool) {
	held := false
	for i := 0; i < len(script); i += 2 {
		n := script[i+1] - '0'
		d, f := &s.seen[n], &s.flags[n]
		switch c := script[i]; {
		case c == 'r' && plain:
			memory.Load(&s.plain[n], "data")
		case c == 'r':
			d.Load()
		case c == 'w' && plain:
			*memory.Store(&s.plain[n], "data") = 1
		case c == 'w':
			d.Add(1)
		case c == 's':
			f.Store(1)
		case c == 'a':
			f.Add(1)
		case c == 'g' && f.Load() == 0 || c == 'c' && !f.CompareAndSwap(0, 2):
			i = len(script)
		case c == 'l' && !held:
			s.mu.Lock()
			held = true
		case c == 'u' && held:
			s.mu.Unlock()
			held = false
		}
	}
	if held {
		s.mu.Unlock()
	}
}

// adjacent is a definition of a race that needs no order but that of one execution: two accesses of
// different actors to the same data, one of them a write, directly one after the other. A program has such
// an execution exactly if it has one with two accesses that are not ordered: leave out of that execution
// everything that happens before neither of them, and put the two at the end.
func adjacent(t *testing.T, scripts []string) bool {
	var s *stage
	var last explore.Step
	found := false
	p := randomProgram(&s, scripts, false)
	p.Step = func(_ *explore.Execution, x explore.Step) error {
		if !x.Kind.Access() {
			return nil // boundaries are no steps of the memory
		}
		data := x.Object < 16 && last.Object == x.Object
		if x.Index > 0 && data && x.Actor != last.Actor && (x.Kind == hook.Add || last.Kind == hook.Add) {
			found = true
		}
		last = x
		return nil
	}
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		as := start(x)
		last = explore.Step{Object: 1 << 40}
		x.Region(unsafe.Pointer(&s.seen), 16)
		return as
	}
	if r := mustExplore(t, p, unbounded()); r.Failure != nil || !r.Exhaustive {
		t.Fatalf("%v: %v, %s", scripts, r.Err(), r.Bound)
	}
	return found
}

func randomProgram(s **stage, scripts []string, plain bool) explore.Program {
	var bodies []func()
	for _, m := range scripts {
		bodies = append(bodies, func() { (*s).play(m, plain) })
	}
	return simple(fmt.Sprint(scripts), func() { *s = &stage{} }, bodies...)
}

// TestRacesAgainstAdjacency holds the detector, with and without reduction, against a definition of
// races that knows no clocks, over random programs.
func TestRacesAgainstAdjacency(t *testing.T) {
	const seed = 20
	rng := rand.New(rand.NewPCG(seed, 0))
	racy, programs := 0, 250
	for range programs {
		var scripts []string
		for range 2 + rng.IntN(2) {
			var b strings.Builder
			for range 2 + rng.IntN(4-len(scripts)) {
				b.WriteByte(moves[rng.IntN(len(moves))])
				b.WriteByte('0' + byte(rng.IntN(4)/3))
			}
			scripts = append(scripts, b.String())
		}
		want := adjacent(t, scripts)
		if want {
			racy++
		}
		for _, reduce := range []bool{false, true} {
			var s *stage
			o := explore.Options{Preemptions: explore.Unbounded, Races: true, Reduce: reduce}
			r := mustExplore(t, randomProgram(&s, scripts, true), o)
			if got := r.Failure != nil && r.Failure.Kind == explore.Race; got != want {
				t.Errorf("%v, reduced %t: race %t, want %t: %v", scripts, reduce, got, want, r.Err())
			}
		}
	}
	if racy < programs/5 || racy > 4*programs/5 {
		t.Errorf("%d of %d programs have a race: the test says little", racy, programs)
	}
	t.Logf("%d of %d programs have a race", racy, programs)
}
