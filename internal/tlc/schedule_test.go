package tlc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestElementsOf(t *testing.T) {
	const state = `/\ other = <<0>>
/\ loc = << [ a |-> (1 :> {2, 3} @@ 4 :> <<5, 6>>),
       pc |-> "x" ],
   [a |-> <<>>, pc |-> "y"],
   <<"z">> >>
/\ last = <<7, 8>>`
	got, err := elementsOf(state, "loc")
	want := []string{`[a|->(1:>{2,3}@@4:><<5,6>>),pc|->"x"]`, `[a|-><<>>,pc|->"y"]`, `<<"z">>`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the elements are %q, %v; want %q", got, err, want)
	}
	got, err = elementsOf("/\\ loc = <<1, 2>>", "loc")
	if err != nil || !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("the elements of the last variable are %q, %v", got, err)
	}
	for _, text := range []string{"/\\ oc = <<1>>", "/\\ loc = 5", "/\\ loc = <<1, 2", ""} {
		if got, err := elementsOf(text, "loc"); err == nil {
			t.Errorf("%q has elements %q", text, got)
		}
	}
}

func TestLoadSchedules_Refuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":       {`{`, "unexpected EOF"},
		"unknown field": {`{"local": "loc", "move": {}}`, "move"},
		"no variable":   {`{"moves": {}}`, "name the variable"},
		"an expression": {`{"local": "loc[1]", "moves": {}}`, "name the variable"},
		"no digits":     {`{"local": "loc", "moves": {"race": "12a"}}`, "spec --schedules race"},
		"no steps":      {`{"local": "loc", "moves": {"race": ""}}`, "not a digit for each step"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, SchedulesName), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadSchedules(dir)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v, want one that says %q and names the file", err, c.says)
			}
			if !strings.Contains(name, "JSON") && !errors.Is(err, ErrManifest) {
				t.Errorf("%v is not ErrManifest", err)
			}
		})
	}
	if s, err := LoadSchedules(t.TempDir()); err != nil || s.Local != "" || len(s.Moves) != 0 {
		t.Errorf("a folder without schedules has %+v, %v", s, err)
	}
}

// raceEntry is a run that must fail, with what is recorded of it.
const raceEntry = `{"name": "race", "state": "S01AddEmpty", "module": "Race", "config": "Race.cfg",
	"kind": "must-fail", "expect": "invariant", "property": "BothCount", "depth": 5}`

// liveEntry is a run in which the race is over, and what is to happen never does.
const liveEntry = `{"name": "race", "state": "S01AddEmpty", "module": "Race", "config": "RaceFair.cfg",
	"kind": "must-fail", "expect": "liveness", "property": "Ends"}`

// runRace runs the race once for each schedule, "" for none, in a folder where a text of its module is
// replaced, and where the violation is in a depth.
func runRace(t *testing.T, old, text string, depth int, moves ...string) (verdicts []Verdict) {
	t.Helper()
	return runEntry(t, strings.Replace(raceEntry, `"depth": 5`, fmt.Sprintf(`"depth": %d`, depth), 1),
		old, text, moves...)
}

func runEntry(t *testing.T, entry, old, text string, moves ...string) (verdicts []Verdict) {
	t.Helper()
	tool := needTLC(t)
	var entries []string
	s := Schedules{Local: "loc", Moves: map[string]string{}}
	for i, m := range moves {
		name := fmt.Sprintf("race%d", i)
		entries = append(entries, strings.Replace(entry, "race", name, 1))
		if m != "" {
			s.Moves[name] = m
		}
	}
	dir := copySpec(t, "["+strings.Join(entries, ",")+"]")
	replaceIn(t, filepath.Join(dir, "Race.tla"), old, text)
	if err := s.Save(dir); err != nil {
		t.Fatal(err)
	}
	m, err := LoadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tool.RunEntries(t.Context(), m.Entries, RunOptions{})
}

