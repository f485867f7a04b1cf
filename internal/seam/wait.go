package seam

import (
	"time"
	"unsafe"
)

// Waiting. The operations of the table never sleep. This is for processes that open a region which is being
// made, and for services without work.

// Duration is a bound of a wait.
type Duration = time.Duration

// Units of bounds.
const (
	Millisecond = time.Millisecond
	Second      = time.Second
)

// A Deadline is the end of a bound. It is for waits that are no scheduling points: those for files.
type Deadline struct{ at time.Time }

// Within is the end of a bound that begins now.
func Within(bound Duration) Deadline { return Deadline{time.Now().Add(bound)} }

// Left is how much of the bound is left; not positive when it has passed.
func (d Deadline) Left() Duration { return time.Until(d.at) }

// Pauses between two looks of who polls: each is twice the one before.
const (
	PollFirst = Millisecond
	pollMost  = 16 * Millisecond
)

// Sleep pauses the goroutine.
func Sleep(d Duration) { time.Sleep(d) }

// A Sleeper sleeps while the half word is seen, at most so long, or less for no reason. It reports
// whether it could.
type Sleeper func(half *uint32, seen uint32, most Duration) bool

// Await returns true when the low half of the word is another one than seen, and false when it is not and
// bound has passed. It waits by the sleeper; without one, or where that fails, it polls.
//
// A sleep leaves no trace: all that counts is the last look, and when it is made, which is any time, by a
// call or because the bound has passed. So in an exploration it is one step, that look.
func Await(w *Uint64, seen uint32, bound Duration, sleep Sleeper) bool {
	if Exploring() {
		return uint32(w.Load()) != seen
	}
	end, pause := Within(bound), PollFirst
	for {
		if uint32(w.Load()) != seen {
			return true
		}
		left := end.Left()
		if left <= 0 {
			return false
		}
		if sleep != nil && sleep(LowHalf(w), seen, left) {
			continue
		}
		sleep = nil
		Sleep(min(pause, left))
		pause = min(2*pause, pollMost)
	}
}

// LowHalf is the half of a word that holds its low bits.
func LowHalf(w *Uint64) *uint32 {
	one := uint64(1)
	high := 1 - (*[2]uint32)(unsafe.Pointer(&one))[0]
	return &(*[2]uint32)(unsafe.Pointer(w))[high]
}
