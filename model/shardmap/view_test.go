package shardmap

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// An actor that has not ended has a step, or stands before a load that spins; in each state of each program.
func TestSpins_WhereThereIsNoStep(t *testing.T) {
	spun := map[Action]bool{}
	for _, p := range Programs() {
		m, err := As(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		search.Explore(t.Context(), m, search.Options[*Machine, State, Action]{Visit: func(s *State) {
			for a := 1; a <= m.Actors(); a++ {
				moves := len(m.Steps(s, a, nil)) > 0
				if spins := m.Spins(s, a); moves == (spins || m.Next(s, a) == Over) {
					t.Errorf("%s: actor %d before %v: has a step: %v, spins: %v", p.Name, a, m.Next(s, a),
						moves, spins)
				} else if spins {
					spun[m.Next(s, a)] = true
				}
			}
		}})
	}
	for _, action := range []Action{ReadWait, WriteWait, WriteDrain, CleanupWait} {
		if !spun[action] {
			t.Errorf("nobody spins before %v in any program", action)
		}
	}
}

// Steps of an actor are of the action that it stands before, and have that actor.
func TestSteps_AreOfTheNextAction(t *testing.T) {
	m, err := As(m08)
	if err != nil {
		t.Fatal(err)
	}
	several := false
	search.Explore(t.Context(), m, search.Options[*Machine, State, Action]{Visit: func(s *State) {
		for a := 1; a <= m.Actors(); a++ {
			steps := m.Steps(s, a, nil)
			several = several || len(steps) > 1
			for _, x := range steps {
				if x.Actor != a || x.Action != m.Next(s, a) {
					t.Errorf("actor %d before %v takes %v of actor %d", a, m.Next(s, a), x.Action, x.Actor)
				}
				if len(steps) > 1 && len(steps) != len(m.Collected(s, a)) {
					t.Errorf("%d steps, %d keys to erase", len(steps), len(m.Collected(s, a)))
				}
			}
		}
	}})
	if !several {
		t.Error("no erase takes one of several keys")
	}
}

// take is the step of an actor in a program, which must have one.
func take(t *testing.T, m *Machine, s *State, actor int, want Action) {
	t.Helper()
	steps := m.Steps(s, actor, nil)
	if len(steps) != 1 || steps[0].Action != want {
		t.Fatalf("actor %d: %d steps, want one, %v: %v", actor, len(steps), want, m.Next(s, actor))
	}
	*s = steps[0].Next
}

// What the code is compared with is what the actions say: a put, and a reader that has met it.
func TestView(t *testing.T) {
	m, err := As(m01)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Initial()
	if _, _, ok := m.Running(&s, 2); ok || m.Next(&s, 2) != ClientCall {
		t.Errorf("actor 2 has called ahead of its call, or stands before %v", m.Next(&s, 2))
	}
	take(t, m, &s, 2, ClientCall)
	take(t, m, &s, 2, WriteClaim)
	take(t, m, &s, 1, ClientCall)
	take(t, m, &s, 1, ReadEnter)
	if writer, readers := m.Word(&s, 1); !writer || readers != 1 {
		t.Errorf("the word says writer %v, %d readers", writer, readers)
	}
	if !m.Spins(&s, 2) {
		t.Error("a writer drains past a reader")
	}
	take(t, m, &s, 1, ReadRetreat)
	if o, shard, ok := m.Running(&s, 1); !ok || o.Kind != Get || shard != 1 || !m.Spins(&s, 1) {
		t.Errorf("actor 1 runs %v at shard %d: %v", o.Kind, shard, ok)
	}
	take(t, m, &s, 2, WriteDrain)
	take(t, m, &s, 2, ShardChange)
	if got, want := m.Contents(&s, 1), []Item{{1, Entry{11, fresh, 2}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the shard has %v, want %v", got, want)
	}
	take(t, m, &s, 2, WriteLeave)
	take(t, m, &s, 2, ClientReturn)
	for _, action := range []Action{ReadWait, ReadEnter, ShardLook, ReadLeave, ClientReturn} {
		take(t, m, &s, 1, action)
	}
	if got := m.Answers(&s, 1); !reflect.DeepEqual(got, []Answer{{N: 11}}) {
		t.Errorf("the get answers %v", got)
	}
}

// Constants that a machine has no room for are refused by name.
func TestNew_Refuses(t *testing.T) {
	good := Config{Name: "x", Program: m10, Check: CheckVersion, Radix: Radix, Turn: Turn}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(c *Config){
		"no program": func(c *Config) { c.Program = "M99" },
		"Check":      func(c *Config) { c.Check = "hope" },
		"Radix":      func(c *Config) { c.Radix = 1 },
		"Turn":       func(c *Config) { c.Turn = 3 },
		"no rule":    func(c *Config) { c.Without = []string{"doubt"} },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, p := range []Program{
		{Name: "actors", Calls: make([][]Op, MaxActors+1)},
		{Name: "calls", Calls: [][]Op{make([]Op, MaxCalls+1)}},
		{Name: "entries", Homes: []uint8{1}},
		{Name: "sizes", Shards: 3, Calls: [][]Op{{{Kind: Size}}}},
	} {
		if err := p.check(); err == nil || !strings.Contains(err.Error(), p.Name) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// Each complete run is that of the program of its name, checks all properties, and asks that everybody ends.
// The atomic map has no callbacks that call it.
func TestRunsCheckEverything(t *testing.T) {
	for _, r := range spec.Manifest(t) {
		if r.Kind != tlc.Safety {
			continue
		}
		if !strings.HasPrefix(r.Name, r.Config.Program) || len(r.Config.Without) != 0 ||
			r.Live != EverybodyEnds {
			t.Errorf("%s: program %s without %v; %q must come about", r.Name, r.Config.Program,
				r.Config.Without, r.Live)
		}
		var checks []string
		for _, p := range r.Properties {
			checks = append(checks, p.Name)
		}
		for _, p := range Properties() {
			if !slices.Contains(checks, p.Name) && (p.Name != "CacheRefined" || r.State != m14) {
				t.Errorf("%s does not check %s", r.Name, p.Name)
			}
		}
	}
}
