package volume

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// watch is an index that ships, with eyes: it passes on each call, sees what a race is seen by, and now and
// then lingers ahead of a call until another one has been there. Every second client has one. The others
// have the index itself.
type watch struct {
	basket.Index
	heads  *heads
	alone  bool // the client is a process: to yield to other goroutines would be of no use
	state  int
	random *rand.Rand

	lookups uint64
	ticket  hopscotch.Ticket // of the last lookup
	head    basket.Head      // of the basket that it led to
	reused  bool             // that basket had another life at the Still that came after
	swapped
	fault error
}

// swapped is the last change that succeeded.
type swapped struct {
	hash, ref uint32
}

// A client lingers once in so many calls: for so many yields at most, of which each one lets some other
// goroutine make some calls, or, in a process of its own, for so long.
const (
	lingerEvery  = 4
	lingerYields = 6
	longYields   = 16 // for the reuse of a basket, which takes many calls
	lingerTime   = 25 * time.Microsecond
)

// linger waits until done, or not, for so many yields at most.
func (w *watch) linger(most int, done func() bool) {
	every := lingerEvery
	switch w.state {
	case 10: // whoever lingers has appended, and not published
		every = 1
	case 12: // the race is not at the index
		return
	}
	if w.random.IntN(every) != 0 {
		return
	}
	if !w.alone {
		for n := 0; n < most && !done(); n++ {
			runtime.Gosched()
		}
		return
	}
	for start := time.Now(); time.Since(start) < lingerTime && !done(); {
	}
}

func (w *watch) Ticket(hash uint32) (t hopscotch.Ticket, ok bool, err error) {
	t, ok, err = w.Index.Ticket(hash)
	w.lookups++
	w.ticket, w.head = t, 0
	if ok {
		w.head = w.heads.of(t.Value())
	}
	return t, ok, err
}

// Still comes after the copies. If the basket has another life, and the ticket holds, then something was
// freed to which the index led.
func (w *watch) Still(t hopscotch.Ticket) bool {
	other := func() bool {
		now := w.heads.of(t.Value())
		return now.Generation() != w.head.Generation() && now.State() != basket.StateFree
	}
	if w.state == 1 {
		w.linger(longYields, other)
	}
	reused := t == w.ticket && other()
	w.reused = w.reused || reused
	still := w.Index.Still(t)
	if still && reused && w.fault == nil {
		w.fault = fmt.Errorf("freed: the basket of ref %d had another life, and the index has led to it all "+
			"the time", t.Value())
	}
	return still
}

func (w *watch) void(t hopscotch.Ticket) func() bool {
	return func() bool { return !w.Index.Still(t) }
}

func (w *watch) CompareAndSwap(t hopscotch.Ticket, ref uint32) (ok bool, err error) {
	w.linger(lingerYields, w.void(t))
	if ok, err = w.Index.CompareAndSwap(t, ref); ok {
		w.swapped = swapped{t.Key(), ref}
	}
	return ok, err
}

func (w *watch) CompareAndDelete(t hopscotch.Ticket) (ok bool, err error) {
	w.linger(lingerYields, w.void(t))
	if ok, err = w.Index.CompareAndDelete(t); ok {
		w.swapped = swapped{t.Key(), 0}
	}
	return ok, err
}

func (w *watch) Add(hash, ref uint32, left func(ref uint32)) (bool, error) {
	w.linger(lingerYields, func() bool { _, there, _ := w.Index.Ticket(hash); return there })
	w.swapped = swapped{}
	return w.Index.Add(hash, ref, left)
}
