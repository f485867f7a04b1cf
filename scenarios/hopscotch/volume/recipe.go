package volume

import (
	"fmt"
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/scenarios/hopscotch/states"
	"github.com/samecycle/samecycle/stress"
)

// mix is the weight of each kind of operation.
type mix states.Mix

// workload is a recipe as one run takes it.
type workload struct {
	State string   `json:"state"`
	Cells uint32   `json:"cells_per_half"`
	Room  bool     `json:"makes_room"`
	Width uint32   `json:"window"`
	Keys  []uint32 `json:"keys"`
	Seed  uint64   `json:"seed"`
}

// newWorkload varies the geometry of the state's recipe by the seed.
func newWorkload(state catalog.State, seed uint64) (workload, error) {
	row, ok := states.Of(state.ID)
	r := row.Volume
	if !ok || r.Keys == 0 {
		return workload{}, fmt.Errorf("state %s has no recipe", state.ID)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(state.Number)))
	w := workload{State: state.ID, Cells: r.Cells + rng.Uint32N(3), Width: r.Window, Room: r.Room,
		Seed: seed}
	w.Keys = collide(w.layout(1), r.Homes, r.Keys, rng)
	return w, nil
}

// collide draws keys whose homes are below hot in both halves.
func collide(l hopscotch.Layout, hot uint32, n int, rng *rand.Rand) []uint32 {
	keys, drawn := make([]uint32, 0, n), map[uint32]bool{}
	for len(keys) < n {
		k := 1 + rng.Uint32N(1<<31)
		h0, h1 := hopscotch.Homes(k, l)
		if h0 < hot && h1 < hot && !drawn[k] {
			keys, drawn[k] = append(keys, k), true
		}
	}
	return keys
}

func (w workload) layout(descriptors uint32) hopscotch.Layout {
	return hopscotch.Layout{CellsPerHalf: w.Cells, Window: w.Width, Descriptors: descriptors,
		Homes: hopscotch.HomesApart}
}

func (w workload) options() hopscotch.Options { return hopscotch.Options{KeepAll: !w.Room} }

// swarm is the mix of one round: what the race needs at a random strength, and each other kind
// of operation in one round of two, rarely (Groce et al., Swarm Testing, 2012).
func (w workload) swarm(round uint64) mix {
	rng := rand.New(rand.NewPCG(w.Seed, round))
	row, _ := states.Of(w.State)
	m := mix(row.Volume.Need)
	for kind := mapmodel.Add; kind <= mapmodel.Restore; kind++ {
		switch {
		case m[kind] != 0:
			m[kind] <<= rng.Uint32N(3)
		default:
			m[kind] = rng.Uint32N(2)
		}
	}
	return m
}

// draw picks a kind by its weight.
func (m mix) draw(rng *rand.Rand) mapmodel.Kind { return mapmodel.Kind(stress.Draw(rng, m[:])) }
