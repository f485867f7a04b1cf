package model

import "github.com/zeebo/xxh3"

// wordSet is a set of words of shared memory, one bit each.
type wordSet uint64

const (
	cellWords = Halves * MaxCells * 2
	descWords = int(WordSource) + 1
	allWords  = ^wordSet(0)
)

// Every word has a bit of its own.
var _ [64 - cellWords - MaxActors*descWords]struct{}

func wordOf(w Word) wordSet {
	if w.Desc != 0 {
		return 1 << (cellWords + (int(w.Desc)-1)*descWords + int(w.Index))
	}
	return 1 << ((int(w.Half)*MaxCells+int(w.Cell))*2 + int(w.Index))
}

// changedWords are the words in which two states differ. It compares the states themselves, so that
// no list of what an action writes can be wrong.
func changedWords(prev, next *State) wordSet {
	var set wordSet
	if prev.w0 != next.w0 || prev.w1 != next.w1 {
		for h := range prev.w0 {
			for c := range prev.w0[h] {
				if prev.w0[h][c] != next.w0[h][c] {
					set |= wordOf(cellWord(addr{uint8(h), uint8(c)}, 0))
				}
				if prev.w1[h][c] != next.w1[h][c] {
					set |= wordOf(cellWord(addr{uint8(h), uint8(c)}, 1))
				}
			}
		}
	}
	if prev.desc == next.desc {
		return set
	}
	for i := range prev.desc {
		was, is, first := &prev.desc[i], &next.desc[i], wordOf(descWord(uint8(i+1), 0))
		for index, same := range [...]bool{WordHead: was.Head == is.Head,
			WordPair: was.Pair == is.Pair, WordPlan: was.Plan == is.Plan,
			WordExpect: was.Expect == is.Expect, WordTarget: was.Target == is.Target,
			WordTarget + 1: true, WordSource: was.Source == is.Source} {
			if !same {
				set |= first << index
			}
		}
	}
	return set
}

// footprint is what actors may do to shared memory: the words that they may access, and the words
// that they may change.
type footprint struct{ touched, changed wordSet }

// foresight knows what actors can do while others stand still. It is not safe for concurrent use;
// what it says depends on the state alone, not on what it was asked before.
type foresight struct {
	m      *Machine
	known  map[xxh3.Uint128]footprint
	frames [][]Successor // of each depth
	bare   State
}

func newForesight(m *Machine) *foresight {
	return &foresight{m: m, known: map[xxh3.Uint128]footprint{}}
}

// of is the footprint of the actors in the set on all their schedules from s, to the ends of their
// programs, if nobody else moves. A death ends a schedule early, so it adds nothing.
func (f *foresight) of(s *State, movers uint8) footprint { return f.follow(s, movers, 0) }

func (f *foresight) follow(s *State, movers uint8, depth int) footprint {
	key, idle := f.key(s, movers)
	if idle {
		return footprint{}
	}
	if x, ok := f.known[key]; ok {
		return x
	}
	// A search that comes back to a state on its own path has found a schedule without end. Nothing is
	// independent of it, nor of one whose numbers grow without end.
	f.known[key] = footprint{allWords, allWords}
	if typeOK(f.m, s) != "" {
		return f.known[key]
	}
	if depth == len(f.frames) {
		f.frames = append(f.frames, make([]Successor, 0, Halves))
	}
	var sum footprint
	for t := 1; t <= f.m.actors; t++ {
		if movers&bit(t) == 0 {
			continue
		}
		if w, access := f.m.Touches(s, t); access != NoAccess {
			sum.touched |= wordOf(w)
		}
		list := f.m.Step(s, t, f.frames[depth][:0])
		for i := range list {
			y := &list[i].Next
			later := f.follow(y, movers, depth+1)
			sum.touched |= later.touched
			sum.changed |= later.changed | changedWords(s, y)
		}
	}
	f.known[key] = sum
	return sum
}

// key is the hash of what the movers' future depends on: shared memory and their own local states. It
// reports whether none of them will move.
func (f *foresight) key(s *State, movers uint8) (xxh3.Uint128, bool) {
	b := &f.bare
	b.w0, b.w1, b.desc = s.w0, s.w1, s.desc
	idle := true
	for t := range b.loc {
		if _, moves := f.m.Next(s, t+1); t < f.m.actors && movers>>t&1 == 1 && moves {
			b.loc[t], idle = s.loc[t], false
		} else {
			b.loc[t] = local{}
		}
	}
	return hashOf(b), idle
}
