package shardmap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// asked are the properties that the specification is asked of. The refinement is no formula of one step in
// it; the seeded faults hold the model's against it.
func asked() (list []Property) {
	for _, p := range slices.Concat(Properties(), Overclaims(), Witnesses()) {
		if p.Name != "CacheRefined" {
			list = append(list, p)
		}
	}
	return list
}

// judge has the model say of a state and of a step, which no action need make, what properties they violate.
func judge(m *Machine, name string, prev, next State) samestates.Judged {
	x := samestates.Judged{Name: name}
	for _, v := range m.variables(&prev) {
		x.Prev = append(x.Prev, samestates.Variable{Name: v.name, Value: v.value})
	}
	for _, v := range m.variables(&next) {
		x.Next = append(x.Next, samestates.Variable{Name: v.name, Value: v.value})
	}
	for _, p := range asked() {
		switch {
		case p.State != nil:
			if x.Asked = append(x.Asked, p.Name); !p.State(m, &prev) {
				x.Broken = append(x.Broken, p.Name)
			}
		default:
			if x.AskedOfStep = append(x.AskedOfStep, p.Name); !p.Step(m, &prev, &next) {
				x.BrokenByStep = append(x.BrokenByStep, p.Name)
			}
		}
	}
	return x
}

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
func spoiledOf(t *testing.T, m *Machine, n int) (list []samestates.Judged) {
	t.Helper()
	var states []State
	Explore(t.Context(), m, Options{Visit: func(s *State) { states = append(states, *s) }})
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
			list = append(list, judge(m, fmt.Sprintf("random %d", i), prev, next))
			continue
		}
		if r.IntN(3) > 0 {
			r.spoil(&next)
		}
		list = append(list, judge(m, fmt.Sprintf("random %d", i), prev, next))
	}
	return list
}

// disagreement tells what the specification, edited, says of the list that the model does not.
func disagreement(t *testing.T, jvms *tlc.Machines, r run, list []samestates.Judged,
	edits ...tlc.Edit) string {
	t.Helper()
	return part.Disagreement(t, jvms, r.Entry, samestates.ClaimsOf(part.Module, asked()), list,
		edits...)
}

// The specification's properties and witnesses say of states and steps that no action makes what the model's
// say. A state that keeps the protocol violates none of them, whatever they have forgotten to ask.
func TestSamePropertiesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	broken := map[string]int{}
	for _, program := range []string{m03, m06, m07, m08, m09, m10, m11, m12, m13, m14} {
		r := runOf(t, program)
		list := spoiledOf(t, machineOf(t, r.config), 400)
		for _, x := range list {
			for _, p := range append(x.Broken, x.BrokenByStep...) {
				broken[p]++
			}
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			if d := disagreement(t, jvms, r, list); d != "" {
				t.Error(d)
			}
		})
	}
	for _, p := range asked() {
		if broken[p.Name] < 2 {
			t.Errorf("%s is broken by %d states or steps, want 2", p.Name, broken[p.Name])
		}
	}
	t.Log(broken)
}

// The comparison can fail: a part of a property, or of a witness, that is taken out is missed.
func TestForgetfulPropertiesDiffer(t *testing.T) {
	jvms := samestates.Machines(t)
	r := runOf(t, m09)
	list := spoiledOf(t, machineOf(t, r.config), 240)
	for property, edit := range map[string]tlc.Edit{
		"I4OneCleanup": {Old: " /\\ (flag <=> Cleaners # {})"},
		"NoM09TwoCleanups": {Old: "a \\in Cleaners /\\ Before(b, \"CleanupWait\") /\\ GaveUp(c)",
			New: "a \\in Cleaners /\\ GaveUp(c) /\\ b = b"},
		"S3VersionsGrow": {Old: "map'[k] # None => map'[k].n = clock[Home(k)] + 1",
			New: "map'[k] # None => map'[k].n > 0"},
	} {
		edit.Module = part.Module
		t.Run(property, func(t *testing.T) {
			t.Parallel()
			if d := disagreement(t, jvms, r, list, edit); !strings.Contains(d, property) {
				t.Errorf("%q, want that %s differs", d, property)
			}
		})
	}
}
