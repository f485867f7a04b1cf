package volume

import (
	"fmt"
	"math/rand/v2"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// recipe is what makes the race of a state likely.
type recipe struct {
	cells, window uint32
	keys          int
	hot           uint32 // homes that the keys have in each half: forced collisions
	room          bool   // adds make room, and evict; else they are Full
	need          mix    // operations that the race needs
}

// mix is the weight of each kind of operation.
type mix [mapmodel.Restore + 1]uint32

func adds(w uint32) (m mix) { m[mapmodel.Add] = w; return m }

func (m mix) gets(w uint32) mix    { m[mapmodel.Get] = w; return m }
func (m mix) updates(w uint32) mix { m[mapmodel.Update] = w; return m }
func (m mix) deletes(w uint32) mix { m[mapmodel.Delete] = w; return m }
func (m mix) crops(w uint32) mix   { m[mapmodel.Crop] = w; return m }

// The tables are as small as they can be for a race: a few cells a half cut the hash down to a few
// bits, so that all keys meet in a few homes.
var recipes = map[string]recipe{
	"S01AddEmpty":                 {8, 4, 4, 2, false, adds(4).deletes(4).crops(8)},
	"S02AddCollision":             {8, 6, 6, 1, false, adds(8).deletes(4).crops(2)},
	"S03AddFull":                  {3, 2, 12, 3, true, adds(8).gets(2).deletes(1)},
	"S04AddCollisionEmpty":        {6, 4, 4, 1, false, adds(8).deletes(8).crops(8)},
	"S05AddEmptyGet":              {6, 4, 2, 1, false, adds(4).gets(8).deletes(4).crops(4)},
	"S06AddCollisionGet":          {8, 6, 4, 1, false, adds(4).gets(8).deletes(4).crops(2)},
	"S07AddCollisionUpdate":       {8, 6, 4, 1, false, adds(4).updates(8).deletes(4).crops(2)},
	"S08AddEmptyDelete":           {6, 4, 2, 1, false, adds(4).deletes(8).crops(4)},
	"S09AddCollisionDeleteMember": {8, 6, 6, 1, false, adds(8).deletes(8).crops(2)},
	"S10AddCollisionDeleteBase":   {8, 6, 4, 1, false, adds(8).deletes(8).crops(2)},
	"S11UsurpGet":                 {5, 4, 11, 2, true, adds(16).gets(4).deletes(8)},
	"S12UsurpUpdate":              {5, 4, 11, 2, true, adds(16).updates(4).deletes(8)},
	"S13UsurpDelete":              {5, 4, 11, 2, true, adds(16).deletes(8)},
	"S14UsurpDeleteBase":          {5, 4, 11, 2, true, adds(16).deletes(8)},
	"S15GetMany":                  {8, 6, 4, 1, false, adds(2).gets(30)},
	"S16GetDeleteMember":          {8, 6, 4, 1, false, adds(4).gets(8).deletes(4).crops(4)},
	"S17GetDeleteBase":            {8, 6, 4, 1, false, adds(4).gets(8).deletes(4).crops(4)},
	"S18GetUpdate":                {8, 6, 3, 1, false, adds(2).gets(8).updates(8)},
	"S19UpdateSameKey":            {8, 6, 2, 1, false, adds(2).updates(16)},
	"S20DeleteMembers":            {8, 6, 6, 1, false, adds(8).deletes(8).crops(2)},
	"S21DeleteBase":               {6, 4, 2, 1, false, adds(8).deletes(4).crops(4)},
	"S22DeleteBaseMembers":        {8, 6, 4, 1, false, adds(8).deletes(8).crops(8)},
	"S23DeleteSameKey":            {8, 6, 2, 1, false, adds(8).deletes(16).crops(2)},
	"S24UsurpDeleteInProgress":    {3, 2, 16, 2, true, adds(16).deletes(2).crops(2)},
}

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
	r, ok := recipes[state.ID]
	if !ok {
		return workload{}, fmt.Errorf("state %s has no recipe", state.ID)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(state.Number)))
	w := workload{State: state.ID, Cells: r.cells + rng.Uint32N(3), Width: r.window, Room: r.room,
		Seed: seed}
	w.Keys = collide(w.layout(1), r.hot, r.keys, rng)
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
	m := recipes[w.State].need
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
func (m mix) draw(rng *rand.Rand) mapmodel.Kind {
	total := uint32(0)
	for _, weight := range m {
		total += weight
	}
	at := rng.Uint32N(total)
	for kind, weight := range m {
		if at < weight {
			return mapmodel.Kind(kind)
		}
		at -= weight
	}
	return mapmodel.Get
}
