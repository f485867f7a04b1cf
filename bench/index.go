package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"unsafe"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Keys is the number of elements: far more than the caches near a processor hold.
const Keys = 1 << 20

// Seed of the order in which keys are drawn.
const Seed = 20

// spread makes a key of a number. Multiplying by an odd number is a bijection of 32-bit words.
func spread(i uint32) uint32 { return i * 0x9E3779B1 }

// presentKeys are the keys of 1..n; none of them is reserved for n below 2^31.
func presentKeys(n uint32) []uint32 {
	keys := make([]uint32, 0, n)
	for i := uint32(1); i <= n; i++ {
		keys = append(keys, spread(i))
	}
	return keys
}

// draws takes n keys at random, with repetition: uniform.
func draws(keys []uint32, n int) []uint32 {
	r := rand.New(rand.NewPCG(Seed, uint64(n)))
	drawn := make([]uint32, n)
	for i := range drawn {
		drawn[i] = keys[r.IntN(len(keys))]
	}
	return drawn
}

// absentDraws are n keys that presentKeys(after) does not have.
func absentDraws(after uint32, n int) []uint32 {
	drawn := make([]uint32, n)
	for i := range drawn {
		drawn[i] = spread(after + 1 + uint32(i))
	}
	return drawn
}

// memory is a kind of region.
type memory struct {
	name string
	make func(region.Layout) (*region.Region, error)
}

// memories are the heap, where huge pages are asked for, and a shared file, where the system
// grants none unless its administrator says so. The file lies in dir.
func memories(dir string) []memory {
	return []memory{
		{"heap", region.Heap},
		{"file", func(l region.Layout) (*region.Region, error) {
			return region.Create(filepath.Join(dir, "region"), l)
		}},
	}
}

// layoutFor is the geometry in which n elements make the given load.
func layoutFor(n int, load float64) region.Layout {
	return region.Layout{CellsPerHalf: uint32(float64(n) / load / 2), Window: 32, Descriptors: 8}
}

// errUnfit says that too few elements found a place for the load to be what it is called.
var errUnfit = errors.New("table took too few elements")

// filled is a table with the keys that found a place.
func filled(r *region.Region, keys []uint32) (*hopscotch.Table, []uint32, error) {
	table, err := hopscotch.NewWith(r, hopscotch.Options{KeepAll: true})
	if err != nil {
		return nil, nil, err
	}
	h, err := table.NewHandle(1)
	if err != nil {
		return nil, nil, err
	}
	in := make([]uint32, 0, len(keys))
	for _, key := range keys {
		result, err := h.Add(key, key)
		if err != nil {
			return nil, nil, err
		}
		if result == hopscotch.Added {
			in = append(in, key)
		}
	}
	if len(in) < len(keys)*99/100 {
		return nil, nil, fmt.Errorf("%w: %d of %d", errUnfit, len(in), len(keys))
	}
	return table, in, h.Close()
}

// limit reads one random cache line of a region of the same layout and kind of memory: nothing
// that looks a key up in that much memory can be faster.
func limit(r *region.Region, keys []uint32) Subject {
	words := r.Words()
	lines := uint64(len(words)) / 8
	return Subject{Name: "limit", Ops: len(keys), Run: func() int {
		wrong := 0
		for _, key := range keys {
			x := uint64(key) * 0x9E3779B97F4A7C15
			x ^= x >> 32
			line := x & 0xFFFFFFFF * lines >> 32
			if words[line*8+7].Load() == 1<<63 {
				wrong++
			}
		}
		return wrong
	}}
}

// gets are the subjects of a lookup of keys that are all there, or all not.
func gets(t *hopscotch.Table, x *xsync.Map[uint32, uint32], m map[uint32]uint32,
	keys []uint32, present bool) []Subject {
	return []Subject{
		{Name: "samecycle", Ops: len(keys), Run: func() (wrong int) {
			for _, key := range keys {
				if v, ok := t.Get(key); ok != present || ok && v != key {
					wrong++
				}
			}
			return wrong
		}},
		{Name: "xsync", Ops: len(keys), Run: func() (wrong int) {
			for _, key := range keys {
				if v, ok := x.Load(key); ok != present || ok && v != key {
					wrong++
				}
			}
			return wrong
		}},
		{Name: "map", Ops: len(keys), Run: func() (wrong int) {
			for _, key := range keys {
				if v, ok := m[key]; ok != present || ok && v != key {
					wrong++
				}
			}
			return wrong
		}},
	}
}

