package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// The janitor is a goroutine that does ahead of time what calls would else do on their way: it keeps some
// baskets free, takes back what dead processes had, and moves the tick of the clock. Nothing depends on it.
// Each process may have one. The first two chores are the same for all processes, so a janitor does them only
// while it has a lease (lease.go), and only so much in one turn as the live parameters say.
//
// Whatever it does with the region it does with a handle, as every call does. So Close need not wait for it,
// and an event that it tells may call Close.

const (
	tendRecords = 64                     // in one portion, for which it has a writer
	tendMost    = 64                     // portions of a turn, unless janitor.records says something else
	lookEvery   = 500 * time.Millisecond // at the live parameters, however long the turns are apart
	settleEvery = time.Second            // and not more often than there are turns
	idleEvery   = 5 * time.Second        // a handle that was not needed is given up
	shareLooks  = 100                    // whether a writer is not in use
	stillTurns  = 10                     // that an owner of a lease may leave out,
	stillLeast  = time.Second            // and not less than that
)

// janitor is what it knows from turn to turn.
type janitor struct {
	*Cache
	swept                 sweeper
	every                 time.Duration // between two turns
	aged                  bool          // entries leave for their age alone, though nobody writes
	turned, settled, idle time.Time     // when each was done last
}

// startJanitor begins; closing what it returns ends it.
func (c *Cache) startJanitor() chan struct{} {
	stop := make(chan struct{})
	c.clock.advance()
	now := time.Now()
	j := &janitor{Cache: c, every: tickEvery, turned: now, settled: now, idle: now}
	go j.run(stop)
	return stop
}

// run is the janitor's life.
func (j *janitor) run(stop chan struct{}) {
	timer := time.NewTimer(j.pause(time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		j.clock.advance()
		j.look()
		if now := time.Now(); j.pause(now) <= 0 {
			j.turned = now
			j.turn(now)
		}
		timer.Reset(j.nap(time.Now()))
	}
}

// pause is for how long the janitor has nothing to do.
func (j *janitor) pause(now time.Time) time.Duration { return j.every - now.Sub(j.turned) }

// nap is for how long the janitor sleeps: until a turn is due, or until it looks at the parameters.
func (j *janitor) nap(now time.Time) time.Duration {
	return min(max(j.pause(now), time.Millisecond), lookEvery)
}

// look reads how often there is to be a turn.
func (j *janitor) look() {
	if r, err := j.readers.take(); err == nil {
		j.every = time.Duration(j.params.value(liveEvery)) * time.Millisecond
		r.give(0)
	}
}

// turn does what is due.
func (j *janitor) turn(now time.Time) {
	defer j.turns.Add(1)
	j.report()
	j.share()
	records, ok := j.lease()
	if ok && now.Sub(j.settled) >= settleEvery {
		j.settled = now
		j.settle()
	}
	switch {
	case ok && (j.aged || j.writers.made.Load() > 0):
		j.sweep() // so there may be less to do for room
		j.tend(records)
	case ok: // this process does not write, and others that do may make room
		j.release()
	}
	if now.Sub(j.idle) >= idleEvery {
		j.idle = now // an error is one of a handle that is given up, and nobody is to be told
		_ = j.writers.shrink(1)
		_ = j.readers.shrink(1)
	}
}

// report stores what this process has done where others find it.
func (j *janitor) report() {
	if r, err := j.readers.take(); err == nil {
		j.counters.store(j.counted)
		r.give(0)
	}
}

// share gives a writer up if there is none left for other processes: one of several that is not in use at
// that moment, or the only one if no call has borrowed it since the last look.
func (j *janitor) share() {
	if !j.scarce() {
		return
	}
	made := j.writers.made.Load()
	if made == 1 {
		_ = j.writers.shrinkIf(0, (*writer).rested) // nobody is to be told of an error here
		return
	}
	for look := 0; look < shareLooks && j.writers.made.Load() == made; look++ {
		_ = j.writers.shrink(1)
		seam.Sleep(waitFirst)
	}
}

// scarce reports whether this process has writers, is not alone, and there are none for the others.
func (j *janitor) scarce() bool {
	if j.writers.made.Load() == 0 {
		return false
	}
	r, err := j.readers.take()
	if err != nil {
		return false
	}
	defer r.give(0)
	if _, free := j.freeWriters(); free > 0 {
		return false
	}
	attached, err := j.region.Attachments()
	return err == nil && len(attached) > 1
}

// lease has a lease, if one is to be had, and how many records a turn may walk over.
func (j *janitor) lease() (records int, ok bool) {
	r, err := j.readers.take()
	if err != nil {
		return 0, false
	}
	defer r.give(0)
	still := max(stillTurns*j.every, stillLeast)
	j.aged = j.params.tuning().Ages != [basket.TiersMax]uint64{}
	ok = j.leases.Hold(int(j.params.value(liveRun)), uint32(still.Milliseconds()))
	return int(j.params.value(liveRecords)), ok
}

// release gives the lease up.
func (j *janitor) release() {
	if r, err := j.readers.take(); err == nil {
		j.leases.Leave()
		r.give(0)
	}
}

// tend keeps the reserve of free baskets, and what is too old leaves, as long as it has the lease. If there
// is no writer for it, those who have them may do that.
func (j *janitor) tend(records int) {
	for did := 0; did < records; {
		s, err := j.writers.takeNow()
		if err != nil {
			j.release()
			return
		}
		n, err := s.handle.Tend(min(tendRecords, records-did))
		j.tell(s)
		if did += n; err != nil || n == 0 {
			return
		}
		if _, ok := j.lease(); !ok {
			return
		}
	}
}

// settle finishes what dead processes have begun in the index, and gives their descriptors back. What they
// had in baskets is found by whoever looks for room.
func (c *Cache) settle() {
	r, err := c.readers.take()
	if err != nil {
		return
	}
	dead, err := c.table.Orphans()
	r.give(0)
	if err != nil || len(dead) == 0 {
		return
	}
	if s, err := c.writers.takeNow(); err == nil {
		_ = s.handle.Settle()
		c.tell(s)
	}
}

// tell is finish for a writer of the janitor. Nobody moves the tick while functions of the user run in it,
// and such a function may take long, or hang: so there is none meanwhile. Else who looks for entries would
// take those to be there which have expired since.
func (c *Cache) tell(s *slot[*writer]) {
	ticked := c.clock.rest()
	c.finish(s, 0)
	if ticked {
		c.clock.advance()
	}
}
