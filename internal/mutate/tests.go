package mutate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Tests with a mutant may take so many times as long as without it, and at least leastLimit. If they have
// not ended then, the mutant hangs. Other programs on the machine do not slow it down so much.
const (
	timesAsLong = 10
	leastLimit  = 30 * time.Second
)

// within is how long a stage of tests may take.
func (b *bench) within(s stage) time.Duration { return max(s.limit, timesAsLong*b.took[s.slow]) }

// confirmations is how often at most a test that has failed with a mutant is repeated. It has to fail once
// more, because a test that fails for lack of time, or by chance, must not kill a mutant.
const confirmations = 3

// tryTests runs the tests of the package. A test that fails and does not fail again is left out, and the
// others run instead.
func (b *bench) tryTests(ctx context.Context, s stage, x subject) (Found, error) {
	s.limit = b.within(s)
	program, err := b.tests(ctx)
	if x.alone && errors.Is(err, errTests) {
		return Found{Verdict: Killed, Judge: "tests", Why: "they do not compile with it"}, nil
	}
	if err != nil {
		return Found{}, err
	}
	var doubted []string
	for {
		f, err := b.runTests(ctx, s, x, program, b.choose(s.slow, doubted))
		if err != nil || f.Verdict != Killed {
			return f, err
		}
		again, err := b.again(ctx, s, x, program, f)
		switch {
		case err != nil || again:
			return f, err
		case f.Why != "": // the program ended, so there is no test to leave out
			return Found{}, nil
		}
		doubted = append(doubted, f.Test)
	}
}

// again reports whether the test that failed with the mutant fails another time, alone. If the program ended
// with it, another test may have been the cause, so all tests are repeated, too.
func (b *bench) again(ctx context.Context, s stage, x subject, program string, f Found) (bool, error) {
	test, _, _ := strings.Cut(f.Test, "/")
	choices := []string{"-test.run=^" + test + "$"}
	if f.Why != "" {
		choices = append(choices, b.choose(s.slow, nil))
	}
	for _, choice := range choices {
		for range confirmations {
			f, err := b.runTests(ctx, s, x, program, choice)
			if err != nil || f.Verdict.Noticed() {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// runTests runs once the tests that the flag chooses.
func (b *bench) runTests(ctx context.Context, s stage, x subject, program, choice string) (Found, error) {
	ran, err := b.run(ctx, s, x, b.p.Dir, program, testFlags(s, choice))
	if err != nil {
		return Found{}, err
	}
	f := testVerdict(ran.out+ran.complaints, ran.err, ran.late)
	if f.Judge == "time" {
		f.Verdict = Hangs // many times the usual time of the tests has passed
		f.Why = fmt.Sprintf("not ended in %v; without the mutant they take %v", s.limit, b.took[s.slow])
	}
	return f, nil
}

// choose returns the flag that chooses the slow tests, or the others, without the doubted ones.
func (b *bench) choose(slow bool, doubted []string) string {
	if !slow {
		return "-test.skip=^(" + strings.Join(slices.Concat(b.slow, doubted), "|") + ")$"
	}
	rest := slices.Clone(b.slow)
	rest = slices.DeleteFunc(rest, func(test string) bool { return slices.Contains(doubted, test) })
	if len(rest) == 0 {
		rest = []string{"none"}
	}
	return "-test.run=^(" + strings.Join(rest, "|") + ")$"
}
