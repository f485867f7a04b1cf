package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Load is a kind of load of a cache, as a generated trace.
type Load struct {
	Name string // short
	What string // how it is made
	make func(rng *rand.Rand) requests
}

// requests returns the object of the request with that number, from 0, and the object's size. A size of 0
// means that the load has no sizes.
type requests func(i int) (object uint64, size uint32)

// loadRequests is the number of requests of each load.
const loadRequests = 400_000

// Make makes the trace. The seed determines all of it. Objects have the size object if the load has no sizes
// of its own.
func (l Load) Make(seed uint64, object uint32) *Trace {
	b := newBuilder(fmt.Sprintf("%s, seed %d", l.Name, seed), Options{Object: object})
	next := l.make(rand.New(rand.NewPCG(seed, 0)))
	for i := range loadRequests {
		o, size := next(i)
		b.t.Sized = b.t.Sized || size > 0
		if err := b.number(o, size); err != nil {
			panic(err) // there are fewer requests than a trace may have, and nothing else can fail
		}
	}
	return b.t
}

// Loads returns loads of many kinds. Popular objects stay popular, or change. Requests repeat what was used
// last, or what was used often. Some loads have objects that come once, scans or loops.
func Loads() []Load {
	const n = 20_000 // objects
	var all []Load
	for _, skew := range []float64{0.6, 0.8, 1, 1.2} {
		all = append(all, Load{fmt.Sprintf("zipf-%.1f", skew),
			fmt.Sprintf("Zipf over %d objects, skew %.1f", n, skew),
			func(rng *rand.Rand) requests { return zipf(rng, n, skew) }})
	}
	return append(all,
		Load{"drift", "Zipf, skew 0.9; after every 40 requests a new object is the most popular one, and " +
			"all others are less so", func(rng *rand.Rand) requests { return drift(zipf(rng, n, 0.9), 40) }},
		Load{"jumps", "Zipf, skew 0.9; after every 50,000 requests other objects are the popular ones",
			func(rng *rand.Rand) requests { return jumps(zipf(rng, n, 0.9), 50_000, n) }},
		Load{"scan-new", "Zipf, skew 0.9; after every 5000 requests 2500 objects that come once",
			func(rng *rand.Rand) requests { return scans(zipf(rng, n, 0.9), 5000, 2500, true) }},
		Load{"scan-again", "Zipf, skew 0.9; after every 8000 requests a scan of the same 4000 others",
			func(rng *rand.Rand) requests { return scans(zipf(rng, n, 0.9), 8000, 4000, false) }},
		Load{"one-hit", "Zipf, skew 0.9; two of five requests are for objects that come once",
			func(rng *rand.Rand) requests { return oneHit(rng, zipf(rng, n, 0.9), 0.4) }},
		Load{"recent-near", "one request in 20 is for a new object; all others for what was asked for some " +
			"requests ago, 3000 in the mean, exponentially distributed",
			func(rng *rand.Rand) requests { return recent(rng, 0.05, exponential(rng, 3000)) }},
		Load{"recent-far", "the same, up to 100,000 requests ago, each order of magnitude as likely",
			func(rng *rand.Rand) requests { return recent(rng, 0.05, magnitude(rng, 100_000)) }},
		Load{"bursts", "100 objects are in use, each for 8 requests in the mean; the next one is drawn by " +
			"Zipf, skew 0.5", func(rng *rand.Rand) requests {
			return bursts(rng, zipf(rng, n, 0.5), 100, 8)
		}},
		Load{"loops", "loops of 1.2, 6 and 24 percent of the objects, each for 50,000 requests; one in 20 " +
			"for an object that comes once", func(rng *rand.Rand) requests {
			return oneHit(rng, loops(50_000, n*12/1000, n*6/100, n*24/100), 0.05)
		}},
		Load{"files", "files of 8 to 128 blocks, drawn by Zipf, skew 0.8, each one read from begin to end",
			func(rng *rand.Rand) requests { return files(zipf(rng, 300, 0.8), 8, 128) }},
		Load{"phases", "40,000 requests of recent-far, then as many of scan-again, and so on",
			func(rng *rand.Rand) requests {
				return phases(40_000, recent(rng, 0.05, magnitude(rng, 100_000)),
					scans(zipf(rng, n, 0.9), 8000, 4000, false))
			}},
		Load{"hot-and-recent", "Zipf over 2000 objects, skew 1, and recent-near, by turns",
			func(rng *rand.Rand) requests {
				return phases(1, zipf(rng, 2000, 1), recent(rng, 0.05, exponential(rng, 3000)))
			}},
		Load{"sizes", "Zipf, skew 0.9, objects of 64 to 2048 bytes, each order of magnitude as likely",
			func(rng *rand.Rand) requests { return sizes(zipf(rng, n, 0.9), 64, 2048) }},
		Load{"sizes-recent", "recent-far, with such sizes",
			func(rng *rand.Rand) requests {
				return sizes(recent(rng, 0.05, magnitude(rng, 100_000)), 64, 2048)
			}},
	)
}

