package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// TestPlain: equal data has equal text, and what differs from run to run has none of it.
func TestPlain(t *testing.T) {
	n, nothing := 5, (*int)(nil)
	var heard, deaf Heard
	heard.Add(2, "b")
	heard.Add(1, "a")
	for want, results := range map[string][]any{
		"done":                                nil,
		`true, called with (1, "a") (2, "b")`: {true, &heard},
		"nothing called":                      {&deaf},
		"7, true":                             {uint32(7), true},
		`"a", nil`:                            {"a", nil},
		`error "gone"`:                        {errors.New("gone")},
		"&5, nil":                             {&n, nothing},
		`bytes "ab"`:                          {[]byte("ab")},
		"[1 2], [0.5]":                        {[]int{1, 2}, [1]float64{0.5}},
		"{1: 2, 3: 4}":                        {map[int]int{3: 4, 1: 2}},
		"{A: 1, b: {c: 2}}": {struct {
			A int
			b struct{ c uint8 }
		}{1, struct{ c uint8 }{2}}},
		"pointer that is not nil, func that is not nil": {&struct{ x int }{}, func() {}},
	} {
		if got := plain(results); got != want {
			t.Errorf("%v is %q, want %q", results, got, want)
		}
	}
}

// TestRoom: what a channel was sent is no result of the call; it is told at the end, in order, by the place
// of the call, and apart from that of the probe. So is that it is closed.
func TestRoom(t *testing.T) {
	var r rooms
	give := func(at place, call string) (chan int, string) {
		var h Heard
		c := Room[int](&h)
		c <- 2
		r.keep(at, call, Results(&h))
		return c, plain(Results(&h))
	}
	second, result := give(place{1, 0}, "Tell(room)")
	first, _ := give(place{0, 0}, "Tell(room)")
	give(place{ahead, 0}, "Fill(room)")
	probed, _ := give(place{behind, 0}, "Tell(room)")
	<-second
	first <- 1
	close(probed)
	got := r.saw([]string{"done"})
	want := []string{"done", "Tell(room) was sent (2), closed",
		"Fill(room) before was sent (2), Tell(room) of actor 1 was sent (2, 1), " +
			"Tell(room) of actor 2 was sent ()"}
	if result != "done" || !slices.Equal(got, want) {
		t.Errorf("result %q, then %q", result, got)
	}
	if s := ofState(got, 1); !slices.Equal(s, want[:2]) {
		t.Errorf("the state is told by %q", s)
	}
	var h Heard
	Room[int](&h)
	h.Add("a")
	if got := plain(Results(nil, &h)); got != `nil, called with ("a")` {
		t.Errorf("called: %q", got)
	}
	if v, open := <-Channel(3); v != 3 || !open {
		t.Errorf("%d, %t", v, open)
	}
	if _, open := <-Channel[int](); open {
		t.Error("without a value it is open")
	}
}

