package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// answers are what a search is for, and what a reduction must not change.
type answers struct {
	final   map[State]bool  // memory and results when all is done, marks apart
	broken  map[string]bool // the properties of states that some state violates
	endless bool
	stuck   bool // an actor never ends alone
	longest int
	report  Report
}

// ask searches to the end; past violations if that is wanted, which is safe only where what is broken
// leads to no state without meaning. Two sets of final states are comparable if the same
// names stand for equal states: those of the group.
func ask(t *testing.T, c Config, o Options, past bool, group []renaming) answers {
	t.Helper()
	judge, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if past {
		c.Properties = []string{"TypeOK"} // without it some numbers grow for ever
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	a := answers{final: map[State]bool{}, broken: map[string]bool{}}
	n, room := names{group}, State{}
	o.Visit = func(s *State) {
		for _, bad := range judge.Check(s) {
			name, _, _ := strings.Cut(bad, ":")
			a.broken[name] = true
		}
		if m.AllDone(s) {
			plain := *s
			plain.marks = 0
			name, _ := n.of(&plain, &room)
			a.final[*name] = true
		}
	}
	a.report = Explore(context.Background(), m, o)
	if a.report.Refused != nil {
		t.Fatal(a.report.Refused)
	}
	a.endless, a.stuck = a.report.Endless != "", a.report.SoloFails != ""
	a.longest = a.report.Longest
	return a
}

// differs says what a reduced search answers otherwise; "" if nothing.
func (a answers) differs(b answers) string {
	switch {
	case a.report.Exhaustive != b.report.Exhaustive:
		return fmt.Sprintf("%s, but %s", a.report.Bound, b.report.Bound)
	case !a.report.Exhaustive:
		return "" // both have ended at a violation
	case !maps.Equal(a.broken, b.broken):
		return fmt.Sprintf("%v are violated, but %v", a.broken, b.broken)
	case !maps.Equal(a.final, b.final):
		return fmt.Sprintf("%d final states, but %d", len(a.final), len(b.final))
	case a.endless != b.endless || a.stuck != b.stuck || a.longest != b.longest:
		return fmt.Sprintf("longest %d %q %q, but %d %q %q", a.longest, a.report.Endless,
			a.report.SoloFails, b.longest, b.report.Endless, b.report.SoloFails)
	case a.report.Distinct < b.report.Distinct:
		return fmt.Sprintf("%d states, but %d", a.report.Distinct, b.report.Distinct)
	}
	return ""
}

// compareReductions searches without and with each reduction that the machine allows. It returns the
// number of states without, 0 if they are more than the limit, and the number with the strongest.
func compareReductions(t *testing.T, name string, c Config, limit int, past bool) (full, least int64) {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	group, _ := m.symmetries()
	plain, named := ask(t, c, Options{Limit: limit}, past, nil), answers{}
	if !plain.report.Exhaustive && plain.report.Violation == nil {
		return 0, 0
	}
	least = plain.report.Distinct
	for _, red := range Reductions()[1:] {
		if m.Refuses(red) != nil {
			continue
		}
		want, in := plain, []renaming(nil)
		if red&Symmetry != 0 {
			if in = group; named.final == nil {
				named = ask(t, c, Options{}, past, group)
			}
			want = named
		}
		got := ask(t, c, Options{Reduce: red}, past, in)
		if d := want.differs(got); d != "" {
			t.Errorf("%s, %v: %s\n%v on %v, %d deaths, repairs %b", name, red, d, c.Program, c.Memory,
				c.MaxCrashes, c.Fixes)
		}
		least = min(least, got.report.Distinct)
	}
	return plain.report.Distinct, least
}

// All programs that are not too large, with nobody, one and two dying.
func TestReductionsOnPrograms(t *testing.T) {
	compared := 0
	for _, p := range Programs() {
		for crashes := 0; crashes <= min(2, len(p.Ops)); crashes++ {
			full, least := compareReductions(t, p.Name, p.Config(crashes), 6_000, false)
			if full > 0 {
				compared++
			}
			if full > 1000 && least > full/2 {
				t.Errorf("%s, %d deaths: %d states are reduced to %d only", p.Name, crashes, full, least)
			}
		}
	}
	t.Logf("%d compared", compared)
	if compared < 50 {
		t.Errorf("only %d programs are compared, want 50 with 0, 1 and 2 deaths", compared)
	}
}

// Random programs, with every repair and without one of them. Every third has three actors of
// one operation, every fourth twins, so that there is a symmetry.
func TestReductionsOnRandomPrograms(t *testing.T) {
	compared, broken, full, least := 0, 0, int64(0), int64(0)
	for seed := range uint64(500) {
		actors, most := 2, 2
		if seed%3 == 0 {
			actors, most = 3, 1
		}
		p := randomProgram(seed, actors, most)
		if seed%4 == 1 {
			p.Ops = [][]Op{p.Ops[0], slices.Clone(p.Ops[0])}
		}
		c := p.Config(int(seed % 3))
		if seed%2 == 1 {
			// Without FixHelp a crop that meets a descriptor has nowhere to go.
			c.Fixes &^= (1 << (seed / 2 % uint64(len(fixNames)))) &^ FixHelp
			broken++
		}
		n, r := compareReductions(t, fmt.Sprintf("seed %d", seed), c, 5000, false)
		if n > 0 {
			compared++
		}
		full, least = full+n, least+r
	}
	t.Logf("%d compared, %d without a repair; %d states, %d reduced", compared, broken, full, least)
	if compared < 200 {
		t.Errorf("only %d random programs are compared, want 200", compared)
	}
}

// What must fail without a repair fails with each reduction, too, by the same property.
func TestReductionsFindWhatMustFail(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatalf("the manifest of the specification: %v", err)
	}
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Kind != tlc.MustFail {
			continue
		}
		c := configOf(t, e)
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		all := c
		all.Properties = nil
		compareReductions(t, e.Name, all, 40_000, true)
		for _, red := range Reductions()[1:] {
			if m.Refuses(red) != nil {
				continue
			}
			r := Explore(t.Context(), m, Options{Reduce: red})
			if e.Expect == tlc.Liveness {
				if r.Violation != nil || r.SoloFails == "" || r.Endless == "" {
					t.Errorf("%s, %v: want an actor that never ends, got %+v", e.Name, red, r)
				}
				continue
			}
			if r.Violation == nil {
				t.Errorf("%s, %v: nothing is violated, want %s", e.Name, red, e.Property)
				continue
			}
			checkPath(t, m, r.Violation)
			if slices.Contains(r.Violation.Names(), e.Property) {
				continue
			}
			// Another property was met first: states are met in another order.
			named := c
			named.Properties = []string{e.Property}
			only, err := New(named)
			if err != nil {
				t.Fatal(err)
			}
			if r = Explore(t.Context(), only, Options{Reduce: red}); r.Violation == nil {
				t.Errorf("%s, %v: %s is not violated", e.Name, red, e.Property)
			}
		}
	}
}

