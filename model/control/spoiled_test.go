package control

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

// actor is one of them, from 0.
func (r spoiler) actor() int { return r.IntN(len(r.m.p.Calls)) }

// lease is any word with a lease.
func (r spoiler) lease() Lease { return Lease{r.upTo(len(r.m.p.Calls) + 1), r.upTo(4)} }

func (r spoiler) pair() Pair { return Pair{r.upTo(3), r.upTo(3)} }

func (r spoiler) penalty() Penalty { return Penalty{r.upTo(12), r.upTo(8)} }

// wishes tells whether the program has a handover.
func (r spoiler) wishes() bool { return r.m.p.Calls[0][0].Op >= OpWant }

// wish is any word of a handover.
func (r spoiler) wish() Wish { return Wish{r.upTo(1), r.upTo(6)} }

// result is any that a call of the program may have.
func (r spoiler) result() Result {
	kinds := []Kind{NoResult, Held, Left, Ticked, Tuned, Got}
	if r.m.p.Cells > 0 {
		kinds = []Kind{LevelIs, OK, Suspected, Taken, Denied}
	}
	if r.wishes() {
		kinds = []Kind{Said, Unsaid, Heard, Quiet}
	}
	return Result{kinds[r.IntN(len(kinds))], r.upTo(6), r.upTo(2)}
}

// spoil changes one part of a state.
func (r spoiler) spoil(s *State) {
	a := r.actor()
	switch r.IntN(7) {
	case 0:
		s.Clock = r.upTo(6)
	case 1:
		s.Dead = search.One(1 + r.upTo(len(r.m.p.Calls)-1))
	case 2:
		s.out[a] = results{1, [MaxCalls]Result{r.result()}}
	case 3:
		s.did[a], s.kept[a] = r.upTo(2), r.upTo(4)
	case 4:
		if s.out[a] = (results{1, [MaxCalls]Result{r.result()}}); !ended(s, a) {
			s.Loc[a] = local(ClientCall, s.Loc[a].Call)
		}
		r.words(s)
	default:
		r.words(s)
	}
}

// words changes words.
func (r spoiler) words(s *State) {
	for i := range r.m.p.Leases {
		s.Lease[i] = r.lease()
	}
	for i := range r.m.p.Params {
		if s.Param[i] = r.pair(); r.IntN(3) == 0 {
			s.Param[i] = Pair{}
		}
	}
	if r.wishes() {
		s.Wish, s.till, s.owed = r.wish(), r.upTo(6), int8(r.upTo(2))-1
	}
	for range 2 {
		if r.m.p.Cells > 0 {
			i := r.IntN(int(r.m.p.Cells))
			s.Level[i], s.Penalty[i] = r.upTo(14), r.penalty()
			s.fed[r.IntN(int(r.m.p.Cells))] = r.upTo(8)
		}
	}
}

// places are actions that the witnesses look for, and the phases in which actors come to them.
var places = []struct {
	pc Action
	phase
}{{LeaseTake, taking}, {LeaseRenew, owning}, {TuneSwap, first}, {LevelSwap, charging}, {LevelSwap, admitting},
	{PenaltySwap, marking}, {WishTake, asking}, {ClientCall, noPhase}}

// crowd puts all actors that have not ended to places of the program.
func (r spoiler) crowd(s *State) {
	same, place := r.IntN(2) == 0, r.IntN(len(places))
	for a := range r.m.p.Calls {
		l := &s.Loc[a]
		if ended(s, a) {
			continue
		}
		at := places[r.IntN(len(places))]
		if same {
			at = places[place]
		}
		switch {
		case at.pc == LeaseTake && len(r.m.p.Leases) > 0, at.pc == LeaseRenew && len(r.m.p.Leases) > 0:
			l.i = 1 + r.upTo(len(r.m.p.Leases)-1)
			if l.lease = s.Lease[l.i-1]; r.IntN(3) == 0 {
				l.lease = r.lease()
			}
		case at.pc == TuneSwap && len(r.m.p.Params) > 0:
			l.i = 1 + r.upTo(len(r.m.p.Params)-1)
			if l.old = s.Param[l.i-1]; r.IntN(2) == 0 {
				l.old = r.pair()
			}
		case at.pc == WishTake && r.wishes():
			if l.wish = s.Wish; r.IntN(3) == 0 {
				l.wish = r.wish()
			}
		case at.pc >= LevelSwap && at.pc <= PenaltySwap && r.m.p.Cells > 0:
			l.i = 1 + r.upTo(Rows-1)
			if l.x = s.Level[CellOf(r.m.p.Calls[a][l.Call-1].N, l.i)-1]; r.IntN(2) == 0 {
				l.x = r.upTo(6)
			}
		case at.pc != ClientCall:
			continue
		}
		l.PC, l.phase = at.pc, at.phase
	}
	if r.IntN(3) == 0 {
		s.Dead = search.One(1 + r.upTo(len(r.m.p.Calls)-1))
	}
}

