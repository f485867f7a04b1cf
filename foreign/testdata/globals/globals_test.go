package globals

import (
	"expvar"
	"flag"
	"sync"
	"testing"
)

// A flag of one name can be registered only once, too.
func TestMain(m *testing.M) {
	flag.Int("globals", 1, "")
	m.Run()
}

// The number depends on who took one before.
func TestNext(t *testing.T) {
	done := make(chan int64)
	go func() { done <- new(Ticket).Next() }()
	for range new(Ticket).Next() {
		mu.Lock()
		mu.Unlock()
	}
	<-done
}

// Two take numbers in two steps.
func TestLoose(t *testing.T) {
	done := make(chan int64)
	go func() { done <- new(Loose).Next() }()
	n := new(Loose).Next()
	if m := <-done; m+n != 3 {
		t.Errorf("the numbers are %d and %d", m, n)
	}
}

var publish sync.Once

// What it publishes lasts: that can be done only once.
func TestPublishes(t *testing.T) {
	done := make(chan bool)
	go func() { done <- true }()
	publish.Do(func() { expvar.NewInt("samecycle") })
	<-done
}
