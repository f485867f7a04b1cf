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

// Check holds the register against itself: states have numbers that ascend, a title, a claim, and one letter;
// actions have a module and a name of two words or more; no name or title stands twice; what an
// action decides is a state, and each state is decided by an action; what is missing or made elsewhere is an
// action, and named once. Errors wrap ErrRegister.
func (e *Engine) Check() error {
	var all []error
	wrong := func(format string, args ...any) {
		all = append(all, fmt.Errorf("%w: %s: %s", ErrRegister, e.Name, fmt.Sprintf(format, args...)))
	}
	titles, names, decided := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, s := range e.States {
		m := reIdentifier.FindStringSubmatch(s.ID)
		if m == nil || m[2] != fmt.Sprintf("%02d", s.Number) || m[1] != e.States[0].ID[:1] {
			wrong("the state with the number %d has the identifier %q: write a letter, the same for all, "+
				"%02d, and words", s.Number, s.ID, s.Number)
		}
		if i == 0 && s.Number < 1 || i > 0 && s.Number <= e.States[i-1].Number {
			wrong("%s has the number %d: numbers begin at 1 or later and ascend", s.ID, s.Number)
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
	for _, name := range slices.Concat(e.Missing, e.Elsewhere) {
		if !names[name] {
			wrong("%s is missing or made elsewhere, and no action, or it is named twice", name)
		}
		delete(names, name)
	}
	for _, s := range e.States {
		if !decided[s.ID] {
			wrong("no action decides %s: name the state at the action that does", s.ID)
		}
	}
	return errors.Join(all...)
}
