// Package reduced has tests with more preemptions than a search looks at by itself, and with few classes of
// equivalent interleavings.
package reduced

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestWrong_InTurn fails if two goroutines go on in turn, which takes five preemptions.
func TestWrong_InTurn(t *testing.T) {
	var a, b atomic.Int64
	var w sync.WaitGroup
	w.Go(func() {
		for i := range int64(4) {
			if b.Load() != i {
				return
			}
			a.Add(1)
		}
		t.Error("in turn")
	})
	w.Go(func() {
		for i := range int64(4) {
			if a.Load() != i+1 {
				return
			}
			b.Add(1)
		}
	})
	w.Wait()
}

// TestWrong_Race has a race after four preemptions.
func TestWrong_Race(t *testing.T) {
	var a, b atomic.Int64
	var w sync.WaitGroup
	n := 0
	w.Go(func() {
		for i := range int64(3) {
			if b.Load() != i {
				return
			}
			a.Add(1)
		}
		n++
	})
	w.Go(func() {
		for i := range int64(2) {
			if a.Load() != i+1 {
				return
			}
			b.Add(1)
		}
		n++
	})
	w.Wait()
}

func TestRight_Locked(t *testing.T) {
	var mu sync.Mutex
	var w sync.WaitGroup
	n := 0
	for range 3 {
		w.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	w.Wait()
	if n != 3 {
		t.Fatal(n)
	}
}

func TestRight_Timeout(t *testing.T) {
	c := make(chan int)
	for range 3 {
		go func() { c <- 1 }()
	}
	for range 3 {
		select {
		case <-c:
		case <-time.After(time.Second):
			t.Fatal("too late")
		}
	}
}

func TestRight_Polls(t *testing.T) {
	var done atomic.Bool
	go func() {
		time.Sleep(5 * time.Millisecond)
		done.Store(true)
	}()
	for !done.Load() {
		time.Sleep(time.Millisecond)
	}
}

// TestRight_Ticks has a ticker, which a reduced search refuses.
func TestRight_Ticks(t *testing.T) {
	k := time.NewTicker(time.Millisecond)
	defer k.Stop()
	var n atomic.Int64
	for range 3 {
		go func() {
			n.Add(1)
			n.Add(1)
		}()
	}
	for n.Load() < 6 {
		<-k.C
	}
}
