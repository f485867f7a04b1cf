package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Options say how much a campaign does. A limit of zero is no limit. Without any limit each state is run
// once.
type Options struct {
	Seed       uint64
	States     []string      // of the subject, in this order; nil is all
	Processes  int           // worker processes of a run, 0 to 16; 0: goroutines only, no deaths
	Threads    int           // goroutines of the run without processes, 0 to 16
	Kills      int           // ends when so many workers were killed,
	Operations uint64        // so many operations were judged,
	Duration   time.Duration // or so much time has passed; none of these before each state ran once
	Worker     []string      // program and first arguments of a worker; see Worker
	Deaths     int           // kills in each round that has any, 1 to 16; 0 is 2
	Folder     string        // for the files of the runs; "" is one in memory, if there is one
	Marks      uint64        // goes on until each state has so many, for at most MarkBatches batches
	Histories  string        // folder for the histories that are refused; "" keeps none
	Before     *Report       // of the batches so far, to go on from; nil is none
	OpsPerKey  int           // longest history of one key that is decided, 0: as long as a window can be

	// Stolen returns for how long other machines have used this one's processors so far, in nanoseconds;
	// nil asks the system. A long operation during such a time is excused.
	Stolen func() int64

	// Progress is told what runs and which share is done; it may be nil.
	Progress func(what string, share float64)
	// Batch is told what has been found after each batch, in which each state runs once; its error
	// ends the campaign. May be nil.
	Batch func(r *Report) error
}

// memoryFolder is where files lie in memory: nobody waits for a disk there.
const memoryFolder = "/dev/shm"

// Bounds of the options.
const (
	ClientsMost = 16
	DeathsMost  = 16
	MarkBatches = 8
	runRounds   = 8
	killsARound = 2
)

// ErrDiffers says that one program gave two results.
var ErrDiffers = errors.New("the result depends on what it must not depend on")

// Report is what a campaign found.
type Report struct {
	Engine string         `json:"engine"`
	Deaths bool           `json:"deaths"` // clients were processes, too, and could die
	Counts string         `json:"counts"` // what installs_max counts; "" is nothing
	Seed   uint64         `json:"seed"`
	States []*StateReport `json:"states"`
	Ways   int            `json:"metamorphic_ways"` // in which one program was run in each batch
	Near   Latency        `json:"near"`             // survivors, around deaths and stops
	Away   Latency        `json:"control"`          // rounds without
	Done   int            `json:"batches"`
	Ended  string         `json:"ended"`  // why
	Faults []string       `json:"faults"` // of no state
}

// StateReport is what the runs of one state found.
type StateReport struct {
	State      string   `json:"state"`
	Marks      uint64   `json:"marks"`      // of the race
	Operations uint64   `json:"operations"` // recorded and judged
	Windows    uint64   `json:"windows"`    // decided, but for the undecided
	Kills      uint64   `json:"kills"`
	InFlight   uint64   `json:"in_flight"` // kills within an operation
	Installed  uint64   `json:"installed"` // kills that left an operation in progress
	Stops      uint64   `json:"stops"`
	Held       uint64   `json:"held"`               // stops of a process with an operation in progress
	Lost       uint64   `json:"lost_with_the_dead"` // values
	Returned   uint64   `json:"returned"`           // attachments of the dead that were given back
	Faults     []string `json:"faults"`             // what is wrong
	Undecided  []string `json:"undecided"`          // what was not judged
}

// Red tells whether something is wrong.
func (s *StateReport) Red() bool { return len(s.Faults) > 0 }

const textsMost = 16

func (s *StateReport) fault(format string, args ...any) {
	if len(s.Faults) < textsMost {
		s.Faults = append(s.Faults, fmt.Sprintf(format, args...))
	}
}

func (s *StateReport) undecided(format string, args ...any) {
	if len(s.Undecided) < textsMost {
		s.Undecided = append(s.Undecided, fmt.Sprintf(format, args...))
	}
}

// slow notes an operation that was blocked: near a death it is a fault. In a control round it says
// that this machine cannot tell.
func (s *StateReport) slow(violent bool, format string, args ...any) {
	if violent {
		s.fault(format, args...)
		return
	}
	s.undecided("without any death: "+format, args...)
}

// Verdict is "" when all is well, else what is wrong, or unknown, in the first place.
func (s *StateReport) Verdict() (text string, unknown bool) {
	switch {
	case len(s.Faults) > 0:
		return s.Faults[0], false
	case len(s.Undecided) > 0:
		return s.Undecided[0], true
	case s.Windows == 0:
		return "not run", true
	case s.Marks == 0:
		return "mark not seen", false
	}
	return "", false
}

// check refuses options out of bounds.
func (o *Options) check(subject Subject) error {
	for _, x := range []struct {
		name string
		n    int
		most int
	}{{"processes", o.Processes, ClientsMost}, {"threads", o.Threads, ClientsMost},
		{"deaths", o.Deaths, DeathsMost}} {
		if x.n < 0 || x.n > x.most {
			return fmt.Errorf("%s: %d is out of bounds: use 0 to %d", x.name, x.n, x.most)
		}
	}
	for _, s := range o.States {
		if !slices.Contains(subject.States(), s) {
			return fmt.Errorf("state %s is none of %s", s, subject.Name())
		}
	}
	switch {
	case o.Kills < 0 || o.Duration < 0:
		return fmt.Errorf("kills and duration are not negative")
	case o.Processes+o.Threads == 0:
		return fmt.Errorf("nobody is to work: give processes or threads")
	case o.Kills > 0 && o.Processes == 0:
		return fmt.Errorf("%d kills without processes: goroutines cannot be killed", o.Kills)
	case o.Processes > 0 && !subject.Deaths():
		return fmt.Errorf("processes: %s lives on the heap of one process: use goroutines only",
			subject.Name())
	case o.Processes > 0 && len(o.Worker) == 0:
		return fmt.Errorf("processes without the program of a worker")
	}
	return nil
}

