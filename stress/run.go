package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// run is one world with its clients, from its making to its last audit.
type run struct {
	o      *Options
	crew   *crew
	arena  *arena
	world  World
	meter  *meter
	rng    *rand.Rand
	report *StateReport
	all    *Report
	seed   uint64
}

// size is how much a run does.
type size struct {
	threads, processes int
	rounds, kills      int // kills in each round but every fourth, which is the control
}

// roundTime bounds a round. A client that has not ended its operations by then is stuck.
const roundTime = 30 * time.Second

// execute runs one run of the state and adds what it finds to the report. The error says that
// the run could not be made; what is wrong with the engine is in the report.
func (c *campaign) execute(ctx context.Context, z size, seed uint64, rep *StateReport) error {
	r := &run{o: c.o, all: c.report, meter: newMeter(), rng: rand.New(rand.NewPCG(seed, 1)), report: rep,
		seed: seed}
	folder := ""
	if z.processes > 0 {
		var err error
		if folder, err = os.MkdirTemp(c.o.Folder, "samecycle-stress-"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	if err := r.open(c.subject, folder, z); err != nil {
		return err
	}
	defer r.close()
	if err := r.crew.start(); err != nil {
		return err
	}
	for n := 1; n <= z.rounds && ctx.Err() == nil && !rep.Red(); n++ {
		kills := z.kills
		if n%4 == 0 || z.processes == 0 {
			kills = 0
		}
		if err := r.round(ctx, uint64(n), kills); err != nil {
			rep.fault("%s, seed %d, round %d: %v", rep.State, seed, n, err)
		}
	}
	r.drain()
	return ctx.Err()
}

// open makes the world and the arena.
func (r *run) open(subject Subject, folder string, z size) (err error) {
	slots := z.threads + z.processes
	if r.arena, err = newArena(folder, slots); err != nil {
		return err
	}
	setup := Setup{State: r.report.State, Seed: r.seed, Folder: folder, Clients: slots, Deaths: z.kills}
	if r.world, err = subject.Open(setup); err != nil {
		return errors.Join(err, r.arena.close())
	}
	r.crew = &crew{o: r.o, subject: subject, seed: r.seed, world: r.world, arena: r.arena, threads: z.threads,
		processes: make([]*process, z.processes)}
	return nil
}

// close ends the clients, then the memory. Goroutines that are stuck keep theirs.
func (r *run) close() {
	r.crew.end()
	for range r.crew.threads {
		select {
		case <-r.crew.failed:
		case <-time.After(time.Second):
			return
		}
	}
	_ = errors.Join(r.world.Close(), r.arena.close()) // nothing is left to lose
}

// round lets the clients work, does to them what the plan says, and audits when all are at rest.
func (r *run) round(ctx context.Context, n uint64, kills int) error {
	var deeds []deed
	before := r.o.Stolen()
	quota := calmOperations
	if kills > 0 {
		quota = mostOperations
	}
	r.arena.begin(n, quota)
	if kills > 0 {
		for _, a := range plan(r.rng, kills) {
			d, done, err := r.crew.perform(n, a, r.meter)
			if err != nil {
				return r.crew.why(err)
			}
			if done {
				deeds = append(deeds, d)
			}
		}
		r.arena.hurry()
	}
	if err := r.wait(ctx, n); err != nil {
		return err
	}
	events, err := r.gather(deeds, kills > 0, r.o.Stolen()-before)
	if err != nil {
		return err
	}
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.Call, b.Call) })
	w := &Window{Round: n, Events: events, Ended: r.arena.tick(), Living: r.crew.living()}
	for _, d := range deeds {
		if d.kill {
			w.Dead = append(w.Dead, d.owner)
		}
	}
	r.tally(events, deeds)
	return r.judge(w)
}

// wait returns when every client has ended the round.
func (r *run) wait(ctx context.Context, n uint64) error {
	limit := time.Now().Add(roundTime)
	for slot := 0; slot < r.arena.slots; {
		if r.arena.ended(slot) == n {
			slot++
			continue
		}
		if err := r.crew.trouble(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			r.arena.hurry()
		}
		if time.Now().After(limit) {
			return fmt.Errorf("the client of slot %d has not ended its operations within %v", slot, roundTime)
		}
		time.Sleep(pollEvery)
	}
	return nil
}

// gather reads the logs, and counts the latencies.
func (r *run) gather(deeds []deed, violent bool, stolen int64) ([]Event, error) {
	var all []Event
	into := &r.all.Away
	if violent {
		into = &r.all.Near
	}
	for slot := range r.arena.slots {
		owner := r.crew.ownerOf(slot)
		events, slow, err := r.arena.log(slot).read(owner)
		if err != nil {
			return nil, err
		}
		all = append(all, events...)
		thread := slot < r.crew.threads
		if thread && r.all.Deaths {
			continue // of a campaign with processes those are measured
		}
		var halted []span
		for _, d := range deeds {
			if d.owner == owner {
				halted = append(halted, d.span.longer())
			} else if d.choose {
				halted = append(halted, d.all.longer())
			}
		}
		for _, s := range into.count(near(events, deeds), slow, halted, stolen) {
			if !thread { // whose own time is also that of the collector of garbage
				r.report.slow(violent, "client %d: an operation took %v", owner, s)
			}
		}
	}
	for _, d := range deeds {
		all = append(all, d.events...)
	}
	return all, nil
}

// nearness is for how long after a death or a stop an operation counts as near to it.
const nearness = int64(10 * time.Millisecond)

// near are the operations around the deeds, all of them if there are none.
func near(events []Event, deeds []deed) []Event {
	if len(deeds) == 0 {
		return events
	}
	var out []Event
	for _, e := range events {
		for _, d := range deeds {
			if d.overlap(e.start, e.start+e.spent+1) > 0 || e.start >= d.from && e.start < d.to+nearness {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// tally counts what happened.
func (r *run) tally(events []Event, deeds []deed) {
	rep := r.report
	rep.Windows++
	rep.Operations += uint64(len(events))
	for _, d := range deeds {
		if !d.kill {
			rep.Stops++
			if d.installed {
				rep.Held++
			}
			continue
		}
		rep.Kills++
		for i := range d.events {
			if d.events[i].Pending {
				rep.InFlight++
			}
		}
		if d.installed {
			rep.Installed++
		}
	}
}

// judge audits the world at rest, and decides the window that has just ended.
func (r *run) judge(w *Window) error {
	var f Faults
	a := r.world.Audit(w, &f)
	r.report.Marks += a.Marks
	r.report.Lost += a.Lost
	r.report.Returned += a.Returned
	err := r.o.decide(a.History, r.report)
	for _, text := range f {
		err = errors.Join(err, errors.New(text))
	}
	return err
}

// drain lets the world be emptied, if nothing was wrong with it until then.
func (r *run) drain() {
	if r.report.Red() {
		return
	}
	var f Faults
	r.world.Drain(&f)
	for _, text := range f {
		r.report.fault("%s, seed %d, at the end: %s", r.report.State, r.seed, text)
	}
}
