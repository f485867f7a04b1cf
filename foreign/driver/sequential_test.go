package driver

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// TestLongest: the most accesses in a row of one call that change nothing are counted, and one that changes
// something begins anew: with a change, or with what orders it.
func TestLongest(t *testing.T) {
	loads := func(w *word, n int) {
		for range n {
			w.n.Load()
		}
	}
	var all sync.WaitGroup
	for want, do := range map[int]func(w *word){
		70: func(w *word) { loads(w, 70) },
		60: func(w *word) { loads(w, 59); w.n.Add(1); loads(w, 60) },
		// Reading another value than 0 changes nothing; what may wait begins anew.
		40: func(w *word) { w.n.Add(5); loads(w, 40); all.Wait(); loads(w, 30); w.n.Store(0) },
		// A store of what is there, and one that fails, change nothing.
		50: func(w *word) { loads(w, 24); w.n.Store(0); w.n.CompareAndSwap(1, 2); loads(w, 24) },
	} {
		s := of()
		calls := invocation("Do()", func(w *word) []any { do(w); return nil })
		_, err := s.sequential(s.maker, []*Invocation{&calls[0], &calls[0]}, nil)
		if err != nil || s.longest != want {
			t.Errorf("%d in a row, want %d: %v", s.longest, want, err)
		}
	}
}

// TestStepBound: a call of too many accesses is left out, and the error says how many are too many.
func TestStepBound(t *testing.T) {
	s := of()
	calls := invocation("Do()", func(w *word) []any {
		for range sequentialSteps + 1 {
			w.n.Add(1)
		}
		return nil
	})
	_, err := s.sequential(s.maker, []*Invocation{&calls[0]}, nil)
	if !ofProgram(err) || !strings.Contains(err.Error(), "more than 100000 accesses") {
		t.Errorf("%v", err)
	}
}

// TestStepBound_Goroutine: of a type whose goroutines go on and on one run is made; the others take as long.
func TestStepBound_Goroutine(t *testing.T) {
	s, runs := of(), 0
	s.maker.New = func() (any, error) {
		runs++
		return &word{}, nil
	}
	calls := invocation("Go()", func(w *word) []any {
		flow.Go(func() {
			for range sequentialSteps + 1 {
				w.n.Add(1)
			}
		})
		return nil
	})
	if _, err := s.sequential(s.maker, []*Invocation{&calls[0]}, nil); !ofProgram(err) || runs != 1 {
		t.Errorf("%d runs: %v", runs, err)
	}
}

// TestSequences: of the orders that begin with calls that wait for ever one is run, and the probe ends where
// it does not return after any of them.
func TestSequences(t *testing.T) {
	s := of(bare("Add", func(w *word) []any { return Results(w.n.Add(1)) }),
		bare("Until2", func(w *word) []any {
			for w.n.Load() < 2 {
			}
			return nil
		}),
		bare("Until3", func(w *word) []any {
			for w.n.Load() == 2 {
			}
			return nil
		}), bare("Value", number))
	call := func(i int) *Invocation { return s.o.Methods[i].call() }
	add, until2, until3, value := call(0), call(1), call(2), call(3)
	s.probe = []*Invocation{value, until3, value}
	for _, c := range []struct {
		actors    [][]*Invocation
		runs, cut int
	}{
		{[][]*Invocation{{add}, {value}}, 2, 3},
		{[][]*Invocation{{add}, {add}}, 2, 1},
		{[][]*Invocation{{until2}, {until2, add}}, 2, 3},
		{[][]*Invocation{{until2}, {add, add}}, 3, 1},
	} {
		all, probe, err := s.sequences(objectProgram{maker: s.maker, actors: c.actors})
		if err != nil || len(all) != c.runs || len(probe) != c.cut {
			t.Errorf("%v: %d runs, want %d; %d calls of the probe, want %d: %v", objectProgram{s.maker, nil,
				c.actors}.text(), len(all), c.runs, len(probe), c.cut, err)
		}
		for _, r := range all {
			if !r.stuck() && len(r.after) != len(probe) {
				t.Errorf("a run has %d results of the probe's %d calls", len(r.after), len(probe))
			}
		}
	}
}

