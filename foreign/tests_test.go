package foreign

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
)

// tested is a module whose tests are explored.
const tested = "./testdata/tested"

// exploredTests explores the tests of a module that match.
func exploredTests(t *testing.T, o Options) (*Work, Report) {
	t.Helper()
	return exploredIn(t, tested, o)
}

// TestTests_Clean: tests that are right are clean, all to the end, those of a package of their own as well.
// What they leave is told, as is what is not called.
func TestTests_Clean(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "Right|Outside"})
	var names []string
	for _, s := range r.Results {
		names = append(names, s.Name)
		if s.Status != driver.Clean || !s.Exhaustive || s.Schedules < 2 {
			t.Errorf("%s: %s after %d executions: %s", s.Name, s.Status, s.Schedules, s.Message)
		}
	}
	want := []string{"TestOutside", "TestRight_One", "TestRight_Timeout", "TestRight_Ticks",
		"TestRight_TwoSleeps", "TestRight_Began", "TestRight_Looks",
		"TestRight_Cleanup", "TestRight_Bubble", "TestRight_Loop", "TestRight_Spin", "TestRight_Once",
		"TestRight_Map", "TestRight_Helper", "TestRight_Parallel", "TestRight_ParallelMeet",
		"TestRight_Goexit", "TestRight_EndsThrough", "TestRight_Surroundings", "TestRight_Counts"}
	if !slices.Equal(names, want) {
		t.Errorf("explored were %q, want %q", names, want)
	}
	for _, want := range []string{": clean as far as searched: with at most 2 preemptions; " +
		"without control of os\n",
		"do not end were left by:\n  TestRight_Ticks: in ", "the clock stands still"} {
		if text := r.Text(); !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// place is where a test says something.
var place = regexp.MustCompile(`\b\w+_test\.go:\d+: `)

// withoutPlaces returns a message without the places at which the test says something.
func withoutPlaces(message string) string { return place.ReplaceAllString(message, "") }

// wrongs is what is told of the tests that fail in some order.
var wrongs = map[string]string{
	"TestWrong_Two":            "test.2 wait for ever; the test never returns",
	"TestWrong_Lost":           "the test fails\nTestWrong_Lost/the_sum: it is 1\nbehind it",
	"TestWrong_Timeout":        "the test fails\ntoo late",
	"TestWrong_Late":           "Log in goroutine after TestWrong_Late has completed: hello",
	"TestWrong_FatalElsewhere": "was called in a goroutine other than that of TestWrong_FatalElsewhere\nno",
	"TestWrong_Parallel":       "the test fails\nTestWrong_Parallel/part",
	"TestWrong_FatalOfParent":  "was called in a goroutine other than that of TestWrong_FatalOfParent\nno",
	"TestWrong_Goexit":         "test executed panic(nil) or runtime.Goexit",
	"TestWrong_Exit":           "os.Exit(0) was called",
	"TestWrong_Map":            "the test fails\nthe least key comes first",
	"TestWrong_Many":           "the test fails\nlost 99",
	"TestWrong_Counts":         "the test fails\none is left",
	"TestWrong_Panic":          "assignment to entry in nil map",
}

// TestTests_Found: what fails in some order is found, with places in files of the user and a token that leads
// to it again.
func TestTests_Found(t *testing.T) {
	w, r := exploredTests(t, Options{Test: "Wrong|Skips|Varies"})
	seen := 0
	for _, s := range r.Results {
		switch want := wrongs[s.Name]; {
		case s.Name == "TestSkips":
			says := withoutPlaces(s.Message)
			if s.Status != driver.Skipped || says != "NOT RUN: the test skips itself: not 1" {
				t.Errorf("a test that skips itself: %s, %s", s.Status, s.Message)
			}
		case strings.HasPrefix(s.Name, "TestVaries"):
			if s.Status != driver.Unknown || s.Kind != "nondeterminism" {
				t.Errorf("a test that varies: %s, %s", s.Status, s.Message)
			}
		case s.Name == "TestWrong_Race":
			if s.Status != driver.Clean {
				t.Errorf("plain accesses were looked at: %s", s.Message)
			}
		case s.Status != driver.Found ||
			!strings.Contains(withoutPlaces(s.Message), want) || !strings.Contains(s.Table, "wrong_test.go:"):
			t.Errorf("%s: %s, %s\n%s", s.Name, s.Status, s.Message, s.Table)
		default:
			seen++
			if title := s.Name + " of " + tested; !strings.Contains(s.HTML, title+"</title>") ||
				strings.Contains(s.HTML, "<dt>note</dt><dd></dd>") {
				t.Errorf("the page is not called %q, or has an empty note", title)
			}
			again, err := w.Replay(t.Context(), s.Token)
			if err != nil || len(again.Results) != 1 || again.Results[0].Message != s.Message ||
				again.Results[0].Kind != s.Kind {
				t.Errorf("%s replayed: %v, %+v", s.Name, err, again.Results)
			}
			if _, err := again.Export("p"); !errors.Is(err, ErrExport) {
				t.Errorf("%s exported: %v", s.Name, err)
			}
		}
	}
	if seen != len(wrongs) {
		t.Errorf("%d of %d tests were found to fail", seen, len(wrongs))
	}
}

// TestTests_Many: a test of more goroutines than there are places is searched with few delays, and is never
// told to be clean if some had to wait. One that needs all of them at the same time, or all of them before
// the clock goes on, does not fail.
func TestTests_Many(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "Many|Meeting|TooLate", Executions: 500})
	told := map[string]string{}
	for _, s := range r.Results {
		if s.Name == "TestMany" && !strings.Contains(s.Message, "with 101 goroutines and timers") {
			t.Error(s.Message)
		}
		told[s.Name] = string(s.Status) + " " + s.Kind + " " + s.Bound
		if s.Name == "TestWrong_Many" && (s.Schedules > 100 || s.Preemptions > 1) {
			t.Errorf("it took %d executions to find one with %d preemptions", s.Schedules, s.Preemptions)
		}
	}
	for name, want := range map[string]string{
		"TestMany":         "all with at most 1 delay; at most 32 goroutines that can go on at a time",
		"TestManyParallel": "drawn",
		"TestMeeting":      "all with at most 1 delay; at most 32 goroutines that can go on at a time",
		"TestTooLate":      "all with at most 1 delay; at most 32 goroutines that can go on at a time",
		"TestWrong_Many":   "found verdict ",
	} {
		if !strings.Contains(told[name], want) ||
			name != "TestWrong_Many" && !strings.HasPrefix(told[name], "unknown  ") {
			t.Errorf("%s: %q, want %q", name, told[name], want)
		}
	}
}

