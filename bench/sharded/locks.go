package sharded

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/impl/shardmap"
	"github.com/samecycle/samecycle/internal/seam"
)

// locker is a readers-writer lock.
type locker interface {
	RLock()
	RUnlock()
	Lock()
	Unlock()
}

// waitingLock is the protocol of shardmap.Lock with another way to wait.
type waitingLock struct {
	word atomic.Uint32
	wait func(looks int)
}

const (
	writer  = 1 << 31
	readers = writer - 1
)

func (l *waitingLock) RLock() {
	for l.word.Add(1)&writer != 0 {
		l.word.Add(^uint32(0))
		for looks := 0; l.word.Load()&writer != 0; looks++ {
			l.wait(looks)
		}
	}
}

func (l *waitingLock) RUnlock() { l.word.Add(^uint32(0)) }

func (l *waitingLock) Lock() {
	for l.word.Or(writer)&writer != 0 {
		for looks := 0; l.word.Load()&writer != 0; looks++ {
			l.wait(looks)
		}
	}
	for looks := 0; l.word.Load()&readers != 0; looks++ {
		l.wait(looks)
	}
}

func (l *waitingLock) Unlock() { l.word.And(readers) }

// awake is how many looks a lock that yields makes before it does: as many as ours.
const awake = 30

// never keeps the processor, as the source text does.
func never(int) { seam.Pause() }

// atOnce yields after each look.
func atOnce(int) { runtime.Gosched() }

// yields keeps its processor for a while and yields after each look then.
func yields(looks int) {
	if looks < awake {
		seam.Pause()
		return
	}
	runtime.Gosched()
}

// apart is a lock that shares its cache line with nothing.
type apart[L any] struct {
	_    [64]byte
	lock L
	_    [64]byte
}

// waiting is a lock of ours that waits in that way.
func waiting(wait func(looks int)) func() locker {
	return func() locker {
		l := &apart[waitingLock]{lock: waitingLock{wait: wait}}
		return &l.lock
	}
}

// namedLock makes a lock of a kind.
type namedLock struct {
	name string
	make func() locker
}

// The locks. Ours is first: ratios are its time over the others'.
var (
	oursLock    = namedLock{ours, func() locker { return &new(apart[shardmap.Lock]).lock }}
	rwMutex     = namedLock{"sync.RWMutex", func() locker { return &new(apart[sync.RWMutex]).lock }}
	neverYields = namedLock{"never yields", waiting(never)}
	yieldsFirst = namedLock{"yields at once", waiting(atOnce)}
	yieldsOnly  = namedLock{"yields for ever", waiting(yields)}

	peerLocks = []namedLock{oursLock, rwMutex}
	allLocks  = []namedLock{oursLock, rwMutex, neverYields, yieldsFirst, yieldsOnly}
)

// ours is the name of what is measured.
const ours = "shardmap"

// lockOps is the number of pairs of lock and unlock of a pass.
const lockOps = 200_000

// guarded is what the lock protects: two numbers that are equal whenever nobody is inside for writing.
type guarded struct {
	locker
	_    [64]byte
	a, b uint64
	_    [48]byte
}

func (g *guarded) read() (wrong int) {
	g.RLock()
	if g.a != g.b {
		wrong = 1
	}
	g.RUnlock()
	return wrong
}

func (g *guarded) write() {
	g.Lock()
	g.a++
	g.b++
	g.Unlock()
}

// use makes the operations of a pass in so many goroutines; every writeEvery-th one writes, none if it
// is 0. It returns the reads that saw half a write, and the writes that are lost.
func (g *guarded) use(goroutines, ops, writeEvery int) int {
	before := g.a
	writes := 0
	for i := range ops / goroutines {
		if writeEvery > 0 && i%writeEvery == 0 {
			writes++
		}
	}
	wrong := many(goroutines, func(int) (wrong int) {
		for i := range ops / goroutines {
			if writeEvery > 0 && i%writeEvery == 0 {
				g.write()
			} else {
				wrong += g.read()
			}
		}
		return wrong
	})
	if g.a-before != uint64(writes*goroutines) {
		wrong++
	}
	return wrong
}

