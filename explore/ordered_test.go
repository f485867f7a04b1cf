package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// sleeping is an actor that sleeps so many seconds, one after the other, and then says how many in all.
func sleeping(seconds ...int) func(*timing) {
	return func(s *timing) {
		sum := 0
		for _, n := range seconds {
			sum += n
			time.Sleep(time.Duration(n) * time.Second)
		}
		s.say(sum)
	}
}

// orders are programs with all that can be said on an ordered clock.
var orders = []saying{
	{"by their times", []func(*timing){sleeping(3), sleeping(1), sleeping(2)}, "[1 2 3]"},
	{"at the same time", []func(*timing){sleeping(1), sleeping(2), sleeping(1)}, "[1 1 2]"},
	{"two short ones", []func(*timing){sleeping(10), sleeping(2, 3), sleeping(4)}, "[4 5 10]"},
	{"no time at all", []func(*timing){sleeping(0), sleeping(0, 1)}, "[0 1]"},
	{"none ahead of somebody", []func(*timing){func(s *timing) {
		time.Sleep(0)
		s.say(s.w.Load())
	}, func(s *timing) { s.w.Store(1) }}, "[0] [1]"},
	{"whoever can go on", []func(*timing){sleeping(1), func(s *timing) { s.say(0) }}, "[0 1]"},
	{"a timeout", []func(*timing){func(s *timing) {
		s.say(flow.Select(false, flow.Receiving(s.c), flow.Receiving(time.After(2*time.Second))))
	}, func(s *timing) {
		time.Sleep(time.Second)
		flow.To(s.c).Send(1)
	}}, "[0]"},
	{"a timeout at the same time", []func(*timing){func(s *timing) {
		s.say(flow.Select(false, flow.Receiving(s.c), flow.Receiving(time.After(time.Second))))
	}, func(s *timing) {
		time.Sleep(time.Second)
		flow.To(s.c).Send(1)
	}}, "[0] [1]"},
	{"whoever has waited longer sends first", []func(*timing){func(s *timing) {
		c := make(chan int, 1)
		send := func(v int) { flow.Go(func() { flow.To(c).Send(v) }) }
		flow.To(c).Send(0)
		send(1)
		send(2)
		time.Sleep(time.Second)
		send(3)
		time.Sleep(time.Second)
		send(4)
		for range 5 {
			v, _ := flow.ReceiveOK(c)
			s.say(v)
		}
	}}, "[0 1 2 3 4] [0 2 1 3 4]"},
	{"whoever has waited longer receives first", []func(*timing){func(s *timing) {
		c := make(chan int, 1)
		receive := func(n int) { flow.Go(func() { flow.ReceiveOK(c); s.say(n) }) }
		receive(1)
		time.Sleep(time.Second)
		receive(2)
		for range 2 {
			time.Sleep(time.Second)
			flow.To(c).Send(0)
		}
	}}, "[1 2]"},
	{"a timer that nobody waits for", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		time.Sleep(2 * time.Second)
		s.say(flow.Select(true, flow.Receiving(t.C)), t.Stop())
	}}, "[0 false]"},
	{"a timer that is not over", []func(*timing){func(s *timing) {
		t := time.NewTimer(2 * time.Second)
		time.Sleep(time.Second)
		s.say(flow.Select(true, flow.Receiving(t.C)), t.Stop())
	}}, "[-1 true]"},
	{"a timer of the same length before a sleep", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		time.Sleep(time.Second)
		s.say(flow.Select(true, flow.Receiving(t.C)), t.Stop())
	}}, "[0 false]"},
	{"a timer that is over when a sleep that began earlier is", []func(*timing){func(s *timing) {
		c := make(chan *time.Timer, 1)
		flow.Go(func() {
			time.Sleep(time.Second)
			flow.To(c).Send(time.NewTimer(time.Second))
		})
		time.Sleep(2 * time.Second)
		s.say(flow.Select(true, flow.Receiving(flow.Receive(c).C)))
	}}, "[-1] [0]"},
	{"two timers of the same length", []func(*timing){func(s *timing) {
		t, u := time.NewTimer(time.Second), time.NewTimer(time.Second)
		s.say(flow.Select(false, flow.Receiving(t.C), flow.Receiving(u.C)))
	}}, "[0] [1]"},
	{"a function of the same length before a sleep", []func(*timing){func(s *timing) {
		t := time.AfterFunc(time.Second, func() {})
		time.Sleep(time.Second)
		s.say(t.Stop())
	}}, "[false] [true]"},
	{"ticks, as many as are received", []func(*timing){func(s *timing) {
		c := time.Tick(time.Second)
		begin := time.Now()
		for range 6 {
			flow.Receive(c)
		}
		s.say(int(time.Since(begin) / time.Second))
	}}, "[6]"},
	{"ticks that nobody takes", []func(*timing){func(s *timing) {
		c, begin := time.Tick(time.Second), time.Now()
		time.Sleep(5500 * time.Millisecond)
		flow.Receive(c)
		flow.Receive(c)
		flow.Receive(c)
		s.say(int(time.Since(begin) / time.Second))
	}}, "[7]"},
	{"a function after a time", []func(*timing){func(s *timing) {
		time.AfterFunc(time.Second, func() { s.say(1) })
		time.Sleep(2 * time.Second)
		s.say(2)
	}}, "[1 2]"},
}

