package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/internal/seam"
)

// Handovers. All processes share the writers of the region. If more processes change the cache all the time
// than there are writers, each has one for a while and then leaves it to another process. A process that
// finds no writer says in a word of the region that it wants one (handover.Word). A process that ends a call,
// with a writer that it has had for long enough, gives the writer up and makes no new one for a while. One
// writer is given up for each request, and a process that still finds none makes the request again.
const (
	handoverWord = 1 // index in SectionClock

	holdTime = 50 * time.Millisecond // how long a process keeps its only writer
	restTime = 20 * time.Millisecond // how long it then leaves writers to others
	wantTime = 10 * time.Millisecond // how long a request for one is valid

	restMost = uint32(restTime / time.Millisecond)
	wantMost = uint32(wantTime / time.Millisecond)
)

// handovers is what a process knows about handovers.
type handovers struct {
	handover.Word             // word of the region that says whether a writer is wanted
	rest          seam.Uint64 // until then it makes no writer, as a handover.Wish; 0 is no limit
}

// rests reports whether this process leaves writers to others.
func (h *handovers) rests() bool {
	return handover.Wish(h.rest.Load()).Holds(h.Clock(), restMost)
}

// handOver gives the writer up at the end of a call if another process wants one, and reports whether it did.
// If it is the only writer of this process, the process must have had it for holdTime.
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
