package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
)

// shelf is a module of the tests, as a folder of the user's own.
const shelf = "./testdata/shelf"

func typed(t *testing.T, s Subject, o Options) (*Work, Report) {
	t.Helper()
	return typedIn(t, shelf, s, o)
}

// typedIn explores a type of the module in the folder.
func typedIn(t *testing.T, folder string, s Subject, o Options) (*Work, Report) {
	t.Helper()
	o.Subject = s
	return exploredIn(t, folder, o)
}

// exploredIn explores what the options name of the module in the folder.
func exploredIn(t *testing.T, folder string, o Options) (*Work, Report) {
	t.Helper()
	o.Seed = 1
	readSources(t)
	w, err := Prepare(t.Context(), Target{Name: folder}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := w.Explore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r.Text())
	return w, r
}

// TestTypes_Found: what is wrong is found, and told with what would be right.
func TestTypes_Found(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		races      bool
		want       []string
	}{
		{"Counter", "verdict", false, []string{"{Counter{}} Add(1) || Add(1)", "afterwards: Value() -> 1",
			"    afterwards: Value() -> 2", "shelf.go:21 (shelf.(*Counter).Add)",
			" && samecycle replay 'sx1~"}},
		{"Deaf", "deadlock", false, []string{"{NewDeaf()} Put() || Take()", "actor.2 waits for ever",
			"\n  Take() waits, Put() -> done, Take() -> done\n"}},
		{"Forgetful", "deadlock", false, []string{"Give(1) || Take(1)",
			"returns if it is made after the rest"}},
		{"Missed", "deadlock", false, []string{"{NewMissed()} Come() || Come()",
			"actor.1, actor.2 wait for ever", "\n  Come() waits, Come() -> false, Come() -> true\n"}},
		{"Flag", "verdict", false, []string{"Set() || Set()", "| -> true", "hidden.go:14"}},
		{"Torn", "verdict", false, []string{"Update(returns(1, false)) || Update(returns(1, false))",
			"-> called with (0, false)", "Update(returns(1, false)) -> called with (1, true)"}},
		{"Journal", "verdict", false, []string{`Print(writer, text("a"))`, `nil, called with ("a1")`,
			`    afterwards: Print(writer, text("a")) -> nil, called with ("a7")`}},
		{"Teller", "verdict", false, []string{"Tell(room) || Tell(room)",
			"Tell(room) of actor 1 was sent (1)",
			"Skip(channel()) -> 2",
			"Tell(room) of actor 1 was sent (2), Tell(room) of actor 2 was sent (1)\n"}},
		{"Holder", "verdict", false, []string{
			`Get() || Set(Limits{Least: 1, Most: 1, Names: []string{"a", "b"}})`,
			"-> {Least: 0, Most: 1, Names: []}"}},
		{"Group", "verdict", false, []string{"AddAll(1, 2) || Len()", "| -> 1"}},
		{"Lazy", "verdict", false, []string{"Get() || Get()", "-> pointer that is not nil",
			"Get() of actor 1 and Get() of actor 2 and Get() afterwards returned the same pointer"}},
		{"Twice", "verdict", false, []string{"Pop() || Pop()", "-> &{Number: 1}",
			"Pop() -> &{Number: 1}, Pop() -> nil"}},
		{"Plain", "race", true, []string{"Inc() || Value()", "read of p.n by actor", "nothing orders"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r := typed(t, Subject{Type: c.name}, Options{Races: c.races})
			i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Kind == c.kind })
			if i < 0 || r.Status() != driver.Found {
				t.Fatalf("status %s, no failure of the kind %s", r.Status(), c.kind)
			}
			for _, want := range c.want {
				if !strings.Contains(r.Text(), want) {
					t.Errorf("the report lacks %q", want)
				}
			}
			s := r.Results[i]
			again, err := w.Replay(t.Context(), s.Token)
			if err != nil || again.Status() != driver.Found || again.Results[0].Message != s.Message ||
				again.Results[0].History != s.History || again.Results[0].HTML == "" {
				t.Errorf("the replay is %s, %v", again.Text(), err)
			}
		})
	}
}

// TestTypes_Clean: what is right is clean, and the search did look.
func TestTypes_Clean(t *testing.T) {
	for _, c := range []struct {
		name  string
		races bool
		want  []string
	}{
		{"Safe", false, []string{"Watch needs an unsafe pointer", "all interleavings"}},
		{"Stack", true, nil},
		{"Once", true, nil},
		{"Bag", false, []string{"Mixed: its sequential runs differ", "called: Add, All, Len"}},
		{"Slot", true, nil},
		{"Relay", true, nil},
		{"Row", true, nil},
		{"Meeting", false, nil},
		{"Either", false, nil},
		{"Mailbox", true, []string{"Wait: shelf.go:212: a receive whose second value"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r := typed(t, Subject{Type: c.name}, Options{Races: c.races})
			n := uint64(0)
			for _, s := range r.Results {
				n += s.Schedules
			}
			if r.Status() != driver.Clean || n < 100 || len(r.Methods) > 1 && r.Results[0].Programs < 3 {
				t.Errorf("%s after %d schedules", r.Status(), n)
			}
			for _, want := range c.want {
				if !strings.Contains(r.Text(), want) {
					t.Errorf("the report lacks %q", want)
				}
			}
		})
	}
}

