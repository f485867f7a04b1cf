package cache

import (
	"errors"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// Handles. A goroutine borrows a handle for a call of the cache. It takes the first free one, beginning at a
// place that its stack chooses, with one compare-and-swap. A further handle is made when all existing ones
// have been found taken. No function of the user runs while a handle is held, except Options.Clock and the
// methods of a policy.

// The word of a slot.
//
//	bits    field
//	63      taken: the handle is in use, is being made, or has ended
//	62..32  second count: the misses of a reader
//	31..0   first count: the hits of a reader
const (
	slotTaken  = 1 << 63
	slotFirst  = 1
	slotSecond = 1 << 32
	slotFull   = 1<<30 | 1<<62 // set when a count is half full
	slotCounts = slotTaken - 1
)

// slot holds one handle. The goroutine that has the word taken owns the rest of the slot.
type slot[H any] struct {
	word   seam.Uint64
	totals [2]seam.Uint64 // counts that were moved out of the word
	home   *pool[H]
	handle H
	_      [64]byte // the words of two slots are in two cache lines
}

// pool is a fixed array of slots. The first ones, as many as made says, have handles.
type pool[H any] struct {
	slots  []slot[H]
	made   seam.Uint32
	making seam.Uint32            // 1 while a goroutine makes or ends a handle, and for ever after close
	ended  seam.Uint32            // 1 when the pool must not be used any more
	wait   seam.Uint32            // number of goroutines that sleep until they get a handle
	hand   chan *slot[H]          // hands a taken slot to one of them
	create func(n int) (H, error) // for the slot n
	end    func(H) error

	bound time.Duration // how long a call without any handle waits for another process to give one up
}

// newPool makes a pool of at most n handles, which has none yet.
func newPool[H any](n int, create func(int) (H, error), end func(H) error) *pool[H] {
	p := &pool[H]{slots: make([]slot[H], n), create: create, end: end, hand: make(chan *slot[H])}
	for i := range p.slots {
		p.slots[i].home = p
		p.slots[i].word.Store(slotTaken)
	}
	return p
}

// hint chooses where a goroutine begins to look: by the address of its stack, which goroutines that run at
// the same time do not share.
func hint() uint32 {
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>12) * 0x9E3779B1
}

// take borrows a handle; give returns it. If all handles are taken, take waits for as long as calls take. If
// this process has no handle because other processes have all of the region, it waits for at most p.bound.
// Errors: ErrClosed, also for a cache that was never opened; those of create, if there is no handle at all.
func (p *pool[H]) take() (*slot[H], error) {
	if p == nil {
		return nil, neverOpened{}
	}
	made := p.made.Load()
	if made != 0 {
		s := &p.slots[uint64(hint())*uint64(made)>>32]
		if v := s.word.Load(); v&slotTaken == 0 && s.word.CompareAndSwap(v, v|slotTaken) {
			return s, nil
		}
	}
	return p.takeAny(p.bound)
}

// takeNow is take, but does not wait for other processes: if there is no handle, it returns the error at
// once.
func (p *pool[H]) takeNow() (*slot[H], error) { return p.takeAny(0) }

// Pauses of a goroutine that waits for a handle. First it yields the processor, then it sleeps. The next
// goroutine that gives a handle back hands it to a sleeper. Otherwise goroutines that call again and again
// would take each free handle before a sleeper has its turn, and the sleeper could wait for seconds. A
// goroutine yields for a short time only, because another goroutine may then keep the processor for 10 ms
// each time.
const (
	waitYields = 64
	waitShort  = seam.Millisecond / 10
	waitFirst  = 20 * seam.Millisecond / 1000
	waitMost   = seam.Millisecond
)

// takeAny is take after the first look found nothing.
//
//go:noinline
func (p *pool[H]) takeAny(bound time.Duration) (*slot[H], error) {
	pause, yields, others := waitFirst, seam.Deadline{}, seam.Deadline{}
	for round := 0; ; round++ {
		made := uint64(p.made.Load())
		first := uint64(hint()) * made >> 32
		for i := range made {
			s := &p.slots[(first+i)%made]
			if v := s.word.Load(); v&slotTaken == 0 && s.word.CompareAndSwap(v, v|slotTaken) {
				return s, nil
			}
		}
		if p.ended.Load() != 0 || len(p.slots) == 0 {
			return nil, ErrClosed
		}
		if round == 0 {
			yields, others = seam.Within(waitShort), seam.Within(bound)
		}
		s, err := p.more()
		if s != nil || err != nil && (!errors.Is(err, ErrBusy) || others.Left() <= 0) {
			return s, err
		}
		if round < waitYields && (seam.Explored || yields.Left() > 0) {
			seam.Gosched()
			continue
		}
		if s = p.sleep(pause); s != nil {
			return s, nil
		}
		pause = min(2*pause, waitMost)
	}
}

// sleep waits until a handle is handed over, but no longer than pause, because a handle may have been given
// back just before. In an exploration, in which no goroutine sleeps, there is only the pause.
func (p *pool[H]) sleep(pause time.Duration) *slot[H] {
	if seam.Explored {
		seam.Sleep(pause)
		return nil
	}
	p.wait.Add(1)
	defer p.wait.Add(^uint32(0))
	over := time.NewTimer(pause)
	defer over.Stop()
	select {
	case s := <-p.hand:
		return s
	case <-over.C:
		return nil
	}
}

