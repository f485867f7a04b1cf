package basket

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

// oneOf is a number from 1 to n.
func (r spoiler) oneOf(n int) uint8 { return 1 + uint8(r.IntN(n)) }

func (r spoiler) ref() uint8 { return r.oneOf(len(r.m.p.Records)) }

func (r spoiler) refOrNone() uint8 { return r.upTo(len(r.m.p.Records)) }

func (r spoiler) value() uint8 { return 10 + r.upTo(1) }

func (r spoiler) pair() Pair { return Pair{r.upTo(2), r.upTo(2)} }

// basket changes the head of one.
func (r spoiler) basket(s *State) {
	h := &s.Head[r.IntN(len(r.m.p.Heads))]
	switch r.IntN(5) {
	case 0:
		h.Life = Life(r.oneOf(int(Retiring)))
	case 1:
		h.Owner = r.upTo(r.m.clients())
	case 2:
		h.Generation = r.upTo(1)
	case 3:
		h.Number = r.upTo(4)
	case 4:
		h.Tier = r.upTo(r.m.p.tiers())
	}
}

// memory changes a word of the region, or of its history.
func (r spoiler) memory(s *State) {
	ref := r.ref()
	hash := r.IntN(r.m.p.hashes())
	switch r.IntN(10) {
	case 0, 1:
		r.basket(s)
	case 2:
		*s.rec(ref) = Record{r.upTo(r.m.p.hashes()), r.oneOf(len(r.m.p.Hashes)), r.value(), r.value(),
			r.refOrNone(), r.upTo(1)}
	case 3:
		s.Word[hash] = Word{r.refOrNone(), r.upTo(1)}
	case 4:
		s.born[ref-1] = r.upTo(1)
	case 5:
		s.Hand[r.IntN(r.m.clients())] = r.refOrNone()
	case 6:
		s.Dead ^= search.One(r.oneOf(r.m.clients()))
	case 7:
		s.Pending[hash] = Pending{r.upTo(r.m.clients()), r.ref()}
	case 8, 9:
		r.chain(s, hash)
	}
}

// chain gives a hash, from 0, two whole records, and maybe more.
func (r spoiler) chain(s *State, hash int) {
	ref, next, keys := r.ref(), r.ref(), len(r.m.p.Hashes)
	s.Word[hash].Ref = ref
	*s.rec(ref) = Record{uint8(hash + 1), r.oneOf(keys), 10, 10, next, r.upTo(1)}
	*s.rec(next) = Record{uint8(hash + 1), r.oneOf(keys), 10, 10, r.refOrNone() * r.upTo(1), r.upTo(1)}
}

// actor changes what an actor knows of itself.
func (r spoiler) actor(s *State) {
	l := &s.Loc[r.IntN(r.m.clients())]
	switch r.IntN(4) {
	case 0:
		l.answer = int8(r.IntN(3)) - 1
	case 1:
		l.Open[r.IntN(r.m.p.lanes())] = r.upTo(len(r.m.p.Heads))
	case 2:
		l.Retiring = r.upTo(len(r.m.p.Heads))
	case 3:
		l.owed = listOf([]Told{{1, int8(r.IntN(3)) - 1}})
	}
}

func (r spoiler) spoil(s *State) {
	if r.m.p.Pair != (Pair{}) && r.IntN(3) == 0 {
		s.Pair = Pair{r.upTo(3), r.upTo(3)}
	}
	for range 1 + r.IntN(3) {
		[]func(*State){r.memory, r.memory, r.actor}[r.IntN(3)](s)
	}
}

