package driver

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/plural"
)

// A size is the number of actors of a program, that of the calls of an actor, and that of the calls before.
type size struct{ actors, calls, before int }

// measure notes the size of a program that is explored.
func (s *subject) measure(p objectProgram) {
	s.size.actors, s.size.before = max(s.size.actors, len(p.actors)), max(s.size.before, len(p.setup))
	for _, calls := range p.actors {
		s.size.calls = max(s.size.calls, len(calls))
	}
}

// sizes says how large the programs were at most; it is empty if there were none.
func (s *subject) sizes() string {
	if s.size.actors == 0 {
		return ""
	}
	text := fmt.Sprintf("programs had at most %s with %s each", plural.Of(s.size.actors, "actor"),
		plural.Of(s.size.calls, "call"))
	if s.size.before > 0 {
		text += ", after " + plural.Of(s.size.before, "call")
	}
	if s.allDrawn {
		text += "; nearly all of this size were explored"
	}
	if s.actors < MostActors {
		text += fmt.Sprintf("; --actors %d searches more", MostActors)
	}
	return text
}

// blind reports whether nothing shows what the calls of programs do: none of these methods has a result, and
// there is no probe.
func (s *subject) blind() bool {
	for _, m := range s.chosen() {
		if !m.Quiet {
			return false
		}
	}
	return len(s.probe) == 0
}
