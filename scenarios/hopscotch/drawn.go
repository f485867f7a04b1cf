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
// judges are the same; the model validates each step. In every eighth program clients keep tickets: a
// lookup is followed by what its ticket is for. In every sixteenth a base is deleted beside an add that
// scans for room.

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
	tries := []int{4, 10, 25, 60, 60}[d.IntN(5)]
	if n%16 == 9 {
		d.populate(200)
		d.deleteBeside()
		return d.p
	}
	d.populate(tries)
	d.employ(n%8 == 3)
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

// The kinds of operations of a program, each as many times as its share is.
var (
	withoutTickets = []model.OpKind{model.OpAdd, model.OpAdd, model.OpAdd, model.OpAdd, model.OpUpdate,
		model.OpDelete, model.OpDelete, model.OpCrop, model.OpRestore, model.OpGet}
	withTickets = []model.OpKind{model.OpAdd, model.OpAdd, model.OpUpdate, model.OpDelete, model.OpCrop,
		model.OpLookup, model.OpLookup, model.OpLookup, model.OpLookup}
	mostlyAdds = []model.OpKind{model.OpAdd, model.OpAdd, model.OpAdd, model.OpDelete}
)

// employ draws what the actors do, on four keys: two of them stand in the table if it has as many. In every
// third program all keys are new and most operations are adds, which compete for cells; but not where clients
// keep tickets, of which a key that nobody has gives none. There one of the keys is a member's, if there are
// members.
func (d *drawing) employ(tickets bool) {
	kinds, standing := withoutTickets, 2
	switch compete := d.IntN(3) == 0; {
	case tickets:
		kinds = withTickets
	case compete:
		kinds, standing = mostlyAdds, 0
	}
	var keys []uint8
	order := d.Perm(len(d.p.Memory))
	if i := slices.IndexFunc(order, func(i int) bool { return d.p.Memory[i].O != 0 }); tickets && i > 0 {
		order[0], order[i] = order[i], order[0]
	}
	for _, i := range order[:min(standing, len(order))] {
		keys = append(keys, d.p.Memory[i].K)
	}
	for len(keys) < 4 {
		keys = append(keys, uint8(1+d.IntN(model.MaxKeys)))
	}
	for range 2 + d.IntN(8)/7 {
		var ops []model.Op
		for range 1 + d.IntN(3) {
			x := model.Op{Op: kinds[d.IntN(len(kinds))], K: keys[d.IntN(len(keys))]}
			ops = append(ops, d.valued(x))
			if x.Op == model.OpLookup {
				ops = append(ops, d.use(x.K)...)
			}
		}
		d.p.Ops = append(d.p.Ops, ops)
	}
}

// valued is the operation with a value, if it stores one; a get, if there is none left.
func (d *drawing) valued(x model.Op) model.Op {
	if x.Op == model.OpAdd || x.Op == model.OpUpdate || x.Op == model.OpSwap {
		if x.V = d.next(); x.V == 0 {
			x.Op = model.OpGet
		}
	}
	return x
}

// use is what a client does with the ticket of the key that it has just looked up: it asks whether the ticket
// holds, swaps the value, or deletes the key; it may ask ahead of the other two.
func (d *drawing) use(k uint8) (ops []model.Op) {
	last := []model.OpKind{model.OpStill, model.OpSwap, model.OpDiscard}[d.IntN(3)]
	if d.IntN(2) == 0 {
		ops = append(ops, model.Op{Op: model.OpStill, K: k})
	}
	return append(ops, d.valued(model.Op{Op: last, K: k}))
}

// deleteBeside draws an add that finds no place, and beside it a delete of the base in one of its homes,
// which the scan for room has passed by then. If the window of a member that cannot move goes round to that
// home, the home is kept in mind, and reclaimed at the end (RoomSpare). Without such a member any base is
// deleted.
func (d *drawing) deleteBeside() {
	var spare, others [][2]uint8 // a new key, and the base
	for k := uint8(1); k <= model.MaxKeys; k++ {
		if slices.ContainsFunc(d.p.Memory, func(x model.Standing) bool { return x.K == k }) {
			continue
		}
		for _, x := range d.p.Memory {
			if x.O != 0 {
				continue
			}
			others = append(others, [2]uint8{k, x.K})
			above := func(y model.Standing) bool { return d.isAbove(x, y) }
			if d.home(x) == d.p.HomeIn(int(x.H), int(k)) && slices.ContainsFunc(d.p.Memory, above) {
				spare = append(spare, [2]uint8{k, x.K})
			}
		}
	}
	if len(spare) == 0 {
		spare = others
	}
	k := spare[d.IntN(len(spare))]
	d.p.Ops = [][]model.Op{{d.valued(model.Op{Op: model.OpAdd, K: k[0]})}, {{Op: model.OpDelete, K: k[1]}}}
}

// home is that of the element in the half where it stands.
func (d *drawing) home(x model.Standing) int { return d.p.HomeIn(int(x.H), int(x.K)) }

// isAbove reports whether the member could move to the cell of the base, were it not there.
func (d *drawing) isAbove(base, member model.Standing) bool {
	to := (d.home(base) - d.home(member) + model.ProgramCells) % model.ProgramCells
	return member.H == base.H && 0 < member.O && int(member.O) < to && to < model.ProgramWindow
}

// DrawnWalks are the options that draw so many executions of a drawn program: by PCT, which finds what
// needs three orders, with a death anywhere.
func DrawnWalks(n int, walks uint64) Options {
	return Options{Preemptions: explore.Unbounded, Kills: 1, Walks: walks, Strategy: explore.PCT,
		Depth: 3, Seed: uint64(n)}
}
