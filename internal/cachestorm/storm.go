package cachestorm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/impl/region"
)

// Options are the settings of a storm. Where a default is named, zero stands for it.
type Options struct {
	Seed      uint64
	Kills     int           // number of kills after which it ends; 0: no limit
	Rounds    int           // number of rounds after which it ends; 0: no limit
	Duration  time.Duration // time after which it ends; 0: no limit
	Processes int           // 4
	Threads   int           // of each process; 2
	Folder    string        // for files
	Command   func(assignment string) *exec.Cmd
	Progress  func(what string, share float64)
	Before    *Report             // report to continue from
	Batch     func(*Report) error // called at the end of each cache

	fault    string                // for a test: the fault of the process in slot 0
	restTime time.Duration         // for a test
	damage   func(path string)     // for a test: called before the check of each round
	variants []variant             // for a test
	judged   func(j *judge, n int) // for a test
}

// variant is a kind of cache.
type variant struct {
	name   string
	bits   int // of hashes; 0: all
	keys   int
	remote bool          // each second process has no cache, but uses a service
	wait   time.Duration // for which a call may wait until another process hands a writer over
	o      cache.Options
}

// handed is how long a call may wait for a writer in a cache that has fewer writers than processes. After
// two seconds it would be refused.
const handed = time.Second

var variants = []variant{
	{name: "plain", keys: 1600, o: cache.Options{Bytes: 512 << 10, BasketBytes: basketBytes}},
	{name: "chains", bits: 8, keys: 900, o: cache.Options{Bytes: 512 << 10, BasketBytes: basketBytes}},
	{name: "small index", keys: 1600,
		o: cache.Options{Bytes: 512 << 10, BasketBytes: basketBytes, Entries: 256}},
	{name: "slots", keys: 1600, remote: true, o: cache.Options{Bytes: 512 << 10, BasketBytes: basketBytes}},
	{name: "tinylfu", keys: 1600,
		o: cache.Options{Bytes: 512 << 10, BasketBytes: basketBytes, Policy: cache.TinyLFU{}}},
	{name: "few writers", keys: 400, wait: handed,
		o: cache.Options{Bytes: cache.BytesMin, BasketBytes: basketBytes}},
}

// worldRounds is the number of rounds of a cache.
const worldRounds = 12

// storm is a run.
type storm struct {
	o      Options
	report *Report
	number uint64 // number of processes so far
	begun  time.Time
}

// Run makes a storm. It ends at a limit, at the first fault, or with the context; in the last case the
// report covers what was done so far. Errors: those of files and of starting processes. Faults of the cache
// are in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Processes == 0 {
		o.Processes = 4
	}
	if o.Threads == 0 {
		o.Threads = 2
	}
	if o.restTime == 0 {
		o.restTime = time.Minute
	}
	if len(o.variants) == 0 {
		o.variants = variants
	}
	s := &storm{o: o, report: &Report{Seed: o.Seed, Told: map[string]uint64{}}, begun: time.Now()}
	if o.Before != nil {
		s.report = o.Before
	}
	if s.report.Faults == nil {
		s.report.Faults = []string{}
	}
	_, _, s.report.Scheduler = schedule()
	for s.goes(ctx) {
		if err := s.world(ctx); err != nil {
			return s.report, err
		}
		if o.Batch != nil && ctx.Err() == nil {
			if err := o.Batch(s.report); err != nil {
				return s.report, err
			}
		}
	}
	return s.report, nil
}

// goes reports whether there is more to do, and if not, why.
func (s *storm) goes(ctx context.Context) bool {
	r := s.report
	switch {
	case len(r.Faults) > 0:
		r.Ended = "at a fault"
	case ctx.Err() != nil:
		r.Ended = context.Cause(ctx).Error()
	case s.o.Kills > 0 && r.Kills >= s.o.Kills:
		r.Ended = fmt.Sprintf("%d kills", r.Kills)
	case s.o.Rounds > 0 && r.Rounds >= s.o.Rounds:
		r.Ended = fmt.Sprintf("%d rounds", r.Rounds)
	case s.o.Duration > 0 && time.Since(s.begun) >= s.o.Duration:
		r.Ended = "its time was over"
	default:
		return true
	}
	return false
}

// share is the part of the storm that is done.
func (s *storm) share() float64 {
	r, share := s.report, 0.0
	if s.o.Kills > 0 {
		share = float64(r.Kills) / float64(s.o.Kills)
	}
	if s.o.Rounds > 0 {
		share = max(share, float64(r.Rounds)/float64(s.o.Rounds))
	}
	if s.o.Duration > 0 {
		share = max(share, float64(time.Since(s.begun))/float64(s.o.Duration))
	}
	return min(share, 1)
}

