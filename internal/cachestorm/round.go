package cachestorm

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Constants of a round.
const (
	calmEvery  = 4 // one of so many rounds has no deaths
	actsLeast  = 6
	actsSpread = 8
	pauseMost  = 6 * time.Millisecond  // between two acts
	haltMost   = 25 * time.Millisecond // for which a process is stopped
)

// round lets all processes work, does to them what the plan says, brings them to rest, and judges.
func (w *world) round(n uint64) error {
	s := w.storm
	r, random := s.report, s.plan()
	calm := r.Rounds%calmEvery == calmEvery-1
	w.deaths, w.stops = nil, nil
	robbed := stolen()
	for slot := range w.processes {
		w.board.slot(slot, slotLongest).Store(0)
		w.board.slot(slot, slotBusy).Store(0)
	}
	w.board.begin(n, false)
	if !w.until("begin to work", func(slot int) bool {
		return w.board.slot(slot, slotAtWork).Load() == atWork(w.processes[slot].number, n) ||
			w.board.slot(slot, slotRested).Load() == n
	}) {
		return nil
	}
	acts := actsLeast + random.IntN(actsSpread)
	for i := range acts {
		s.o.Progress(fmt.Sprintf("cache %d (%s), round %d, %d kills", r.Caches, w.variant.name, r.Rounds+1,
			r.Kills), s.share())
		time.Sleep(time.Duration(random.Int64N(int64(pauseMost))))
		if err := w.act(random, calm || i%3 == 2); err != nil {
			return err
		}
	}
	time.Sleep(pauseMost)
	w.board.words[wordRest].Store(1)
	if !w.until("come to rest", func(slot int) bool {
		return w.board.slot(slot, slotRested).Load() == n
	}) {
		return nil
	}
	r.Rounds++
	if calm {
		r.Calm++
	}
	robbed = stolen() - robbed
	r.Stolen += robbed
	w.waits(robbed)
	return w.audit()
}

// act kills a process, or stops one for a while, during which another one may die.
func (w *world) act(random *rand.Rand, halt bool) error {
	slot := random.IntN(len(w.processes))
	if !halt {
		if random.IntN(8) > 0 {
			slot = w.working(slot)
			w.find(slot, random.IntN(2))
		}
		return w.kill(slot)
	}
	p, from := w.processes[slot], clockNow()
	p.halt()
	w.storm.report.Stops++
	time.Sleep(time.Duration(random.Int64N(int64(haltMost))))
	p.resume()
	// It may take a moment until the process runs again.
	w.stops = append(w.stops, stop{slot, span{from, clockNow() + int64(2*time.Millisecond)}})
	return nil
}

// findTries is how often a process is examined until it is within a call. startMost is how long it may take
// until a process works.
const (
	findTries = 60
	startMost = 150 * time.Millisecond
)

// working returns the first slot, from the given one on, whose process works in this round. If there is none
// soon, it returns the given slot.
func (w *world) working(slot int) int {
	n, _ := w.board.round()
	for begun := time.Now(); time.Since(begun) < startMost; time.Sleep(restPoll) {
		for i := range w.processes {
			next := (slot + i) % len(w.processes)
			if w.board.slot(next, slotAtWork).Load() == atWork(w.processes[next].number, n) {
				return next
			}
		}
	}
	return slot
}

// find stops the process of a slot at an instant at which a thread is within a call that changes something,
// if such an instant comes soon. Otherwise most deaths would meet processes that are about to begin. If
// choice is 0, the call must be one of the client, or of the tuner, if the process has one.
func (w *world) find(slot, choice int) {
	is := func() bool { return len(w.inCalls(slot)) > 0 }
	switch client := slot+1 < len(w.processes) && w.server(slot+1) == slot; {
	case choice == 0 && slot == w.tuner():
		is = func() bool { return w.tuning(slot) }
	case choice == 0 && client:
		is = func() bool { return w.board.slot(slot, slotServing).Load() != 0 }
	}
	p, from := w.processes[slot], clockNow()
	for try := range findTries {
		time.Sleep(restPoll)
		if p.halt(); is() || try == findTries-1 || p.ended() {
			break
		}
		p.resume()
	}
	w.stops = append(w.stops, stop{slot, span{from, clockNow() + int64(2*time.Millisecond)}})
}

// tuning reports whether the process of a slot is within a change of live parameters.
func (w *world) tuning(slot int) bool {
	n, size := int(w.board.length(journalTunes, slot).Load()), journalSizes[journalTunes]
	if n == 0 || n > size.room {
		return false
	}
	e := w.board.journal(journalTunes, slot)[(n-1)*size.words:]
	return e[0].Load() != 0 && e[1].Load() == 0
}

