package accesses

import (
	"sync"
	"testing"
)

// A lock that is overwritten, or copied, while others may use it.
func TestRace_MutexOverwritten(t *testing.T) {
	var mu sync.Mutex
	both(func() { mu = sync.Mutex{} }, func() { mu.Lock() })
}

func TestRace_RWMutexOverwritten(t *testing.T) {
	s := &struct {
		mu sync.RWMutex
		n  int
	}{}
	both(func() { s.mu = sync.RWMutex{} }, func() { s.mu.RLock() })
}

func TestRace_OnceOverwritten(t *testing.T) {
	var once sync.Once
	once.Do(func() {})
	both(func() { once = sync.Once{} }, func() { once.Do(func() {}) })
}

func TestRace_WaitGroupOverwritten(t *testing.T) {
	var w sync.WaitGroup
	both(func() { w = sync.WaitGroup{} }, func() { w.Add(1); w.Done() })
}

// A send beside a close panics if it comes after it.
func TestRace_SendBesideClose(t *testing.T) {
	c := make(chan int, 1)
	both(func() { send(c) }, func() { close(c) })
}

func TestRace_SelectBesideClose(t *testing.T) {
	c, d := make(chan int, 1), make(chan int)
	both(func() {
		defer func() { recover() }()
		select {
		case c <- 1:
		case <-d:
		}
	}, func() { close(c) })
}

func send(c chan int) {
	defer func() { recover() }()
	c <- 1
}

// A lock may be overwritten by who made it, or holds it; a channel may be closed behind the sends.
func TestRight_Rules(t *testing.T) {
	type locked struct {
		mu sync.Mutex
		n  int
	}
	var mu sync.Mutex
	all := map[int]*locked{}
	add := func() {
		l := &locked{}
		*l = locked{n: 1}
		mu.Lock()
		if all[1] == nil {
			all[1] = l
		}
		l = all[1]
		mu.Unlock()
		l.mu.Lock()
		l.n++
		l.mu.Unlock()
	}
	both(add, add)
	var w sync.WaitGroup
	c := make(chan int, 2)
	w.Add(2)
	both(func() { c <- 1; w.Done(); w.Wait() }, func() { c <- 2; w.Done() })
	w.Wait()
	close(c)
	d, over, room := make(chan int), make(chan int), make(chan int, 1)
	both(func() { d <- 1; close(over) }, func() { <-d; close(d); <-over })
	open := true
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		if open {
			select {
			case room <- 1:
			default:
			}
		}
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		open = false
		close(room)
	})
}