// batchKeys is how many keys a batch of the benchmark has.
const batchKeys = 64

// batches are the same lookups, of keys that are all there, in batches and one by one.
func batches(t *hopscotch.Table, keys []uint32) []Subject {
	keys = keys[:len(keys)/batchKeys*batchKeys]
	values, found := make([]uint32, batchKeys), make([]bool, batchKeys)
	return []Subject{
		{Name: "samecycle", Ops: len(keys), Run: func() (wrong int) {
			for at := 0; at < len(keys); at += batchKeys {
				part := keys[at : at+batchKeys]
				if n, err := t.GetBatch(part, values, found); n != batchKeys || err != nil {
					wrong++
				}
				for i, key := range part {
					if values[i] != key {
						wrong++
					}
				}
			}
			return wrong
		}},
		{Name: "one by one", Ops: len(keys), Run: func() (wrong int) {
			for _, key := range keys {
				if v, ok := t.Get(key); !ok || v != key {
					wrong++
				}
			}
			return wrong
		}},
	}
}

// walks are iterations over n elements, of ours, and over those of the others.
func walks(t *hopscotch.Table, n int, x *xsync.Map[uint32, uint32], m map[uint32]uint32) []Subject {
	return []Subject{
		{Name: "samecycle", Ops: n, Run: func() (wrong int) {
			seen := 0
			for key, value := range t.All() {
				if seen++; key != value {
					wrong++
				}
			}
			return wrong + max(seen-n, n-seen)
		}},
		{Name: "xsync", Ops: len(m), Run: func() (wrong int) {
			x.Range(func(key, value uint32) bool {
				if key != value {
					wrong++
				}
				return true
			})
			return wrong
		}},
		{Name: "map", Ops: len(m), Run: func() (wrong int) {
			for key, value := range m {
				if key != value {
					wrong++
				}
			}
			return wrong
		}},
	}
}

// inserter inserts the same fresh keys again and again into an empty table.
type inserter struct {
	region *region.Region
	keys   []uint32
	handle *hopscotch.Handle
	xsync  *xsync.Map[uint32, uint32]
	plain  map[uint32]uint32
	full   int // keys that found no place in the last pass
}

// empty forgets all elements; the memory stays.
func (n *inserter) empty() error {
	from := n.region.Layout().Offset(region.SectionCells) / region.WordBytes
	clear(n.region.Words().Plain()[from:])
	table, err := hopscotch.NewWith(n.region, hopscotch.Options{KeepAll: true})
	if err != nil {
		return err
	}
	n.handle, err = table.NewHandle(1)
	runtime.GC()
	return err
}

func (n *inserter) newXsync() error {
	n.xsync = xsync.NewMap[uint32, uint32](xsync.WithPresize(Keys))
	runtime.GC()
	return nil
}

func (n *inserter) newMap() error {
	n.plain = make(map[uint32]uint32, Keys)
	runtime.GC()
	return nil
}

func (n *inserter) subjects() []Subject {
	ops := len(n.keys)
	return []Subject{
		{Name: "samecycle", Ops: ops, Prepare: n.empty, Run: n.addOurs},
		{Name: "xsync", Ops: ops, Prepare: n.newXsync, Run: func() int {
			for _, key := range n.keys {
				n.xsync.Store(key, key)
			}
			return ops - n.xsync.Size()
		}},
		{Name: "xsync LoadOrStore", Ops: ops, Prepare: n.newXsync, Run: func() (wrong int) {
			for _, key := range n.keys {
				if _, loaded := n.xsync.LoadOrStore(key, key); loaded {
					wrong++
				}
			}
			return wrong
		}},
		{Name: "map", Ops: ops, Prepare: n.newMap, Run: func() int {
			for _, key := range n.keys {
				n.plain[key] = key
			}
			return ops - len(n.plain)
		}},
	}
}

// addOurs counts an element without a place as an operation, but a hundredth of them as wrong.
func (n *inserter) addOurs() (wrong int) {
	n.full = 0
	for _, key := range n.keys {
		switch r, err := n.handle.Add(key, key); {
		case err != nil || r == hopscotch.Exists:
			wrong++
		case r == hopscotch.Full:
			n.full++
		}
	}
	if n.full > len(n.keys)/100 {
		wrong += n.full
	}
	return wrong
}

// heapOf is how many bytes of Go's heap the result of make keeps.
func heapOf[T any](make func() T) (T, float64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	made := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return made, float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// address of the first word, to find the region in the list of mappings.
func address(r *region.Region) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.Words()))) }
