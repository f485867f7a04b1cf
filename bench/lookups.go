package bench

import (
	"context"
	"fmt"
)

// The loads of the tables: half full, and the load for which the table is rated.
var loads = []float64{0.5, ratedLoad}

// The goals of a get of a key that is there, drawn uniformly, as shares of xsync's time. No goal was set
// for other draws, for misses, or for batches.
var goalGet = map[string]float64{"huge": 0.55, "file": 0.65}

// ourName is that of our subject in all samples.
const ourName = "samecycle"

func tableName(load float64, mem string) string { return fmt.Sprintf("load%.0f/%s", load*100, mem) }

// lookupCells are gets, batches of gets and walks, on each kind of memory and at each load.
func lookupCells() []cell {
	var cells []cell
	for _, load := range loads {
		for _, mem := range []string{"huge", "file"} {
			for _, kind := range []string{"hit/uniform", "hit/zipf", "miss"} {
				cells = append(cells, getCell(kind, load, mem))
			}
			for _, size := range []int{8, 32} {
				cells = append(cells, batchCell(size, load, mem))
			}
			cells = append(cells, walkCell(load, mem))
		}
	}
	return cells
}

func getCell(kind string, load float64, mem string) cell {
	name := "index/get/" + kind + "/" + tableName(load, mem)
	c := cell{part: "index/get", rows: versusAll(name, rivalNames(), "ns/op", "", 0)}
	if kind == "hit/uniform" {
		c.rows = versusAll(name, rivalNames(), "ns/op", "xsync", goalGet[mem])
	}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf(mem, load)
		if err != nil {
			return nil, err
		}
		keys, present := AbsentDraws(Keys, Keys), false
		switch kind {
		case "hit/uniform":
			keys, present = UniformDraws(t.in, Keys), true
		case "hit/zipf":
			keys, present = ZipfDraws(t.in, Keys), true
		}
		k := contest{name: name, rows: c.rows, note: t.note}
		gets := func(name string, s store) Subject {
			return Subject{Name: name, Ops: len(keys), Run: func() int { return s.gets(keys, present) }}
		}
		k.subjects = []Subject{gets(ourName, t.ours)}
		k.entrants(b.peers(), true, func(l loaded) Subject { return gets(l.name, l.store) })
		k.subjects = append(k.subjects, Subject{Name: "limit", Ops: len(keys),
			Run: func() int { return limitReads(t.region, keys) }})
		return b.compare(ctx, k)
	}
	return c
}

func batchCell(size int, load float64, mem string) cell {
	name := fmt.Sprintf("index/batch/%d/%s", size, tableName(load, mem))
	c := cell{part: "index/batch", rows: []Row{
		versus(name, "singles", "ns/op"), versus(name, "limit", "ns/op")}}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf(mem, load)
		if err != nil {
			return nil, err
		}
		keys := UniformDraws(t.in, Keys)
		return b.compare(ctx, contest{name: name, rows: c.rows, note: t.note, subjects: []Subject{
			{Name: ourName, Ops: len(keys), Run: func() int { return t.batches(keys, size) }},
			{Name: "singles", Ops: len(keys), Run: func() int { return t.gets(keys, true) }},
			{Name: "limit", Ops: len(keys), Run: func() int { return limitReads(t.region, keys) }},
		}})
	}
	return c
}

func walkCell(load float64, mem string) cell {
	name := "index/walk/" + tableName(load, mem)
	c := cell{part: "index/walk", rows: versusAll(name, peerNames(), "ns/op", "", 0)}
	c.run = func(ctx context.Context, b *bench) ([]Row, error) {
		t, err := b.tableOf(mem, load)
		if err != nil {
			return nil, err
		}
		walks := func(name string, s store, n int) Subject {
			return Subject{Name: name, Ops: n, Run: func() int {
				seen, wrong := s.walks()
				return wrong + max(seen-n, n-seen)
			}}
		}
		k := contest{name: name, rows: c.rows, note: t.note,
			subjects: []Subject{walks(ourName, t.ours, len(t.in))}}
		k.entrants(b.peers(), true, func(l loaded) Subject { return walks(l.name, l.store, len(b.keys)) })
		return b.compare(ctx, k)
	}
	return c
}
