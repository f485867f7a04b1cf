// Package tested is a module whose tests are explored.
package tested

import "sync"

// Queue is a queue. Put and Get have a fault each.
type Queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	items    []int
}

// New makes a queue.
func New() *Queue {
	q := &Queue{}
	q.notEmpty = sync.NewCond(&q.mu)
	return q
}

// Put puts v into the queue. Who waits is woken only if the queue was empty, so one of two may sleep on.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.items = append(q.items, v); len(q.items) == 1 {
		q.notEmpty.Signal()
	}
}

// Get waits for a value.
func (q *Queue) Get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.notEmpty.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}
