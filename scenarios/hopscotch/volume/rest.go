package volume

import (
	"maps"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/stress"
)

// rest is what a table is found to be when nobody works on it.
type rest struct {
	contents map[uint32]uint32
	cells    []hopscotch.CellPicture
	owners   map[uint64]int // of descriptors
}

// atRest holds the table's structure, its counts and its contents against one another.
func atRest(t *hopscotch.Table, keys []uint32, f *stress.Faults) rest {
	r := rest{contents: map[uint32]uint32{}, owners: map[uint64]int{}}
	for _, finding := range hopscotch.Check(t, hopscotch.CheckOptions{Limit: 8}) {
		f.Add("structure: %s", finding)
	}
	p := hopscotch.Snapshot(t, hopscotch.DumpOptions{})
	n := p.Count
	if cells := int(2 * t.Layout().CellsPerHalf); n.Elements+n.Lost+n.Empty != cells || n.Held != 0 ||
		n.Frozen != 0 || n.Invalid != 0 {
		f.Add("cells: %d elements, %d lost and %d empty are not the %d of the table; %d held, %d frozen, "+
			"%d invalid", n.Elements, n.Lost, n.Empty, cells, n.Held, n.Frozen, n.Invalid)
	}
	for _, key := range keys {
		v, ok, err := t.Lookup(key)
		if err != nil {
			f.Add("at rest: %v", err)
		} else if ok {
			r.contents[key] = v
		}
	}
	seen := map[uint32]uint32{}
	r.cells = p.Cells
	for _, c := range p.Cells {
		if c.Key != uint32(hopscotch.KeyLost) {
			seen[c.Key] = c.Value
		}
	}
	if !maps.Equal(seen, r.contents) {
		f.Add("keys: the cells hold %v, the keys read as %v", seen, r.contents)
	}
	for _, d := range p.Descriptors {
		r.owners[d.Owner]++
	}
	return r
}
