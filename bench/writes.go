package bench

import (
	"context"
	"runtime"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/plural"
)

// The goals of writes, as shares of the other one's time.
const (
	goalSet    = 0.45 // of xsync
	goalMix    = 0.4  // of xsync
	goalInsert = 1.0  // of Go's map, sized beforehand
)

// writePlaces are the tables that are written to.
var writePlaces = []struct {
	load float64
	mem  string
}{{0.5, "huge"}, {ratedLoad, "huge"}, {ratedLoad, "file"}}

// flips turns the values of a store over at each pass.
type flips uint32

func (f *flips) next() uint32 {
	*f = ^*f
	return uint32(*f)
}

// collecting forces a collection before the passes of a peer that makes garbage, so that each begins
// with the same heap. The garbage of a pass is not collected within it, or only by chance, to the
// advantage of those that make it.
func (s Subject) collecting(l loaded) Subject {
	if l.garbage {
		s.Prepare = func() error { runtime.GC(); return nil }
	}
	return s
}

// tableAndSpare is a filled table, and a region like its own, which the limit of writes may destroy.
func (b *bench) tableAndSpare(mem string, load float64) (t *filled, r *region.Region, err error) {
	if t, err = b.tableOf(mem, load); err != nil {
		return nil, nil, err
	}
	if t.memory.name == "file" {
		r, err = hopscotch.Create(t.region.File()+".spare", t.table.Layout())
	} else {
		r, err = t.memory.make(t.table.Layout())
	}
	return t, r, err
}

// writeCells are sets of keys that are there, and gets and sets mixed on two goroutines.
func writeCells() []cell {
	var cells []cell
	for _, p := range writePlaces {
		cells = append(cells, setCell(p.load, p.mem), mixCell(p.load, p.mem))
	}
	return cells
}

func setCell(load float64, mem string) cell {
	name := "index/set/" + tableName(load, mem)
	c := cell{part: "index/set", rows: versusAll(name, rivalNames(), "ns/op", "xsync", goalSet)}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, r, err := b.tableAndSpare(mem, load)
		if err != nil {
			return nil, err
		}
		defer dispose(r)
		keys := UniformDraws(t.in, Keys)
		sets := func(name string, s store) Subject {
			f := new(flips)
			last := uint32(0)
			return Subject{Name: name, Ops: len(keys),
				Run:   func() int { last = f.next(); return s.sets(keys, last) },
				Check: func() int { return notSet(s, keys, last) }}
		}
		k := contest{name: name, rows: c.rows, note: t.note, subjects: []Subject{sets(ourName, t.ours)}}
		k.entrants(b.peers(), true, func(l loaded) Subject { return sets(l.name, l.store).collecting(l) })
		k.subjects = append(k.subjects, Subject{Name: "limit", Ops: len(keys),
			Run: func() int { return limitWrites(r, keys) }})
		return b.compare(ctx, k)
	}
	return c
}

// checked is how many keys are looked at after a pass of sets.
const checked = 4096

// notSet is how many of the first keys have not the value of the last pass.
func notSet(s store, keys []uint32, flip uint32) (wrong int) {
	for _, key := range keys[:min(checked, len(keys))] {
		if v, ok := s.value(key); !ok || v != key^flip {
			wrong++
		}
	}
	return wrong
}

func mixCell(load float64, mem string) cell {
	name := "index/mix/" + tableName(load, mem)
	c := cell{part: "index/mix", rows: versusAll(name, rivalNames(), "ns/op", "xsync", goalMix)}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, r, err := b.tableAndSpare(mem, load)
		if err != nil {
			return nil, err
		}
		defer dispose(r)
		keys, reads := UniformDraws(t.in, Keys), MixPattern()
		twice := func(name string, f func(who int, keys []uint32) int) Subject {
			h := Halved(keys, f)
			return Subject{Name: name, Ops: len(keys), Together: true, Run: h.Together, Adjust: h.Two}
		}
		mixes := func(name string, s store) Subject {
			f := new(flips)
			subject := twice(name, func(who int, keys []uint32) int {
				return s.mixes(who, keys, reads, uint32(*f))
			})
			subject.Check = func() int { f.next(); return 0 }
			return subject
		}
		spin := &SpinGate{}
		k := contest{name: name, rows: c.rows, gate: spin.Gate, note: t.note, after: spin.String,
			subjects: []Subject{mixes(ourName, t.ours)}}
		k.entrants(b.peers(), false, func(l loaded) Subject { return mixes(l.name, l.store).collecting(l) })
		k.subjects = append(k.subjects, twice("limit", func(_ int, keys []uint32) int {
			return limitMixes(r, keys, reads)
		}))
		return b.compare(ctx, k)
	}
	return c
}