// change is a step of an actor that changes words.
func (r spoiler) change(prev, next *State) {
	a := r.actor()
	for tries := 0; ended(prev, a); tries++ {
		if a = r.actor(); tries > 100 {
			return
		}
	}
	l := &prev.Loc[a]
	l.i, l.run = 1, r.upTo(2)
	if len(r.m.p.Params) == 2 {
		l.i = 1 + r.upTo(1)
	}
	*next = *prev
	r.words(next)
	if c := r.m.p.Calls[a][l.Call-1]; c.Op == OpTune && r.IntN(2) == 0 {
		next.Param = prev.Param
		next.Param[l.i-1] = prev.Param[l.i-1].tuned(c.Set[l.i-1])
		if r.IntN(2) == 0 {
			next.Param[l.i-1].A = r.upTo(3)
		}
	}
	if len(r.m.p.Leases) > 0 && r.IntN(2) == 0 {
		next.Lease = prev.Lease
		next.Lease[r.IntN(len(r.m.p.Leases))] = Lease{uint8(a + 1), r.upTo(3)}
	}
	if r.IntN(4) == 0 && len(r.m.p.Leases) > 0 {
		next.Lease = prev.Lease
		next.Lease[r.IntN(len(r.m.p.Leases))] = Lease{}
	}
	if r.wishes() {
		r.hear(prev.Wish, &prev.Loc[a], &next.Loc[a])
	} else if r.m.p.Calls[a][l.Call-1].Op != OpTake && r.IntN(2) == 0 {
		r.answer(prev, next, a)
	}
	if r.IntN(8) > 0 {
		next.Loc[a].clock++
	}
}

// hear makes the step one of a handover, which ends the call or not.
func (r spoiler) hear(word Wish, was, is *Local) {
	steps := []Action{WishSee, WishClock, WishSay, WishLook, WishTake}
	was.PC, was.phase, was.wish = steps[r.IntN(len(steps))], wanting+phase(r.upTo(1)), r.wish()
	if r.IntN(2) == 0 {
		was.wish = word
	}
	if r.IntN(3) > 0 {
		*is = was.returns(Result{Kind: Said + Kind(r.upTo(3))})
	}
}

// answer makes the step one that ends the call of an actor, with an answer that is lawful or not.
func (r spoiler) answer(prev, next *State, a int) {
	l, c := &prev.Loc[a], &r.m.p.Calls[a][prev.Loc[a].Call-1]
	res := r.result()
	switch c.Op {
	case OpRead:
		if v := prev.Param[c.N-1]; r.IntN(3) > 0 {
			res = Result{Got, v.A, v.B}
		}
	case OpHold, OpTurn, OpLeave:
		if r.IntN(3) > 0 {
			res.Kind = Kind(r.upTo(1))
		}
	case OpJudge:
		l.phase, l.i, l.low, l.q = seeing+phase(r.upTo(1)), 1+r.upTo(Rows-1), r.upTo(3), r.penalty()
		res.Kind = OK + Kind(r.upTo(1))
		for i := range r.m.p.Cells {
			if next.Penalty[i].End = max(next.Penalty[i].End, res.A); r.IntN(8) == 0 {
				next.Penalty[i] = prev.Penalty[i]
			}
		}
	}
	next.Loc[a] = l.returns(res)
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
			case 0, 1:
				r.spoil(&prev)
				next = prev
			case 2:
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

// The programs have leases, leases and live parameters, two words of them, each kind of call of a sketch, and
// a handover.
func TestSamePropertiesAsTLC(t *testing.T) {
	spec.SameProperties(t, []string{p01 + "_Words", p03 + "_Leave", p04, p05 + "_Words", p06 + "_Shared",
		p07 + "_Again", p08, p09 + "_Over"}, 2, spoiledOf(t, 300))
}

func TestForgetfulPropertiesDiffer(t *testing.T) {
	spec.ForgetfulDiffer(t, p03+"_Leave", spoiledOf(t, 300), map[string]tlc.Edit{
		"L2Vacant":            {Old: "\\/ clock - kept[w.own] > Still"},
		"L3Few":               {Old: "i <= loc[a].run]_vars", New: "i <= 2]_vars"},
		"L5Held":              {Old: "res.k = \"held\") = (", New: "res.k # \"held\") \\/ ("},
		"NoP03LeaseOwnerLate": {Old: "own \\notin {0, a}", New: "own \\notin {a}"},
	})
}
