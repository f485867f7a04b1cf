//go:build explore

package scenarios

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// failing draws executions of a program under the options until one fails.
func failing(t *testing.T, name string, o Options) *explore.Failure {
	t.Helper()
	p, ok := model.ProgramByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	o.Preemptions, o.Walks, o.Seed = explore.Unbounded, 1000, 1
	rep, err := Explore(p, o)
	if err != nil || rep.Failure == nil {
		t.Fatalf("no failure to make smaller: %v", err)
	}
	return rep.Failure
}

// misplacedClaim damages each claim of an empty cell, if the condition holds.
func misplacedClaim(when func() bool) func(*explore.Step) {
	return func(s *explore.Step) {
		if s.Kind.Access() && strings.HasSuffix(s.Func, ".addClaimEmpty") && when() {
			s.Object += 8
		}
	}
}

func minimised(t *testing.T, token string, o Options) harness.Minimal {
	t.Helper()
	var said []string
	m, err := Engine().Minimise(token, harness.Reduction{Options: o, Say: func(format string, _ ...any) {
		said = append(said, format)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(said) == 0 || len(m.Notes) < 2 {
		t.Errorf("nothing is said of it: %q", m.Notes)
	}
	return m
}

// TestMinimise_Operations: of three operations of two actors, only the one that claims a cell is
// needed. The other key is there before, so its adds claim nothing.
func TestMinimise_Operations(t *testing.T) {
	o := Options{Misplaced: misplacedClaim(func() bool { return true })}
	first := failing(t, "S02AddCollision_LostHole", o)
	m := minimised(t, first.Token, o)
	if m.Program != "S02AddCollision_LostHole-1.1-2.2" || len(m.Failure.Actors) != 1 {
		t.Errorf("left is %s of %v: %q", m.Program, m.Failure.Actors, m.Notes)
	}
	if harness.Verdict(m.Failure) != harness.Verdict(first) || m.Failure.Switches() != 0 {
		t.Errorf("%s with %d switches became %s with %d", harness.Verdict(first), first.Switches(),
			harness.Verdict(m.Failure), m.Failure.Switches())
	}
	_, again, err := Registered(mustProgram(t, m.Program)).Run(m.Failure.Token, o)
	if err != nil || again.Failure == nil || again.Failure.Message != m.Failure.Message {
		t.Errorf("the smaller token does not reproduce it: %v, %v", again.Failure, err)
	}
	if _, err := Engine().Minimise(m.Failure.Token, harness.Reduction{}); !errors.Is(err, harness.ErrPasses) {
		t.Errorf("the engine as it is does not fail, yet: %v", err)
	}
}

// TestMinimise_Switches: a failure that needs both actors keeps both, and one switch.
func TestMinimise_Switches(t *testing.T) {
	begun := false
	o := Options{}
	claim := misplacedClaim(func() bool { return begun })
	o.Misplaced = func(s *explore.Step) {
		begun = s.Index != 0 && begun || s.Actor == 1 && s.Kind == hook.Begin
		if s.Actor == 0 {
			claim(s)
		}
	}
	first := failing(t, "S04AddCollisionEmpty", o)
	m := minimised(t, first.Token, o)
	if m.Program != "S04AddCollisionEmpty" || m.Failure.Preemptions != 0 && m.Failure.Switches() != 1 {
		t.Errorf("left is %s with %d switches: %q\n%s", m.Program, m.Failure.Switches(), m.Notes,
			m.Failure.Table())
	}
	if first.Switches() < 3 {
		t.Errorf("the first failure has %d switches: too few to tell", first.Switches())
	}
}

// TestMinimise_Interrupted: what there is when the time is over is still the failure.
func TestMinimise_Interrupted(t *testing.T) {
	o := Options{Misplaced: misplacedClaim(func() bool { return true })}
	first := failing(t, "S02AddCollision_LostHole", o)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := Engine().Minimise(first.Token, harness.Reduction{Options: o, Context: ctx})
	if err != nil || m.Failure.Message != first.Message ||
		!strings.Contains(strings.Join(m.Notes, " "), "interrupted") {
		t.Errorf("%v: %q", err, m.Notes)
	}
}

// mustRun explores a program that has no failure, to the end. A search that has nothing but bounds is made
// once.
func mustRun(t *testing.T, p model.Program, o Options) Report {
	t.Helper()
	search := func() (Report, error) { return Explore(p, o) }
	if reflect.DeepEqual(o, Options{Preemptions: o.Preemptions, Kills: o.Kills}) {
		search = func() (Report, error) { return once(p, o.Preemptions, o.Kills) }
	}
	rep, err := search()
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%s: %v, %v, %s", p.Name, err, rep.Failure, rep.Bound)
	}
	return rep
}

func mustProgram(t *testing.T, name string) model.Program {
	t.Helper()
	p, err := programNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMinimise_RefusesBadTokens(t *testing.T) {
	for token, says := range map[string]string{
		"": "starts with",
		sealed("sx1~S04AddCollisionEmpty-9.9~k0a0b0p0m1s4~a"): "lacks operations",
		sealed("sx1~Nobody-1.1~k0a0b0p0m1s4~a"):               "no scenario has a program",
	} {
		_, err := Engine().Minimise(token, harness.Reduction{})
		if !errors.Is(err, explore.ErrToken) || !strings.Contains(err.Error(), says) {
			t.Errorf("token %q: want ErrToken with %q, got %v", token, says, err)
		}
	}
}

// TestTell: each step of a failure is told with the words of the region that it read and changed.
func TestTell(t *testing.T) {
	f := failing(t, "S02AddCollision", Options{Misplaced: func(s *explore.Step) {
		if strings.HasSuffix(s.Func, ".helpFlip") {
			s.Object++
		}
	}})
	table := f.Table()
	for _, want := range []string{"=> O key=", " word 0: B key=", "descriptor 1 head: ", " is ",
		"-> ", "search_steps.go:"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	changed := 0
	for i, s := range f.Steps {
		if s.Kind == hook.CompareAndSwap && s.OK && s.Old != s.New {
			if changed++; strings.Count(f.Notes[i], " => ") != 1 {
				t.Errorf("step %d changes one word, told is %q", i, f.Notes[i])
			}
		}
	}
	if changed == 0 {
		t.Error("no step changes anything")
	}
}

// TestPage_OfAHistory: the page of a refused history names the actors in its table and its picture.
func TestPage_OfAHistory(t *testing.T) {
	p := mustProgram(t, "S05AddEmptyGet")
	o := Options{Preemptions: explore.Unbounded}
	_, s, err := setUp(p, o)
	if err != nil {
		t.Fatal(err)
	}
	other := mapmodel.NewJudge(judgeTimeout, map[uint32]uint32{1: 99})
	other.Clients = judgeOf(p).Clients
	s.Judge = other
	r := harness.Prepare(s, o)
	rep, err := explore.Explore(r.Program, r.Options)
	if err != nil || rep.Failure == nil {
		t.Fatal(err, "no failure")
	}
	page := r.Report(rep).Page([]string{"a note"})
	text, err := page.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"actor 1", "a note", "history not linearizable", "srcdoc=",
		"samecycle replay &#39;sx1~"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page.History, "client ") ||
		!bytes.Contains(page.Picture, []byte(`["actor 1"]`)) {
		t.Errorf("clients go by number:\n%s", page.History)
	}
}

// TestExport_Form: the source is a Go test with all that it needs; what it does is a test of the
// command.
func TestExport_Form(t *testing.T) {
	o := Options{Misplaced: misplacedClaim(func() bool { return true })}
	f := failing(t, "S02AddCollision_LostHole", o)
	rep := Report{Report: explore.Report{Program: "S02AddCollision_LostHole", Failure: f}}
	text, err := Engine().Export(rep, "some_test")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", text, parser.ParseComments)
	if err != nil || file.Name.Name != "some_test" {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{"//go:build explore\n", f.Token,
		"func TestFailure_S02AddCollision_LostHole(",
		"{Op: model.OpAdd, K: 5, V: 15}", "{H: 0, K: 1, V: 10, O: 0}"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the test lacks %q:\n%s", want, text)
		}
	}
	rep.Failure = nil
	if _, err := Engine().Export(rep, "some_test"); !errors.Is(err, harness.ErrExport) {
		t.Errorf("a test of what does not fail: %v", err)
	}
}

// TestSource_Geometry: what a program is run on is in its source.
func TestSource_Geometry(t *testing.T) {
	for name, want := range map[string]string{"S03AddFull_Far": "Wide:  true",
		"S01AddEmpty_Near": "Near:  true", "S01AddEmpty": "Wide:  false"} {
		if s, err := source(name); err != nil || !strings.Contains(s.Program, want) {
			t.Errorf("%s lacks %q: %v\n%s", name, want, err, s.Program)
		}
	}
}
