package mapmodel

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// sampleOf draws n programs as gopter does.
func sampleOf(t *testing.T, shape Shape, n int, seed int64) []Program {
	t.Helper()
	t.Logf("seed %d", seed)
	gen, err := Programs(shape)
	if err != nil {
		t.Fatal(err)
	}
	params := gopter.DefaultGenParameters().CloneWithSeed(seed)
	var out []Program
	for range n {
		value, ok := gen(params).Retrieve()
		if !ok {
			t.Fatal("the generator drew nothing")
		}
		out = append(out, value.(Program))
	}
	return out
}

// uneven compares counts with equal shares: each must be within five standard deviations of its
// share, which a fair draw misses less than once in a million. It returns "" or the worst count.
func uneven[K comparable](counts map[K]int, cells int) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	if len(counts) != cells {
		return fmt.Sprintf("%d of %d cells occur: %v", len(counts), cells, counts)
	}
	p := 1 / float64(cells)
	mean, deviation := float64(total)*p, math.Sqrt(float64(total)*p*(1-p))
	for cell, n := range counts {
		if math.Abs(float64(n)-mean) > 5*deviation {
			return fmt.Sprintf("%v occurs %d times, want %.0f +- %.0f", cell, n, mean, 5*deviation)
		}
	}
	return ""
}

// lopsided looks at every choice that a program is made of, and at the pairs of choices that a
// faulty generator ties together. (Lincheck's issue 120: each get had key 0 and each increment key
// 1, so the two never met and bugs stayed invisible.) It returns "" or what is wrong.
func lopsided(programs []Program, shape Shape) string {
	keys, kinds := len(shape.Keys), len(shape.Kinds)
	pairs, neighbours, opposite := map[string]int{}, map[string]int{}, map[string]int{}
	actors, lengths := map[int]int{}, map[int]int{}
	initial := map[string]int{}
	for _, p := range programs {
		actors[len(p.Actors)]++
		for _, key := range shape.Keys {
			_, there := p.Initial[key]
			initial[fmt.Sprint(key, there)]++
		}
		for _, actor := range p.Actors {
			lengths[len(actor)]++
			for i, op := range actor {
				pairs[fmt.Sprint(op.Kind, op.Key)]++
				if i == 1 {
					neighbours[fmt.Sprint(actor[0].Kind, actor[0].Key, op.Kind, op.Key)]++
				}
			}
		}
		if len(p.Actors) > 1 {
			a, b := p.Actors[0][0], p.Actors[1][0]
			opposite[fmt.Sprint(a.Kind, a.Key, b.Kind, b.Key)]++
		}
	}
	for _, c := range []struct {
		name string
		bad  string
	}{
		{"kind and key", uneven(pairs, kinds*keys)},
		{"operation and the next one", uneven(neighbours, kinds*keys*kinds*keys)},
		{"operations of two actors", uneven(opposite, kinds*keys*kinds*keys)},
		{"number of actors", uneven(actors, shape.MaxActors-shape.MinActors+1)},
		{"number of operations", uneven(lengths, shape.MaxOps-shape.MinOps+1)},
		{"initial contents", uneven(initial, 2*keys)},
	} {
		if c.bad != "" {
			return c.name + ": " + c.bad
		}
	}
	return ""
}

func TestProgramsAreEvenlySpread(t *testing.T) {
	shape := DefaultShape(3, 9, 27)
	programs := sampleOf(t, shape, 20000, 5)
	if bad := lopsided(programs, shape); bad != "" {
		t.Error(bad)
	}
	for _, p := range programs[:2000] {
		values := map[uint32]bool{}
		for _, v := range p.Initial {
			values[v] = true
		}
		n := len(p.Initial)
		for _, actor := range p.Actors {
			for _, op := range actor {
				if op.Kind == Add {
					values[op.Value] = true
					n++
				} else if op.Value != 0 {
					t.Fatalf("%s: a get with a value", p)
				}
			}
		}
		if len(values) != n || values[0] {
			t.Fatalf("%s: a value occurs twice, or is zero", p)
		}
	}
}

// TestLopsidedProgramsAreRefused is the canary of the test above.
func TestLopsidedProgramsAreRefused(t *testing.T) {
	shape := DefaultShape(3, 9)
	for name, spoil := range map[string]func(p *Program, op *OpSpec){
		"key tied to kind": func(_ *Program, op *OpSpec) {
			op.Key = shape.Keys[int(op.Kind)%2]
		},
		"one kind": func(_ *Program, op *OpSpec) { op.Kind = Get },
		"actors alike": func(p *Program, _ *OpSpec) {
			if len(p.Actors) > 1 {
				p.Actors[1][0] = p.Actors[0][0]
			}
		},
		"never empty":   func(p *Program, _ *OpSpec) { p.Initial[3] = 1 },
		"two actors":    func(p *Program, _ *OpSpec) { p.Actors = p.Actors[:2] },
		"next one same": func(p *Program, op *OpSpec) { op.Key = p.Actors[0][0].Key },
	} {
		programs := sampleOf(t, shape, 20000, 6)
		for i := range programs {
			p := &programs[i]
			for _, actor := range p.Actors {
				for k := range actor {
					spoil(p, &actor[k])
				}
			}
		}
		if lopsided(programs, shape) == "" {
			t.Errorf("%s: not noticed", name)
		}
	}
}

