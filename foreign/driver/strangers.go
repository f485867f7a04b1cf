package driver

import (
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// strangers collects the functions that have started goroutines which are not actors: goroutines of packages
// without a copy. If such a goroutine comes to a step, the search ends (see explore.Options.Strays). Others
// run unseen, and no schedule controls them. The driver looks for them where that costs little: at some
// steps of the run before a search, and at the end.
type strangers struct {
	by    map[string]bool
	looks int
}

// mostLooks bounds how often a search looks during executions, because each look stops all goroutines.
const mostLooks = 200

// mostStacks bounds the text of all stacks that is read.
const mostStacks = 1 << 18

// familiar are the beginnings of the names of functions whose goroutines belong to the explorer, the driver
// or the runtime, or never run at the same time as the goroutine that made them. The explorer waits for the
// end of its time by context.AfterFunc, whose goroutine may still be there when the search has ended.
var familiar = []string{"github.com/samecycle/samecycle/", "runtime.", "os/signal.", "iter.Pull",
	"context.(*afterFuncCtx).cancel"}

// creator matches the function that started a goroutine, in a stack.
var creator = regexp.MustCompile(`(?m)^created by (\S+)`)

// look notes the goroutines that exist.
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

// within returns the program with looks during its executions.
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

// seen looks once more, and returns the functions that started such goroutines.
func (s *strangers) seen() []string {
	if s == nil {
		return nil
	}
	s.look()
	return slices.Sorted(maps.Keys(s.by))
}
