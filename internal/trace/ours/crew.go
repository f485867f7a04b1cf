package ours

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/trace"
)

// CrewOptions say how a crew works.
type CrewOptions struct {
	Processes int           // that live to the end; 1 or more
	KillEvery time.Duration // pause between two deaths of one more process; 0: there is none
	Duration  time.Duration // the trace is replayed again and again for at least so long
	Basket    uint32        // bytes of a basket; 0: the default of the cache
	Policy    cache.Policy  // nil: the default of the cache
	Folder    string        // for the file of the cache
	Prepare   func() error  // what Command needs; nil: nothing
	Command   func(assignment string) *exec.Cmd
	Progress  func(what string, share float64)
}

// CrewReport is what became of a trace in several processes.
type CrewReport struct {
	Cache    cache.Options
	Passes   int // how often all of the trace was replayed
	Requests uint64
	Hits     uint64
	Bytes    uint64
	HitBytes uint64
	Refused  uint64 // objects that were larger than a basket
	Busy     uint64 // sets that found all baskets, or all writers, taken
	Kills    int
	Again    uint64        // requests of parts in which a process was killed, which others made again
	Longest  time.Duration // of all calls of processes that were not killed
	Objects  int           // in the cache at the end
	Held     uint64        // their bytes
	Faults   []string      // what is wrong; empty: nothing
	Complete bool
}

// HitRatio is the share of requests that were hits.
func (r *CrewReport) HitRatio() float64 { return float64(r.Hits) / float64(max(1, r.Requests)) }

// ByteHitRatio is the share of bytes.
func (r *CrewReport) ByteHitRatio() float64 { return float64(r.HitBytes) / float64(max(1, r.Bytes)) }

// crew is a run.
type crew struct {
	o      CrewOptions
	t      *trace.Trace
	text   string // the assignment
	region string
	queue  *queue
	begun  time.Time

	mu     sync.Mutex
	report *CrewReport
	sums   answer
	victim *process
}

// Crew replays a trace in several processes on one cache in a file, of the capacity that Fit describes. They
// share the trace: each takes the next part of it. One more process does the same, and is killed again and
// again, wherever it is; what it had of the trace is given to others. In the end the cache is checked, and
// each value in it is compared. When the context ends the report is of what was done so far.
//
// Errors: ErrProcesses, those of Fit, of files, of Prepare, and of starting processes. What is wrong with the
// cache is in the report.
func Crew(ctx context.Context, t *trace.Trace, capacity uint64, o CrewOptions) (*CrewReport, error) {
	options, err := Fit(capacity, t, o.Basket, o.Policy)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(o.Folder, "samecycle-trace-")
	if err != nil {
		return nil, fmt.Errorf("no folder for the cache: %w; set TMPDIR to one that can be written", err)
	}
	defer os.RemoveAll(folder)
	c := &crew{o: o, t: t, region: filepath.Join(folder, "cache"), report: &CrewReport{}}
	requests := filepath.Join(folder, "requests")
	if err := storeTrace(requests, t); err != nil {
		return nil, err
	}
	text, err := json.Marshal(assignment{c.region, requests})
	if err != nil {
		return nil, err
	}
	c.text = string(text)
	own, err := cache.Open(c.region, options)
	if err != nil {
		return nil, err
	}
	c.report.Cache = own.Options()
	if err := own.Close(); err != nil {
		return nil, err
	}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	c.begun = time.Now()
	c.queue = newQueue(uint64(len(t.Requests)), func() bool { return time.Since(c.begun) >= o.Duration })
	defer context.AfterFunc(ctx, c.queue.stop)()
	if err := c.work(ctx); err != nil {
		return nil, err
	}
	c.sum(ctx)
	return c.report, c.verify(capacity)
}

// prepare refuses more processes than the cache can have, and makes what the others need.
func (c *crew) prepare() error {
	l, err := limitsOf(c.region)
	if err == nil {
		err = l.check(c.o.Processes, c.o.KillEvery > 0)
	}
	if err == nil && c.o.Prepare != nil {
		err = c.o.Prepare()
	}
	return err
}

