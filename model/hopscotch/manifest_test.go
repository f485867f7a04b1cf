package model

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

var (
	reScenario   = regexp.MustCompile(`Scenario = "(\w+)"`)
	reCrashes    = regexp.MustCompile(`MaxCrashes = (\d)`)
	reProperties = regexp.MustCompile(`(?s)\n(INVARIANT|PROPERT).*`)
	reProperty   = regexp.MustCompile(`\w+`)
	reFixOff     = regexp.MustCompile(`(Fix\w+) = FALSE`)
	reWrap       = regexp.MustCompile(`(?m)^  Wrap(\w+) = (\d+)$`)
)

// modelled is the root module whose steps the model makes. MCAnnounce has steps of its own.
const modelled = "MCHopscotch"

// configOf reads the machine of a run's TLC configuration.
func configOf(t *testing.T, e tlc.Entry) Config {
	t.Helper()
	text := e.Configuration()
	name := reScenario.FindStringSubmatch(text)
	crashes := reCrashes.FindStringSubmatch(text)
	if name == nil || crashes == nil {
		t.Fatalf("%s names no program or no crashes", e.Name)
	}
	p, ok := ProgramByName(name[1])
	if !ok {
		t.Fatalf("%s: the model has no program %s", e.Name, name[1])
	}
	c := p.Config(int(crashes[1][0] - '0'))
	for _, off := range reFixOff.FindAllStringSubmatch(text, -1) {
		f, ok := FixByName(off[1])
		if !ok {
			t.Fatalf("%s: the model has no repair %s", e.Name, off[1])
		}
		c.Fixes &^= f
	}
	wraps := reWrap.FindAllStringSubmatch(text, -1)
	if len(wraps) != 3 {
		t.Fatalf("%s says %d times what wraps, want 3", e.Name, len(wraps))
	}
	circle := map[string]*uint8{"Ref": &c.Wrap.Ref, "Version": &c.Wrap.Version, "Member": &c.Wrap.Member}
	for _, x := range wraps {
		n, err := strconv.ParseUint(x[2], 10, 8)
		if err != nil || circle[x[1]] == nil {
			t.Fatalf("%s: Wrap%s = %s: %v", e.Name, x[1], x[2], err)
		}
		*circle[x[1]] = uint8(n)
	}
	// A run of liveness names a property that is not one of states or steps: then all are checked.
	for _, name := range reProperty.FindAllString(reProperties.FindString(text), -1) {
		if slices.Contains(InvariantNames(), name) || slices.Contains(stepProperties[:], name) {
			c.Properties = append(c.Properties, name)
		}
	}
	return c
}

// The counts of the manifest's complete runs, which TLC has confirmed, are the model's. A large run
// may have no count: nobody has waited for it yet.
func TestSameCountsAsManifest(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatalf("the manifest of the specification: %v", err)
	}
	complete, twoDeaths := map[string]bool{}, 0 // programs with such a run, and runs with two deaths
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Kind != tlc.Safety && e.Kind != tlc.LiveRun {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			c := configOf(t, e)
			if c.MaxCrashes < ProgramCrashes || c.Fixes != AllFixes {
				t.Fatalf("a complete run has %d deaths or more, and all repairs", ProgramCrashes)
			}
			twoDeaths += c.MaxCrashes - ProgramCrashes
			complete[c.Name] = complete[c.Name] || c.Wrap == Wrap{} && c.MaxCrashes == ProgramCrashes
			r := searchedReport(t, searched{wrapped{c.Name, c.Wrap}, c.MaxCrashes})
			if !r.OK() {
				t.Errorf("%s: %s %s\n%v", r.Bound, r.SoloFails, r.Endless, r.Violation)
			}
			if e.Large && e.Distinct == 0 {
				t.Logf("the model has %d states, depth %d", r.Distinct, r.Depth)
				t.Skip("NOT RUN: a large program of which the manifest has no count of TLC")
			}
			if r.Distinct != e.Distinct || e.Depth != 0 && r.Depth != e.Depth {
				t.Errorf("the model has %d states, depth %d; TLC %d, %d",
					r.Distinct, r.Depth, e.Distinct, e.Depth)
			}
		})
	}
	for _, p := range slices.Concat(Programs(), ThreeActors()) {
		if !complete[p.Name] {
			t.Errorf("the manifest has no complete run of %s", p.Name)
		}
	}
	if twoDeaths < 4 {
		t.Errorf("%d runs have two deaths, want 4", twoDeaths)
	}
}

// lacking are the properties of the specification that a run of a program, with its steps and no other, does
// not check. A restore is checked where there is one.
func lacking(c Config) (list []string) {
	restores := slices.ContainsFunc(c.Program, func(ops []Op) bool {
		return slices.ContainsFunc(ops, func(x Op) bool { return x.Op == OpRestore })
	})
	for _, p := range slices.Concat(InvariantNames(), stepProperties[:]) {
		if !slices.Contains(c.Properties, p) && (p != P9RestoreFinishes || restores) {
			list = append(list, p)
		}
	}
	return list
}

