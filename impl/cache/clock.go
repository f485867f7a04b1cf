package cache

import (
	"math"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// Entries expire by the time since the host was started, which all processes read alike and nobody can set,
// plus one offset to the calendar, which is in the region. So an entry keeps its time to live even if
// somebody sets the calendar clock, or if another process starts with a wrong one. After a restart of the
// host the first process that opens the cache chooses the offset again, by the calendar.
//
//	bits    field of the clock word
//	63..42  number that tells one start of the host from another
//	41..0   calendar time at which the host was started, in milliseconds since 1970
const (
	clockWord  = 0 // of SectionClock
	startBits  = 42
	startMask  = 1<<startBits - 1
	tickEvery  = 100 * time.Millisecond // how often the janitor moves the tick by default
	tickBehind = 3600 * 1000            // longest stop of a process, in milliseconds
	nanos      = uint64(time.Millisecond)
)

// clock tells when entries expire.
type clock struct {
	given   func() time.Time             // Options.Clock, or nil
	wall    func() time.Time             // the calendar clock of a test, or nil
	host    func() (time.Duration, bool) // sinceStart, except in a test
	begun   time.Time                    // when the cache was opened, or up to near later; monotonic clock
	near    time.Duration                // both clocks were read within this time
	base    uint64                       // milliseconds since 1970 at that time
	part    uint64                       // nanoseconds to add to base, less than a millisecond
	started time.Duration                // time since the start of the host, at begun
	alone   bool                         // no janitor finds out how long the host was suspended
	looked  seam.Uint64                  // if alone: nanoseconds from begun to the last call of wake
	slept   seam.Uint64                  // milliseconds since begun of known suspensions of the host
	tick    seam.Uint64                  // a time that is not in the future; 0 if there is no tick
}

// start sets the clock when the cache is opened. word is the clock word of the region.
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

// Both clocks are read repeatedly, until one pair of readings took less than readNear. After readTries
// attempts the fastest pair counts. Otherwise, if the process was stopped between the two readings, its clock
// would be wrong for as long as it has the cache open.
const (
	readNear  = 20 * time.Microsecond
	readTries = 100
)

// read reads the monotonic clock of the process and the clock of the host as if at one instant, which is the
// end of the readings. So this clock is behind that of the host, by at most near.
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

// passed is the number of nanoseconds since the beginning of the millisecond in which the cache was opened,
// without suspensions of the host. If no janitor finds out about suspensions, callers of passed do, as often
// as a janitor would.
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

// end is when an entry expires that lives for ttl from now on, in the form that basket keeps; 0 is never. It
// is rounded up, and no clock of a process is ahead of that of the host, so the entry lives no shorter in any
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

// over reports whether an entry with this end has expired. The tick saves a reading of the clock in two
// cases: the end is not after the tick, or it is more than tickBehind after the tick. The second rule has
// this margin because the tick does not move while the process is stopped, and until its janitor has had a
// turn.
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

// advance is called by the janitor. It moves the tick, and finds out how long the host was suspended. A clock
// of the user has no tick, because it may go backwards.
func (k *clock) advance() {
	if k.given != nil {
		return
	}
	k.wake()
	k.tick.Store(k.now())
}

// wake finds out how long the host was suspended; the monotonic clock of the process does not count that
// time. A goroutine that is stopped between the two readings finds too little, so the longest time counts,
// and the clock never goes back.
func (k *clock) wake() {
	since, ok := k.host()
	if !ok {
		return
	}
	slept := since - k.started - time.Since(k.begun)
	if seen, ms := k.slept.Load(), uint64(slept.Milliseconds()); slept > time.Second && ms > seen {
		k.slept.CompareAndSwap(seen, ms) // if it fails, another goroutine has just stored it
	}
}

// rest ends the tick, so that checks of an end read the clock. It reports whether there was a tick.
func (k *clock) rest() (ticked bool) {
	ticked = k.tick.Load() != 0
	k.tick.Store(0)
	return ticked
}
