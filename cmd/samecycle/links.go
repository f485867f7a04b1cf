package main

import (
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// linksOf are the runners of an engine's chain of evidence, in the order in which check runs them. A link
// without a runner, and a state that no runner covers, is NOT BUILT in the matrix.
func linksOf(e *harness.Engine) []evidence.Runner {
	links := []evidence.Runner{specLink{e}, modelLink{e}, volumeLink{}, mutantsLink{e}}
	if !seam.Explored { // on plain atomics nothing can be explored
		return append(links, absentLink{"engine"}, absentLink{"histories"})
	}
	return append(links, harness.Links(e)...)
}

// links are those of the table.
var links = linksOf(engines.All()[0])
