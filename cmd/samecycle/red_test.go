package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/stress"
)

// TestForeignReport_Red: what could not be judged ends with the status of what is wrong, and so does a report
// of nothing.
func TestForeignReport_Red(t *testing.T) {
	for status, red := range map[driver.Status]bool{driver.Clean: false, driver.Found: true,
		driver.Unknown: true, "": true} {
		r := foreign.Report{Report: driver.Report{Results: []driver.Result{{Status: status}}}}
		if got := foreignReport(t.Context(), r).Red; got != red {
			t.Errorf("%q: red %t", status, got)
		}
	}
	if !foreignReport(t.Context(), foreign.Report{}).Red {
		t.Error("no result is no verdict")
	}
}

// TestStress_Red: a campaign ends with status 0 only if each state ran, met its race, and was decided.
func TestStress_Red(t *testing.T) {
	good := stress.StateReport{State: "S01AddEmpty", Marks: 1, Windows: 1}
	for name, c := range map[string]struct {
		change func(*stress.StateReport)
		red    bool
	}{
		"good":      {func(*stress.StateReport) {}, false},
		"wrong":     {func(s *stress.StateReport) { s.Faults = []string{"bad"} }, true},
		"undecided": {func(s *stress.StateReport) { s.Undecided = []string{"long"} }, true},
		"not run":   {func(s *stress.StateReport) { s.Windows = 0 }, true},
		"not seen":  {func(s *stress.StateReport) { s.Marks = 0 }, true},
	} {
		s := good
		c.change(&s)
		if got := redStress(&stress.Report{States: []*stress.StateReport{&good, &s}}); got != c.red {
			t.Errorf("%s: red %t", name, got)
		}
	}
	if !redStress(&stress.Report{Faults: []string{"differs"}, States: []*stress.StateReport{&good}}) {
		t.Error("a fault of no state is none")
	}
}

// TestRecords_NoVerdict: a run of TLC without a verdict, of the specification or of one of its mutants,
// lowers a record to unknown, and never raises one that has failed.
func TestRecords_NoVerdict(t *testing.T) {
	late := tlc.Killed{Mutant: tlc.Mutant{Name: "a"}, Problem: "the time ran out", Unknown: true}
	lives := tlc.Killed{Mutant: tlc.Mutant{Name: "b"}, Problem: "it SURVIVES"}
	died := tlc.Killed{Mutant: tlc.Mutant{Name: "c"}}
	for want, killed := range map[evidence.Status][]tlc.Killed{evidence.Pass: {died},
		evidence.Unknown: {died, late}, evidence.Fail: {lives, late}} {
		if r := mutantsRecord("S01AddEmpty", killed, &tlc.Tool{}); r.Status != want {
			t.Errorf("mutants: %s, want %s: %v", r.Status, want, r.Detail)
		}
	}
	pass, fail := tlc.Verdict{}, tlc.Verdict{Problems: []string{"another count"}}
	unknown := tlc.Verdict{Unknown: true, Problems: []string{"no verdict within 1s"}}
	stopped := tlc.Verdict{Unknown: true, Err: errors.New("stopped")}
	for want, verdicts := range map[evidence.Status][][]tlc.Verdict{
		evidence.Pass: {{pass}}, evidence.Unknown: {{pass, unknown}, {stopped, pass}},
		evidence.Fail: {{unknown, fail}, {fail, stopped}},
	} {
		for _, all := range verdicts {
			r := evidence.Record{Status: evidence.Pass, Tools: map[string]string{}}
			for _, v := range all {
				worsen(&r, v)
			}
			if r.Status != want {
				t.Errorf("runs %+v: %s, want %s", all, r.Status, want)
			}
		}
	}
}

// mute is a link that cannot say what it covers.
type mute struct{ testLink }

func (mute) Covers(evidence.Env) ([]string, error) { return nil, errors.New("the manifest is cut") }

// TestCheck_WhatIsCoveredIsUnknown: the cells of a link that cannot say what it covers look as if nobody had
// built them yet, so the check is red though no cell is.
func TestCheck_WhatIsCoveredIsUnknown(t *testing.T) {
	root := repositoryWith(t, testLink{link: "model"}, mute{testLink{link: "spec"}})
	for _, command := range []string{"check", "states"} {
		code, out, errOut := call(command, "--root", root)
		if code != exitRed || !strings.Contains(out+errOut, "the manifest is cut") {
			t.Errorf("%s: status %d\n%s%s", command, code, out, errOut)
		}
	}
}
