package shelf

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Row is a semaphore whose takers stand in a row, and get what they want in order: one that has to wait stands
// in the way of all that come after it, even if there is enough for them.
type Row struct {
	mu   sync.Mutex
	free int
	row  []taker
}

type taker struct {
	wants int
	ready chan struct{}
}

// NewRow makes one that has n.
func NewRow(n int) *Row { return &Row{free: n} }

// Take waits for its turn, and for n.
func (r *Row) Take(n int) {
	r.mu.Lock()
	if r.take(n) {
		r.mu.Unlock()
		return
	}
	ready := make(chan struct{})
	r.row = append(r.row, taker{n, ready})
	r.mu.Unlock()
	<-ready
}

// TryTake does not wait.
func (r *Row) TryTake(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take(n)
}

func (r *Row) take(n int) bool {
	if len(r.row) > 0 || r.free < n {
		return false
	}
	r.free -= n
	return true
}

// Give gives n back.
func (r *Row) Give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.free += n; len(r.row) > 0 && r.row[0].wants <= r.free; r.row = slices.Delete(r.row, 0, 1) {
		r.free -= r.row[0].wants
		close(r.row[0].ready)
	}
}

// Forgetful is a Row that lets nobody go who waits.
type Forgetful struct{ Row }

// NewForgetful makes one that has n.
func NewForgetful(n int) *Forgetful { return &Forgetful{Row{free: n}} }

// Give forgets the row.
func (f *Forgetful) Give(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free += n
}

// Meeting is of two: who comes first waits for the second.
type Meeting struct {
	mu    sync.Mutex
	other chan struct{}
}

// Come says whether it was the first one.
func (m *Meeting) Come() bool {
	m.mu.Lock()
	other := m.other
	if other != nil {
		m.other = nil
		m.mu.Unlock()
		close(other)
		return false
	}
	other = make(chan struct{})
	m.other = other
	m.mu.Unlock()
	<-other
	return true
}

// Waits says whether somebody waits for the second.
func (m *Meeting) Waits() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.other != nil
}

// Missed is a Meeting in which both may come first.
type Missed struct {
	there atomic.Bool
	come  chan struct{}
}

// NewMissed makes one.
func NewMissed() *Missed { return &Missed{come: make(chan struct{}, 1)} }

// Come looks whether somebody is there before it says that it is.
func (m *Missed) Come() bool {
	if m.there.Load() {
		m.there.Store(false)
		m.come <- struct{}{}
		return false
	}
	m.there.Store(true)
	<-m.come
	return true
}

// Tidy is a sum whose parts are put together again and again, for as long as there are processes.
type Tidy struct {
	mu    sync.Mutex
	parts []int
}

// NewTidy makes one, and starts what puts its parts together.
func NewTidy() *Tidy {
	t := &Tidy{}
	go func() {
		for range time.Tick(time.Minute) {
			t.mu.Lock()
			t.parts = []int{t.sum()}
			t.mu.Unlock()
		}
	}()
	return t
}

func (t *Tidy) sum() (all int) {
	for _, n := range t.parts {
		all += n
	}
	return all
}

// Add adds n and returns the sum.
func (t *Tidy) Add(n int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parts = append(t.parts, n)
	return t.sum()
}

// Sum adds all up.
func (t *Tidy) Sum() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum()
}

// Open is a Counter that whoever has it can lock.
type Open struct {
	sync.RWMutex
	n int
}

// Inc counts.
func (o *Open) Inc() int {
	o.Lock()
	defer o.Unlock()
	o.n++
	return o.n
}
