package basket

import (
	"fmt"
	"slices"
)

// What the code of the engine can be compared with. The code takes the actions of the specification, and each
// change of memory is a step of this machine. But the code decides by policies of its own what comes next,
// where the specification has one order. So a Sight follows the accesses of the code: an actor is at the
// action that the access is, or the access is refused. The code may do what follows, and no more:
//
//   - A change keeps what it has found while its actor makes room; the specification looks again. It stands
//     before planned then. Its swap compares the ticket as any.
//   - Which baskets are looked at, opened, sealed, aged and claimed, in which lane one is opened, and how
//     many records a call walks over, is anybody's choice. What is free is opened, what is sealed above the
//     last tier ages, what is sealed or left by the dead is claimed, nothing else.
//   - An actor that finds its ticket void begins anew at once; what it copied behind it does not count.
//   - The records of a basket that retires are evicted or moved, one as the other. With more than one tier
//     they are evicted, or what the call says becomes of them. In a call that ages by parameters it is what
//     these say, as the call has loaded them last.
//   - Such a call may load the parameters again whenever it retires no basket. What a dead one has begun to
//     retire the code empties without asking them; no program has that.
//   - To which lane a set appends is anybody's choice.
//   - Who takes the entry of a dead actor seals its open basket. What the dead one retired anybody may give
//     back, under a number that it has drawn (results/divergences.md).
//   - What leads from somebody's hand into a basket that retires is asked for again, by any call, before the
//     basket is given back; of the dead it is taken when it is found. What is in no hand any more counts no
//     more.
//   - An add asks only whether the hash has nothing.

// planned is where a change stands that has found what it is about, and has not begun to append.
const planned = move + 1

// Sight is a state, with what the code of an actor remembers beside it.
type Sight struct {
	State
	Seen    [MaxActors][MaxBaskets]Head // heads, as an actor has last seen them
	Drawn   [MaxActors]uint8            // the number that an actor has drawn last
	Kept    [MaxActors]Frame            // of a change whose actor makes room, or is handed something
	KeptAt  [MaxActors]Action           // where that change stands
	Returns [MaxActors]uint8            // calls that have returned
	Answer  [MaxActors]int8             // of the last one
	Mark    [MaxActors]uint8            // that the last one has found
	Aged    [MaxActors]Pair             // by which the last one has aged
}

// Part is what a word of a record has.
type Part uint8

// The parts of a record that are copied.
const (
	Rest Part = iota // of the key, and whatever the specification does not have
	Low
	High
)

// Access is one of the code.
type Access struct {
	Basket uint8 // of a head, or of a record
	Slot   uint8 // of the record there; one more than Slots is behind the last one
	Part   Part
	Index  uint8 // the hash of a word, the actor whose hand is
	Pair   bool  // the parameters
	OK     bool  // a compare-and-swap was made
}

// ref is the record that is accessed, 0 behind the last one.
func (x Access) ref() uint8 {
	if x.Slot > Slots {
		return 0
	}
	return refOf(x.Basket, x.Slot)
}

// pacer follows one access of an actor.
type pacer struct {
	m    *Machine
	a    int // from 0
	s    *Sight
	x    Access
	list []Sight
	why  string
}

// paces are the accesses of the code by the name of the action, or of the function where the action is only
// a part of what that does.
var paces = map[string]func(*pacer){
	"IndexLookup": (*pacer).lookup, "IndexStill": (*pacer).still, "IndexAdd": (*pacer).add,
	"IndexSwap": (*pacer).swap,
	"CopyHead":  (*pacer).head, "CopyValue": (*pacer).value, "Note": (*pacer).note,
	"AppendZero": (*pacer).zero, "AppendCopy": (*pacer).copied, "AppendHead": (*pacer).append,
	"AppendBytes": (*pacer).bytes, "AppendSize": (*pacer).append,
	"RoomLook": (*pacer).look, "RoomSeal": (*pacer).seal, "RoomNumber": (*pacer).number,
	"RoomOpen": (*pacer).open, "RoomTake": (*pacer).take, "RoomAge": (*pacer).age,
	"WalkSize": (*pacer).size, "WalkHand": (*pacer).hand, "WalkZero": (*pacer).walkZero,
	"WalkFree": (*pacer).free, "WalkNumber": (*pacer).back, "WalkBack": (*pacer).back,
	"ParamRead": (*pacer).read, "TuneLoad": (*pacer).tuneLoad, "TuneSwap": (*pacer).tuneSwap,
	"IndexPush": (*pacer).push, "IndexDrop": (*pacer).drop, "IndexClaim": (*pacer).claim,
}

