package slots

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// asked are the properties that the specification is asked of.
func asked() []Property { return slices.Concat(Properties(), Witnesses()) }

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
func spoiledOf(t *testing.T, m *Machine, n int) (list []samestates.Judged) {
	t.Helper()
	var states []State
	Explore(t.Context(), m, Options{Visit: func(s *State) { states = append(states, *s) }})
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
		list = append(list, judge(m, fmt.Sprintf("random %d", i), prev, next))
	}
	return list
}

// disagreement tells what the specification, edited, says of the list that the model does not.
func disagreement(t *testing.T, jvms *tlc.Machines, r run, list []samestates.Judged,
	edits ...tlc.Edit) string {
	t.Helper()
	return part.Disagreement(t, jvms, r.Entry, samestates.ClaimsOf(part.Module, asked()), list, edits...)
}

// spoiledRuns are a program of two services, one of two clients, and one of two slots without time-outs.
var spoiledRuns = []string{b02, b05, b04 + "_Two"}

// The specification's properties and witnesses say of states and steps that no action makes what the model's
// say. A state that keeps the protocol violates none of them, whatever they have forgotten to ask.
func TestSamePropertiesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	broken := map[string]int{}
	for _, name := range spoiledRuns {
		r := runOf(t, name)
		list := spoiledOf(t, machineOf(t, r.config), 400)
		for _, x := range list {
			for _, p := range append(x.Broken, x.BrokenByStep...) {
				broken[p]++
			}
		}
		t.Run(name, func(t *testing.T) {
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
	r := runOf(t, b02)
	list := spoiledOf(t, machineOf(t, r.config), 300)
	for property, edit := range map[string]tlc.Edit{
		"N5Held":             {Old: "word[i].ser = loc[a].w.ser /\\ "},
		"N8ByItsOwner":       {Old: "next == x.ser = w.ser + 1", New: "next == TRUE"},
		"NoB01SlotAbandoned": {Old: "word[loc[a].i].st = \"abandoned\"", New: "word[loc[a].i].st = \"free\""},
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
