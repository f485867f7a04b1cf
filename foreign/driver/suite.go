package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/testing"
	"github.com/samecycle/samecycle/internal/plural"
)

// leastTime is for a test for which no time is left: with one goroutine it ends in less.
const leastTime = 20 * time.Millisecond

// search explores the tests, each in its part of the remaining time. If the user gave a time, the rest of it
// is used for tests that have more executions: see useUp.
func (t tests) search() (Report, error) {
	out := Report{Target: t.name, Seed: t.seed, Tests: true, Clock: testClock}
	whole, end := t.ctx, time.Now().Add(t.time)
	all, err := t.parts()
	if err != nil {
		return out, err
	}
	var more leftover
	var searches []*testSearch // by result
	for i := 0; i < len(all); i++ {
		x := all[i]
		fmt.Fprintf(t.notice, "exploring %s\n", x.title())
		t.begin(out, x.title(), all[i+1:])
		s, res, err := t.one(whole, x, shareOf(time.Until(end), len(all)-i))
		if err != nil {
			return out, err
		}
		s.doubtState(&res)
		t.doubtClock(&res)
		t.doubtUnseen(&res)
		if len(s.alone) > 1 {
			all, out.Parts = slices.Insert(all, i+1, s.alone...), append(out.Parts, x.title())
			continue
		}
		s.at = len(out.Results)
		out.Results, searches = append(out.Results, res), append(searches, s)
		if (i > 0 || t.listed()) && res.first() {
			out.Again = append(out.Again, x.title())
		}
		more.add(s, res)
		if n := s.judge.waiting; n > 0 {
			out.Left = append(out.Left, x.title()+": in "+plural.Of(int(n), "execution"))
		}
		switch rest := all[i+1:]; {
		case res.Kind == string(explore.Hung) || explore.Usable() != nil: // nothing else is explored here
			out.Rest = titles(rest)
			return out, nil
		case whole.Err() != nil:
			if len(rest) > 0 {
				out.LeftOut = append(out.LeftOut, plural.Of(len(rest), "test")+": the search was interrupted")
			}
			return out, nil
		}
	}
	t.begin(out, "", nil)
	ctx, enough := t.memory.within(whole)
	defer enough()
	if err := t.useUp(ctx, end, more, out.Results); !errors.Is(err, explore.ErrHung) {
		for i := range out.Results {
			searches[i].doubtState(&out.Results[i])
			t.doubtClock(&out.Results[i])
			t.doubtUnseen(&out.Results[i])
		}
		return out, err
	}
	return out, nil // a search that went further has found a goroutine that never returns
}

// shareOf is the time of the next one of so many tests that have so much time together.
func shareOf(left time.Duration, tests int) time.Duration {
	return max(leastTime, left/time.Duration(tests))
}

// one explores one test, within the time and the memory that it may use.
func (t tests) one(whole context.Context, x part, most time.Duration) (*testSearch, Result, error) {
	ctx, stop := context.WithTimeout(whole, most)
	defer stop()
	ctx, enough := t.memory.within(ctx)
	defer enough()
	t.subject.ctx = ctx
	s := t.searchOf(x)
	res, err := s.explore(x)
	res.Elapsed += s.tried
	switch {
	case errors.Is(err, explore.ErrHung): // an earlier search of this test has met it
		res = Result{Name: x.title(), Programs: 1, Status: Unknown, Kind: string(explore.Hung),
			Bound: "nothing", Message: "a goroutine never returns, because it waits for something that no " +
				"shim sees"}
		err = nil
	case context.Cause(ctx) == errMemory && res.Status == Unknown:
		res.Message = errMemory.Error() + ": " + res.Message
	}
	if res.First = res.Status == Found && res.Schedules == 1; res.First {
		s.doubt(&res)
	}
	return s, res, err
}

// doubt is for a test that fails at once. If goroutines of the module do not run, that is most likely why. If
// it has asked for names of the code, the failure may come from those that differ in the copy.
func (s *testSearch) doubt(res *Result) {
	if k := explore.FailureKind(res.Kind); k != explore.Verdict && k != explore.Panicked {
		return
	}
	doubt := ""
	if n := flow.Loaded(); len(n) > 0 {
		doubt = doubtful(n)
	} else if call := flow.Named(); call != "" {
		doubt = "it fails in its first execution, and asks for names of functions, files or packages (" +
			call + "), of which some are others in the copy that is explored: see whether go test passes"
	}
	if doubt != "" {
		res.Status, res.Kind = Unknown, string(explore.Unexplored)
		res.Message = "this may be no failure, since " + doubt + ": " + res.Message
	}
}

// doubtful is said of a failure if goroutines that these functions start do not run.
func doubtful(functions []string) string {
	return fmt.Sprintf("goroutines do not run that start when the module is loaded (%s)",
		strings.Join(functions, ", "))
}

func titles(all []part) (names []string) {
	for _, x := range all {
		names = append(names, x.title())
	}
	return names
}

// Begun is what a driver of tests did when it wrote a report that is not its last one.
type Begun struct {
	Test string `json:"test,omitempty"` // what it explored; if empty, it searched tests of Results further
}

// begin writes what is known before the next test is explored, so that it is not lost if the process ends.
// Whether it can be written is told by the last report.
func (t tests) begin(out Report, test string, rest []part) {
	out.Begun, out.Rest = &Begun{test}, titles(rest)
	_ = t.write(out)
}

// write replaces the file of the report.
func (r run) write(out Report) error {
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	next := r.out + ".next"
	if err := os.WriteFile(next, text, 0o644); err != nil {
		return err
	}
	return os.Rename(next, r.out)
}

// shorter is for a test that makes more steps than an execution may have. If it has a short form that makes
// fewer, and that does not skip the test, the search goes on with this form.
func (s *testSearch) shorter(long explore.Report, before error) (explore.Report, error) {
	if !testing.AsksShort {
		return long, before
	}
	s.inForm(true)
	report, err := s.ahead()
	if err != nil || report.StepBound > 0 || s.ended() != nil ||
		report.Failure == nil && s.judge.notRun() != "" {
		s.inForm(false)
		return long, before
	}
	return report, err
}

// inForm chooses the form of the test.
func (s *testSearch) inForm(short bool) {
	s.short = short
	s.program = s.tests.program(s.part, &s.judge)
}
