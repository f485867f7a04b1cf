package classic

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
)

// Nothing is what an empty structure returns.
const Nothing = 99

func (m *memory) push(n *node) {
	for {
		top := m.head.Load()
		n.next.Store(top)
		if m.head.CompareAndSwap(top, n) {
			return
		}
	}
}

func (m *memory) pop() uint64 {
	for {
		top := m.head.Load()
		if top == nil {
			return Nothing
		}
		if m.head.CompareAndSwap(top, top.next.Load()) {
			return top.value
		}
	}
}

// Treiber is Treiber's stack: pushers that push one value each and poppers that pop once. At most
// eight pushers.
func Treiber(pushers, poppers int, seen Seen) explore.Program {
	all := repeat(pushers, func(i int) body {
		return func(m *memory, _ func(uint64)) {
			n := &m.nodes[i]
			n.value = uint64(i) + 1
			m.push(n)
		}
	})
	for range poppers {
		all = append(all, func(m *memory, say func(uint64)) { say(m.pop()) })
	}
	return program(fmt.Sprintf("treiber%dx%d", pushers, poppers), seen, nil, all...)
}

func (m *memory) enqueue(n *node) {
	for {
		tail := m.tail.Load()
		next := tail.next.Load()
		if next != nil {
			m.tail.CompareAndSwap(tail, next)
			continue
		}
		if tail.next.CompareAndSwap(nil, n) {
			m.tail.CompareAndSwap(tail, n)
			return
		}
	}
}

func (m *memory) dequeue() uint64 {
	for {
		head, tail := m.head.Load(), m.tail.Load()
		next := head.next.Load()
		switch {
		case next == nil:
			return Nothing
		case head == tail:
			m.tail.CompareAndSwap(tail, next)
		case m.head.CompareAndSwap(head, next):
			return next.value
		}
	}
}

// MichaelScott is the queue of Michael and Scott (PODC 1996): actors that enqueue one value each
// and actors that dequeue once. At most seven enqueue.
func MichaelScott(enqueuers, dequeuers int, seen Seen) explore.Program {
	setup := func(m *memory) {
		m.head.Store(&m.nodes[7])
		m.tail.Store(&m.nodes[7])
	}
	all := repeat(enqueuers, func(i int) body {
		return func(m *memory, _ func(uint64)) {
			n := &m.nodes[i]
			n.value = uint64(i) + 1
			m.enqueue(n)
		}
	})
	for range dequeuers {
		all = append(all, func(m *memory, say func(uint64)) { say(m.dequeue()) })
	}
	return program(fmt.Sprintf("msqueue%dx%d", enqueuers, dequeuers), seen, setup, all...)
}

// Seqlock has a writer of two words behind a sequence word, and readers that try twice each and
// return both words, or that they gave up.
func Seqlock(readers int, seen Seen) explore.Program {
	write := func(m *memory, _ func(uint64)) {
		m.words[0].Add(1)
		m.words[1].Store(7)
		m.words[2].Store(7)
		m.words[0].Add(1)
	}
	read := func(m *memory, say func(uint64)) {
		for range 2 {
			seq := m.words[0].Load()
			if seq%2 == 1 {
				continue
			}
			a, b := m.words[1].Load(), m.words[2].Load()
			if m.words[0].Load() == seq {
				say(a)
				say(b)
				return
			}
		}
		say(Nothing)
	}
	all := append([]body{write}, repeat(readers, func(int) body { return read })...)
	return program(fmt.Sprintf("seqlock%d", readers), seen, nil, all...)
}

// Deque is the work-stealing deque of Chase and Lev (SPAA 2005) of fixed size: an owner that
// pushes two items and takes twice, and thieves that steal once.
func Deque(thieves int, seen Seen) explore.Program {
	const top, bottom, items = 0, 1, 2
	owner := func(m *memory, say func(uint64)) {
		for v := range uint64(2) {
			b := m.words[bottom].Load()
			m.words[items+b].Store(v + 1)
			m.words[bottom].Store(b + 1)
		}
		for range 2 {
			b := m.words[bottom].Load()
			if b == 0 { // never below zero: a deque that starts empty here
				say(Nothing)
				continue
			}
			b--
			m.words[bottom].Store(b)
			t := m.words[top].Load()
			if int64(t) > int64(b) {
				m.words[bottom].Store(t)
				say(Nothing)
				continue
			}
			v := m.words[items+b].Load()
			if t == b {
				if !m.words[top].CompareAndSwap(t, t+1) {
					v = Nothing
				}
				m.words[bottom].Store(b + 1)
			}
			say(v)
		}
	}
	thief := func(m *memory, say func(uint64)) {
		t := m.words[top].Load()
		if int64(m.words[bottom].Load()) <= int64(t) {
			say(Nothing)
			return
		}
		v := m.words[items+t].Load()
		if !m.words[top].CompareAndSwap(t, t+1) {
			v = Nothing
		}
		say(v)
	}
	all := append([]body{owner}, repeat(thieves, func(int) body { return thief })...)
	return program(fmt.Sprintf("deque%d", thieves), seen, nil, all...)
}

// TicketLock guards a read and a write of a counter by a ticket lock, whose waiters spin.
func TicketLock(n int, seen Seen) explore.Program {
	const next, serving, counter = 0, 1, 2
	return program(fmt.Sprintf("ticket%d", n), seen, nil, repeat(n, func(int) body {
		return func(m *memory, say func(uint64)) {
			my := m.words[next].Add(1) - 1
			for m.words[serving].Load() != my {
			}
			v := m.words[counter].Load()
			m.words[counter].Store(v + 1)
			say(v)
			m.words[serving].Store(my + 1)
		}
	})...)
}

// SpinLock guards a read and a write of a counter by a lock that is taken by CompareAndSwap.
func SpinLock(n int, seen Seen) explore.Program {
	return program(fmt.Sprintf("spin%d", n), seen, nil, repeat(n, func(int) body {
		return func(m *memory, say func(uint64)) {
			for !m.words[0].CompareAndSwap(0, 1) {
			}
			v := m.words[1].Load()
			m.words[1].Store(v + 1)
			say(v)
			m.words[0].Store(0)
		}
	})...)
}

// Mutexes guards a read and a write of a counter by a Mutex.
func Mutexes(n int, seen Seen) explore.Program {
	return program(fmt.Sprintf("mutex%d", n), seen, nil, repeat(n, func(int) body {
		return func(m *memory, say func(uint64)) {
			m.locks[0].Lock()
			v := m.words[1].Load()
			m.words[1].Store(v + 1)
			say(v)
			m.locks[0].Unlock()
		}
	})...)
}

// RWMutexes has one writer of two words and readers of both, behind an RWMutex.
func RWMutexes(readers int, seen Seen) explore.Program {
	write := func(m *memory, _ func(uint64)) {
		m.rw.Lock()
		m.words[0].Store(1)
		m.words[1].Store(1)
		m.rw.Unlock()
	}
	read := func(m *memory, say func(uint64)) {
		m.rw.RLock()
		say(m.words[0].Load())
		say(m.words[1].Load())
		m.rw.RUnlock()
	}
	all := append([]body{write}, repeat(readers, func(int) body { return read })...)
	return program(fmt.Sprintf("rwmutex%d", readers), seen, nil, all...)
}