func TestShapesRefused(t *testing.T) {
	for name, change := range map[string]func(*Shape){
		"no actors":       func(s *Shape) { s.MinActors = 0 },
		"actors reversed": func(s *Shape) { s.MaxActors = 1 },
		"many actors":     func(s *Shape) { s.MaxActors = MaxActors + 1 },
		"no operations":   func(s *Shape) { s.MinOps = 0 },
		"many operations": func(s *Shape) { s.MaxOps = MaxOpsPerActor + 1 },
		"no keys":         func(s *Shape) { s.Keys = nil },
		"no kinds":        func(s *Shape) { s.Kinds = nil },
		"unknown kind":    func(s *Shape) { s.Kinds = []Kind{0} },
	} {
		shape := DefaultShape(1)
		change(&shape)
		if _, err := Programs(shape); !errors.Is(err, ErrShape) {
			t.Errorf("%s: error %v, want ErrShape", name, err)
		}
	}
}

// TestShrinkProgram lists the candidates of a small program, worked out by hand.
func TestShrinkProgram(t *testing.T) {
	p := Program{
		Initial: map[uint32]uint32{5: 50},
		Actors: [][]OpSpec{
			{{Kind: Add, Key: 1, Value: 10}, {Kind: Get, Key: 2}},
			{{Kind: Get, Key: 3}},
		},
	}
	want := []string{
		"{5:50} get(2) || get(3)",
		"{5:50} add(1, 10) || get(3)",
		"{5:50} add(1, 10) get(2)",
		"{5:50} get(3)",
		"{5:50} get(2)",
		"{5:50} add(1, 10)",
		"{5:50} get(3)",
		"{5:50} add(1, 10) get(2)",
		"add(1, 10) get(2) || get(3)",
	}
	var got []string
	shrink := ShrinkProgram(p)
	for value, ok := shrink(); ok; value, ok = shrink() {
		got = append(got, value.(Program).String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.String() != "{5:50} add(1, 10) get(2) || get(3)" {
		t.Errorf("shrinking changed the program: %s", p)
	}
}

// runInterleaved runs the program on a toy map whose operations take two steps, in random orders,
// and returns the first error of the judge. With locked, an operation is one step.
func runInterleaved(p Program, locked bool, rng *rand.Rand) error {
	judge := NewJudge(enough, p.Initial)
	var rec Recorder
	for range 60 {
		if err := judge.Check(runOnce(p, locked, rng, &rec)); err != nil {
			return err
		}
	}
	return nil
}

func runOnce(p Program, locked bool, rng *rand.Rand, rec *Recorder) History {
	rec.Reset()
	contents := map[uint32]uint32{}
	for k, v := range p.Initial {
		contents[k] = v
	}
	next := make([]int, len(p.Actors))
	ids := make([]uint64, len(p.Actors))
	saw := make([]Result, len(p.Actors))
	for left := 2 * p.Ops(); left > 0; {
		a := rng.Intn(len(p.Actors))
		if next[a] == len(p.Actors[a]) {
			continue
		}
		op := p.Actors[a][next[a]]
		left--
		if ids[a] == 0 { // first step: call, and look whether the key is there
			ids[a] = rec.Call(a, op)
			saw[a] = look(op, contents)
			if !locked {
				continue
			}
			left--
		}
		if saw[a].Outcome == Added { // second step: insert, believing what was seen
			contents[op.Key] = op.Value
		}
		rec.Return(ids[a], saw[a])
		ids[a] = 0
		next[a]++
	}
	h, err := rec.History()
	if err != nil {
		panic(err)
	}
	return h
}

func look(op OpSpec, contents map[uint32]uint32) Result {
	value, there := contents[op.Key]
	switch {
	case op.Kind == Get && there:
		return Result{Outcome: Found, Value: value}
	case op.Kind == Get:
		return Result{Outcome: Absent}
	case there:
		return Result{Outcome: Exists}
	}
	return Result{Outcome: Added}
}

// TestPropertyFindsAndShrinks uses the generator as its users do: a map whose add is a look and a
// later store fails, and the smallest program of its failure is two adds of one key by two actors.
// The same map with one step per operation passes.
func TestPropertyFindsAndShrinks(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	gen, err := Programs(DefaultShape(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	var smallest Program
	property := func(locked bool) gopter.Prop {
		return prop.ForAll(func(p Program) bool {
			if runInterleaved(p, locked, rand.New(rand.NewSource(seed))) != nil {
				smallest = p
				return false
			}
			return true
		}, gen)
	}
	params := gopter.DefaultTestParametersWithSeed(seed)
	if result := property(true).Check(params); !result.Passed() {
		t.Errorf("the map with one step per operation fails on %s", smallest)
	}
	params.SetSeed(seed)
	if result := property(false).Check(params); result.Passed() {
		t.Fatal("the faulty map passes")
	}
	if len(smallest.Actors) != 2 || smallest.Ops() != 2 || len(smallest.Initial) != 0 {
		t.Fatalf("shrunk to %s, want two actors with one operation each", smallest)
	}
	a, b := smallest.Actors[0][0], smallest.Actors[1][0]
	if a.Kind != Add || b.Kind != Add || a.Key != b.Key {
		t.Errorf("shrunk to %s, want two adds of one key", smallest)
	}
}
