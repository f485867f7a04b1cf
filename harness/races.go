package harness

import (
	"strings"

	"github.com/samecycle/samecycle/model/search"
)

// Races are the witnesses of a model, as its follower sees them: each is a claim that the race of a state
// does not happen, has the name No and that of the state, and is violated by a state of the model. What was
// seen so far is a set of bits, which the state of the follower has beside the model's.
type Races[M any, S comparable] struct {
	witnesses []search.Property[M, S]
	names     map[uint32][]string
}

// NewRaces returns those of the witnesses, of which there are 32 at most.
func NewRaces[M any, S comparable](witnesses []search.Property[M, S]) *Races[M, S] {
	return &Races[M, S]{witnesses, map[uint32][]string{}}
}

// Seen is what was seen before, and the races that happen in a state.
func (r *Races[M, S]) Seen(before uint32, m M, s *S) uint32 {
	for i, w := range r.witnesses {
		if w.State != nil && !w.State(m, s) {
			before |= 1 << i
		}
	}
	return before
}

// Also adds the races for which happened reports true, by the names of their witnesses.
func (r *Races[M, S]) Also(seen uint32, happened func(witness string) bool) uint32 {
	for i, w := range r.witnesses {
		if seen>>i&1 == 0 && happened(w.Name) {
			seen |= 1 << i
		}
	}
	return seen
}

// Names are the names of what was seen, for Follower.Marks.
func (r *Races[M, S]) Names(seen uint32) []string {
	if all, known := r.names[seen]; known {
		return all
	}
	var all []string
	for i, w := range r.witnesses {
		if seen>>i&1 != 0 {
			all = append(all, strings.TrimPrefix(w.Name, "No"))
		}
	}
	r.names[seen] = all
	return all
}
