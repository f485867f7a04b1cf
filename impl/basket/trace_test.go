package basket_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// trace is a fixed sequence of calls by three writers of one store, one call after the other. The third
// writer dies sometimes in the middle of its work.
type trace struct {
	t       *testing.T
	c       checked
	l       basket.Layout
	policy  basket.Policy
	writers [3]*basket.Writer
	numbers [3]uint32       // theirs
	dead    map[uint32]bool // numbers of the dead
	last    uint32          // number that was given
	now     uint64
	tuning  basket.Tuning
	state   uint64 // of the numbers drawn
	hits    int
	misses  int
	told    map[basket.Reason]int
	bytes   uint64 // a hash over all that was told and read
}

// draw is a number below n: by SplitMix64, so that each version of Go draws the same.
func (x *trace) draw(n int) int {
	x.state += 0x9E3779B97F4A7C15
	z := x.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int((z ^ z>>31) >> 33 % uint64(n))
}

// note adds something that was told to the hash.
func (x *trace) note(what ...any) {
	h := fnv.New64a()
	fmt.Fprint(h, x.bytes, what)
	x.bytes = h.Sum64()
}

// writer returns writer i, and makes it if it does not exist.
func (x *trace) writer(i int) *basket.Writer {
	if x.writers[i] == nil {
		x.last++
		x.numbers[i] = x.last
		x.writers[i] = newWriter(x.t, x.c.Store, x.c.actor(i), basket.WriterOptions{Number: x.last,
			Alive:  func(o basket.Owner) bool { return !x.dead[o.Number()] },
			Now:    func() uint64 { return x.now },
			Tuning: func() basket.Tuning { return x.tuning }, Policy: x.policy, Portion: 3 + i,
			Count: func(r basket.Reason) { x.told[r]++ },
			Tell:  func(l basket.Leaving) { x.note(l.Reason, string(l.Key), string(l.Value), l.Expires) }})
	}
	return x.writers[i]
}

// key is one of 400, some of them often, or one of a scan.
func (x *trace) key(n int) (hash uint32, key []byte) {
	k := x.draw(1 + x.draw(1+x.draw(400)))
	if n%1000 > 800 {
		k = 1000 + n
	}
	key = fmt.Appendf(nil, "key%d", k)
	return hashOf(key, 8), key
}

// call is the n-th call.
func (x *trace) call(n int) {
	i := x.draw(3)
	w := x.writer(i)
	hash, key := x.key(n)
	x.now += uint64(x.draw(3))
	switch kind := x.draw(100); {
	case kind < 50:
		value, m, ok, err := w.Get(hash, key, nil)
		if x.note(string(value), m, ok, err); ok {
			x.hits++
			return
		}
		x.misses++
		x.set(w, hash, key, n, kind%4 == 0)
	case kind < 80:
		x.set(w, hash, key, n, kind%4 == 0)
	case kind < 85:
		x.note(remove(x.t, w, hash, key))
	case kind < 89:
		mark(x.t, w, hash, key, kind%2 == 0)
	case kind < 91:
		all, links, err := w.Chain(hash, nil, nil)
		x.note(string(all), links, err)
	case kind < 98:
		did, err := w.Tend(1 + x.draw(6))
		x.note(did, err)
	case kind == 98 && i == 2: // it dies
		x.dead[x.numbers[2]] = true
		x.writers[2] = nil
	case kind == 98 && x.l.Tiers > 1:
		done, err := w.Age()
		x.note(done, err)
	case kind == 99 && i == 1:
		x.note(w.Close())
		x.writers[1] = nil
	}
}

// set sets a key to a value of a size that is drawn, with an end or without.
func (x *trace) set(w *basket.Writer, hash uint32, key []byte, n int, ends bool) {
	value := fmt.Appendf(nil, "%s=%d%0*d", key, n, x.draw(1+x.draw(200)), 0)
	o := basket.RecordOptions{}
	if ends {
		o.Expires = x.now + uint64(x.draw(900))
	}
	if n%3 == 0 {
		if err := w.Prepare(hash, len(key)+len(value)); err != nil {
			x.t.Error(err)
		}
	}
	set(x.t, w, hash, key, value, o)
}