// places are where the witnesses look for two actors, and what those are about.
var places = []struct {
	first, second Action
	one, other    errand
}{
	{IndexSwap, IndexSwap, toSet, toPromote}, {RoomAge, RoomTake, noErrand, noErrand},
	{RoomAge, ClientReturn, noErrand, noErrand},
	{CopyHigh, CopyHigh, toGet, toGet}, {IndexSwap, IndexSwap, toSet, toEvict},
	{IndexSwap, IndexSwap, toSet, toMove}, {IndexSwap, IndexSwap, toDelete, toEvict},
	{IndexSwap, IndexSwap, toSet, toSet}, {IndexSwap, IndexSwap, toDelete, toSet},
	{IndexSwap, IndexLookup, toSet, toEvict}, {CopyHigh, WalkHand, toPush, noErrand},
	{RoomTake, RoomTake, noErrand, noErrand}, {RoomTake, RoomTake, noErrand, noErrand},
	{RoomOpen, RoomOpen, noErrand, noErrand},
	{IndexDrop, IndexDrop, toTake, toTake}, {RoomSettle, RoomSettle, noErrand, noErrand},
	{IndexSwap, IndexSwap, toSet, toMark}, {IndexSwap, IndexSwap, toDelete, toMark},
	{IndexSwap, IndexSwap, toMark, toEvict}, {IndexSwap, IndexSwap, toMark, toMove},
	{IndexSwap, IndexSwap, toMark, toMark},
}

// tends are those of the witnesses that look for somebody who ages by parameters, or changes them.
var tends = []struct {
	at Action
	errand
}{{RoomTake, noErrand}, {RoomAge, noErrand}, {TuneSwap, noErrand}, {IndexSwap, toMove}, {IndexSwap, toEvict}}

// tending puts the actors there, each in some call of its own, and returns one of them.
func (r spoiler) tending(s *State) int {
	x := tends[r.IntN(len(tends))]
	s.Pair = r.pair()
	s.Word[0].Ref *= r.upTo(1)
	for a := range r.m.clients() {
		l := &s.Loc[a]
		l.PC, l.stage, l.Call = x.at, opened, r.oneOf(len(r.m.p.Calls[a])+1)
		if r.IntN(4) == 0 {
			l.stage = done
		}
		if l.Pair = s.Pair; r.IntN(2) == 0 {
			l.Pair = r.pair()
		}
		basket := r.oneOf(len(r.m.p.Heads))
		l.frame = Frame{errand: x.errand, best: candidate{basket, *s.head(basket)}}
		if r.IntN(3) == 0 {
			l.frame.best.head.Tier++
		}
	}
	return r.IntN(r.m.clients())
}

// tended is a step of one of them: parameters are loaded or changed, a basket ages, a word is swapped.
func (r spoiler) tended(prev, next *State) {
	a := r.tending(prev)
	*next = *prev
	l := &next.Loc[a]
	l.answer++
	at := r.IntN(5)
	switch {
	case at > 2 && l.PC == RoomAge:
		at = 3
	case at > 2 && l.PC == IndexSwap:
		at = 4
	}
	switch at {
	case 0:
		next.Pair = r.pair()
	case 1:
		if was := &prev.Loc[a]; int(was.Call) <= len(r.m.p.Calls[a]) {
			next.Pair = prev.Pair.Changed(r.m.op(prev, a).Pair)
		}
	case 2:
		l.Pair = r.pair()
		l.Call += r.upTo(1)
	case 3:
		next.head(r.oneOf(len(r.m.p.Heads))).Tier++
	case 4:
		next.Word[r.IntN(r.m.p.hashes())].Version++
	}
}

