package basket

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// An actor that has not ended has one step of its own, of the action that it stands before, and a mortal one
// may die besides; in each state of each program.
func TestSteps_AreOfTheNextAction(t *testing.T) {
	for _, p := range Programs() {
		m, err := As(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		search.Explore(t.Context(), m, search.Options[*Machine, State, Move]{Visit: func(s *State) {
			for a := 1; a <= m.clients(); a++ {
				steps := m.Steps(s, a, nil)
				if len(steps) == 0 != m.ended(s, a-1) {
					t.Errorf("%s: actor %d before %v has %d steps", p.Name, a, s.Loc[a-1].PC, len(steps))
				}
				for i, x := range steps {
					own := x.Action.Action == s.Loc[a-1].PC && i == 0
					if x.Actor != a || int(x.Action.Actor) != a || !own && x.Action.Action != die || i > 1 {
						t.Errorf("%s: actor %d before %v takes %v of actor %d", p.Name, a, s.Loc[a-1].PC,
							x.Action, x.Actor)
					}
				}
			}
		}})
	}
}

// Constants that a machine has no room for are refused by name.
func TestNew_Refuses(t *testing.T) {
	good := Config{Name: "x", Program: c10, Fair: []int{2}}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(c *Config){
		"no program": func(c *Config) { c.Program = "C99" },
		"Fair has 3": func(c *Config) { c.Fair = []int{1, 3} },
		"no rule":    func(c *Config) { c.Without = []string{"doubt"} },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	some := heads(free, free, free)
	for _, p := range []Program{
		empty("actors", c01, []uint8{1}, some, make([][]Op, MaxActors+1)...),
		empty("keys", c01, []uint8{1, 1, 1}, some),
		empty("baskets", c01, []uint8{1}, append(some, free, free)),
		empty("hashes", c01, []uint8{2}, some),
		empty("records", c01, []uint8{1}, some).having(none),
	} {
		if _, err := Of(p); err == nil || !strings.Contains(err.Error(), p.Name) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// Each complete run is that of the program of its name, checks all properties, and asks that who goes on
// ends.
func TestRunsCheckEverything(t *testing.T) {
	for _, r := range spec.Manifest(t) {
		if r.Kind != tlc.Safety || len(r.Config.Without) > 0 {
			continue
		}
		if r.Name != r.Config.Program || r.Live == "" {
			t.Errorf("%s: program %s; %q must come about", r.Name, r.Config.Program, r.Live)
		}
		checks := map[string]bool{}
		for _, p := range r.Properties {
			checks[p.Name] = true
		}
		for _, p := range Properties() {
			if !checks[p.Name] {
				t.Errorf("%s does not check %s", r.Name, p.Name)
			}
		}
	}
}
