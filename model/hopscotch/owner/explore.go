package owner

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/model/search"
)

// Run is the name of the run.
func (m *Machine) Run() string { return m.c.Name }

// Show is what there is to see of a state: the owner words.
func (m *Machine) Show(s *State) string {
	var out strings.Builder
	out.WriteString("owners")
	for _, w := range s.Owner {
		fmt.Fprintf(&out, " %d@%d.%d", w.N, w.E, w.Ep)
	}
	return out.String()
}

// NoneStaysWithTheDead is the liveness property of MCOwner.tla. If each actor goes on as long as it can,
// then again and again no descriptor belongs to a dead owner and each actor is at rest.
const NoneStaysWithTheDead = "NoneStaysWithTheDead"

// LiveOf is what must come about in a machine.
func LiveOf(m *Machine) *search.Live[State, Action] {
	live := &search.Live[State, Action]{Name: NoneStaysWithTheDead,
		Fair: func(a Action) bool { return a != CallCrash }}
	for d := 1; d <= int(m.descriptors); d++ {
		live.Bad = append(live.Bad, func(s *State) bool { return m.Orphan(s, d) })
	}
	for a := range int(m.actors) {
		live.Bad = append(live.Bad, func(s *State) bool { return !resting(s.Loc[a].PC) })
	}
	return live
}
