// Package policy has models of caches: which objects a cache holds after each request of a trace, by the rule
// of a published policy. They are references to hold a real cache against, hence written to be read beside
// the paper that each of them names, and not to be fast. A model stores no values.
//
// All of them fill on demand: an object that is asked for and is not there comes in, unless it is larger than
// the whole cache. Only Belady leaves out others. The size of an object must not change.
//
// Where all objects have the same size, each model is that of the paper. The papers of CLOCK, ARC and Belady
// know no other sizes; what is done with them is said at each model.
package policy

import (
	"container/list"
	"math"
)

// Replayed is a cache through which a trace goes. Size is that of the object in bytes, at least 1. It tells
// whether the object was there. If not, the cache may take it in.
type Replayed interface {
	Access(key uint64, size uint32) (hit bool)
}

// Policy is the model of a cache of a capacity in bytes. It is for one goroutine.
type Policy interface {
	Replayed
	// Used is how many bytes the objects in the cache have together, at most the capacity.
	Used() uint64
	// Holds tells whether the object is in the cache, and changes nothing.
	Holds(key uint64) bool
}

// Kind is a policy by name.
type Kind struct {
	Name  string
	Paper string
	// New makes an empty cache of so many bytes. The future is that of the trace to come; only a policy that
	// is Offline looks at it, all others take nil.
	New     func(capacity uint64, future Future) Policy
	Offline bool // no real cache can do it
}

// Kinds are all of them, the simplest first and the optimum last.
func Kinds() []Kind {
	return []Kind{
		{Name: "LRU", New: func(capacity uint64, _ Future) Policy { return NewLRU(capacity) },
			Paper: "R. L. Mattson et al., Evaluation techniques for storage hierarchies, IBM Systems " +
				"Journal 9 (2), 1970"},
		{Name: "CLOCK", New: func(capacity uint64, _ Future) Policy { return NewClock(capacity) },
			Paper: "F. J. Corbato, A paging experiment with the Multics system, MIT Project MAC, 1968"},
		{Name: "S3-FIFO", New: func(capacity uint64, _ Future) Policy { return NewS3FIFO(capacity) },
			Paper: "J. Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023"},
		{Name: "ARC", New: func(capacity uint64, _ Future) Policy { return NewARC(capacity) },
			Paper: "N. Megiddo, D. S. Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003"},
		{Name: "Belady", Offline: true,
			New: func(capacity uint64, future Future) Policy { return NewBelady(capacity, future) },
			Paper: "L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM " +
				"Systems Journal 5 (2), 1966 (there called MIN)"},
	}
}

// Never is the next use of an object that nobody asks for again.
const Never = math.MaxUint32

// Future is for each request of a trace the place of the next one for the same object, or Never.
type Future []uint32

// Foresee finds the future of a trace of fewer than Never requests, whose objects have numbers below so many.
func Foresee(requests []uint32, objects int) Future {
	later := make([]uint32, objects)
	for i := range later {
		later[i] = Never
	}
	future := make(Future, len(requests))
	for i := len(requests) - 1; i >= 0; i-- {
		future[i], later[requests[i]] = later[requests[i]], uint32(i)
	}
	return future
}

// object is what a model knows of an object.
type object struct {
	key   uint64
	size  uint64
	uses  uint8  // how often it was asked for lately; CLOCK and S3-FIFO
	where *queue // the queue that it stands in
}

// queue is a list of objects with their bytes; what came in last is in front.
type queue struct {
	list.List
	bytes uint64
}

func (q *queue) push(o *object) *list.Element {
	o.where = q
	q.bytes += o.size
	return q.PushFront(o)
}

// drop takes an element out.
func (q *queue) drop(e *list.Element) *object {
	o := q.Remove(e).(*object)
	q.bytes -= o.size
	return o
}

// last is the element that has been in for the longest time; nil if there is none.
func (q *queue) last() *list.Element { return q.Back() }
