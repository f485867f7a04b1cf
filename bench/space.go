package bench

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// What a table takes of memory, of the collector's time, and of room; and what operations allocate.

const (
	goalBytes    = 18.0 // an entry, at the rated load
	goalHandOver = 0.90 // the load up to which nothing leaves
	// goalCollect is "as with an empty heap"; the tenth is what two equal heaps differ by.
	goalCollect = 1.1
	ratedLoad   = 0.9
	fillings    = 5 // tables that are filled until something leaves
	gcRounds    = 3
)

func spaceCells() []cell {
	return []cell{memoryCell(), handOverCell(), collectCell(), allocsCell()}
}

func memoryCell() cell {
	name := fmt.Sprintf("index/memory/load%.0f", ratedLoad*100)
	c := cell{part: "index/memory"}
	c.rows = append(c.rows, Row{Name: name, Against: number, Unit: "bytes/entry"}.atMost(goalBytes))
	c.rows = append(c.rows, versusAll(name, peerNames(), "bytes/entry", "", 0)...)
	c.run = func(_ context.Context, b *bench) ([]Row, error) {
		all := b.peers()
		t, err := b.tableOf("file", ratedLoad)
		if err != nil {
			return nil, err
		}
		bytes := float64(t.region.Size()) / float64(len(t.in))
		rows := slices.Clone(c.rows)
		rows[0] = rows[0].figure(bytes, fmt.Sprintf("the whole region; %d of %d keys in, the others left "+
			"to make room", len(t.in), len(b.keys)))
		for i, l := range all {
			if l.err != nil {
				rows[i+1] = rows[i+1].notRun(l.err)
				continue
			}
			rows[i+1] = rows[i+1].counted(bytes, l.bytes/float64(len(b.keys)))
		}
		return rows, nil
	}
	return c
}

func handOverCell() cell {
	c := cell{part: "index/handover", rows: []Row{
		Row{Name: "index/handover/load", Against: number, Unit: "load"}.atLeast(goalHandOver)}}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		var found []float64
		for seed := range fillings {
			load, err := firstHandOver(layoutFor(Keys, 1), uint64(seed))
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			found = append(found, load)
		}
		note := fmt.Sprintf("the lowest of %d tables of %d cells, filled with random keys until an element "+
			"left; median %.4f", fillings, Keys, Median(found))
		return []Row{c.rows[0].figure(slices.Min(found), note)}, nil
	}
	return c
}

// firstHandOver fills a table of that layout with random keys until an element leaves it, or has no
// place, and returns the load at which that was.
func firstHandOver(l hopscotch.Layout, seed uint64) (float64, error) {
	r, err := hopscotch.Heap(l)
	if err != nil {
		return 0, err
	}
	defer dispose(r)
	t, err := hopscotch.New(r)
	if err != nil {
		return 0, err
	}
	h, err := t.NewHandle(1)
	if err != nil {
		return 0, err
	}
	random := generator(1000 + seed)
	for {
		result, err := h.Add(1+random.Uint32N(math.MaxUint32-1), 1)
		switch {
		case err != nil:
			return 0, err
		case result == hopscotch.Full:
			return float64(h.Tally().Added) / float64(2*l.CellsPerHalf), nil
		case len(h.Left()) > 0:
			in := h.Tally().Added - uint64(len(h.Left()))
			return float64(in) / float64(2*l.CellsPerHalf), nil
		}
	}
}

// collectCell compares forced collections. Each subject has a process of its own.
func collectCell() cell {
	const name, unit = "index/gc", "ns/collection"
	c := cell{part: "index/gc", rows: []Row{versus(name, "empty", unit).atMost(goalCollect)}}
	c.rows = append(c.rows, versusAll(name, peerNames(), unit, "", 0)...)
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		subjects := append([]string{ourName, "empty"}, peerNames()...)
		samples := make([]Sample, len(subjects))
		for range gcRounds {
			for i, s := range subjects {
				samples[i].Name, samples[i].Ops = s, 1
				if samples[i].Err != nil {
					continue
				}
				ns, err := childCollects(ctx, s)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				samples[i].NS, samples[i].Err = append(samples[i].NS, ns), err
				samples[i].Allocs = append(samples[i].Allocs, 0)
			}
		}
		b.keep(name, samples)
		rows := slices.Clone(c.rows)
		for i := range rows {
			rows[i] = rows[i].timed(samples[0], samples[i+1],
				fmt.Sprintf("runtime.GC in a process that has %d entries or none", Keys))
		}
		return rows, samples[0].Err
	}
	return c
}

