package shardmap

import (
	"fmt"
	"slices"
)

// Program is what the actors of a run do, and what there is before. Actors, shards and keys are numbered from
// 1.
type Program struct {
	Name    string
	State   string // of the catalog
	Shards  uint8
	Homes   []uint8 // by key: its shard
	Start   []Entry // by key
	Calls   [][]Op  // by actor
	Repeats []int   // actors that begin anew when they are through
	Cursor  uint8   // of the rotation, before
	// Deadlocks says that the actors may come to wait for one another for ever: what a callback must not do.
	Deadlocks bool
}

// Programs returns all programs, in the order of their states.
func Programs() []Program { return slices.Clone(programs) }

// ProgramByName finds one of them.
func ProgramByName(name string) (Program, bool) {
	for _, p := range programs {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

func (p *Program) repeats(actor int) bool { return slices.Contains(p.Repeats, actor) }

// check says what a machine has no room for.
func (p *Program) check() error {
	if len(p.Calls) > MaxActors || len(p.Homes) > MaxKeys || p.Shards > MaxShards ||
		len(p.Start) != len(p.Homes) {
		return fmt.Errorf("program %s: choose %d actors, %d keys, %d shards at most, an entry for each key",
			p.Name, MaxActors, MaxKeys, MaxShards)
	}
	for _, calls := range p.Calls {
		if len(calls) > MaxCalls {
			return fmt.Errorf("program %s: choose %d calls at most for each actor", p.Name, MaxCalls)
		}
		for _, o := range calls {
			if o.Kind == Size && (p.Shards > 2 || len(p.Homes) >= maxCounts) {
				return fmt.Errorf("program %s: Size is for 2 shards and %d keys at most", p.Name, maxCounts-1)
			}
		}
	}
	return nil
}

// Metadata of the programs: a predicate of context fresh finds what is old stale.
const (
	old   = 0
	fresh = 1
)

func get(key uint8) Op { return Op{Kind: Get, Key: key} }
func getFunc(key uint8, v Verdict) Op {
	return Op{Kind: GetFunc, Key: key, Verdict: v, Context: fresh}
}
func put(key, value uint8) Op    { return Op{Kind: Put, Key: key, Value: value, Meta: fresh} }
func refill(key, value uint8) Op { return Op{Kind: Refill, Key: key, Value: value, Meta: fresh} }
func invalidate(key uint8) Op    { return Op{Kind: Invalidate, Key: key} }
func clean(kind Kind) Op         { return Op{Kind: kind, Context: fresh} }

func invalidateIf(key uint8) Op { return Op{Kind: InvalidateIf, Key: key, Context: fresh} }

// calling is an operation whose callback or predicate calls the map.
func calling(outer, inner Op) Op {
	outer.Calls = &inner
	return outer
}

func oldEntry(value uint8) Entry { return Entry{value, old, 1} }
func newEntry(value uint8) Entry { return Entry{value, fresh, 1} }

// one is a program with one key.
func one(name, state string, calls ...[]Op) Program {
	return Program{Name: name, State: state, Shards: 1, Homes: []uint8{1}, Start: []Entry{oldEntry(10)},
		Calls: calls}
}

// two is a program with keys 1 and 2 in shard 1, and key 3 in shard 2.
func two(name, state string, start [3]Entry, calls ...[]Op) Program {
	return Program{Name: name, State: state, Shards: 2, Homes: []uint8{1, 1, 2}, Start: start[:],
		Calls: calls}
}

// each is a program with a key in each shard.
func each(name, state string, shards uint8, calls ...[]Op) Program {
	p := Program{Name: name, State: state, Shards: shards, Calls: calls}
	for i := range shards {
		p.Homes = append(p.Homes, i+1)
		p.Start = append(p.Start, oldEntry(10*(i+1)))
	}
	return p
}

func (p Program) again(actors ...int) Program {
	p.Repeats = actors
	return p
}

func (p Program) from(cursor uint8) Program {
	p.Cursor = cursor
	return p
}

func (p Program) deadlocks() Program {
	p.Deadlocks = true
	return p
}

func actor(calls ...Op) []Op { return calls }

var programs = slices.Concat(lockPrograms, cachePrograms, callbackPrograms)

const (
	m01 = "M01ReaderWriter"
	m02 = "M02WriterStarvation"
	m03 = "M03WriterDrain"
	m04 = "M04WriterWriter"
	m05 = "M05ReadRetreat"
	m06 = "M06GetInvalidate"
	m07 = "M07DeferredInvalidation"
	m08 = "M08CleanupPut"
	m09 = "M09TwoCleanups"
	m10 = "M10CursorWrap"
	m11 = "M11SizeChanging"
	m12 = "M12ConditionalInvalidate"
	m13 = "M13FullCleanup"
	m14 = "M14CallbackReenters"
)

var lockPrograms = []Program{
	one(m01, m01, actor(get(1), get(1)), actor(put(1, 11))),
	one(m01+"_Three", m01, actor(get(1), get(1)), actor(put(1, 11)), actor(get(1), put(1, 12))),
	one(m02, m02, actor(get(1)), actor(get(1)), actor(put(1, 11))).again(1, 2),
	one(m02+"_Readers", m02, actor(invalidate(1)), actor(invalidate(1)), actor(get(1))).again(1, 2),
	one(m02+"_Writers", m02, actor(invalidate(1)), actor(invalidate(1)), actor(put(1, 11))).again(1, 2),
	one(m03, m03, actor(get(1)), actor(get(1)), actor(put(1, 11))),
	one(m04, m04, actor(put(1, 11)), actor(invalidate(1)), actor(get(1))),
	one(m05, m05, actor(get(1)), actor(put(1, 11), put(1, 12))),
	one(m05+"_Three", m05, actor(get(1)), actor(put(1, 11)), actor(put(1, 12))),
}

var cachePrograms = []Program{
	one(m06, m06, actor(get(1), get(1)), actor(invalidate(1)), actor(put(1, 11))),
	one(m07, m07, actor(getFunc(1, Discard)), actor(put(1, 11), get(1))),
	one(m07+"_Anew", m07, actor(getFunc(1, Discard)), actor(invalidate(1), put(1, 11)),
		actor(getFunc(1, Reject))),
	one(m07+"_Heals", m07, actor(getFunc(1, Discard)), actor(put(1, 11)),
		actor(get(1), refill(1, 12))).again(3),
	two(m08, m08, [3]Entry{oldEntry(10), oldEntry(20), oldEntry(30)}, actor(clean(Cleanup)),
		actor(put(1, 11), get(1))),
	two(m08+"_Three", m08, [3]Entry{oldEntry(10), newEntry(20)},
		actor(Op{Kind: Cleanup, Context: fresh, Form: OfShard, Limit: 1}), actor(put(1, 11)),
		actor(invalidate(1), put(1, 12))),
	one(m08+"_Heals", m08, actor(clean(Cleanup)), actor(put(1, 11)),
		actor(get(1), refill(1, 12))).again(3),
	two(m09, m09, [3]Entry{0: oldEntry(10), 2: oldEntry(30)}, actor(clean(Cleanup)), actor(clean(Cleanup)),
		actor(clean(TryCleanup))),
	one(m09+"_Throws", m09, actor(Op{Kind: Cleanup, Context: fresh, Form: Throws}), actor(clean(Cleanup))),
	two(m10, m10, [3]Entry{0: oldEntry(10), 2: oldEntry(30)}, actor(clean(Cleanup), clean(Cleanup)),
		actor(clean(Cleanup))).from(3),
	each(m10+"_Four", m10, 4, actor(clean(Cleanup), clean(Cleanup), clean(Cleanup)),
		actor(clean(TryCleanup), clean(Cleanup))).from(6),
	two(m11, m11, [3]Entry{0: oldEntry(10), 2: oldEntry(30)}, actor(Op{Kind: Size}),
		actor(put(2, 21), invalidate(3))),
	two(m11+"_Three", m11, [3]Entry{0: oldEntry(10), 2: oldEntry(30)}, actor(Op{Kind: Size}),
		actor(put(2, 21)), actor(Op{Kind: Clear})),
	one(m12, m12, actor(invalidateIf(1)), actor(put(1, 11)), actor(get(1))),
	two(m13, m13, [3]Entry{0: oldEntry(10), 2: oldEntry(30)},
		actor(Op{Kind: FullCleanup, Context: fresh, Form: OfValue, Limit: 40}), actor(put(1, 11)),
		actor(clean(TryCleanup))),
}

var full = [3]Entry{oldEntry(10), oldEntry(20), oldEntry(30)}

var callbackPrograms = []Program{
	two(m14, m14, full, actor(calling(getFunc(1, Accept), get(2))), actor(get(1))),
	two(m14+"_OtherShard", m14, full, actor(calling(getFunc(1, Accept), put(3, 31))), actor(put(1, 11)),
		actor(get(3))),
	two(m14+"_TryCleanup", m14, [3]Entry{0: oldEntry(10), 2: oldEntry(30)},
		actor(calling(clean(Cleanup), clean(TryCleanup))), actor(clean(TryCleanup))),
	one(m14+"_NestedGet", m14, actor(calling(getFunc(1, Accept), get(1))), actor(put(1, 11))).deadlocks(),
	one(m14+"_NestedPut", m14, actor(calling(getFunc(1, Accept), put(1, 11)))).deadlocks(),
	each(m14+"_CrossedPuts", m14, 2, actor(calling(getFunc(1, Accept), put(2, 21))),
		actor(calling(getFunc(2, Accept), put(1, 11)))).deadlocks(),
	each(m14+"_CrossedGets", m14, 2, actor(calling(getFunc(1, Accept), get(2))),
		actor(calling(getFunc(2, Accept), get(1))), actor(put(1, 11)), actor(put(2, 21))).deadlocks(),
	one(m14+"_PredicateGets", m14, actor(calling(invalidateIf(1), get(1)))).deadlocks(),
	one(m14+"_PredicateCleans", m14, actor(calling(clean(Cleanup), clean(Cleanup)))).deadlocks(),
	one(m14+"_CallbackCleans", m14, actor(calling(getFunc(1, Accept), clean(TryCleanup)))).deadlocks(),
}
