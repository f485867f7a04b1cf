package stress

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/disk"
)

// crew is the clients of one run: goroutines of this process, and worker processes. Slot i is that
// of goroutine i, or of a process.
type crew struct {
	o         *Options
	subject   Subject
	seed      uint64
	world     World
	arena     *arena
	threads   int
	processes []*process // by slot less threads
	owner     uint32     // of the youngest client; every client has its own
	failed    chan error // of goroutines
}

// start lets all clients attach.
func (c *crew) start() error {
	c.owner = ParentOwner
	c.failed = make(chan error, c.threads)
	for slot := range c.threads {
		c.owner++
		client, err := c.world.Client(c.owner)
		if err != nil {
			return err
		}
		a := newActor(client, c.arena, c.seed, slot, c.owner)
		go func() { c.failed <- a.serve(func() bool { return true }) }()
	}
	for i := range c.processes {
		if err := c.respawn(i); err != nil {
			return err
		}
	}
	return nil
}

// respawn starts a newcomer in the slot of a process.
func (c *crew) respawn(i int) (err error) {
	c.owner++
	c.arena.end(c.threads+i, 0) // the round that runs is the newcomer's, too
	handout, err := c.world.Handout()
	if err != nil {
		return err
	}
	c.processes[i], err = spawn(c.o.Worker, assignment{Engine: c.subject.Name(), Arena: c.arena.file,
		Slots: c.arena.slots, Slot: c.threads + i, Owner: c.owner, Seed: c.seed, World: handout})
	return err
}

// ownerOf is the owner of the client in a slot. Goroutines do not die, so theirs are the first.
func (c *crew) ownerOf(slot int) uint32 {
	if i := slot - c.threads; i >= 0 {
		return c.processes[i].owner
	}
	return ParentOwner + 1 + uint32(slot)
}

// living are the owners of the clients.
func (c *crew) living() (all []uint32) {
	for slot := range c.threads + len(c.processes) {
		all = append(all, c.ownerOf(slot))
	}
	return all
}

// trouble is the failure of a client that nobody killed.
func (c *crew) trouble() error {
	select {
	case err := <-c.failed:
		return err
	default:
	}
	for _, p := range c.processes {
		select {
		case <-p.gone:
			return disk.Printed(fmt.Errorf("worker %d ended by itself: %w", p.owner, p.err),
				string(p.stderr.text))
		default:
		}
	}
	return nil
}

// why is the reason for an error: of a worker that has ended, its last words.
func (c *crew) why(err error) error {
	for start := time.Now(); errors.Is(err, os.ErrProcessDone) && time.Since(start) < time.Second; {
		if t := c.trouble(); t != nil {
			return t
		}
		time.Sleep(pollEvery)
	}
	return err
}

// end lets all clients go, those that will not by force.
func (c *crew) end() {
	c.arena.hurry()
	c.arena.begin(roundQuit, 0)
	for _, p := range c.processes {
		if p == nil {
			continue
		}
		select {
		case <-p.gone:
		case <-time.After(time.Second):
			_ = p.kill() // it is ending anyway
		}
	}
}

// act is one thing that is done to a process of a round.
type act struct {
	after   int64 // moments of the shared clock since the act before
	process int   // one of those at work, modulo their number
	kill    bool
	choose  bool          // stop all, and prefer one with an operation in progress
	halt    time.Duration // how long a stop lasts
}

// stopsARound is how many short stops come with the deaths of a round: a process that is stopped
// within an operation is met there by the others. The last stop is longer than any operation
// of another process may be blocked.
const (
	stopsARound = 6
	shortStop   = 100 * time.Microsecond
	longStop    = 2 * time.Duration(blockedAfter)
)

// plan draws what is done in a round.
func plan(rng *rand.Rand, kills int) []act {
	var acts []act
	for range kills {
		acts = append(acts, act{kill: true, choose: rng.IntN(2) == 0})
	}
	for range stopsARound - 1 {
		acts = append(acts, act{halt: time.Duration(rng.Int64N(int64(shortStop)))})
	}
	rng.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	acts = append(acts, act{halt: longStop, choose: true})
	for i := range acts {
		acts[i].after, acts[i].process = rng.Int64N(ticksBetween), rng.IntN(ClientsMost)
	}
	return acts
}