// Lacking is the machine without rules: those whose lack a run of the specification has. It is for canaries.
// The error names the rule that there is not.
func (m *Machine) Lacking(names ...string) (*Machine, error) {
	c := m.c
	c.Without = names
	without, err := rules.Lacking("basket", c.Name, c.Without)
	return &Machine{p: m.p, c: c, without: without}, err
}

// First is the state ahead of the first calls.
func (m *Machine) First() Sight { return Sight{State: m.Initial()} }

// Follow appends the states after an access of an actor; if there is none it says why.
func (m *Machine) Follow(list []Sight, s *Sight, actor int, name string, x Access) ([]Sight, string) {
	pace, ok := paces[name]
	if name == "IndexMove" {
		return m.moves(list, s, x)
	}
	if !ok {
		return nil, "the specification has no such access"
	}
	p := &pacer{m: m, a: actor - 1, s: s, x: x, list: list}
	if s.Dead.Has(uint8(actor)) {
		return nil, "the actor is dead"
	}
	if pace(p); len(p.list) == len(list) {
		return nil, p.why
	}
	return p.list, ""
}

// moves appends the state after the index has moved an entry.
func (m *Machine) moves(list []Sight, s *Sight, x Access) ([]Sight, string) {
	if !x.OK {
		return append(list, *s), ""
	}
	all := &stepper{m: m, a: m.clients(), s: &s.State}
	all.index()
	for _, step := range all.list {
		if step.Action.Action == move && step.Next.Word[x.Index-1] != s.Word[x.Index-1] {
			next := *s
			next.State = step.Next
			return append(list, next), ""
		}
	}
	return nil, "the index moves no entry of this hash"
}

// At names the action that the actor is before.
func (m *Machine) At(s *Sight, actor int) string { return s.Loc[actor-1].PC.String() }

// Over reports whether the actor has returned from all its calls.
func (m *Machine) Over(s *Sight, actor int) bool { return s.Loc[actor-1].PC == over }

// Call is the state after the call of an actor's next operation.
func (m *Machine) Call(s *Sight, actor int) (Sight, string) {
	if l := &s.Loc[actor-1]; l.PC != ClientCall {
		return *s, fmt.Sprintf("the actor is before %v", l.PC)
	}
	return m.stepOf(s, actor-1, func(x *stepper) { x.client(s.Loc[actor-1]) }), ""
}

// Return is the state after the return of the actor's operation, if it can return. What makes room can at any
// time between two records.
func (m *Machine) Return(s *Sight, actor int) Sight {
	l := s.Loc[actor-1]
	if l.PC == over || l.PC == ClientCall || s.Dead.Has(uint8(actor)) {
		return *s
	}
	if m.op(&s.State, actor-1).Kind.Service() && l.rests() {
		l.PC = ClientReturn
	}
	if l.PC != ClientReturn {
		return *s
	}
	next := m.stepOf(s, actor-1, func(x *stepper) { x.client(l) })
	next.Returns[actor-1]++
	next.Answer[actor-1], next.Mark[actor-1], next.Aged[actor-1] = l.answer, l.mark, Pair{}
	if m.op(&s.State, actor-1).Kind == Tend {
		next.Aged[actor-1] = l.Pair
	}
	return next
}

// Told is the state after an actor has told a removal.
func (m *Machine) Told(s *Sight, actor int, what Told) (Sight, string) {
	l := s.Loc[actor-1]
	switch {
	case l.PC != WalkTell:
		return *s, fmt.Sprintf("%v is told, and the actor is before %v", what, l.PC)
	case l.owed.item[0] != what:
		return *s, fmt.Sprintf("%v is told, and %v has left", what, l.owed.item[0])
	}
	next := m.stepOf(s, actor-1, func(x *stepper) { x.take(x.tell(l)) })
	handed := l.frame.errand == toPush || l.frame.errand == toTake && l.Retiring == 0
	if handed && next.Loc[actor-1].PC != WalkTell {
		next.left(actor - 1)
	}
	return next, ""
}

