package volume

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// variant is one way to run a program whose result does not depend on it.
type variant struct {
	cells, window uint32
	homes         hopscotch.Placement
	clients       int  // each with the keys of its own, and its own attachment of a file
	crop, restore bool // a service runs beside the clients
	shared        bool // a file, not the heap
}

// variants differ in each way at least once. None of them is so small that something must leave.
var variants = []variant{
	{cells: 64, window: 32, clients: 1},
	{cells: 97, window: 16, homes: hopscotch.HomesApart, clients: 1, crop: true},
	{cells: 128, window: 32, clients: 3, restore: true},
	{cells: 300, window: 12, clients: 4, crop: true, restore: true, shared: true},
	{cells: 1000, window: 24, homes: hopscotch.HomesApart, clients: 2, shared: true},
	{cells: 64, window: 32, clients: 6, crop: true, shared: true},
}

const (
	metamorphicKeys       = 40
	metamorphicOperations = 3000
)

// program is a random sequence of operations. Operations of different keys do not influence one
// another, so its results are those of any order that keeps the order of each key.
func program(seed uint64) []mapmodel.Request {
	rng := rand.New(rand.NewPCG(seed, 2))
	kinds := []mapmodel.Kind{mapmodel.Add, mapmodel.Add, mapmodel.Get, mapmodel.Update, mapmodel.Delete}
	var all []mapmodel.Request
	for i := range metamorphicOperations {
		req := mapmodel.Request{Kind: kinds[rng.IntN(len(kinds))], Key: 1 + rng.Uint32N(metamorphicKeys)}
		if req.Kind.HasValue() {
			req.Value = uint32(i + 1)
		}
		all = append(all, req)
	}
	return all
}

// expected runs the program on a plain map.
func expected(all []mapmodel.Request) []mapmodel.Result {
	m := map[uint32]uint32{}
	var out []mapmodel.Result
	for _, req := range all {
		old, there := m[req.Key]
		res := mapmodel.Result{Outcome: mapmodel.Absent}
		switch {
		case req.Kind == mapmodel.Add && there:
			res.Outcome = mapmodel.Exists
		case req.Kind == mapmodel.Add:
			res.Outcome, m[req.Key] = mapmodel.Added, req.Value
		case req.Kind == mapmodel.Get && there:
			res = mapmodel.Result{Outcome: mapmodel.Found, Value: old}
		case req.Kind == mapmodel.Update && there:
			res, m[req.Key] = mapmodel.Result{Outcome: mapmodel.Updated, Value: old}, req.Value
		case req.Kind == mapmodel.Delete && there:
			res.Outcome = mapmodel.Deleted
			delete(m, req.Key)
		}
		out = append(out, res)
	}
	return out
}

// metamorphic runs one random program in several ways, with other geometries, other numbers of clients,
// with services beside them and without, and holds each result against that of a plain map. It returns how
// many ways there were. Errors: stress.ErrDiffers with the first difference; those of the region and of the
// engine. folder is where the file lies; "" is the system's folder for temporary files. wrap puts faults
// into the clients' tables, for canaries; it may be nil.
func metamorphic(seed uint64, folder string, wrap func(table) table) (int, error) {
	all := program(seed)
	want := expected(all)
	for _, v := range variants {
		got, err := v.run(all, folder, wrap)
		if err != nil {
			return 0, fmt.Errorf("seed %d, %+v: %w", seed, v, err)
		}
		for i := range want {
			if got[i] != want[i] {
				return 0, fmt.Errorf("%w: seed %d, %+v: operation %d, %s, gives %s, a map gives %s",
					stress.ErrDiffers, seed, v, i, all[i], got[i], want[i])
			}
		}
	}
	return len(variants), nil
}

// run runs the program as the variant says. wrap may be nil.
func (v variant) run(all []mapmodel.Request, folder string,
	wrap func(table) table) ([]mapmodel.Result, error) {
	attach, end, err := v.open(folder)
	if err != nil {
		return nil, err
	}
	defer end()
	results := make([]mapmodel.Result, len(all))
	failed := make([]error, v.clients+1)
	var clients, service sync.WaitGroup
	stop := make(chan struct{})
	handles := make([]*hopscotch.Handle, v.clients+1)
	for i := range handles {
		if handles[i], err = attach(uint64(i + 1)); err != nil {
			return nil, err
		}
	}
	for i, h := range handles {
		if i == v.clients {
			service.Go(func() { failed[i] = v.serve(h, stop) })
			continue
		}
		t := table(h)
		if wrap != nil {
			t = wrap(t)
		}
		clients.Go(func() {
			for at, req := range all {
				if int(req.Key)%v.clients == i && failed[i] == nil {
					results[at], failed[i] = call(t, req)
					for _, l := range t.Left() {
						if l.Key != 0 {
							failed[i] = fmt.Errorf("key %d had to leave: give the variant more cells", l.Key)
						}
					}
				}
			}
		})
	}
	clients.Wait()
	close(stop)
	service.Wait()
	return results, errors.Join(failed...)
}

// serve crops and restores until it is told to stop.
func (v variant) serve(h *hopscotch.Handle, stop chan struct{}) error {
	for v.crop || v.restore {
		select {
		case <-stop:
			return nil
		default:
		}
		if v.crop {
			if err := h.CropAll(nil); err != nil {
				return err
			}
		}
		if v.restore {
			if err := h.RestoreAll(); err != nil {
				return err
			}
		}
	}
	return nil
}

// open makes the region, and returns how a client attaches to it and what ends it.
func (v variant) open(folder string) (attach func(uint64) (*hopscotch.Handle, error), end func(), err error) {
	l := hopscotch.Layout{CellsPerHalf: v.cells, Window: v.window, Descriptors: uint32(v.clients) + 1,
		Homes: v.homes}
	var regions []*region.Region
	dir, path := "", ""
	end = func() {
		for _, r := range regions {
			_ = r.Close() // the file goes with its folder
		}
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	var first *region.Region
	if v.shared {
		if dir, err = os.MkdirTemp(folder, "samecycle-stress-"); err != nil {
			return nil, nil, err
		}
		path = filepath.Join(dir, "table")
		first, err = hopscotch.Create(path, l)
	} else {
		first, err = hopscotch.Heap(l)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	regions = append(regions, first)
	return func(owner uint64) (*hopscotch.Handle, error) {
		r := first
		if v.shared {
			var err error
			if r, err = hopscotch.Open(path, l); err != nil {
				return nil, err
			}
			regions = append(regions, r)
		}
		t, err := hopscotch.New(r)
		if err != nil {
			return nil, err
		}
		return t.NewHandle(owner)
	}, end, nil
}
