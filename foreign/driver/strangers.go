package driver

import (
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// strangers collects what has started goroutines that are no actors: those of packages that are in no copy.
// One that comes to a step ends the search (see explore.Options.Strays). Others run unseen, and no schedule
// decides when. They are looked for where that costs little: at some steps of the run ahead of a search, and
// at the end.
type strangers struct {
	by    map[string]bool
	looks int
}

// mostLooks bounds how often a search looks during executions, for each look stops all goroutines.
const mostLooks = 200

// mostStacks is the size of the text of all stacks, as far as it is read.
const mostStacks = 1 << 18

// familiar are the beginnings of functions whose goroutines are the explorer's, the driver's or the
// runtime's, or never run beside the one that made them.
var familiar = []string{"github.com/samecycle/samecycle/", "runtime.", "os/signal.", "iter.Pull"}

// creator is who started a goroutine, in a stack.
var creator = regexp.MustCompile(`(?m)^created by (\S+)`)

// look takes note of the goroutines that there are.
func (s *strangers) look() {
	if s == nil {
		return
	}
	text := make([]byte, mostStacks)
	for _, m := range creator.FindAllSubmatch(text[:runtime.Stack(text, true)], -1) {
		name := string(m[1])
		if !slices.ContainsFunc(familiar, func(p string) bool { return strings.HasPrefix(name, p) }) {
			if s.by == nil {
				s.by = map[string]bool{}
			}
			s.by[name] = true
		}
	}
}

// within is the program, during whose executions is looked.
func (s *strangers) within(p explore.Program) explore.Program {
	if s == nil {
		return p
	}
	before := p.Step
	p.Step = func(x *explore.Execution, step explore.Step) error {
		if s.looks < mostLooks {
			s.looks++
			s.look()
		}
		if before == nil {
			return nil
		}
		return before(x, step)
	}
	return p
}

// seen looks once more, and names all who started such goroutines.
func (s *strangers) seen() []string {
	if s == nil {
		return nil
	}
	s.look()
	return slices.Sorted(maps.Keys(s.by))
}
