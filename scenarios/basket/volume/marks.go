package volume

import (
	"slices"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/stress"
)

// marks counts the races of the state in a round.
func (w *world) marks(x *window) (n uint64) {
	switch w.state {
	case 1, 3, 5:
		for i := range x.Events {
			e := &x.Events[i]
			if k := kindOf(e.Request); e.Extra&seenRace != 0 && e.Result[0] != gaveUp &&
				(k == kindGet) == (w.state == 1) && (k == kindSet) == (w.state != 1) {
				n++
			}
		}
		return n
	case 20:
		for i := range x.Events {
			if e := &x.Events[i]; kindOf(e.Request) == kindTend && e.Extra&seenRace != 0 {
				n++
			}
		}
		return n
	case 10:
		return w.diedInAppend(x)
	case 11:
		return w.diedRetiring(x)
	}
	for i := range x.Events { // by their calls
		a := &x.Events[i]
		for k := i + 1; k < len(x.Events) && (a.Pending || x.Events[k].Call < a.Return); k++ {
			b := &x.Events[k]
			if !a.Pending && !b.Pending && a.Owner != b.Owner && (w.race(a, b) || w.race(b, a)) {
				n++
			}
		}
	}
	return n
}

// tells tells whether the operation has told something for the reason that is so.
func tells(e *stress.Event, r basket.Reason, is func(n stress.Words) bool) bool {
	return slices.ContainsFunc(e.Notes, func(n stress.Words) bool { return reasonOf(n) == r && is(n) })
}

// race tells whether two operations of different clients whose intervals overlap are the race of the state,
// in this order of roles.
func (w *world) race(a, b *stress.Event) bool {
	k, with := kindOf(a.Request), kindOf(b.Request)
	key, other := keyOf(a.Request), keyOf(b.Request)
	ofKey := func(n stress.Words) bool { return keyOf(n) == key }
	succeeded := a.Result[0] != gaveUp && b.Result[0] != gaveUp
	colliding := key != other && w.hash(key) == w.hash(other) && succeeded
	again := triesOf(a.Result) > 1 || triesOf(b.Result) > 1
	switch w.state {
	case 2:
		return k == kindSet && a.Result[0] != gaveUp && tells(b, basket.ReasonEvicted, ofKey)
	case 4:
		return k == kindRemove && a.Result[0] != gaveUp && tells(b, basket.ReasonEvicted, ofKey)
	case 6:
		return k == kindAge && sameOldest(a.Extra, b.Extra)
	case 7:
		return k == kindSet && with == kindSet && colliding && again && key < other // in one order only
	case 8:
		return k == kindRemove && a.Result[1] != 0 && with == kindSet && colliding && again
	case 9:
		found := k == kindSet && a.Result[0] != gaveUp || k == kindGet && a.Result[1] != 0
		return found && tells(b, basket.ReasonEvicted, func(n stress.Words) bool {
			return n[0]>>noteFlags&noteStays != 0 && keyOf(n) != key && w.hash(keyOf(n)) == w.hash(key)
		})
	case 12:
		return forTwo(a.Extra, b.Extra)
	case 13:
		return k <= kindRemove && tells(b, basket.ReasonIndexFull, ofKey)
	case 19:
		overtaken := k == kindMark && a.Result[0]&resultOvertaken != 0
		return overtaken && with == kindSet && key == other && succeeded
	}
	return false
}

// forTwo tells whether two clients saw one basket as the last free one, of which the first has opened it, and
// the second another one.
func forTwo(a, b uint64) bool {
	const both = seenLast | seenOpened
	last := func(x uint64) uint64 { return x >> lastAt & 0xFFFF }
	opened := func(x uint64) uint64 { return x >> openedAt & 0xFFFF }
	return a&both == both && b&both == both && last(a) == last(b) && a>>lifeAt == b>>lifeAt &&
		opened(a) == last(a) && opened(b) != last(b)
}

// sameOldest tells whether two clients saw one basket as the oldest that can age, which the second one has
// claimed.
func sameOldest(a, b uint64) bool {
	const both = seenOldest | seenTaken
	return a&seenOldest != 0 && b&both == both && a>>lastAt == b>>lastAt
}

// diedInAppend counts the clients that died in a set whose value was in their open basket, and was never
// published.
func (w *world) diedInAppend(x *window) (n uint64) {
	seen := map[uint64]bool{}
	for _, value := range x.now {
		seen[value] = true
	}
	for i := range x.Events {
		seen[x.Events[i].Result[1]] = true
		for _, note := range x.Events[i].Notes {
			seen[note[1]] = true
		}
	}
	for _, note := range x.settled {
		seen[note[1]] = true
	}
	for i := range x.Events {
		e := &x.Events[i]
		if !e.Pending || kindOf(e.Request) != kindSet || seen[e.Request[1]] {
			continue
		}
		if slices.Contains(w.left[e.Owner].open, wordOf(e.Request[1])) {
			n++
		}
	}
	return n
}

// diedRetiring counts the baskets that retired when their owner died, and that have another life since.
func (w *world) diedRetiring(x *window) (n uint64) {
	for _, owner := range x.Dead {
		if l, ok := w.left[owner]; ok && l.retiring != none {
			w.retiring = append(w.retiring, retired{l.retiring, l.head.Generation()})
		}
	}
	w.retiring = slices.DeleteFunc(w.retiring, func(r retired) bool {
		if w.heads.at(r.basket).Generation() == r.generation {
			return false
		}
		n++
		return true
	})
	return n
}