// insertCells are inserts of fresh keys into an empty table that is large enough: one by one, and in batches.
func insertCells() []cell {
	singles := fill{"singles", (*ours).adds}
	staged := fill{"in two stages", (*ours).addsStaged}
	batched := fill{"in batches", (*ours).addsBatched}
	var cells []cell
	for _, p := range writePlaces {
		where := tableName(p.load, p.mem)
		cells = append(cells,
			insertCell("index/insert/"+where, p.load, p.mem, singles, staged, "map"),
			// Without a goal: it was set for single adds.
			insertCell("index/insert/batch/"+where, p.load, p.mem, batched, singles, ""))
	}
	return cells
}

// fill is a way to add all keys to a table of ours.
type fill struct {
	name string
	adds func(o *ours, keys []uint32) (wrong int)
}

// insertCell compares one way to fill a table of ours with the peers, whose inserts in a loop overlap their
// waits for memory anyway. It also compares it with another way of ours, which is the faster one where the
// ratio is above 1. The goal is against the favourite, if there is one.
func insertCell(name string, load float64, mem string, way, other fill, favourite string) cell {
	c := cell{part: "index/insert", rows: append(
		versusAll(name, peerNames(), "ns/op", favourite, goalInsert), versus(name, other.name, "ns/op"))}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		o, note, err := b.emptyTable(load, mem)
		if err != nil {
			return nil, err
		}
		defer o.close()
		k := contest{name: name, rows: c.rows, note: note, after: o.gone,
			subjects: []Subject{b.fills(ourName, o, way.adds)}}
		k.entrants(empties(), true, b.inserts)
		k.subjects = append(k.subjects, b.fills(other.name, o, other.adds))
		return b.compare(ctx, k)
	}
	return c
}

// emptyTable is an empty table that is sized for all keys to make the load.
func (b *bench) emptyTable(load float64, mem string) (o *ours, note string, err error) {
	b.forget()
	all := b.memories()
	m := all[slices.IndexFunc(all, func(m memory) bool { return m.name == mem })]
	r, err := m.make(layoutFor(len(b.keys), load))
	if err != nil {
		return nil, "", err
	}
	if o, err = newOurs(r); err == nil {
		err = m.grantWritten(r)
	}
	if err != nil {
		dispose(r)
		return nil, "", err
	}
	return o, m.where(r) + "; sized beforehand; " + b.spin.String(), nil
}

// fills is a subject that fills the table anew at each pass.
func (b *bench) fills(name string, o *ours, adds func(o *ours, keys []uint32) (wrong int)) Subject {
	return Subject{Name: name, Ops: len(b.keys), Run: func() int { return adds(o, b.keys) },
		Prepare: func() error { runtime.GC(); return o.anew() },
		Check: func() int {
			seen, wrong := o.walks()
			return wrong + max(seen, len(b.keys)-len(o.left)) - min(seen, len(b.keys)-len(o.left))
		}}
}

// gone tells how many elements the last fill has handed over.
func (o *ours) gone() string { return "left to make room: " + plural.Of(len(o.left), "element") }

// empties are the peers without a store.
func empties() []loaded {
	var all []loaded
	for _, p := range peers() {
		all = append(all, loaded{peer: p, err: p.absent})
	}
	return all
}

// inserts fills a new store of the peer at each pass.
func (b *bench) inserts(l loaded) Subject {
	var s store
	return Subject{Name: l.name, Ops: len(b.keys),
		Prepare: func() (err error) {
			s, err = l.make()
			runtime.GC()
			return err
		},
		Run: func() int { return s.adds(b.keys) },
		Check: func() int {
			seen, wrong := s.walks()
			s.close()
			s = nil
			return wrong + max(seen, len(b.keys)) - min(seen, len(b.keys))
		}}
}