// many runs f in so many goroutines and adds up what it returns. One alone is the caller's.
func many(goroutines int, f func(who int) (wrong int)) (wrong int) {
	if goroutines == 1 {
		return f(0)
	}
	all := make([]int, goroutines)
	var group sync.WaitGroup
	for who := range goroutines {
		group.Go(func() { all[who] = f(who) })
	}
	group.Wait()
	for _, w := range all {
		wrong += w
	}
	return wrong
}

// counts are the numbers of goroutines that are measured.
var counts = []int{1, 2, 4, 8}

// lockCells are the measurements of locks.
func lockCells() []cell {
	cells := aloneCells()
	for _, n := range counts[1:] {
		cells = append(cells, lockCell(fmt.Sprintf("lock/readers/%d", n), peerLocks, n, 0))
	}
	for _, n := range counts[1:] {
		cells = append(cells, lockCell(fmt.Sprintf("lock/mixed/%d", n), allLocks, n, 16))
	}
	for _, n := range counts {
		cells = append(cells, writerCell(n))
	}
	for _, n := range counts[1:] {
		cells = append(cells, shardsCell(n))
	}
	return append(cells, oversubscribed(lockCell("wait/threads/8", allLocks, 8, 16)))
}

// aloneCells measure a lock that nobody else wants. The calls are written out for each lock: through an
// interface they would cost as much again.
func aloneCells() []cell {
	var spin shardmap.Lock
	var mutex sync.RWMutex
	alone := func(name string, run func()) bench.Subject {
		return bench.Subject{Name: name, Ops: 5 * lockOps, Run: func() int { run(); return 0 }}
	}
	return []cell{
		{name: "lock/read", goroutines: 1, subjects: []bench.Subject{
			alone(ours, func() {
				for range 5 * lockOps {
					spin.RLock()
					spin.RUnlock()
				}
			}),
			alone(rwMutex.name, func() {
				for range 5 * lockOps {
					mutex.RLock()
					mutex.RUnlock()
				}
			}),
		}},
		{name: "lock/write", goroutines: 1, subjects: []bench.Subject{
			alone(ours, func() {
				for range 5 * lockOps {
					spin.Lock()
					spin.Unlock()
				}
			}),
			alone(rwMutex.name, func() {
				for range 5 * lockOps {
					mutex.Lock()
					mutex.Unlock()
				}
			}),
		}},
	}
}

func lockCell(name string, locks []namedLock, goroutines, writeEvery int) cell {
	c := cell{name: name, goroutines: goroutines}
	for _, l := range locks {
		g := &guarded{locker: l.make()}
		c.subjects = append(c.subjects, bench.Subject{Name: l.name, Ops: lockOps / goroutines * goroutines,
			Together: goroutines > 1, Run: func() int { return g.use(goroutines, lockOps, writeEvery) }})
	}
	return c
}

// writerWrites is how often the writer of a pass writes while readers keep coming.
const writerWrites = 5_000

// writerCell measures how long one writer takes for a write while so many readers keep coming, which is what
// writer preference is for.
func writerCell(readers int) cell {
	c := cell{name: fmt.Sprintf("lock/writer/%d", readers), goroutines: readers + 1}
	for _, l := range allLocks {
		g := &guarded{locker: l.make()}
		c.subjects = append(c.subjects, bench.Subject{Name: l.name, Ops: writerWrites, Together: true,
			Run: func() int {
				var done atomic.Bool
				return many(readers+1, func(who int) (wrong int) {
					if who == 0 {
						for range writerWrites {
							g.write()
						}
						done.Store(true)
					}
					for !done.Load() {
						wrong += g.read()
					}
					return wrong
				})
			}})
	}
	return c
}

// oversubscribed runs the subjects on four threads for each processor, so that the system takes the processor
// away from holders of the lock.
func oversubscribed(c cell) cell {
	for i := range c.subjects {
		run := c.subjects[i].Run
		c.subjects[i].Run = func() int {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4 * runtime.NumCPU()))
			return run()
		}
	}
	return c
}
