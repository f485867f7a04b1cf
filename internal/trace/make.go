package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
)

// Zipf says how popular objects are: the frequency of the object of rank r is proportional to r to the power
// of -Skew.
type Zipf struct {
	Objects int     // 1 to MostObjects
	Skew    float64 // 0 (all alike) to 10
	Seed    uint64
}

// MostObjects bounds the objects of a generated trace.
const MostObjects = 1 << 26

// Check returns an error if parameters are out of bounds.
func (z Zipf) Check() error {
	switch {
	case z.Objects < 1 || z.Objects > MostObjects:
		return fmt.Errorf("%d objects: use 1 to %d", z.Objects, MostObjects)
	case math.IsNaN(z.Skew) || z.Skew < 0 || z.Skew > 10:
		return fmt.Errorf("a skew of %v: use 0 to 10", z.Skew)
	}
	return nil
}

// Make makes a trace of o.Requests requests, at least 1. If z is not nil, they are drawn from z. If scan is
// not 0, so many other objects are requested one after the other, the same ones each time. Without z this
// scan is repeated; with z it comes after every so many drawn requests.
func Make(z *Zipf, scan int, o Options) (*Trace, error) {
	b := newBuilder(describe(z, scan, o.Requests), o)
	if o.Progress != nil {
		b.tick = func() error { return o.Progress(0) }
	}
	draw := func() uint64 { return 0 }
	if z != nil {
		draw = z.draw()
	}
	for {
		for i := 0; z != nil && (i < scan || scan == 0); i++ {
			if err := b.number(draw(), 0); err != nil {
				return b.made(err)
			}
		}
		for i := range scan {
			if err := b.number(MostObjects+uint64(i), 0); err != nil {
				return b.made(err)
			}
		}
	}
}

func (b *builder) made(err error) (*Trace, error) {
	if err == errEnough {
		b.t.Cut = false
		return b.t, nil
	}
	return nil, err
}

// describe returns the name of a generated trace. It has everything that is needed to make the trace again.
func describe(z *Zipf, scan, requests int) string {
	text := fmt.Sprintf("made: %d requests", requests)
	if z != nil {
		text += fmt.Sprintf(", Zipf over %d objects with skew %v, seed %d", z.Objects, z.Skew, z.Seed)
	}
	switch {
	case scan > 0 && z != nil:
		text += fmt.Sprintf(", after every %d of them a scan of %d others", scan, scan)
	case scan > 0:
		text += fmt.Sprintf(", a loop over %d objects", scan)
	}
	return text
}

// draw returns a function that draws objects. It adds up the probabilities of the ranks, and looks up a
// random point among the sums.
func (z *Zipf) draw() func() uint64 {
	upTo := make([]float64, z.Objects)
	sum := 0.0
	for rank := range upTo {
		sum += math.Pow(float64(rank+1), -z.Skew)
		upTo[rank] = sum
	}
	rng := rand.New(rand.NewPCG(z.Seed, 0))
	return func() uint64 {
		rank := sort.SearchFloat64s(upTo, rng.Float64()*sum)
		return uint64(min(rank, z.Objects-1))
	}
}
