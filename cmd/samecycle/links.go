package main

import "github.com/samecycle/samecycle/internal/evidence"

// links are the runners of the chain of evidence, in the order in which check runs them. A link
// without a runner, and a state that no runner covers, is NOT BUILT in the matrix.
var links = []evidence.Runner{
	specLink{},
	modelLink{},
	volumeLink{},
	mutantsLink{},
}
