package shelf

import (
	"sync"
	"sync/atomic"
)

// Limits have no meaning but that they are set together.
type Limits struct {
	Least, Most int64
	Names       []string
}

// Holder stores limits in two steps, so a Get between these has half of each.
type Holder struct{ least, most atomic.Int64 }

// Set sets them.
func (h *Holder) Set(l Limits) {
	h.least.Store(l.Least)
	h.most.Store(l.Most)
}

// Get returns them.
func (h *Holder) Get() Limits { return Limits{Least: h.least.Load(), Most: h.most.Load()} }

// A Ticket is told by its address.
type Ticket struct{ number int }

// Lazy makes its ticket when it is asked for, twice if two ask at once.
type Lazy struct{ made atomic.Pointer[Ticket] }

// Get returns the ticket.
func (l *Lazy) Get() *Ticket {
	if l.made.Load() == nil {
		l.made.Store(&Ticket{})
	}
	return l.made.Load()
}

// Once makes its ticket once.
type Once struct {
	once   sync.Once
	ticket *Ticket
}

// Get returns the ticket.
func (o *Once) Get() *Ticket {
	o.once.Do(func() { o.ticket = &Ticket{} })
	return o.ticket
}

// A Job is told by its number.
type Job struct{ Number int }

// Twice gives a job to two if these come at once.
type Twice struct {
	mu   sync.Mutex
	jobs []*Job
}

// Push adds a job.
func (q *Twice) Push() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, &Job{len(q.jobs) + 1})
}

// Pop returns a job, or nil.
func (q *Twice) Pop() *Job {
	q.mu.Lock()
	if len(q.jobs) == 0 {
		q.mu.Unlock()
		return nil
	}
	j := q.jobs[0]
	q.mu.Unlock()
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) > 0 {
		q.jobs = q.jobs[1:]
	}
	return j
}

// Group adds numbers one by one, so others see a part of what a call adds.
type Group struct {
	mu  sync.Mutex
	all []int
}

// AddAll adds them.
func (g *Group) AddAll(all ...int) {
	for _, n := range all {
		g.mu.Lock()
		g.all = append(g.all, n)
		g.mu.Unlock()
	}
}

// Len is how many it has.
func (g *Group) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.all)
}

// Server is a goroutine that owns a number. Inc asks it twice, so one of two may be lost.
type Server struct{ asks chan ask }

type ask struct {
	f     func(n int) int
	reply chan int
}

// NewServer starts it.
func NewServer() *Server {
	s := &Server{make(chan ask)}
	go func() {
		n := 0
		for a := range s.asks {
			n = a.f(n)
			a.reply <- n
		}
	}()
	return s
}

func (s *Server) do(f func(n int) int) int {
	reply := make(chan int)
	s.asks <- ask{f, reply}
	return <-reply
}

// Inc adds one.
func (s *Server) Inc() int {
	n := s.do(func(n int) int { return n }) + 1
	return s.do(func(int) int { return n })
}

// Add adds one, at once.
func (s *Server) Add() int { return s.do(func(n int) int { return n + 1 }) }
