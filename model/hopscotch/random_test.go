package model

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// dice makes programs that nobody has thought of.
type dice struct {
	*rand.Rand
	value uint8 // the next one; all values of a program differ
}

func (d *dice) next() uint8 {
	d.value++
	return d.value
}

// memory fills cells with bases and members. Where all keys of a home are used its cell stays empty.
func (d *dice) memory() []Standing {
	var list []Standing
	used := map[uint8]bool{}
	full := d.IntN(10)
	for h := uint8(0); h < Halves; h++ {
		isBase := [ProgramCells]bool{}
		for c := range ProgramCells {
			if d.IntN(10) > full {
				continue
			}
			o := d.IntN(ProgramWindow)
			if o > c || !isBase[c-o] {
				o = 0
			}
			for try := 0; try < 20; try++ {
				k := uint8(1 + d.IntN(MaxKeys))
				if HomeOf(int(k)) == c-o && !used[k] {
					used[k] = true
					isBase[c] = o == 0
					list = append(list, Standing{h, k, d.next(), uint8(o)})
					break
				}
			}
		}
	}
	return list
}

// keys are those that a program is about: many, or few so that its actors meet.
func (d *dice) keys(memory []Standing) []uint8 {
	keys := []uint8{1, 2, 5, 9}
	for _, x := range memory {
		if !slices.Contains(keys, x.K) {
			keys = append(keys, x.K)
		}
	}
	d.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	if d.IntN(2) == 0 {
		return keys
	}
	return keys[:2+d.IntN(2)]
}

func (d *dice) ops(n int, keys []uint8) []Op {
	kinds := []OpKind{OpAdd, OpAdd, OpAdd, OpUpdate, OpGet, OpDelete, OpDelete, OpCrop, OpCrop, OpRestore}
	var list []Op
	for range n {
		x := Op{Op: kinds[d.IntN(len(kinds))], K: keys[d.IntN(len(keys))]}
		if x.Op.stores() {
			x.V = d.next()
		}
		list = append(list, x)
	}
	return list
}

// randomProgram has so many actors with 1 to most operations each. The state is one whose adds make
// room.
func randomProgram(seed uint64, actors, most int) Program {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0))}
	p := Program{Name: "random", State: "S03AddFull", Memory: d.memory()}
	keys := d.keys(p.Memory)
	for range actors {
		p.Ops = append(p.Ops, d.ops(1+d.IntN(most), keys))
	}
	return p
}

// random is a number of random programs, which are searched from the start up to a limit of states.
type random struct {
	name                           string
	programs, actors, most, states int
}

// search returns how many of the programs have been searched whole, and all their states.
func (x random) search(t *testing.T) (whole int, states int64) {
	t.Helper()
	for seed := range uint64(x.programs) {
		p := randomProgram(seed, x.actors, x.most)
		m, err := New(p.Config(ProgramCrashes))
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, p, err)
		}
		r := Explore(context.Background(), m, Options{Limit: x.states})
		if r.Violation != nil || r.SoloFails != "" || r.Endless != "" {
			t.Fatalf("seed %d: %v on %v: %s %s\n%v", seed, p.Ops, p.Memory, r.SoloFails,
				r.Endless, r.Violation)
		}
		states += r.Distinct
		if r.Exhaustive {
			whole++
		}
	}
	return whole, states
}

// enough: of ten programs nine have been searched whole at least, or the limit is too low to say
// anything.
func (x random) enough(whole int) bool { return 10*whole >= 9*x.programs }

// Random programs keep every property, with an actor dying at any step; and each live actor alone
// ends its program. A limit that cuts many of them short is found out.
func TestRandomPrograms(t *testing.T) {
	for _, x := range []random{
		{"one actor", 1000, 1, 4, 100_000},
		{"two actors", 400, 2, 2, 60_000},
		{"three actors", 20, 3, 1, 50_000},
	} {
		t.Run(x.name, func(t *testing.T) {
			whole, states := x.search(t)
			if !x.enough(whole) {
				t.Errorf("only %d programs of %d are whole with %d states: raise the limit",
					whole, x.programs, x.states)
			}
			t.Logf("%d programs, %d of them whole, %d states", x.programs, whole, states)
		})
	}
	low := random{"two actors", 20, 2, 2, 200}
	if whole, _ := low.search(t); low.enough(whole) {
		t.Errorf("%d programs of %d count as enough with a limit of %d states", whole, low.programs,
			low.states)
	}
}

// The canary: without a repair that random programs asked for, one of them goes wrong again.
func TestRandomProgramsFind(t *testing.T) {
	for seed := range uint64(400) {
		p := randomProgram(seed, 2, 2)
		c := p.Config(ProgramCrashes)
		c.Fixes &^= FixLastLook
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if r := Explore(context.Background(), m, Options{Limit: 60_000}); r.Violation != nil {
			t.Logf("seed %d: %v", seed, r.Violation.Properties)
			return
		}
	}
	t.Error("nothing is found without FixLastLook")
}
