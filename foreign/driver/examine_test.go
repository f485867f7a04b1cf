package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// argued is a method with one argument, of so many values: it is called with the value's number.
func argued(name string, values int, do func(w *word, i int) []any) Method {
	m := Method{Name: name, Values: []int{values}}
	for i := range values {
		m.Calls = append(m.Calls, Invocation{Text: fmt.Sprintf("%s(%d)", name, i), Args: []int{i},
			Do: func(o any) []any { return do(o.(*word), i) }})
	}
	return m
}

// bare is a method without arguments.
func bare(name string, do func(w *word) []any) Method {
	return Method{Name: name, Calls: invocation(name+"()", do)}
}

func number(w *word) []any { return Results(w.n.Load()) }

// of is a subject of the methods, whose values are made.
func of(methods ...Method) *subject {
	s := words()
	s.o.Methods, s.maker = methods, &s.o.Makers[1]
	return s
}

// put adds 1 or 10, for good.
func put(values int) Method {
	m := argued("Put", values, func(w *word, i int) []any { w.n.Add([]int64{1, 10}[i]); return nil })
	m.Quiet = true
	return m
}

// TestProbe: calls that look come first, with several arguments; those that may take something come after
// them, several times; there are none without a result, nor any that does not return.
func TestProbe(t *testing.T) {
	s := of(
		argued("Get", 3, func(w *word, i int) []any { return Results(w.n.Load() + int64(i)) }),
		bare("Len", number),
		bare("Peek", func(w *word) []any {
			for w.n.Load() == 0 {
			}
			return number(w)
		}),
		put(2),
		bare("Take", func(w *word) []any { return Results(w.n.Swap(0)) }))
	if err := s.chooseProbe(); err != nil {
		t.Fatal(err)
	}
	want := "Len() Get(0) Get(1) Take() Take() Take()"
	if got := strings.Join(texts(s.probe), " "); got != want {
		t.Errorf("the probe is %s, want %s", got, want)
	}
	var many []Method
	for i := range 2 * probeCalls {
		many = append(many, bare(fmt.Sprintf("Len%d", i), number))
	}
	if s = of(many...); s.chooseProbe() != nil || len(s.probe) != probeCalls {
		t.Errorf("%d calls, want %d", len(s.probe), probeCalls)
	}
}

// TestStates: a few rows of calls are tried, the short ones first, each of a state that the probe tells from
// those before; none panics, waits or leaves open what the probe sees.
func TestStates(t *testing.T) {
	length := bare("Len", number)
	starts := of(length)
	starts.maker = &Maker{Text: "starts()", New: func() (any, error) {
		w := &word{}
		flow.Go(func() { w.n.Add(1) })
		return w, nil
	}}
	for want, s := range map[string]*subject{
		" | Put(0) | Put(0) Put(0) | Put(0) Put(0) Put(0)": of(length, put(1)),
		" | Put(0) | Put(1) | Put(0) Put(0) | Put(0) Put(1)": of(
			bare("Break", func(w *word) []any { w.n.Add(100); panic("broken") }),
			bare("Hang", func(w *word) []any {
				w.n.Store(50)
				for w.n.Load() == 50 {
				}
				return nil
			}), length, put(2),
			bare("Start", func(w *word) []any { w.n.Add(30); flow.Go(func() { w.n.Add(7) }); return nil })),
		"": starts,
	} {
		s.probe = []*Invocation{length.call()}
		found, err := s.states()
		var rows []string
		for _, calls := range found {
			rows = append(rows, strings.Join(texts(calls), " "))
		}
		if got := strings.Join(rows, " | "); err != nil || len(found) == 0 || got != want {
			t.Errorf("states %q, want %q: %v", got, want, err)
		}
	}
}

// TestVarying: methods are left out whose results differ once there is something in a value, be it rarely
// in a list, and not those that show what such a one has done.
func TestVarying(t *testing.T) {
	draws, lists := int64(0), 0
	s := of(
		argued("Draw", 2, func(w *word, _ int) []any {
			if draws++; w.n.Load() == 0 {
				w.n.Store(1)
			} else {
				w.n.Store(draws)
			}
			return number(w)
		}),
		bare("Len", number),
		bare("List", func(w *word) []any {
			list := []int64{1, 2}
			if lists++; w.n.Load() > 0 && lists%10 == 0 {
				slices.Reverse(list)
			}
			return Results(list)
		}),
		put(2),
		bare("Refuse", func(w *word) []any {
			if w.n.Load() > 0 {
				panic(hook.Refusal("a channel")) // not always, so other programs may call it
			}
			return nil
		}))
	if err := s.leaveOutVarying(); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, m := range s.o.Methods {
		kept = append(kept, m.Name)
	}
	left := strings.Join(s.leftOut, "\n")
	if !slices.Equal(kept, []string{"Len", "Put", "Refuse"}) ||
		!strings.HasPrefix(left, "Draw: its sequential runs") ||
		!strings.Contains(left, "\nList: its sequential runs") {
		t.Errorf("kept %q, left out\n%s", kept, left)
	}
}

// TestHangs: a call, or a maker, that waits for what no shim sees ends the examination, which names it: where
// it is the first call, the last of several, and one of the probe. Without it the rest is examined.
func TestHangs(t *testing.T) {
	for _, c := range []struct {
		what  string
		waits func(w *word, calls int) bool // Serve waits
		maker bool
	}{
		{"Serve", func(*word, int) bool { return true }, false},
		{"Serve", func(w *word, _ int) bool { return w.n.Load() > 0 }, false},
		{"Serve", func(_ *word, calls int) bool { return calls > 6 }, false},
		{"new()", nil, true},
	} {
		release := make(chan struct{})
		calls := 0
		serve := bare("Serve", func(w *word) []any {
			if calls++; c.waits != nil && c.waits(w, calls) {
				<-release
			}
			return Results(0)
		})
		s := of(bare("Len", number), put(2), serve)
		s.watchdog = 20 * time.Millisecond
		s.o.Makers = slices.Clone(s.o.Makers)
		if c.maker {
			s.o.Makers[1].New = func() (any, error) { <-release; return &word{}, nil }
		}
		err := s.examine()
		h, is := errors.AsType[hangs](err)
		if !is || h.what != c.what || !strings.Contains(h.why, "no scheduling point for 20ms") {
			t.Errorf("%v, want %s", err, c.what)
		}
		close(release)
		rest := of(bare("Len", number), put(2), serve)
		rest.o.Makers = append(slices.Clone(s.o.Makers), Maker{Text: "another()",
			New: func() (any, error) { return &word{}, nil }})
		rest.without([]string{c.what})
		for begun := time.Now(); ; time.Sleep(time.Millisecond) { // until the call has come back
			if err = rest.examine(); !errors.Is(err, explore.ErrHung) || time.Since(begun) > time.Minute {
				break
			}
		}
		left := len(rest.o.Methods)
		if err != nil || c.maker != (left == 3) || c.maker != (rest.maker.Text == "another()") {
			t.Errorf("without %s: %v, %d methods, %+v", c.what, err, left, rest.maker)
		}
	}
}
