package bench

import (
	"sync/atomic"
	"time"
)

// Halves is a pass in two parts, each on a processor of its own. What a part takes beside the other one is
// compared with what it takes alone on the same processor. The reason is that processors are not equally
// fast. One whose core is also used through another hyperthread may be slower by a third for a while, which
// the spin check does not see. Two goroutines that share a pass evenly would be as slow as that one.
type Halves struct {
	keys [2][]uint32
	f    func(who int, keys []uint32) (wrong int)
	rate [2]float64 // operations per nanosecond of the parts of the last pass
}

// Halved are Halves of the keys.
func Halved(keys []uint32, f func(who int, keys []uint32) int) *Halves {
	return &Halves{keys: [2][]uint32{keys[:len(keys)/2], keys[len(keys)/2:]}, f: f}
}

// Apart does one part after the other.
func (h *Halves) Apart() (wrong int) {
	for who := range 2 {
		onProcessor(who, func() { wrong += h.part(who) })
	}
	return wrong
}

// Together does both at once. Whoever ends first goes on, uncounted, until the other one ends.
func (h *Halves) Together() int {
	var wrong [2]int
	var ended atomic.Int32
	both(func(who int) {
		onProcessor(who, func() {
			wrong[who] = h.part(who)
			ended.Add(1)
			for at := 0; ended.Load() < 2; at = (at + chunk) % len(h.keys[who]) {
				wrong[who] += h.f(who, h.keys[who][at:min(at+chunk, len(h.keys[who]))])
			}
		})
	})
	return wrong[0] + wrong[1]
}

// part does one part and keeps how fast it was.
func (h *Halves) part(who int) (wrong int) {
	start := time.Now()
	wrong = h.f(who, h.keys[who])
	h.rate[who] = float64(len(h.keys[who])) / float64(max(time.Since(start).Nanoseconds(), 1))
	return wrong
}

// One is the time of an operation of the middle of both processors, after Apart.
func (h *Halves) One(float64) float64 { return 2 / (h.rate[0] + h.rate[1]) }

// Two is the time after which one more operation has ended of the two parts, after Together.
func (h *Halves) Two(float64) float64 { return 1 / (h.rate[0] + h.rate[1]) }
