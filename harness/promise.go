package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
)

// ErrPromise says that the registration of an engine does not keep what its catalog promises.
var ErrPromise = errors.New("a promise of the catalog is not kept")

// behind says what of a registration is behind each link.
var behind = map[string]string{
	"spec":      "write runs of the state into the manifest of a folder that Specs names",
	"model":     "give Model a search of the state's programs, and Specs the folder with the same runs",
	"engine":    "give Programs a row of the state",
	"histories": "give Programs a row of the state",
	"volume":    "set Volume to a subject that has the state",
	"mutants":   "write mutants of the state into mutants.json of the first folder that Specs names",
}

// Promised compares the engine's registration with the promises of its catalog: each link that the catalog
// does not name in NotBuilt, for each state. covered says for which states the links have material. Only
// cells for which asked returns true count. Errors wrap ErrPromise; they name the engine, the link, the
// states, and what to do. A register that contradicts itself is also an error: catalog.ErrRegister.
func (e *Engine) Promised(covered evidence.Coverage, asked func(link, state string) bool) error {
	var all []error
	broken := func(format string, args ...any) { all = append(all, e.broken(format, args...)) }
	register := "internal/catalog/" + e.Name
	for _, id := range e.NotBuilt {
		if _, ok := catalog.LinkByID(id); !ok {
			broken("NotBuilt names %q, which is no link: correct it in %s", id, register)
		}
	}
	for _, l := range catalog.Links() {
		var without, with []string
		for _, s := range e.States {
			switch {
			case !asked(l.ID, s.ID):
			case covered[l.ID][s.ID]:
				with = append(with, s.ID)
			default:
				without = append(without, s.ID)
			}
		}
		switch {
		case e.Promises(l.ID) && len(without) > 0:
			broken("the link %s has nothing behind it for %s: in scenarios/%s %s, or name the link in "+
				"NotBuilt of %s", l.ID, states(without, len(e.States)), e.Name, behind[l.ID], register)
		case !e.Promises(l.ID) && len(with) > 0:
			broken("NotBuilt names the link %s, which has something behind it for %s: take the name out of "+
				"%s", l.ID, states(with, len(e.States)), register)
		}
		for id := range covered[l.ID] {
			if _, ok := e.StateByID(id); !ok && asked(l.ID, id) {
				broken("the link %s has material for %s, which is no state: add it to %s, or correct the "+
					"name", l.ID, id, register)
			}
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(append(all, e.Check(), e.opened(asked))...)
}

// opened is which programs cannot be explored, since they have no world, or count for no state.
func (e *Engine) opened(asked func(link, state string) bool) error {
	var all []error
	for _, p := range e.Programs {
		if !asked("engine", p.State) && !asked("histories", p.State) {
			continue
		}
		if p.Open == nil {
			all = append(all, e.broken("the links engine and histories have no world for the program %s: in "+
				"scenarios/%s set its Open", p.Name, e.Name))
		}
		if s, ok := e.StateByID(p.State); !ok || s.ID != p.State {
			all = append(all, e.broken("the program %s, of the links engine and histories, is of the state "+
				"%q, which is none: add it to internal/catalog/%s, or correct the name", p.Name, p.State,
				e.Name))
		}
	}
	return errors.Join(all...)
}

func (e *Engine) broken(format string, args ...any) error {
	return fmt.Errorf("%w: engine %s: %s", ErrPromise, e.Name, fmt.Sprintf(format, args...))
}

// states lists states in words; all of them need no list.
func states(ids []string, all int) string {
	if len(ids) == all {
		return "any state"
	}
	return strings.Join(ids, ", ")
}
