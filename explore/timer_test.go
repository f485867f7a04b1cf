package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/time"
)

// timing is what the programs with timers share: a channel, a word, and what was said.
type timing struct {
	c    chan int
	w    atomic.Uint64
	said []any
}

func (s *timing) say(v ...any) { s.said = append(s.said, v...) }

// A saying is a program of one actor that says something, and others, with all that can be said.
type saying struct {
	name   string
	bodies []func(s *timing)
	want   string
}

// wantSaid explores programs, and wants all that can be said of each and nothing else.
func wantSaid(t *testing.T, programs []saying, o explore.Options) {
	t.Helper()
	wantSaidFrom(t, programs, o, func() {})
}

// wantSaidFrom is wantSaid of executions that begin with start.
func wantSaidFrom(t *testing.T, programs []saying, o explore.Options, start func()) {
	t.Helper()
	for _, p := range programs {
		var s *timing
		var bodies []func()
		for _, b := range p.bodies {
			bodies = append(bodies, func() { b(s) })
		}
		got, r := observed(t, o, func() {
			s = &timing{c: make(chan int, 1)}
			start()
		},
			func() string { return fmt.Sprint(s.said) }, bodies...)
		all := strings.ReplaceAll(keysOf(got), "\n", " ")
		if r.Failure != nil || all != p.want || !r.Exhaustive {
			t.Errorf("%s, reduced %t: %s, want %s; %v", p.name, o.Reduce, all, p.want, r.Err())
		}
	}
}

// timings are programs with all that can be said by the documentation of package time.
var timings = []saying{
	{"a timeout", []func(*timing){func(s *timing) {
		s.say(flow.Select(false, flow.Receiving(s.c), flow.Receiving(time.After(time.Hour))))
	}, func(s *timing) { flow.To(s.c).Send(1) }}, "[0] [1]"},
	{"whatever is first", []func(*timing){func(s *timing) {
		long, short := time.After(time.Hour), time.After(time.Second)
		s.say(flow.Select(false, flow.Receiving(long), flow.Receiving(short)))
	}}, "[0] [1]"},
	{"no value after a stop", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		stopped := t.Stop()
		s.say(stopped, flow.Select(true, flow.Receiving(t.C)), t.Stop())
	}}, "[true -1 false]"},
	{"received or stopped", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		received := flow.Select(true, flow.Receiving(t.C))
		s.say(received, t.Stop())
	}}, "[-1 true] [0 false]"},
	{"a stop after a receive", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		flow.Receive(t.C)
		s.say(t.Stop())
	}}, "[false]"},
	{"one value after a reset", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		running := t.Reset(time.Hour)
		flow.Receive(t.C)
		s.say(running, flow.Select(true, flow.Receiving(t.C)))
	}}, "[true -1]"},
	{"a reset after the value", []func(*timing){func(s *timing) {
		t := time.NewTimer(time.Second)
		flow.Receive(t.C)
		running := t.Reset(time.Hour)
		flow.Receive(t.C)
		s.say(running)
	}}, "[false]"},
	{"a function after a reset", []func(*timing){func(s *timing) {
		c := make(chan int)
		t := time.AfterFunc(time.Second, func() { flow.To(c).Send(1) }) // one too many waits for ever
		running := t.Reset(time.Hour)
		if !running {
			flow.Receive(c)
		}
		flow.Receive(c)
		s.say(running)
	}}, "[false] [true]"},
	{"a timer that nobody waits for", []func(*timing){func(s *timing) {
		time.NewTimer(time.Second)
		s.say(s.w.Load())
	}, func(s *timing) { s.w.Add(1) }}, "[0] [1]"},
	{"ticks", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		flow.Receive(t.C)
		flow.Receive(t.C)
		t.Stop()
		s.say(flow.Select(true, flow.Receiving(t.C)))
	}}, "[-1]"},
	{"ticks beside others", []func(*timing){func(s *timing) {
		flow.Receive(time.Tick(time.Second))
		s.say(s.w.Load())
	}, func(s *timing) { s.w.Add(1) }}, "[0] [1]"},
	{"ticks until others are done", []func(*timing){func(s *timing) {
		for t := time.NewTicker(time.Second); s.w.Load() < 2; {
			flow.Receive(t.C)
		}
		s.say("seen")
	}, func(s *timing) { s.w.Add(1); s.w.Add(1) }}, "[seen]"},
	{"ticks until others that look at the clock are done", []func(*timing){func(s *timing) {
		for t := time.NewTicker(time.Second); s.w.Load() < 2; {
			flow.Receive(t.C)
		}
		s.say("seen")
	}, func(s *timing) { s.w.Add(1); time.Now(); s.w.Add(1) }}, "[seen]"},
	{"ticks again", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		t.Stop()
		t.Reset(time.Hour)
		flow.Receive(t.C)
		s.say("tick")
	}}, "[tick]"},
	{"ticks not before their time", []func(*timing){func(s *timing) {
		begin := time.Now()
		t := time.NewTicker(time.Hour)
		s.say(flow.Receive(t.C).Sub(begin) >= time.Hour)
	}}, "[true]"},
	{"ticks of a reset only", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		at := time.Now()
		t.Reset(time.Hour)
		s.say(flow.Receive(t.C).Sub(at) >= time.Hour)
	}}, "[true]"},
	{"ticks of a reset once", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		flow.Receive(t.C)
		at := time.Now()
		t.Reset(time.Hour)
		s.say(flow.Receive(t.C).Sub(at) >= time.Hour)
	}}, "[true]"},
	{"no tick after a stop", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		t.Stop()
		s.say(flow.Select(false, flow.Receiving(t.C), flow.Receiving(time.After(time.Hour))))
	}}, "[1]"},
	{"no tick of a reset after a stop", []func(*timing){func(s *timing) {
		t := time.NewTicker(time.Second)
		t.Reset(time.Second)
		t.Stop()
		s.say(flow.Select(false, flow.Receiving(t.C), flow.Receiving(time.After(time.Hour))))
	}}, "[1]"},
	{"a timer's channel has no buffer", []func(*timing){func(s *timing) {
		t, u := time.NewTimer(time.Second), time.NewTicker(time.Second)
		flow.Receive(u.C) // each may have sent something after that
		s.say(flow.Len(t.C), flow.Cap(t.C), flow.Len(u.C), flow.Cap(u.C), flow.Cap(s.c))
		u.Stop()
	}}, "[0 0 0 0 1]"},
	{"what a timer sends is not before it", []func(*timing){func(s *timing) {
		begin := time.Now()
		t := flow.Receive(time.After(time.Hour))
		s.say(t.Sub(begin) >= time.Hour, time.Since(begin) >= time.Hour)
	}}, "[true true]"},
}

