package main

import (
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// linksOf are the runners of an engine's chain of evidence, in the order in which check runs them. A link
// without a runner, and a state that no runner covers, is NOT BUILT in the matrix.
func linksOf(e *harness.Engine) []evidence.Runner {
	links := []evidence.Runner{
		specLink{e.Specs}, modelLink{e.Model, e.Specs, e.Scopes["model"]},
		volumeLink{e.Volume, e.Scopes["volume"]}, mutantsLink{e},
	}
	return append(links, harness.Links(e)...)
}

// chains are the links of each engine.
var chains = allChains()

func allChains() []chain {
	var all []chain
	for _, e := range engines.All() {
		all = append(all, chain{e.Engine, linksOf(e), e.Promised})
	}
	return all
}
