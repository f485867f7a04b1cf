package explore_test

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// cells are the shared memory of the small programs.
type cells [3]atomic.Uint64

// small is a small program whose executions were counted by an independent brute-force
// enumeration of the orders of its accesses.
type small struct {
	name     string
	orders   uint64 // executions of a search without reduction
	outcomes int    // distinct tuples of returned values and final cells
	bad      bool   // some outcome is wrong
	threads  []thread
	check    func(c *cells, results [][]uint64) error
}

// A thread runs on the cells and appends what its operations return.
type thread func(c *cells, out *[]uint64)

// add is "add one to cell i" for each letter of s: A is cell 0, B is cell 1, C is cell 2.
func add(s string) thread {
	return func(c *cells, out *[]uint64) {
		for _, r := range s {
			*out = append(*out, c[r-'A'].Add(1)-1)
		}
	}
}

const (
	mark     = 100 // set apart what an operation returns from what its accesses return
	inserted = mark + 1
	exists   = mark + 2
	full     = mark + 3
)

// look loads a cell and notes what it returned.
func look(c *cells, i int, out *[]uint64) uint64 {
	v := c[i].Load()
	*out = append(*out, v)
	return v
}

// swap compares and swaps a cell and notes and returns the value found, as the instruction does.
// sync/atomic's does not return it, so it is read past the shim, after the step.
func swap(c *cells, i int, old, new uint64, out *[]uint64) (found uint64) {
	found = old
	if !c[i].CompareAndSwap(old, new) {
		found = *(*uint64)(unsafe.Pointer(&c[i]))
	}
	*out = append(*out, found)
	return found
}

// raceInsert looks and then writes: two inserts can take the same slot.
func raceInsert(c *cells, k uint64, out *[]uint64) uint64 {
	for i := range 2 {
		switch look(c, i, out) {
		case k:
			return exists
		case 0:
			c[i].Store(k)
			return inserted
		}
	}
	return full
}

func casInsert(c *cells, k uint64, out *[]uint64) uint64 {
	for i := range 2 {
		switch look(c, i, out) {
		case k:
			return exists
		case 0:
			switch swap(c, i, 0, k, out) {
			case 0:
				return inserted
			case k:
				return exists
			}
		}
	}
	return full
}

func find(c *cells, k uint64, out *[]uint64) uint64 {
	for i := range 2 {
		if look(c, i, out) == k {
			return 1
		}
	}
	return 0
}

type insert func(c *cells, k uint64, out *[]uint64) uint64

func inserts(ins insert, keys ...uint64) thread {
	return func(c *cells, out *[]uint64) {
		for _, k := range keys {
			*out = append(*out, ins(c, k, out))
		}
	}
}

func threads(n int, t thread) []thread {
	ts := make([]thread, n)
	for i := range ts {
		ts[i] = t
	}
	return ts
}

// casPairs compares and swaps cell 0 from each first to each second.
func casPairs(pairs ...[2]uint64) thread {
	return func(c *cells, out *[]uint64) {
		for _, p := range pairs {
			v := uint64(0) // whether it swapped: what the brute force counted here
			if c[0].CompareAndSwap(p[0], p[1]) {
				v = 1
			}
			*out = append(*out, v)
		}
	}
}

// bothInserted is the check of the insert programs for keys 1 and 2.
func bothInserted(c *cells, results [][]uint64) error {
	n := 0
	for _, r := range results {
		for _, v := range r {
			if v == inserted {
				n++
			}
		}
	}
	a, b := c[0].Load(), c[1].Load()
	if a+b != 3 || a*b != 2 {
		return fmt.Errorf("slots hold %d and %d, want 1 and 2", a, b)
	}
	if n != 2 {
		return fmt.Errorf("%d inserts won, want 2", n)
	}
	return nil
}

