package shardmap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// spoiler changes states of a machine at random.
type spoiler struct {
	m *Machine
	*rand.Rand
}

// upTo is a number from 0 to n.
func (r spoiler) upTo(n int) uint8 { return uint8(r.IntN(n + 1)) }

// memory changes a word of the map, or of its history.
func (r spoiler) memory(s *State) {
	shard, key := r.IntN(int(r.m.p.Shards)), r.IntN(len(r.m.p.Homes))
	switch r.IntN(7) {
	case 0:
		s.Lock[shard] = r.upTo(2 * Radix)
	case 1, 2:
		s.Map[key] = Entry{10 * r.upTo(3), r.upTo(1), r.upTo(3)}
	case 3:
		s.Map[key] = Entry{}
	case 4:
		s.Flag = !s.Flag
	case 5:
		s.Cursor = r.upTo(Turn)
		if n := int(r.m.p.Shards) - 1; n > 0 {
			s.lasts = uint8(n)
			s.last[n-1] = 1 + r.upTo(n)
		}
	case 6:
		s.Clock[shard] = 1 + r.upTo(2)
	}
}

// pcs are where an actor with a shard may be, behind them those that need none.
var pcs = []Action{ReadEnter, ReadRetreat, ReadWait, ReadLeave, WriteClaim, WriteWait, WriteDrain, WriteLeave,
	ShardLook, ShardChange, ReadRetreat, ReadLeave, ShardChange, ShardChange, CleanupClaim, CleanupWait,
	CleanupNext, CleanupLeave, ClientReturn}

const needNone = 14

// actor changes what an actor is at.
func (r spoiler) actor(s *State) {
	a := r.IntN(r.m.Actors())
	l := &s.Loc[a]
	if l.Depth == 0 {
		l.PC = []Action{ClientCall, Over}[r.IntN(2)]
		return
	}
	f := l.top()
	switch r.IntN(6) {
	case 0, 1:
		some := pcs
		if f.Shard == 0 {
			some = pcs[needNone:]
		}
		l.PC = some[r.IntN(len(some))]
	case 2:
		f.Has = Hold(r.upTo(2))
	case 3:
		f.Cleans = !f.Cleans
	case 4:
		f.Todo[r.IntN(len(r.m.p.Homes))], f.N, f.Next = r.upTo(2), r.upTo(3), r.upTo(1)
	case 5:
		if s.since[a] != 0 {
			f.Counted, f.Counts = r.upTo(2), [MaxShards]uint8{r.upTo(3), r.upTo(3)}
			s.since[a] = momentOf(r.upTo(2), r.upTo(2)) | momentOf(r.upTo(2), 1)
			for i := f.Counted; i < MaxShards; i++ {
				f.Counts[i] = 0
			}
		}
	}
}

// crowd puts those who have an operation in progress where the witnesses look for them.
func (r spoiler) crowd(s *State) {
	where := [][]Action{{ReadWait, ShardLook, WriteDrain}, {ReadLeave, ReadLeave, WriteDrain},
		{ShardChange, ClientReturn, ShardChange}, {WriteWait, WriteLeave, WriteWait},
		{ReadLeave, WriteDrain, ClientReturn}}[r.IntN(5)]
	for a := range r.m.Actors() {
		l := &s.Loc[a]
		if l.Depth == 0 {
			continue
		}
		if cleans := r.m.op(a, l).Kind.Cleans(); cleans && r.IntN(2) == 0 {
			l.PC = []Action{CleanupLeave, CleanupWait, ClientReturn}[r.IntN(3)]
		} else if l.top().Shard != 0 {
			l.PC = where[a%len(where)]
			l.top().Has = Hold(r.upTo(2))
		}
	}
}

// turn is a step of the rotation, with other shards named last; false if nobody is about to make one.
func (r spoiler) turn(prev, next *State) bool {
	for a := range r.m.Actors() {
		if prev.Loc[a].PC == CleanupNext && r.m.p.Shards > 1 {
			prev.lasts, prev.last = 1, [MaxShards - 1]uint8{1 + r.upTo(int(r.m.p.Shards)-1)}
			*next = r.m.Steps(prev, a+1, nil)[0].Next
			return true
		}
	}
	return false
}

func (r spoiler) spoil(s *State) {
	for range 1 + r.IntN(3) {
		[]func(*State){r.memory, r.actor}[r.IntN(2)](s)
	}
}

// spoiledOf are so many states and steps of a program, spoiled at random.
func spoiledOf(t *testing.T, n int) func(m *Machine) []samestates.Judged {
	return func(m *Machine) (list []samestates.Judged) {
		states := spec.Visited(t, m)
		r := spoiler{m, rand.New(rand.NewPCG(1, uint64(len(states))))}
		resting := slices.DeleteFunc(slices.Clone(states), func(s State) bool { return !m.AtRest(&s) })
		turning := slices.DeleteFunc(slices.Clone(states), func(s State) bool {
			return !m.any(&s, CleanupNext, func(int, *Local) bool { return true })
		})
		race, _ := PropertyByName("No" + m.p.State)
		racing := slices.DeleteFunc(slices.Clone(states), func(s State) bool { return race.State(m, &s) })
		for i := range n {
			prev := states[r.IntN(len(states))]
			next := prev
			switch i % 6 {
			case 0:
				r.spoil(&prev)
				next = prev
			case 1: // the race of the program's state
				prev = racing[r.IntN(len(racing))]
				next = prev
			case 2:
				if steps := m.Steps(&prev, 1+r.IntN(m.Actors()), nil); len(steps) > 0 {
					next = steps[0].Next
				}
			case 3, 4:
				r.crowd(&prev)
				next = prev
			case 5:
				if prev = resting[r.IntN(len(resting))]; len(turning) > 0 && r.IntN(2) == 0 {
					prev = turning[r.IntN(len(turning))]
				}
				if next = prev; !r.turn(&prev, &next) {
					r.memory(&prev)
					next = prev
				}
				list = append(list, spec.Judge(m, fmt.Sprintf("random %d", i), prev, next))
				continue
			}
			if r.IntN(3) > 0 {
				r.spoil(&next)
			}
			list = append(list, spec.Judge(m, fmt.Sprintf("random %d", i), prev, next))
		}
		return list
	}
}

func TestSamePropertiesAsTLC(t *testing.T) {
	spec.SameProperties(t, []string{m03, m06, m07, m08, m09, m10, m11, m12, m13, m14}, 2, spoiledOf(t, 400))
}

func TestForgetfulPropertiesDiffer(t *testing.T) {
	spec.ForgetfulDiffer(t, m09, spoiledOf(t, 240), map[string]tlc.Edit{
		"I4OneCleanup": {Old: " /\\ (flag <=> Cleaners # {})"},
		"NoM09TwoCleanups": {Old: "a \\in Cleaners /\\ Before(b, \"CleanupWait\") /\\ GaveUp(c)",
			New: "a \\in Cleaners /\\ GaveUp(c) /\\ b = b"},
		"S3VersionsGrow": {Old: "map'[k] # None => map'[k].n = clock[Home(k)] + 1",
			New: "map'[k] # None => map'[k].n > 0"},
	})
}
