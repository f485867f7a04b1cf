package model

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
)

// Transition is one arrow of a diagram: an action that takes a cell, or a descriptor, from one
// stage to another in a reachable state of some program.
type Transition struct {
	From, To string
	Action   string
	Kind     Kind // of the operation that the action is a step of; NoKind: of none
}

// The stages of a cell are the forms of word 0. A key that is lost makes a stage of its own where
// the cell is at rest: nobody works on it, somebody has to reclaim it.
const (
	LostBase   = "B lost"
	LostMember = "M lost"
)

// CellStages returns the stages of a cell.
func CellStages() []string {
	return []string{Empty.String(), Claimed.String(), Base.String(), LostBase, InWork.String(),
		Member.String(), LostMember, Marked.String()}
}

func cellStage(w Word0) string {
	switch {
	case w.F == Base && w.K == Lost:
		return LostBase
	case w.F == Member && w.K == Lost:
		return LostMember
	}
	return w.F.String()
}

// The stages of a descriptor. It is installed while the home cell refers to its generation; before
// and after that nobody but its owner has to do with it.
const (
	Unused    = "unused"    // no operation has been written down yet
	Filling   = "filling"   // head and target are of different generations
	Filled    = "filled"    // complete, not installed
	Installed = "undecided" // installed, not decided
	Decided   = "committed" // with its hole, if its kind needs one
	Holeless  = "hole lost" // committed; the hole was lost to somebody else
	GivenUp   = "aborted"   // installed still, on its way back
	NoPlace   = "full"      // the same, since the window has no hole
	Over      = "over"      // decided and not installed any more
)

// DescriptorStages returns the stages of a descriptor.
func DescriptorStages() []string {
	return []string{Unused, Filling, Filled, Installed, Decided, Holeless, GivenUp, NoPlace, Over}
}

func descriptorStage(s *State, owner int) string {
	d := &s.desc[owner-1]
	r := own(s, owner)
	home := s.w0[d.Head.H][d.Head.Home]
	installed := home.held() && home.R == r
	needsHole := d.Head.Kind == KindAdd || d.Head.Kind == KindMove
	switch {
	case d.Head == Head{}:
		return Unused
	case d.Target.Gen != d.Head.Gen:
		return Filling
	case d.Target.St == Undecided && !installed:
		return Filled
	case d.Target.St == Undecided:
		return Installed
	case !installed:
		return Over
	case d.Target.St == Aborted:
		return GivenUp
	case d.Target.St == Full:
		return NoPlace
	case needsHole && d.Target.C == 0:
		return Holeless
	}
	return Decided
}

// Lives is what a search has seen happen to cells and to descriptors.
type Lives struct {
	Cells, Descriptors []Transition // sorted, each one once
	Whole              int          // programs whose every reachable state was searched
	Programs           int
}

// CollectLives takes every step, deaths included, from the first limit states of each program,
// breadth first. The same limit gives the same transitions. It ends with an error only if ctx
// does, or a program is malformed.
func CollectLives(ctx context.Context, limit int) (Lives, error) {
	c := collector{cells: map[Transition]bool{}, descriptors: map[Transition]bool{}}
	var found Lives
	for _, p := range Programs() {
		m, err := New(p.Config(ProgramCrashes))
		if err != nil {
			return Lives{}, fmt.Errorf("program %s: %w", p.Name, err)
		}
		whole := c.search(ctx, m, limit)
		if ctx.Err() != nil {
			return Lives{}, context.Cause(ctx)
		}
		found.Programs++
		if whole {
			found.Whole++
		}
	}
	found.Cells, found.Descriptors = inOrder(c.cells), inOrder(c.descriptors)
	return found, nil
}

func inOrder(set map[Transition]bool) []Transition {
	return slices.SortedFunc(maps.Keys(set), func(a, b Transition) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
			cmp.Compare(a.Action, b.Action), cmp.Compare(a.Kind, b.Kind))
	})
}

type collector struct {
	cells, descriptors map[Transition]bool
}

// search reports whether it reached every state of the program.
func (c *collector) search(ctx context.Context, m *Machine, limit int) bool {
	seen := newVisited(false)
	first := m.Initial()
	seen.insert(hashOf(&first), &first)
	whole := true
	reach := func(s *State) []State {
		h := hashOf(s)
		if _, known := seen.find(h, s); known {
			return nil
		}
		if len(seen.hashes) >= limit {
			whole = false
			return nil
		}
		seen.insert(h, s)
		return []State{*s}
	}
	var buf []Successor
	for level := []State{first}; len(level) > 0 && ctx.Err() == nil; {
		var next []State
		for i := range level {
			s := &level[i]
			for t := 1; t <= m.actors; t++ {
				buf = m.Step(s, t, buf[:0])
				for j := range buf {
					c.step(m, s, t, &buf[j])
					next = append(next, reach(&buf[j].Next)...)
				}
				if dead, ok := m.Crash(s, t); ok {
					c.step(m, s, t, &Successor{ClientCrash, dead})
					next = append(next, reach(&dead)...)
				}
			}
		}
		level = next
	}
	return whole
}

// step notes what one step of actor t has done.
func (c *collector) step(m *Machine, s *State, t int, y *Successor) {
	if s.w0 != y.Next.w0 {
		kind := kindOfStep(s, &y.Next, t, y.Action)
		for h := range Halves {
			for i := range m.n {
				if old, now := s.w0[h][i], y.Next.w0[h][i]; old != now {
					c.cells[Transition{cellStage(old), cellStage(now), y.Action.String(), kind}] = true
				}
			}
		}
	}
	if s.w0 == y.Next.w0 && s.desc == y.Next.desc {
		return
	}
	for owner := 1; owner <= m.actors; owner++ {
		from, to := descriptorStage(s, owner), descriptorStage(&y.Next, owner)
		if from != to {
			kind := y.Next.desc[owner-1].Head.Kind
			c.descriptors[Transition{from, to, y.Action.String(), kind}] = true
		}
	}
}

// kindOfStep is the kind of the operation that actor t installs or finishes by the action.
func kindOfStep(s, next *State, t int, action ActionID) Kind {
	switch {
	case action >= HelpHead:
		return s.loc[t-1].p.head.Kind
	case action == AddClaimEmpty || action == AddStashBase:
		return next.desc[t-1].Head.Kind
	}
	return NoKind
}
