package deep

import (
	"flag"
	"sync"
	"sync/atomic"
	"testing"
)

// alternate lets two goroutines count in turn up to twice the rounds, and reports whether they did.
func alternate(rounds int32) bool {
	var x atomic.Int32
	var all sync.WaitGroup
	var failed atomic.Bool
	for side := range int32(2) {
		all.Go(func() {
			for i := range rounds {
				if x.Load() != 2*i+side {
					failed.Store(true)
					return
				}
				x.Store(2*i + side + 1)
			}
		})
	}
	all.Wait()
	return !failed.Load()
}

// Flags may be parsed when the program is loaded.
func init() {
	testing.Init()
	flag.Parse()
}

// It takes six preemptions.
func TestWrong(t *testing.T) {
	if alternate(4) {
		t.Error("four rounds")
	}
}

// It has no more preemptions than three, and all are right.
func TestRight(t *testing.T) {
	var x atomic.Int32
	go x.Add(1)
	go x.Add(2)
	for range 3 {
		if x.Load() < 0 {
			t.Error("less than nothing")
		}
	}
}

// It has more executions than anybody waits for.
func TestMany_Steps(t *testing.T) {
	var x atomic.Int32
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 30 {
				x.Add(1)
			}
		})
	}
	all.Wait()
}