func smallPrograms() []small {
	store := func(i int, v uint64) func(*cells) { return func(c *cells) { c[i].Store(v) } }
	seq := func(f func(*cells), i int) thread {
		return func(c *cells, out *[]uint64) { f(c); *out = append(*out, c[i].Load()) }
	}
	loadStore := func(v uint64) thread {
		return func(c *cells, out *[]uint64) { *out = append(*out, c[0].Load()); c[0].Store(v) }
	}
	late := func(c *cells, out *[]uint64) {
		for range 8 {
			c[2].Add(1)
		}
		*out = append(*out, raceInsert(c, 1, out))
	}
	sb := func(c *cells, r [][]uint64) error {
		if r[0][0] == 0 && r[1][0] == 0 {
			return errors.New("both read 0")
		}
		return nil
	}
	zig := func(c *cells, _ [][]uint64) error {
		if c[0].Load() == 8 {
			return errors.New("the cell is 8")
		}
		return nil
	}
	in := func(f insert, k ...uint64) thread { return inserts(f, k...) }
	race, cas := insert(raceInsert), insert(casInsert)
	findAfter := func(k, q uint64) thread {
		return func(c *cells, out *[]uint64) {
			*out = append(*out, casInsert(c, k, out))
			*out = append(*out, find(c, q, out))
		}
	}
	return []small{
		// No access, so one order; but each start is a turn, since only running tells.
		{name: "empty2", orders: 2, outcomes: 1, threads: threads(2, add(""))},
		{name: "priv2x3", orders: 20, outcomes: 1, threads: []thread{add("AAA"), add("BBB")}},
		{name: "ctr2x3", orders: 20, outcomes: 20, threads: threads(2, add("AAA"))},
		{name: "ctr3x2", orders: 90, outcomes: 90, threads: threads(3, add("AA"))},
		{name: "ctr2x6", orders: 924, outcomes: 924, threads: threads(2, add("AAAAAA"))},
		{name: "ctr3x3", orders: 1680, outcomes: 1680, threads: threads(3, add("AAA"))},
		{name: "alt2x3", orders: 20, outcomes: 10, threads: threads(2, add("ABA"))},
		{name: "altopp2x3", orders: 20, outcomes: 7, threads: []thread{add("ABA"), add("BAB")}},
		{name: "alt3x3", orders: 1680, outcomes: 342, threads: threads(3, add("ABA"))},
		{name: "sb", orders: 6, outcomes: 3, check: sb,
			threads: []thread{seq(store(0, 1), 1), seq(store(1, 1), 0)}},
		{name: "hole", orders: 6, outcomes: 4, threads: []thread{loadStore(1), loadStore(2)}},
		{name: "race2x1", orders: 6, outcomes: 4, bad: true, check: bothInserted,
			threads: []thread{in(race, 1), in(race, 2)}},
		{name: "race2x2", orders: 138, outcomes: 16, bad: true, check: bothInserted,
			threads: []thread{in(race, 1, 2), in(race, 2, 1)}},
		{name: "cas2x1", orders: 6, outcomes: 4, check: bothInserted,
			threads: []thread{in(cas, 1), in(cas, 2)}},
		{name: "cas2x2", orders: 186, outcomes: 16, check: bothInserted,
			threads: []thread{in(cas, 1, 2), in(cas, 2, 1)}},
		{name: "casfind2x2", orders: 90, outcomes: 8, check: bothInserted,
			threads: []thread{findAfter(1, 2), findAfter(2, 1)}},
		{name: "cas3x1", orders: 660, outcomes: 48,
			threads: []thread{in(cas, 1), in(cas, 2), in(cas, 3)}},
		{name: "cas3x2", orders: 203104, outcomes: 144, check: bothInserted,
			threads: []thread{in(cas, 1, 2), in(cas, 2, 1), in(cas, 1, 2)}},
		{name: "late", orders: 66, outcomes: 4, bad: true, check: bothInserted,
			threads: []thread{late, in(race, 2)}},
		{name: "zig2x4", orders: 70, outcomes: 8, bad: true, check: zig, threads: []thread{
			casPairs([2]uint64{0, 1}, [2]uint64{2, 3}, [2]uint64{4, 5}, [2]uint64{6, 7}),
			casPairs([2]uint64{1, 2}, [2]uint64{3, 4}, [2]uint64{5, 6}, [2]uint64{7, 8})}},
	}
}

// program makes the explorer's program of s. Each outcome is counted in got. Wrong outcomes
// fail only if judge.
func (s small) program(got map[string]int, judge bool) explore.Program {
	var c cells
	results := make([][]uint64, len(s.threads))
	actors := make([]explore.Actor, len(s.threads))
	for i, t := range s.threads {
		actors[i] = explore.Actor{Name: fmt.Sprintf("T%d", i), Body: func() { t(&c, &results[i]) }}
	}
	return explore.Program{
		Name: s.name,
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(unsafe.Pointer(&c), int(unsafe.Sizeof(c)))
			for i := range c {
				c[i].Store(0)
			}
			for i := range results {
				results[i] = results[i][:0]
			}
			return actors
		},
		Finish: func(x *explore.Execution) error {
			if got != nil {
				got[fmt.Sprint(results, c[0].Load(), c[1].Load(), c[2].Load())]++
			}
			if judge && s.check != nil {
				return s.check(&c, results)
			}
			return nil
		},
	}
}

// keysOf returns the outcomes as one comparable text.
func keysOf(got map[string]int) string {
	var s []string
	for k := range got {
		s = append(s, k)
	}
	return strings.Join(sorted(s), "\n")
}
