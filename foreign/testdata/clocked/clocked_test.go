// Package clocked has tests that look at the clock again and again, or set timers that are over at once.
package clocked

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A loop that gives way between its looks at the clock comes to its end, because time passes.
func TestRight_GivesWay(t *testing.T) {
	for begin := time.Now(); time.Since(begin) < 20*time.Millisecond; {
		runtime.Gosched()
	}
}

func TestRight_GivesWayOften(t *testing.T) {
	for range 1000 {
		runtime.Gosched()
	}
}

// The context ends at some time of the loop, behind which it has more turns than if it ends later.
func TestRight_GivesWayToContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for begin := time.Now(); time.Since(begin) < 20*time.Millisecond; {
		runtime.Gosched()
	}
	time.Sleep(time.Millisecond)
	if ctx.Err() == nil {
		t.Error("the context has not ended")
	}
}

// In the order that comes first the other goroutine gives way to nobody, and in others very often.
func TestRight_GivesWayInOneOrder(t *testing.T) {
	var set atomic.Bool
	done := make(chan bool)
	go func() {
		if !set.Load() {
			for range 5000 {
				runtime.Gosched()
			}
		}
		done <- true
	}()
	set.Store(true)
	<-done
}

func TestWrong_GivesWayForEver(t *testing.T) {
	var flag atomic.Bool
	for !flag.Load() {
		runtime.Gosched()
	}
}

// Who looks at the clock finds no time at which a timer should have fired that has not.
func TestRight_LooksBehindTimer(t *testing.T) {
	begin, timer := time.Now(), time.NewTimer(10*time.Millisecond)
	for time.Since(begin) < 20*time.Millisecond {
	}
	select {
	case <-timer.C:
	default:
		t.Error("the timer has not fired")
	}
}

func TestRight_LooksUntilLate(t *testing.T) {
	var done atomic.Bool
	time.AfterFunc(10*time.Millisecond, func() { done.Store(true) })
	for deadline := time.Now().Add(time.Second); !done.Load(); {
		if time.Now().After(deadline) {
			t.Fatal("too late")
		}
	}
}

func TestRight_LooksBehindTicker(t *testing.T) {
	begin, ticker := time.Now(), time.NewTicker(10*time.Millisecond)
	defer ticker.Stop()
	for time.Since(begin) < 15*time.Millisecond {
	}
	select {
	case <-ticker.C:
	default:
		t.Error("the ticker has not ticked")
	}
}

// A timer that is set to no time has fired when somebody looks.
func TestRight_AtOnce(t *testing.T) {
	timer := time.NewTimer(time.Hour)
	timer.Reset(-time.Second)
	select {
	case <-timer.C:
	default:
		t.Error("the timer has not fired")
	}
	if timer.Stop() {
		t.Error("the timer was running")
	}
}

func TestWrong_AtOnce(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-time.After(0):
		t.Error("too late")
	}
}

// A function that is called after no time runs beside whoever lets it be called.
func TestWrong_CalledAtOnce(t *testing.T) {
	var n atomic.Int32
	done := make(chan bool)
	time.AfterFunc(0, func() {
		n.Store(n.Load() + 1)
		close(done)
	})
	n.Store(n.Load() + 1)
	<-done
	if n.Load() != 2 {
		t.Error("an addition is lost")
	}
}

// What go test runs besides is not explored.
func FuzzNothing(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }

func Example() {}

func BenchmarkNothing(*testing.B) {}

// A context says what it is made of, without an address.
func TestRight_Named(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if got := fmt.Sprint(ctx); got != "context.Background.WithCancel" {
		t.Error(got)
	}
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	defer cancel()
	const want = "context.Background.WithCancel.WithDeadline("
	if got := fmt.Sprint(context.WithValue(ctx, key{}, "a")); !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, "]).WithValue(clocked.key, a)") {
		t.Error(got)
	}
}

type key struct{}

// What is written to a pipe arrives, in parts as well, and an end that is closed says why.
func TestRight_Pipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, "hello")
		_ = w.CloseWithError(errors.Join(err, io.ErrUnexpectedEOF))
	}()
	b := make([]byte, 3)
	if n, err := r.Read(b); n != 3 || err != nil || string(b) != "hel" {
		t.Errorf("%d bytes, %v", n, err)
	}
	if rest, err := io.ReadAll(r); string(rest) != "lo" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", rest, err)
	}
	if _, err := r.Read(b); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if _, err := w.Write(b); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

// Nobody reads what is written.
func TestWrong_Pipe(t *testing.T) {
	r, w := io.Pipe()
	go func() { _, _ = io.WriteString(w, "hello"); _ = w.Close() }()
	if _, err := r.Read(make([]byte, 3)); err != nil {
		t.Error(err)
	}
	if _, err := w.Write([]byte("more")); err != nil {
		t.Error(err)
	}
}

// Two tickers in two goroutines, of which some ticks come at the same time.
func TestRight_TwoTickers(t *testing.T) {
	var n atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, d := range []time.Duration{10 * time.Millisecond, 15 * time.Millisecond} {
		wg.Go(func() {
			ticker := time.NewTicker(d)
			defer ticker.Stop()
			for {
				select {
				case <-ticker.C:
					n.Add(1)
				case <-stop:
					return
				}
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	close(stop)
	wg.Wait()
	if got := n.Load(); got < 6 || got > 8 { // the last ticks may come when they are stopped
		t.Errorf("%d ticks", got)
	}
}

// Each turn of a worker has a timeout of its own.
func TestRight_Timeouts(t *testing.T) {
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case _, more := <-jobs:
					if !more {
						return
					}
				case <-time.After(time.Second):
					t.Error("a worker had nothing to do for a second")
					return
				}
			}
		})
	}
	for i := range 3 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
}

// A timer of the same length that was set before is over when a sleep is.
func TestRight_TimerBeforeSleep(t *testing.T) {
	timer := time.NewTimer(time.Millisecond)
	time.Sleep(time.Millisecond)
	select {
	case <-timer.C:
	default:
		t.Error("the timer is late")
	}
}
