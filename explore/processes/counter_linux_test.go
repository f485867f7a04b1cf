//go:build explore

package processes

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes/processtest"
	"github.com/samecycle/samecycle/impl/region"
)

// small is the layout of all regions of these tests.
var small = region.Layout{{Engine: "counter", Version: 1,
	Sections: []region.Section{{Name: "counter", Bytes: region.LineBytes}}}}

// A counter is an engine for the tests: one word, to which each thread adds 1 once. The first one detaches
// then.
type counter struct {
	hosts []*Host
	errs  []error // by thread
	added uint64  // additions that have returned

	torn  bool // for canaries: an addition is a load and a store
	fails bool // the first thread says that its call has failed
}

var errCounted = errors.New("the counter is wrong")

// word is where the counter is.
func (c *counter) word() uint64 { return small.Offset("counter", "counter") / region.WordBytes }

func (c *counter) Found(r *region.Region) error { return r.Close() }

func (c *counter) Start(hosts []*Host) {
	c.hosts, c.errs, c.added = hosts, make([]error, len(hosts)), 0
}

func (c *counter) Arrive(n int) {
	c.hosts[n].Begin()
	c.errs[n] = ErrInside
	c.errs[n] = c.hosts[n].Attach()
	c.hosts[n].Mark(0)
}

func (c *counter) Act(n int) {
	h := c.hosts[n]
	if h.Region == nil {
		c.Arrive(n)
	}
	h.Begin()
	c.errs[n] = ErrInside
	if w := &h.Region.Words()[c.word()]; c.torn {
		w.Store(w.Load() + 1)
	} else {
		w.Add(1)
	}
	c.added++
	h.Mark(c.added)
	c.errs[n] = nil
	if n == 0 {
		c.errs[n] = ErrInside
		c.errs[n] = h.Detach()
	}
	if c.fails && n == 0 {
		c.errs[n] = errors.New("no")
	}
}

func (c *counter) Err(n int) error { return c.errs[n] }

func (c *counter) Judge(e End) error {
	most := c.added
	for n := range c.hosts {
		most += one(e.Dead(n))
	}
	if v := e.Region.Words()[c.word()].Load(); v < c.added || v > most {
		return fmt.Errorf("%w: %d, with %d additions", errCounted, v, c.added)
	}
	return nil
}

const counterName = "Counter"

func (c *counter) program() Program {
	return Program{Name: counterName, Says: "two count", Layout: small, Engine: c,
		Members: []Member{{Name: "first", Stands: true, Threads: 1}, {Name: "newcomer", Threads: 1}}}
}

// counting is the search of the counter for the child processes of these tests.
func counting() Search {
	return Search{Name: counterName, Serve: func(file string, i int, in io.Reader, out io.Writer) error {
		return new(counter).program().Serve(file, i, in, out)
	}}
}

func counterStage(t *testing.T, c *counter, o Options) *Stage {
	t.Helper()
	s, err := NewStage(c.program(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An engine that is right is found right, whoever dies, and begins each execution with the same locks.
func TestStage_HoldsWithDeathsAtAnyTime(t *testing.T) {
	for kills := range 3 {
		s := counterStage(t, new(counter), Options{})
		rep, err := explore.Explore(s.Program(), all(kills))
		if err != nil || rep.Failure != nil || !rep.Exhaustive || (rep.Killed > 0) != (kills > 0) {
			t.Errorf("%d deaths: %v, %v, %s", kills, err, rep.Failure, rep.Bound)
		}
	}
	s := counterStage(t, new(counter), Options{})
	putBack(t, s.ground, s.Program())
}

// The canaries: an engine that loses an addition, a call that fails, and locks that nobody holds.
func TestStage_FindsWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		engine *counter
		system func(System) region.System
		want   error
	}{
		"a lost addition": {&counter{torn: true}, nil, errCounted},
		"a failed call":   {&counter{fails: true}, nil, ErrFailed},
		"loose locks":     {&counter{}, func(s System) region.System { return loose{s} }, ErrEntries},
	} {
		s := counterStage(t, c.engine, Options{System: c.system})
		rep, err := explore.Explore(s.Program(), all(1))
		if err != nil || rep.Failure == nil || !errors.Is(rep.Failure.Err, c.want) {
			t.Errorf("%s: %v, %v; want %v", name, err, rep.Failure, c.want)
		}
	}
}

// What the counter does in the explorer its real processes do, too; and another engine differs.
func TestStage_RealProcessesDoTheSame(t *testing.T) {
	s := counterStage(t, new(counter), Options{})
	tokens, p := map[int]string{}, s.Program()
	finish := p.Finish
	p.Finish = func(x *explore.Execution) error {
		dead := 0
		for i := range 2 {
			dead += int(one(s.Gone(i)))
		}
		tokens[dead] = x.Token()
		return finish(x)
	}
	if rep, err := explore.Explore(p, all(1)); err != nil || rep.Failure != nil {
		t.Fatal(err, rep.Failure)
	}
	for dead, token := range tokens {
		file := filepath.Join(t.TempDir(), "region")
		done, err := s.Real(token, file, processtest.Command(t, counterName, file))
		if err != nil || done.Deaths != dead || done.Words == 0 {
			t.Errorf("%d deaths: %+v, %v", dead, done, err)
		}
	}
	torn := counterStage(t, &counter{torn: true}, Options{})
	program, token := torn.Program(), ""
	program.Finish = func(x *explore.Execution) error { token = x.Token(); return nil }
	if _, err := explore.Explore(program, explore.Options{MaxExecutions: 1}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "region")
	_, err := torn.Real(token, file, processtest.Command(t, counterName, file))
	if !errors.Is(err, ErrDiffers) {
		t.Errorf("an engine that does something else: %v; want %v", err, ErrDiffers)
	}
	if _, err := torn.Real(token, file+"2", func(int) *exec.Cmd { return exec.Command("/") }); err == nil {
		t.Error("processes that cannot be started do the same")
	}
}
