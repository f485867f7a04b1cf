package cache

import (
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Handovers. All processes share the writers of the region. Where more processes change the cache all the
// time than there are writers, each has one for a while and then leaves it to another one: who finds none
// says in a word of the region that one is wanted, and who ends a call with a writer that it has had for long
// enough gives it up, and makes none for a while. One writer is given up for each time that somebody says so,
// and who still finds none says it again.
//
// The word is a hint. Who wants one and dies is forgotten when the time in the word is over. A word that is
// damaged makes processes give up writers that nobody wants, or lets others wait as long as without it.
//
//	bits    field of the handover word
//	32      a writer is wanted
//	31..0   until when that holds (leaseClock)
const (
	handoverWord   = 1 // of SectionClock
	handoverWanted = 1 << 32

	holdTime = 50 * time.Millisecond // for which a process has its only writer
	restTime = 20 * time.Millisecond // for which it then leaves writers to others
	wantTime = 10 * time.Millisecond // for which one is wanted
)

// handover is what a process knows of handovers.
type handover struct {
	word  *seam.Uint64  // of the region
	rest  seam.Uint64   // until when this process makes no writer, as in the word; 0 is not at all
	clock func() uint32 // leaseClock, but in a test
}

// within reports whether the time of a word is not over. One that is further away than it can be is damage.
func (h *handover) within(word uint64, most time.Duration) bool {
	left := int32(uint32(word) - h.clock())
	return word&handoverWanted != 0 && left > 0 && left <= int32(most.Milliseconds())
}

// after is a word whose time is over so long from now on.
func (h *handover) after(d time.Duration) uint64 {
	return handoverWanted | uint64(h.clock()+uint32(d.Milliseconds()))
}

// want says that a writer is wanted, unless somebody has just said so.
func (h *handover) want() {
	if seen := h.word.Load(); !h.within(seen, wantTime) {
		h.word.CompareAndSwap(seen, h.after(wantTime)) // if it fails, somebody else says so
	}
}

// wanted reports whether a writer is wanted. Only one process hears so, who is to give one up.
func (h *handover) wanted() bool {
	seen := h.word.Load()
	return seen != 0 && h.word.CompareAndSwap(seen, 0) && h.within(seen, wantTime)
}

// rests reports whether this process leaves writers to others.
func (h *handover) rests() bool {
	seen := h.rest.Load()
	return seen != 0 && h.within(seen, restTime)
}

// handOver ends a call with a writer by giving it up if another process wants one, and reports whether it
// did. The only writer of this process must have been had for a while.
func (c *Cache) handOver(s *slot[*writer], count uint64) bool {
	if c.handover.word.Load() == 0 || c.writers.made.Load() == 1 && s.handle.hold.Left() > 0 ||
		!c.handover.wanted() {
		return false
	}
	c.handover.rest.Store(c.handover.after(restTime))
	if !s.giveUp(count) {
		c.handover.rest.Store(0)
		return false
	}
	return true
}
