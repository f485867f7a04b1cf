package scenarios

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// world is one program's table: the region, the actors' handles, and the memory image that each
// execution starts from. It is what the harness runs the program's clients on.
type world struct {
	program  model.Program
	region   *region.Region
	table    *hopscotch.Table
	handles  []*hopscotch.Handle
	newcomer *hopscotch.Handle
	tickets  [model.MaxActors]hopscotch.Ticket // by actor: of its last lookup
	memory   []uint64                          // the region, word by word
	image    []uint64                          // memory before the program
	apart    *apart                            // not nil: each actor is a process of its own
	keys     [model.MaxKeys + 1]uint32
	cells    int // index in memory of the first cell
	descs    int // index in memory of the first descriptor

	machine *model.Machine // nil: no model follows
	trace   *trace
	by      performer // how operations are made

	// Of the execution.
	x      *explore.Execution
	rec    *mapmodel.Recorder
	handed handed
	seen   []uint64 // memory after the last step that was told
}

// performer runs one operation of an actor on the engine and says what the client saw.
type performer func(t int, op model.Op) (mapmodel.Result, error)

// newWorld builds the table of a program and puts the standing elements into it.
func newWorld(p model.Program) (*world, error) { return newWorldOf(p, false) }

// newWorldOf is newWorld, with each actor in a process of its own if apart.
func newWorldOf(p model.Program, apart bool) (*world, error) {
	w := &world{program: p}
	w.by = w.perform
	layout := layoutOf(p)
	place := w.together
	if apart {
		place = w.separate
	}
	if err := place(layout); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", p.Name, err)
	}
	last := len(w.handles) - 1
	w.newcomer, w.handles = w.handles[last], w.handles[:last]
	if err := w.survey(); err != nil {
		return nil, err
	}
	w.populate()
	w.image = append([]uint64(nil), w.memory...)
	return w, nil
}

func layoutOf(p model.Program) hopscotch.Layout {
	cells, window := p.Geometry()
	l := hopscotch.Layout{
		CellsPerHalf: uint32(cells), Window: uint32(window),
		Descriptors: uint32(len(p.Ops)) + 1, Homes: hopscotch.HomesApart,
	}
	if p.Near {
		l.Homes = hopscotch.HomesNear
	}
	if p.Rows != nil {
		l.CellsPerHalf = longRing
	}
	return l
}

// longRing is the length of the engine's shortest ring whose windows are not rows that follow each other.
const longRing = 1 << 10

// survey finds out where in the region's memory everything is, and chooses the keys.
func (w *world) survey() error {
	w.locate()
	return w.chooseKeys()
}

func (w *world) locate() {
	layout := w.region.Layout()
	w.memory = w.region.Words().Plain()
	w.cells = int(layout.Offset(hopscotch.Engine, hopscotch.SectionCells) / region.WordBytes)
	w.descs = int(layout.Offset(hopscotch.Engine, hopscotch.SectionDescriptors) / region.WordBytes)
}

// together gives the actors one table with a handle each.
func (w *world) together(layout hopscotch.Layout) (err error) {
	if w.region, err = hopscotch.Heap(layout); err != nil {
		return err
	}
	if w.table, err = hopscotch.NewWith(w.region, w.options()); err != nil {
		return err
	}
	for owner := uint64(1); owner <= uint64(layout.Descriptors); owner++ {
		h, err := w.table.NewHandle(owner)
		if err != nil {
			return err
		}
		w.handles = append(w.handles, h)
	}
	return nil
}

// options let each half be chosen in turn wherever the specification allows either: more than the engine
// does by itself.
func (w *world) options() hopscotch.Options {
	return hopscotch.Options{KeepAll: !w.program.Config(0).MakeRoom, Tie: seam.RandomBit}
}

// populate puts the standing elements into memory.
func (w *world) populate() {
	for _, x := range w.program.Memory {
		home := w.program.HomeIn(int(x.H), int(x.K))
		at := w.cell(int(x.H), w.program.CellAt(int(x.H), home, int(x.O)))
		w.memory[at+1] = uint64(hopscotch.MakeWord1(hopscotch.Value(x.V), 1))
		if x.O != 0 {
			w.memory[at] = uint64(hopscotch.MemberWord(w.key(x.K), uint32(x.O), 1))
			continue
		}
		var members hopscotch.Map
		for _, y := range w.program.Memory {
			if y.O != 0 && y.H == x.H && w.program.HomeIn(int(y.H), int(y.K)) == home {
				members = members.With(uint32(y.O))
			}
		}
		w.memory[at] = uint64(hopscotch.BaseWord(w.key(x.K), members))
	}
}

// chooseKeys finds, for each key of the model, a key whose homes in both halves are those of the
// model under the hash that ships.
func (w *world) chooseKeys() error {
	next, layout := uint32(1), w.table.Layout()
	for k := 1; k <= model.MaxKeys; k++ {
		home0, home1 := w.row(0, w.program.HomeIn(0, k)), w.row(1, w.program.HomeIn(1, k))
		for ; ; next++ {
			if next == 1<<20 {
				return fmt.Errorf("scenario %s: no key has home %d in half 0 and %d in half 1",
					w.program.Name, home0, home1)
			}
			h0, h1 := hopscotch.Homes(next, layout)
			if h0 == home0 && h1 == home1 {
				w.keys[k] = next
				next++
				break
			}
		}
	}
	return nil
}

