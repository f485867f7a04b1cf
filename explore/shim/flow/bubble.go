package flow

import (
	"sync"
	"time"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Bubble has the goroutines of a synctest.Test: the one that begins it, and those that they start.
type Bubble struct {
	running int           // number of started goroutines that have not ended
	begun   time.Duration // on the clock of the execution
}

// bubbles are the bubbles to which goroutines belong.
var bubbles struct {
	sync.Mutex
	epoch uint64 // the execution that they are of
	of    map[uintptr]*Bubble
}

// InBubble calls f in a new bubble.
func InBubble(f func(b *Bubble)) {
	b := &Bubble{}
	if Clock != nil {
		b.begun = Clock.Now
	}
	defer b.join()()
	f(b)
}

// inBubbles is when each bubble begins, as the documentation of testing/synctest says.
var inBubbles = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// Seen returns the time on an ordered clock as the goroutine sees it.
func (c *Slow) Seen() time.Time {
	if b := mine(); b != nil {
		return inBubbles.Add(c.Now - b.begun)
	}
	return Begin.Add(c.Now)
}

// Running returns the number of goroutines that were started in the bubble and have not ended.
func (b *Bubble) Running() int {
	bubbles.Lock()
	defer bubbles.Unlock()
	return b.running
}

// mine returns the bubble of the goroutine, or nil if it has none.
func mine() *Bubble {
	bubbles.Lock()
	defer bubbles.Unlock()
	if bubbles.epoch != hook.Epoch {
		bubbles.epoch, bubbles.of = hook.Epoch, nil
	}
	if len(bubbles.of) == 0 {
		return nil
	}
	return bubbles.of[goroutine()]
}

// add counts goroutines that begin or end.
func (b *Bubble) add(n int) {
	if b != nil {
		bubbles.Lock()
		defer bubbles.Unlock()
		b.running += n
	}
}

// join makes the goroutine belong to the bubble until it calls leave.
func (b *Bubble) join() (leave func()) {
	if b == nil {
		return func() {}
	}
	me, epoch := goroutine(), hook.Epoch
	bubbles.Lock()
	defer bubbles.Unlock()
	if bubbles.epoch != epoch {
		bubbles.epoch, bubbles.of = epoch, nil
	}
	if bubbles.of == nil {
		bubbles.of = map[uintptr]*Bubble{}
	}
	before := bubbles.of[me]
	bubbles.of[me] = b
	return func() {
		bubbles.Lock()
		defer bubbles.Unlock()
		switch {
		case bubbles.epoch != epoch:
		case before == nil:
			delete(bubbles.of, me)
		default:
			bubbles.of[me] = before
		}
	}
}
