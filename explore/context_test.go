package explore_test

import (
	stdcontext "context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/context"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/time"
	"github.com/samecycle/samecycle/internal/hook"
)

// over reports whether a context has ended, how, and why.
func over(c context.Context) string {
	done := flow.Select(true, flow.Receiving(c.Done())) == 0
	return fmt.Sprint(done, " ", c.Err(), " ", context.Cause(c))
}

// ownDone is a context of a program's own, which ends by a channel of its own.
type ownDone struct {
	context.Context
	done chan struct{}
}

func (a ownDone) Done() <-chan struct{} { return a.done }

// contexts are programs with all that can be said by the documentation of package context.
var contexts = []saying{
	{"ended", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		before := over(c)
		cancel()
		cancel()
		s.say(before, over(c))
	}}, "[false <nil> <nil> true context canceled context canceled]"},
	{"with a cause, through a value", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancelCause(context.WithValue(context.Background(), 1, 2))
		d, _ := context.WithCancel(context.WithValue(c, 2, 3))
		apart := context.WithoutCancel(d)
		cancel(errors.New("enough"))
		s.say(over(d), d.Value(1), d.Value(2), apart.Err(), context.Cause(apart))
	}}, "[true context canceled enough 2 3 <nil> <nil>]"},
	{"a child ends alone", []func(*timing){func(s *timing) {
		c, cancelParent := context.WithCancel(context.Background())
		d, cancel := context.WithCancel(c)
		cancel()
		s.say(over(c), c.Err() == nil, d.Err() != nil)
		cancelParent()
	}}, "[false <nil> <nil> true true]"},
	{"of an ended one", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		cancel()
		d, _ := context.WithTimeout(c, time.Hour)
		s.say(over(d))
	}}, "[true context canceled context canceled]"},
	{"of the original", []func(*timing){func(s *timing) {
		c, cancel := stdcontext.WithCancel(stdcontext.Background())
		cancel()
		d, _ := context.WithCancel(c)
		s.say(over(d))
	}}, "[true context canceled context canceled]"},
	{"of one with a channel of its own", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		a := ownDone{c, make(chan struct{})}
		d, _ := context.WithCancel(a)
		cancel()
		s.say(flow.Select(true, flow.Receiving(d.Done())))
		flow.Close(a.done)
		flow.Receive(d.Done())
		s.say(d.Err())
	}}, "[-1 context canceled]"},
	{"beside a wait", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		flow.Go(cancel)
		s.say(flow.Select(false, flow.Receiving(c.Done()), flow.Receiving(s.c)), c.Err() != nil)
	}, func(s *timing) { flow.To(s.c).Send(1) }}, "[0 true] [1 false] [1 true]"},
	{"a timeout", []func(*timing){func(s *timing) {
		c, cancel := context.WithTimeoutCause(context.Background(), time.Hour, errors.New("late"))
		_, has := c.Deadline()
		flow.Receive(c.Done())
		s.say(has, over(c))
		cancel()
	}}, "[true true context deadline exceeded late]"},
	{"a timeout that does not matter", []func(*timing){func(s *timing) {
		c, cancel := context.WithTimeout(context.Background(), time.Hour)
		cancel()
		s.say(c.Err())
	}}, "[context canceled] [context deadline exceeded]"},
	{"a deadline that is over", []func(*timing){func(s *timing) {
		c, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
		defer cancel()
		s.say(over(c))
	}}, "[true context deadline exceeded context deadline exceeded]"},
	{"the earlier deadline", []func(*timing){func(s *timing) {
		c, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
		d, later := context.WithDeadline(c, time.Unix(5, 0))
		at, _ := d.Deadline()
		s.say(at.Unix())
		later()
		cancel()
	}}, "[0]"},
	{"a function afterwards", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		stop := context.AfterFunc(c, func() { flow.To(s.c).Send(1) })
		cancel()
		s.say(stop(), flow.Receive(s.c))
	}}, "[false 1]"},
	{"a function of an ended one", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		cancel()
		stop := context.AfterFunc(c, func() { flow.To(s.c).Send(1) })
		s.say(flow.Receive(s.c), stop())
	}}, "[1 false]"},
	{"a function that is stopped meanwhile", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		stop := context.AfterFunc(c, func() { flow.To(s.c).Send(1) })
		flow.Go(cancel)
		stopped := stop()
		if !stopped {
			flow.Receive(s.c)
		}
		flow.Receive(c.Done())
		s.say(stopped, flow.Len(s.c))
	}}, "[false 0] [true 0]"},
	{"a function of one that never ends", []func(*timing){func(s *timing) {
		stop := context.AfterFunc(context.WithoutCancel(context.Background()), func() { s.w.Add(1) })
		s.say(stop(), stop())
	}}, "[true false]"},
	{"the second end waits for the first", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		d, _ := context.WithCancel(c)
		flow.Go(cancel)
		cancel()
		s.say(flow.Select(true, flow.Receiving(c.Done())), flow.Select(true, flow.Receiving(d.Done())))
	}}, "[0 0]"},
	{"who sees the error sees the end", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		flow.Go(cancel)
		s.say(c.Err() == nil || flow.Select(true, flow.Receiving(c.Done())) == 0)
	}}, "[true]"},
	{"who sees the cause sees the ends", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancelCause(context.Background())
		d, _ := context.WithCancel(c)
		flow.Go(func() { cancel(errors.New("enough")) })
		s.say(context.Cause(c) == nil || flow.Select(true, flow.Receiving(d.Done())) == 0)
	}}, "[true]"},
	{"the first end says why", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancelCause(context.Background())
		d, stop := context.WithTimeoutCause(c, time.Hour, errors.New("late"))
		stop()
		cancel(errors.New("enough"))
		s.say(context.Cause(d), context.Cause(c))
	}}, "[context canceled enough] [late enough]"},
	{"a function that was stopped", []func(*timing){func(s *timing) {
		c, cancel := context.WithCancel(context.Background())
		stop := context.AfterFunc(c, func() { s.w.Add(1) })
		s.say(stop(), stop())
		cancel()
	}}, "[true false]"},
}

