package scenarios

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/harness"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// without is the program less some operations, under a name that tells them.
func without(p model.Program, d failure.Dropped) (model.Program, bool) {
	ops, ok := failure.Keep(p.Ops, d)
	p.Ops, p.Name = ops, p.Name+d.Suffix()
	return p, ok
}

// ProgramNamed finds a program by its name, which may be its text.
func ProgramNamed(name string) (model.Program, bool) {
	if p, ok := parseText(name); ok {
		return p, true
	}
	if p, ok := drawnNamed(name); ok {
		return p, true
	}
	return model.ProgramByName(name)
}

// programNamed finds a program, or one of those that Minimise makes of it.
func programNamed(name string) (model.Program, error) {
	whole, dropped := failure.Split(strings.TrimSuffix(name, harness.ApartMark))
	p, ok := ProgramNamed(whole)
	if !ok {
		return p, fmt.Errorf("%w: no scenario has a program %q; it is of another version",
			explore.ErrToken, name)
	}
	if p, ok = without(p, dropped); !ok {
		return p, fmt.Errorf("%w: program %q lacks operations that %s does not have", explore.ErrToken,
			name, whole)
	}
	return p, nil
}
