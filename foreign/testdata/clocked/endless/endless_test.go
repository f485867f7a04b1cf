// Package endless has tests that work until somebody stops them, or until some time is over.
package endless

import (
	"sync/atomic"
	"testing"
	"time"
)

// worker works until it is stopped.
type worker struct {
	n, stop atomic.Int32
	done    chan int
}

func start() *worker {
	w := &worker{done: make(chan int)}
	go func() {
		for w.stop.Load() == 0 {
			w.n.Add(1)
		}
		close(w.done)
	}()
	return w
}

func (w *worker) end() {
	w.stop.Store(1)
	<-w.done
}

func TestRight_UntilATime(t *testing.T) {
	w := start()
	time.Sleep(time.Millisecond)
	w.end()
}

// It asks whether it is stopped ahead of a send, and nobody may be there any more.
func TestWrong_AsksFirst(t *testing.T) {
	c, stop, done := make(chan int), make(chan int), make(chan int)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				c <- 1
			}
		}
	}()
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-c:
			}
		}
	}()
	close(stop)
	<-done
}

// The last addition may come behind the look.
func TestWrong_LooksEarly(t *testing.T) {
	w := start()
	time.Sleep(time.Millisecond)
	w.stop.Store(1)
	n := w.n.Load()
	<-w.done
	if w.n.Load() != n {
		t.Error("it works on")
	}
}

// The goroutine works on when the test has returned.
func TestLeaves_Work(t *testing.T) { start() }

func TestNever(t *testing.T) {
	for w := start(); ; {
		w.n.Add(1)
	}
}

// It looks at the same thing again and again, for more steps than a usual execution has, and then ends.
func TestLong_Looks(t *testing.T) {
	var n atomic.Int32
	done := make(chan int)
	go func() {
		defer close(done)
		for range 20_000 {
			n.Load()
		}
	}()
	for range 110_000 {
		if n.Load() != 0 {
			t.Error("somebody has changed it")
		}
	}
	<-done
}

// It looks at the same thing for ever.
func TestLoops_Two(t *testing.T) {
	var n, m atomic.Int32
	go func() {
		for n.Load() == 0 {
		}
		m.Store(1)
	}()
	for m.Load() == 0 {
	}
	n.Store(1)
}

// Two goroutines hand numbers over to one another, and only look in between.
func TestHands_Over(t *testing.T) {
	var full atomic.Bool
	var number, sum atomic.Int32
	done := make(chan int)
	go func() {
		defer close(done)
		for range 200 {
			for !full.Load() {
			}
			sum.Add(number.Load())
			full.Store(false)
		}
	}()
	for range 200 {
		for full.Load() {
		}
		number.Store(3)
		full.Store(true)
	}
	if <-done; sum.Load() != 600 {
		t.Error(sum.Load())
	}
}
