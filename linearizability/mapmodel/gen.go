package mapmodel

import (
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"

	"github.com/leanovate/gopter"
)

// OpSpec is one operation of a program.
type OpSpec = Request

// Program is a small concurrent program over a map: each actor calls its operations in order, all
// actors at the same time, on a map that holds the initial contents.
type Program struct {
	Actors  [][]OpSpec
	Initial map[uint32]uint32
}

// String prints the program on one line, actors separated by bars:
// {1:1001} add(1, 101) get(2) || get(1).
func (p Program) String() string {
	var out strings.Builder
	if len(p.Initial) > 0 {
		out.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(p.Initial)) {
			if i > 0 {
				out.WriteByte(' ')
			}
			fmt.Fprintf(&out, "%d:%d", key, p.Initial[key])
		}
		out.WriteString("} ")
	}
	for i, actor := range p.Actors {
		if i > 0 {
			out.WriteString(" || ")
		}
		for j, op := range actor {
			if j > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(op.String())
		}
	}
	return out.String()
}

// Ops returns the number of operations of all actors.
func (p Program) Ops() int {
	n := 0
	for _, actor := range p.Actors {
		n += len(actor)
	}
	return n
}

// Shape bounds the programs of a generator. Ranges are inclusive.
type Shape struct {
	MinActors, MaxActors int      // actors, within 1 to the constant MaxActors
	MinOps, MaxOps       int      // of each actor, within 1 to MaxOpsPerActor
	Keys                 []uint32 // a few, such as keys that collide
	Kinds                []Kind
	Initial              bool // each key is in the initial contents with probability one half
}

// Bounds of a Shape; values name their actor and their place, within these bounds uniquely.
const (
	MaxActors      = 16
	MaxOpsPerActor = 99
	initialValue   = 10_000 // initial values are above the values of all actors
)

// DefaultShape is two or three actors of one to three adds and gets on the keys.
func DefaultShape(keys ...uint32) Shape {
	return Shape{
		MinActors: 2, MaxActors: 3, MinOps: 1, MaxOps: 3,
		Keys: keys, Kinds: []Kind{Add, Get}, Initial: true,
	}
}

// ErrShape is a shape from which no programs can be made.
var ErrShape = errors.New("shape of programs unusable")

func (s Shape) validate() error {
	switch {
	case s.MinActors < 1 || s.MaxActors < s.MinActors || s.MaxActors > MaxActors:
		return fmt.Errorf("%w: %d to %d actors; want a range within 1 to %d", ErrShape,
			s.MinActors, s.MaxActors, MaxActors)
	case s.MinOps < 1 || s.MaxOps < s.MinOps || s.MaxOps > MaxOpsPerActor:
		return fmt.Errorf("%w: %d to %d operations; want a range within 1 to %d", ErrShape,
			s.MinOps, s.MaxOps, MaxOpsPerActor)
	case len(s.Keys) == 0 || len(s.Kinds) == 0:
		return fmt.Errorf("%w: no keys or no kinds; give at least one of each", ErrShape)
	}
	for _, k := range s.Kinds {
		if !slices.Contains(Calls(), k) {
			return fmt.Errorf("%w: %s; want some of %v", ErrShape, k, Calls())
		}
	}
	return nil
}

// Programs returns a gopter generator of programs of the shape, with ShrinkProgram as its
// shrinker. Number of actors, number of operations, kind and key are drawn independently and
// uniformly. Every Add and Update has a value of its own, so a Get names the call that it saw.
//
// The programs are to be run concurrently by the caller: gopter's own commands are sequential.
func Programs(shape Shape) (gopter.Gen, error) {
	if err := shape.validate(); err != nil {
		return nil, err
	}
	shape.Keys, shape.Kinds = slices.Clone(shape.Keys), slices.Clone(shape.Kinds)
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(shape.draw(params.Rng), ShrinkProgram)
	}, nil
}

// draw makes one program.
func (s Shape) draw(rng *rand.Rand) Program {
	p := Program{Initial: map[uint32]uint32{}}
	if s.Initial {
		for i, key := range s.Keys {
			if rng.Intn(2) == 0 {
				p.Initial[key] = uint32(initialValue + i)
			}
		}
	}
	p.Actors = make([][]OpSpec, s.MinActors+rng.Intn(s.MaxActors-s.MinActors+1))
	for a := range p.Actors {
		p.Actors[a] = make([]OpSpec, s.MinOps+rng.Intn(s.MaxOps-s.MinOps+1))
		for i := range p.Actors[a] {
			op := OpSpec{Kind: s.Kinds[rng.Intn(len(s.Kinds))], Key: s.Keys[rng.Intn(len(s.Keys))]}
			if op.Kind.HasValue() {
				op.Value = uint32(100*(a+1) + i + 1)
			}
			p.Actors[a][i] = op
		}
	}
	return p
}

// ShrinkProgram is a gopter.Shrinker. It gives all programs that lack one operation, then those that lack
// two, then those that lack an actor, then those that lack an initial entry. gopter goes on from the first
// of them that still fails, so the result is a program that passes without any of these parts. An actor
// without operations goes away; a program without operations is not offered.
func ShrinkProgram(value any) gopter.Shrink {
	p, ok := value.(Program)
	if !ok {
		panic(fmt.Sprintf("ShrinkProgram: want a Program, got %s", reflect.TypeOf(value)))
	}
	n := p.Ops()
	var candidates []func() Program
	for i := range n {
		candidates = append(candidates, func() Program { return p.without(i, i) })
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			candidates = append(candidates, func() Program { return p.without(i, j) })
		}
	}
	for a := range p.Actors {
		candidates = append(candidates, func() Program { return p.withoutActor(a) })
	}
	for _, key := range slices.Sorted(maps.Keys(p.Initial)) {
		candidates = append(candidates, func() Program { return p.withoutKey(key) })
	}
	next := 0
	return func() (any, bool) {
		for next < len(candidates) {
			smaller := candidates[next]()
			next++
			if smaller.Ops() > 0 {
				return smaller, true
			}
		}
		return nil, false
	}
}

// without returns a copy that lacks the operations i and j, counted over all actors.
func (p Program) without(i, j int) Program {
	q := Program{Initial: maps.Clone(p.Initial)}
	n := 0
	for _, actor := range p.Actors {
		var kept []OpSpec
		for _, op := range actor {
			if n != i && n != j {
				kept = append(kept, op)
			}
			n++
		}
		if len(kept) > 0 {
			q.Actors = append(q.Actors, kept)
		}
	}
	return q
}

func (p Program) withoutActor(a int) Program {
	q := Program{Initial: maps.Clone(p.Initial)}
	for i, actor := range p.Actors {
		if i != a {
			q.Actors = append(q.Actors, slices.Clone(actor))
		}
	}
	return q
}

func (p Program) withoutKey(key uint32) Program {
	q := p.withoutActor(-1)
	delete(q.Initial, key)
	return q
}