// world is one cache with its processes.
type world struct {
	storm     *storm
	variant   variant
	region    string
	keys      int
	board     *board
	processes []*process
	judge     *judge
	askers    askers
	quotas    quotas
	known     values       // of live parameters, at the end of the round before
	counts    cache.Counts // counts at the end of the round before

	deaths []*death // of the round
	stops  []stop
}

// death is the death of a process.
type death struct {
	slot    int
	number  uint64
	from    uint64   // the process was alive at this number
	moment  uint64   // no step of the process comes after this number
	calls   []uint64 // begins of the calls in which it died and that change something
	janitor bool
	taken   int // number of values that are assigned to it
}

// stop is an interval in which a process was stopped.
type stop struct {
	slot int
	span span
}

// world makes a cache, and runs rounds on it.
func (s *storm) world(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp(s.o.Folder, "samecycle-storm-")
	if err != nil {
		return fmt.Errorf("no folder for the storm: %w; set TMPDIR to one that can be written", err)
	}
	defer os.RemoveAll(folder)
	w := &world{storm: s, region: filepath.Join(folder, "cache"),
		variant: s.o.variants[s.report.Caches%len(s.o.variants)], processes: make([]*process, s.o.Processes)}
	s.report.Caches++
	w.keys = w.variant.keys
	if err := makeRegion(w.region, w.variant); err != nil {
		return err
	}
	w.board, err = openBoard(filepath.Join(folder, "board"), s.o.Processes, s.o.Threads, true)
	if err != nil {
		return err
	}
	// Each number of a value is used once in a run.
	for slot := range s.o.Processes + 1 {
		w.board.slot(slot, slotValue).Store(uint64(s.report.Caches) << 32)
	}
	if err := w.prepare(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.end()) }()
	for slot := range w.processes {
		if err := w.start(slot); err != nil {
			return err
		}
	}
	for n := 1; n <= worldRounds && (n == 1 || s.goes(ctx)); n++ {
		if err := w.round(uint64(n)); err != nil {
			return err
		}
	}
	if len(s.report.Faults) == 0 {
		return w.last()
	}
	return nil
}

// prepare makes the judges, and tunes the first parameters of the round.
func (w *world) prepare() error {
	w.judge = newJudge(w.keys)
	w.judge.server, w.judge.bare = w.server, len(w.processes)
	if err := w.temper(); err != nil {
		return err
	}
	w.judge.askers = w.askers
	w.quotas = quotas{askers: w.askers, threads: w.board.slots * w.board.threads}
	c, err := cache.Attach(w.region, cache.Options{NoJanitor: true})
	if err != nil {
		return err
	}
	err = c.TuneAll(cache.Setting{Name: "quota.object", Value: askLeast},
		cache.Setting{Name: "quota.client", Value: askLeast}, cache.Setting{Name: "quota.retry", Value: 1})
	x, bad := c.Stats()
	w.counts = x.All
	if err = errors.Join(err, bad); err == nil {
		w.known, _, err = readValues(c)
	}
	return errors.Join(err, c.Close())
}

// end ends all processes.
func (w *world) end() error {
	w.board.words[wordRest].Store(1)
	w.board.words[wordRound].Store(roundQuit)
	for _, p := range w.processes {
		if p == nil {
			continue
		}
		if p.resume(); len(w.storm.report.Faults) > 0 {
			p.kill()
		}
		p.end()
	}
	return w.board.close()
}

// makeRegion makes the region of a cache whose hashes have so many bits. The cache itself has that option
// only for its own tests.
func makeRegion(path string, v variant) error {
	c, err := cache.Open(path, v.o)
	if err != nil {
		return err
	}
	if err := c.Close(); err != nil || v.bits == 0 {
		return err
	}
	r, err := region.Open(path, nil)
	if err != nil {
		return err
	}
	layout := r.Layout()
	if err := errors.Join(r.Close(), os.Remove(path)); err != nil {
		return err
	}
	for i, part := range layout {
		if part.Engine != cache.Engine {
			continue
		}
		for j, p := range part.Params {
			if p.Name == "hash bits" {
				layout[i].Params[j].Value = uint64(v.bits)
			}
		}
	}
	if r, err = region.Create(path, layout); err != nil {
		return err
	}
	return r.Close()
}

// plan draws what is done to the processes of a round.
func (s *storm) plan() *rand.Rand {
	return rand.New(rand.NewPCG(s.o.Seed, uint64(s.report.Rounds)))
}