// more makes one more handle, and returns its slot taken, if the pool may have more handles and no other
// goroutine is making one. If there are other handles, a failure to make one is no error.
func (p *pool[H]) more() (*slot[H], error) {
	if int(p.made.Load()) == len(p.slots) || !p.making.CompareAndSwap(0, 1) {
		return nil, nil
	}
	defer p.making.Store(0)
	n := p.made.Load()
	if int(n) == len(p.slots) || p.ended.Load() != 0 {
		return nil, nil
	}
	h, err := p.create(int(n))
	switch {
	case err != nil && n > 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	p.slots[n].handle = h
	p.made.Store(n + 1)
	return &p.slots[n], nil
}

// give gives a handle back, and counts the call: slotFirst, slotSecond, or neither. A handle that is given
// back twice stays taken for ever, because two owners would be worse than none.
func (s *slot[H]) give(count uint64) {
	v := s.word.Load() - slotTaken + count
	if v&slotFull != 0 {
		v = s.carry(v)
	}
	if s.home.wait.Load() != 0 && s.pass(v) {
		return
	}
	s.word.Store(v)
}

// pass hands the slot to a goroutine that waits, if there still is one, and the slot stays taken. It hands
// over nothing if the pool is closed or held, because no goroutine may find a handle then.
//
//go:noinline
func (s *slot[H]) pass(v uint64) bool {
	if s.home.ended.Load() != 0 || s.home.made.Load() == 0 {
		return false
	}
	s.word.Store(v | slotTaken)
	select {
	case s.home.hand <- s:
		return true
	default:
		return false
	}
}

// giveUp is give for a handle that is to be ended, and reports whether it was. The handle must be the last
// one of the pool, and no other goroutine may be making or ending one. An error of the end is ignored.
func (s *slot[H]) giveUp(count uint64) bool {
	p := s.home
	if !p.making.CompareAndSwap(0, 1) {
		return false
	}
	defer p.making.Store(0)
	n := p.made.Load()
	if p.ended.Load() != 0 || n == 0 || s != &p.slots[n-1] {
		return false
	}
	s.count(count)
	p.made.Store(n - 1) // a goroutine that has loaded n finds the slot taken
	_ = p.drop(s)
	return true
}

// count counts a call while the handle is taken.
func (s *slot[H]) count(n uint64) { s.word.Store(s.word.Load() + n) }

// carry moves the counts of a word to the totals.
//
//go:noinline
func (s *slot[H]) carry(v uint64) uint64 {
	s.totals[0].Add(v & (slotSecond - 1))
	s.totals[1].Add(v >> 32)
	return 0
}

// counts returns the counts of all handles, including those that have ended.
func (p *pool[H]) counts() (first, second uint64) {
	for i := range p.slots {
		s := &p.slots[i]
		v := s.word.Load() & slotCounts
		first += s.totals[0].Load() + v&(slotSecond-1)
		second += s.totals[1].Load() + v>>32
	}
	return first, second
}

// shrink ends the last handle if more than least exist and it is not in use. So an idle process leaves its
// handles to others.
func (p *pool[H]) shrink(least int) error { return p.shrinkIf(least, nil) }

// shrinkIf is shrink, if may allows it for the last handle.
func (p *pool[H]) shrinkIf(least int, may func(H) bool) error {
	if int(p.made.Load()) <= least || !p.making.CompareAndSwap(0, 1) {
		return nil
	}
	defer p.making.Store(0)
	n := p.made.Load()
	if int(n) <= least || p.ended.Load() != 0 {
		return nil
	}
	s := &p.slots[n-1]
	v := s.word.Load()
	if v&slotTaken != 0 || !s.word.CompareAndSwap(v, v|slotTaken) {
		return nil
	}
	if may != nil && !may(s.handle) {
		s.give(0)
		return nil
	}
	p.made.Store(n - 1) // a goroutine that has loaded n finds the slot taken
	return p.drop(s)
}

// close ends all handles, each after it has been given back. Only the first call does so, and returns true.
func (p *pool[H]) close() (first bool, err error) {
	if !p.ended.CompareAndSwap(0, 1) {
		return false, nil
	}
	for !p.making.CompareAndSwap(0, 1) {
		seam.Sleep(waitFirst)
	}
	for i := range p.hide() {
		s := &p.slots[i]
		s.await()
		if e := p.drop(s); err == nil {
			err = e
		}
	}
	return true, err
}

// hide makes all handles impossible to find, and returns their number. Otherwise goroutines that call all the
// time would keep the handles. Only a goroutine that has set making may call it.
func (p *pool[H]) hide() (made uint32) {
	made = p.made.Load()
	p.made.Store(0)
	return made
}

// await waits until the handle of the slot has been given back, and takes the slot.
func (s *slot[H]) await() {
	for {
		v := s.word.Load()
		if v&slotTaken == 0 && s.word.CompareAndSwap(v, v|slotTaken) {
			return
		}
		seam.Sleep(waitFirst)
	}
}

// hold takes all handles, each after it has been given back. No handle is made until release is called, and
// goroutines that want one wait until then.
func (p *pool[H]) hold() (release func(), err error) {
	for !p.making.CompareAndSwap(0, 1) {
		if p.ended.Load() != 0 {
			return nil, ErrClosed
		}
		seam.Sleep(waitFirst)
	}
	if p.ended.Load() != 0 {
		p.making.Store(0)
		return nil, ErrClosed
	}
	made := p.hide()
	for i := range made {
		p.slots[i].await()
	}
	return func() {
		p.made.Store(made)
		for i := range made {
			p.slots[i].give(0)
		}
		p.making.Store(0)
	}, nil
}

// drop ends the handle of a slot that is taken. The slot stays taken.
func (p *pool[H]) drop(s *slot[H]) error {
	h := s.handle
	var none H
	s.handle = none
	return p.end(h)
}
