package caches

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/bench"
)

// A cell is one comparison that is to be made.
type cell struct {
	name       string // what it does, with sizes and the number of goroutines
	work       string // the first part of the name
	size       size
	goroutines int
	tight      bool // the room is that of the entries, so that new keys evict others; else half as much again
}

// The sizes that are measured: what most caches have, and two larger ones.
var (
	small  = size{8, 64}
	middle = size{16, 512}
	large  = size{32, 4096}
)

// works are what a goroutine does in a pass.
const (
	getUniform  = "get/uniform"
	getZipf     = "get/zipf"
	getMiss     = "get/miss"
	getBatch    = "get/batch-16"
	processes   = "processes/get"
	setExisting = "set/existing"
	setNew      = "set/new"
	mixUniform  = "mix/uniform"
	mixZipf     = "mix/zipf"
	latencyGet  = "latency/get"
	latencySet  = "latency/set-new"
	space       = "space"
)

// cells are all comparisons. Those of one size and room that only read follow one another, and then one that
// writes: they share the stores.
func cells() (all []cell) {
	add := func(work string, z size, goroutines int) {
		all = append(all, cell{name: fmt.Sprintf("%s/%s/%d", work, z, goroutines), work: work, size: z,
			goroutines: goroutines, tight: work == setNew || work == latencySet || work == space})
	}
	add(getUniform, small, 1)
	add(getZipf, small, 1)
	add(getMiss, small, 1)
	add(getBatch, small, 1)
	add(latencyGet, small, 1)
	add(getUniform, small, 2)
	add(getZipf, small, 2)
	for _, work := range []string{setExisting, setNew, mixUniform, mixZipf} {
		add(work, small, 1)
	}
	for _, z := range []size{middle, large} {
		for _, work := range []string{getUniform, setExisting, setNew, mixZipf} {
			add(work, z, 1)
		}
		add(getUniform, z, 2)
	}
	add(latencySet, small, 1)
	for _, work := range []string{setExisting, setNew, mixZipf} {
		add(work, small, 2)
	}
	add(processes, small, 2)
	add(space, small, 1)
	add(space, middle, 1)
	return all
}

// reads tells that the cell leaves the stores as they are.
func (c cell) reads() bool {
	return slices.Contains([]string{getUniform, getZipf, getMiss, getBatch, latencyGet}, c.work)
}

// entries is how many entries of the size there are, of so many small ones: larger ones are fewer.
func entries(z size, ofSmall int) int {
	switch z {
	case middle:
		return ofSmall / 4
	case large:
		return ofSmall / 32
	}
	return ofSmall
}

// room of the stores of the cell.
func (c cell) room(entries int) room {
	if !c.tight {
		entries += entries / 2
	}
	return room{c.size, entries}
}

// startsAs tells that the stores of the cell begin as those of the other one do.
func (c cell) startsAs(o cell) bool { return c.size == o.size && c.tight == o.tight }

// takesPart says why a kind does not.
func (c cell) takesPart(k kind) error {
	switch {
	case k.make == nil:
		return errAbsent
	case k.solo && (c.goroutines > 1 || c.size != small):
		return errSolo
	case k.unbounded && c.tight && c.work != space:
		return errUnbounded
	case k.batched && !slices.Contains([]string{getUniform, getZipf, getMiss, setExisting}, c.work):
		return errBatched
	}
	return nil
}

// loaded is a store with its keys in.
type loaded struct {
	kind
	store store
	ids   []uint32
	who   [2]*worker
	flip  uint64
	err   error
}

// load makes a store and fills it. A tight one gets twice what it has room for, so that it evicts.
func (c cell) load(k kind, ofSmall int) *loaded {
	l := &loaded{kind: k}
	if k.make == nil {
		return l
	}
	n := entries(c.size, ofSmall) / k.fewer
	var s store
	if s, l.err = k.make(c.room(n)); l.err != nil {
		return l
	}
	l.store = s
	l.ids = bench.PresentKeys(uint32(n))
	for i := range l.who {
		l.who[i] = newWorker(l.store, c.size)
		l.who[i].next = uint32(n) + 1 + uint32(i)<<30
	}
	l.who[0].fill(l.ids)
	if c.tight {
		l.who[0].fresh(n)
	}
	l.store.settle()
	l.err = l.failure()
	return l
}

// restart forgets what was counted.
func (l *loaded) restart() {
	for _, w := range l.who {
		w.gets, w.hits, w.sets, w.taken = 0, 0, 0, 0
	}
}

func (l *loaded) failure() error {
	if f, ok := l.store.(failing); ok {
		return f.failure()
	}
	return nil
}

func (l *loaded) close() error {
	if l.store == nil {
		return nil
	}
	return l.store.close()
}

// draws are the keys of a pass of one store, and what a goroutine does with them.
func (c cell) draws(l *loaded, ops int) (ids []uint32, do func(who int, ids []uint32) (wrong int)) {
	ops /= l.slower
	reads := bench.MixPattern()
	if slices.Contains([]string{getZipf, mixZipf}, c.work) {
		ids = bench.ZipfDraws(l.ids, ops)
	} else {
		ids = bench.UniformDraws(l.ids, ops)
	}
	switch c.work {
	case getMiss:
		ids = bench.AbsentDraws(uint32(len(l.ids)), ops)
		do = func(who int, ids []uint32) int { return l.who[who].misses(ids) }
	case getBatch:
		do = func(who int, ids []uint32) int { return l.who[who].batches(ids) }
	case setExisting:
		do = func(who int, ids []uint32) int { return l.who[who].assign(ids, l.flip) }
	case setNew, latencySet:
		do = func(who int, ids []uint32) int { return l.who[who].fresh(len(ids)) }
	case mixUniform, mixZipf:
		do = func(who int, ids []uint32) int { return l.who[who].mixed(ids, reads, l.flip) }
	default:
		do = func(who int, ids []uint32) int { return l.who[who].lookups(ids) }
	}
	return ids, do
}

// leastHits is the share of keys that a store with room for all of them has to find; those that evict by
// the set of a key, not by need, lose some.
const leastHits = 0.9

// samples is how many keys are looked at after a pass of sets.
const samples = 1000

// check looks at what a pass left: keys that are not found though there is room, and values that are not
// the last.
func (c cell) check(l *loaded, ids []uint32) (wrong int) {
	l.store.settle()
	if l.failure() != nil {
		return len(ids)
	}
	gets, hits := l.who[0].gets+l.who[1].gets, l.who[0].hits+l.who[1].hits
	if float64(hits) < leastHits*float64(gets) && !c.tight {
		wrong += gets - hits
	}
	w := *l.who[0] // its look is not counted
	switch c.work {
	case setExisting:
		wrong += w.stale(ids[:min(samples, len(ids))], l.flip)
	case setNew, latencySet:
		for _, o := range l.who {
			var last []uint32
			for i := uint32(1); i <= samples; i++ {
				last = append(last, bench.Spread(o.next-i))
			}
			wrong += w.stale(last, straight)
		}
	}
	return wrong
}
