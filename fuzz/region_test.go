package fuzz

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// callMax bounds one call on a damaged table. A table that never holds still is given up after 2^20
// attempts, which takes seconds on a machine that is busy; what has no end takes longer.
const callMax = 20 * time.Second

// FuzzRegion damages a region and goes on using it: words of a table at rest, words of a table in
// use, bytes and the length of a file, and the length of a file in use. The result is an error of the
// packages, or one that a table may give, never a fault, a panic or a call without end.
func FuzzRegion(f *testing.F) {
	for _, data := range regionSeeds() {
		f.Add(data)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkRegion(dir, data, faults{}); err != nil {
			t.Fatal(err)
		}
	})
}

func regionSeeds() [][]byte {
	var seeds [][]byte
	for seed := range uint32(32) {
		data := random(seed+500, 120)
		data[0] = byte(seed)
		if seed >= 28 {
			data[0] = 0xFC // with the patience of the shipped table
		}
		seeds = append(seeds, data)
	}
	return seeds
}

// faults are what canaries put between the check and what it judges; the zero value has none.
type faults struct {
	accept func(error) error // changes what a call or an attachment says
	delay  time.Duration     // added to each call
}

func (x faults) say(err error) error {
	if x.accept != nil {
		return x.accept(err)
	}
	return err
}

// damage is one run of an input.
type damage struct {
	faults
	mode   byte
	in     input
	layout hopscotch.Layout
	dir    string
}

func checkRegion(dir string, data []byte, x faults) error {
	d := &damage{faults: x, in: input{data}, dir: dir}
	d.mode = d.in.next()
	d.layout.CellsPerHalf = uint32(d.in.between(2, 12))
	d.layout.Window = uint32(d.in.between(2, int(min(d.layout.CellsPerHalf, 8))))
	d.layout.Descriptors = uint32(d.in.between(2, 4))
	d.layout.Homes = hopscotch.HomesNear + hopscotch.Placement(d.mode>>2&1)
	switch d.mode % 4 {
	case 0:
		return d.atRest()
	case 1:
		return d.inUse()
	case 2:
		return d.file()
	}
	return d.truncated()
}

// slow: a table at rest is used with the patience of the shipped one, for one call.
func (d *damage) slow() bool { return d.mode == 0xFC }

// populate fills a table with elements, some of them deleted.
func (d *damage) populate(r *region.Region) (*hopscotch.Table, *hopscotch.Handle, error) {
	options := hopscotch.Options{KeepAll: d.in.next()%2 == 0, Patience: 1000}
	if d.slow() {
		options.Patience = 0 // that of the shipped table, 2^20
	}
	t, err := hopscotch.NewWith(r, options)
	if err != nil {
		return nil, nil, err
	}
	h, err := t.NewHandle(1)
	if err != nil {
		return nil, nil, err
	}
	for key := uint32(1); key <= d.layout.CellsPerHalf; key++ {
		if _, err := h.Add(key, key); err != nil {
			return nil, nil, err
		}
		if key%3 == 0 {
			if _, err := h.Delete(key); err != nil {
				return nil, nil, err
			}
		}
	}
	return t, h, nil
}

// spoil changes one word: a bit of it, all of it, or another one's content.
func (d *damage) spoil(words region.Words) {
	w := &words[(d.in.below(256)<<8|d.in.below(256))%len(words)]
	switch choice := d.in.next(); choice & 7 {
	case 0, 1, 2, 3:
		w.Store(w.Load() ^ 1<<(choice>>2&0x3F))
	case 4:
		w.Store(d.in.word())
	case 5:
		w.Store(words[int(d.in.next())%len(words)].Load())
	case 6: // a reference to a descriptor, in a form that may have one
		w.Store(w.Load()&^(1<<32-1) | uint64(choice>>3&3)<<30 | uint64(d.in.next())<<26)
	default:
		w.Store(-uint64(choice >> 7))
	}
}

// table is the words that the damage is about: cells and descriptors.
func (d *damage) table(r *region.Region) region.Words {
	return r.Words()[d.layout.Region().Offset(hopscotch.Engine, hopscotch.SectionCells)/region.WordBytes:]
}