// work runs all processes until the queue is empty.
func (c *crew) work(ctx context.Context) error {
	var survivors []*process
	defer func() {
		for _, p := range survivors {
			p.kill() // of one that has ended this does nothing
		}
	}()
	for range c.o.Processes {
		p, err := c.start()
		if err != nil {
			return err
		}
		survivors = append(survivors, p)
	}
	var all sync.WaitGroup
	errs := make(chan error, c.o.Processes+1)
	for _, p := range survivors {
		all.Go(func() {
			if err := c.serve(p, true); err != nil {
				c.queue.stop()
				c.fault("a process that nobody killed has ended: %v", p.end(err))
			}
		})
	}
	if c.o.KillEvery > 0 {
		stop := make(chan struct{})
		var killing sync.WaitGroup
		killing.Go(func() { c.kills(stop) })
		all.Go(func() { errs <- c.die() })
		defer func() { close(stop); killing.Wait() }()
	}
	told := make(chan struct{})
	go c.tell(told)
	all.Wait()
	close(told)
	for _, p := range survivors {
		if err := p.finish(); err != nil && len(c.report.Faults) == 0 && ctx.Err() == nil {
			c.fault("a process did not end well: %v", err)
		}
	}
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

func (c *crew) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Faults = append(c.report.Faults, fmt.Sprintf(format, args...))
}

// serve gives parts to a process until there is none, or until it ends, which is the error.
func (c *crew) serve(p *process, lives bool) error {
	if err := p.ready(); err != nil {
		return err
	}
	if !lives {
		c.mu.Lock()
		c.victim = p // not earlier: on a busy machine it might never come to its work
		c.mu.Unlock()
	}
	for {
		work, ok := c.queue.take()
		if !ok {
			return nil
		}
		a, err := p.do(work)
		c.queue.done(work, err != nil)
		c.mu.Lock()
		if err == nil {
			if !lives {
				a.Longest = 0
			}
			c.sums.add(a)
		} else {
			c.report.Again += work.To - work.From
		}
		c.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// die starts a process, lets it work until it is killed, and starts the next one, until there is no work.
func (c *crew) die() error {
	for {
		p, err := c.start()
		if err != nil {
			c.queue.stop()
			return err
		}
		err = c.serve(p, false)
		c.mu.Lock()
		c.victim = nil
		killed := p.killed
		c.mu.Unlock()
		if err == nil {
			if err := p.finish(); err != nil && !killed {
				c.fault("a process did not end well: %v", err)
			}
			return nil
		}
		if err = p.end(err); !killed {
			c.queue.stop()
			c.fault("a process has ended before it was killed: %v", err)
			return nil
		}
	}
}

// kills kills the victim at each tick.
func (c *crew) kills(stop chan struct{}) {
	tick := time.NewTicker(c.o.KillEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		c.mu.Lock()
		if p := c.victim; p != nil && !p.killed {
			p.killed = true
			p.kill()
			c.report.Kills++
		}
		c.mu.Unlock()
	}
}

// tell tells the progress.
func (c *crew) tell(done chan struct{}) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		passes, at := c.queue.state()
		c.mu.Lock()
		kills := c.report.Kills
		c.mu.Unlock()
		share := float64(time.Since(c.begun)) / float64(max(1, c.o.Duration))
		if passes == 0 { // a trace that takes longer than that
			share = min(share, float64(at)/float64(len(c.t.Requests)))
		}
		c.o.Progress(fmt.Sprintf("pass %d, killed %d times", passes+1, kills), min(share, 1))
	}
}

// sum copies the sums into the report.
func (c *crew) sum(ctx context.Context) {
	r, s := c.report, c.sums
	r.Requests, r.Hits, r.Bytes, r.HitBytes = s.Requests, s.Hits, s.Bytes, s.HitBytes
	r.Refused, r.Busy, r.Longest = s.Refused, s.Busy, time.Duration(s.Longest)
	r.Passes, _ = c.queue.state()
	r.Complete = ctx.Err() == nil && len(r.Faults) == 0
}

// verify checks the cache that nobody uses any more, and compares all values in it.
func (c *crew) verify(capacity uint64) error {
	own, err := cache.Open(c.region, cache.Options{NoJanitor: true})
	if err != nil {
		c.report.Faults = append(c.report.Faults, fmt.Sprintf("the cache cannot be opened: %v", err))
		return nil
	}
	c.o.Progress("checking the cache", 1)
	found, err := own.Check()
	if err != nil {
		return errors.Join(err, own.Close())
	}
	if err := found.Err(); err != nil {
		c.report.Faults = append(c.report.Faults, err.Error())
	}
	faults, objects, held := compared(own, c.t)
	c.report.Faults = append(c.report.Faults, faults...)
	c.report.Objects, c.report.Held = objects, held
	if held > capacity {
		c.report.Faults = append(c.report.Faults,
			fmt.Sprintf("the cache holds %d bytes of objects, its capacity is %d", held, capacity))
	}
	return own.Close()
}
