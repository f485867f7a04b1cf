package explore_test

import (
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
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