// rests reports whether an actor that makes room is between two records, or two baskets.
func (l *Local) rests() bool { return l.PC == RoomLook || l.PC == WalkSize || l.PC == WalkNumber }

// Dies is the state after the death of an actor, if it may die.
func (m *Machine) Dies(s *Sight, actor int) (Sight, string) {
	x := &stepper{m: m, a: actor - 1, s: &s.State}
	if x.die(); len(x.list) == 0 {
		return *s, "nobody may die any more"
	}
	next := *s
	next.State = x.list[0].Next
	return next, ""
}

// stepped is a bit of a basket's number that no number has. It differs after a step that changes nothing of
// its actor.
const stepped = 1 << 7

// Keeps names the first property that a step of an actor does not keep, "" if it keeps all.
func (m *Machine) Keeps(before, after *Sight, actor int) string {
	is := after.State
	if actor <= m.clients() && is.Loc[actor-1] == before.Loc[actor-1] {
		is.Loc[actor-1].frame.basket ^= stepped // B8ByItsOwner asks who has made a step
	}
	for i := range properties {
		p := &properties[i]
		holds := (p.State == nil || p.State(m, &after.State)) &&
			(p.Step == nil || p.Step(m, &before.State, &is))
		if !holds && (p.Name != "B8ByItsOwner" || !m.inherits(&before.State, &is)) {
			return p.Name + ": it does not hold"
		}
	}
	return ""
}

// stepOf is the state after the one step that do takes.
func (m *Machine) stepOf(s *Sight, a int, do func(*stepper)) Sight {
	x := &stepper{m: m, a: a, s: &s.State}
	do(x)
	next := *s
	next.State = x.list[0].Next
	return next
}

func (p *pacer) local() Local { return p.s.Loc[p.a] }

// no refuses the access.
func (p *pacer) no(format string, args ...any) { p.why = fmt.Sprintf(format, args...) }

// at refuses the access because of where the actor is.
func (p *pacer) at() { p.no("the actor is before %v", p.s.Loc[p.a].PC) }

// stay accepts the access as one that changes nothing.
func (p *pacer) stay() { p.list = append(p.list, *p.s) }

// put accepts the access as one that changes what the actor remembers.
func (p *pacer) put(l Local) {
	next := *p.s
	next.Loc[p.a] = l
	p.list = append(p.list, next)
}

// step accepts the access as the step of the specification that do takes.
func (p *pacer) step(do func(*stepper)) *Sight {
	p.list = append(p.list, p.m.stepOf(p.s, p.a, do))
	return &p.list[len(p.list)-1]
}

// void: the actor begins anew. A record may be evicted then, or moved.
func (p *pacer) void(l Local) {
	x := &stepper{m: p.m, a: p.a, s: &p.s.State}
	p.errands(x.again(l))
}

// errands puts what an actor does to a record of a basket: it evicts, or it moves; with more than one tier,
// what its call says.
func (p *pacer) errands(l Local) {
	if !l.frame.errand.ofRecord() {
		p.put(l)
		return
	}
	says := (&stepper{m: p.m, a: p.a, s: &p.s.State}).ofRecord()
	all := []errand{toEvict, toMove}
	if p.m.p.tiers() > 1 {
		all = slices.Compact([]errand{toEvict, says})
	}
	if p.m.inTend(&p.s.State, p.a) {
		all = []errand{says}
	}
	for _, e := range all {
		l.frame.errand = e
		p.put(l)
	}
}

// resumed is the local state when the change goes on for which room was made.
func (p *pacer) resumed() Local {
	l := p.local()
	if p.s.KeptAt[p.a] == planned && l.rests() {
		s := *p.s
		s.resume(p.a)
		p.s = &s
	}
	return p.local()
}

// resume goes on with what was kept.
func (s *Sight) resume(a int) {
	s.Loc[a].frame, s.Loc[a].PC = s.Kept[a], s.KeptAt[a]
	s.Kept[a], s.KeptAt[a] = Frame{}, noAction
}

// keep lets what the actor is about wait.
func (s *Sight) keep(a int) { s.Kept[a], s.KeptAt[a] = s.Loc[a].frame, s.Loc[a].PC }

// holds reports whether the ticket of the actor still holds.
func (p *pacer) holds(l *Local) bool {
	return (&stepper{m: p.m, a: p.a, s: &p.s.State}).holds(&l.frame)
}
