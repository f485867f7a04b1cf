//go:build explore

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// TestShared_AllThatBelongsToNoState: the link of the engine runs every program of processes and of a writer.
func TestShared_AllThatBelongsToNoState(t *testing.T) {
	var want, got []string
	for _, s := range slices.Concat(table.Searches(), hostile.Searches()) {
		want = append(want, s.Name)
	}
	for _, s := range Engine().Shared {
		got = append(got, strings.Split(s.Name, ", ")...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || len(got) < 20 {
		t.Errorf("the link runs %v, want %v", got, want)
	}
}

// TestShared_OneThatFailsIsTold: checks of one bound are one exploration, with the executions of all; one
// that fails, or has no verdict, is that of all, by its name and with its token.
func TestShared_OneThatFailsIsTold(t *testing.T) {
	broken := errors.New("it broke")
	check := func(name string, failure *explore.Failure, err error) processes.Check {
		return processes.Check{Options: explore.Options{Reduce: true}, Search: processes.Search{Name: name,
			Explore: func(explore.Options) (explore.Report, fmt.Stringer, error) {
				var rep explore.Report
				rep.Executions, rep.Exhaustive, rep.Failure = 5, failure == nil, failure
				return rep, table.Tally{}, err
			}}}
	}
	good := check("Good", nil, nil)
	bad := check("Bad", &explore.Failure{Err: broken, Token: "token"}, nil)
	none := check("None", nil, broken)
	for name, c := range map[string]struct {
		checks  []processes.Check
		says    string
		unknown bool
		token   string
	}{
		"good":       {[]processes.Check{good, good}, "", false, ""},
		"bad":        {[]processes.Check{good, bad}, "Bad: ", false, "token"},
		"no verdict": {[]processes.Check{good, none}, "None: it broke", true, ""},
	} {
		s := together(c.checks)
		r := s.Run(t.Context(), func(string) {})
		if r.Executions != 10 || r.Bound != good.Bound() || r.Unknown != c.unknown || r.Token != c.token ||
			(r.Err == nil) != (c.says == "") || r.Err != nil && !strings.Contains(r.Err.Error(), c.says) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	whole := good
	whole.Scope = "of something else"
	if all := processes.Together([]processes.Check{good, whole, bad}); len(all) != 2 || len(all[0]) != 2 {
		t.Errorf("%d groups", len(all))
	}
}
