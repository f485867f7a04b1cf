package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/internal/seam"
)

// Handovers. All processes share the writers of the region. Where more processes change the cache all the
// time than there are writers, each has one for a while and then leaves it to another one: who finds none
// says in a word of the region that one is wanted (handover.Word), and who ends a call with a writer that
// it has had for long enough gives it up, and makes none for a while. One writer is given up for each time
// that somebody says so, and who still finds none says it again.
const (
	handoverWord = 1 // of SectionClock

	holdTime = 50 * time.Millisecond // for which a process has its only writer
	restTime = 20 * time.Millisecond // for which it then leaves writers to others
	wantTime = 10 * time.Millisecond // for which one is wanted

	restMost = uint32(restTime / time.Millisecond)
	wantMost = uint32(wantTime / time.Millisecond)
)

// handovers is what a process knows of handovers.
type handovers struct {
	handover.Word             // of the region: whether a writer is wanted
	rest          seam.Uint64 // until when it makes no writer, as a handover.Wish; 0 is not at all
}

// rests reports whether this process leaves writers to others.
func (h *handovers) rests() bool {
	return handover.Wish(h.rest.Load()).Holds(h.Clock(), restMost)
}

// handOver ends a call with a writer by giving it up if another process wants one, and reports whether it
// did. The only writer of this process must have been had for a while.
func (c *Cache) handOver(s *slot[*writer], count uint64) bool {
	wish := c.handover.Look()
	if wish == 0 || c.writers.made.Load() == 1 && s.handle.hold.Left() > 0 || !c.handover.Hear(wish) {
		return false
	}
	c.handover.rest.Store(uint64(handover.MakeWish(c.handover.Clock(), restMost)))
	if !s.giveUp(count) {
		c.handover.rest.Store(0)
		return false
	}
	return true
}
