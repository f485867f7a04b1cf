// Package timing has types that look at the clock: those that wait for somebody for so long only, and those
// that do something again and again.
package timing

import (
	"sync"
	"sync/atomic"
	"time"
)

// Meet hands values over to who is there in time.
type Meet struct{ c chan int }

// NewMeet makes one.
func NewMeet() *Meet { return &Meet{make(chan int)} }

// Give says whether somebody took the value.
func (m *Meet) Give(v int) bool {
	select {
	case m.c <- v:
		return true
	case <-time.After(time.Second):
		return false
	}
}

// Take says whether somebody gave a value.
func (m *Meet) Take() (int, bool) {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case v := <-m.c:
		return v, true
	case <-timer.C:
		return 0, false
	}
}

// Lossy is a Meet at which a value may be taken of which its giver says that nobody took it.
type Lossy struct {
	slot atomic.Pointer[int]
	took chan struct{}
}

// NewLossy makes one.
func NewLossy() *Lossy { return &Lossy{took: make(chan struct{}, 1)} }

// Give says whether somebody took the value. When its time is over it looks whether the value is there still,
// and takes it back, in two steps.
func (l *Lossy) Give(v int) bool {
	l.slot.Store(&v)
	select {
	case <-l.took:
		return true
	case <-time.After(time.Second):
	}
	if l.slot.Load() == nil {
		return true
	}
	l.slot.Store(nil)
	return false
}

// Take says whether there is a value.
func (l *Lossy) Take() (int, bool) {
	v := l.slot.Swap(nil)
	if v == nil {
		return 0, false
	}
	select {
	case l.took <- struct{}{}:
	default:
	}
	return *v, true
}

// cache is what others sweep.
type cache struct {
	mu     sync.Mutex
	n      int
	closed bool
	stop   chan struct{}
}

func newCache() *cache { return &cache{stop: make(chan struct{})} }

func (c *cache) sweep() {
	c.mu.Lock()
	c.n = 0
	c.mu.Unlock()
}

// Add counts what was not swept.
func (c *cache) Add() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func (c *cache) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Close ends the sweeping. Two may both find that it has not ended yet.
func (c *cache) Close() {
	if c.isClosed() {
		return
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	close(c.stop)
}

// Ticked is swept at each tick.
type Ticked struct{ cache *cache }

// NewTicked starts two goroutines that sweep.
func NewTicked() *Ticked {
	t := &Ticked{newCache()}
	for range 2 {
		go func() {
			ticker := time.NewTicker(time.Second)
			defer ticker.Stop()
			for {
				select {
				case <-ticker.C:
					t.cache.sweep()
				case <-t.cache.stop:
					return
				}
			}
		}()
	}
	return t
}

// Add counts what was not swept.
func (t *Ticked) Add() int { return t.cache.Add() }

// Close is wrong.
func (t *Ticked) Close() { t.cache.Close() }

// Timed is swept again and again, by a goroutine that waits for a timer of its own each time.
type Timed struct{ cache *cache }

// NewTimed starts the goroutine.
func NewTimed() *Timed {
	t := &Timed{newCache()}
	go func() {
		for {
			select {
			case <-time.After(time.Second):
				t.cache.sweep()
			case <-t.cache.stop:
				return
			}
		}
	}()
	return t
}

// Add counts what was not swept.
func (t *Timed) Add() int { return t.cache.Add() }

// Close is wrong.
func (t *Timed) Close() { t.cache.Close() }

// Rearmed is a Timed whose timer is set again.
type Rearmed struct{ cache *cache }

// NewRearmed starts the goroutine.
func NewRearmed() *Rearmed {
	r := &Rearmed{newCache()}
	go func() {
		timer := time.NewTimer(time.Second)
		for {
			select {
			case <-timer.C:
				r.cache.sweep()
				timer.Reset(time.Second)
			case <-r.cache.stop:
				return
			}
		}
	}()
	return r
}

// Add counts what was not swept.
func (r *Rearmed) Add() int { return r.cache.Add() }

// Close is wrong.
func (r *Rearmed) Close() { r.cache.Close() }

// Chained is swept by a function that lets itself be called again.
type Chained struct{ cache *cache }

// NewChained lets the function be called.
func NewChained() *Chained {
	c := &Chained{newCache()}
	c.arm()
	return c
}

func (c *Chained) arm() {
	time.AfterFunc(time.Second, func() {
		c.cache.sweep()
		c.arm()
	})
}

// Add counts what was not swept.
func (c *Chained) Add() int { return c.cache.Add() }

// Close is wrong.
func (c *Chained) Close() { c.cache.Close() }

// Sleeper is swept by a goroutine that sleeps in between.
type Sleeper struct{ cache *cache }

// NewSleeper starts the goroutine.
func NewSleeper() *Sleeper {
	s := &Sleeper{newCache()}
	go func() {
		for {
			time.Sleep(time.Second)
			s.cache.sweep()
		}
	}()
	return s
}

// Add counts what was not swept.
func (s *Sleeper) Add() int { return s.cache.Add() }

// Close is wrong.
func (s *Sleeper) Close() { s.cache.Close() }

// Watch counts, and says when it was asked. Its lock does not order who looks at the clock.
type Watch struct {
	mu    sync.Mutex
	n     int
	began time.Time
}

// NewWatch begins.
func NewWatch() *Watch { return &Watch{began: time.Now()} }

// Lap is how long it took to count so far.
func (w *Watch) Lap() (int, time.Duration) {
	at := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return w.n, at.Sub(w.began)
}

// Add counts.
func (w *Watch) Add() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return w.n
}

// Brief keeps a key for three milliseconds, which is three looks at the clock of an exploration.
type Brief struct {
	mu  sync.Mutex
	end time.Time
}

// Set sets the key.
func (b *Brief) Set() {
	end := time.Now().Add(3 * time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end = end
}

// Has reports whether it is there.
func (b *Brief) Has() bool {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.end)
}

// Count is how many there are at most.
func (b *Brief) Count() int { return 1 }
