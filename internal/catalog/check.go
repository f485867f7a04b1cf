package catalog

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ErrRegister says that the register of an engine's names contradicts itself.
var ErrRegister = errors.New("the register of names is wrong")

var (
	// reIdentifier is a state's identifier: a letter, two digits, and words.
	reIdentifier = regexp.MustCompile(`^([A-Z])(\d\d)[A-Z][A-Za-z]+$`)

	// reAction is an action's name: two words or more.
	reAction = regexp.MustCompile(`^[A-Z][a-z]+([A-Z][a-z]+)+$`)
)

// Check holds the register against itself: states have numbers from 1 in their order, a title and a claim, and
// one letter; actions have a module and a name of two words or more; no name or title stands twice; what an
// action decides is a state, and each state is decided by an action. Errors wrap ErrRegister.
func (e *Engine) Check() error {
	var all []error
	wrong := func(format string, args ...any) {
		all = append(all, fmt.Errorf("%w: %s: %s", ErrRegister, e.Name, fmt.Sprintf(format, args...)))
	}
	titles, names, decided := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, s := range e.States {
		m := reIdentifier.FindStringSubmatch(s.ID)
		if m == nil || m[2] != fmt.Sprintf("%02d", i+1) || m[1] != e.States[0].ID[:1] {
			wrong("state %d has the identifier %q: write a letter, the same for all, %02d, and words", i+1, s.ID,
				i+1)
		}
		if s.Number != i+1 {
			wrong("state %d, %s, has the number %d", i+1, s.ID, s.Number)
		}
		if s.Title == "" || s.Claim == "" || titles[s.Title] {
			wrong("%s: the title %q or the claim %q is empty, or the title stands twice", s.ID, s.Title,
				s.Claim)
		}
		titles[s.Title] = true
	}
	for _, a := range e.Actions {
		if !reAction.MatchString(a.Name) || a.Module == "" || names[a.Name] {
			wrong("action %+v: it needs a new name of two words or more, and a module", a)
		}
		names[a.Name] = true
		for id := range strings.SplitSeq(a.States, ",") {
			if !slices.ContainsFunc(e.States, func(s State) bool { return s.ID == id }) && id != "" {
				wrong("action %s decides %q, which is no state", a.Name, id)
			}
			decided[id] = true
		}
	}
	for _, s := range e.States {
		if !decided[s.ID] {
			wrong("no action decides %s: name the state at the action that does", s.ID)
		}
	}
	return errors.Join(all...)
}
