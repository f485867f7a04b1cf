package driver

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// onePlace is a map of one key. A value of zero means absent.
type onePlace struct {
	mu     sync.Mutex
	value  atomic.Uint32
	locked bool
}

// Do looks and then writes; only a lock makes that one step.
func (m *onePlace) Do(c Call) Answer {
	if m.locked {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	v := m.value.Load()
	a, after := cell{v != 0, v}.step(c)
	if after.value != v {
		m.value.Store(after.value)
	}
	return a
}

func suiteOf(locked bool) Target {
	return Target{
		New: func() Map { return &onePlace{locked: locked} },
		Suites: []Suite{
			Single(Program{Name: "add", Actors: [][]Call{
				{With(LoadOrStore, 1, 11)}, {With(LoadOrStore, 1, 21)}}}),
			{Name: "pairs", Programs: Pairs("pairs", map[uint32]uint32{1: 5},
				[]Call{With(LoadOrStore, 1, 0), OnKey(LoadAndDelete, 1)}, 1), Unbounded: true},
		},
	}
}

func runOf(t Target) run { return run{t: t, name: "here", bound: 2, notice: io.Discard} }

// TestFound is the canary: the map without its lock fails, and the token shows the failure again.
func TestFound(t *testing.T) {
	r := runOf(suiteOf(false))
	report, err := r.explore()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Results {
		if s.Status != Found || s.Kind != string(explore.Verdict) || s.Token == "" {
			t.Fatalf("%s is %s, kind %q, token %q", s.Name, s.Status, s.Kind, s.Token)
		}
		again, err := r.replay(s.Token)
		if err != nil {
			t.Fatal(err)
		}
		got := again.Results[0]
		if got.Status != Found || got.History != s.History || got.Table != s.Table {
			t.Errorf("replay of %s is %s:\n%s%s", s.Name, got.Status, got.History, got.Table)
		}
	}
	// One preemption, between the look and the write, is needed and enough.
	if s := report.Results[0]; s.Preemptions != 1 || !strings.Contains(s.History, "11 stored") ||
		!strings.Contains(s.History, "21 stored") {
		t.Errorf("%d preemptions and the history\n%s", s.Preemptions, s.History)
	}
}

// TestClean: the same map with its lock.
func TestClean(t *testing.T) {
	report, err := runOf(suiteOf(true)).explore()
	if err != nil {
		t.Fatal(err)
	}
	for i, programs := range []int{1, 3} { // 2 bodies of one call make 3 pairs
		s := report.Results[i]
		if s.Status != Clean || !s.Exhaustive || s.Programs != programs || s.Schedules == 0 {
			t.Errorf("%+v", s)
		}
	}
	if s := report.Results[1]; s.Complete != 3 {
		t.Errorf("all interleavings of %d programs, want 3", s.Complete)
	}
}

// TestReplayOfCorrected: a schedule that failed is clean, or no schedule any more, once the map has
// been corrected. It is never found.
func TestReplayOfCorrected(t *testing.T) {
	report, err := runOf(suiteOf(false)).explore()
	if err != nil {
		t.Fatal(err)
	}
	again, err := runOf(suiteOf(true)).replay(report.Results[0].Token)
	if err != nil {
		t.Fatal(err)
	}
	if s := again.Results[0]; s.Status == Found {
		t.Errorf("found %s", s.Message)
	}
}

// chance is a map that behaves otherwise each time it is made.
type chance struct {
	word  atomic.Uint32
	loads int
}

func (m *chance) Do(Call) Answer {
	for range m.loads {
		m.word.Load()
	}
	return Answer{}
}

// TestNondeterminism: a map that depends on chance is unknown, not clean.
func TestNondeterminism(t *testing.T) {
	made := 0
	target := Target{
		New: func() Map { made++; return &chance{loads: 1 + made%3} },
		Suites: []Suite{Single(Program{Name: "get", Actors: [][]Call{
			{OnKey(Load, 1)}, {OnKey(Load, 1)}}})},
	}
	report, err := runOf(target).explore()
	if err != nil {
		t.Fatal(err)
	}
	if s := report.Results[0]; s.Status != Unknown {
		t.Errorf("%+v", s)
	}
}

// TestPairs: each unordered pair of bodies once, each write with a value of its own.
func TestPairs(t *testing.T) {
	calls := []Call{With(LoadOrStore, 1, 0), OnKey(Load, 1), Change(1, 5, 0)}
	programs := Pairs("p", nil, calls, 2)
	if len(programs) != 45 { // 9 bodies, 9*10/2 pairs
		t.Fatalf("%d programs, want 45", len(programs))
	}
	seen := map[string]bool{}
	for _, p := range programs {
		text := p.text(nil)
		if seen[text] {
			t.Errorf("twice: %s", text)
		}
		seen[text] = true
		values := map[uint32]bool{}
		for _, body := range p.Actors {
			for _, c := range body {
				if c.Kind.hasValue() && (values[c.Value] || c.Value == 0) {
					t.Errorf("value %d of %s is not its own", c.Value, text)
				}
				values[c.Value] = true
			}
		}
	}
	if !seen["{} LoadOrStore(1, 11) Load(1) || CompareAndSwap(1, 5, 21) LoadOrStore(1, 22)"] {
		t.Error("a pair is missing")
	}
}

// TestCheck: programs that cannot be run are refused before anything is explored.
func TestCheck(t *testing.T) {
	get := [][]Call{{OnKey(Load, 1)}}
	target := func(suites ...Suite) Target {
		return Target{New: func() Map { return &onePlace{} }, Suites: suites}
	}
	for name, bad := range map[string]Target{
		"no suite":     target(),
		"no map":       {Suites: []Suite{Single(Program{Name: "a", Actors: get})}},
		"empty suite":  target(Suite{Name: "none"}),
		"no name":      target(Single(Program{Actors: get})),
		"no actor":     target(Single(Program{Name: "a"})),
		"unknown kind": target(Single(Program{Name: "a", Actors: [][]Call{{{Kind: 99}}}})),
		"name twice": target(Single(Program{Name: "a", Actors: get}),
			Single(Program{Name: "a", Actors: get})),
		"too many actors": target(Single(Program{Name: "a", Actors: make([][]Call, maxActors+1)})),
		"too many calls": target(Single(Program{Name: "a",
			Actors: [][]Call{slices.Repeat(get[0], maxOps+1)}})),
	} {
		if _, err := runOf(bad).explore(); !errors.Is(err, ErrProgram) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := runOf(suiteOf(true)).replay("nonsense"); !errors.Is(err, explore.ErrToken) {
		t.Errorf("nonsense is replayed: %v", err)
	}
}

// liar is a map whose first answer alone, of all executions, is wrong.
type liar struct {
	word atomic.Uint32
	lies *int
}

func (l *liar) Do(Call) Answer {
	l.word.Load()
	*l.lies++
	return Answer{OK: *l.lies == 1}
}

// TestOnce: a failure that its second run does not show is of the program, not of the map.
func TestOnce(t *testing.T) {
	lies := 0
	r := runOf(Target{New: func() Map { return &liar{lies: &lies} }, Suites: []Suite{
		Single(Program{Name: "one", Actors: [][]Call{{OnKey(LoadAndDelete, 1)}}})}})
	report, err := r.explore()
	if err != nil {
		t.Fatal(err)
	}
	if s := report.Results[0]; s.Status != Unknown || s.Kind != string(explore.Nondeterminism) || lies < 2 {
		t.Errorf("%s, %s after %d calls: %s", s.Status, s.Kind, lies, s.Message)
	}
}
