package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The names of the same source are the same, whatever is wanted.
func TestMutants_AreDeterministic(t *testing.T) {
	p, err := engine.Load(context.Background(), "../..", engine.Code())
	if err != nil {
		t.Fatal(err)
	}
	part := func(n string) bool { return strings.HasPrefix(n, "update.go:cell.") }
	names := func(all Enumerated) (list []string) {
		for _, m := range all.Mutants {
			list = append(list, m.Hash+" "+m.Name)
		}
		return list
	}
	first := names(p.Mutants(part))
	if len(first) < 20 || !slices.Equal(first, names(p.Mutants(part))) {
		t.Errorf("two enumerations differ, or have too few names: %v", first)
	}
	only := p.Mutants(func(n string) bool { return strings.HasSuffix(first[3], n) })
	if got := names(only); len(got) != 1 || got[0] != first[3] {
		t.Errorf("alone it is called %v, among others %s", got, first[3])
	}
	if _, err := engine.Load(context.Background(), "../..", Target{Dir: "docs"}); !errors.Is(err, ErrSource) {
		t.Errorf("a folder without Go files: %v", err)
	}
}

// explorer is one switch between the actors of the programs, and no test.
var explorer = []stage{{search: &Search{Preemptions: 1, Executions: 200}, limit: time.Hour}}

// canary is a mutant whose verdict is known beforehand, with the judges that are asked. A change of the
// engine may rename it; the text says what it is.
type canary struct {
	name, change string
	stages       []stage // nil: the cheapest
	verdict      Verdict
	judge, why   string
}

var canaries = []canary{
	{name: "help.go:operation.displace#8 drop-statement", change: "\t\to.helpCopyValue()",
		verdict: Killed, judge: "step validation"},
	{name: "update.go:Handle.delete#1 swap-statements", change: "+ \ts := search{mode: m",
		verdict: Survived}, // a glance for the cache, and a local structure
	{name: "help.go:operation.lostHole#1 condition-true", change: "KindMove) || true",
		stages: stages[:1], verdict: NotCovered}, // no hole is lost without a preemption
	{name: "words.go:Map.Rest#1 drop-operand", change: "{ return (m) }",
		stages: stages[1:2], verdict: Killed, judge: "tests", why: "does not end"},
	{name: "words.go:Map.Without#1 literal", change: "(1 + 1)",
		stages: []stage{{search: &Search{}, limit: time.Nanosecond}}, verdict: Unknown, judge: "time"},
	{name: "words.go:versionBits#2 literal", change: "(29 - 1)", verdict: Killed},
	// A scan does not end at an empty cell; only drawn programs have one come while it lasts.
	{name: "room.go:Table.findRoom#4 condition-false", change: ") && false {",
		stages: []stage{{search: &Search{Drawn: drawn / 2, Kills: 1, Preemptions: -1, Walks: 25},
			limit: time.Hour}},
		verdict: Killed, judge: "step validation", why: "RoomCell"},
	// A get of a table with near homes takes a value whose version has moved; its second look is into the
	// wrong row; it takes the value of a cell that the member has left meanwhile.
	{name: "get.go:Table.Get#4 condition-false", change: "searchVersionAgain(version)) && false",
		stages: explorer, verdict: Killed, judge: "step validation", why: "what the clients saw"},
	{name: "get.go:Table.getEnd#6 zero-argument", change: "t.on(0).look()",
		stages:  []stage{{search: &Search{Program: "S15GetMany_Near"}, limit: time.Hour}},
		verdict: Killed, judge: "step validation", why: "the access is to offset"},
	{name: "get.go:Table.getRest#6 condition-true", change: "c.searchMemberAgain(word)) || true",
		stages: explorer, verdict: Killed, judge: "step validation"},
	// A walk does not mind that a member has moved meanwhile.
	{name: "walk.go:Table.gatherMembers#4 drop-statement", change: "if !h.cell(at.home).unmoved(w) {",
		stages: []stage{registeredTests("reclaim")}, verdict: Killed, judge: scenarioTests},
	// The glance at the front of a long ring, which no short one has, is made twice.
	{name: "room.go:cell.frontPeek#1 call-before", change: "frontPeek",
		stages: []stage{registeredTests("long rings")}, verdict: Killed, judge: scenarioTests},
}

