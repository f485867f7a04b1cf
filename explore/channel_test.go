package explore_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/internal/hook"
)

// talks are small programs whose classes and outcomes were counted by hand. A rendezvous has two classes,
// because either of the two actors comes first. At a buffer a step waits until it is possible.
var talks = []struct {
	p        talk
	classes  uint64
	outcomes int
}{
	{talk{"s0", "r0"}, 2, 1},       // who waits for whom
	{talk{"s1", "r1"}, 1, 1},       // the receive waits until it is possible
	{talk{"s2", "s2"}, 2, 1},       // the order in the buffer, where they stay
	{talk{"s2s2", "r2r2"}, 2, 1},   // the second send is before the first receive, or after it
	{talk{"s1", "s2"}, 1, 1},       // nothing in common
	{talk{"t0", "r0"}, 2, 2},       // the receiver is there, or not
	{talk{"t0", "u0"}, 1, 1},       // neither ever waits, so neither changes anything
	{talk{"c1", "r1"}, 1, 1},       // closed
	{talk{"c1", "s1"}, 2, 2},       // the send comes before, or panics
	{talk{"l1", "s1"}, 2, 2},       // 0 or 1
	{talk{"l1", "l1"}, 1, 1},       // both look
	{talk{"x1", "s1"}, 2, 1},       // the select waits, or does not
	{talk{"x1", "s1", "s2"}, 6, 2}, // both sends ahead of it: it chooses; one; none: the first
	{talk{"s0", "s0", "r0"}, 6, 2}, // one of the two waits for ever; who comes in which order
	{talk{"s0", "c0"}, 2, 1},       // panics in any case
	{talk{"y1", "l2"}, 1, 1},       // it looks at the other one, as the len does
	{talk{"n1", "s1"}, 2, 1},       // never by the nil channel
	{talk{"p0", "p0"}, 4, 2},       // who comes first, and which of the two sends
	{talk{"q0", "t0"}, 3, 3},       // the select waits with both of its cases, or does not
	{talk{"q0", "c0"}, 4, 2},       // who comes first, and the case
	{talk{"a0s0", "r0a0"}, 2, 1},   // what is before the send is before what is after the receive
	{talk{"s0a0", "a0r0"}, 2, 1},   // and the other way round
	{talk{"s0a0", "r0a0"}, 4, 2},   // what is after both is in any order
}