// allocsCell counts allocations an operation.
func allocsCell() cell {
	c := cell{part: "index/allocs"}
	const unit = "allocs/op"
	for _, op := range []string{"get", "set", "insert", "walk", "batch"} {
		name := "index/allocs/" + op
		c.rows = append(c.rows, Row{Name: name, Against: number, Unit: unit})
		if op != "batch" {
			c.rows = append(c.rows, versusAll(name, peerNames(), unit, "", 0)...)
		}
	}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf("file", ratedLoad)
		if err != nil {
			return nil, err
		}
		drawn := UniformDraws(t.in, Keys)
		stores := append([]loaded{{peer: peer{name: ourName}, store: t.ours}}, b.peers()...)
		var rows []Row
		for _, op := range []string{"get", "set", "insert", "walk", "batch"} {
			var subjects []Subject
			for _, l := range stores {
				if s, ok := b.counting(op, l, drawn); ok {
					subjects = append(subjects, s)
				}
			}
			samples, err := Rounds(ctx, 1, nil, subjects...)
			if err != nil {
				return rows, err
			}
			rows = append(rows, allocRows(c.rows, "index/allocs/"+op, samples)...)
		}
		return rows, nil
	}
	return c
}

// counting is one pass of an operation on a store. Elements are inserted into a new one; ours come
// into a region of its own, which is no allocation of Go's heap.
func (b *bench) counting(op string, l loaded, drawn []uint32) (Subject, bool) {
	s := Subject{Name: l.name, Ops: len(drawn)}
	if l.err != nil {
		s.Run = func() int { return 1 }
		s.Prepare = func() error { return l.err }
		return s, op != "batch"
	}
	o, isOurs := l.store.(*ours)
	switch op {
	case "get":
		s.Run = func() int { return l.store.gets(drawn, true) }
	case "set":
		s.Run = func() int { return l.store.sets(drawn, straight) }
	case "walk":
		s.Run = func() int { _, wrong := l.store.walks(); return wrong }
	case "batch":
		s.Run = func() int { return o.batches(drawn, 32) }
		return s, isOurs
	case "insert":
		if isOurs {
			l.make = func() (store, error) {
				r, err := hopscotch.Heap(o.table.Layout())
				if err != nil {
					return nil, err
				}
				return newOurs(r)
			}
		}
		var fresh store
		s.Ops = len(b.keys)
		s.Prepare = func() (err error) { fresh, err = l.make(); return err }
		s.Run = func() int { return fresh.adds(b.keys) }
		s.Check = func() int { fresh.close(); return 0 }
	}
	return s, true
}

// allocRows fills the rows of one operation. Three digits after the point: the rest is the runtime's.
func allocRows(announced []Row, name string, samples []Sample) []Row {
	var rows []Row
	count := func(s Sample) float64 { return math.Round(Median(s.Allocs)*1000) / 1000 }
	for _, r := range announced {
		switch {
		case r.Name == name && firstError(samples[0]) == nil:
			rows = append(rows, r.figure(count(samples[0]), fmt.Sprintf("counted, %.0f in %d operations",
				Median(samples[0].Allocs)*float64(samples[0].Ops), samples[0].Ops)))
		case r.Name == name:
			rows = append(rows, r.notRun(firstError(samples[0])))
		}
		for _, s := range samples[1:] {
			if r.Name != name+"/"+s.Name {
				continue
			}
			if err := firstError(samples[0], s); err != nil {
				rows = append(rows, r.notRun(err))
			} else {
				rows = append(rows, r.counted(count(samples[0]), count(s)))
			}
		}
	}
	return rows
}