// TestTypes_Ticks: a type that has a ticker for ever is explored, and the bound of its ticks is told.
func TestTypes_Ticks(t *testing.T) {
	_, r := typed(t, Subject{Type: "Tidy", Calls: []string{"Sum"}}, Options{})
	if r.Results[0].Status != driver.Clean || r.Results[0].Schedules < 100 ||
		!strings.Contains(r.Text(), "\nbound of ticks: at most 1 of each at any time, and 1 more when") {
		t.Errorf("%s, or no bound of its ticks is told", r.Results[0].Status)
	}
}

// TestTypes_Silent: a search that saw nothing shared is not clean; with races it finds one.
func TestTypes_Silent(t *testing.T) {
	for races, want := range map[bool]driver.Status{false: driver.Unknown, true: driver.Found} {
		_, r := typed(t, Subject{Type: "Silent"}, Options{Races: races})
		if r.Status() != want || !races && !strings.Contains(r.Text(), "--races") {
			t.Errorf("races %t: %s, want %s", races, r.Status(), want)
		}
	}
}

// TestTypes_Channel: programs that come to a channel in a way that is not explored are left out, with the
// place, and no others.
func TestTypes_Channel(t *testing.T) {
	_, r := typed(t, Subject{Type: "Gate"}, Options{})
	want := "some programs: shelf.go:299: a receive whose second value has a boolean type"
	if r.Status() != driver.Clean || r.Results[0].Schedules == 0 || !strings.Contains(r.Text(), want) {
		t.Errorf("%s, or the report lacks %q", r.Status(), want)
	}
}

// TestTypes_Ends: of a program that ends the process the error tells, in one line, and of a method that does
// it alone.
func TestTypes_Ends(t *testing.T) {
	for name, want := range map[string]string{
		"Quitter": "while it explored {Quitter{}} Quit() || Quit(), which may be",
		"Endless": "while it explored {Endless{}} Fall(), which each search calls first: mend the method: " +
			"fatal error: stack overflow",
	} {
		var log strings.Builder
		_, err := Explore(t.Context(), shelf, Options{Subject: Subject{Type: name}, Log: &log})
		if !errors.Is(err, ErrDriver) || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error()+log.String(), "goroutine ") {
			t.Errorf("%q is missing in: %v\n%s", want, err, log.String())
		}
	}
}

// TestTypes_Hangs: a method that does not come back is left out, in a search and in a replay, and the others
// are explored.
func TestTypes_Hangs(t *testing.T) {
	var log strings.Builder
	w, r := typed(t, Subject{Type: "Doorman"}, Options{Log: &log})
	const out = "Wait: no scheduling point for 5s"
	if r.Status() != driver.Found || !strings.Contains(r.Text(), "Open() || Open()") ||
		!strings.Contains(r.Text(), out) ||
		!strings.Contains(log.String(), "Wait does not come back: beginning again without it\n") {
		t.Fatalf("%s\n%s", r.Text(), log.String())
	}
	again, err := w.Replay(t.Context(), r.Results[0].Token)
	if err != nil || again.Status() != driver.Found || again.Results[0].Message != r.Results[0].Message ||
		!strings.Contains(strings.Join(again.LeftOut, "\n"), out) {
		t.Errorf("the replay is %s, %v", again.Text(), err)
	}
}

// TestTypes_Prints: what a type prints is no part of the report, nor of the progress.
func TestTypes_Prints(t *testing.T) {
	var log strings.Builder
	_, r := typed(t, Subject{Type: "Chatty"}, Options{Log: &log})
	if r.Status() != driver.Clean || strings.Contains(log.String()+r.Text(), "{chatter") ||
		!strings.Contains(log.String(), "\nexploring pairs: 1 program\n") {
		t.Errorf("%s\n%s", r.Text(), log.String())
	}
}

// TestTypes_Broken: of a module that has no such type or does not parse the error says why, and no more.
// TestPlaces_Broken has one that does not build.
func TestTypes_Broken(t *testing.T) {
	for text, want := range map[string]struct {
		err  error
		says string
	}{
		"package broken\n\ntype T struct {\n\nfunc (T) F() {}\n": {ErrSource, "b.go:5:1: "},
		"package main\n\ntype T struct{}\n\nfunc (T) F() {}\n\nfunc main() {}\n": {ErrTarget,
			"b.go is of package main, which nobody can import: move what is to be explored"},
	} {
		folder := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module a.b/broken\n\ngo 1.24\n", "b.go": text} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Explore(t.Context(), folder, Options{Subject: Subject{Type: "T"}})
		if !errors.Is(err, want.err) || !strings.Contains(err.Error(), want.says) || len(err.Error()) > 600 {
			t.Errorf("%v\nwant %v, %q", err, want.err, want.says)
		}
	}
}