// TestTests_OneByOne: nothing is lost if there are more goroutines than places, but never more than can go
// on.
func TestTests_OneByOne(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "OneByOne"})
	s, text := r.Results[0], r.Text()
	if s.Status != driver.Clean || s.Crowded || strings.Contains(text, "that can go on at a time") {
		t.Errorf("%s, crowded %t\n%s", s.Status, s.Crowded, text)
	}
}

// TestTests_Races: with races plain accesses of the test count, and the token of one leads to it again.
func TestTests_Races(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "_Race$", Races: true})
	s := r.Results[0]
	if s.Status != driver.Found || s.Kind != "race" || !strings.Contains(s.Message, "wrong_test.go:") {
		t.Fatalf("%s, %s: %s", s.Status, s.Kind, s.Message)
	}
	again, err := Minimise(t.Context(), s.Token, Options{})
	if err != nil || len(again.Results) != 1 || again.Results[0].Kind != "race" {
		t.Errorf("%v, %+v", err, again.Results)
	}
}

// TestTests_Endless: a test that never returns is unknown, and another driver goes on behind it.
func TestTests_Endless(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "Endless"})
	if len(r.Results) != 2 || r.Results[0].Status != driver.Unknown || r.Results[0].Kind != "hung" ||
		r.Results[1].Name != "TestEndless_Second" || r.Results[1].Status != driver.Clean ||
		len(r.LeftOut) != 0 {
		t.Errorf("%+v, left out %q", r.Results, r.LeftOut)
	}
}

