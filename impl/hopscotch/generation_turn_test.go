package hopscotch

import (
	"math/rand/v2"
	"testing"
)

// TestHandle_GoesOnWhereGenerationsTurn: the last generation is followed by 0, whatever the operation is,
// and where a head has room for more generations than references have, too.
func TestHandle_GoesOnWhereGenerationsTurn(t *testing.T) {
	for _, descriptors := range []uint32{4, 5, 64} {
		kinds := [kindCount]int{}
		for seed := range uint64(1000) {
			random := rand.New(rand.NewPCG(seed, 7))
			table, h := newTableWith(t, Layout{CellsPerHalf: 4, Window: 3, Descriptors: descriptors},
				Options{Tie: random.Uint32})
			call := func() {
				var err error
				switch key := 1 + random.Uint32N(30); random.Uint32N(4) {
				case 0:
					_, err = h.Delete(key)
				case 1:
					err = h.Crop(key)
				default:
					_, err = h.Add(key, 1+random.Uint32N(1<<20))
				}
				if err != nil {
					t.Fatalf("%d descriptors, seed %d, generation %d: %v", descriptors, seed,
						h.generation, err)
				}
			}
			for range seed % 40 {
				call()
			}
			h.d.head.Store(uint64(MakeHead(table.refs.last, KindNone, 0, 0)))
			h.Rewind()
			for h.generation == table.refs.last {
				if seed%2 == 0 {
					call()
				} else if passed, err := h.CropNext(1, nil); err != nil {
					t.Fatal(descriptors, seed, err)
				} else if passed {
					break
				}
			}
			if h.generation == 0 {
				kinds[Head(h.d.head.Load()).Kind()]++
			}
			clean(t, table)
		}
		for k := KindNew; k < kindCount; k++ {
			// The add that a move makes room for comes next, in the same call.
			if kinds[k] == 0 && k != KindMove {
				t.Errorf("%d descriptors: no %v is of generation 0: the test is too tame", descriptors, k)
			}
		}
	}
}
