package failure

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Position is an operation of a program: the actor and its place among the actor's, both from 1.
type Position struct{ Actor, Op int }

// Dropped is the set of operations that a program lacks, in ascending order.
type Dropped []Position

// Suffix is what the set adds to the name of the program, so that tokens of the smaller program name it.
// The program with the suffix -1.2-3.1 lacks the second operation of actor 1 and the first one of actor 3.
func (d Dropped) Suffix() string {
	var b strings.Builder
	for _, p := range d {
		fmt.Fprintf(&b, "-%d.%d", p.Actor, p.Op)
	}
	return b.String()
}

// Split takes a name apart into that of the whole program and the set. A suffix that Suffix could
// not have written is a part of the name.
func Split(name string) (whole string, d Dropped) {
	parts := strings.Split(name, "-")
	for i := len(parts) - 1; i > 0; i-- {
		var p Position
		_, err := fmt.Sscanf(parts[i], "%d.%d", &p.Actor, &p.Op)
		if err != nil || p.Actor < 1 || p.Op < 1 || fmt.Sprintf("%d.%d", p.Actor, p.Op) != parts[i] ||
			len(d) > 0 && compare(p, d[0]) >= 0 {
			return strings.Join(parts[:i+1], "-"), d
		}
		d = append(Dropped{p}, d...)
	}
	return parts[0], d
}

func compare(a, b Position) int {
	if a.Actor != b.Actor {
		return a.Actor - b.Actor
	}
	return a.Op - b.Op
}

// with is the set and some positions more.
func (d Dropped) with(more ...Position) Dropped {
	all := append(slices.Clone(d), more...)
	slices.SortFunc(all, compare)
	return slices.Compact(all)
}

// Keep returns the operations that are left, without actors that have none, and false if a position
// of the set does not exist or nothing is left.
func Keep[O any](ops [][]O, d Dropped) ([][]O, bool) {
	var left [][]O
	found := 0
	for a, list := range ops {
		var own []O
		for i, op := range list {
			if slices.Contains(d, Position{a + 1, i + 1}) {
				found++
				continue
			}
			own = append(own, op)
		}
		if len(own) > 0 {
			left = append(left, own)
		}
	}
	return left, found == len(d) && len(left) > 0
}

// Reduce takes operations away from a program, one by one and then all of one actor, as long as
// fails says that the rest still fails in the same way. Sizes are the operations of each actor, from
// what was dropped already. The result cannot be made smaller by any one such step unless ctx ended,
// or fails gave an error, which Reduce returns together with the best set so far. A set that was
// refused is not tried again. Progress: every round but the last one removes something, so there are
// at most (n+1)(n+a) calls for n operations of a actors.
//
// It is the last stage of delta debugging: Zeller and Hildebrandt, TSE 2002.
func Reduce(ctx context.Context, sizes []int, d Dropped, fails func(Dropped) (bool, error)) (Dropped, error) {
	refused := map[string]bool{}
	for again := true; again; {
		again = false
		for _, more := range removals(sizes) {
			next := d.with(more...)
			if len(next) == len(d) || refused[next.Suffix()] || ctx.Err() != nil {
				continue
			}
			if _, ok := Keep(shape(sizes), next); !ok {
				continue
			}
			same, err := fails(next)
			if err != nil {
				return d, err
			}
			if refused[next.Suffix()] = !same; same {
				d, again = next, true
			}
		}
	}
	return d, nil
}

// removals lists each operation, and then all of each actor that has several.
func removals(sizes []int) [][]Position {
	var single, whole [][]Position
	for a, n := range sizes {
		var all []Position
		for i := range n {
			all = append(all, Position{a + 1, i + 1})
			single = append(single, all[i:i+1:i+1])
		}
		if n > 1 {
			whole = append(whole, all)
		}
	}
	return append(single, whole...)
}

func shape(sizes []int) [][]struct{} {
	all := make([][]struct{}, len(sizes))
	for i, n := range sizes {
		all[i] = make([]struct{}, n)
	}
	return all
}