// TestContext: contexts end as the documentation of the package says, in each schedule; without reduction in
// those with at most two preemptions, which are enough to see all that can be said.
func TestContext(t *testing.T) {
	wantSaid(t, contexts, explore.Options{Preemptions: 2, Audit: -1})
	wantSaid(t, contexts, withoutAudit(reduced()))
}

// TestContext_Outside: outside explorations contexts end, too, and so do those of the original that have one
// of ours as their parent.
func TestContext_Outside(t *testing.T) {
	c, cancel := context.WithCancelCause(context.Background())
	d, stop := stdcontext.WithCancel(c)
	defer stop()
	called := make(chan bool)
	context.AfterFunc(d, func() { called <- true })
	cancel(errors.New("enough"))
	<-d.Done()
	<-called
	e, _ := context.WithTimeout(c, time.Hour)
	f, release := context.WithTimeout(context.Background(), time.Nanosecond)
	defer release()
	<-f.Done()
	if stdcontext.Cause(c) != context.Canceled || context.Cause(e).Error() != "enough" ||
		f.Err() != context.DeadlineExceeded {
		t.Error(stdcontext.Cause(c), context.Cause(e), f.Err())
	}
}

// TestContext_Deadlock: an actor that waits for a context which is never ended waits for ever.
func TestContext_Deadlock(t *testing.T) {
	p := simple("context", func() {}, func() {
		c, cancel := context.WithCancel(context.Background())
		d, end := stdcontext.WithCancel(stdcontext.Background())
		defer end()
		e, _ := context.WithCancel(d)
		flow.Select(false, flow.Receiving(c.Done()), flow.Receiving(e.Done()))
		cancel()
	})
	f := wantFailure(t, mustExplore(t, p, explore.Options{Preemptions: 1}), explore.Deadlock)
	const want = "go on: A waits for ever; A in Select at context_test.go:"
	if !strings.Contains(f.Message, want) || len(f.Stacks) != 1 {
		t.Error(f.Message, f.Stacks)
	}
}

// TestContext_Leak: if actors wait for ever when the others have ended, the report says where each waits,
// and where its goroutine was started. For an actor that only serves a ticker or a context, it says where
// that was made.
func TestContext_Leak(t *testing.T) {
	loops := func(c context.Context, jobs chan int) {
		for flow.Select(false, flow.Receiving(c.Done()), flow.Receiving(jobs)) != 0 {
		}
	}
	p := simple("leak", func() {}, func() {
		c, _ := context.WithCancel(context.Background())
		jobs, ticks := make(chan int), time.Tick(time.Second)
		flow.Go(func() { loops(c, jobs) })
		flow.Receive(ticks)
		flow.To(jobs).Send(1)
	})
	for _, o := range []explore.Options{{Preemptions: 1}, reduced()} {
		f := wantFailure(t, mustExplore(t, p, o), explore.Deadlock)
		const want = "go on: A.2 waits for ever; A.2 in Select at context_test.go:"
		started := map[string]int{}
		for _, s := range f.Steps {
			if s.Actor > 0 && s.Kind == hook.Begin {
				started[f.Actors[s.Actor]] = s.Line
			}
		}
		if !strings.Contains(f.Message, want) || !strings.Contains(f.Message, "TestContext_Leak.func1)") ||
			len(f.Stacks) != 1 || len(started) != 2 || started["A.2"] != started["A.1"]+1 {
			t.Error(f.Table(), started)
		}
		mustReplay(t, p, f)
	}
}
