package driver

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

func twoOf(c *Invocation, s *subject) objectProgram {
	return objectProgram{maker: s.maker, actors: [][]*Invocation{{c}, {c}}}
}

// TestExplored: a value is made in the course of the execution if that takes steps, a call may wait for
// longer than it looks when it is alone, and of a part of the sequential runs it is known that it is one.
func TestExplored(t *testing.T) {
	walk := bare("Walk", func(w *word) []any {
		for range 70 {
			w.n.Load()
		}
		return nil
	})
	starting := func(n int) *subject {
		s := of(bare("Len", number))
		s.maker = &Maker{Text: "starts()", New: func() (any, error) {
			w := &word{}
			for range 2 {
				flow.Go(func() {
					for range n {
						w.n.Add(1)
					}
				})
			}
			return w, nil
		}}
		return s
	}
	asks := of(bare("Len", number))
	asks.o.Inside = true
	for _, c := range []struct {
		name              string
		s                 *subject
		actors, spinLimit int
		partial           bool
	}{
		{"short", of(bare("Len", number)), 2, usualSpinLimit, false},
		{"long", of(walk), 2, 71, false},
		{"asks the clock", asks, 1, usualSpinLimit, false},
		{"starts a goroutine", starting(1), 1, usualSpinLimit, false},
		{"has too many runs", starting(9), 1, usualSpinLimit, true},
	} {
		p, j, err := c.s.explored("here", twoOf(c.s.o.Methods[0].call(), c.s))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(p.Start(nil)); n != c.actors || j.spinLimit != c.spinLimit || j.partial != c.partial {
			t.Errorf("%s: %d actors, want %d; spinLimit %d, want %d; partial %t", c.name, n, c.actors,
				j.spinLimit, c.spinLimit, j.partial)
		}
	}
}

// TestRefused: an error lists the orders that have the same results once, and of the probe what tells them
// apart.
func TestRefused(t *testing.T) {
	s := of(bare("Add", func(w *word) []any { w.n.Store(w.n.Load() + 1); return nil }), bare("Len", number),
		bare("Size", func(*word) []any { return Results(8) }))
	s.probe = []*Invocation{s.o.Methods[1].call(), s.o.Methods[2].call()}
	_, j, err := s.explored("here", twoOf(s.o.Methods[0].call(), s))
	if err != nil {
		t.Fatal(err)
	}
	j.saw.calls = []performed[*Invocation, string]{
		{actor: 0, call: j.p.actors[0][0], called: 1, returned: 3, answer: "done"},
		{actor: 1, call: j.p.actors[1][0], called: 2, returned: 4, answer: "done"}}
	j.saw.after = []string{"1", "8"}
	const want = "afterwards: Len() -> 1\n\none after the other:\n  Add() -> done, Add() -> done\n" +
		"    afterwards: Len() -> 2\n"
	refused, is := errors.AsType[*unexplainedError](j.check(&explore.Execution{}))
	if !is || !strings.HasSuffix(refused.history, want) {
		t.Errorf("%v\n%s\nwant the end\n%s", is, refused.history, want)
	}
}

// TestRefused_Waits: the probe is told of neither where somebody waits, for it is not made then.
func TestRefused_Waits(t *testing.T) {
	s := of(bare("Until2", func(w *word) []any {
		for w.n.Load() < 2 {
		}
		return nil
	}), bare("Len", number), bare("Put", func(w *word) []any { w.n.Store(1); return nil }))
	s.probe = []*Invocation{s.o.Methods[1].call()}
	p := twoOf(s.o.Methods[0].call(), s)
	p.actors[1][0] = s.o.Methods[2].call()
	_, j, err := s.explored("here", p)
	if err != nil {
		t.Fatal(err)
	}
	j.saw.calls = []performed[*Invocation, string]{{actor: 0, call: j.p.actors[0][0], called: 1}}
	j.saw.left = 1
	refused, is := errors.AsType[*unexplainedError](j.check(&explore.Execution{}))
	if !is || strings.Contains(refused.history, "afterwards") ||
		!strings.HasSuffix(refused.history, "\n  Until2() never returns, Put() -> done\n") {
		t.Errorf("%v\n%s", is, refused.history)
	}
}

// TestEnds: a search ends when enough was found, and when the type differs from run to run; what it has drawn
// it does not draw again, what is left out it tells once, and "all interleavings" of none that has more.
func TestEnds(t *testing.T) {
	rows := func(s *subject) (failures int, r Report) {
		t.Helper()
		r, err := s.search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(failing(r)), r
	}
	var careless []Method
	for i := range mostFailing {
		careless = append(careless, bare(fmt.Sprint("Add", i), func(w *word) []any {
			w.n.Store(w.n.Load() + 1)
			return number(w)
		}))
	}
	if n, _ := rows(of(careless...)); n < mostFailing || n > 3*mostFailing { // of three suites
		t.Errorf("%d failures of pairs, of later states and of what is drawn", n)
	}
	calls := 0
	chance := func(w *word) []any {
		if calls++; calls%7 == 0 {
			w.n.Load()
		}
		w.n.Load()
		return nil
	}
	if n, r := rows(of(bare("Look", chance), bare("Peek", chance))); n != 1 || len(r.Results) > 2 {
		t.Errorf("%d failures of a type that differs from run to run: %+v", n, r.Results)
	}
	s := of(bare("Turn", func(w *word) []any {
		for range 5 {
			w.n.Add(1)
		}
		return nil
	}))
	s.bound = 1
	_, r := rows(s)
	drawn := r.Results[len(r.Results)-1]
	if r.Results[0].Complete != 0 || drawn.Name != "drawn" || drawn.Programs > 8 {
		t.Errorf("all interleavings of %d programs; %d of 8 drawn", r.Results[0].Complete, drawn.Programs)
	}
	gate := of(put(2), bare("Enter", func(w *word) []any {
		if w.n.Load() > 0 {
			panic(hook.Refusal("a channel"))
		}
		return nil
	}))
	if _, r := rows(gate); !slices.Equal(r.LeftOut, []string{"some programs: a channel"}) {
		t.Errorf("left out: %q", r.LeftOut)
	}
}

