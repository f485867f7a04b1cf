package cache

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// input hands out bytes one by one; behind the last one there are zeros.
type input struct{ bytes []byte }

func (in *input) below(n int) int {
	if len(in.bytes) == 0 {
		return 0
	}
	b := in.bytes[0]
	in.bytes = in.bytes[1:]
	return int(b) % n
}

// key is one of some keys of different lengths, the empty one among them, or seldom one of many.
func (in *input) key() string {
	n := in.below(40)
	if n >= 32 {
		n += in.below(256)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprint(strings.Repeat("key ", n%9), n)
}

// value is one of some bytes, seldom of some thousand.
func (in *input) value(s *session) []byte {
	n := in.below(80)
	if n >= 60 {
		n = (n - 59) * 150
	}
	return s.fresh(n)
}

// newSession is a cache as the first bytes say, with two views of a file or one on the heap.
func newSession(in *input, file string) (*session, error) {
	s := &session{clock: new(testClock), items: map[string]item{}, made: map[string]bool{}}
	s.clock.ms.Store(1_000_000)
	o := Options{Bytes: 1 << 20, NoJanitor: true, Clock: s.clock.now, OnEvent: s.event, Overflow: s,
		Writers: 1 + in.below(2)}
	views, path := 1, ""
	switch in.below(6) {
	case 0: // few places in the index
		o.Entries, o.Bytes = 64, BytesMin
	case 1: // chains
		o.hashBits, o.Bytes = 3, 256<<10
	case 2:
		o.Policy, o.Bytes = TinyLFU{}, BytesMin
	case 3:
		o.Bytes, o.BasketBytes, o.Tiers, o.Hash = BytesMin, BasketBytesMin, 1+in.below(8), HashSip
	case 4:
		views, path, o.Bytes = 2, file, 256<<10
	default: // 4 baskets of 8 KiB for all that lives
		s.roomy, o.Entries = true, 4096
	}
	if in.below(3) == 0 {
		o.TTL = time.Duration(in.below(9)) * time.Millisecond
	}
	s.ttl = o.TTL
	for range views {
		c, err := Open(path, o)
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		s.views, s.counts = append(s.views, c), append(s.counts, Counts{})
	}
	return s, nil
}

func (s *session) close() (err error) {
	for _, c := range s.views {
		err = errors.Join(err, c.Close())
	}
	return err
}

// checkCalls makes the calls of an input, and says what was not as the map has it.
func checkCalls(data []byte, file string, mistake func(*session)) (made map[string]bool, err error) {
	in := &input{data}
	s, err := newSession(in, file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	s.mistake = mistake
	for n := 0; len(in.bytes) > 0; n++ {
		x := sessionCalls[in.below(len(sessionCalls))]
		view := 0
		if len(s.views) > 1 {
			view = in.below(2)
		}
		s.made[x.name] = true
		if err := x.call(s, in, view, s.views[view]); err != nil {
			return s.made, fmt.Errorf("call %d, %s by view %d at %d: %w", n, x.name, view, s.now(), err)
		}
	}
	return s.made, s.rest()
}

// FuzzCalls holds the calls of a cache, one after the other, against a plain map: what they return, what is
// told of what leaves and with which reason, what the store is given, and all counts and accounts at rest.
func FuzzCalls(f *testing.F) {
	for _, data := range callSeeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := ""
		if len(data) > 1 && data[1]%6 == 4 {
			file = cacheFile(t)
		}
		if _, err := checkCalls(data, file, nil); err != nil {
			t.Fatal(err)
		}
	})
}

// callSeeds are some inputs of each kind of cache.
func callSeeds() (seeds [][]byte) {
	for seed := range uint64(18) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 4000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		data[1] = byte(seed)
		seeds = append(seeds, data)
	}
	return seeds
}

// Each call is made by the seeds; and what a canary does wrong behind a call is noticed by the same judges.
func TestFuzzCalls_Canaries(t *testing.T) {
	made := map[string]bool{}
	for _, data := range callSeeds() {
		if data[1]%6 == 4 {
			continue // needs a file
		}
		all, err := checkCalls(data, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for name := range all {
			made[name] = true
		}
	}
	for _, x := range sessionCalls {
		if !made[x.name] {
			t.Errorf("no seed makes the call %s", x.name)
		}
	}
	for _, reason := range []Reason{Replaced, Deleted, Expired, Evicted, IndexFull} {
		if !made[reason.String()] {
			t.Errorf("by no seed an entry is %v", reason)
		}
	}
	for name, mistake := range sessionMistakes() {
		for i, data := range callSeeds()[:3] {
			if _, err := checkCalls(data, "", mistake()); !errors.Is(err, errModel) {
				t.Errorf("%s, seed %d: %v", name, i, err)
			}
		}
	}
}

// sessionMistakes are canaries: each makes one mistake, as soon as there is occasion.
func sessionMistakes() map[string]func() func(*session) {
	once := func(try func(s *session) bool) func() func(*session) {
		return func() func(*session) {
			n := 0
			return func(s *session) {
				if n < 50 || !try(s) { // not at once
					n++
					return
				}
				n = math.MinInt32
			}
		}
	}
	first := func(s *session, change func(key string, x item)) bool {
		for k, x := range s.items {
			if _, ok := s.live(k); ok {
				change(k, x)
				return true
			}
		}
		return false
	}
	return map[string]func() func(*session){
		"an entry is gone": once(func(s *session) bool {
			return first(s, func(k string, x item) { delete(s.items, k) })
		}),
		"an entry has come back": once(func(s *session) bool {
			s.items["never set"] = item{"x", 0}
			return true
		}),
		"a value is another one": once(func(s *session) bool {
			return first(s, func(k string, x item) { s.items[k] = item{x.value + "x", x.end} })
		}),
		"a removal is not told": once(func(s *session) bool {
			n := len(s.events)
			s.events = slices.DeleteFunc(s.events, func(e Event) bool { return e.Reason != Replaced })
			return len(s.events) < n
		}),
		"a removal is told twice": once(func(s *session) bool {
			s.events = append(s.events, s.events...)
			return len(s.events) > 0
		}),
		"a reason is another one": once(func(s *session) bool {
			for i := range s.events {
				s.events[i].Reason ^= 1
			}
			return len(s.events) > 0
		}),
		"a set is not counted": once(func(s *session) bool { s.counts[0].Sets++; return true }),
		"a hit counts twice":   once(func(s *session) bool { s.counts[0].Hits--; return true }),
		"the store has more": once(func(s *session) bool {
			s.puts = append(s.puts, put{"k", "v", 0})
			return true
		}),
	}
}