func TestOrders(t *testing.T) {
	var all [][]int
	err := orders([]int{2, 1}, func(o []int) error {
		all = append(all, slices.Clone(o))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]int{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}; !reflect.DeepEqual(all, want) {
		t.Errorf("orders %v, want %v", all, want)
	}
}

// word is a type with one number, and methods that are right and wrong.
type word struct{ n atomic.Int64 }

func (w *word) claim(careful bool) bool {
	if careful {
		return w.n.CompareAndSwap(0, 1)
	}
	free := w.n.Load() == 0
	if free {
		w.n.Store(1)
	}
	return free
}

func invocation(text string, do func(w *word) []any) []Invocation {
	return []Invocation{{Text: text, Do: func(o any) []any { return do(o.(*word)) }}}
}

func words() *subject {
	return &subject{
		run:    run{name: "here", bound: 2, notice: io.Discard},
		limits: limits{actors: 2, seed: 1, time: DefaultTime},
		o: Object{Name: "Word", Makers: []Maker{
			{Text: "none()", New: func() (any, error) { return Made((*word)(nil), nil) }},
			{Text: "new()", New: func() (any, error) { return &word{}, nil }},
		}, Methods: []Method{
			{Name: "Careful",
				Calls: invocation("Careful()", func(w *word) []any { return Results(w.claim(true)) })},
			{Name: "Careless",
				Calls: invocation("Careless()", func(w *word) []any { return Results(w.claim(false)) })},
			{Name: "Panic", Quiet: true, Calls: invocation("Panic()", func(w *word) []any {
				if w.n.Add(1); w.n.Load() > 1 {
					panic("too many")
				}
				return nil
			})},
			{Name: "Wait", Quiet: true, Calls: invocation("Wait()", func(w *word) []any {
				for w.n.Load() == 0 {
				}
				return nil
			})},
		}},
	}
}

// TestSearch: the careless method is found, the others are not, the first maker that works is taken, and a
// method that waits has its place.
func TestSearch(t *testing.T) {
	s := words()
	if err := s.examine(); err != nil || s.maker.Text != "new()" || len(s.leftOut) != 0 {
		t.Fatalf("%v, maker %+v, left out %q", err, s.maker, s.leftOut)
	}
	s.only = []string{"Careful", "Careless", "Panic"}
	r, err := s.search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	careless := 0
	for _, res := range r.Results {
		if res.Status == Found && !strings.Contains(res.Program, "Careless") &&
			!strings.Contains(res.Program, "Panic") {
			t.Errorf("%s: %s\n%s", res.Program, res.Message, res.History)
		}
		if res.Name == "Careless" {
			careless++
			again, err := s.wholeObject(res.Token)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := s.replayOf(again, res.Token); err != nil || out.Results[0].History != res.History {
				t.Errorf("replay: %+v, %v", out, err)
			}
		}
	}
	if careless != 1 {
		t.Errorf("%d reports of two Careless", careless)
	}
	s.only, s.bound = []string{"Careful", "Wait"}, 1
	if r, err := s.search(t.Context()); err != nil || len(r.Results) < 2 || slices.ContainsFunc(r.Results,
		func(res Result) bool { return res.Status != Clean }) {
		t.Errorf("right ones alone: %+v, %v", r, err)
	}
}

// TestMakers: a value is made by none that never returns, panics, fails or is not explored, and the error
// says so of each.
func TestMakers(t *testing.T) {
	var never atomic.Int64
	s := words()
	s.o.Makers = []Maker{
		{Text: "waits()", New: func() (any, error) {
			for never.Load() == 0 {
			}
			return &word{}, nil
		}},
		{Text: "panics()", New: func() (any, error) { panic("no room") }},
		{Text: "fails()", New: func() (any, error) { return Made(&word{}, errors.New("no file")) }},
		{Text: "refused()", New: func() (any, error) { panic(hook.Refusal("a channel")) }},
		{Text: "starts()", New: func() (any, error) {
			flow.Go(func() { panic("alone") })
			return &word{}, nil
		}},
	}
	want := "Word can be made: waits(): it never returns; panics(): it panics: no room; fails(): it " +
		"returns the error no file; refused(): a channel; starts(): a goroutine that it starts panics: " +
		"alone; name another function by --new, or zero for the zero value"
	if err := s.examine(); !errors.Is(err, ErrObject) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestNoMethod: if no method can be explored, the error says by what the value was made, and has the first
// line alone of what a goroutine panics with.
func TestNoMethod(t *testing.T) {
	s := words()
	s.o.Makers = []Maker{{Text: "new(Word)", New: func() (any, error) { return &word{}, nil }}}
	s.o.Methods = []Method{{Name: "Start", Calls: invocation("Start()", func(*word) []any {
		flow.Go(func() { panic("no function\n\nits stack") })
		return nil
	})}}
	want := "Start: a goroutine that it starts panics: no function; the value was made by new(Word): if it " +
		"lacks something, name a function that makes a whole one by --new"
	if err := s.examine(); !errors.Is(err, ErrObject) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestPanics: of a value that no method works on the error has the first call.
func TestPanics(t *testing.T) {
	s := words()
	s.o.Makers = []Maker{{Text: "bare()", New: func() (any, error) { return (*word)(nil), nil }}}
	want := "each call on bare() panics, the first: Careful() -> panic: runtime error: invalid memory"
	if err := s.examine(); !errors.Is(err, ErrObject) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestCut: a search that came to the end of no program is not clean, and one of a part says of which.
func TestCut(t *testing.T) {
	s := words()
	if err := s.examine(); err != nil {
		t.Fatal(err)
	}
	s.only, s.executions = []string{"Careful"}, 1
	r, err := s.search(t.Context())
	if err != nil || len(r.Results) == 0 || r.Results[0].Status != Unknown {
		t.Errorf("%+v, %v", r.Results, err)
	}
	s.executions = 5
	if r, err = s.search(t.Context()); err != nil {
		t.Error(err)
	}
	parts := 0
	for _, res := range r.Results {
		says := fmt.Sprintf("%d of %d programs to the end, with ", res.Programs-res.Cut, res.Programs)
		if res.Cut > 0 && res.Status == Clean && strings.HasPrefix(res.Bound, says) {
			parts++
		}
		if (res.Cut > 0) == res.Exhaustive {
			t.Errorf("some were cut, and all were searched: %+v", res)
		}
	}
	if parts == 0 {
		t.Errorf("no row says that it is of a part: %+v", r.Results)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := s.search(ctx); err != nil || r.Results[0].Status != Unknown ||
		!strings.Contains(r.Results[0].Message, "ended before") {
		t.Errorf("interrupted: %+v, %v", r.Results, err)
	}
}

// TestUnexamined: a type whose examination the time ends is unknown, and which methods it came to is told; a
// program that it ends before its sequential runs are made is not searched.
func TestUnexamined(t *testing.T) {
	endless := bare("Endless", func(w *word) []any {
		for range 2 * longestCall {
			w.n.Add(1)
		}
		return nil
	})
	for end, want := range map[string]string{"": "2 of 3 methods had been called alone, not yet Endless",
		"Put": "1 of 3 methods had been called alone, not yet Put, Endless"} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		s := of(bare("Len", number), put(2), endless)
		s.ctx, s.maker = ctx, nil
		for i := range s.o.Methods {
			if m := &s.o.Methods[i]; m.Name == cmp.Or(end, "Endless") {
				do := m.Calls[0].Do
				m.Calls[0].Do = func(o any) []any { stop(); return do(o) }
			}
		}
		r, err := s.whole()
		if err != nil || len(r.Results) != 1 || r.Results[0].Status != Unknown ||
			!strings.Contains(r.Results[0].Message, want) {
			t.Errorf("%+v, %v, want %q", r.Results, err, want)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	s := of(bare("Len", number))
	s.ctx = ctx
	tour := &tour{subject: s, name: "pairs"}
	stop()
	var out Report
	if err := tour.explore(twoOf(s.o.Methods[0].call(), s), &out); err != nil || tour.left != 1 ||
		tour.row.Programs != 0 {
		t.Errorf("a program that was not to be begun: %+v, %v", tour, err)
	}
}

// TestWaits: who waits for ever is right only if nothing that happened would have let it go on.
func TestWaits(t *testing.T) {
	s := words()
	if err := s.examine(); err != nil {
		t.Fatal(err)
	}
	p, err := s.o.parse("Word#new()##Wait() || Careful()")
	if err != nil || p.text() != "{new()} Wait() || Careful()" ||
		p.name(s.o) != "Word#new()##Wait() || Careful()" {
		t.Fatalf("%s, %v", p.text(), err)
	}
	_, j, err := s.explored("here", p)
	if err != nil {
		t.Fatal(err)
	}
	j.saw.calls = []performed[*Invocation, string]{
		{actor: 0, call: p.actors[0][0], called: 1},
		{actor: 1, call: p.actors[1][0], called: 2, returned: 3, answer: "true"}}
	if err := j.check(&explore.Execution{}); !errors.Is(err, ErrIllegal) {
		t.Errorf("it waits for what has come: %v", err)
	}
	if p, err = s.o.parse("Word#new()##Wait() || Wait()"); err != nil {
		t.Fatal(err)
	}
	if _, j, err = s.explored("here", p); err != nil {
		t.Fatal(err)
	}
	j.saw.calls = []performed[*Invocation, string]{{actor: 0, called: 1}, {actor: 1, called: 2}}
	if err := j.check(&explore.Execution{}); err != nil {
		t.Errorf("they wait for what did not come: %v", err)
	}
}

// TestTime: an order that a return and a call contradict explains nothing.
func TestTime(t *testing.T) {
	s := words()
	if err := s.examine(); err != nil {
		t.Fatal(err)
	}
	p, err := s.o.parse("Word#new()##Careful() || Careful()")
	if err != nil {
		t.Fatal(err)
	}
	program, j, err := s.explored("here", p)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := explore.Explore(program, explore.Options{Preemptions: 2}); err != nil || r.Failure != nil {
		t.Fatalf("%v, %v", r.Failure, err)
	}
	after := slices.Clone(j.sequences[0].after)
	for second, want := range map[int]error{2: nil, 4: ErrIllegal} {
		j.saw.after, j.saw.calls = after, []performed[*Invocation, string]{
			{actor: 0, call: p.actors[0][0], called: 1, returned: 3, answer: "false"},
			{actor: 1, call: p.actors[1][0], called: second, returned: 5, answer: "true"}}
		if err := j.check(&explore.Execution{}); !errors.Is(err, want) {
			t.Errorf("the second is called at %d: %v, want %v", second, err, want)
		}
	}
	j.partial, j.known, j.saw.calls[1].called = true, map[string]error{}, 4
	if err := j.judge(); !errors.Is(err, ErrUnknown) || errors.Is(err, ErrIllegal) {
		t.Errorf("of a part of the sequential runs: %v", err)
	}
	if j.partial, j.saw.calls[1].called = false, 2; j.check(&explore.Execution{}) != nil {
		t.Error("it is not remembered that this was right")
	}
	j.saw.after = append(after[:len(after)-1:len(after)-1], "nothing like it")
	if err := j.judge(); !errors.Is(err, ErrIllegal) || !strings.Contains(err.Error(), "afterwards") {
		t.Errorf("what is left afterwards is not of this order: %v", err)
	}
}

// TestAllRuns: a call that starts a goroutine has the results of each moment at which that may run; of
// more runs than are made it is known that there are more, and those with few preemptions are made.
func TestAllRuns(t *testing.T) {
	var last *word
	spawning := func(n int64) *Maker {
		return &Maker{Text: "new()", New: func() (any, error) {
			w := &word{}
			for range 2 {
				flow.Go(func() {
					for range n {
						w.n.Add(1)
					}
				})
			}
			last = w
			return w, nil
		}}
	}
	value := invocation("Value()", func(w *word) []any { return Results(w.n.Load()) })
	for n, want := range map[int64]int{2: 5, 9: 3} {
		s := words()
		found, err := s.sequential(spawning(n), []*Invocation{&value[0]}, nil)
		if err != nil || !s.several || s.partial != (n == 9) || len(found) < want {
			t.Errorf("twice %d additions: %d results, a part %t, %v", n, len(found), s.partial, err)
		}
		if n == 9 && !slices.ContainsFunc(found, func(o outcome) bool { return o.results[0] == "18" }) {
			t.Error("nobody lets both goroutines end first, for which one preemption is enough")
		}
	}
	if last.n.Load() == 0 {
		t.Error("no goroutine ran")
	}
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		all, some string
		want      bool
	}{{"AAB", "AA", true}, {"AB", "AA", false}, {"ABC", "AC", true}, {"BC", "A", false}} {
		if got := contains(strings.Split(c.all, ""), strings.Split(c.some, "")); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
