package model

import (
	"fmt"
	"strings"
)

// Reduction is a set of ways to search fewer states for the same answers. Its zero value searches
// every interleaving as it is, which is what the counts of TLC are compared with.
//
// What is kept, by either and by both: whether a property of states or of steps is violated, and
// which ones are if the search does not end at the first; Deadlock; all final states, with what
// they hold and what was returned; SoloFails, Endless and Longest.
//
// What is not: the search visits fewer states, so Distinct, Generated, Depth and Fired are those of the
// reduced search, and a counterexample need not be a shortest one.
//
// The partial order does not keep two things more. Marks are those of the schedules that were
// searched: each has happened, others may happen, too. Solo is 0: an actor may need more steps
// from a state that was left out.
type Reduction uint8

const (
	// PartialOrder takes local steps at once, without the interleavings around them. A step is local in two
	// cases. It changes only what its actor remembers, and no other actor can change what it reads until it
	// is taken. Or it fills a descriptor to which nobody has a reference. Both are found out in each state:
	// by comparing the states before and after, and by running the other actors ahead to their ends.
	//
	// Why nothing is lost (Godefroid, "Partial-Order Methods for the Verification of Concurrent
	// Systems", 1996: a persistent set of one actor). Let a be a local step of p in s, and w a
	// schedule from s. If p moves in w, its first step is a, for w cannot change its outcome, and
	// taking it first changes no state from there on. If p does not move, a may follow w as well as go
	// before it. The state after w and that after w and a differ in what p remembers, and only
	// I12 looks there: at a result that waits, which a may bring, but not take away. So whatever
	// w violates, a and then w violates, and steps are checked alike. If p dies in w, it forgets
	// what a has brought, and the states are equal; a filled descriptor is not forgotten, so there
	// the death is a second outcome. No schedule is put off for ever: a row of local steps ends, and
	// the states where rows end are searched with the steps of all actors.
	PartialOrder Reduction = 1 << iota

	// Symmetry searches one state of each set of states that differ by the names of actors, and of
	// the keys and values that go with them. It is refused where no two actors can be exchanged.
	Symmetry
)

// Reductions are all sets of reductions, the empty one first.
func Reductions() []Reduction {
	return []Reduction{0, PartialOrder, Symmetry, PartialOrder | Symmetry}
}

// String names the reductions: "none", "partial order", "symmetry", "partial order and symmetry".
func (r Reduction) String() string {
	var names []string
	if r&PartialOrder != 0 {
		names = append(names, "partial order")
	}
	if r&Symmetry != 0 {
		names = append(names, "symmetry")
	}
	if rest := r &^ (PartialOrder | Symmetry); rest != 0 {
		names = append(names, fmt.Sprintf("unknown %#x", uint8(rest)))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, " and ")
}

// names tells states apart up to the symmetry of the machine; without symmetry, as they are.
type names struct{ group []renaming }

// Refuses returns why the reductions cannot be used on the machine; nil if they can. The error
// wraps ErrReduction.
func (m *Machine) Refuses(r Reduction) error {
	_, err := m.namesFor(r)
	return err
}

func (m *Machine) namesFor(r Reduction) (names, error) {
	if r&^(PartialOrder|Symmetry) != 0 {
		return names{}, fmt.Errorf("%w: %v; use PartialOrder, Symmetry, or both", ErrReduction, r)
	}
	if r&PartialOrder != 0 && m.cfg.Wrap.Ref != 0 {
		return names{}, fmt.Errorf("%w: %v; where generations of descriptors wrap, an old reference "+
			"may mean a descriptor that is being filled: use none, or Symmetry", ErrReduction, r)
	}
	if r&Symmetry == 0 {
		return names{}, nil
	}
	group, err := m.symmetries()
	return names{group}, err
}

// of returns the state that stands for s and for all that are equal to it but for names, and which
// renaming leads from s there. The state is s itself, or put into room.
func (n names) of(s, room *State) (*State, uint8) {
	if n.group == nil {
		return s, 0
	}
	return canonical(n.group, s, room)
}

// heir is what the actor of a state is called in an equal one, when the first renaming leads from
// the one state to what stands for both, the second from the other.
func (n names) heir(actor, first, second uint8) uint8 {
	if n.group == nil {
		return actor
	}
	called := n.group[first].actor[actor]
	for t, name := range n.group[second].actor {
		if name == called {
			return uint8(t)
		}
	}
	return 0
}