// TestTypes_Single: methods that are for one actor are right if one calls them, and only then.
func TestTypes_Single(t *testing.T) {
	s := Subject{Type: "Pipe", Single: []string{"Send", "Receive"}}
	w, r := typed(t, s, Options{})
	if r.Status() != driver.Clean || len(r.Results) != 3 {
		t.Errorf("with one sender and one receiver: %s", r.Status())
	}
	w.o.Subject.Single = []string{"Receive"}
	r, err := w.Explore(t.Context())
	if err != nil || r.Status() != driver.Found || r.Results[0].Name != "Send" ||
		slices.ContainsFunc(r.Results, func(s driver.Result) bool { return s.Name == "Receive" }) {
		t.Errorf("with two senders: %s, %v", r.Text(), err)
	}
}

// TestTypes_Refused: each thing that is in the way is named.
func TestTypes_Refused(t *testing.T) {
	for _, c := range []struct {
		s    Subject
		want []string
	}{
		{Subject{}, []string{"--type Safe",
			"NewSafe(); calls Add, Each, Value, Wait; left out: Watch needs an unsafe pointer",
			"--type Stack", "Closed", "--type Flag --package internal/hidden"}},
		{Subject{Package: "internal/hidden"}, []string{"--type Flag --package internal/hidden"}},
		{Subject{Package: "."}, []string{"--type Safe", "--type Flag --package internal/hidden"}},
		{Subject{Type: "Flag", Package: "."},
			[]string{"example.com/shelf exports no type Flag; it has: Bag"}},
		{Subject{Type: "None"}, []string{"exports no type None", "Counter, Deaf",
			"internal/hidden: Flag"}},
		{Subject{Type: "Flag", Package: "hidden"},
			[]string{"has no package hidden", "internal/hidden"}},
		{Subject{Type: "Closed"}, []string{"no constructor of Closed",
			"NewClosed needs a value of the interface io.Closer", "--new zero"}},
		{Subject{Type: "Safe", New: "NewDeaf"},
			[]string{"no function NewDeaf that returns a Safe, alone or with an error; there are: NewSafe"}},
		{Subject{Type: "Flag", New: "NewFlag"},
			[]string{"no function NewFlag", "there are: none", "--new zero"}},
		{Subject{Type: "Stack[int]"},
			[]string{"type arguments are chosen by the search", "--type Stack"}},
		{Subject{Type: "Safe", Calls: []string{"Sub"}}, []string{"no method Sub", "Add, Each, Value, Wait"}},
		{Subject{Type: "Mailbox", Calls: []string{"Wait"}},
			[]string{"none of the methods Wait can", "Wait: shelf.go:212: ", "a boolean type"}},
		{Subject{Type: "Hollow"}, []string{"each call on Hollow{} panics", "--new"}},
		{Subject{Type: "Dice"}, []string{"no method of Dice", "sequential runs differ"}},
	} {
		_, err := Explore(t.Context(), shelf, Options{Subject: c.s})
		if !errors.Is(err, ErrTarget) {
			t.Errorf("%+v: %v", c.s, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %q is missing in: %v", c.s, want, err)
			}
		}
	}
}

// TestTypes_Minimise: of a program that was drawn the calls that matter are left.
func TestTypes_Minimise(t *testing.T) {
	_, r := typed(t, Subject{Type: "Counter", Calls: []string{"Add"}}, Options{})
	small, err := Minimise(t.Context(), r.Results[0].Token, Options{})
	if err != nil || small.Results[0].Program != "{Counter{}} Add(1) || Add(1)" ||
		len(small.Results[0].Notes) < 2 {
		t.Errorf("%+v, %v", small.Results, err)
	}
	if s, ok := tokenSubject(r.Results[0].Token); !ok || s.Type != "Counter" || s.New != zeroValue {
		t.Errorf("subject %+v, %t", s, ok)
	}
	if explore.TokenRaces(r.Results[0].Token) {
		t.Error("nobody asked for races")
	}
}

// TestTypes_Haxmap: what the adapter's programs find, two GetOrSet that both store and two GetAndDel that
// both get the value, is found without them.
func TestTypes_Haxmap(t *testing.T) {
	s := Subject{Type: "Map", Calls: []string{"GetOrSet", "GetAndDel"}}
	w := preparedWith(t, haxmap, Options{Subject: s}, edits{})
	found := explored(t, w)
	if s := found["GetOrSet"]; !strings.Contains(s.Program, "GetOrSet(1, 2) || GetOrSet(1, 3)") {
		t.Errorf("%s: %s", s.Status, s.Program)
	}
	if s := found["GetAndDel"]; strings.Count(s.History, "-> 1, true") < 2 {
		t.Errorf("%s:\n%s", s.Status, s.History)
	}
}