// Campaign runs the states one after the other, again and again with other seeds, until a limit
// is reached, the context ends, or something is wrong. The error says that a run could not be
// made, or that the context has ended; the report holds what was found until then.
func Campaign(ctx context.Context, subject Subject, o Options) (*Report, error) {
	if o.States == nil {
		o.States = subject.States()
	}
	if o.Stolen == nil {
		o.Stolen = stolen
	}
	if err := o.check(subject); err != nil {
		return nil, err
	}
	if info, err := os.Stat(memoryFolder); o.Folder == "" && err == nil && info.IsDir() {
		o.Folder = memoryFolder
	}
	c := &campaign{o: &o, subject: subject, start: time.Now(), report: o.Before}
	if c.report == nil {
		c.report = &Report{Engine: subject.Name(), Deaths: o.Processes > 0, Counts: subject.Counts(),
			Seed: o.Seed}
		for _, s := range o.States {
			c.report.States = append(c.report.States, &StateReport{State: s})
		}
	}
	if err := c.fits(); err != nil {
		return nil, err
	}
	c.report.settle() // one that ends in its first batch is reported, too
	for c.first = true; ; c.first = false {
		if err := c.batch(ctx); err != nil {
			c.report.Ended = err.Error()
			return c.report, err
		}
		switch {
		case c.red():
			c.report.Ended = "something is wrong"
			return c.report, nil
		case c.reached():
			c.report.Ended = "limit reached"
			return c.report, nil
		}
	}
}

// settle computes what follows from the times.
func (r *Report) settle() {
	r.Near.settle()
	r.Away.settle()
}

// fits tells whether the report to go on from is of the same campaign.
func (c *campaign) fits() error {
	same := c.report.Engine == c.subject.Name() && c.report.Seed == c.o.Seed &&
		len(c.report.States) == len(c.o.States)
	for i := 0; same && i < len(c.o.States); i++ {
		same = c.report.States[i] != nil && c.report.States[i].State == c.o.States[i]
	}
	if !same {
		return fmt.Errorf("the report to go on from is of another engine, of another seed or of other " +
			"states: begin anew")
	}
	return nil
}

// batch runs each state once. The first batch is always whole: a state that did not run has no verdict.
func (c *campaign) batch(ctx context.Context) error {
	seed := c.o.Seed + uint64(c.report.Done)<<32
	ways, err := c.subject.Metamorphic(seed, c.o.Folder)
	switch c.report.Ways += ways; {
	case errors.Is(err, ErrDiffers):
		c.report.Faults = append(c.report.Faults, err.Error())
	case err != nil:
		return err
	}
	for i := range c.o.States {
		if !c.first && c.reached() {
			break
		}
		c.tell(i)
		if err := c.state(ctx, seed, c.report.States[i]); err != nil {
			return err
		}
	}
	c.report.settle()
	c.report.Done++
	if c.o.Batch != nil {
		return c.o.Batch(c.report)
	}
	return nil
}

type campaign struct {
	o       *Options
	subject Subject
	start   time.Time
	first   bool // batch of this campaign
	report  *Report
}

// state runs one state once: goroutines alone, then processes.
func (c *campaign) state(ctx context.Context, seed uint64, rep *StateReport) error {
	if c.o.Threads > 0 {
		z := size{threads: c.o.Threads, rounds: runRounds / 2}
		if err := c.execute(ctx, z, seed, rep); err != nil {
			return err
		}
	}
	if c.o.Processes > 0 && !rep.Red() {
		z := size{processes: c.o.Processes, rounds: runRounds, kills: cmp.Or(c.o.Deaths, killsARound)}
		return c.execute(ctx, z, seed, rep)
	}
	return nil
}

func (c *campaign) sums() (kills, operations uint64) {
	for _, s := range c.report.States {
		kills += s.Kills
		operations += s.Operations
	}
	return kills, operations
}

// reached tells whether a limit is. Without any that is so after the first batch.
func (c *campaign) reached() bool {
	kills, operations := c.sums()
	switch {
	case c.o.Kills > 0 && kills >= uint64(c.o.Kills), c.o.Operations > 0 && operations >= c.o.Operations,
		c.o.Duration > 0 && time.Since(c.start) >= c.o.Duration:
		return true
	case c.o.Kills > 0 || c.o.Operations > 0 || c.o.Duration > 0:
		return false
	}
	for _, s := range c.report.States {
		if s.Marks < c.o.Marks {
			return c.report.Done >= MarkBatches
		}
	}
	return true
}

func (c *campaign) red() bool {
	if len(c.report.Faults) > 0 {
		return true
	}
	for _, s := range c.report.States {
		if s.Red() {
			return true
		}
	}
	return false
}

// tell reports the progress.
func (c *campaign) tell(i int) {
	if c.o.Progress == nil {
		return
	}
	kills, operations := c.sums()
	whole := float64(i) / float64(len(c.o.States))
	share := whole
	switch {
	case c.o.Kills > 0:
		share = float64(kills) / float64(c.o.Kills)
	case c.o.Duration > 0:
		share = float64(time.Since(c.start)) / float64(c.o.Duration)
	case c.o.Operations > 0:
		share = float64(operations) / float64(c.o.Operations)
	}
	if c.first {
		share = min(share, whole)
	}
	c.o.Progress(fmt.Sprintf("batch %d, %s: %d operations, %d kills", c.report.Done+1, c.o.States[i],
		operations, kills), share)
}
