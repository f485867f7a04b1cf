package owner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// spoiler changes states of a machine at random.
type spoiler struct {
	m *Machine
	*rand.Rand
}

func (r spoiler) to(n uint8) uint8 { return 1 + uint8(r.IntN(int(n))) }

// word is that of an actor, or another one.
func (r spoiler) word(s *State) Word {
	if w := s.Loc[r.to(r.m.actors)-1].W; w != (Word{}) && r.IntN(3) > 0 {
		return w
	}
	return Word{r.to(r.m.actors), r.to(r.m.entries), r.to(2)}
}

func (r spoiler) value(s *State) Values {
	d := r.to(r.m.descriptors)
	return value(d, s.Head[d-1].Gen+uint8(r.IntN(2)))
}

// memory changes a word of the region.
func (r spoiler) memory(s *State) {
	d, e := r.to(r.m.descriptors)-1, r.to(r.m.entries)-1
	switch r.IntN(7) {
	case 0:
		s.Owner[d] = []Word{{}, r.word(s), r.word(s), {r.m.actors + 1, 1, 1}}[r.IntN(4)]
	case 1:
		s.Head[d] = Head{s.Head[d].Gen + uint8(r.IntN(3)), Kind(r.IntN(3))}
	case 2:
		s.Head[d].Kind = Kind(r.IntN(3))
	case 3:
		s.Target[d] = Target{s.Head[d].Gen, Status(r.IntN(4))}
	case 4:
		s.Cell[d] = []uint8{0, s.Head[d].Gen, s.Head[d].Gen + 1}[r.IntN(3)]
	case 5:
		s.Lock[e] = uint8(r.IntN(int(r.m.actors) + 1))
	case 6:
		s.Entries[e] = Entry{s.Entries[e].Ep + uint8(r.IntN(2)), r.IntN(2) == 0}
	}
}

// actor changes what an actor knows of itself.
func (r spoiler) actor(s *State) {
	l := &s.Loc[r.to(r.m.actors)-1]
	switch r.IntN(6) {
	case 0, 1:
		if pc := Action(r.IntN(len(actionNames))); l.W != (Word{}) || outside(pc) {
			l.PC = pc
		}
	case 2:
		l.W = r.word(s)
	case 3:
		l.D, l.I = uint8(r.IntN(int(r.m.descriptors)+1)), r.to(r.m.descriptors)
	case 4:
		l.Why, l.Seen = Reason(r.IntN(len(reasonNames))), r.word(s)
	case 5:
		l.Pocket ^= r.value(s)
		l.Win ^= r.value(s)
	}
}

// history changes what has become of a value.
func (r spoiler) history(s *State) {
	v := r.value(s)
	switch r.IntN(9) {
	case 0, 1:
		s.Left ^= v
	case 2:
		s.Given ^= v
	case 3:
		s.Lost ^= v | r.value(s)
	case 4:
		s.Certain ^= v
	case 5:
		s.Doubtful ^= v
	case 6:
		s.Again ^= v
	case 7:
		s.see(v, r.word(s))
	case 8:
		s.die(r.word(s))
		s.Deaths = uint8(r.IntN(3))
	}
}

func (r spoiler) spoil(s *State) {
	for range 1 + r.IntN(3) {
		[]func(*State){r.memory, r.actor, r.history}[r.IntN(3)](s)
	}
}

// known is the scene of a value that its owner has seen, and that is handed over.
func (r spoiler) known(s *State) {
	v, w := r.value(s), r.word(s)
	s.see(v, w)
	if r.IntN(2) == 0 {
		s.Certain |= v
	} else {
		s.Doubtful |= v
	}
	if r.IntN(2) == 0 {
		s.die(w)
	}
}

// same is the scene of two actors at one descriptor, or at one entry.
func (r spoiler) same(s *State) {
	a, b := &s.Loc[0], &s.Loc[1]
	if a.W == (Word{}) || b.W == (Word{}) {
		return
	}
	b.I, b.Seen = a.I, a.Seen
	switch r.IntN(4) {
	case 0:
		a.PC, a.Why, b.PC, b.Why = OwnerTakeOver, ForReclaim, OwnerTakeOver, ForInherit
	case 1:
		a.PC, b.PC, b.Seen.E = ProcessLock, ProcessClearState, max(a.I, 1)
	case 2:
		a.PC, a.Seen, b.PC = ProcessClearLock, Word{0, b.W.E, b.W.Ep - uint8(r.IntN(2))}, TableHelp
	case 3:
		a.D, b.D = a.I, a.I
	}
}

// decision is the scene of an operation that turns out to be full, or of a dead owner that lives again.
func (r spoiler) decision(prev, next *State) {
	d := r.to(r.m.descriptors) - 1
	if prev.Owner[d] == (Word{}) || r.IntN(2) == 0 {
		prev.Owner[d] = r.word(prev)
	}
	prev.Head[d].Kind = Kind(r.IntN(3))
	g := prev.Head[d].Gen
	prev.Target[d] = Target{g - min(g, uint8(r.IntN(2))), []Status{Committed, Full}[r.IntN(2)]}
	prev.Cell[d] = g * uint8(r.IntN(2))
	if r.IntN(5) == 0 {
		prev.Owner[d] = Word{}
		*next = *prev
		return
	}
	if *next = *prev; r.IntN(2) == 0 {
		next.Target[d].St = Full
		return
	}
	l := &next.Loc[r.to(r.m.actors)-1]
	l.W, l.PC = prev.Owner[d], Ready
}

// spoiledOf are so many states and steps of a program, spoiled at random.
func spoiledOf(t *testing.T, n int) func(m *Machine) []samestates.Judged {
	return func(m *Machine) (list []samestates.Judged) {
		states := spec.Visited(t, m)
		r := spoiler{m, rand.New(rand.NewPCG(1, uint64(len(states))))}
		for i := range n {
			prev := states[r.IntN(len(states))]
			next := prev
			switch i % 5 {
			case 0:
				r.spoil(&prev)
				next = prev
			case 1:
				r.known(&prev)
				next = prev
			case 2:
				r.same(&prev)
				next = prev
			case 3:
				r.decision(&prev, &next)
			case 4:
				if steps := m.Steps(&prev, int(r.to(m.actors)), nil); len(steps) > 0 {
					next = steps[0].Next
				}
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
	spec.SameProperties(t, []string{"Owner_Call", "Owner_Two"}, 3, spoiledOf(t, 400))
}

func TestForgetfulPropertiesDiffer(t *testing.T) {
	spec.ForgetfulDiffer(t, "Owner_Call", spoiledOf(t, 400), map[string]tlc.Edit{
		"J4InstalledIsWritten": {Old: "                 /\\ target[d].gen = cell[d]\n"},
		"NoHeirInDoubt":        {Old: "x[2] \\/ \\E y \\in known", New: "\\E y \\in known"},
	})
}
