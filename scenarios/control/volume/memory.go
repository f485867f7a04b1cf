package volume

import (
	"errors"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// The part of the region: words of the run, a line for each client, and the words of the engine.
const (
	partName      = "control words"
	sectionRun    = "run"
	sectionOwners = "owners"
	sectionLeases = "leases"
	sectionParams = "params"
	sectionSketch = "sketch"
	sectionWish   = "wish"
	paramState    = "state"

	paramWords = 2
	ownersMost = 1 << 8 // of a run: newcomers have owners of their own
)

// Words of the run.
const (
	wordClock   = iota // begins and ends of operations so far: the clock of the leases
	wordFirst          // number of the first operation of the round
	wordInstant        // what a caller reads from the clock of the sketch, in nanoseconds
	wordMet            // clients that were about to call the sketch
	wordsOfRun
)

// Words of an owner's line.
const (
	ownerProcess = iota // region.Process of the client
	ownerSince          // moment of the clock at which it had attached
	ownerBusy           // 1 in a call
	ownerWords
)

// part is the memory of a state.
func part(state int) region.Part {
	r := recipes[state]
	words := func(name string, n int) region.Section {
		return region.Section{Name: name, Bytes: uint64(n) * region.WordBytes}
	}
	return region.Part{Engine: partName, Version: 1,
		Params: []region.Param{{Name: paramState, Value: uint64(state)}},
		Sections: []region.Section{words(sectionRun, wordsOfRun), words(sectionOwners, ownersMost*ownerWords),
			words(sectionLeases, max(r.leases, 1)), words(sectionParams, paramWords),
			words(sectionSketch, r.layout().Words()), words(sectionWish, 1)}}
}

// layout is that of the sketch. A state without one has a small one.
func (r *recipe) layout() quota.Layout {
	return quota.Layout{Width: max(r.width, quota.WidthMin), Penalties: true}
}

// memory is one process's view of the words.
type memory struct {
	recipe
	state  int
	region *region.Region
	run    region.Words
	owners region.Words
	leases region.Words
	params region.Words
	cells  region.Words
	sketch *quota.Sketch
	wish   region.Words
}

var errMemory = errors.New("the region has no words of a state")

func newMemory(r *region.Region) (*memory, error) {
	p, ok := r.Layout().Part(partName)
	state, has := p.Param(paramState)
	recipe, known := recipes[int(state)]
	if !ok || !has || !known {
		return nil, errMemory
	}
	m := &memory{recipe: recipe, state: int(state), region: r}
	var err error
	for name, to := range map[string]*region.Words{sectionRun: &m.run, sectionOwners: &m.owners,
		sectionLeases: &m.leases, sectionParams: &m.params, sectionSketch: &m.cells,
		sectionWish: &m.wish} {
		if *to, err = r.Section(partName, name); err != nil {
			return nil, err
		}
	}
	m.sketch, err = quota.New(m.cells, m.layout())
	return m, err
}

// tick is the next moment of the clock of the leases.
func (m *memory) tick() uint64 { return m.run[wordClock].Add(1) }

// owner is a word of an owner's line.
func (m *memory) owner(owner uint32, word int) *seam.Uint64 {
	return &m.owners[int(owner%ownersMost)*ownerWords+word]
}

// processOf is the process of a client, as leases name it.
func (m *memory) processOf(owner uint32) region.Process {
	return region.Process(m.owner(owner, ownerProcess).Load())
}

// level is the word of a cell, and penalty that of the penalty beside it.
func (m *memory) level(row int, column uint32) *seam.Uint64 {
	return &m.cells[2*(row*int(m.width)+int(column))]
}

func (m *memory) penalty(row int, column uint32) *seam.Uint64 {
	return &m.cells[2*(row*int(m.width)+int(column))+1]
}
