package slots

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// spoiler changes states of a machine at random.
type spoiler struct {
	m *Machine
	*rand.Rand
}

// upTo is a number from 0 to n.
func (r spoiler) upTo(n int) uint8 { return uint8(r.IntN(n + 1)) }

func (r spoiler) slot() uint8 { return 1 + r.upTo(int(r.m.p.Slots)-1) }

func (r spoiler) word() Word { return Word{Life(r.upTo(int(Failed))), r.upTo(3)} }

// actor is one of them, from 0.
func (r spoiler) actor() int { return r.IntN(len(r.m.p.Calls)) }

// place puts an actor before an action at a slot, whose word it may have loaded.
func (r spoiler) place(s *State, a int, pc Action) {
	l := &s.Loc[a]
	l.PC, l.Slot, l.phase = pc, r.slot(), phase(r.upTo(int(tidying)))
	l.word = *s.word(l.Slot)
	switch r.IntN(5) {
	case 0:
		l.word = r.word()
	case 1:
		l.word.Serial--
	case 2:
		l.word.Life = Taken
		s.word(l.Slot).Life = Taken
	}
}

// places are actions that the properties and the witnesses look for: of a client, and of a service.
var places = [...][]Action{
	{SlotFail, SlotReclaim, SlotLook, SlotWrite, SlotRead, ClientReturn, SlotClaim},
	{SlotDone, SlotReclaim, BellSleep, SlotCopy, SlotAnswer, SlotDrop, SlotPerform},
}

func (r spoiler) spoil(s *State) {
	a := r.actor()
	switch r.IntN(8) {
	case 0, 1:
		*s.word(r.slot()) = r.word()
	case 2:
		s.did[a][r.IntN(len(r.m.p.Calls[a]))] = r.upTo(2)
	case 3:
		s.out[a] = results{1, [MaxCalls]Result{Result(r.upTo(int(Busy)))}}
	case 4:
		s.Loc[a].result = Result(r.upTo(int(Busy)))
	case 5:
		s.Lock = Locks{r.upTo(len(r.m.p.Calls)), r.upTo(len(r.m.p.Calls))}
	case 6:
		s.Dead ^= search.One(1 + r.upTo(len(r.m.p.Calls)-1))
	case 7:
		s.Asleep ^= search.One(uint8(a + 1))
	}
}

// crowd puts all actors to a place.
func (r spoiler) crowd(s *State) {
	for a := range r.m.p.Calls {
		list := places[1]
		if r.m.client(a) {
			list = places[0]
		}
		r.place(s, a, list[r.IntN(len(list))])
	}
	if r.IntN(2) == 0 {
		s.Dead = search.One(1 + r.upTo(len(r.m.p.Calls)-1))
	}
	if r.IntN(3) == 0 {
		*s.word(r.slot()) = r.word()
	}
}

// change is a step of an actor that changes a state word.
func (r spoiler) change(prev, next *State) {
	slot := r.slot()
	*prev.word(slot) = r.word()
	if r.IntN(2) == 0 {
		prev.Dead = search.One(1 + r.upTo(len(r.m.p.Calls)-1))
	}
	*next = *prev
	w := prev.word(slot).to(Life(r.upTo(int(Failed))))
	if r.IntN(2) == 0 {
		w.Serial++
	}
	*next.word(slot) = w
	next.Loc[r.actor()].seen++
}

// spoiledOf are so many states and steps of a program, spoiled at random.
func spoiledOf(t *testing.T, n int) func(m *Machine) []samestates.Judged {
	return func(m *Machine) (list []samestates.Judged) {
		states := spec.Visited(t, m)
		r := spoiler{m, rand.New(rand.NewPCG(1, uint64(len(states))))}
		for i := range n {
			prev := states[r.IntN(len(states))]
			next := prev
			switch i % 4 {
			case 0:
				r.spoil(&prev)
				next = prev
			case 1, 2:
				r.crowd(&prev)
				next = prev
			case 3:
				r.change(&prev, &next)
			}
			list = append(list, spec.Judge(m, fmt.Sprintf("random %d", i), prev, next))
		}
		return list
	}
}

// The programs have two services, two clients, and two slots without time-outs.
func TestSamePropertiesAsTLC(t *testing.T) {
	spec.SameProperties(t, []string{b02, b05, b04 + "_Two"}, 2, spoiledOf(t, 400))
}

func TestForgetfulPropertiesDiffer(t *testing.T) {
	spec.ForgetfulDiffer(t, b02, spoiledOf(t, 300), map[string]tlc.Edit{
		"N5Held":             {Old: "word[i].ser = loc[a].w.ser /\\ "},
		"N8ByItsOwner":       {Old: "next == x.ser = w.ser + 1", New: "next == TRUE"},
		"NoB01SlotAbandoned": {Old: "word[loc[a].i].st = \"abandoned\"", New: "word[loc[a].i].st = \"free\""},
	})
}