// crowd puts the actors there.
func (r spoiler) crowd(s *State) {
	dies := r.IntN(2) == 0
	x := places[r.IntN(len(places))]
	hash := r.oneOf(r.m.p.hashes())
	if r.IntN(3) == 0 {
		r.chain(s, int(hash)-1)
	}
	basket := r.oneOf(len(r.m.p.Heads))
	owner := r.oneOf(r.m.clients())
	if s.Dead = 0; dies {
		s.Dead = search.One(owner)
	}
	if r.IntN(2) == 0 {
		s.head(basket).Owner = owner
		s.Pending[hash-1].Owner = owner
	}
	first := r.IntN(r.m.clients())
	for i := range r.m.clients() {
		l := &s.Loc[(first+i)%r.m.clients()]
		f := Frame{errand: x.one, hash: hash, ticket: s.Word[hash-1], at: r.ref(), record: r.oneOf(2),
			next: r.oneOf(2), basket: owner, value: r.upTo(1)}
		l.PC = x.first
		if i%2 == 1 {
			f.errand, l.PC = x.other, x.second
		}
		f.copy.Low = r.value()
		f.best = candidate{basket, *s.head(basket)}
		switch r.IntN(7) {
		case 0:
			f.ticket.Version++
		case 1:
			f.best.head.Owner = r.oneOf(r.m.clients())
		case 2:
			f.ticket.Ref = s.Hand[owner-1]
		case 3:
			f.basket = r.oneOf(r.m.clients())
		case 4:
			s.head(basket).Tier = f.best.head.Tier + 1
		}
		l.frame = f
		l.Retiring = r.oneOf(len(r.m.p.Heads))
	}
}

// promotion is a swap by which a word leads to any record.
func (r spoiler) promotion(prev, next *State) {
	l := &prev.Loc[r.IntN(r.m.clients())]
	l.PC, l.frame.errand = IndexSwap, []errand{toMove, toPromote}[r.IntN(2)]
	l.frame.hash = r.oneOf(r.m.p.hashes())
	*next = *prev
	ref := r.ref()
	next.Word[r.IntN(r.m.p.hashes())].Ref = ref
	next.head(basketOf(ref)).Tier = r.upTo(r.m.p.tiers() - 1)
	next.Loc[r.IntN(r.m.clients())].answer++
}

// marking is a step by which a record gets a mark or loses it, or its key another value, by somebody who is
// about to do that, or not.
func (r spoiler) marking(prev, next *State) {
	l := &prev.Loc[r.IntN(r.m.clients())]
	l.PC, l.frame.errand = IndexSwap, []errand{toMark, toMark, toMark, toSet}[r.IntN(4)]
	l.frame.key, l.frame.value, l.frame.hash = r.oneOf(len(r.m.p.Hashes)), r.upTo(1), r.oneOf(r.m.p.hashes())
	ref := r.ref()
	prev.Word[r.IntN(r.m.p.hashes())].Ref = ref
	was := prev.rec(ref)
	was.Low, was.High, was.Suspect = r.value(), r.value(), r.upTo(1)
	l.frame.record = was.Low
	*next = *prev
	if next.rec(ref).Suspect ^= 1; r.IntN(4) == 0 {
		next.rec(ref).Low, next.rec(ref).High = r.value(), r.value()
	}
	next.Loc[r.IntN(r.m.clients())].answer++
}

// told are so many removals that an actor could owe: those of a step, and maybe another one.
func (r spoiler) told(leave []Told) (owed list[Told]) {
	for _, x := range leave {
		owed = owed.with(x)
	}
	for owed.len() > 0 && r.IntN(4) == 0 {
		owed = owed.tail()
	}
	for owed.len() < maxChain-1 && r.IntN(3) == 0 {
		owed = owed.with(Told{r.oneOf(len(r.m.p.Hashes)), int8(r.value())})
	}
	return owed
}

// telling is a step by which something leaves the index, or a hand, and an actor owes it, or by which an
// actor tells.
func (r spoiler) telling(prev, next *State) {
	a := r.IntN(r.m.clients())
	prev.Loc[a].PC = []Action{WalkTell, WalkSize, IndexSwap, IndexDrop}[r.IntN(4)]
	prev.Loc[a].owed = list[Told]{}
	hash := r.IntN(r.m.p.hashes())
	r.chain(prev, hash)
	if r.IntN(2) == 0 {
		prev.Hand[r.IntN(r.m.clients())] = r.ref()
	}
	*next = *prev
	if next.Word[hash].Ref = 0; r.IntN(2) == 0 {
		next.Word = prev.Word
		next.Hand = [MaxActors]uint8{}
	}
	leave := r.m.leaves(prev, next)
	next.Loc[a].owed = r.told(leave.all()[:min(int(leave.n), maxChain)])
	if r.IntN(3) == 0 {
		prev.Loc[a].owed = r.told(nil).with(Told{1, int8(r.value())})
		if next.Loc[a].owed = prev.Loc[a].owed.tail(); r.IntN(2) == 0 {
			next.Loc[a].owed = prev.Loc[a].owed
		}
	}
	next.Loc[a].answer += int8(r.upTo(1))
}

