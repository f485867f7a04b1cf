package testing

import "github.com/samecycle/samecycle/explore/shim/flow"

// M is what TestMain gets. Its Run runs the one test that is explored.
type M struct {
	run func()
	t   *T
}

// NewM is an M whose Run calls run, which runs the test of t. Until then TestMain may end the process with
// the status 0, and behind it with that of Run.
func NewM(run func(), t *T) *M {
	flow.ExitCode = 0
	return &M{run, t}
}

// Run runs the test, and returns 1 if it failed, else 0. From the second time on it does nothing else.
func (m *M) Run() (code int) {
	if run := m.run; run != nil {
		m.run, flow.ExitCode = nil, -1
		run()
	}
	if m.t.failed {
		code = 1
	}
	flow.ExitCode = code
	return code
}
