package explore

import (
	"math/bits"
	"slices"
)

// At most MaxActors actors have places, because each place is a bit in the masks of the engine. If there are
// more actors, those that can continue have places: an actor that waits gives its place to one that has none
// and can continue, and gets a place again when it can continue itself. So nothing is lost unless more than
// MaxActors actors can continue at the same time. Then the others go on as soon as one of these waits or
// ends or, with Options.Starvation, when they have waited for so many decisions.

// A displaced actor has given its place to another one.
type displaced struct {
	a      *actor
	begun  bool
	serves bool
	ready  bool   // it could continue
	spins  bool   // it was set aside; if it is neither, it waits for a.wait
	seen   uint64 // the write count when it was
	came   int    // how many had come to wait for a place before
}

// able reports whether the actor can continue.
func (d *displaced) able(e *engine) bool {
	switch {
	case d.ready:
		return true
	case d.spins:
		return d.seen != e.writes
	}
	return d.a.wait.Holds()
}

// able reports whether the actor can begin. still says that no other actor can continue.
func (n *newcomer) able(still bool) bool {
	switch {
	case n.when != nil:
		return n.when.Holds()
	case n.last:
		return still
	}
	return true
}

// rotate gives places to actors that have none and can continue, first come first. It returns the actors
// with places that can continue; enabled are those that could before.
func (e *engine) rotate(enabled uint64) uint64 {
	for {
		back, first := e.nextUp(enabled == 0)
		if back < 0 && first < 0 {
			return enabled
		}
		id := e.freed(enabled)
		if id < 0 {
			e.late = true
			return enabled
		}
		if bit := uint64(1) << uint(id); back >= 0 {
			d := e.displaced[back]
			e.displaced = without(e.displaced, back)
			e.replace(d, id)
			enabled |= bit
		} else {
			n := e.crowd[first]
			e.crowd = without(e.crowd, first)
			e.seat(n, id)
			enabled |= bit & (e.ready | e.waiting)
		}
	}
}

// without removes an element, quickly if it is the first one.
func without[T any](all []T, i int) []T {
	if i == 0 {
		clear(all[:1])
		return all[1:]
	}
	return slices.Delete(all, i, i+1)
}

// looked is the number of displaced actors at which a decision looks while others can continue. If there are
// more, some may go on later than they could.
const looked = 256

// nextUp returns the actor that is to get a place next: its index among those that were displaced, or else
// among those that have not begun. Both are negative if there is none. still says that no other actor can
// continue.
func (e *engine) nextUp(still bool) (back, first int) {
	from, n := 0, len(e.displaced)
	if n > looked && !still {
		e.late = true
		from, n = e.came%n, looked
		e.came++
	}
	back = -1
	for i := range n {
		at := (from + i) % len(e.displaced)
		if e.displaced[at].able(e) {
			back = at
			break
		}
	}
	first = slices.IndexFunc(e.crowd, func(n newcomer) bool { return n.able(still) })
	if back >= 0 && first >= 0 && e.displaced[back].came > e.crowd[first].came {
		back = -1
	}
	return back, first
}

// freed returns a place that can be given to another actor, or a negative number: that of an actor that has
// ended, or of one that waits, or of one that was set aside while nobody can continue; with
// Options.Starvation, after some time, that of any. The actors with which the execution began keep their
// places, and so does the one at whose scheduling point this is.
func (e *engine) freed(enabled uint64) int {
	if e.over != 0 {
		return bits.TrailingZeros64(e.over)
	}
	kept := uint64(1)<<uint(e.roots) - 1
	if e.cur >= 0 {
		kept |= 1 << uint(e.cur)
	}
	victims := e.waiting &^ enabled &^ kept
	if victims == 0 && enabled == 0 {
		victims = e.spinning &^ e.resting &^ kept
	}
	if e.lateFor++; victims == 0 && e.o.Starvation > 0 && e.lateFor > e.o.Starvation {
		victims = e.ready &^ kept
	}
	if victims == 0 {
		return -1
	}
	e.lateFor = 0
	e.mover = following((e.mover+1)%places, victims) // each in turn
	e.displace(e.mover)
	return e.mover
}

// displace takes the place of actor i.
func (e *engine) displace(i int) {
	a, bit := e.actors[i], uint64(1)<<uint(i)
	d := displaced{a: a, begun: e.begun&bit != 0, serves: e.servants&bit != 0, ready: e.ready&bit != 0,
		spins: e.spinning&bit != 0, seen: e.writes, came: e.came}
	e.came++
	e.displaced = append(e.displaced, d)
	if e.o.AnyKill && e.killsLeft > 0 && a.accesses > 0 {
		e.late = true // without a place it cannot be killed
	}
	for _, mask := range []*uint64{&e.live, &e.ready, &e.waiting, &e.spinning, &e.begun, &e.servants} {
		*mask &^= bit
	}
	a.id = noPlace
	e.actors[i] = e.spareActor(i)
	if e.run.actor == int32(i) {
		e.run.actor = driver
	}
}

// replace gives a displaced actor the place.
func (e *engine) replace(d displaced, id int) {
	bit := uint64(1) << uint(id)
	e.unused = append(e.unused, e.actors[id])
	e.actors[id], d.a.id = d.a, int32(id)
	e.born[d.a.number].place = int32(id)
	e.over &^= bit
	e.live |= bit
	e.begun, e.servants = e.begun&^bit, e.servants&^bit
	if d.begun {
		e.begun |= bit
	}
	if d.serves {
		e.servants |= bit
	}
	if d.ready || d.spins {
		e.ready |= bit
	} else {
		e.waiting |= bit
	}
}

// spareActor returns an actor of no execution, for that place.
func (e *engine) spareActor(i int) (a *actor) {
	if n := len(e.unused); n > 0 {
		a, e.unused = e.unused[n-1], e.unused[:n-1]
	} else {
		a = &actor{e: e}
	}
	a.id, a.origin, a.head = int32(i), actorKey(uint64(i)), never
	a.reset()
	return a
}

// recallDisplaced makes actors that were set aside without a place able to continue, as the others are.
func (e *engine) recallDisplaced() {
	for i := range e.displaced {
		e.displaced[i].seen = e.writes - 1
	}
}

// unwindDisplaced ends the bodies of displaced actors, in a place of one whose body was ended already.
func (e *engine) unwindDisplaced() {
	for _, d := range e.displaced {
		id := len(e.actors) - 1
		held := e.actors[id]
		e.actors[id], d.a.id = d.a, int32(id)
		e.unwindActor(d.a)
		e.actors[id], d.a.id = held, noPlace
	}
}

// undone returns the actors that have not ended, except those for which the execution does not wait. live
// has those of them with places.
func (e *engine) undone(live uint64) (all []*actor) {
	for m := live &^ e.servants; m != 0; m &= m - 1 {
		all = append(all, e.actors[bits.TrailingZeros64(m)])
	}
	for _, d := range e.displaced {
		if !d.serves {
			all = append(all, d.a)
		}
	}
	return all
}

// disperse forgets the actors without places of the execution before.
func (e *engine) disperse() {
	for _, d := range e.displaced {
		e.unused = append(e.unused, d.a)
	}
	clear(e.displaced)
	clear(e.crowd)
	e.over, e.crowded, e.late, e.lateFor, e.mover, e.came = 0, false, false, 0, 0, 0
	e.crowd, e.displaced = e.crowd[:0], e.displaced[:0]
}