// checkPath: each step of a counterexample is one of the machine, and the last one violates what
// is said to be violated.
func checkPath(t *testing.T, m *Machine, x *Counterexample) {
	t.Helper()
	bad := []string(nil)
	for i := 1; i < len(x.Steps); i++ {
		prev, st := &x.Steps[i-1].State, &x.Steps[i]
		list := m.Step(prev, st.Actor, nil)
		if y, ok := m.Crash(prev, st.Actor); ok {
			list = append(list, Successor{ClientCrash, y})
		}
		taken := slices.ContainsFunc(list, func(y Successor) bool {
			y.Next.marks = st.State.marks
			return y.Action.String() == st.Action && y.Next == st.State
		})
		if !taken {
			t.Errorf("%s: step %d, %s of actor %d, is none", x.Program, i, st.Action, st.Actor)
		}
		bad = append(bad, m.CheckStep(prev, &st.State, st.Action, st.Actor)...)
		bad = append(bad, m.Check(&st.State)...)
	}
	for _, p := range x.Properties {
		if !slices.Contains(bad, p) {
			t.Errorf("%s: %s is not violated on the path, only %v", x.Program, p, bad)
		}
	}
}

// The canary: with a reduction that takes racing reads for local the comparison fails, and runs that
// must fail pass.
func TestBlindReductionIsNoticed(t *testing.T) {
	noticed := 0
	for _, p := range Programs() {
		if len(p.Ops) < 2 {
			continue
		}
		c := p.Config(1)
		full := ask(t, c, Options{Limit: 6_000}, false, nil)
		if !full.report.Exhaustive {
			continue
		}
		if d := full.differs(ask(t, c, Options{Reduce: PartialOrder, blind: true}, false, nil)); d != "" {
			noticed++
		}
	}
	if noticed < 8 {
		t.Errorf("a blind reduction is noticed on %d programs only", noticed)
	}
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatalf("the manifest of the specification: %v", err)
	}
	missed := 0
	for _, e := range manifest.Entries {
		if e.Module != modelled || e.Kind != tlc.MustFail || e.Expect == tlc.Liveness {
			continue
		}
		m, err := New(configOf(t, e))
		if err != nil {
			t.Fatal(err)
		}
		r := Explore(t.Context(), m, Options{Reduce: PartialOrder, blind: true})
		if r.Violation == nil {
			missed++
		}
	}
	t.Logf("%d programs are answered otherwise, %d runs that must fail pass", noticed, missed)
	if missed == 0 {
		t.Error("a blind reduction finds whatever must fail")
	}
}

// The result of a reduced search does not depend on the number of goroutines, nor on hashes.
func TestReducedSearchIsDeterministic(t *testing.T) {
	m := machineOf(t, "S04AddCollisionEmpty_SameKey", 1)
	for _, red := range Reductions()[1:] {
		var first Report
		for workers := 1; workers <= 3; workers++ {
			r := Explore(context.Background(), m, Options{Workers: workers, Exact: true, Reduce: red})
			r.Elapsed = 0
			if workers == 1 {
				first = r
			} else if fmt.Sprint(r) != fmt.Sprint(first) {
				t.Errorf("%v, %d workers: %+v, one worker: %+v", red, workers, r, first)
			}
		}
	}
}
