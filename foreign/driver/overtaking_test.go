package driver

import (
	"fmt"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/flow"
)

// TestOvertaking: a call is overtaken where it waits for ever, and only there; whom others let go returns
// before the next call; and the calls of an actor who waits are made when it goes on.
func TestOvertaking(t *testing.T) {
	s := of(
		bare("Add", func(w *word) []any { return Results(w.n.Add(1)) }),
		bare("Until1", func(w *word) []any {
			for w.n.Load() < 1 {
			}
			return Results(w.n.Add(10))
		}),
		bare("Nap", func(w *word) []any {
			n := w.n.Load()
			for range 3 {
				flow.Gosched()
			}
			w.n.Store(n + 1)
			return Results(n + 1)
		}),
		bare("Value", number))
	call := func(i int) *Invocation { return s.o.Methods[i].call() }
	add, until1, nap, value := call(0), call(1), call(2), call(3)
	for _, c := range []struct {
		actors [][]*Invocation
		want   []string // what the probe sees at the end, if nobody waits
	}{
		{[][]*Invocation{{until1}, {add, value}}, []string{"0? 1=1 0=11 1=11 then 11",
			"1=1 0=11 1=11 then 11", "1=1 1=1 0=11 then 11"}},
		{[][]*Invocation{{nap}, {nap}}, []string{"0=1 1=2 then 2", "1=1 0=2 then 2"}},
		{[][]*Invocation{{until1, value}, {value}}, []string{"0? 1=0", "1=0 0?"}},
		{[][]*Invocation{{until1}, {until1}}, []string{"0? 1?", "1? 0?"}},
		{[][]*Invocation{{until1}, {nap}}, []string{"0? 1=1 0=11 then 11", "1=1 0=11 then 11"}},
	} {
		runs, err := s.overtaking(objectProgram{maker: s.maker, actors: c.actors}, []*Invocation{value}, nil)
		var got []string
		for _, r := range runs {
			text := ""
			for _, m := range r.turns {
				if text += fmt.Sprintf(" %d=%s", m.actor, m.result); m.waits {
					text = text[:len(text)-1] + "?"
				}
			}
			for _, v := range r.after {
				text += " then " + v
			}
			got = append(got, text[1:])
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q: %v", objectProgram{actors: c.actors, maker: s.maker}.text(), got,
				c.want, err)
		}
	}
}

// TestOvertaking_Bound: of a part of the runs it is known that it is one, and a run that stops at a call
// which is not to be made yet is none.
func TestOvertaking_Bound(t *testing.T) {
	closed, too := make(chan int), make(chan int)
	close(closed)
	close(too)
	for choices, partial := range map[int]bool{3: false, 10: true} { // 2^10 are more than are made
		s := of(bare("Draw", func(*word) []any {
			n := 0
			for range choices {
				n = 2*n + flow.Select(false, flow.Receiving(closed), flow.Receiving(too))
			}
			return Results(n)
		}))
		p := objectProgram{maker: s.maker, actors: [][]*Invocation{{s.o.Methods[0].call()}}}
		runs, err := s.overtaking(p, nil, nil)
		if err != nil || s.partial != partial || len(runs) != min(1<<choices, sequentialExecutions) {
			t.Errorf("%d runs, partial %t, want %t: %v", len(runs), s.partial, partial, err)
		}
		if partial {
			continue
		}
		known := map[string]bool{"[{0 false 0}]": true}
		runs, _, err = s.unpreempted(twoOf(s.o.Methods[0].call(), s), nil, known, nil)
		if err != nil || len(runs) != 1<<choices {
			t.Errorf("%d runs behind the one that is known, want %d: %v", len(runs), 1<<choices, err)
		}
	}
}