// traced makes the calls, and returns what has come of them.
func traced(t *testing.T, policy basket.Policy, tiers uint32, calls int) string {
	l := withPolicy(t, basket.Layout{Baskets: 24, BasketBytes: 1024, Writers: 3}, policy, tiers, 256)
	x := &trace{t: t, c: checked{newStore(t, l, 0), newWords(1<<8, 3)}, l: l, policy: policy, now: 1000,
		dead: map[uint32]bool{}, told: map[basket.Reason]int{}}
	x.c.crowd, x.c.move = 40, 50
	for n := range calls {
		switch n {
		case calls / 2:
			x.tuning = basket.Tuning{Living: 80, Gain: 20, Reserve: 2, Share: [8]uint32{30, 20},
				Ages: [8]uint64{300, 400, 500, 600}}
		case calls * 3 / 4:
			x.tuning = basket.Tuning{Living: 100, Gain: 1}
		}
		x.call(n)
	}
	x.c.check(t)
	places, s := fnv.New64a(), x.c.Stats()
	for _, name := range []string{basket.SectionShared, basket.SectionHeads, basket.SectionTouch,
		basket.SectionTimes, basket.SectionPolicy, basket.SectionRecords} {
		for i := range section(t, x.c.Store, name) {
			fmt.Fprintln(places, section(t, x.c.Store, name)[i].Load())
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d hits, %d misses;", x.hits, x.misses)
	for r := basket.ReasonReplaced; r <= basket.ReasonExpelled; r++ {
		if x.told[r] > 0 {
			fmt.Fprintf(&text, " %v %d", r, x.told[r])
		}
	}
	fmt.Fprintf(&text, "; %d free, %d sealed, tiers of", s.Free, s.Sealed)
	for _, y := range s.Tiers {
		fmt.Fprintf(&text, " %d", y.Baskets)
	}
	fmt.Fprintf(&text, "; %x, %x", x.bytes, places.Sum64())
	return text.String()
}

// traces are the results of a fixed sequence of calls for the policies. The last two numbers are
// fingerprints: of everything that was told and read, and of the memory at the end.
var traces = []struct {
	policy basket.Policy
	tiers  uint32
	want   string
}{
	{basket.Ageing{}, 1,
		"459 hits, 293 misses; replaced 269 deleted 39 expired 56 evicted 173 index full 1; " +
			"0 free, 19 sealed, tiers of 24; 85eafbe04a9354ee, c02127d66a0ad6a9"},
	{basket.Ageing{}, 4,
		"459 hits, 293 misses; replaced 269 deleted 39 expired 56 evicted 173 index full 1; " +
			"0 free, 19 sealed, tiers of 7 6 5 6; 45fde9b67d1a8d5f, 16d33666f63db9c"},
	{basket.TinyLFU{}, 0,
		"471 hits, 280 misses; replaced 272 deleted 38 expired 64 evicted 164 index full 1; " +
			"0 free, 17 sealed, tiers of 2 22; a0ebdd367bfa824f, 4384467a9f4aab2b"},
}

// TestTrace_SameStore fails after each change of what is written where, of the choice of a basket or record,
// and of what is told and when. After an intended change, this test shows its effect on hits. Decide whether
// programs of the version before could continue with such a store (FormatVersion), and then insert the new
// line.
func TestTrace_SameStore(t *testing.T) {
	for _, x := range traces {
		if got := traced(t, x.policy, x.tiers, 1500); got != x.want {
			t.Errorf("%s with %d tiers:\n%s\nwant\n%s", x.policy.Name(), x.tiers, got, x.want)
		}
	}
}
