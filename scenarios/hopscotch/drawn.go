package scenarios

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// The programs of the specification are chosen for their races, and the homes of a key are the same in
// both halves. Drawn programs go where nobody has thought of: two or three actors, up to three
// operations each, on windows from empty to full, with homes that differ between the halves. The
// judges are the same; the model validates each step.

const drawnPrefix = "Drawn_"

// Drawn is the nth drawn program, the same in every run: its name, Drawn_17, is all that a token needs.
func Drawn(n int) model.Program {
	d := drawing{Rand: rand.New(rand.NewPCG(uint64(n), 24)),
		p: model.Program{Name: drawnPrefix + strconv.Itoa(n), State: "S03AddFull"}}
	if n%8 == 7 {
		d.p.State = "S04AddCollisionEmpty" // its adds make no room
	}
	for half := range d.p.Shift {
		d.p.Shift[half] = uint8(d.IntN(model.ProgramCells))
	}
	d.populate([]int{4, 10, 25, 60, 60}[d.IntN(5)])
	d.employ()
	return d.p
}

// drawnNamed is the drawn program of that name.
func drawnNamed(name string) (model.Program, bool) {
	number, ok := strings.CutPrefix(name, drawnPrefix)
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 0 {
		return model.Program{}, false
	}
	p := Drawn(n)
	return p, p.Name == name
}

// drawing is a program that is being drawn.
type drawing struct {
	*rand.Rand
	p     model.Program
	value uint8
}

// next is a value that the program does not have yet, 0 if the model can follow no more.
func (d *drawing) next() uint8 {
	if d.value == model.MaxValues {
		return 0
	}
	d.value++
	return d.value
}

// populate tries to put so many elements at random places. The values of standing elements, by which the
// oldest is chosen, are in no order.
func (d *drawing) populate(tries int) {
	const most = model.MaxValues - 5 // the others are for the actors
	for range tries {
		x := model.Standing{H: uint8(d.IntN(2)), K: uint8(1 + d.IntN(model.MaxKeys))}
		if d.IntN(2) == 0 {
			x.O = uint8(1 + d.IntN(model.ProgramWindow-1))
		}
		if len(d.p.Memory) < most && d.stands(x) {
			d.p.Memory = append(d.p.Memory, x)
		}
	}
	for i, at := range d.Perm(len(d.p.Memory)) {
		d.p.Memory[i].V = uint8(at + 1)
	}
	d.value = uint8(len(d.p.Memory))
	// Bases before their members, as a populated table has them.
	slices.SortStableFunc(d.p.Memory, func(a, b model.Standing) int { return int(a.O) - int(b.O) })
}

// stands tells whether the element can stand beside the others: a base in a free cell, or a member in
// a free cell of the window of its base.
func (d *drawing) stands(x model.Standing) bool {
	cell := func(y model.Standing) int {
		return (d.p.HomeIn(int(y.H), int(y.K)) + int(y.O)) % model.ProgramCells
	}
	based := x.O == 0
	for _, y := range d.p.Memory {
		if y.K == x.K || y.H == x.H && cell(y) == cell(x) {
			return false
		}
		based = based || y.H == x.H && y.O == 0 && cell(y) == d.p.HomeIn(int(x.H), int(x.K))
	}
	return based
}

// employ draws what the actors do, on four keys: two of them stand in the table if it has as many. In
// every third program all keys are new and most operations are adds, which compete for cells.
func (d *drawing) employ() {
	kinds := []model.OpKind{model.OpAdd, model.OpAdd, model.OpAdd, model.OpAdd, model.OpUpdate,
		model.OpDelete, model.OpDelete, model.OpCrop, model.OpRestore, model.OpGet}
	standing := 2
	if d.IntN(3) == 0 {
		kinds, standing = []model.OpKind{model.OpAdd, model.OpAdd, model.OpAdd, model.OpDelete}, 0
	}
	var keys []uint8
	for _, i := range d.Perm(len(d.p.Memory))[:min(standing, len(d.p.Memory))] {
		keys = append(keys, d.p.Memory[i].K)
	}
	for len(keys) < 4 {
		keys = append(keys, uint8(1+d.IntN(model.MaxKeys)))
	}
	for range 2 + d.IntN(8)/7 {
		var ops []model.Op
		for range 1 + d.IntN(3) {
			x := model.Op{Op: kinds[d.IntN(len(kinds))], K: keys[d.IntN(len(keys))]}
			if x.Op == model.OpAdd || x.Op == model.OpUpdate {
				if x.V = d.next(); x.V == 0 {
					x.Op = model.OpGet
				}
			}
			ops = append(ops, x)
		}
		d.p.Ops = append(d.p.Ops, ops)
	}
}

// DrawnWalks are the options that draw so many executions of a drawn program: by PCT, which finds what
// needs three orders, with a death anywhere.
func DrawnWalks(n int, walks uint64) Options {
	return Options{Preemptions: explore.Unbounded, Kills: 1, Walks: walks, Strategy: explore.PCT,
		Depth: 3, Seed: uint64(n)}
}
