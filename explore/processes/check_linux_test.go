//go:build explore

package processes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
)

// checkOf is a check of the counter.
func checkOf(c *counter, o explore.Options) Check {
	stage := func() (*Stage, error) { return NewStage(c.program(), Options{}) }
	return Check{Options: o, Search: Search{Name: counterName,
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			s, err := stage()
			if err != nil {
				return explore.Report{}, nil, err
			}
			rep, err := explore.Explore(s.Program(), o)
			return rep, CreationTally{}, err
		},
		Replay: func(token string) (explore.Report, error) {
			s, err := stage()
			if err != nil {
				return explore.Report{}, err
			}
			return explore.Replay(s.Program(), token, explore.Options{})
		}}}
}

func quiet(string) {}

// A check passes with a figure and its bound, or says what is wrong, with a token that shows it again.
func TestCheck_PassesAndFails(t *testing.T) {
	whole := checkOf(new(counter), all(1))
	r := whole.Run(t.Context(), quiet)
	if r.Err != nil || r.Executions == 0 || r.Happened == "" || strings.Contains(r.Bound, "not complete") {
		t.Errorf("%+v", r)
	}
	torn := checkOf(&counter{torn: true}, explore.Options{Preemptions: 1, Stateful: true})
	torn.Scope = "one word"
	r = torn.Run(t.Context(), quiet)
	if !errors.Is(r.Err, errCounted) || r.Unknown || r.Token == "" ||
		r.Bound != "not complete: at most 1 preemption; no death during the program; one word" {
		t.Errorf("%+v", r)
	}
	if rep, err := torn.Replay(r.Token); err != nil || rep.Failure == nil {
		t.Errorf("the token shows nothing: %v", err)
	}
	whole.Missing = func(happened fmt.Stringer) string { return happened.(CreationTally).Missing() }
	if r = whole.Run(t.Context(), quiet); !errors.Is(r.Err, ErrMissing) || r.Unknown {
		t.Errorf("nothing has happened: %+v", r)
	}
}

// What did not come to its end has no verdict.
func TestCheck_UnfinishedIsUnknown(t *testing.T) {
	o := all(1)
	o.MaxExecutions = 3
	if r := checkOf(new(counter), o).Run(t.Context(), quiet); !errors.Is(r.Err, ErrUnfinished) || !r.Unknown {
		t.Errorf("%+v", r)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r := checkOf(new(counter), all(1)).Run(ended, quiet); r.Err == nil || !r.Unknown {
		t.Errorf("interrupted: %+v", r)
	}
	broken := checkOf(new(counter), explore.Options{Kills: -1})
	if r := broken.Run(t.Context(), quiet); r.Err == nil || !r.Unknown {
		t.Errorf("options that are refused: %+v", r)
	}
	if all := RunAll(ended, []Check{broken, broken}, quiet); len(all) != 0 {
		t.Errorf("%d checks ran after the end", len(all))
	}
	if all := RunAll(t.Context(), []Check{broken, broken}, quiet); len(all) != 2 {
		t.Errorf("%d checks of 2 ran", len(all))
	}
}

// Each count of a way to make a region is asked for.
func TestTallies_Missing(t *testing.T) {
	if text := (CreationTally{1, 1, 1}).Missing(); text != "" {
		t.Error(text)
	}
	for _, x := range []CreationTally{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		if x.Missing() == "" {
			t.Errorf("nothing is missing in %+v", x)
		}
	}
	if text := (NamingTally{Attached: 1, Late: 1, Nameless: 1}).Missing(); text != "" {
		t.Error(text)
	}
	for _, x := range []NamingTally{{Late: 1, Nameless: 1}, {Attached: 1, Nameless: 1},
		{Attached: 1, Late: 1}} {
		if x.Missing() == "" {
			t.Errorf("nothing is missing in %+v", x)
		}
	}
}