// The judges kill what is wrong, let live what is right, and say when they cannot tell.
func TestRun_Canaries(t *testing.T) { judgeCanaries(t, engine, canaries) }

// judgeCanaries asks the judges of an engine about mutants of its code.
func judgeCanaries(t *testing.T, e *Engine, canaries []canary) {
	ctx := context.Background()
	p, err := e.Load(ctx, "../..", e.Code())
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]bool{}
	for _, c := range canaries {
		wanted[c.name] = true
	}
	mutants := p.Mutants(func(n string) bool { return wanted[n] }).Mutants
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	over, err := p.together(root, filepath.Join(t.TempDir(), "all"), mutants)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{overlay: over, p: p, places: placesOf(mutants)}
	o := Options{Root: root, Folder: t.TempDir(), Workers: 2, Note: func(string) {}, stages: e.stages[:2]}
	if err := p.baseline(ctx, b, mutants, o); err != nil {
		t.Fatal(err)
	}
	for _, c := range canaries {
		t.Run(c.name, func(t *testing.T) {
			i := slices.IndexFunc(mutants, func(m *Mutant) bool { return m.Name == c.name })
			if i < 0 || !strings.Contains(p.Diff(mutants[i]), c.change) {
				t.Fatalf("the mutant is another one now; find the one that makes %q", c.change)
			}
			if o.stages = e.stages[:2]; c.stages != nil {
				o.stages = c.stages
			}
			got, err := p.judgeOne(ctx, b, mutants[i], o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != c.verdict || c.judge != "" && got.Judge != c.judge ||
				!strings.Contains(got.Why, c.why) {
				t.Errorf("%s by %q: %s; want %s by %q", got.Verdict, got.Judge, got.Why, c.verdict,
					c.judge)
			}
		})
	}
}

func TestVerdicts_OfPrograms(t *testing.T) {
	failed := errors.New("exit status 2")
	at := `{"at":{"program":"S01AddEmpty","preemptions":1,"kills":0}}` + "\n"
	for name, c := range map[string]struct {
		out, complaints string
		err             error
		late            bool
		want            Verdict
		judge           string
	}{
		"accepted": {at + `{"found":{}}`, "", nil, false, "", ""},
		"refused": {at + `{"found":{"verdict":"killed","judge":"histories"}}`, "", nil, false, Killed,
			"histories"},
		"stack":     {at, "runtime: goroutine stack exceeds 1-byte limit\n", failed, false, Killed, "crash"},
		"panic":     {at, "panic: index out of range\n", failed, false, Killed, "crash"},
		"signalled": {at, "", failed, false, Unknown, "judge"},
		"late":      {at, "panic: whatever\n", failed, true, Unknown, "time"},
	} {
		t.Run(name, func(t *testing.T) {
			f := scenarioVerdict([]byte(c.out), c.complaints, c.err, c.late)
			if f.Verdict != c.want || f.Judge != c.judge {
				t.Errorf("got %+v", f)
			}
			known := f.Search != nil && f.Search.Program == "S01AddEmpty"
			if c.want != "" && c.judge != "histories" && !known {
				t.Errorf("where it was is lost: %+v", f)
			}
		})
	}
}

