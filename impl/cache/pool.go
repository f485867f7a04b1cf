package cache

import (
	"errors"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// Handles. A goroutine that calls the cache borrows a handle for the call, and no longer: it takes the first
// one that is free, from a place on that its stack chooses, with one compare-and-swap. Handles are made as
// they are needed, when all that there are have been found taken. No function of a user runs while one is
// held, but for Options.Clock and the methods of a policy.

// The word of a slot.
//
//	bits    field
//	63      taken: the handle is in use, is being made, or is no more
//	62..32  second count: the misses of a reader
//	31..0   first count: its hits
const (
	slotTaken  = 1 << 63
	slotFirst  = 1
	slotSecond = 1 << 32
	slotFull   = 1<<30 | 1<<62 // bits of counts that are half full
	slotCounts = slotTaken - 1
)

// slot holds one handle. Who has the word taken owns the rest.
type slot[H any] struct {
	word   seam.Uint64
	totals [2]seam.Uint64 // counts that went out of the word
	home   *pool[H]
	handle H
	_      [64]byte // the words of two slots are in two cache lines
}

// pool is a fixed array of slots, of which the first made have handles.
type pool[H any] struct {
	slots  []slot[H]
	made   seam.Uint32
	making seam.Uint32            // 1 while somebody makes or ends a handle; and for ever after the end
	ended  seam.Uint32            // 1 when the pool is to be used no more
	wait   seam.Uint32            // so many have waited for long
	hand   chan *slot[H]          // by which they are handed a slot that is taken
	create func(n int) (H, error) // for the slot n
	end    func(H) error

	bound time.Duration // for which a call waits until another process gives a handle up, if there is none
}

// newPool is a pool of at most n handles, without any.
func newPool[H any](n int, create func(int) (H, error), end func(H) error) *pool[H] {
	p := &pool[H]{slots: make([]slot[H], n), create: create, end: end, hand: make(chan *slot[H])}
	for i := range p.slots {
		p.slots[i].home = p
		p.slots[i].word.Store(slotTaken)
	}
	return p
}

// hint chooses where a goroutine begins to look: by the place of its stack, which goroutines that run at the
// same time do not share.
func hint() uint32 {
	var here byte
	return uint32(uintptr(unsafe.Pointer(&here))>>12) * 0x9E3779B1
}

// take borrows a handle; give gives it back. It waits for one if all are taken, for as long as calls take. If
// there is none, since other processes have all that the region has, it waits for p.bound. Errors:
// ErrClosed, also of a cache that nobody has opened, and those of create while there is no handle at all.
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

// takeNow is take, but waits for no other process: where there is no handle it returns the error at once.
func (p *pool[H]) takeNow() (*slot[H], error) { return p.takeAny(0) }

// Pauses of who waits for a handle: first the processor is left to others, then the goroutine sleeps. A
// sleeper is handed a handle by the next one who gives one back. Else those who call again and again would
// take each one that is free before a sleeper has its turn, and it could wait for seconds. The processor is
// left to others for a short time only, since one of them may keep it for 10 ms each time.
const (
	waitYields = 64
	waitShort  = seam.Millisecond / 10
	waitFirst  = 20 * seam.Millisecond / 1000
	waitMost   = seam.Millisecond
)

// takeAny is take where the first look found nothing.
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

// sleep pauses until a handle is handed over, or for so long: somebody may have given one back just before.
// In an exploration, in which nobody sleeps, there is only the pause.
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

// more makes one more handle, which is taken, if there may be more and nobody else is about it. While there
// are others the failure to make one is none.
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

// give gives a handle back, and counts the call: slotFirst, slotSecond, or neither. One that is given back
// twice is taken for ever: better that nobody has it than that two have.
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

// pass hands the slot to somebody who waits, if anybody does by now: it stays taken. Where nobody is to find
// a handle, because the pool ends or is held, nobody is handed one.
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

// giveUp is give for a handle that the pool is to have no longer, and reports whether it was ended: it must
// be the last one, and nobody else about to make or to end one. An error of its end is told to nobody.
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
	p.made.Store(n - 1) // who has seen n finds the slot taken
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

// counts are the counts of all handles, also of those that are no more.
func (p *pool[H]) counts() (first, second uint64) {
	for i := range p.slots {
		s := &p.slots[i]
		v := s.word.Load() & slotCounts
		first += s.totals[0].Load() + v&(slotSecond-1)
		second += s.totals[1].Load() + v>>32
	}
	return first, second
}

// shrink ends the last handle if more than least are made and it is not in use. So a process that has become
// idle leaves its handles to others.
func (p *pool[H]) shrink(least int) error { return p.shrinkIf(least, nil) }

// shrinkIf is shrink, if the last handle may be ended.
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
	p.made.Store(n - 1) // who has seen n finds the slot taken
	return p.drop(s)
}

// close ends all handles, each when it has been given back. Only the first call does, and reports so.
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

// hide lets nobody find a handle any more, and says how many there are: else who calls all the time would
// keep them all. Only who makes or ends handles may call it.
func (p *pool[H]) hide() (made uint32) {
	made = p.made.Load()
	p.made.Store(0)
	return made
}

// await takes the slot when its handle has been given back.
func (s *slot[H]) await() {
	for {
		v := s.word.Load()
		if v&slotTaken == 0 && s.word.CompareAndSwap(v, v|slotTaken) {
			return
		}
		seam.Sleep(waitFirst)
	}
}

// hold takes all handles, each when it has been given back, and no further one is made until release is
// called. Who wants one waits until then.
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

// drop ends the handle of a slot that is taken, and stays so.
func (p *pool[H]) drop(s *slot[H]) error {
	h := s.handle
	var none H
	s.handle = none
	return p.end(h)
}