// fairness says, in runs of liveness, that their fairness is that of each actor.
var fairness = []string{"CanStep", "MovesAlone", "EverybodyFinishes"}

// Each complete run checks every property: none has been taken out of its configuration.
func TestRunsCheckEverything(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Expect != tlc.OK {
			continue
		}
		text := e.Configuration()
		if strings.Contains(text, "CHECK_DEADLOCK") {
			t.Errorf("%s does not check that somebody can go on", e.Name)
		}
		text = reProperties.FindString(text)
		if list := lacking(configOf(t, e)); e.Kind == tlc.Safety && len(list) > 0 {
			t.Errorf("%s does not check %v", e.Name, list)
		}
		for _, p := range fairness {
			if e.Is(tlc.LiveRun) && !slices.Contains(reProperty.FindAllString(text, -1), p) {
				t.Errorf("%s, of liveness, does not check %s", e.Name, p)
			}
		}
	}
	c := configOf(t, samestates.RunOf(t, specDir, "S01AddEmpty"))
	c.Properties = c.Properties[1:]
	if list := lacking(c); !slices.Equal(list, []string{"TypeOK"}) {
		t.Errorf("without TypeOK: %v", list)
	}
}

// reRunOf is what a run's name has behind that of its program.
var reRunOf = regexp.MustCompile(`(Witness|Live|_Wrap|_Deaths)$`)

// marksOf are those that the witness of a state waits for: in S04 the loser of the claim has then displaced
// the winner.
func marksOf(state string) []string {
	if state == "S04AddCollisionEmpty" {
		return []string{state, "S02AddCollision"}
	}
	return []string{state}
}

// depthOf is the depth, as TLC counts, of the first step that is looked for; 0 if there is none.
func depthOf(m *Machine, found func(prev, next *State) bool) int {
	level, seen := []State{m.Initial()}, map[State]bool{}
	var next []Successor
	for depth := 2; len(level) > 0; depth++ {
		var behind []State
		for i := range level {
			for t := 1; t <= m.actors; t++ {
				next = m.Step(&level[i], t, next[:0])
				for j := range next {
					s := &next[j].Next
					if found(&level[i], s) {
						return depth
					}
					if !seen[*s] {
						seen[*s] = true
						behind = append(behind, *s)
					}
				}
			}
		}
		level = behind
	}
	return 0
}

// Each witness is of the program and of the race that its name says, and the race is first possible in the
// model where it is in the specification. Each other run, too, is of the program of its name.
func TestWitnessesAsTLC(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Kind == tlc.MustFail {
			continue
		}
		c := configOf(t, e)
		if name := reRunOf.ReplaceAllString(e.Name, ""); name != c.Name {
			t.Errorf("%s is a run of %s, want %s", e.Name, c.Name, name)
		}
		if e.Kind != tlc.Witness {
			continue
		}
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		claim, found := "No"+e.State, func(prev, next *State) bool {
			missing := func(mark string) bool { return !slices.Contains(next.Marks(), mark) }
			return prev.marks != next.marks && !slices.ContainsFunc(marksOf(e.State), missing)
		}
		if strings.HasSuffix(c.Name, "_Three") {
			claim, found = "NoThree", func(prev, next *State) bool { return m.threeMeet(e.State, prev, next) }
		}
		if e.Property != claim {
			t.Errorf("%s claims %s, want %s", e.Name, e.Property, claim)
		}
		if e.Large && testing.Short() {
			continue
		}
		if depth := depthOf(m, found); depth != e.Depth {
			t.Errorf("%s: the model has the race in depth %d, TLC in %d", e.Name, depth, e.Depth)
		}
	}
}

// Each repair is needed: without it the model, too, violates what the manifest names.
func TestWithoutRepair(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatalf("the manifest of the specification: %v", err)
	}
	off := Fix(0)
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Kind != tlc.MustFail {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			c := configOf(t, e)
			off |= AllFixes &^ c.Fixes
			m, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			r := Explore(t.Context(), m, Options{})
			if e.Expect == tlc.Liveness {
				if r.Violation != nil || r.SoloFails == "" || r.Endless == "" {
					t.Errorf("want an actor that never ends, got %+v", r)
				}
				t.Log(r.SoloFails)
				return
			}
			if r.Violation == nil {
				t.Fatalf("nothing is violated, want %s", e.Property)
			}
			if names := r.Violation.Names(); !strings.Contains(strings.Join(names, " "), e.Property) {
				t.Errorf("%v is violated, want %s", names, e.Property)
			}
			t.Logf("\n%s", r.Violation)
		})
	}
	if off != AllFixes {
		t.Errorf("the must-fail runs switch off %b, not every repair", off)
	}
}