// ticksBetween bounds how many calls and returns lie between two acts: it is the clients' progress,
// not time, that says when they are at work.
const ticksBetween = 1600

// await returns when the clients have made so many calls and returns, with the processes that are
// at work on round n then; none if all have ended it. A process that starts is waited for.
func (c *crew) await(n uint64, ticks int64) []int {
	start, limit := time.Now(), c.arena.now()+ticks
	for {
		var working []int
		ended := 0
		for i := range c.processes {
			switch slot := c.threads + i; {
			case c.arena.ended(slot) == n:
				ended++
			case c.arena.log(slot).at(0)[atKind].Load() != 0:
				working = append(working, i)
			}
		}
		due := c.arena.now() >= limit && len(working) > 0
		if due || ended == len(c.processes) || time.Since(start) > startTime {
			return working
		}
		pause(5 * time.Microsecond)
	}
}

// startTime is how long an act waits for somebody to be at work.
const startTime = 200 * time.Millisecond

// pause waits. A sleep may last a whole round, so what is short is spun.
func pause(d time.Duration) {
	if d > time.Millisecond {
		time.Sleep(d)
		return
	}
	for start := time.Now(); time.Since(start) < d; {
	}
}

// deed is what became of an act.
type deed struct {
	act
	span             // of the system's clock, until the process may go on
	all       span   // while all processes were stopped
	owner     uint32 // of the process
	events    []Event
	slow      []slowness
	installed bool // the world held its operation when it was dead, or stopped
}

// perform does the act to a process that is at work on round n. Without one there is nothing to do.
func (c *crew) perform(n uint64, a act, m *meter) (d deed, done bool, err error) {
	working := c.await(n, a.after)
	if len(working) == 0 {
		return d, false, nil
	}
	a.process = working[a.process%len(working)]
	d = deed{act: a, span: span{from: m.now()}}
	others := []*process(nil)
	if a.choose {
		if others, err = c.choose(n, &d); err != nil {
			return d, false, err
		}
		d.all = span{d.from, m.now()}
	}
	p := c.processes[d.process]
	d.owner = p.owner
	if a.kill {
		err = c.bury(&d)
	} else {
		err = p.stop()
		d.installed = c.world.InProgress(p.owner) != Idle
	}
	if err = errors.Join(err, c.resume(others)); err == nil && !a.kill {
		pause(a.halt)
		err = p.resume()
	}
	d.to = m.now()
	return d, true, err
}

func (c *crew) resume(list []*process) error {
	for _, p := range list {
		if err := p.resume(); err != nil {
			return fmt.Errorf("worker %d cannot go on: %w", p.owner, err)
		}
	}
	return nil
}

// choose stops all processes, each at whatever instruction it is, until one of them has an operation
// in progress that the race needs: that process is the one of the deed. It returns the others. After
// some tries any operation will do, and in the end any process.
func (c *crew) choose(n uint64, d *deed) ([]*process, error) {
	const tries = 12
	for try := 1; ; try++ {
		for _, p := range c.processes {
			if err := p.stop(); err != nil {
				return nil, fmt.Errorf("stop of worker %d: %w", p.owner, err)
			}
		}
		pause(settle)
		found := false
		for i, p := range c.processes {
			held := c.world.InProgress(p.owner)
			if held == Idle || held != Wanted && (found || try <= tries/2) {
				continue
			}
			d.process, found = i, true
		}
		if found || try == tries {
			return slices.Delete(slices.Clone(c.processes), d.process, d.process+1), nil
		}
		if err := c.resume(c.processes); err != nil {
			return nil, err
		}
		if len(c.await(n, ticksBetween/tries)) == 0 {
			try = tries - 1 // all have ended the round
		}
	}
}

// settle is how long a stop may take to reach a process that runs on another processor.
const settle = 50 * time.Microsecond

// bury kills the process. Its log is read before its slot is given away.
func (c *crew) bury(d *deed) (err error) {
	p := c.processes[d.process]
	if err = p.kill(); err != nil {
		return err
	}
	d.installed = c.world.InProgress(p.owner) != Idle
	if d.events, d.slow, err = c.arena.log(c.threads + d.process).read(p.owner); err != nil {
		return err
	}
	return c.respawn(d.process)
}