// TestTimers: timers and tickers fire at any point after they were made, and what was stopped does not; the
// reduced search finds the same.
func TestTimers(t *testing.T) {
	wantSaid(t, timings, withoutAudit(unbounded()))
	wantSaid(t, timings, withoutAudit(reduced()))
}

// TestTicker_Deadlock: a ticker keeps nobody alive, and is not one of those that wait for ever.
func TestTicker_Deadlock(t *testing.T) {
	p := simple("ticker", func() {}, func() { time.Tick(time.Second); flow.Never() })
	for _, o := range []explore.Options{unbounded(), reduced()} {
		f := wantFailure(t, mustExplore(t, p, o), explore.Deadlock)
		if !strings.Contains(f.Message, "go on: A waits for ever") {
			t.Error(f.Message)
		}
		mustReplay(t, p, f)
	}
}

// TestTicker_Ends: a loop over a ticker is no endless execution, however often the ticker is reset.
func TestTicker_Ends(t *testing.T) {
	const most = 2 // 1 at any time, and 1 when nobody else can go on
	for _, resets := range []bool{false, true} {
		ticks := 0
		p := simple("ticker", func() { ticks = 0 }, func() {
			for c := time.NewTicker(time.Second); ; ticks++ {
				if flow.Receive(c.C); resets {
					c.Reset(time.Second)
				}
			}
		})
		for _, o := range []explore.Options{unbounded(), reduced()} {
			made := flow.Tickers()
			f := wantFailure(t, mustExplore(t, p, o), explore.Deadlock)
			if !strings.Contains(f.Message, "A waits for ever") || ticks != most || flow.Tickers() == made {
				t.Errorf("%d ticks, want %d: %s", ticks, most, f.Message)
			}
			mustReplay(t, p, f)
		}
	}
}

// TestTimers_Refused: what was not made by its function, or has no period, panics with the original's words.
func TestTimers_Refused(t *testing.T) {
	for want, f := range map[string]func(){
		"time: Stop called on uninitialized Timer":   func() { new(time.Timer).Stop() },
		"time: Reset called on uninitialized Timer":  func() { new(time.Timer).Reset(1) },
		"time: Reset called on uninitialized Ticker": func() { new(time.Ticker).Reset(1) },
		"non-positive interval for Ticker.Reset":     func() { time.NewTicker(1).Reset(0) },
		"non-positive interval for NewTicker":        func() { time.NewTicker(0) },
	} {
		var got any
		body := func() {
			new(time.Ticker).Stop()
			defer func() { got = recover() }()
			f()
		}
		p := simple("refused", func() { got = nil }, body)
		r := mustExplore(t, p, explore.Options{Preemptions: 1})
		if r.Failure != nil || fmt.Sprint(got) != want {
			t.Errorf("%v, want %s; %v", got, want, r.Err())
		}
	}
}

// TestTimers_Outside: outside explorations they are the real ones.
func TestTimers_Outside(t *testing.T) {
	flow.Receive(time.After(time.Nanosecond))
	flow.Receive(time.Tick(time.Nanosecond))
	ticker, timer := time.NewTicker(time.Hour), time.NewTimer(time.Hour)
	ticker.Reset(time.Nanosecond)
	flow.Receive(ticker.C)
	ticker.Stop()
	if !timer.Reset(time.Hour) || !timer.Stop() || timer.Stop() || time.Tick(0) != nil {
		t.Error("a timer does not know whether it runs")
	}
}

// TestTimers_Afterwards: who looks at the end of an execution may stop and start them; nothing fires then.
func TestTimers_Afterwards(t *testing.T) {
	var timer, calls *time.Timer
	var ticker *time.Ticker
	say := func() string {
		ticker.Reset(1)
		ticker.Stop()
		return fmt.Sprint(timer.Stop(), timer.Reset(1), timer.Stop(),
			calls.Reset(1), calls.Stop(), calls.Stop())
	}
	got, r := observed(t, unbounded(), func() {}, say, func() {
		timer, calls = time.NewTimer(1), time.AfterFunc(1, func() {})
		ticker = time.NewTicker(1)
	})
	// The time that was sent was not received, which is as if the timer still ran.
	const want = "true false true false true false"
	if r.Failure != nil || len(got) != 1 || got[want] == 0 {
		t.Errorf("%v, want %s; %v", got, want, r.Err())
	}
}
