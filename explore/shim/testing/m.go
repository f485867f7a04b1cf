package testing

import (
	"flag"

	"github.com/samecycle/samecycle/explore/shim/flow"
)

// M is the argument of TestMain. Its Run runs the one test that is explored.
type M struct {
	run func()
	t   *T
}

// NewM returns an M whose Run calls run, which runs the test of t. Before that, TestMain may end the process
// with the status 0, and after it with that of Run.
func NewM(run func(), t *T) *M {
	flow.ExitCode = 0
	return &M{run, t}
}

// Run parses the flags if TestMain has not, runs the test, and returns 1 if it failed, and 0 otherwise. A
// second call only returns that number again.
func (m *M) Run() (code int) {
	if run := m.run; run != nil {
		flow.Code.Change()
		m.run, flow.ExitCode = nil, -1
		if !flag.Parsed() {
			flag.Parse()
		}
		run()
	}
	if m.t.failed {
		code = 1
	}
	flow.Code.Change()
	flow.ExitCode = code
	return code
}
