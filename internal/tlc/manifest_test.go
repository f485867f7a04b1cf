package tlc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copySpec copies the test spec into a folder of its own, with the given manifest.
func copySpec(t *testing.T, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLoadManifest_Refuses(t *testing.T) {
	const files = `"module":"Tiny","config":"TinyOk.cfg",`
	const head = `"name":"a","state":"",` + files
	const clean = `"kind":"safety","expect":"ok"`
	for name, c := range map[string]struct{ manifest, says string }{
		"no JSON":          {`[{`, "unexpected EOF"},
		"unknown field":    {`[{` + head + `"kind":"safety","expect":"ok","dept":3}]`, "dept"},
		"unknown kind":     {`[{` + head + `"kind":"safe","expect":"ok"}]`, "kind"},
		"unknown state":    {`[{"name":"a","state":"S04",` + files + clean + `}]`, "full identifier"},
		"no module":        {`[{"name":"a","module":"No","config":"TinyOk.cfg",` + clean + `}]`, "No.tla"},
		"no configuration": {`[{"name":"a","module":"Tiny","config":"No.cfg",` + clean + `}]`, "No.cfg"},
		"module elsewhere": {`[{"name":"a","module":"../Tiny","config":"TinyOk.cfg",` + clean + `}]`,
			"is a path"},
		"configuration elsewhere": {`[{"name":"a","module":"Tiny","config":"a/TinyOk.cfg",` + clean + `}]`,
			"is a path"},
		"twice":             {`[{` + head + clean + `},{` + head + clean + `}]`, "twice"},
		"failing safety":    {`[{` + head + `"kind":"safety","expect":"invariant"}]`, "must expect ok"},
		"passing witness":   {`[{` + head + `"kind":"witness","expect":"ok"}]`, "must expect invariant"},
		"passing must-fail": {`[{` + head + `"kind":"must-fail","expect":"ok"}]`, "cannot expect"},
		"nameless must-fail": {`[{` + head + `"kind":"must-fail","expect":"invariant"}]`,
			"must name the property"},
		"counted witness": {`[{` + head + `"kind":"witness","expect":"invariant","property":"I1Nat",` +
			`"distinct":3}]`, "may stop anywhere"},
		"depth of a witness with two workers": {`[{` + head + `"kind":"witness","expect":"invariant",` +
			`"property":"I1Nat","depth":3,"workers":2}]`, "may stop anywhere"},
		"counted with two workers": {`[{` + head + `"kind":"must-fail","expect":"deadlock",` +
			`"distinct":3,"workers":2}]`, "may stop anywhere"},
		"absent property": {`[{` + head + `"kind":"witness","expect":"invariant","property":"Gone"}]`,
			"Gone is not in the configuration"},
		"temporal and absent": {`[{` + head + `"kind":"safety","expect":"ok","temporal":"Gone"}]`,
			"Gone is not in the configuration"},
		"temporal witness": {`[{` + head + `"kind":"witness","expect":"invariant","property":"I1Nat",` +
			`"temporal":"I1Nat"}]`, "temporal is for a safety run"},
		"safety of liveness alone": {`[{"name":"a","module":"Tiny","config":"TinyFair.cfg",` + clean +
			`,"temporal":"Reaches"}]`, "must check an INVARIANT, or a PROPERTY of steps, besides Reaches"},
		"liveness of nothing": {`[{` + head + `"kind":"liveness","expect":"ok"}]`, "no PROPERTY"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadManifest(copySpec(t, c.manifest))
			if !errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestConfigComplaints_UnsoundLiveness(t *testing.T) {
	c := parseConfig("SPECIFICATION S \\* SYMMETRY no\nSYMMETRY Perms\n(* INVARIANT I *)\n" +
		"PROPERTIES P Q\nCHECK_DEADLOCK FALSE\nCONSTANTS A = 1\n")
	if len(c.invariants) != 0 || len(c.properties) != 2 || !c.symmetry || !c.deadlockIgnored {
		t.Fatalf("parsed %+v", c)
	}
	all := strings.Join(configComplaints(Entry{Kind: LiveRun, Expect: OK}, c), "; ")
	if !strings.Contains(all, "CHECK_DEADLOCK") || !strings.Contains(all, "unsound") {
		t.Errorf("complaints %q", all)
	}
	all = strings.Join(configComplaints(Entry{Kind: Safety, Expect: OK, Temporal: "P"}, c), "; ")
	if !strings.Contains(all, "CHECK_DEADLOCK") || !strings.Contains(all, "unsound") {
		t.Errorf("complaints about a safety run with liveness %q", all)
	}
	all = strings.Join(configComplaints(Entry{Kind: MustFail, Expect: Liveness}, c), "; ")
	if !strings.Contains(all, "keep one PROPERTY") {
		t.Errorf("complaints %q", all)
	}
}

// TestCompare_CanFail is the canary of the manifest's judge: one deviation in each point.
func TestCompare_CanFail(t *testing.T) {
	clean := Result{Outcome: OK, Stats: Stats{Distinct: 6, Depth: 6}}
	broken := Result{Outcome: Invariant, Property: "I2", Message: "Invariant I2 is violated.",
		Stats: Stats{Distinct: 5, Depth: 4}}
	safety := Entry{Name: "a", Kind: Safety, Expect: OK, Distinct: 6, Depth: 6}
	witness := Entry{Name: "a", Kind: Witness, Expect: Invariant, Property: "I2"}
	bug := Entry{Name: "a", Kind: MustFail, Expect: Invariant, Property: "I2"}
	with := func(e Entry, change func(*Entry)) Entry { change(&e); return e }
	for name, c := range map[string]struct {
		entry  Entry
		result Result
		says   string // "" when they agree
	}{
		"as recorded":      {safety, clean, ""},
		"fewer states":     {with(safety, func(e *Entry) { e.Distinct = 7 }), clean, "distinct states"},
		"another depth":    {with(safety, func(e *Entry) { e.Depth = 5 }), clean, "depth"},
		"depth is inexact": {with(safety, func(e *Entry) { e.Depth, e.Workers = 5, 2 }), clean, ""},
		"nothing recorded": {with(safety, func(e *Entry) { e.Distinct = 0 }), clean, "--update"},
		"violated":         {safety, broken, "I2 is violated"},
		"reached":          {witness, broken, ""},
		"reached in depth": {with(witness, func(e *Entry) { e.Depth = 4 }), broken, ""},
		"reached too soon": {with(witness, func(e *Entry) { e.Depth = 5 }), broken, "by something else"},
		"bug found early":  {with(bug, func(e *Entry) { e.Depth = 5 }), broken, "by something else"},
		"not reached":      {witness, clean, "never reached"},
		"other property":   {with(witness, func(e *Entry) { e.Property = "I3" }), broken, "I2 was first"},
		"bug found":        {bug, broken, ""},
		"bug not found":    {bug, clean, "must fail"},
		"other outcome":    {bug, Result{Outcome: Deadlock, Message: "Deadlock reached."}, "Deadlock"},
		"no judgement":     {bug, Result{Outcome: Failed, Message: "Parsing failed"}, "Parsing failed"},
	} {
		problems, unknown := Compare(c.entry, c.result)
		if unknown || (len(problems) == 0) != (c.says == "") {
			t.Errorf("%s: problems %q, unknown %v", name, problems, unknown)
		}
		if all := strings.Join(problems, "; "); !strings.Contains(all, c.says) {
			t.Errorf("%s: %q does not say %q", name, all, c.says)
		}
	}
	killed := Result{Outcome: Failed, Resources: true, Message: "out of memory"}
	if _, unknown := Compare(safety, killed); !unknown {
		t.Error("a run out of memory must be unknown")
	}
}

func TestManifest_RecordAndSave(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := LoadManifest(copySpec(t, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	run := Verdict{Entry: m.Entries[0], Result: Result{Outcome: OK, Stats: Stats{Distinct: 7, Depth: 8}}}
	if line := m.Record(run); line != "ok: distinct 6 -> 7, depth 6 -> 8" {
		t.Errorf("change %q", line)
	}
	if line := m.Record(run); line != "" {
		t.Errorf("the same counts again are a change: %q", line)
	}
	run.Result.Outcome = Invariant
	run.Result.Distinct = 1
	if line := m.Record(run); line != "" {
		t.Errorf("a violated run must not be recorded: %q", line)
	}
	reached := Verdict{Entry: m.Entries[1], Result: Result{Outcome: Invariant, Property: "NotAtMax",
		Stats: Stats{Distinct: 9, Depth: 7}}}
	if line := m.Record(reached); line != "witness: distinct 0 -> 0, depth 0 -> 7" {
		t.Errorf("change of a witness %q", line)
	}
	reached.Result.Property = "Other"
	if reached.Result.Depth = 8; m.Record(reached) != "" {
		t.Error("the depth of another violation is recorded")
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := LoadManifest(m.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if e := again.Entries[0]; e.Distinct != 7 || e.Depth != 8 || len(again.Entries) != len(m.Entries) {
		t.Errorf("read back %+v", e)
	}
}

func TestManifest_Select(t *testing.T) {
	m, err := LoadManifest("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for names, want := range map[string]int{"": 5, "S01": 3, "bug-small": 1, "S01,ok,bug-small": 4} {
		var list []string
		if names != "" {
			list = strings.Split(names, ",")
		}
		if got, err := m.Select(list); err != nil || len(got) != want {
			t.Errorf("%q selects %d (%v), want %d", names, len(got), err, want)
		}
	}
	if _, err := m.Select([]string{"S09"}); err == nil {
		t.Error("a state without runs must be an error")
	}
}