// TestTests_Apart: a folder may have nothing but tests of a package of their own.
func TestTests_Apart(t *testing.T) {
	_, r := exploredTests(t, Options{Test: ".", Subject: Subject{Package: "apart"}})
	if s := r.Results[0]; s.Name != "apart.TestApart" || s.Status != driver.Clean {
		t.Errorf("%s: %s, %s", s.Name, s.Status, s.Message)
	}
}

// TestTests_Goleak: package goleak, which would take the explorer's goroutines for leaks, is not asked.
func TestTests_Goleak(t *testing.T) {
	_, r := exploredTests(t, Options{Test: ".", Subject: Subject{Package: "leaks"}})
	if s := r.Results[0]; s.Name != "leaks.TestNone" || s.Status != driver.Clean {
		t.Errorf("%s: %s, %s", s.Name, s.Status, s.Message)
	}
}

// TestTests_Main: TestMain is called in each execution, may end the process as it does, and fails if that is
// not with what Run returns.
func TestTests_Main(t *testing.T) {
	w, _ := exploredTests(t, Options{Test: ".", Subject: Subject{Package: "apart"}})
	for does, want := range map[string]struct {
		status driver.Status
		says   string
	}{
		"":            {driver.Clean, ""},
		"no run":      {driver.Unknown, "NOT RUN: TestMain does not run it"},
		"fails ahead": {driver.Found, "os.Exit(1) was called"},
		"fails":       {driver.Found, "os.Exit(3) was called"},
	} {
		t.Setenv("SAMECYCLE_TESTED_MAIN", does)
		r, err := w.Explore(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Results[0]; s.Status != want.status || !strings.Contains(s.Message, want.says) {
			t.Errorf("%q: %s, %q", does, s.Status, s.Message)
		}
	}
}

// TestTests_Subtests: of a test that makes too many steps each subtest is explored alone; so are those that
// are asked for. A token leads to that subtest again, whatever its name is.
func TestTests_Subtests(t *testing.T) {
	titles := func(r Report) (all []string) {
		for _, s := range r.Results {
			all = append(all, s.Name)
		}
		return all
	}
	w, r := exploredTests(t, Options{Test: "TestLarge", Executions: 20})
	want := []string{"TestLarge/a", "TestLarge/b#1/2", "TestLarge/a#01", "TestLarge/c.d_e"}
	if got := titles(r); !slices.Equal(got, want) || !slices.Equal(r.Parts, []string{"TestLarge"}) {
		t.Fatalf("explored were %q, of %q", got, r.Parts)
	}
	s := r.Results[1]
	if s.Status != driver.Found || !strings.Contains(s.Message, "somebody was faster") {
		t.Errorf("%s: %s", s.Status, s.Message)
	}
	again, err := w.Replay(t.Context(), s.Token)
	if err != nil || len(again.Results) != 1 || again.Results[0].Message != s.Message {
		t.Errorf("replayed: %v, %+v", err, again.Results)
	}
	name, err := explore.TokenProgram(s.Token)
	test, pkg, is := tokenTest(name)
	if err != nil || !is || test != "^TestLarge$" || pkg != "" {
		t.Errorf("%q has the test %s of %q, %v", name, test, pkg, err)
	}
	if test, pkg, is = tokenTest("m#test#a/b.c.TestD/e.TestF"); !is || test != "^TestD$" || pkg != "a/b.c" {
		t.Errorf("the test %s of %q", test, pkg)
	}
	_, r = exploredTests(t, Options{Test: "TestLarge/^a", Executions: 2})
	if got := titles(r); !slices.Equal(got, []string{"TestLarge/a", "TestLarge/a#01"}) || len(r.Parts) != 0 {
		t.Errorf("asked for were %q, of %q", got, r.Parts)
	}
	_, r = exploredTests(t, Options{Test: "TestLarge/^c.d e$", Executions: 2}) // as t.Run was given it
	if got := titles(r); !slices.Equal(got, []string{"TestLarge/c.d_e"}) {
		t.Errorf("asked for was %q", got)
	}
	_, err = Explore(t.Context(), tested, Options{Test: "TestLarge/nothing"})
	if err == nil || !strings.Contains(err.Error(), "no subtest matches nothing; there are: TestLarge/a, ") {
		t.Error(err)
	}
}

// TestTests_Leaks: that a test leaves goroutines which wait for ever is told, and with Leaks a failure, which
// a token leads to again; those that wait for the clock come to their end then.
func TestTests_Leaks(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "Leaks"})
	if len(r.Results) != 2 || r.Status() != driver.Clean || len(r.Left) != 2 {
		t.Errorf("without: %s, left were %q", r.Status(), r.Left)
	}
	w, r := exploredTests(t, Options{Test: "Leaks", Leaks: true})
	s, sleep := r.Results[0], r.Results[1]
	if s.Name != "TestLeaks_Send" || s.Status != driver.Found || !strings.Contains(s.Message,
		"test.1 waits for ever; the test has returned") || sleep.Status != driver.Clean {
		t.Errorf("%s: %s, %s; %s: %s", s.Name, s.Status, s.Message, sleep.Name, sleep.Status)
	}
	again, err := w.Replay(t.Context(), s.Token)
	if err != nil || again.Results[0].Message != s.Message {
		t.Errorf("replayed: %v, %+v", err, again.Results)
	}
	_, r = exploredTests(t, Options{Test: "LoopsOn", Leaks: true, Executions: 2})
	if s := r.Results[0]; s.Status != driver.Found ||
		!strings.Contains(s.Message, "test.1 waits for ever; the test has returned") {
		t.Errorf("one that leaves an endless loop: %s, %s", s.Status, s.Message)
	}
}

