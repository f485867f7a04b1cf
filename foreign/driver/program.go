package driver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// A Program is what a few actors do with one map, at the same time.
type Program struct {
	Name    string            // unique among the target's programs, part of replay tokens
	Initial map[uint32]uint32 // initial contents of the map, stored in the order of the keys
	Actors  [][]Call          // the operations of each, in order
}

// ErrProgram is the error of a program that cannot be run.
var ErrProgram = errors.New("program unusable")

// Limits of a program. The key of a judge can hold much more.
const (
	maxActors = 8
	maxOps    = 64
)

func (p Program) check() error {
	ops := 0
	for _, calls := range p.Actors {
		ops += len(calls)
		for _, c := range calls {
			if !c.Kind.known() {
				return fmt.Errorf("%w: %s: %v", ErrProgram, p.Name, c.Kind)
			}
		}
	}
	if p.Name == "" || len(p.Actors) == 0 || len(p.Actors) > maxActors || ops > maxOps {
		return fmt.Errorf("%w: %q: want a name, 1 to %d actors and at most %d operations",
			ErrProgram, p.Name, maxActors, maxOps)
	}
	return nil
}

// text prints the program on one line: {1: 5} LoadAndDelete(1) || Load(1) Load(1).
func (p Program) text(n names) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(p.Initial)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d: %d", k, p.Initial[k])
	}
	b.WriteByte('}')
	for i, calls := range p.Actors {
		if i > 0 {
			b.WriteString(" ||")
		}
		for _, c := range calls {
			b.WriteString(" " + n.call(c))
		}
	}
	return b.String()
}

// explored returns the program for the explorer. Each execution has a new map.
func (p Program) explored(target string, t Target) explore.Program {
	var m Map
	var r record
	initial := map[uint32]cell{}
	for k, v := range p.Initial {
		initial[k] = cell{true, v}
	}
	keys := slices.Sorted(maps.Keys(p.Initial))
	j := newJudge(initial, t.Names)
	return explore.Program{
		Name: target + "#" + p.Name,
		Start: func(x *explore.Execution) []explore.Actor {
			m = t.New()
			for _, k := range keys {
				m.Do(With(Store, k, p.Initial[k]))
			}
			r.reset()
			actors := make([]explore.Actor, len(p.Actors))
			for i, calls := range p.Actors {
				actors[i] = explore.Actor{Name: actorName(i), Body: func() { r.perform(x, i, calls, m.Do) }}
			}
			return actors
		},
		Finish: func(*explore.Execution) error { return j.check(&r) },
	}
}

// Pairs makes all programs in which two actors make n calls each, 1 or 2, out of the given calls. It makes
// each unordered pair of actors once: b(b+1)/2 programs for b = len(calls)^n. Every call that writes gets a
// value of its own, so an answer names the call that it saw: 11 and 12 for the first actor, 21 and 22 for
// the second.
func Pairs(name string, initial map[uint32]uint32, calls []Call, n int) []Program {
	var bodies [][]Call
	for _, a := range calls {
		if n == 1 {
			bodies = append(bodies, []Call{a})
			continue
		}
		for _, b := range calls {
			bodies = append(bodies, []Call{a, b})
		}
	}
	var out []Program
	for i := range bodies {
		for k := i; k < len(bodies); k++ {
			out = append(out, Program{
				Name: fmt.Sprintf("%s/%d", name, len(out)), Initial: initial,
				Actors: [][]Call{ownValues(0, bodies[i]), ownValues(1, bodies[k])},
			})
		}
	}
	return out
}

func ownValues(actor int, body []Call) []Call {
	body = slices.Clone(body)
	for i := range body {
		if body[i].Kind.hasValue() {
			body[i].Value = uint32(10*(actor+1) + i + 1)
		}
	}
	return body
}
