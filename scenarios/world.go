package scenarios

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/model"
)

// world is one program's table: the region, the actors' handles, and the memory image that each
// execution starts from.
type world struct {
	program  model.Program
	region   *region.Region
	table    *hopscotch.Table
	handles  []*hopscotch.Handle
	newcomer *hopscotch.Handle
	memory   []uint64 // the region, word by word
	image    []uint64 // memory before the program
	keys     [model.MaxKeys + 1]uint32
	cells    [model.Halves]int // index in memory of the first word of each half
	descs    int               // index in memory of the first descriptor
}

// newWorld builds the table of a program and puts the standing bases into it.
func newWorld(p model.Program) (*world, error) {
	w := &world{program: p}
	layout := region.Layout{
		CellsPerHalf: model.ProgramCells, Window: model.ProgramWindow,
		Descriptors: uint32(len(p.Ops)) + 1,
	}
	var err error
	if w.region, err = region.Heap(layout); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", p.Name, err)
	}
	if w.table, err = hopscotch.New(w.region); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", p.Name, err)
	}
	for owner := uint64(1); owner <= uint64(layout.Descriptors); owner++ {
		h, err := w.table.NewHandle(owner)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", p.Name, err)
		}
		w.handles = append(w.handles, h)
	}
	last := len(w.handles) - 1
	w.newcomer, w.handles = w.handles[last], w.handles[:last]
	w.memory = w.region.Words().Plain()
	w.cells[0] = int(layout.Offset(region.SectionCells0) / region.WordBytes)
	w.cells[1] = int(layout.Offset(region.SectionCells1) / region.WordBytes)
	w.descs = int(layout.Offset(region.SectionDescriptors) / region.WordBytes)
	if err := w.chooseKeys(); err != nil {
		return nil, err
	}
	for _, base := range p.Memory {
		at := w.cell(int(base.H), model.HomeOf(int(base.K)))
		w.memory[at] = uint64(hopscotch.BaseWord(hopscotch.Key(w.keys[base.K]), 0))
		w.memory[at+1] = uint64(hopscotch.MakeWord1(hopscotch.Value(base.V), 1))
	}
	w.image = append([]uint64(nil), w.memory...)
	return w, nil
}

// chooseKeys finds, for each key of the model, a key whose homes in both halves are those of the
// model under the hash that ships.
func (w *world) chooseKeys() error {
	next := uint32(1)
	for k := 1; k <= model.MaxKeys; k++ {
		home := uint32(model.HomeOf(k))
		for ; ; next++ {
			if next == 1<<20 {
				return fmt.Errorf("scenario %s: no key has home %d in both halves",
					w.program.Name, home)
			}
			h0, h1 := hopscotch.Homes(next, model.ProgramCells)
			if h0 == home && h1 == home {
				w.keys[k] = next
				next++
				break
			}
		}
	}
	return nil
}

// cell is the index in memory of word 0 of a cell.
func (w *world) cell(half, cell int) int { return w.cells[half] + cell*hopscotch.CellWords }

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

// start puts memory and handles back.
func (w *world) start() {
	copy(w.memory, w.image)
	for _, h := range w.handles {
		h.Rewind()
	}
	w.newcomer.Rewind()
}

func (w *world) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(w.memory)) }

func (w *world) bytes() int { return len(w.memory) * region.WordBytes }

// perform runs one operation on the engine and says what the client saw.
func (w *world) perform(t int, op model.Op) (history.Result, error) {
	key := w.keys[op.K]
	if op.Op == model.OpGet {
		value, found, err := w.table.Lookup(key)
		if !found {
			return history.Result{Outcome: history.Absent}, err
		}
		return history.Result{Outcome: history.Found, Value: value}, err
	}
	r, err := w.handles[t-1].Add(key, uint32(op.V))
	switch r {
	case hopscotch.Added:
		return history.Result{Outcome: history.Added}, err
	case hopscotch.Exists:
		return history.Result{Outcome: history.Exists}, err
	}
	return history.Result{Outcome: history.Full}, err
}

// request is an operation of the model as the client calls it; keys are the model's.
func request(op model.Op) history.Request {
	kind := history.Get
	if op.Op == model.OpAdd {
		kind = history.Add
	}
	return history.Request{Kind: kind, Key: uint32(op.K), Value: uint32(op.V)}
}