// TestTests_Time: all of a time that is given goes to executions that are drawn. A test of so many goroutines
// is not clean then. Without more time it has four executions: one in order, two with a delay, one drawn.
func TestTests_Time(t *testing.T) {
	_, r := exploredTests(t, Options{Test: "^TestMany$", Time: 4e9, Executions: 1})
	s := r.Results[0]
	if s.Status != driver.Unknown || s.Exhaustive || s.Schedules < 10 ||
		!strings.Contains(s.Bound, " drawn") || !strings.Contains(s.Message, "not searched to the end") {
		t.Errorf("%s after %d executions: %s; %s", s.Status, s.Schedules, s.Bound, s.Message)
	}
}

// TestTests_Refused: what cannot be explored is named, with what there is.
func TestTests_Refused(t *testing.T) {
	below := filepath.ToSlash(tested)
	for _, c := range []struct {
		target string
		o      Options
		says   string
	}{
		{tested, Options{Test: "Nothing"},
			"no test of " + below + " matches Nothing; it has:\n  .: TestOutside"},
		{tested, Options{Test: "("}, "--test: error parsing regexp"},
		{tested, Options{Test: ".", Subject: Subject{Package: "plain"}},
			"no test of " + below + " in plain matches .; it has none\n" +
				"tests of other packages match: choose one by --package: ., "},
		{tested + "/apart", Options{Test: "TestOutside"},
			"no test of " + below + "/apart matches TestOutside; it has:\n  apart: TestApart\ntests of " +
				"other packages match: choose one by --package: ."},
		{tested + "/apart", Options{}, "tests can be explored as they are: samecycle explore " + below +
			"/apart --test NAME\n  apart: TestApart"},
		{tested, Options{Subject: Subject{Package: "apart"}}, "tests can be explored as they are: " +
			"samecycle explore " + below + " --package apart --test NAME\n  apart: TestApart"},
		{tested + "/plain", Options{}, "tests can be explored as they are: samecycle explore " + below +
			"/plain --package PACKAGE --test NAME\n  .: TestOutside, "},
		{tested + "/program", Options{Test: "."}, "package main, which nobody can import"},
		{"sync.Map", Options{Test: "."}, "leave --type and --test out"},
		{tested, Options{}, "tests can be explored as they are: samecycle explore " + below +
			" --test NAME\n  .: TestOutside, "},
	} {
		_, err := Explore(t.Context(), c.target, c.o)
		if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %+v: %v, want %q", c.target, c.o, err, c.says)
		}
	}
}
