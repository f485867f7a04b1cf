package driver

import (
	"context"

	"github.com/samecycle/samecycle/explore"
)

// unsteady is said of a failure if the test passes when it runs first, and fails when it runs again with the
// same decisions.
const unsteady = "this may be no failure, since the test passes when it runs first, as in go test, and " +
	"fails when it runs once more with the same decisions: it depends on state that is not restored " +
	"between executions, such as what a function has captured, or expvar and other state of the standard " +
	"library; let the test make that state itself: "

// verdicts are the kinds of failures that may come from state that an earlier execution has left.
func verdicts(k explore.FailureKind) bool {
	switch k {
	case explore.Verdict, explore.Panicked, explore.Deadlock, explore.Livelock, explore.Race:
		return true
	}
	return false
}

// doubtState makes a failure unknown if the test fails whatever the schedule is, once it has run before.
func (j *testJudge) doubtState(f *explore.Failure) {
	if j.unsteady && verdicts(f.Kind) {
		f.Kind, f.Message, f.Err = explore.Nondeterminism, unsteady+f.Message, nil
	}
}

// doubtState is for a failure that a search has found of a test that passed before. If the first execution
// fails when it is made again, the executions in between have left something that is not restored, and that
// may be the reason of the failure.
func (s *testSearch) doubtState(res *Result) {
	if !s.passed || res.Status != Found || !verdicts(explore.FailureKind(res.Kind)) || s.steady == res.Token {
		return
	}
	o := s.options
	s.subject.ctx = context.Background()
	again, err := s.once()
	if s.options = o; err != nil || again.Failure == nil || !verdicts(again.Failure.Kind) {
		s.steady = res.Token
		return
	}
	res.Status, res.Kind = Unknown, string(explore.Nondeterminism)
	res.Message = unsteady + res.Message
}

// first reports whether the result is a failure in the first execution that earlier tests may be the reason
// of. A race is one whatever they have left.
func (res *Result) first() bool {
	k := explore.FailureKind(res.Kind)
	return res.First && res.Status == Found && verdicts(k) && k != explore.Race
}

// DoubtFirst makes the failure of a test unknown that was not the first of its process, and was not explored
// again as such.
func (res *Result) DoubtFirst() {
	res.Status, res.Kind = Unknown, string(explore.Nondeterminism)
	res.Message = "this may be no failure, since the tests before it may have left state that is not " +
		"restored between executions, and it was not explored alone: " + res.Message
}
