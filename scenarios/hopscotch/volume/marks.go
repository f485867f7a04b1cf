package volume

import (
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// The marks that one client can see, and those that take two histories. What each of them
// means is in the comment of the package.

// marking is what a client has seen of the races of one operation.
type marking struct {
	states uint32 // bit n: the race of state n
	bucket uint32 // of which the key was an idle member: half and home plus one; 0 for none
}

func bit(state int) uint32 { return 1 << state }

// mark says which races the operation took part in: before was seen between the moment of its call
// and the call itself, after between its return and the moment of the return.
func mark(e event, before, after sight) marking {
	m := marking{states: markSeen(e, before) | markSeen(e, after)}
	for half := range before {
		if before[half].member {
			m.bucket = uint32(half)<<31 | before[half].home + 1
		}
	}
	if e.Result.Outcome == mapmodel.Added {
		m.states |= markAdded(e, before, after)
	}
	return m
}

// markSeen is the races that one look has seen.
func markSeen(e event, s sight) (states uint32) {
	for half := range s {
		g, word := &s[half], s[half].word
		switch form := word.Form(); {
		case !g.held:
		case form == hopscotch.FormClaimed || form == hopscotch.FormOperating:
			states |= markHeld(e, g)
		case g.kind == hopscotch.KindDrop && word.Key() == hopscotch.KeyLost &&
			e.Result.Outcome == mapmodel.Added: // M or U: the home is a lost member of another bucket
			states |= bit(24)
		}
	}
	return states
}

// markHeld is a race with the operation of somebody else that has the home cell of the key.
func markHeld(e event, g *glimpse) uint32 {
	k := hopscotch.Key(e.Request.Key)
	base, brought := g.plan.Key() == k, g.pair.Key() == k
	claimed := g.word.Form() == hopscotch.FormClaimed
	operating := func(kind hopscotch.Kind) bool {
		return g.word.Form() == hopscotch.FormOperating && g.kind == kind
	}
	switch e.Result.Outcome {
	case mapmodel.Added:
		switch {
		case claimed && !brought:
			return bit(4)
		case operating(hopscotch.KindClear):
			return bit(21)
		}
	case mapmodel.Found:
		switch {
		case claimed && brought:
			return bit(5)
		case operating(hopscotch.KindAdd) && base:
			return bit(6)
		case operating(hopscotch.KindMove) && brought:
			return bit(11)
		case operating(hopscotch.KindDrop) && g.pair.Key() == hopscotch.KeyLost:
			return bit(16)
		case operating(hopscotch.KindLift) && brought:
			return bit(17)
		}
	case mapmodel.Absent:
		switch {
		case claimed && brought && e.Request.Kind == mapmodel.Get:
			return bit(5)
		case claimed && brought && e.Request.Kind == mapmodel.Delete:
			return bit(8)
		}
	case mapmodel.Updated:
		switch {
		case operating(hopscotch.KindAdd) && base:
			return bit(7)
		case operating(hopscotch.KindMove) && brought:
			return bit(12)
		}
	case mapmodel.Deleted:
		return markDeleted(g, base, brought)
	}
	return 0
}

func markDeleted(g *glimpse, base, brought bool) uint32 {
	if g.word.Form() == hopscotch.FormClaimed {
		if brought {
			return bit(8)
		}
		return 0
	}
	switch {
	case g.word.Form() != hopscotch.FormOperating:
	case g.kind == hopscotch.KindAdd && g.member:
		return bit(9)
	case g.kind == hopscotch.KindAdd && base:
		return bit(10)
	case g.kind == hopscotch.KindMove && brought:
		return bit(13)
	case g.kind == hopscotch.KindMove && base:
		return bit(14)
	case g.kind == hopscotch.KindLift && brought:
		return bit(22)
	}
	return 0
}

// markAdded is what an add did to its bucket.
func markAdded(e event, before, after sight) uint32 {
	k, states := hopscotch.Key(e.Request.Key), uint32(0)
	form := func(s sight, half int, f hopscotch.Form) bool { return s[half].word.Form() == f }
	for half := range after {
		if !form(after, half, hopscotch.FormBase) || after[half].word.Key() != k {
			continue
		}
		other := before[1-half].word.Form()
		old := before[half].word
		switch {
		case form(before, half, hopscotch.FormEmpty) && other == hopscotch.FormEmpty:
			states |= bit(1)
		case form(before, half, hopscotch.FormBase) && !old.Key().Reserved() && after[half].member:
			states |= bit(2) // the base of before is a member
		}
	}
	for _, l := range e.left {
		if l.key != 0 {
			states |= bit(3)
		}
	}
	return states
}

// pairMarks are the races of two operations that both ended: their intervals overlap, and what came
// back fits no order but that of a race. The events are those of one window, ordered by call.
func pairMarks(events []event) (count [28]uint64) {
	for i := range events {
		a := &events[i]
		for j := i + 1; j < len(events) && events[j].Call <= a.Return && !a.Pending; j++ {
			if b := &events[j]; !b.Pending {
				count[pairMark(a, b)]++
			}
		}
	}
	count[15] = undisturbed(events)
	return count
}

// pairMark is the state that two overlapping operations are the race of, 0 for none.
func pairMark(a, b *event) int {
	if a.Request.Key != b.Request.Key {
		if a.Result.Outcome == mapmodel.Deleted && b.Result.Outcome == mapmodel.Deleted &&
			a.bucket != 0 && a.bucket == b.bucket {
			return 20
		}
		return 0
	}
	if a.Request.Kind > b.Request.Kind {
		a, b = b, a
	}
	x, y := a.Result, b.Result
	switch {
	case x.Outcome == mapmodel.Found && y.Outcome == mapmodel.Updated &&
		(x.Value == y.Value || x.Value == b.Request.Value):
		return 18
	case x.Outcome == mapmodel.Updated && y.Outcome == mapmodel.Updated &&
		(x.Value == b.Request.Value || y.Value == a.Request.Value):
		return 19
	case a.Request.Kind == mapmodel.Delete && b.Request.Kind == mapmodel.Delete && x.Outcome != y.Outcome:
		return 23
	case x.Outcome == mapmodel.Deleted && b.Request.Kind == mapmodel.Swap && y.Outcome == mapmodel.Updated:
		return 25
	case x.Outcome == mapmodel.Added && b.Request.Kind == mapmodel.Still && y.Outcome == mapmodel.Void:
		return 26
	case a.Request.Kind == mapmodel.Swap && b.Request.Kind == mapmodel.Discard &&
		(x.Outcome == mapmodel.Updated) != (y.Outcome == mapmodel.Discarded):
		return 27
	}
	return 0
}

// undisturbed counts the gets that found their key while another get of it was under way that did,
// and no other operation on the key was.
func undisturbed(events []event) (n uint64) {
	byKey := map[uint32][]*event{}
	for i := range events {
		byKey[events[i].Request.Key] = append(byKey[events[i].Request.Key], &events[i])
	}
	for _, list := range byKey {
		reading, writing := int64(0), int64(0) // when the last of those so far has ended
		for i, e := range list {
			found := e.Request.Kind == mapmodel.Get && e.Result.Outcome == mapmodel.Found
			if found && reading >= e.Call && writing < e.Call && !writtenAfter(list[i+1:], e.Return) {
				n++
			}
			switch {
			case found:
				reading = max(reading, e.Return)
			case e.Request.Kind != mapmodel.Get:
				writing = max(writing, e.Return)
			}
		}
	}
	return n
}

// writtenAfter tells whether one of the operations, ordered by call, is no get and begins before end.
func writtenAfter(list []*event, end int64) bool {
	for _, e := range list {
		if e.Call > end {
			return false
		}
		if e.Request.Kind != mapmodel.Get {
			return true
		}
	}
	return false
}
