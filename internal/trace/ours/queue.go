package ours

import (
	"sync"
)

// queue hands out the parts of a trace in their order, again from the start when all are out, until it is to
// end: then it ends with the trace.
type queue struct {
	mu     sync.Mutex
	come   sync.Cond
	length uint64
	at     uint64
	again  []part      // of workers that have died
	out    int         // parts that somebody has
	passes int         // how often all of the trace was handed out
	end    func() bool // asked at the end of the trace
	cut    bool        // end now, wherever it is
	ended  bool
}

// partRequests is how many requests a part has.
const partRequests = 1024

func newQueue(length uint64, end func() bool) *queue {
	q := &queue{length: length, end: end}
	q.come.L = &q.mu
	return q
}

// take returns the next part; false when there is none, and none can come back.
func (q *queue) take() (part, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if n := len(q.again); n > 0 && !q.cut {
			p := q.again[n-1]
			q.again = q.again[:n-1]
			q.out++
			return p, true
		}
		if q.at == q.length && !q.ended {
			q.passes++
			q.at, q.ended = 0, q.end()
		}
		if !q.ended && !q.cut {
			p := part{q.at, min(q.at+partRequests, q.length)}
			q.at = p.To
			q.out++
			return p, true
		}
		if q.cut || q.out == 0 {
			return part{}, false
		}
		q.come.Wait()
	}
}

// done says that a part is done, or, with back, that its worker has died in it.
func (q *queue) done(p part, back bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.out--
	if back {
		q.again = append(q.again, p)
	}
	q.come.Broadcast()
}

// stop lets nobody have another part.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cut = true
	q.come.Broadcast()
}

// state is how often the trace was handed out, and how much of it since.
func (q *queue) state() (passes int, at uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.passes, q.at
}
