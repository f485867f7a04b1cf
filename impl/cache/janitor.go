package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/seam"
)

// The janitor is a goroutine that does work ahead of time which calls would otherwise have to do: it keeps
// some baskets free, takes back what dead processes had, and moves the tick of the clock. The cache works
// without it. Each process may have one. The first two chores concern all processes, so a janitor does them
// only while it has a lease (lease.go), and does in one turn only as much as the live parameters say.
//
// The janitor uses the region only with a handle, as every call does. So Close need not wait for it, and a
// function that receives its events may call Close.

const (
	tendRecords = 64                     // records of one portion, for which it borrows a writer
	tendMost    = 64                     // portions of a turn, unless janitor.records was tuned
	lookEvery   = 500 * time.Millisecond // longest time between two looks at the live parameters
	settleEvery = time.Second            // shortest time between two calls of settle
	idleEvery   = 5 * time.Second        // how often a handle that is not in use is given up
	shareLooks  = 100                    // how often it looks for a writer that is not in use
	stillTurns  = 10                     // the owner of a lease may leave out so many turns,
	stillLeast  = time.Second            // and at least this time
)

// janitor has what a janitor keeps from turn to turn.
type janitor struct {
	*Cache
	swept                 sweeper
	every                 time.Duration // between two turns
	aged                  bool          // entries leave because of their age, even if nobody writes
	turned, settled, idle time.Time     // last times of a turn, of settle, and of giving up idle handles
}

// startJanitor starts the janitor. It ends when the returned channel is closed.
func (c *Cache) startJanitor() chan struct{} {
	stop := make(chan struct{})
	c.clock.advance()
	now := time.Now()
	j := &janitor{Cache: c, every: tickEvery, turned: now, settled: now, idle: now}
	go j.live(stop)
	return stop
}

// live runs the janitor. If a function of the user ends the goroutine by runtime.Goexit, as FailNow of a test
// does, another goroutine continues. Events that were not yet reported are lost. A panic ends the process.
func (j *janitor) live(stop chan struct{}) {
	over := false
	defer func() {
		if !over {
			go j.live(stop)
		}
	}()
	j.run(stop)
	over = true
}

// run does the janitor's work until it is stopped.
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

// pause is the time until the next turn is due.
func (j *janitor) pause(now time.Time) time.Duration { return j.every - now.Sub(j.turned) }

// nap is how long the janitor sleeps: until a turn is due, or until it must look at the parameters.
func (j *janitor) nap(now time.Time) time.Duration {
	return min(max(j.pause(now), time.Millisecond), lookEvery)
}

// look reads how often there must be a turn.
func (j *janitor) look() {
	if r, err := j.readers.take(); err == nil {
		j.every = time.Duration(j.params.value(liveEvery)) * time.Millisecond
		r.give(0)
	}
}

// turn does everything that is due.
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
	case ok: // this process does not write; processes that write may make room
		j.release()
	}
	if now.Sub(j.idle) >= idleEvery {
		j.idle = now // errors concern only the handle that is given up, and are ignored
		_ = j.writers.shrink(1)
		_ = j.readers.shrink(1)
	}
}

// report stores the counts of this process where other processes find them.
func (j *janitor) report() {
	if r, err := j.readers.take(); err == nil {
		j.counters.store(j.counted)
		r.give(0)
	}
}

// share gives a writer up if none is left for other processes. If this process has several, it gives up one
// that is not in use at that moment. It gives up the only one if no call has borrowed it since the last look.
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

// scarce reports whether this process has writers while other processes exist and none is free for them.
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

// lease takes or renews a lease if one is available, and returns how many records a turn may walk over.
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

// tend fills the reserve of free baskets, and removes entries that are too old, as long as the janitor has
// the lease. If it gets no writer, it releases the lease, so that processes with writers can do the work.
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

// settle finishes what dead processes have begun in the index, and takes their descriptors back. Their
// baskets are found by writers that look for room.
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

// tell is finish for a writer of the janitor. The tick does not move while the janitor runs functions of the
// user, which may take long or hang. So there is no tick during that time: otherwise calls would find entries
// that have expired in the meantime.
func (c *Cache) tell(s *slot[*writer]) {
	ticked := c.clock.rest()
	c.finish(s, 0)
	if ticked {
		c.clock.advance()
	}
}