// change is a step of one actor that changes a head, a word, a mark, or what is owed.
func (r spoiler) change(prev, next *State) {
	if r.m.p.Pair != (Pair{}) && r.IntN(3) > 0 {
		r.tended(prev, next)
		return
	}
	switch r.IntN(7) {
	case 0, 1:
		r.promotion(prev, next)
		return
	case 2, 3:
		r.marking(prev, next)
		return
	case 4:
		r.telling(prev, next)
		return
	}
	if r.IntN(2) == 0 {
		b := r.oneOf(len(r.m.p.Heads))
		prev.head(b).Life = Life(r.oneOf(int(Retiring)))
		*next = *prev
		h := next.head(b)
		h.Life = Life(r.oneOf(int(Retiring)))
		h.Owner = []uint8{0, h.Owner, r.upTo(r.m.clients())}[r.IntN(3)]
		h.Generation += r.upTo(1)
		h.Number += r.upTo(1)
		h.Tier = r.upTo(r.m.p.tiers())
	} else {
		r.basket(next)
	}
	next.Loc[r.IntN(r.m.clients())].answer++
}

// spoiledOf are so many states and steps of a program, spoiled at random.
func spoiledOf(t *testing.T, n int) func(m *Machine) []samestates.Judged {
	return func(m *Machine) (list []samestates.Judged) {
		states := spec.Visited(t, m)
		r := spoiler{m, rand.New(rand.NewPCG(3, uint64(len(states))))}
		for i := range n {
			prev := states[r.IntN(len(states))]
			next := prev
			switch i % 6 {
			case 0:
				r.spoil(&prev)
				next = prev
			case 1, 4, 5:
				if r.crowd(&prev); m.p.Pair != (Pair{}) && r.IntN(2) == 0 {
					r.tending(&prev)
				}
				next = prev
			case 2:
				if steps := m.Steps(&prev, 1+r.IntN(m.clients()), nil); len(steps) > 0 {
					next = steps[0].Next
				}
				if r.IntN(3) > 0 {
					r.basket(&next)
				}
			case 3:
				r.change(&prev, &next)
			}
			list = append(list, spec.Judge(m, fmt.Sprintf("random %d", i), prev, next))
		}
		return list
	}
}

// The programs have two lanes, tiers, two keys with one hash, two hashes, three actors, and parameters.
func TestSamePropertiesAsTLC(t *testing.T) {
	spec.SameProperties(t, []string{c05 + "_Lanes", c06, c06 + "_Three", c09 + "_Reuse", c11 + "_Portions",
		c13 + "_Two", c20 + "_Again", c20 + "_Tiers"}, 2, spoiledOf(t, 400))
}

func TestForgetfulPropertiesDiffer(t *testing.T) {
	spec.ForgetfulDiffer(t, c13+"_Two", spoiledOf(t, 400), map[string]tlc.Edit{
		"B7Untorn": {Old: "loc[a].n >= 0 /\\ "},
		"B8ByItsOwner": {Old: "w.st = \"free\" /\\ x.st = \"open\" /\\ x.own = a /\\ x.gen = w.gen",
			New: "w.st = \"free\""},
		"B14ToldOnce": {Old: " /\\ Len(x.owe) = Cardinality(Leaves)"},
		"NoC02SetEvict": {Old: "NoC02SetEvict == ~Race(\"set\", \"evict\")",
			New: "NoC02SetEvict == ~Race(\"set\", \"move\")"},
	})
}
