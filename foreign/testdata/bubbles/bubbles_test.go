// Package bubbles has tests that use testing/synctest.
package bubbles

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// begin is when each bubble begins, by the documentation of testing/synctest.
var begin = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// sleeps looks at the clock of a bubble, which shows that nothing but its sleep took time.
func sleeps(t *testing.T, d time.Duration) {
	if now := time.Now(); !now.Equal(begin) {
		t.Errorf("the bubble begins at %v", now)
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	<-ctx.Done()
	if got := time.Since(begin); got != d {
		t.Errorf("%v have passed, not %v", got, d)
	}
	time.AfterFunc(d, func() {
		if got := time.Since(begin); got != 2*d {
			t.Errorf("%v have passed in the function, not %v", got, 2*d)
		}
	})
	time.Sleep(2 * d)
}

// One bubble after the other, and behind some time outside of them.
func TestRight_OneByOne(t *testing.T) {
	time.Sleep(time.Second)
	for range 2 {
		synctest.Test(t, func(t *testing.T) { sleeps(t, time.Minute) })
	}
	if got := time.Now(); !got.After(begin.Add(time.Second)) {
		t.Error(got)
	}
}

func TestRight_Beside(t *testing.T) {
	for _, d := range []time.Duration{time.Second, time.Minute} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(d)
				if got := time.Since(begin); got != d {
					t.Errorf("%v have passed, not %v", got, d)
				}
			})
		})
	}
}

// Who waits for the context of the test ends with it.
func TestRight_EndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func() { <-t.Context().Done() }()
	})
}

// Who was started elsewhere may be left.
func TestRight_LeftElsewhere(t *testing.T) {
	go func() { <-t.Context().Done() }()
	synctest.Test(t, func(*testing.T) {})
}

func TestWrong_Left(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		go func() { select {} }()
	})
}

// The clock of a bubble stands still when its test has returned.
func TestWrong_Sleeps(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		go time.Sleep(time.Second)
	})
}

// One that a goroutine of the bubble has started.
func TestWrong_LeftByAnother(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		go func() { go func() { select {} }() }()
	})
}

// A channel of a bubble may be used in the bubble, by its goroutines and functions of Cleanup and of timers,
// and a channel from elsewhere may be used everywhere.
func TestRight_Channels(t *testing.T) {
	outer := make(chan int, 1)
	synctest.Test(t, func(t *testing.T) {
		inner, end := make(chan chan int), make(chan struct{})
		t.Cleanup(func() { close(end) })
		go func() {
			select {
			case inner <- make(chan int, 1):
			case <-end:
			}
		}()
		time.AfterFunc(time.Second, func() { outer <- 1 })
		c := <-inner
		c <- <-outer
		outer <- <-c
	})
	<-outer
}

func TestRight_WaitOutside(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	synctest.Wait()
}

func TestOutside_Wait(t *testing.T) { synctest.Wait() }

// within returns a channel of a bubble.
func within(t *testing.T) (c chan int) {
	synctest.Test(t, func(*testing.T) { c = make(chan int, 1) })
	return c
}

func TestOutside_Send(t *testing.T) { within(t) <- 1 }

func TestOutside_Receive(t *testing.T) { go close(make(chan int)); <-within(t) }

func TestOutside_Close(t *testing.T) { close(within(t)) }

func TestOutside_Select(t *testing.T) {
	c := within(t)
	select {
	case c <- 1:
	case <-make(chan int):
	}
}

func TestOutside_OtherBubble(t *testing.T) {
	c := within(t)
	synctest.Test(t, func(*testing.T) { c <- 1 })
}