// TestTimers_Ordered: on an ordered clock waits end by their times, and those that end at the same time in
// any order.
func TestTimers_Ordered(t *testing.T) {
	defer func() { flow.Clock = nil }()
	wantSaidFrom(t, orders, explore.Options{Preemptions: explore.Unbounded},
		func() { flow.Clock = &flow.Slow{Ordered: true} })
}

// TestOrderedClock_Crowd: however many wait for the clock, it has its own place and passes.
func TestOrderedClock_Crowd(t *testing.T) {
	defer func() { flow.Clock = nil }()
	for _, n := range []int{explore.MaxActors - 1, explore.MaxActors, many} {
		var wg sync.WaitGroup
		ended := 0
		p := simple("sleepers", func() {
			flow.Clock = &flow.Slow{Ordered: true}
			wg, ended = sync.WaitGroup{}, 0
		}, func() {
			for range n {
				wg.Go(func() { time.Sleep(time.Second); ended++ })
			}
			wg.Wait()
		})
		p.Finish = func(*explore.Execution) error {
			if ended != n {
				return fmt.Errorf("%d have ended, want %d", ended, n)
			}
			return nil
		}
		if r := mustExplore(t, p, few(20)); r.Failure != nil || r.Complete != 20 {
			t.Errorf("%d sleepers: %d complete; %v", n, r.Complete, r.Err())
		}
	}
}

// TestOrderedClock_Cost: waits for the clock add no schedules in which the program does the same. A ticker of
// which ten ticks are taken has as many as a ticker of which one is.
func TestOrderedClock_Cost(t *testing.T) {
	defer func() { flow.Clock = nil }()
	schedules := func(ticks int) uint64 {
		p := simple("ticks", func() { flow.Clock = &flow.Slow{Ordered: true} }, func() {
			done, c := make(chan bool), time.Tick(2*time.Second)
			ask, answer := make(chan bool), make(chan bool)
			flow.Go(func() {
				for range ticks {
					flow.Receive(ask)
					flow.To(answer).Send(true)
				}
			})
			flow.Go(func() {
				for range ticks {
					flow.Receive(c)
					flow.To(ask).Send(true) // each wait is a point at which the ticker could make a step
					flow.Receive(answer)
				}
				flow.To(done).Send(true)
			})
			time.Sleep(time.Duration(2*ticks)*time.Second + time.Second)
			flow.Receive(done)
		})
		r := mustExplore(t, p, explore.Options{Preemptions: 0})
		if r.Failure != nil || !r.Exhaustive {
			t.Errorf("%d ticks: exhaustive %t; %v", ticks, r.Exhaustive, r.Err())
		}
		return r.Executions
	}
	if one, ten := schedules(1), schedules(10); one != ten {
		t.Errorf("one tick has %d schedules, ten have %d", one, ten)
	}
}

// TestOrderedClock_Refused: searches that tell steps by what they touch say that they do not explore it.
func TestOrderedClock_Refused(t *testing.T) {
	defer func() { flow.Clock = nil }()
	for what, body := range map[string]func(){
		"sleep":    func() { time.Sleep(time.Second) },
		"timer":    func() { time.NewTimer(time.Second) },
		"ticker":   func() { time.NewTicker(time.Second) },
		"function": func() { time.AfterFunc(time.Second, func() {}) },
	} {
		p := simple(what, func() { flow.Clock = &flow.Slow{Ordered: true} }, body, func() {})
		for _, o := range []explore.Options{reduced(), {Preemptions: 1, Stateful: true},
			{Preemptions: 1, Solo: 10}} {
			f := wantFailure(t, mustExplore(t, p, o), explore.Unexplored)
			if !strings.Contains(f.Message, "an ordered clock is not explored with Reduce") {
				t.Errorf("%s: %s", what, f.Message)
			}
		}
		if r := mustExplore(t, p, explore.Options{Preemptions: 1}); r.Failure != nil || !r.Exhaustive {
			t.Errorf("%s: exhaustive %t; %v", what, r.Exhaustive, r.Err())
		}
	}
}