// apart separates the object numbers of different sources.
const apart = 1 << 32

// zipf draws from so many objects.
func zipf(rng *rand.Rand, objects int, skew float64) requests {
	draw := (&Zipf{Objects: objects, Skew: skew, Seed: rng.Uint64()}).draw()
	return func(int) (uint64, uint32) { return draw(), 0 }
}

// drift adds a new most popular object after every so many requests.
func drift(of requests, every int) requests {
	return func(i int) (uint64, uint32) {
		rank, size := of(i)
		return uint64(loadRequests/every-i/every) + rank, size
	}
}

// jumps changes the popular objects after every so many requests.
func jumps(of requests, every, objects int) requests {
	return func(i int) (uint64, uint32) {
		rank, size := of(i)
		return (rank + uint64(i/every*objects/3)) % uint64(objects), size
	}
}

// scans requests so many other objects after every so many requests: the same ones each time, or new ones.
func scans(of requests, every, length int, new bool) requests {
	n := 0
	return func(int) (uint64, uint32) {
		i := n
		n++
		round, at := i/(every+length), i%(every+length)-every
		if at < 0 {
			return of(i)
		}
		if new {
			at += round * length
		}
		return apart + uint64(at), 0
	}
}

// oneHit replaces such a share of the requests by requests for objects that come once.
func oneHit(rng *rand.Rand, of requests, share float64) requests {
	return func(i int) (uint64, uint32) {
		if rng.Float64() < share {
			return 2*apart + uint64(i), 0
		}
		return of(i)
	}
}

// recent requests a new object with that probability, or otherwise the object that was requested so many
// requests ago.
func recent(rng *rand.Rand, new float64, ago func() int) requests {
	var past []uint64
	fresh := uint64(3 * apart)
	return func(int) (uint64, uint32) {
		object := fresh
		if back := ago(); back < len(past) && rng.Float64() >= new {
			object = past[len(past)-1-back]
		} else {
			fresh++
		}
		past = append(past, object)
		return object, 0
	}
}

func exponential(rng *rand.Rand, mean float64) func() int {
	return func() int { return int(rng.ExpFloat64() * mean) }
}

// magnitude draws a number up to most; each order of magnitude is equally likely.
func magnitude(rng *rand.Rand, most float64) func() int {
	return func() int { return int(math.Pow(most, rng.Float64())) }
}

// bursts has so many objects in use at a time, each for mean requests on average.
func bursts(rng *rand.Rand, of requests, active int, mean float64) requests {
	in := make([]uint64, active)
	for i := range in {
		in[i], _ = of(i)
	}
	return func(i int) (uint64, uint32) {
		at := rng.IntN(active)
		object := in[at]
		if rng.Float64() < 1/mean {
			in[at], _ = of(i)
		}
		return object, 0
	}
}

// loops repeats one loop after the other, each for so many requests.
func loops(each int, lengths ...int) requests {
	n := 0
	return func(int) (uint64, uint32) {
		i := n
		n++
		at := i / each % len(lengths)
		return uint64(4+at)*apart + uint64(i%each%lengths[at]), 0
	}
}

// files reads files of least to most blocks from their begin to their end.
func files(of requests, least, most uint64) requests {
	var file, at, blocks uint64
	return func(i int) (uint64, uint32) {
		if at == blocks {
			file, _ = of(i)
			at, blocks = 0, least+scattered(file)%(most-least+1)
		}
		at++
		return file*apart + at, 0
	}
}

// phases takes so many requests of each of the sources in turn.
func phases(each int, of ...requests) requests {
	return func(i int) (uint64, uint32) { return of[i/each%len(of)](i) }
}

// sizes gives each object a size of least to most bytes; each order of magnitude is equally likely.
func sizes(of requests, least, most float64) requests {
	return func(i int) (uint64, uint32) {
		object, _ := of(i)
		part := float64(scattered(object)>>11) / (1 << 53)
		return object, uint32(least * math.Pow(most/least, part))
	}
}

// scattered returns a number that looks random. It is always the same for the same object.
func scattered(object uint64) uint64 {
	h := (object + 1) * 0x9E3779B97F4A7C15
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}
