// Package engines lists the engines that are taken through the chain of evidence. A new engine is one line
// here.
package engines

import (
	"slices"
	"sync"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/scenarios/basket"
	"github.com/samecycle/samecycle/scenarios/control"
	hopscotch "github.com/samecycle/samecycle/scenarios/hopscotch"
	"github.com/samecycle/samecycle/scenarios/shardmap"
	"github.com/samecycle/samecycle/scenarios/slots"
)

// All returns the engines, in the order in which they are shown. Each is made once, because it has a row for
// each of its programs: a command line that asks for all engines several times would otherwise spend most of
// its time on that. Nobody may change them.
func All() []*harness.Engine { return slices.Clone(made()) }

var made = sync.OnceValue(list)

func list() []*harness.Engine {
	return []*harness.Engine{
		hopscotch.Engine(),
		shardmap.Engine(),
		basket.Engine(),
		slots.Engine(),
		control.Engine(),
	}
}

// Names returns the names of the engines' states and actions.
func Names() []*catalog.Engine {
	var all []*catalog.Engine
	for _, e := range All() {
		all = append(all, e.Engine)
	}
	return all
}

// ByName returns the engine of that name.
func ByName(name string) (*harness.Engine, bool) {
	for _, e := range All() {
		if e.Name == name {
			return e, true
		}
	}
	return nil, false
}
