package flow

import (
	"sync"
	"time"
	"unsafe"

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
	made  map[unsafe.Pointer]madeWithin
}

// madeWithin is a channel that was made in a bubble.
type madeWithin struct {
	bubble  *Bubble
	channel any // so that no other channel gets its address
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
	return bubbleOf()
}

// bubbleOf is mine, under the lock. It forgets the bubbles of earlier executions.
func bubbleOf() *Bubble {
	if bubbles.epoch != hook.Epoch {
		bubbles.epoch, bubbles.of, bubbles.made = hook.Epoch, nil, nil
	}
	if len(bubbles.of) == 0 {
		return nil
	}
	return bubbles.of[goroutine()]
}

// Inside reports whether the running goroutine belongs to a bubble.
func Inside() bool { return mine() != nil }

// Made returns c, a channel that was just made. If that was in a bubble, c belongs to the bubble.
func Made[C any](c C) C {
	if hook.Active == nil {
		return c
	}
	bubbles.Lock()
	defer bubbles.Unlock()
	if b := bubbleOf(); b != nil {
		if bubbles.made == nil {
			bubbles.made = map[unsafe.Pointer]madeWithin{}
		}
		bubbles.made[address(&c)] = madeWithin{b, c}
	}
	return c
}

// fence is called before a step on a channel. If the channel belongs to another bubble than the running
// actor, the step panics. In the runtime that is a fatal error with the same text.
func (ch *channel) fence(s hook.Scheduler, k hook.Kind, what string) {
	bubbles.Lock()
	b := bubbleOf()
	m, is := bubbles.made[ch.p]
	bubbles.Unlock()
	if is && m.bubble != b {
		s.Before(k, ch.p) // which finds out a goroutine that is no actor
		s.After(k, ch.p, ch.word, ch.word, false)
		panic(what + " synctest channel from outside bubble")
	}
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
	bubbleOf()
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
