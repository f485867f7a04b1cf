package driver

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLonger: if hardly any new program can be drawn, the report says so; with a time that the user has given
// longer ones are drawn before. They tell what is found only with more calls, and not what they cannot make.
func TestLonger(t *testing.T) {
	for _, c := range []struct {
		timed, ended bool
		names        []string
		size         string
	}{
		{false, false, []string{"pairs", "pairs, later states", "drawn"},
			"programs had at most 2 actors with 2 calls each, after 2 calls; nearly all of this size were " +
				"explored; --actors 3 searches more"},
		{true, false, []string{"pairs", "pairs, later states", "drawn", "drawn, up to 3 calls each",
			"drawn, up to 4 calls each"},
			"programs had at most 2 actors with 4 calls each, after 6 calls; nearly all of this size were " +
				"explored; --actors 3 searches more"},
		{true, true, nil, ""},
	} {
		s := words()
		s.o.Methods, s.timeGiven = s.o.Methods[:1], c.timed
		if err := s.examine(); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		if c.ended {
			stop()
		}
		r, err := s.search(ctx)
		stop()
		var names []string
		for _, res := range r.Results {
			names = append(names, res.Name)
		}
		if err != nil || !c.ended && !slices.Equal(names, c.names) || !c.ended && r.Size != c.size ||
			c.ended && strings.Contains(r.Size, "nearly") {
			t.Errorf("%+v: %q, %q, left out %q, %v", c, names, r.Size, r.LeftOut, err)
		}
	}
}

// TestLonger_Found: a fault that needs eight calls before the others is found by longer programs alone.
func TestLonger_Found(t *testing.T) {
	for _, timed := range []bool{false, true} {
		s := of(bare("Add", func(w *word) []any {
			if n := w.n.Load(); n > 7 {
				w.n.Store(n + 1)
				return Results(n + 1)
			}
			return Results(w.n.Add(1))
		}))
		s.timeGiven = timed
		if err := s.examine(); err != nil {
			t.Fatal(err)
		}
		r, err := s.search(t.Context())
		found := slices.ContainsFunc(r.Results, func(res Result) bool { return res.Status == Found })
		if err != nil || found != timed || strings.Contains(r.Size, "nearly all") == found {
			t.Errorf("timed %t: found %t, %s, %v", timed, found, r.Size, err)
		}
	}
}

// TestLonger_Hangs: a call that does not come back in longer programs ends them, and the results of the
// others are told.
func TestLonger_Hangs(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	s := of(bare("Add", func(w *word) []any {
		n := w.n.Add(1)
		if n > 12 { // more than the calls of a shorter program and of the probe
			<-release
		}
		return Results(n)
	}))
	s.timeGiven, s.watchdog = true, 20*time.Millisecond
	if err := s.examine(); err != nil {
		t.Fatal(err)
	}
	r, err := s.search(t.Context())
	if err != nil || len(r.Results) < 3 || !slices.ContainsFunc(r.LeftOut, func(out string) bool {
		return strings.HasPrefix(out, "longer programs: Add: no scheduling point")
	}) {
		t.Errorf("%+v, %v", r, err)
	}
}
