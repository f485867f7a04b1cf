package explore

import (
	"context"
	"slices"
)

// FewerSwitches looks for a schedule of p that fails as f does, with fewer switches between actors. It moves
// the turns of an actor next to earlier or later turns of the same actor. same reports whether another
// failure is of the same kind; o is as for Replay. It stops after a given number of replays, or when ctx is
// done. It returns the best failure that it found, which is f itself if none is better, and the number of
// replays that it made. Unless it stopped early, no single such move improves the result; the result need not
// have the fewest switches of all. Errors are those of Replay.
//
// Simplification of schedules by swapping neighbouring turns: Jalbert and Sen, FSE 2010.
func FewerSwitches(ctx context.Context, p Program, f *Failure, o Options,
	same func(*Failure) bool, tries int) (best *Failure, used int, err error) {
	best = f
	for better := true; better; {
		better = false
		t, s, err := parseToken(p.Name, best.Token)
		if err != nil {
			return best, used, err
		}
		if s.sparse {
			return best, used, nil // the turns are not listed
		}
		for _, items := range merges(s.items) {
			if used == tries || ctx.Err() != nil {
				return best, used, nil
			}
			used++
			r, err := Replay(p, makeToken(p.Name, t, items, false), o)
			if err != nil {
				return best, used, err
			}
			if g := r.Failure; g != nil && g.Kind == f.Kind && same(g) && simpler(g, best) {
				best, better = g, true
				break
			}
		}
	}
	return best, used, nil
}

// simpler orders failures by preemptions, then by switches, then by steps.
func simpler(a, b *Failure) bool {
	return slices.Compare([]int{a.Preemptions, a.Switches(), len(a.Steps)},
		[]int{b.Preemptions, b.Switches(), len(b.Steps)}) < 0
}

// Switches counts how often a step is made by another actor than the step before it.
func (f *Failure) Switches() int {
	n := 0
	for i := 1; i < len(f.Steps); i++ {
		if f.Steps[i].Actor != f.Steps[i-1].Actor {
			n++
		}
	}
	return n
}

// merges returns the schedules in which one turn of an actor has moved: to directly after the actor's turn
// before, to directly before its next turn, or to the end.
func merges(items []int) [][]int {
	turns := stretchesOf(items)
	var all [][]int
	for i := len(turns) - 1; i >= 0; i-- {
		before, after := -1, len(turns)
		for j := range turns {
			if turns[j].actor == turns[i].actor && j < i {
				before = j
			}
			if turns[j].actor == turns[i].actor && j > i && after == len(turns) {
				after = j
			}
		}
		if before >= 0 {
			all = append(all, moved(turns, i, before+1))
		}
		if i < len(turns)-1 {
			all = append(all, moved(turns, i, after))
		}
	}
	return all
}

// stretch is a sequence of steps of one actor without steps of others.
type stretch struct {
	actor int
	items []int
}

// stretchesOf splits a schedule. A data choice belongs to the actor that runs, and a kill to the actor that
// dies.
func stretchesOf(items []int) []stretch {
	var all []stretch
	for _, c := range items {
		actor := c
		solo, _, alone := asSolo(c)
		switch {
		case c < 0 && len(all) > 0:
			actor = all[len(all)-1].actor
		case alone:
			actor = solo
		case c >= killBit:
			actor = c - killBit
		}
		if len(all) == 0 || all[len(all)-1].actor != actor {
			all = append(all, stretch{actor: actor})
		}
		last := &all[len(all)-1]
		last.items = append(last.items, c)
	}
	return all
}

// moved is the schedule in which turn i is moved to the place before turn to.
func moved(turns []stretch, i, to int) []int {
	order := slices.Clone(turns)
	order = slices.Insert(order, to, turns[i])
	if to <= i {
		i++
	}
	order = slices.Delete(order, i, i+1)
	var items []int
	for _, t := range order {
		items = append(items, t.items...)
	}
	return items
}
