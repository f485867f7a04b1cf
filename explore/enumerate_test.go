package explore_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// An op of a random straight-line program: what is done to which cell with which numbers.
type op struct {
	do   byte // l load, s store, c compare and swap, a add, x swap
	cell int
	a, b uint64
}

// apply performs an op on plain cells and returns what the access returns: the brute force's
// own semantics, written down a second time.
func (o op) apply(c *[2]uint64) uint64 {
	old := c[o.cell]
	switch o.do {
	case 'l':
		return old
	case 's':
		c[o.cell] = o.a
		return 0
	case 'c':
		if old == o.a {
			c[o.cell] = o.b
			return 1
		}
		return 0
	case 'a':
		c[o.cell] += o.a
		return c[o.cell]
	}
	c[o.cell] = o.a
	return old
}

func (o op) run(c *[2]atomic.Uint64) uint64 {
	w := &c[o.cell]
	switch o.do {
	case 'l':
		return w.Load()
	case 's':
		w.Store(o.a)
		return 0
	case 'c':
		if w.CompareAndSwap(o.a, o.b) {
			return 1
		}
		return 0
	case 'a':
		return w.Add(o.a)
	}
	return w.Swap(o.a)
}

func randomOps(r *rand.Rand) [][]op {
	lines := make([][]op, 2+r.IntN(2))
	for i := range lines {
		for range 1 + r.IntN(5-len(lines)) {
			lines[i] = append(lines[i], op{"lscax"[r.IntN(5)], r.IntN(2),
				uint64(r.IntN(3)), uint64(r.IntN(3))})
		}
	}
	return lines
}

// enumerate runs every merge of the lines and collects the outcomes.
func enumerate(lines [][]op, at []int, c [2]uint64, got [][]uint64, out map[string]int) {
	over := true
	for i, l := range lines {
		if at[i] == len(l) {
			continue
		}
		over = false
		d := c
		v := l[at[i]].apply(&d)
		at[i]++
		got[i] = append(got[i], v)
		enumerate(lines, at, d, got, out)
		got[i] = got[i][:len(got[i])-1]
		at[i]--
	}
	if over {
		out[fmt.Sprint(got, c)]++
	}
}

// lineProgram is the explorer's program of the lines.
func lineProgram(lines [][]op, out map[string]int) explore.Program {
	var c [2]atomic.Uint64
	got := make([][]uint64, len(lines))
	actors := make([]explore.Actor, len(lines))
	for i, l := range lines {
		actors[i].Body = func() {
			for _, o := range l {
				got[i] = append(got[i], o.run(&c))
			}
		}
	}
	return explore.Program{
		Name: "lines",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&c), int(unsafe.Sizeof(c)))
			c[0].Store(0)
			c[1].Store(0)
			for i := range got {
				got[i] = got[i][:0]
			}
			return actors
		},
		Finish: func(x *explore.Execution) error {
			o := fmt.Sprint(got, [2]uint64{c[0].Load(), c[1].Load()})
			for i := range lines {
				if x.Killed(i) {
					o += fmt.Sprintf(" killed %d", i)
				}
			}
			out[o]++
			return nil
		},
	}
}

var seed = flag.Uint64("seed", 2, "of the programs that random tests draw; 0: another one each time")

// drawn is the seed of the programs that a test draws. It is the same each time, so that no change is
// refused because of a program that chance has drawn; -seed draws others.
func drawn(t *testing.T) uint64 {
	t.Helper()
	n := *seed
	if n == 0 {
		n = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", n)
	return n
}

// TestRandomProgramsAgainstBruteForce compares three ways to the outcomes of random programs: a
// recursive enumeration over plain memory, the search without reduction (also the count of each
// outcome must agree), and the search that cuts states.
func TestRandomProgramsAgainstBruteForce(t *testing.T) {
	seed := drawn(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for n := range 2000 {
		lines := randomOps(r)
		want, all, cut := map[string]int{}, map[string]int{}, map[string]int{}
		enumerate(lines, make([]int, len(lines)), [2]uint64{}, make([][]uint64, len(lines)), want)
		o := unbounded()
		mustExplore(t, lineProgram(lines, all), withoutAudit(o))
		o.Stateful = true
		rs := mustExplore(t, lineProgram(lines, cut), withoutAudit(o))
		if fmt.Sprint(all) != fmt.Sprint(want) {
			t.Fatalf("program %d %v: outcomes\n%v\nwant\n%v", n, lines, all, want)
		}
		if keysOf(cut) != keysOf(want) {
			t.Fatalf("program %d %v: stateful lost outcomes\n%s\nwant\n%s (%s)",
				n, lines, keysOf(cut), keysOf(want), rs.Bound)
		}
		compareCuts(t, lines)
	}
}

// compareCuts wants the same outcomes with and without the state cut, also with deaths and
// bounds. Deaths after a step of another actor add none, since no line asks who is alive.
func compareCuts(t *testing.T, lines [][]op) {
	t.Helper()
	for _, o := range []explore.Options{
		{Preemptions: 1}, {Preemptions: 2, Kills: 1}, {Preemptions: explore.Unbounded, Kills: 2},
	} {
		all, cut, late := map[string]int{}, map[string]int{}, map[string]int{}
		o = withoutAudit(o)
		mustExplore(t, lineProgram(lines, all), o)
		o.Stateful = true
		mustExplore(t, lineProgram(lines, cut), o)
		if keysOf(cut) != keysOf(all) {
			t.Fatalf("%v with %+v: stateful\n%s\nwant\n%s", lines, o, keysOf(cut), keysOf(all))
		}
		if o.Preemptions >= 0 {
			continue
		}
		o.AnyKill = true
		mustExplore(t, lineProgram(lines, late), o)
		if keysOf(late) != keysOf(all) {
			t.Fatalf("%v with %+v: AnyKill\n%s\nwant\n%s", lines, o, keysOf(late), keysOf(all))
		}
	}
}

// withoutAudit leaves out the double runs, whose verdicts would be counted.
func withoutAudit(o explore.Options) explore.Options {
	o.Audit = -1
	return o
}
