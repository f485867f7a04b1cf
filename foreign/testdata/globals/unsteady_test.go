package globals

import (
	"expvar"
	"sync"
	"sync/atomic"
	"testing"
)

var nextID = func() func() int64 {
	var n atomic.Int64
	return func() int64 { return n.Add(1) }
}()

// What the function has captured lasts, so the second run has other numbers.
func TestUnsteadyClosure(t *testing.T) {
	c := make(chan int64, 2)
	for range 2 {
		go func() { c <- nextID() }()
	}
	if s := <-c + <-c; s != 3 {
		t.Error("sum of the first two numbers:", s)
	}
}

var calls = func() func() int {
	n := 0
	return func() int { n++; return n }
}()

// It passes a few times.
func TestUnsteadyLater(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	if <-c; calls() > 4 {
		t.Error("it was called more than four times")
	}
}

var hits = expvar.NewInt("samecycle hits")

func TestUnsteadyVariable(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { hits.Add(1) })
	}
	wg.Wait()
	if hits.Value() != 2 {
		t.Error(hits.Value())
	}
}

var shut = func() func(bool) bool {
	is := false
	return func(more bool) bool { is = is || more; return is }
}()

// What it leaves is not restored.
func TestLeft_Shuts(t *testing.T) {
	c := make(chan bool)
	go func() { c <- shut(true) }()
	<-c
}

// It is right if nobody has shut it before.
func TestLeft_Open(t *testing.T) {
	c := make(chan bool)
	go func() { c <- shut(false) }()
	if <-c {
		t.Error("it is shut")
	}
}

func TestLeft_Always(t *testing.T) {
	t.Error("it fails always")
}

// It fails in some orders, and would pass or fail at the next run as well.
func TestSteady(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	if calls(); <-c != 1 {
		t.Error("the second came first")
	}
}
