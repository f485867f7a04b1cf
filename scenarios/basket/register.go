// Package basket registers the baskets with the harness: their specification and its model.
//
// The code that ships, impl/basket, is not explored step by step: one step of the specification is several
// accesses of the code (the words of a record, the words of a value, whatever the index does), and the code
// has policies that the specification leaves open. The cells of the links engine, histories and volume are
// NOT BUILT.
package basket

import (
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/basket"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/model/basket/tasks"
)

// rowed are the packages whose tables have a row for each state.
var rowed = []string{"internal/catalog/basket", "model/basket"}

// Engine registers the baskets.
func Engine() *harness.Engine {
	return &harness.Engine{
		Engine: register.Engine(),
		Specs:  catalog.Specs{{Dir: "spec/tla/basket"}},
		Model:  tasks.Model(),
		Scope: "specification and model: the code that ships is not held against them; not covered: more " +
			"actors, keys, baskets and records than the programs have",
		Scopes: map[string]closure.Scope{
			"model": {Rows: rowed, Packages: []string{"model/basket/tasks"}},
		},
	}
}
