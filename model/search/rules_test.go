package search

import (
	"slices"
	"strings"
	"testing"
)

// TestRules: bit i is that of the i-th rule, and what is no rule is named.
func TestRules(t *testing.T) {
	r := Rules{"serial", "swap", "wake"}
	if set, err := r.Lacking("slots", "A", []string{"wake", "serial"}); set != 0b101 || err != nil {
		t.Errorf("%b, %v", set, err)
	}
	_, err := r.Lacking("slots", "A", []string{"sleep"})
	if want := "slots: A: no rule is called sleep: choose some of [serial swap wake]"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestConfig: the constant that is wrong is named, and the rules are those that the run is without.
func TestConfig(t *testing.T) {
	r := Rules{"serial", "swap"}
	for want, c := range map[string]Config{
		"":                                    {Fair: []int{1, 3}, Without: []string{"swap"}},
		"slots: A: Fair has 0: choose 1 to 3": {Name: "A", Fair: []int{0}},
		"slots: A: Fair has 4: choose 1 to 3": {Name: "A", Fair: []int{3, 4}},
		"slots: A: no rule is called wake: choose some of [serial swap]": {Name: "A",
			Without: []string{"wake"}},
	} {
		without, err := c.Check("slots", 3, r)
		if want == "" && (err != nil || without != 0b10) ||
			want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%b, %v, want %q", without, err, want)
		}
	}
	want := `slots: A: no program is called "B": choose one of Programs`
	if err := (Config{Name: "A", Program: "B"}).NoProgram("slots"); err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestBroken: a property of states is asked of the state behind the step, and the first that does not hold is
// named.
func TestBroken(t *testing.T) {
	list := []Property[int, int]{
		{Name: "Small", State: func(most int, s *int) bool { return *s <= most }},
		{Name: "Upward", Step: func(_ int, prev, next *int) bool { return *next >= *prev }},
	}
	for _, c := range []struct {
		prev, next int
		name       string
	}{{1, 2, ""}, {9, 2, "Upward"}, {1, 4, "Small"}, {9, 4, "Small"}} {
		if name := Broken(list, 3, &c.prev, &c.next); name != c.name {
			t.Errorf("%+v: %q", c, name)
		}
	}
}

func TestWitnessesOf(t *testing.T) {
	list := []Property[int, int]{{Name: "NoB01Race"}, {Name: "NoB02Race"}, {Name: "NoB01Race_Two"}}
	var names []string
	for _, w := range WitnessesOf("B01Race", list) {
		names = append(names, w.Name)
	}
	if !slices.Equal(names, []string{"NoB01Race", "NoB01Race_Two"}) {
		t.Errorf("%v", names)
	}
}

// walk goes from 0 to a number.
type walk int

type going struct{}

func (going) String() string { return "Go" }

func (walk) Initial() int         { return 0 }
func (walk) Actors() int          { return 1 }
func (w walk) AtRest(s *int) bool { return *s == int(w) }
func (w walk) Steps(s *int, _ int, list []Step[int, going]) []Step[int, going] {
	if *s == int(w) {
		return list
	}
	return append(list, Step[int, going]{Actor: 1, Next: *s + 1})
}

// TestByState: the programs of a state are one task, in which the witnesses of that state are violated.
func TestByState(t *testing.T) {
	program := func(name, state string, to walk) Program[walk, int, going] {
		return Program[walk, int, going]{Name: name, State: state,
			Make: func() (walk, error) { return to, nil }}
	}
	never := func(name string, seen int) Property[walk, int] {
		return Property[walk, int]{Name: name, State: func(_ walk, s *int) bool { return *s != seen }}
	}
	witnesses := []Property[walk, int]{never("NoB02Far", 5), never("NoB01Near", 1)}
	tasks := ByState([]Program[walk, int, going]{program("Far", "B02Far", 5), program("Near", "B01Near", 1),
		program("Far_Not", "B02Far", 2)},
		func(state string) Programs[walk, int, going] {
			return Programs[walk, int, going]{Witnesses: WitnessesOf(state, witnesses)}
		})
	if len(tasks) != 2 || tasks[0].State != "B02Far" || tasks[1].Name != "B01Near" {
		t.Fatalf("%+v", tasks)
	}
	for i, counts := range []int{2, 1} {
		if found := tasks[i].Run(t.Context()); found.Violation != "" || len(found.Counts) != counts {
			t.Errorf("%+v", found)
		}
	}
	witnesses[0] = never("NoB02Far", 6)
	tasks = ByState([]Program[walk, int, going]{program("Far", "B02Far", 5)},
		func(state string) Programs[walk, int, going] {
			return Programs[walk, int, going]{Witnesses: WitnessesOf(state, witnesses)}
		})
	if found := tasks[0].Run(t.Context()); !strings.Contains(found.Violation, "NoB02Far") {
		t.Errorf("a race that does not happen: %+v", found)
	}
}

// TestTake: a step is found by its action, and an actor that cannot take it has none.
func TestTake(t *testing.T) {
	always, never := func(going) bool { return true }, func(going) bool { return false }
	for at, want := range []int{1, 2} {
		if next, ok := Take(walk(2), &at, 1, always); next != want || !ok {
			t.Errorf("from %d: %d, %v", at, next, ok)
		}
		if next, ok := Take(walk(2), &at, 1, never); next != 0 || ok {
			t.Errorf("another action, from %d: %d, %v", at, next, ok)
		}
	}
	at := 2
	if _, ok := Take(walk(2), &at, 1, always); ok {
		t.Error("who has ended takes a step")
	}
}