// sendsBesideClose reports whether one actor sends on a channel that another one closes. Nothing orders them
// in the talks of the table.
func (p talk) sendsBesideClose() bool {
	for i, a := range p {
		for j, b := range p {
			for n := range 3 {
				closes := strings.Contains(a, fmt.Sprint("c", n))
				for _, send := range "styzpo" {
					if i != j && closes && strings.Contains(b, fmt.Sprint(string(send), n)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// differ returns which of the talks have other classes or outcomes than were counted, with or without a
// search for races. A step that does not change a channel is a read in both cases.
func differ(t *testing.T) (wrong []string) {
	for i := range 2 * len(talks) {
		c, o := talks[i/2], withoutAudit(reduced())
		o.Races = i%2 == 1
		got := map[string]int{}
		r := mustExplore(t, c.p.program(got), o)
		if o.Races && c.p.sendsBesideClose() {
			if r.Failure == nil || r.Failure.Kind != explore.Race {
				wrong = append(wrong, fmt.Sprintf("%q: %v, want a race", c.p, r.Err()))
			}
			continue
		}
		if r.Failure != nil || len(got) != c.outcomes || r.Classes != c.classes || r.Executions != r.Classes {
			wrong = append(wrong, fmt.Sprintf("%q: %d executions of %d classes, want %d", c.p, r.Executions,
				r.Classes, c.classes), fmt.Sprintf("%v, want %d; %v", got, c.outcomes, r.Err()))
		}
	}
	return wrong
}

// TestChannelClasses: the reduced search runs one execution of each class.
func TestChannelClasses(t *testing.T) {
	if wrong := differ(t); len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n"))
	}
}

// TestChannelClasses_Canary: a reduction that is wrong about channels is noticed there.
func TestChannelClasses_Canary(t *testing.T) {
	for name, fault := range explore.ChannelFaults {
		explore.WithFault(fault, func() {
			if len(differ(t)) == 0 {
				t.Errorf("%s: the counts do not tell", name)
			}
		})
	}
}

// TestChannelOrder: actors that wait at a channel are served in the order in which they came.
func TestChannelOrder(t *testing.T) {
	for _, sends := range []bool{true, false} {
		var c chan int
		var came, got []int // the actors, as they came; by actor, what it received, or in order, who sent
		start := func() { c, came, got = make(chan int), nil, make([]int, 3) }
		one := func(i int) func() {
			return func() {
				if sends {
					flow.To(c).Send(i)
				} else {
					got[i] = flow.Receive(c)
				}
			}
		}
		p := simple("order", start, one(0), one(1), one(2), func() {
			for i := range 3 {
				if sends {
					got[i] = flow.Receive(c)
				} else {
					flow.To(c).Send(i)
				}
			}
		})
		p.Step = func(_ *explore.Execution, s explore.Step) error {
			if s.Actor < 3 && (s.Kind == hook.Send || s.Kind == hook.Receive) {
				came = append(came, s.Actor)
			}
			return nil
		}
		p.Finish = func(*explore.Execution) error {
			for i, actor := range came {
				if sends && got[i] != actor || !sends && got[actor] != i {
					return fmt.Errorf("came %v, got %v", came, got)
				}
			}
			return nil
		}
		if r := mustExplore(t, p, unbounded()); r.Failure != nil || r.Executions < 100 {
			t.Errorf("%d executions, %v", r.Executions, r.Err())
		}
	}
}

// runtimeError returns the text of the runtime error that f panics with.
func runtimeError(f func()) (text string) {
	defer func() {
		if e, ok := recover().(runtime.Error); ok {
			text = e.Error()
		}
	}()
	f()
	return "no panic"
}

// TestChannelPanics: operations that panic do so with the runtime's messages, inside an exploration and
// outside.
func TestChannelPanics(t *testing.T) {
	all := map[string]func(){
		"send on closed channel":  func() { c := make(chan int); flow.Close(c); flow.To(c).Send(1) },
		"close of closed channel": func() { c := make(chan int, 1); flow.Close(c); flow.Close(c) },
		"close of nil channel":    func() { flow.Close[int](nil) },
	}
	for _, n := range []int{1, 2} { // a buffer that is full, or not
		all[fmt.Sprint("send on closed channel", strings.Repeat(" ", n))] = func() {
			c := make(chan int, n)
			flow.To(c).Send(1)
			flow.Close(c)
			flow.Select(true, flow.To(c).Case(2))
		}
	}
	for want, f := range all {
		want = strings.TrimSpace(want)
		got := runtimeError(f)
		p := simple("panic", func() {}, func() { got += ", " + runtimeError(f) })
		if r := mustExplore(t, p, withoutAudit(unbounded())); r.Failure != nil || got != want+", "+want {
			t.Errorf("%s, want %s twice; %v", got, want, r.Err())
		}
	}
}

// TestChannelBefore: channels that were filled and closed before the actors run are unchanged when the
// actors begin, and the actors' changes are there afterwards.
func TestChannelBefore(t *testing.T) {
	for n := range 3 { // elements in a buffer of two
		var c chan int
		var got []any
		p := simple("before", func() {
			c, got = make(chan int, 2), nil
			for i := range n {
				c <- i
			}
			close(c)
		}, func() {
			got = append(got, runtimeError(func() { flow.To(c).Send(7) }))
			for range n + 1 {
				v, ok := flow.ReceiveOK(c)
				got = append(got, v, ok)
			}
			got = append(got, runtimeError(func() { flow.Close(c) }))
		})
		want := []any{"send on closed channel"}
		for i := range n {
			want = append(want, i, true)
		}
		want = append(want, 0, false, "close of closed channel")
		if r := mustExplore(t, p, unbounded()); r.Failure != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, want %v; %v", got, want, r.Err())
		}
	}
	last := make(chan int, 1) // of all executions
	p := simple("outlives", func() {}, func() { flow.To(last).Send(1) }, func() { flow.To(last).Send(2) })
	p.Stuck = func(*explore.Execution) error {
		select {
		case <-last:
			return nil
		default:
			return errors.New("nobody sent")
		}
	}
	if r := mustExplore(t, p, unbounded()); r.Failure != nil || r.Executions != 2 {
		t.Errorf("%d executions, %v", r.Executions, r.Err())
	}
	var c chan int
	p = simple("after", func() { c = make(chan int, 2) }, func() { flow.To(c).Send(1); flow.Close(c) })
	p.Finish = func(*explore.Execution) error {
		v, ok := <-c
		w, more := <-c
		if v != 1 || !ok || w != 0 || more {
			return fmt.Errorf("%d %t %d %t", v, ok, w, more)
		}
		return nil
	}
	if r := mustExplore(t, p, unbounded()); r.Failure != nil {
		t.Error(r.Err())
	}
}

// TestChannelDeadlock: an actor that waits for ever is a deadlock, whose table names the operations and
// their places.
func TestChannelDeadlock(t *testing.T) {
	for name, f := range map[string]func(){
		"Send": func() { flow.To(make(chan int)).Send(1) },
		"full": func() { c := make(chan int, 1); flow.To(c).Send(1); flow.To(c).Send(2) },
		"nil":  func() { flow.Receive[int](nil) }, "never": flow.Never,
		"both nil": func() {
			flow.Go(func() { flow.To[int](nil).Send(1) })
			flow.Receive[int](nil)
		},
		"select": func() { flow.Select(false, flow.Receiving(make(chan int)), flow.To[int](nil).Case(1)) },
	} {
		p := simple(name, func() {}, f, func() {})
		for _, o := range []explore.Options{unbounded(), reduced()} {
			failure := wantFailure(t, mustExplore(t, p, o), explore.Deadlock)
			mustReplay(t, p, failure)
			const want = "Send o0.0 (len 0) -> (len 0, 1 wait to send)  channel_test.go:"
			if name == "Send" && !strings.Contains(failure.Table(), want) {
				t.Error(failure.Table())
			}
		}
	}
}

// TestChannelOutside: outside explorations the functions do what the statements do.
func TestChannelOutside(t *testing.T) {
	c, d := make(chan int), make(chan any, 1)
	go func() { flow.To(c).Send(1); flow.Close(c) }()
	var all []int
	for c, v := flow.Over(c); flow.Next(c, &v); {
		all = append(all, v)
	}
	send, receive := flow.To(d).Case("text"), flow.Receiving(c)
	i := flow.Select(false, flow.Receiving[int](nil), send)
	j := flow.Select(false, receive, flow.Receiving[any](nil))
	_, ok := receive.ValueOK()
	k := flow.Select(true, flow.To(d).Case(nil))
	if len(all) != 1 || i != 1 || j != 0 || ok || k != -1 || flow.Len(d) != 1 || flow.Receive(d) != "text" ||
		flow.Len(chan int(nil)) != 0 {
		t.Errorf("%v, cases %d, %d, %d, %t", all, i, j, k, ok)
	}
}