// TestSequences_Chooses: where a call may take the value for which the next one would wait, and may not, the
// orders behind it are run.
func TestSequences_Chooses(t *testing.T) {
	closed, too := make(chan int), make(chan int)
	close(closed)
	close(too)
	take := func(w *word) (v int64) {
		w.n.CompareAndSwap(1, 2)
		return w.n.Load()
	}
	s := of(
		bare("Maybe", func(w *word) []any {
			if flow.Select(false, flow.Receiving(closed), flow.Receiving(too)) == 0 {
				return Results(take(w))
			}
			return Results("done")
		}),
		bare("Take", func(w *word) []any {
			for w.n.Load() == 2 {
			}
			return Results(take(w))
		}),
		bare("Put", func(w *word) []any { w.n.Store(1); return nil }))
	call := func(i int) *Invocation { return s.o.Methods[i].call() }
	s.maker = &Maker{Text: "full()", New: func() (any, error) {
		w := &word{}
		w.n.Store(1)
		return w, nil
	}}
	all, _, err := s.sequences(objectProgram{maker: s.maker, actors: [][]*Invocation{
		{call(1), call(1)}, {call(0), call(2)}}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(all, func(r sequentialRun) bool {
		return slices.Equal(r.calls(), []int{1, 0, 1, 0}) && !r.stuck() && r.turns[0].result == `"done"`
	}) {
		t.Errorf("Maybe takes nothing, Take, Put, Take is not among %v", all)
	}
}

// TestSequential_Plain: where plain memory decides what a goroutine does, the runs in which it comes before
// and after the call that writes there are made, though no step of the two depends on the other.
func TestSequential_Plain(t *testing.T) {
	var limited bool
	var done sync.WaitGroup
	s := of()
	s.bound = DefaultPreemptions
	s.maker.New = func() (any, error) {
		limited = false
		return &word{}, nil
	}
	calls := slices.Concat(
		invocation("Go()", func(w *word) []any {
			done.Add(1)
			flow.Go(func() {
				if limited {
					w.n.Store(1)
				}
				done.Done()
			})
			return nil
		}),
		invocation("Limit()", func(*word) []any { limited = true; return nil }),
		invocation("Wait()", func(w *word) []any { done.Wait(); return Results(w.n.Load()) }))
	found, err := s.sequential(s.maker, []*Invocation{&calls[0], &calls[1], &calls[2]}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0", "1"} {
		if !slices.ContainsFunc(found, func(o outcome) bool {
			return slices.Equal(o.results, []string{"done", "done", want})
		}) {
			t.Errorf("the run in which Wait returns %s is not among %v", want, found)
		}
	}
}

// TestTwice: what differs when it is run again is of chance.
func TestTwice(t *testing.T) {
	s, draws := of(), 0
	calls := invocation("Draw()", func(*word) []any { draws++; return Results(draws) })
	if _, err := s.twice(s.maker, []*Invocation{&calls[0]}, nil); !errors.Is(err, errVaries) {
		t.Errorf("%v", err)
	}
}

// TestUnwound: calls behind one that never returns are not made, when their actor is taken away, either.
func TestUnwound(t *testing.T) {
	s, made := of(), 0
	wait := invocation("Wait()", func(w *word) []any {
		for w.n.Load() == 0 {
		}
		return nil
	})
	count := invocation("Count()", func(*word) []any { made++; return nil })
	found, err := s.sequential(s.maker, []*Invocation{&wait[0], &count[0]}, nil)
	if err != nil || len(found) != 1 || len(found[0].results) != 0 || made != 0 {
		t.Errorf("%+v, %d calls: %v", found, made, err)
	}
}