// TestHistory_Open: a call that has not come back is open to the end.
func TestHistory_Open(t *testing.T) {
	got := squeeze(columns([]row{{actor: 0, call: "Wait()", called: 1},
		{actor: 1, call: "Add()", answer: "1", called: 2, returned: 3}}))
	want := squeeze("time | actor 1 | actor 2\n---- | ------- | -------\n" +
		"1 | Wait() |\n2 | | | Add()\n3 | | | -> 1\n")
	if got != want {
		t.Errorf("history\n%s\nwant\n%s", got, want)
	}
}

// TestExplored_SetupChooses: what a select chooses in a call before the actors is explored, not left to
// chance.
func TestExplored_SetupChooses(t *testing.T) {
	draw := bare("Draw", func(w *word) []any {
		one, two := make(chan int64, 1), make(chan int64, 1)
		one <- 1
		two <- 2
		a, b := flow.Receiving(one), flow.Receiving(two)
		if flow.Select(false, a, b) == 0 {
			w.n.Store(a.Value())
		} else {
			w.n.Store(b.Value())
		}
		return nil
	})
	s := of(bare("Len", number))
	p := twoOf(s.o.Methods[0].call(), s)
	p.setup = []*Invocation{draw.call()}
	program, j, err := s.explored("here", p)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	finish := program.Finish
	program.Finish = func(x *explore.Execution) error {
		for _, c := range j.saw.calls {
			seen[c.answer] = true
		}
		return finish(x)
	}
	r, err := explore.Explore(program, explore.Options{Preemptions: explore.Unbounded, Audit: 1})
	if err != nil || r.Failure != nil || !seen["1"] || !seen["2"] || len(seen) != 2 {
		t.Errorf("it saw %v: %v, %v", seen, err, r.Failure)
	}
}

// TestMadeInside: a value is made ahead of the executions unless that leaves a lock locked, a counter counted
// or panics; what was unlocked again, and a Once, are no reason.
func TestMadeInside(t *testing.T) {
	type locks struct {
		word //lint:ignore U1000 what a value of the type has besides
		mu   sync.Mutex
		rw   sync.RWMutex
		wg   sync.WaitGroup
		once sync.Once
	}
	for _, c := range []struct {
		name   string
		do     func(l *locks)
		inside bool
	}{
		{"nothing", func(*locks) {}, false},
		{"unlocked", func(l *locks) { l.mu.Lock(); l.mu.Unlock(); l.rw.RLock(); l.rw.RUnlock() }, false},
		{"done", func(l *locks) { l.wg.Add(1); l.wg.Done(); l.once.Do(func() {}) }, false},
		{"locked", func(l *locks) { l.mu.Lock() }, true},
		{"locked by trying", func(l *locks) { l.mu.TryLock() }, true},
		{"locked still", func(l *locks) { l.mu.Lock(); l.mu.TryLock() }, true},
		{"locked for reading", func(l *locks) { l.rw.RLock() }, true},
		{"locked for writing", func(l *locks) { l.rw.Lock() }, true},
		{"counted", func(l *locks) { l.wg.Add(2); l.wg.Done() }, true},
		{"panics", func(l *locks) { l.rw.Unlock() }, true},
	} {
		s := of(bare("Len", number))
		s.maker = &Maker{Text: "new()", New: func() (any, error) { return &locks{}, nil }}
		p := objectProgram{maker: s.maker, setup: []*Invocation{{Text: "Do()", Do: func(o any) []any {
			c.do(o.(*locks))
			return nil
		}}}}
		if inside, err := s.madeInside(p); err != nil || inside != c.inside {
			t.Errorf("%s: inside is %t, %v", c.name, inside, err)
		}
		p.setup, s.o.Inside = nil, true
		if inside, err := s.madeInside(p); err != nil || !inside {
			t.Errorf("%s: what asks the clock is made outside, %v", c.name, err)
		}
	}
}

// TestStrays: a method whose goroutine is no actor is one to be left out, with the reason; what one does only
// beside another call is not judged.
func TestStrays(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("NOT RUN: goroutines are told apart on amd64 and arm64 alone, and this is " + runtime.GOARCH)
	}
	stray := func(w *word) {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			w.n.Add(1)
		}()
		<-ended
	}
	s := of(bare("Len", number), bare("Start", func(w *word) []any { stray(w); return nil }))
	h, is := errors.AsType[hangs](s.examine())
	if !is || h.what != "Start" ||
		!strings.Contains(h.why, "a goroutine that is no actor comes to a step (Add)") {
		t.Errorf("%q: %s", h.what, h.why)
	}
	s = of(bare("Meet", func(w *word) []any {
		if n := w.n.Add(1); w.n.Load() > n {
			stray(w)
		}
		return nil
	}))
	s.ctx = t.Context()
	r, err := s.whole()
	if err != nil || len(r.Results) == 0 || r.Results[0].Status != Unknown ||
		r.Results[0].Kind != string(explore.Stray) {
		t.Errorf("%+v, %v", r, err)
	}
}