// cell is the index in memory of word 0 of a cell.
func (w *world) cell(half, cell int) int {
	return w.cells + hopscotch.CellWord(uint32(half), w.row(half, cell))
}

// row is the row that a cell of the program is.
func (w *world) row(half, cell int) uint32 {
	if rows := w.program.Rows; rows != nil {
		return uint32(rows[half][cell])
	}
	return uint32(cell)
}

// desc is the index in memory of the first word of the descriptor that actor t of the model owns.
func (w *world) desc(t int) int { return w.descs + (t-1)*hopscotch.DescriptorWords }

// offset is the name that the explorer gives to a word of the model.
func (w *world) offset(x model.Word) uint64 {
	i := w.cell(int(x.Half), int(x.Cell))
	if x.Desc != 0 {
		i = w.desc(int(x.Desc))
	}
	return uint64(i+int(x.Index)) * region.WordBytes
}

// rewind puts memory and handles back.
func (w *world) rewind() {
	copy(w.memory, w.image)
	for _, h := range w.handles {
		h.Rewind()
	}
	w.newcomer.Rewind()
	clear(w.tickets[:])
	if w.apart != nil {
		w.apart.rewind()
	}
}

func (w *world) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(w.memory)) }

func (w *world) bytes() int { return len(w.memory) * region.WordBytes }

// perform runs one operation on the engine and says what the client saw.
func (w *world) perform(t int, op model.Op) (mapmodel.Result, error) {
	h, key := w.handles[t-1], w.keys[op.K]
	ticket := w.tickets[t-1]
	w.tickets[t-1] = hopscotch.Ticket{}
	switch op.Op {
	case model.OpLookup:
		found, ok, err := h.Ticket(key)
		w.tickets[t-1] = found
		return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Found, Value: found.Value()}), err
	case model.OpStill:
		if !h.Table().Still(ticket) {
			return mapmodel.Result{Outcome: mapmodel.Void}, nil
		}
		w.tickets[t-1] = ticket
		return mapmodel.Result{Outcome: mapmodel.Same, Value: ticket.Value()}, nil
	case model.OpSwap:
		ok, err := h.CompareAndSwap(ticket, uint32(op.V))
		if !ok {
			return mapmodel.Result{Outcome: mapmodel.Void}, err
		}
		return mapmodel.Result{Outcome: mapmodel.Updated, Value: ticket.Value()}, err
	case model.OpDiscard:
		ok, err := h.CompareAndDelete(ticket)
		if !ok {
			return mapmodel.Result{Outcome: mapmodel.Void}, err
		}
		return mapmodel.Result{Outcome: mapmodel.Discarded, Value: ticket.Value()}, err
	case model.OpGet:
		value, found, err := w.get(h.Table(), key) // the actor's own view of it
		return oneOf(found, mapmodel.Result{Outcome: mapmodel.Found, Value: value}), err
	case model.OpUpdate:
		old, ok, err := h.Update(key, uint32(op.V))
		return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Updated, Value: old}), err
	case model.OpDelete:
		ok, err := h.Delete(key)
		return oneOf(ok, mapmodel.Result{Outcome: mapmodel.Deleted}), err
	case model.OpCrop:
		return mapmodel.Result{Outcome: mapmodel.Tended}, h.Crop(key)
	case model.OpRestore:
		return mapmodel.Result{Outcome: mapmodel.Tended}, h.Restore(key)
	}
	r, err := h.Add(key, uint32(op.V))
	return mapmodel.Result{Outcome: added[r]}, err
}

// get looks for a key. Where homes are near Get has a way of its own; elsewhere it is Lookup, which
// tells damage, too.
func (w *world) get(t *hopscotch.Table, key uint32) (value uint32, found bool, err error) {
	if !w.program.Near {
		return t.Lookup(key)
	}
	value, found = t.Get(key)
	return value, found, nil
}

var added = map[hopscotch.Result]mapmodel.Outcome{hopscotch.Added: mapmodel.Added,
	hopscotch.Exists: mapmodel.Exists, hopscotch.Full: mapmodel.Full}

// oneOf is the result, or that the key is absent.
func oneOf(there bool, r mapmodel.Result) mapmodel.Result {
	if there {
		return r
	}
	return mapmodel.Result{Outcome: mapmodel.Absent}
}

var requests = map[model.OpKind]mapmodel.Kind{
	model.OpAdd: mapmodel.Add, model.OpGet: mapmodel.Get, model.OpUpdate: mapmodel.Update,
	model.OpDelete: mapmodel.Delete, model.OpCrop: mapmodel.Crop, model.OpRestore: mapmodel.Restore,
	model.OpLookup: mapmodel.Lookup, model.OpStill: mapmodel.Still, model.OpSwap: mapmodel.Swap,
	model.OpDiscard: mapmodel.Discard,
}

// values are those that occur in the program and in memory before it.
func (w *world) values() []uint32 {
	var all []uint32
	for _, x := range w.program.Memory {
		all = append(all, uint32(x.V))
	}
	for _, ops := range w.program.Ops {
		for _, op := range ops {
			if op.V != 0 {
				all = append(all, uint32(op.V))
			}
		}
	}
	return all
}

// modelKey is the model's name of a key of the engine.
func (w *world) modelKey(key uint32) uint32 {
	for k := 1; k < len(w.keys); k++ {
		if w.keys[k] == key {
			return uint32(k)
		}
	}
	return 0
}