// atRest spoils words of a table that nobody uses.
func (d *damage) atRest() error {
	r, err := hopscotch.Heap(d.layout)
	if err != nil {
		return err
	}
	t, h, err := d.populate(r)
	if err != nil {
		return err
	}
	for range d.in.between(1, 6) {
		d.spoil(d.table(r))
	}
	h.Rewind()
	if err := d.look(t); err != nil {
		return err
	}
	for n := 0; n < 8 && (n == 0 || !d.slow()); n++ {
		if err := d.calls(t, h); err != nil {
			return err
		}
	}
	if d.slow() {
		return nil
	}
	if err := d.look(t); err != nil {
		return err
	}
	return d.handles(t, h)
}

// inUse spoils words while somebody else works on the table.
func (d *damage) inUse() error {
	r, err := hopscotch.Heap(d.layout)
	if err != nil {
		return err
	}
	t, h, err := d.populate(r)
	if err != nil {
		return err
	}
	other := &damage{faults: d.faults, in: input{random(uint32(d.in.next()), 64)}, layout: d.layout}
	ended := make(chan error, 1)
	go func() {
		for range 12 {
			if err := other.calls(t, h); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for range 40 {
		d.spoil(d.table(r))
		if err := d.look(t); err != nil {
			return err
		}
	}
	return <-ended
}

// look reads the whole table in all ways that change nothing.
func (d *damage) look(t *hopscotch.Table) error {
	return d.timed("look", func() error {
		hopscotch.Check(t, hopscotch.CheckOptions{})
		hopscotch.Check(t, hopscotch.CheckOptions{Live: true, Limit: 3})
		hopscotch.Measure(t)
		if err := hopscotch.Dump(io.Discard, t, hopscotch.DumpOptions{Empty: true}); err != nil {
			return err
		}
		seen := map[uint32]bool{}
		err := t.Walk(func(key, _ uint32) bool { seen[key] = true; return len(seen) < 1<<16 })
		_, errOrphans := t.Orphans()
		return errors.Join(err, errOrphans)
	})
}

// calls makes one call on a key, and a get.
func (d *damage) calls(t *hopscotch.Table, h *hopscotch.Handle) error {
	choice, key := d.in.next(), uint32(d.in.below(3*int(d.layout.CellsPerHalf)))+1
	err := d.timed("get", func() error {
		_, _, err := t.Lookup(key)
		return err
	})
	if err != nil {
		return err
	}
	return d.timed("call", func() (err error) {
		switch choice % 9 {
		case 0, 1:
			_, err = h.Add(key, key)
		case 2:
			_, _, err = h.Update(key, key+1)
		case 3:
			_, err = h.Delete(key)
		case 4:
			err = h.Crop(key)
		case 5:
			err = h.Restore(key)
		case 6:
			err = h.CropAll(nil)
		case 7:
			err = h.RestoreAll()
		default:
			_, err = h.Clear(nil)
		}
		return err
	})
}

// handles takes, reclaims and gives back descriptors.
func (d *damage) handles(t *hopscotch.Table, h *hopscotch.Handle) error {
	err := d.timed("reclaim", func() error {
		_, err := h.Reclaim()
		return err
	})
	if err != nil {
		return err
	}
	return d.timed("handle", func() error {
		other, err := t.NewHandle(7)
		if err == nil {
			err = other.Close()
		}
		return errors.Join(err, h.Close())
	})
}

// tableErrors are those that calls on a damaged table may end with.
var tableErrors = []error{hopscotch.ErrCorrupt, hopscotch.ErrBusy, hopscotch.ErrHandles}

// timed runs f, and wants an end in time and an error of a table, if any.
func (d *damage) timed(what string, f func() error) error {
	start := time.Now()
	err := d.say(f())
	if took := time.Since(start) + d.delay; took > callMax {
		return wrong("%s took %v: %v", what, took, err)
	}
	if err != nil && !wraps(err, tableErrors) {
		return wrong("%s: %w", what, err)
	}
	return nil
}
