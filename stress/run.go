package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
)

// run is one table with its clients, from the creation of the region to its last audit.
type run struct {
	o        *Options
	work     workload
	crew     *crew
	arena    *arena
	region   *region.Region
	table    *hopscotch.Table
	keeper   *hopscotch.Handle
	meter    *meter
	rng      *rand.Rand
	ledger   *ledger
	contents map[uint32]uint32
	owners   map[uint64]bool // of all clients so far, the dead included
	report   *StateReport
	all      *Report
}

// size is how much a run does.
type size struct {
	threads, processes int
	rounds, kills      int // kills in each round but every fourth, which is the control
}

// roundTime bounds a round. A client that has not ended its operations by then is stuck.
const roundTime = 30 * time.Second

// descriptors is how many clients a run can have: nobody takes over the descriptor of a dead one.
const descriptors = 512

// execute runs one run of the state and adds what it finds to the report. The error says that
// the run could not be made; what is wrong with the table is in the report.
func (c *campaign) execute(ctx context.Context, s catalog.State, z size, seed uint64,
	rep *StateReport) error {
	w, err := newWorkload(s, seed)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.o.Folder, "samecycle-stress-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &run{o: c.o, all: c.report, work: w, meter: newMeter(), rng: rand.New(rand.NewPCG(seed, 1)),
		ledger: newLedger(w), contents: map[uint32]uint32{}, owners: map[uint64]bool{}, report: rep}
	if err := r.open(dir, z); err != nil {
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
			rep.fault("%s, seed %d, round %d: %v", s.ID, seed, n, err)
		}
	}
	r.drain()
	return ctx.Err()
}

func (r *run) open(dir string, z size) error {
	slots := z.threads + z.processes
	table := r.work.layout(descriptors)
	create := func(name string, l region.Layout) (*region.Region, error) {
		if z.processes == 0 {
			return region.Heap(l)
		}
		return region.Create(filepath.Join(dir, name), l)
	}
	var err error
	if r.region, err = create("table", table); err != nil {
		return err
	}
	log, err := create("log", arenaLayout(slots))
	if err != nil {
		return err
	}
	if r.arena, err = openArena(log, slots); err != nil {
		return err
	}
	if r.table, err = hopscotch.NewWith(r.region, r.work.options()); err != nil {
		return err
	}
	if r.keeper, err = r.table.NewHandle(keeperOwner); err != nil {
		return err
	}
	e, err := newEye(r.region, r.keeper.Descriptor())
	r.crew = &crew{o: r.o, work: r.work, region: r.region, arena: r.arena, threads: z.threads,
		processes: make([]*process, z.processes), eye: e}
	return err
}

// close ends the clients, then the regions. Goroutines that are stuck keep theirs.
func (r *run) close() {
	r.crew.end()
	for range r.crew.threads {
		select {
		case <-r.crew.failed:
		case <-time.After(time.Second):
			return
		}
	}
	_ = errors.Join(r.region.Close(), r.arena.region.Close()) // nothing is left to lose
}

