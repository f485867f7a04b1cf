package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// TestChannelSteps: each operation is one step, with the words of its channel before and after it. An
// operation that fails, or takes the default, does not change the word. A select with only one possible case
// makes no choice.
func TestChannelSteps(t *testing.T) {
	var steps []string
	var length, first, second int
	p := simple("steps", func() { steps = nil }, func() {
		c, d, other := make(chan int, 2), make(chan int, 1), make(chan int, 3)
		other <- 1
		flow.Len(other) // which no step was on
		flow.To(c).Send(1)
		length = flow.Len(c)
		first = flow.Select(true, flow.Receiving(d))
		second = flow.Select(true, flow.Receiving(d), flow.Receiving(c))
		flow.Close(c)
		_ = runtimeError(func() { flow.Close(c) })
		flow.Len(c)
	})
	p.Step = func(_ *explore.Execution, s explore.Step) error {
		if s.Kind != hook.Begin {
			steps = append(steps, fmt.Sprintf("%v %v -> %v %t", s.Kind, hook.Channel(s.Old),
				hook.Channel(s.New), s.OK))
		}
		return nil
	}
	want := []string{"Length len 1 -> len 1 true", "Send len 0 -> len 1 true", "Length len 1 -> len 1 true",
		"Select len 0 -> len 0 false", "Select len 1 -> len 0 true", "Close len 0 -> len 0, closed true",
		"Close len 0, closed -> len 0, closed false", "Length len 0, closed -> len 0, closed true"}
	r := mustExplore(t, p, withoutAudit(unbounded()))
	if r.Failure != nil || !slices.Equal(steps, want) || length != 1 || first != -1 || second != 1 {
		t.Errorf("length %d, cases %d and %d, %v\n%s\nwant\n%s", length, first, second, r.Err(),
			strings.Join(steps, "\n"), strings.Join(want, "\n"))
	}
}

// TestChannelNil: a select with only nil channels takes the default, or waits for ever. The length of a nil
// channel is not a step.
func TestChannelNil(t *testing.T) {
	taken, length := 0, 9
	p := simple("nil", func() {}, func() {
		taken = flow.Select(true, flow.Receiving[int](nil), flow.To[int](nil).Case(1))
		length = flow.Len(chan int(nil))
	})
	if r := mustExplore(t, p, unbounded()); r.Failure != nil || taken != -1 || length != 0 {
		t.Errorf("case %d, length %d, %v", taken, length, r.Err())
	}
	p = simple("nil for ever", func() {}, func() { flow.Select(false, flow.Receiving[int](nil)) }, func() {})
	wantFailure(t, mustExplore(t, p, unbounded()), explore.Deadlock)
}

// TestChannelManyReady: of 64 cases that are possible each one is chosen, once; more are refused.
func TestChannelManyReady(t *testing.T) {
	for _, n := range []int{63, 64, 65} {
		chosen := map[int]int{}
		p := simple("many", func() {}, func() {
			var all []flow.Communication
			for range n {
				all = append(all, flow.To(make(chan int, 1)).Case(1))
			}
			chosen[flow.Select(false, all...)]++
		})
		r, err := explore.Explore(p, withoutAudit(unbounded()))
		if refused := err != nil || r.Failure != nil; refused != (n > 64) {
			t.Errorf("%d cases: %v, %v", n, err, r.Failure)
		}
		if n <= 64 && (len(chosen) != n || r.Executions != uint64(n)) {
			t.Errorf("%d cases: %d chosen in %d executions", n, len(chosen), r.Executions)
		}
	}
}

// TestChannelOutside_Values: what a range and a select receive outside explorations. The variable of a range
// keeps the last value when the channel is closed.
func TestChannelOutside_Values(t *testing.T) {
	c := make(chan int, 2)
	c <- 7
	c <- 8
	close(c)
	var all []int
	from, v := flow.Over(c)
	for flow.Next(from, &v) {
		all = append(all, v)
	}
	if !slices.Equal(all, []int{7, 8}) || v != 8 {
		t.Errorf("%v, and then %d", all, v)
	}
	d := make(chan any, 1)
	d <- "text"
	receives, sends := flow.Receiving(d), flow.To(d).Case("other")
	i := flow.Select(false, receives)
	got, ok := receives.ValueOK()
	j := flow.Select(false, sends)
	if i != 0 || got != "text" || !ok || j != 0 || sends.Value() != "other" || <-d != "other" {
		t.Errorf("case %d: %v, %t, and sent by case %d: %v", i, got, ok, j, sends.Value())
	}
	close(d)
	if gone := flow.Receiving(d); flow.Select(false, gone) != 0 {
		t.Error("a closed channel is received from")
	} else if v, ok := gone.ValueOK(); v != nil || ok {
		t.Errorf("of a closed channel: %v, %t", v, ok)
	}
	if receives.Sends() || !sends.Sends() {
		t.Error("which of the cases sends is told wrongly")
	}
}