func replaceIn(t *testing.T, file, old, text string) {
	t.Helper()
	was, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(was), old) {
		t.Fatalf("%s has no %q", file, old)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(strings.ReplaceAll(string(was), old, text)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What a run that searches everything finds is found again by its schedule, in as many states as it has.
// A schedule that leads nowhere costs time, and changes no verdict.
func TestSchedules_LeadToTheViolation(t *testing.T) {
	verdicts := runRace(t, "Spec", "Spec", 5, "", "1212", "1122", "121", "3333")
	whole, by := verdicts[0], verdicts[1]
	if !whole.Pass() || whole.Result.Scheduled || whole.Result.Outdated {
		t.Fatalf("without a schedule: %+v", whole)
	}
	moves, err := movesOf(whole.Result.Trace, "loc")
	if err != nil || len(moves) != 4 || strings.Count(moves, "1") != 2 || strings.Count(moves, "2") != 2 {
		t.Fatalf("the schedule is %q, %v; want two moves of either", moves, err)
	}
	if !by.Pass() || !by.Result.Scheduled || by.Result.Outdated || by.Result.Distinct != 5 {
		t.Errorf("by its schedule: %+v", by)
	}
	if len(by.Result.Trace) != len(whole.Result.Trace) || by.Result.Depth != whole.Result.Depth {
		t.Errorf("by its schedule it takes %d states in depth %d, else %d in %d", len(by.Result.Trace),
			by.Result.Depth, len(whole.Result.Trace), whole.Result.Depth)
	}
	for _, v := range verdicts[2:] {
		r := v.Result
		if !v.Pass() || r.Scheduled || !r.Outdated || r.Distinct != whole.Result.Distinct {
			t.Errorf("%s: %+v, want a pass by everything", v.Entry.Name, v)
		}
	}
}

// No schedule makes a run fail that does so no more.
func TestSchedules_NothingLost(t *testing.T) {
	v := runRace(t, "=> x = 2", "=> x \\in 1 .. 2", 5, "1212")[0]
	if v.Pass() || v.Result.Scheduled || v.Result.Outcome != OK {
		t.Errorf("with nothing lost: %+v", v)
	}
}

// A step that no local state shows is nobody's.
func TestSchedules_NobodysStep(t *testing.T) {
	const old, text = "=> x = 2", "=> x = 2 \\/ coin[1] = 0"
	whole := runRace(t, old, text, 6, "")[0]
	moves, err := movesOf(whole.Result.Trace, "loc")
	if err != nil || !whole.Pass() || strings.Count(moves, "0") != 1 || len(moves) != 5 {
		t.Fatalf("the schedule is %q, %v; want five moves, one of nobody", moves, err)
	}
	v := runRace(t, old, text, 6, moves)[0]
	if !v.Pass() || !v.Result.Scheduled || v.Result.Distinct >= whole.Result.Distinct {
		t.Errorf("%+v, want the violation by its schedule in fewer than %d states", v, whole.Result.Distinct)
	}
}

// What never happens is found along a schedule: where it ends nothing does any more, or it goes round.
func TestSchedules_OfWhatNeverHappens(t *testing.T) {
	for _, end := range []string{"UNCHANGED vars",
		"coin' = [coin EXCEPT ![1] = 1 - @] /\\ UNCHANGED <<x, loc>>"} {
		const old = "UNCHANGED vars"
		whole := runEntry(t, liveEntry, old+"\n", end+"\n", "")[0]
		moves, err := movesOf(whole.Result.Trace, "loc")
		if err != nil || !whole.Pass() || strings.Trim(moves, "012") != "" || len(moves) < 4 {
			t.Fatalf("the schedule is %q, %v: %+v", moves, err, whole)
		}
		verdicts := runEntry(t, liveEntry, old+"\n", end+"\n", moves, "1122")
		if v := verdicts[0]; !v.Pass() || !v.Result.Scheduled || v.Result.Distinct >= whole.Result.Distinct {
			t.Errorf("%s: %+v, want less than %d states", moves, v, whole.Result.Distinct)
		}
		if v := verdicts[1]; !v.Pass() || v.Result.Scheduled || v.Result.Distinct != whole.Result.Distinct {
			t.Errorf("1122, which loses nothing: %+v", v)
		}
	}
}

func TestMovesOf_Circles(t *testing.T) {
	state := func(n int, loc string) State {
		return State{Number: n, Action: "Step", Text: "/\\ loc = <<" + loc + ">>"}
	}
	trace := []State{state(1, "1, 1"), state(2, "1, 2"), state(3, "2, 2")}
	for want, last := range map[string]State{
		"211": {Number: 2, Action: "Back to state 2"},
		"21":  {Number: 4, Action: "Stuttering"},
	} {
		if got, err := movesOf(append(slices.Clone(trace), last), "loc"); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %s", last.Action, got, err, want)
		}
	}
	if got, err := movesOf(append(trace, State{Number: 9, Action: "Back to state 9"}), "loc"); err == nil {
		t.Errorf("back to where it never was: %q", got)
	}
}

// A mutant dies by its schedule of the property that it names, and lives where the schedule led to
// another one.
func TestSchedules_OfMutants(t *testing.T) {
	tool := needTLC(t)
	manifest := strings.NewReplacer("must-fail", "safety", `"invariant", "property": "BothCount", "depth": 5`,
		`"ok", "distinct": 48, "depth": 7`).Replace(raceEntry)
	dir := copySpec(t, "["+manifest+"]")
	replaceIn(t, filepath.Join(dir, "Race.cfg"), "FALSE", "TRUE")
	const mutants = `[{"name": "Split", "state": "S01AddEmpty", "run": "race",
		"property": "BothCount", "note": "n",
		"edits": [{"module": "Race", "old": "IF Atomic THEN \"end\"", "new": "IF FALSE THEN \"end\""},
			{"module": "Race", "old": "x' = IF Atomic THEN x + 1", "new": "x' = IF FALSE THEN x + 1"}]},
		{"name": "Idle", "state": "S01AddEmpty", "run": "race", "property": "BothCount", "note": "n",
		"edits": [{"module": "Race", "old": "x + 1 ELSE", "new": "1 + x ELSE"}]}]`
	s := Schedules{Local: "loc", Moves: map[string]string{"Split": "1212", "Idle": "1212"}}
	err := errors.Join(s.Save(dir), os.WriteFile(filepath.Join(dir, MutantsName), []byte(mutants), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	list, err := LoadMutants(dir)
	if err != nil {
		t.Fatal(err)
	}
	whole := list[0].Whole()
	whole.Name = "Whole"
	got := tool.RunMutants(t.Context(), append(list, whole), nil)
	if k := got[0]; k.Problem != "" || !k.Result.Scheduled || k.Result.Distinct != 5 {
		t.Errorf("the mutant is not killed by its schedule: %+v", k)
	}
	if k := got[1]; !strings.Contains(k.Problem, "SURVIVES") || !k.Result.Outdated {
		t.Errorf("a mutant that changes nothing: %+v", k)
	}
	if k := got[2]; k.Problem != "" || k.Result.Scheduled || k.Result.Outdated {
		t.Errorf("the whole search: %+v", k)
	}
}

// Learn takes what a whole search found in many states, and nothing else.
func TestSchedules_Learn(t *testing.T) {
	state := func(loc string) State { return State{Text: "/\\ loc = <<" + loc + ">>"} }
	found := Result{Outcome: Invariant, Property: "P", Stats: Stats{Distinct: leastWork},
		Trace: []State{state("1, 1"), state("1, 2"), state("1, 2"), state("2, 2")}}
	s := Schedules{Local: "loc"}
	line, err := s.Learn("run", found)
	const told = "run: 3 steps to P in place of 1500 states"
	if err != nil || s.Moves["run"] != "201" || line != told {
		t.Errorf("learnt %q: %q, %v", s.Moves["run"], line, err)
	}
	if line, err := s.Learn("run", found); err != nil || line != "" {
		t.Errorf("the same again is told: %q, %v", line, err)
	}
	for name, change := range map[string]func(*Result){
		"small":     func(r *Result) { r.Distinct-- },
		"scheduled": func(r *Result) { r.Scheduled = true },
		"deadlock":  func(r *Result) { r.Outcome = Deadlock },
		"ok":        func(r *Result) { r.Outcome = OK },
	} {
		r := found
		change(&r)
		if line, err := s.Learn(name, r); err != nil || line != "" || s.Moves[name] != "" {
			t.Errorf("%s: learnt %q: %q, %v", name, s.Moves[name], line, err)
		}
	}
	found.Trace[1].Text = "/\\ x = 1"
	if _, err := s.Learn("other", found); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("a trace without the variable: %v", err)
	}
}
