package classic

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// Seen is called with the outcome of each execution that ran to its end: what the actors returned
// and what the shared words hold. It may be nil.
type Seen func(outcome string)

// A Case is a program of this package with what it needs to be explored.
type Case struct {
	Name      string
	What      string
	Orders    uint64 // interleavings of the accesses, 0: not counted
	Classes   uint64 // classes of executions under reordering of independent steps, 0: not known
	SpinLimit int    // see explore.Options
	New       func(Seen) explore.Program
}

// memory is what the actors of a program share.
type memory struct {
	words [16]atomic.Uint64
	locks [58]sync.Mutex
	rw    sync.RWMutex
	nodes [8]node
	head  atomic.Pointer[node]
	tail  atomic.Pointer[node]
	out   [][]uint64 // by actor, what it returned
}

type node struct {
	next  atomic.Pointer[node]
	value uint64 // written before the node is published
}

// an actor of a program: its number, the memory, and say, which adds to what it returns.
type body func(m *memory, say func(uint64))

// program makes a program of bodies. Setup, if not nil, changes the memory, all zero, ahead of each
// execution.
func program(name string, seen Seen, setup func(*memory), bodies ...body) explore.Program {
	m := new(memory)
	actors := make([]explore.Actor, len(bodies))
	m.out = make([][]uint64, len(bodies))
	for i, b := range bodies {
		say := func(v uint64) { m.out[i] = append(m.out[i], v) }
		actors[i] = explore.Actor{Name: fmt.Sprintf("T%d", i), Body: func() { b(m, say) }}
	}
	return explore.Program{
		Name: name,
		Start: func(x *explore.Execution) []explore.Actor {
			out := m.out
			*m = memory{out: out} //nolint:govet // nobody holds a lock here
			for i := range out {
				out[i] = out[i][:0]
			}
			if setup != nil {
				setup(m)
			}
			x.Region(unsafe.Pointer(m), int(unsafe.Sizeof(*m)))
			return actors
		},
		Finish: func(x *explore.Execution) error {
			if seen != nil {
				seen(m.outcome(x))
			}
			return nil
		},
	}
}

// outcome renders what can be seen at the end.
func (m *memory) outcome(x *explore.Execution) string {
	s := fmt.Sprint(m.out)
	for i := range m.words {
		if v := m.words[i].Load(); v != 0 {
			s += fmt.Sprintf(" w%d=%d", i, v)
		}
	}
	for n, k := m.head.Load(), 0; n != nil && k < len(m.nodes); n, k = n.next.Load(), k+1 {
		s += fmt.Sprintf(" ->%d", n.value)
	}
	for i := range m.out {
		if x.Killed(i) {
			s += fmt.Sprintf(" killed %d", i)
		}
	}
	return s
}

// repeat returns n bodies, the i-th made by f(i).
func repeat(n int, f func(i int) body) []body {
	all := make([]body, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}

// StoreBuffering is the litmus test of a processor's store buffer: with sequential consistency at
// least one actor sees the other's store.
func StoreBuffering(seen Seen) explore.Program {
	return program("sb", seen, nil, repeat(2, func(i int) body {
		return func(m *memory, say func(uint64)) {
			m.words[i].Store(1)
			say(m.words[1-i].Load())
		}
	})...)
}

// MessagePassing writes data and then a flag; who sees the flag sees the data.
func MessagePassing(seen Seen) explore.Program {
	return program("mp", seen, nil,
		func(m *memory, _ func(uint64)) {
			m.words[0].Store(1)
			m.words[1].Store(1)
		},
		func(m *memory, say func(uint64)) {
			say(m.words[1].Load())
			say(m.words[0].Load())
		})
}

// Writers has n actors that each store another value to one word: n! classes.
func Writers(n int, seen Seen) explore.Program {
	return program(fmt.Sprintf("writers%d", n), seen, nil, repeat(n, func(i int) body {
		return func(m *memory, _ func(uint64)) { m.words[0].Store(uint64(i) + 1) }
	})...)
}

// Readers has one actor that writes a word and n that each read two words, only one of which is
// written: 2^n classes, for each reader is early or late.
func Readers(n int, seen Seen) explore.Program {
	all := repeat(n, func(int) body {
		return func(m *memory, say func(uint64)) {
			say(m.words[1].Load())
			say(m.words[0].Load())
		}
	})
	write := func(m *memory, _ func(uint64)) { m.words[0].Store(1) }
	return program(fmt.Sprintf("readers%d", n), seen, nil, append(all, write)...)
}

// LastZero has n actors of which the i-th sets word i to word i-1 plus one, and one that looks for
// the last word that is zero. It is the program for which sleep sets without wakeup trees search
// much in vain: (n+3) 2^(n-2) classes (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial
// Order Reduction, POPL 2014, table 1: 64 for n = 5 and 3328 for n = 10). N is 1 to 15.
func LastZero(n int, seen Seen) explore.Program {
	all := repeat(n, func(i int) body {
		return func(m *memory, _ func(uint64)) { m.words[i+1].Store(m.words[i].Load() + 1) }
	})
	look := func(m *memory, say func(uint64)) {
		i := n
		for m.words[i].Load() != 0 {
			i--
		}
		say(uint64(i))
	}
	return program(fmt.Sprintf("lastzero%d", n), seen, nil, append(all, look)...)
}

// fileBlocks is the number of blocks of FileSystem.
const fileBlocks = 26

// FileSystem has n actors that each allocate a disk block to an inode, under a lock per inode and
// per block. Actors 13 apart meet at a block: 2^(n-13) classes for n of 14 to 26, else 1 (Flanagan,
// Godefroid: Dynamic Partial-Order Reduction, POPL 2005, where 32 inodes and 26 blocks are shared).
func FileSystem(n int, seen Seen) explore.Program {
	inodes, busy := make([]uint64, 32), make([]uint64, fileBlocks)
	setup := func(*memory) { clear(inodes); clear(busy) }
	return program(fmt.Sprintf("filesystem%d", n), seen, setup, repeat(n, func(t int) body {
		return func(m *memory, say func(uint64)) {
			i := t % len(inodes)
			m.locks[i].Lock()
			if inodes[i] == 0 {
				for b := (i * 2) % fileBlocks; ; b = (b + 1) % fileBlocks {
					lock := &m.locks[32+b]
					lock.Lock()
					free := busy[b] == 0
					if free {
						busy[b], inodes[i] = 1, uint64(b)+1
					}
					lock.Unlock()
					if free {
						break
					}
				}
			}
			say(inodes[i])
			m.locks[i].Unlock()
		}
	})...)
}
