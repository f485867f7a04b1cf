package cache

import (
	"math"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Expiry is by a clock of the host: the time since it was started, which all processes read alike and nobody
// can set, and one offset to the calendar, which is in the region. So an entry lives as long as it was set
// for, whoever turns the calendar clock back or forth meanwhile, and also if another process starts with a
// wrong one. After a restart of the host the first process to come chooses the offset anew, by the calendar.
//
//	bits    field of the clock word
//	63..42  number that tells one start of the host from another
//	41..0   calendar time at which the host was started, in milliseconds since 1970
const (
	clockWord  = 0 // of SectionClock
	startBits  = 42
	startMask  = 1<<startBits - 1
	tickEvery  = 100 * time.Millisecond // by the janitor
	tickBehind = 3600 * 1000            // milliseconds that a process may stand still
	nanos      = uint64(time.Millisecond)
)

// clock tells when entries expire.
type clock struct {
	given   func() time.Time             // Options.Clock, or nil
	wall    func() time.Time             // the calendar clock of a test, or nil
	host    func() (time.Duration, bool) // sinceStart, but in a test
	begun   time.Time                    // when the cache was opened, or up to near later; own count
	near    time.Duration                // within which both clocks were read
	base    uint64                       // milliseconds since 1970 at that time
	part    uint64                       // nanoseconds more, less than a millisecond
	started time.Duration                // since the host was started, at that time
	alone   bool                         // no janitor looks for how long the host was suspended
	looked  seam.Uint64                  // then: nanoseconds since the open at which somebody has looked
	slept   seam.Uint64                  // milliseconds since then in which the host was suspended, if known
	tick    seam.Uint64                  // a time that is not in the future; 0 if nobody keeps it
}

// start sets the clock at an open. The word is that of the region.
func (k *clock) start(given func() time.Time, word *seam.Uint64) {
	if k.given = given; k.host == nil {
		k.host = sinceStart
	}
	since, ok := k.read()
	if !ok { // a system without such a clock has caches on the heap only
		k.base = uint64(max(k.begun.UnixMilli(), 0))
		return
	}
	calendar := k.begun
	if k.wall != nil {
		calendar = k.wall()
	}
	number := startNumber() << startBits
	k.started = since
	seen := word.Load()
	for seen == 0 || seen&^startMask != number {
		start := uint64(max(calendar.UnixMilli()-since.Milliseconds(), 1)) & startMask
		if word.CompareAndSwap(seen, number|start) {
			seen = number | start
			break
		}
		seen = word.Load()
	}
	k.base = seen&startMask + uint64(since.Milliseconds())
	k.part = uint64(since) % nanos
}

// Both clocks are read until it took no longer than readNear, or the nearest of readTries counts: else the
// clock of a process that was stopped in between would be off for as long as it has the cache open.
const (
	readNear  = 20 * time.Microsecond
	readTries = 100
)

// read reads the processor's own count and the clock of the host as if at one instant, which is the end of
// what it took. So this clock is behind that of the host, and by near at most.
func (k *clock) read() (since time.Duration, ok bool) {
	near := time.Duration(math.MaxInt64)
	for range readTries {
		begun := time.Now()
		host, known := k.host()
		took := time.Since(begun)
		if !known {
			k.begun = begun
			return 0, false
		}
		if took < near {
			near, k.begun, since = took, begun.Add(took), host
		}
		if near < readNear {
			break
		}
	}
	k.near = near
	return since, true
}

// now is the time in milliseconds, rounded down.
func (k *clock) now() uint64 {
	if k.given != nil {
		return uint64(max(k.given().UnixMilli(), 0))
	}
	passed := k.passed()
	return k.base + k.slept.Load() + passed/nanos
}

// passed is how many nanoseconds have gone by since the millisecond in which the cache was opened, without
// those for which the host was suspended. Where there is no janitor that looks for those, who asks does, as
// often as a janitor would.
func (k *clock) passed() uint64 {
	since := uint64(time.Since(k.begun))
	if k.alone {
		if looked := k.looked.Load(); since-looked >= uint64(tickEvery) &&
			k.looked.CompareAndSwap(looked, since) {
			k.wake()
		}
	}
	return since + k.part
}

// end is when an entry expires that lives so long from now on, as basket keeps it: 0 is never. It is rounded
// up, and no clock of a process is ahead of that of the host, so that the entry lives no shorter in any
// process.
func (k *clock) end(ttl time.Duration) (uint64, error) {
	switch {
	case ttl < 0:
		return 0, ErrTTL
	case ttl == 0:
		return 0, nil
	case k.given != nil:
		now := k.given()
		if now.Before(time.UnixMilli(0)) {
			now = time.UnixMilli(0)
		}
		return uint64(now.Add(ttl).Add(time.Millisecond - 1).UnixMilli()), nil
	}
	later := k.passed() + uint64(ttl) + uint64(k.near) // less than 2^64
	return k.base + k.slept.Load() + (later+nanos-1)/nanos, nil
}

// over reports whether an entry with that end has expired. The tick saves asking the clock for what is over
// already, and for ends that are more than tickBehind away: the tick stands still while the process does, and
// for as long as the janitor has had no turn since.
func (k *clock) over(end uint64) bool {
	if end == 0 {
		return false
	}
	if tick := k.tick.Load(); tick != 0 {
		if end <= tick {
			return true
		}
		if end-tick > tickBehind {
			return false
		}
	}
	return end <= k.now()
}

// advance is the janitor's: it moves the tick, and finds out for how long the host was suspended. A given
// clock has no tick, since it may go in any way.
func (k *clock) advance() {
	if k.given != nil {
		return
	}
	k.wake()
	k.tick.Store(k.now())
}

// wake finds out for how long the host was suspended, which the processor's own count leaves out. Who is
// stopped between the two clocks finds too little, so the longest time counts, and the clock never goes back.
func (k *clock) wake() {
	since, ok := k.host()
	if !ok {
		return
	}
	slept := since - k.started - time.Since(k.begun)
	if seen, ms := k.slept.Load(), uint64(slept.Milliseconds()); slept > time.Second && ms > seen {
		k.slept.CompareAndSwap(seen, ms) // if it fails, somebody else has just found it out
	}
}

// rest ends the tick, so that who looks for an entry with an end asks the clock, and reports whether there
// was one.
func (k *clock) rest() (ticked bool) {
	ticked = k.tick.Load() != 0
	k.tick.Store(0)
	return ticked
}