func TestVerdicts_OfTests(t *testing.T) {
	failed := errors.New("exit status 2")
	for name, c := range map[string]struct {
		out  string
		err  error
		late bool
		want Verdict
		test string
	}{
		"passed":  {"=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\n", nil, false, "", ""},
		"panic":   {"=== RUN   TestA\npanic: no\n", failed, false, Killed, "TestA"},
		"late":    {"=== RUN   TestA\n", failed, true, Unknown, "TestA"},
		"nothing": {"", failed, false, Unknown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if f := testVerdict(c.out, c.err, c.late); f.Verdict != c.want || f.Test != c.test {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestLedger_KeepsWhatItIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "mutants.json")
	if _, err := ReadLedger(path); !errors.Is(err, os.ErrNotExist) || !errors.Is(err, ErrLedger) {
		t.Errorf("no ledger: %v", err)
	}
	l := Ledger{Command: "c", Seed: 3, Outcomes: []Outcome{
		{Name: "a.go:f#1 negate", Line: 2, Hash: "0123456789ab", Found: Found{Verdict: Killed,
			Judge: "histories", Search: &Search{Program: "S01AddEmpty", Preemptions: -1},
			Why: strings.Repeat("x", 500)}},
		{Name: "a.go:f#1 literal", Killer: "0123456789ad", Found: Found{Verdict: Killed, Judge: "histories",
			Search: &Search{Program: "S01AddEmpty", Preemptions: -1}}},
		{Name: "a.go:f#2 literal", Found: Found{Verdict: Survived}}}}
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLedger(path)
	if err != nil || len(got.Outcomes) != 3 || got.Seed != 3 ||
		got.Outcomes[0].Search.Preemptions != -1 || len(got.Outcomes[0].Why) > 110 ||
		got.Outcomes[1].Killer != "0123456789ad" || got.Outcomes[2].Verdict != Survived {
		t.Errorf("%v: %+v", err, got)
	}
	page := got.Markdown(engine)
	for _, want := range []string{"| negate | 1 | 1 |", "| histories | 2 |",
		"| any preemptions, kills 0 | 2 |", "## Survived",
		"\n1 of those killed are from before", "- `a.go:f#2 literal`"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLedger(path); !errors.Is(err, ErrLedger) {
		t.Errorf("garbage: %v", err)
	}
}

func TestEquivalents(t *testing.T) {
	list, err := parseEquivalents("list", "# why\n0123456789ab a.go:f#1 negate: both sides\n"+
		"  are the same\n"+
		"0123456789ac a.go:f#2 negate: so\n\n0123456789ad b.go:g#1 negate: so\n"+
		"0123456789ad a.go:k#1 negate: so\n")
	if err != nil || len(list) != 4 || list[0].Reason != "both sides are the same" {
		t.Fatalf("%v %+v", err, list)
	}
	hashes := map[string]string{"a.go:f#1 negate": "0123456789ab", "a.go:f#2 negate": "ffffffffffff",
		"a.go:k#1 negate": "0123456789ad"}
	outcomes := []Outcome{
		{Name: "a.go:f#1 negate", Hash: "0123456789ab", Found: Found{Verdict: Survived}},
		{Name: "a.go:f#2 negate", Hash: "ffffffffffff", Found: Found{Verdict: Survived}},
		{Name: "a.go:k#1 negate", Hash: "0123456789ad", Found: Found{Verdict: Killed}}}
	if o := Excuse(outcomes[0], list); o.Verdict != Equivalent || o.Reason == "" {
		t.Errorf("a listed survivor: %+v", o)
	}
	if o := Excuse(outcomes[1], list); o.Verdict != Survived {
		t.Errorf("a survivor of a function that has changed: %+v", o)
	}
	if o := Excuse(outcomes[2], list); o.Verdict != Killed {
		t.Errorf("a killed one: %+v", o)
	}
	stale := strings.Join(Stale(list, hashes, outcomes), "\n")
	for _, want := range []string{"f#2 negate: its function has changed to ffffffffffff",
		"g#1 negate: no such mutant", "k#1 negate: killed"} {
		if !strings.Contains(stale, want) {
			t.Errorf("stale entries lack %q:\n%s", want, stale)
		}
	}
	if strings.Contains(stale, "f#1") {
		t.Errorf("a sound entry is stale:\n%s", stale)
	}
	for _, bad := range []string{"short a.go:f#1 negate: so", "0123456789ab nothing"} {
		if _, err := parseEquivalents("list", bad); !errors.Is(err, ErrLedger) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := engine.Equivalents("../.."); err != nil {
		t.Error(err)
	}
}

// An outcome holds while the function is the same, and for an equivalent one while the list says so.
func TestResume(t *testing.T) {
	m := &Mutant{Name: "a.go:f#1 negate", Hash: "0123456789ab"}
	list := []Entry{{m.Name, m.Hash, "both sides are the same"}}
	for name, c := range map[string]struct {
		verdict Verdict
		hash    string
		quick   bool
		list    []Entry
		holds   bool
	}{
		"killed":              {Killed, m.Hash, false, nil, true},
		"hangs":               {Hangs, m.Hash, false, nil, true},
		"hangs, changed":      {Hangs, "ffffffffffff", false, nil, false},
		"killed, changed":     {Killed, "ffffffffffff", false, nil, false},
		"listed":              {Equivalent, m.Hash, false, list, true},
		"listed since":        {Survived, m.Hash, false, list, true},
		"listed, quick":       {Equivalent, m.Hash, true, list, false},
		"listed, changed":     {Equivalent, "ffffffffffff", false, list, false},
		"listed before":       {Equivalent, m.Hash, false, nil, false},
		"listed, of before":   {Equivalent, m.Hash, false, []Entry{{m.Name, "ffffffffffff", "so"}}, false},
		"survived":            {Survived, m.Hash, false, nil, false},
		"no verdict, listed":  {Unknown, m.Hash, false, list, false},
		"not known, but then": {"", m.Hash, false, list, false},
	} {
		o, holds := Resume(Outcome{Name: m.Name, Hash: c.hash, Quick: c.quick, Reason: "of before",
			Found: Found{Verdict: c.verdict}}, m, Killers{}, c.list)
		if holds != c.holds || holds && o.Verdict == Equivalent && o.Reason != list[0].Reason {
			t.Errorf("%s: holds %t: %+v", name, holds, o)
		}
	}
}

// What a run has not come to stays in the ledger: with its verdict, or without one if it is another now.
func TestPending(t *testing.T) {
	m := &Mutant{Name: "a.go:f#1 negate", Hash: "0123456789ab", Line: 7}
	same := Outcome{Name: m.Name, Hash: m.Hash, Found: Found{Verdict: Killed, Judge: "histories"}}
	if o := Pending(same, m, Killers{}, nil); o.Verdict != Killed || o.Judge != same.Judge {
		t.Errorf("of the same function: %+v", o)
	}
	same.Verdict = Survived
	if o := Pending(same, m, Killers{}, []Entry{{m.Name, m.Hash, "so"}}); o.Verdict != Equivalent {
		t.Errorf("listed: %+v", o)
	}
	same.Verdict, same.Reason = Equivalent, "so it was"
	if o := Pending(same, m, Killers{}, nil); o.Verdict != Survived || o.Reason != "" {
		t.Errorf("listed no more: %+v", o)
	}
	same.Verdict, same.Hash = Killed, "ffffffffffff"
	o := Pending(same, m, Killers{}, nil)
	if o.Verdict != Unknown || o.Name != m.Name || o.Hash != m.Hash || o.Judge != "" {
		t.Errorf("of a function that has changed: %+v", o)
	}
}

func TestSample(t *testing.T) {
	var all []*Mutant
	for i := range 100 {
		all = append(all, &Mutant{Number: i + 1, Name: fmt.Sprintf("a.go:f#%d negate", i)})
	}
	a, b, c := Sample(all, 10, 1), Sample(all, 10, 1), Sample(all, 10, 2)
	if len(a) != 10 || !slices.Equal(a, b) || slices.Equal(a, c) || len(Sample(all, 0, 1)) != 100 {
		t.Error("a sample is so many, by its seed, and 0 is all")
	}
	if !slices.IsSortedFunc(a, func(x, y *Mutant) int { return x.Number - y.Number }) {
		t.Error("a sample is in the order of the mutants")
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		list []Verdict
		good bool
	}{{nil, false}, {[]Verdict{Killed}, true}, {[]Verdict{Killed, Equivalent}, true},
		{[]Verdict{Killed, Hangs}, true}, {[]Verdict{Hangs}, false},
		{[]Verdict{Equivalent}, false}, {[]Verdict{Killed, Survived}, false},
		{[]Verdict{Killed, NotCovered}, false}, {[]Verdict{Killed, Unknown}, false}} {
		var list []Outcome
		for _, v := range c.list {
			list = append(list, Outcome{Found: Found{Verdict: v}})
		}
		if CountsOf(list).Good() != c.good {
			t.Errorf("%v: want good %t", c.list, c.good)
		}
	}
}

// TestOrdered: who needs a build comes behind the others, and who was not killed before last.
func TestOrdered(t *testing.T) {
	known := map[string]Outcome{"a": {Found: Found{Verdict: Survived}}, "b": {Found: Found{Verdict: Killed}},
		"d": {Found: Found{Verdict: Equivalent}}, "e": {Found: Found{Verdict: Unknown}},
		"f": {Found: Found{Verdict: NotCovered}}}
	var all []*Mutant
	for _, name := range []string{"a", "alone", "b", "c", "d", "e", "f"} {
		all = append(all, &Mutant{Name: name})
	}
	all[1].alone = true
	text := ""
	for _, m := range (Options{Known: known}).ordered(all) {
		text += m.Name + " "
	}
	if text != "b c e alone a d f " {
		t.Error(text)
	}
}
