package foreign

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
	"github.com/samecycle/samecycle/internal/plural"
)

// TestDeepen: a search that ends at its bound says so beside "clean", and how to search deeper. With a time
// it goes on by itself, up to a failure or until there is no more; not if the bound was asked for. Without a
// bound it searches everything.
func TestDeepen(t *testing.T) {
	w, _ := exploredTests(t, Options{Test: "^Test(Wrong|Right)$", Subject: Subject{Package: "deep"}})
	const two = "all with at most 2 preemptions"
	for _, c := range []struct {
		bound int
		time  time.Duration
		wrong driver.Status
		right string // what was covered
		says  []string
	}{
		{0, 0, driver.Clean, two, []string{": clean with at most 2 preemptions\n",
			"\nmore than 2 preemptions were not looked at: --bound 3 looks at more, --bound -1 at all, and " +
				"--time without --bound at as many as there is time for\n"}},
		{2, time.Second, driver.Clean, two, []string{": clean with at most 2 pre"}},
		{0, time.Minute, driver.Found, "all interleavings", []string{"first failure, with 6 preemptions\n"}},
		{explore.Unbounded, 0, driver.Found, "all interleavings", []string{"failure, with 6 preemptions\n"}},
	} {
		w.o.Preemptions, w.o.Time = c.bound, c.time
		began := time.Now()
		r, err := w.Explore(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wrong, right := r.Results[0], r.Results[1]
		if wrong.Status != c.wrong || right.Status != driver.Clean || r.covered(right) != c.right {
			t.Errorf("%+v: %s, %s, covered %s", c, wrong.Status, right.Status, r.covered(right))
		}
		if n := plural.Of(right.Schedules, "execution"); !strings.Contains(right.Bound, "; "+n+"; ") {
			t.Errorf("%+v: the bound lacks %s: %s", c, n, right.Bound)
		}
		for _, want := range c.says {
			if !strings.Contains(r.Text(), want) {
				t.Errorf("%+v: %q is missing in\n%s", c, want, r.Text())
			}
		}
		if time.Since(began) > 40*time.Second {
			t.Errorf("%+v took all of its time, though nothing is left to search", c)
		}
	}
}

// TestDeepen_Time: a test of which the time is over before a bound is searched is clean within the one below.
func TestDeepen_Time(t *testing.T) {
	w, _ := exploredTests(t, Options{Test: "Many_Steps", Subject: Subject{Package: "deep"}})
	w.o.Time = 2 * time.Second
	r, err := w.Explore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := r.Results[0]
	if s.Status != driver.Clean || !s.Exhaustive || s.Preemptions < 2 || s.Complete != 0 ||
		s.Elapsed < time.Second || !strings.Contains(r.Text(), "\nmore than ") {
		t.Errorf("%+v\n%s", s, r.Text())
	}
}

// TestDeepen_Executions: with a time a test that has more executions than one search may have is searched to
// its end, and then with more preemptions, if a bound was not asked for.
func TestDeepen_Executions(t *testing.T) {
	w, _ := exploredTests(t, Options{Test: "^Test(Wrong|Right)$", Executions: 3,
		Subject: Subject{Package: "deep"}})
	for _, c := range []struct {
		bound int
		time  time.Duration
		wrong driver.Status
		right string // what was covered
		says  string
	}{
		{0, 0, driver.Unknown, "in part: ", "searched to the end: give it more --executions or --time"},
		{2, 20 * time.Second, driver.Clean, "all with at most 2 preemptions", ": clean with at most 2 pre"},
		{0, 20 * time.Second, driver.Found, "all interleavings", "first failure, with 6 preemptions\n"},
	} {
		w.o.Preemptions, w.o.Time = c.bound, c.time
		r, err := w.Explore(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wrong, right := r.Results[0], r.Results[1]
		if wrong.Status != c.wrong || !strings.HasPrefix(r.covered(right), c.right) {
			t.Errorf("%+v: %s, covered %s", c, wrong.Status, r.covered(right))
		}
		if text := r.Text(); !strings.Contains(text, c.says) {
			t.Errorf("%+v: %q is missing in\n%s", c, c.says, text)
		}
	}
}

// TestDeepen_Type: programs of a type are searched without a bound, too, and the report has none then.
func TestDeepen_Type(t *testing.T) {
	_, r := typedIn(t, inLoaded, Subject{Type: "Door"}, Options{Preemptions: explore.Unbounded})
	for _, s := range r.Results {
		if s.Status != driver.Clean || s.Complete != s.Programs {
			t.Errorf("%s: %s, %d of %d to the end", s.Name, s.Status, s.Complete, s.Programs)
		}
	}
	if text := r.Text(); strings.Contains(text, "preemption") {
		t.Errorf("it has a bound:\n%s", text)
	}
}