// inCalls returns the begins of the calls of a slot's threads that are running and that change something.
func (w *world) inCalls(slot int) (begins []uint64) {
	for t := range w.board.threads {
		e := w.lastCall(slot, t)
		if e == nil || e[callEnd].Load() != 0 || e[callBegin].Load() == 0 {
			continue
		}
		if kind(e[callWhat].Load()&0xFF).takesOut() && e[callFound].Load() == 0 {
			begins = append(begins, e[callBegin].Load())
		}
	}
	if n := w.board.slot(slot, slotServing).Load(); n != 0 {
		begins = append(begins, n)
	}
	return begins
}

// kill kills the process of a slot, notes the calls in which it died, and starts another one.
func (w *world) kill(slot int) error {
	p, r := w.processes[slot], w.storm.report
	if p.ended() {
		return nil // it was not killed: until reports it
	}
	from := w.board.tick()
	p.kill()
	d := &death{slot: slot, number: p.number, from: from, moment: w.board.tick(), janitor: p.janitor}
	d.calls = w.inCalls(slot)
	r.Kills++
	if len(d.calls) > 0 {
		r.InCalls++
	}
	if w.tuning(slot) {
		r.Tuning++
	}
	if w.board.slot(slot, slotServing).Swap(0) != 0 {
		r.Serving++
	}
	if w.server(slot) != slot { // it has no cache, so it has taken nothing out
		d.calls = nil
	}
	w.deaths = append(w.deaths, d)
	return w.start(slot)
}

// lastCall is the last entry of a thread's journal, nil if there is none.
func (w *world) lastCall(slot, thread int) call {
	n := min(w.board.slot(slot, slotCalls+thread).Load(), callRoom)
	if n == 0 {
		return nil
	}
	return call(w.board.calls(slot, thread)[(n-1)*callWords : n*callWords])
}

// until waits until all slots are as they should be. It returns false, and notes a fault, if that takes too
// long, or if a process has ended by itself.
func (w *world) until(what string, is func(slot int) bool) bool {
	for begun := time.Now(); ; time.Sleep(restPoll) {
		all := true
		for slot, p := range w.processes {
			if p.ended() {
				w.storm.report.fault("end: process %d has ended by itself: %v: %s", p.number, p.err, p.said)
				return false
			}
			all = all && is(slot)
		}
		if all {
			return true
		}
		if time.Since(begun) > w.storm.o.restTime {
			for slot, p := range w.processes {
				if !is(slot) {
					w.storm.report.fault("end: process %d does not %s within %v, seed %d, round %d; "+
						"it is in: %s", p.number, what, w.storm.o.restTime, w.storm.o.Seed,
						w.storm.report.Rounds+1, w.within(slot))
				}
			}
			return false
		}
	}
}

// within says what the threads of a slot are doing.
func (w *world) within(slot int) (text string) {
	for t := range w.board.threads {
		if e := w.lastCall(slot, t); e != nil && e[callEnd].Load() == 0 {
			what := e[callWhat].Load()
			text += fmt.Sprintf("%v of key %d; ", kind(what&0xFF), what>>8)
		}
	}
	return text
}

// waits judges how long calls took.
func (w *world) waits(robbed int64) {
	r := w.storm.report
	for slot := range w.processes {
		r.Busy += w.board.slot(slot, slotBusy).Load()
		r.Longest = max(r.Longest, int64(w.board.slot(slot, slotLongest).Load()))
		for e := range w.board.entries(journalSlow, slot) {
			word := func(i int) int64 { return int64(e[i].Load()) }
			x := slowness{slot: slot, kind: kind(e[0].Load() & 0xFF), begin: word(1), spent: word(2),
				ready: word(3), ran: word(4), faults: word(5), allowed: word(6), nth: word(7)}
			w.judgeWait(x, robbed)
		}
	}
}

// judgeWait judges one slow call. A call of a process that was stopped during it cannot be judged.
func (w *world) judgeWait(x slowness, robbed int64) {
	r := w.storm.report
	for _, s := range w.stops {
		if s.slot == x.slot && s.span.meets(x) {
			r.Excused++
			return
		}
	}
	if x.spent > waitMost {
		r.Slow++
	}
	if !r.Scheduler {
		x.ready = max(0, x.spent-x.ran) // at least the time in which no thread ran is not known to be its own
	}
	own := x.own()
	if robbed > 0 {
		own = max(0, own-robbed-stolenUnit)
	}
	r.Own = max(r.Own, own)
	if own > waitMost {
		r.fault("wait: a %v of slot %d, call %d of its thread, took %.1f ms, of which the scheduler "+
			"explains %.1f (its threads ran for %.1f ms, with %d page faults for which something was read), "+
			"seed %d, round %d", x.kind, x.slot, x.nth, float64(x.spent)/1e6, float64(x.ready)/1e6,
			float64(x.ran)/1e6, x.faults, w.storm.o.Seed, r.Rounds)
	}
}