// round lets the clients work, does to them what the plan says, and audits when all are at rest.
func (r *run) round(ctx context.Context, n uint64, kills int) error {
	var deeds []deed
	before := r.o.stolen()
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
	if r.o.meddle != nil {
		r.o.meddle(r.region, n)
	}
	events, err := r.gather(deeds, kills > 0, r.o.stolen()-before)
	if err != nil {
		return err
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.Call, b.Call) })
	r.tally(events, deeds)
	return r.judge(events)
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
func (r *run) gather(deeds []deed, violent bool, stolen int64) ([]event, error) {
	var all []event
	into := &r.all.Away
	if violent {
		into = &r.all.Near
	}
	for slot := range r.arena.slots {
		client := slot + keeperOwner + 1
		if i := slot - r.crew.threads; i >= 0 {
			client = int(r.crew.processes[i].owner)
		}
		events, slow, err := r.arena.log(slot).read(client)
		if err != nil {
			return nil, err
		}
		all = append(all, events...)
		if slot < r.crew.threads {
			continue
		}
		var halted []span
		for _, d := range deeds {
			if d.owner == uint32(client) {
				halted = append(halted, d.span.longer())
			} else if d.choose {
				halted = append(halted, d.all.longer())
			}
		}
		for _, s := range into.count(near(events, deeds), slow, halted, stolen) {
			r.report.slow(violent, "client %d: an operation took %v", client, s)
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
func near(events []event, deeds []deed) []event {
	if len(deeds) == 0 {
		return events
	}
	var out []event
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
func (r *run) tally(events []event, deeds []deed) {
	rep := r.report
	rep.Windows++
	rep.Operations += uint64(len(events))
	for i := range events {
		if e := &events[i]; e.states>>r.number()&1 != 0 {
			rep.Marks++
		}
	}
	rep.Marks += pairMarks(events)[r.number()]
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

func (r *run) number() int {
	s, _ := register.StateByID(r.work.State)
	return s.Number
}

// judge audits the table at rest, and decides the window that has just ended.
func (r *run) judge(events []event) error {
	var f faults
	ended := r.arena.tick()
	at := atRest(r.table, r.keeper, r.work.Keys, &f)
	r.audit(at.owners, &f)
	w := &window{workload: r.work, events: events, initial: r.contents, contents: at.contents, ended: ended}
	h := w.history()
	r.ledger.book(events, &f)
	r.report.Lost += uint64(r.ledger.settle(at.cells, w.dead(), &f))
	r.ledger.count(h, at.contents, &f)
	r.contents = at.contents
	err := w.judge(h, r.o.opsPerKey)
	if errors.Is(err, linearizability.ErrUnknown) {
		r.report.undecided("a window of %d operations: %v", len(h), err)
		err = nil
	}
	if err != nil && r.o.Histories != "" {
		err = w.keep(r.o.Histories, h, err)
	}
	for _, text := range f {
		err = errors.Join(err, errors.New(text))
	}
	return err
}

// audit counts the descriptors: each client that ever was has one at most, those of today have one.
func (r *run) audit(owners map[uint64]int, f *faults) {
	r.owners[keeperOwner] = true
	for o := uint64(keeperOwner + 1); o <= uint64(r.crew.owner); o++ {
		r.owners[o] = true
	}
	for o, n := range owners {
		if n != 1 || !r.owners[o] {
			f.add("descriptors: owner %d has %d", o, n)
		}
	}
	for i := range r.crew.threads {
		if owners[uint64(keeperOwner+1+i)] != 1 {
			f.add("descriptors: client %d has none", keeperOwner+1+i)
		}
	}
	for _, p := range r.crew.processes {
		if owners[uint64(p.owner)] != 1 {
			f.add("descriptors: client %d has none", p.owner)
		}
	}
}

// drain crops the table and takes every element out: what is handed over then must be all that
// the ledger knows to be there.
func (r *run) drain() {
	if r.report.Red() {
		return
	}
	var f faults
	take := func(l hopscotch.Leaving) { r.ledger.hand(leaving{l.Key, l.Value}, &f) }
	for _, key := range r.work.Keys {
		ok, err := r.keeper.Delete(key)
		if _, there := r.contents[key]; err != nil || ok != there {
			f.add("drain: delete of key %d gives %v, %v", key, ok, err)
		}
	}
	if err := r.keeper.CropAll(take); err != nil {
		f.add("drain: %v", err)
	}
	at := atRest(r.table, r.keeper, r.work.Keys, &f)
	r.ledger.settle(at.cells, nil, &f)
	if len(at.cells) != 0 {
		f.add("drain: %d cells are not empty", len(at.cells))
	}
	for _, text := range f {
		r.report.fault("%s, seed %d, at the end: %s", r.work.State, r.work.Seed, text)
	}
}
