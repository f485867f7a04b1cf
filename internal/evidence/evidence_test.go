package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// newRoot makes a repository of two judged files.
func newRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	put(t, root, "spec/A.tla", "a")
	put(t, root, "spec/B.tla", "b")
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// now is what each cell rests on: the files of the specification.
func now(root string) Now {
	return func(_, state, _ string) (closure.List, error) {
		return closure.Open(root).Of(context.Background(), closure.Scope{Files: []string{"spec/*.tla"}},
			state)
	}
}

func matrixOf(root string, covered Coverage) *Matrix {
	return BuildMatrix(root, register.Engine(), covered, now(root))
}

// green is a record that passes.
func green(t *testing.T, root, state string) Record {
	t.Helper()
	list, err := now(root)("spec", state, "")
	if err != nil {
		t.Fatal(err)
	}
	return Record{Engine: "hopscotch", Link: "spec", State: state, Status: Pass, Figure: 42, Unit: "states",
		Bound: "two adders, not more", Command: "samecycle check", Inputs: BasisOf(list, nil)}
}

func save(t *testing.T, root string, r Record) {
	t.Helper()
	if err := r.Save(root); err != nil {
		t.Fatal(err)
	}
}

const s01, s02 = "S01AddEmpty", "S02AddCollision"

var bothCovered = Coverage{"spec": {s01: true, s02: true}}

func cellOf(m *Matrix, link, state string) Cell {
	for _, row := range m.Rows {
		if row.State == state {
			return row.Links[link]
		}
	}
	return Cell{}
}

// record is the file of the record that the cases spoil.
func record(root string) string { return Path(root, "hopscotch", "spec", s01) }

// edit changes the record as JSON, past everything that Save refuses.
func edit(t *testing.T, root string, change func(map[string]any)) {
	text, err := os.ReadFile(record(root))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	change(v)
	if text, err = json.Marshal(v); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(record(root), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// spoilCases each spoil one thing of a green cell, which must notice.
var spoilCases = []struct {
	name  string
	spoil func(t *testing.T, root string)
	want  Status
	says  string
}{
	{"nothing", func(*testing.T, string) {}, Pass, ""},
	{"a judged file changes", func(t *testing.T, root string) { put(t, root, "spec/A.tla", "x") },
		Stale, "changed"},
	{"two files swap contents", func(t *testing.T, root string) {
		put(t, root, "spec/A.tla", "b")
		put(t, root, "spec/B.tla", "a")
	}, Stale, "changed"},
	{"a judged file is deleted", func(_ *testing.T, root string) {
		os.Remove(filepath.Join(root, "spec/B.tla"))
	}, Stale, "spec/B.tla is gone"},
	{"all judged files are deleted", func(_ *testing.T, root string) {
		os.RemoveAll(filepath.Join(root, "spec"))
	}, Unknown, "means no file"},
	{"a file joins", func(t *testing.T, root string) { put(t, root, "spec/C.tla", "") },
		Stale, "spec/C.tla is new"},
	{"the record is deleted", func(_ *testing.T, root string) { os.Remove(record(root)) },
		NotRun, "samecycle check --link spec"},
	{"the record is cut", func(_ *testing.T, root string) { os.Truncate(record(root), 100) },
		Unknown, "unexpected EOF"},
	{"the record is empty", func(_ *testing.T, root string) { os.Truncate(record(root), 0) },
		Unknown, "EOF"},
	{"the record is a folder", func(_ *testing.T, root string) {
		os.Remove(record(root))
		os.Mkdir(record(root), 0o755)
	}, Unknown, "cannot be read"},
	{"the record has a field too many", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { v["colour"] = "green" })
	}, Unknown, "colour"},
	{"the figure is gone", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { delete(v, "figure") })
	}, Unknown, "without a figure"},
	{"the bound is gone", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { v["bound"] = "" })
	}, Unknown, "bound"},
	{"the inputs are gone", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { delete(v, "inputs") })
	}, Unknown, "rests on"},
	{"the record claims to be stale", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { v["status"] = "stale" })
	}, Unknown, "cannot be recorded"},
	{"the record is another state's", func(t *testing.T, root string) {
		edit(t, root, func(v map[string]any) { v["state"] = s02 })
	}, Unknown, s02},
	{"two records in one file", func(t *testing.T, root string) {
		text, _ := os.ReadFile(record(root))
		put(t, root, "results/hopscotch/records/spec/"+s01+".json", string(text)+string(text))
	}, Unknown, "after the record"},
}

// TestMatrix_TurnsRed holds the rule that a cell is green only while everything is in order.
func TestMatrix_TurnsRed(t *testing.T) {
	for _, c := range spoilCases {
		t.Run(c.name, func(t *testing.T) {
			root := newRoot(t)
			save(t, root, green(t, root, s01))
			c.spoil(t, root)
			m := matrixOf(root, Coverage{"spec": {s01: true}})
			got := cellOf(m, "spec", s01)
			if got.Status != c.want || !strings.Contains(got.Reason, c.says) {
				t.Errorf("%s (%s), want %s because of %q", got.Status, got.Reason, c.want, c.says)
			}
			if m.Red() != (c.want != Pass) {
				t.Errorf("red is %v for %s", m.Red(), got.Status)
			}
		})
	}
}

// A failure of files that are no more is not offered for a replay.
func TestMatrix_StaleFailureHasNoReplay(t *testing.T) {
	root := newRoot(t)
	bad := green(t, root, s02)
	bad.Status, bad.Detail = Fail, []string{"wrong"}
	bad.Replay, bad.Page = "s02.token", "results/failures/s02.html"
	save(t, root, bad)
	c := cellOf(matrixOf(root, bothCovered), "spec", s02)
	if c.Replay != bad.Replay || c.Page != bad.Page {
		t.Errorf("the failure's cell is %+v", c)
	}
	put(t, root, "spec/A.tla", "another text")
	c = cellOf(matrixOf(root, bothCovered), "spec", s02)
	if c.Status != Stale || c.Replay+c.Page != "" {
		t.Errorf("the stale cell is %+v", c)
	}
}

// Records of one link, of which only one is of the files of now: each cell is held against its own hash,
// though all have the same patterns.
func TestMatrix_OneOfTwoIsStale(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s02))
	put(t, root, "spec/A.tla", "another text")
	save(t, root, green(t, root, s01)) // is read first
	m := matrixOf(root, bothCovered)
	if a, b := cellOf(m, "spec", s01), cellOf(m, "spec", s02); a.Status != Pass || b.Status != Stale {
		t.Errorf("cells %s and %s, want pass and stale", a.Status, b.Status)
	}
}

func TestMatrix_UncoveredRecordIsStale(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s01))
	e := register.Engine()
	e.NotBuilt = []string{"spec"}
	c := cellOf(BuildMatrix(root, e, nil, now(root)), "spec", s01)
	if c.Status != Stale || !c.Uncovered || !strings.Contains(c.Reason, "; delete results/hopscotch/") {
		t.Errorf("%s, want stale: no runner could refresh it (%s)", c.Status, c.Reason)
	}
}

// TestMatrix_BrokenPromiseIsUnknown: a record of a link that the catalog promises is good, though a list of
// runs does not parse or is not there. Nobody is told to delete it; the reason is the error, if there is one.
func TestMatrix_BrokenPromiseIsUnknown(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s01))
	broken := func(_, _, _ string) (closure.List, error) {
		return closure.List{}, errors.New("manifest.json does not parse\nat all")
	}
	for says, now := range map[string]Now{"manifest.json does not parse": broken,
		"nothing is behind it for the state": now(root)} {
		c := cellOf(BuildMatrix(root, register.Engine(), nil, now), "spec", s01)
		if c.Status != Unknown || !c.Uncovered || !strings.Contains(c.Reason, says) ||
			strings.Contains(c.Reason, "delete") {
			t.Errorf("%s, uncovered %t, without %q: %s", c.Status, c.Uncovered, says, c.Reason)
		}
	}
}

func TestMatrix_StrayFilesAreRed(t *testing.T) {
	for _, name := range []string{
		"spec/S99Nothing.json", "spec/S01.json", "specs/" + s01 + ".json", s01 + ".json",
		"spec/" + s01 + ".json.old", "spec/deep/" + s01 + ".json",
	} {
		root := newRoot(t)
		save(t, root, green(t, root, s01))
		put(t, root, "results/hopscotch/records/"+name, "{}")
		m := matrixOf(root, bothCovered.only(s01))
		if len(m.Strays) != 1 || !m.Red() {
			t.Errorf("%s: strays %q, red %v", name, m.Strays, m.Red())
		}
	}
}

func (c Coverage) only(state string) Coverage { return Coverage{"spec": {state: true}} }

func TestMatrix_NothingIsNotGreen(t *testing.T) {
	m := matrixOf(newRoot(t), nil)
	if !m.Red() || m.Count(NotBuilt) != 27*6 {
		t.Errorf("an empty matrix: red %v, %s", m.Red(), m.Summary())
	}
}

// TestMatrix_JSON holds the form that other programs read.
func TestMatrix_JSON(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s01))
	text, err := json.Marshal(matrixOf(root, bothCovered).Rows)
	if err != nil {
		t.Fatal(err)
	}
	const first = `[{"engine":"hopscotch","state":"S01AddEmpty","title":"Add Element to Empty","links":{` +
		`"spec":{"status":"pass","figure":42,"unit":"states","bound":"two adders, not more"},` +
		`"model":{"status":"not-built","figure":0,"unit":"","bound":""},`
	if !strings.HasPrefix(string(text), first) {
		t.Errorf("JSON begins with %.300s, want %s", text, first)
	}
	var rows []struct {
		State string
		Links map[string]map[string]any
	}
	if err := json.Unmarshal(text, &rows); err != nil || len(rows) != 27 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, s := range register.States() {
		if rows[i].State != s.ID || len(rows[i].Links) != 6 {
			t.Errorf("row %d is %s with %d links", i, rows[i].State, len(rows[i].Links))
		}
	}
	if rows[1].Links["spec"]["status"] != "not-run" {
		t.Errorf("a covered state without record is %v", rows[1].Links["spec"]["status"])
	}
}

func TestMatrix_Render(t *testing.T) {
	root := newRoot(t)
	save(t, root, green(t, root, s01))
	bad := green(t, root, s02)
	bad.Status, bad.Detail, bad.Replay = Fail, []string{"a long story: " +
		strings.Repeat("word ", 40)}, "s02.token"
	bad.Page = "results/failures/s02.html"
	save(t, root, bad)
	m := matrixOf(root, bothCovered)
	var plain, colour bytes.Buffer
	if err := errors.Join(m.Render(&plain, RenderOptions{Width: 100}),
		m.Render(&colour, RenderOptions{Colour: true})); err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(plain.String(), "\n") {
		if n := len([]rune(l)); n > 100 || strings.HasSuffix(l, " ") {
			t.Errorf("line %d has %d columns: %q", i+1, n, l)
		}
	}
	for _, s := range []string{"S01AddEmpty", "✓ 42", "✗ FAIL", "FAIL spec S02", "NOT BUILT",
		"samecycle replay 's02.token'", "page for a browser: results/failures/s02.html",
		"RED: 1 pass, 1 fail, 160 not built", "spec: states"} {
		if !strings.Contains(plain.String(), s) {
			t.Errorf("the table lacks %q:\n%s", s, plain.String())
		}
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(colour.String(), "\x1b[32m✓ 42") {
		t.Error("colour is where it must not be, or is missing")
	}
}

// TestMatrix_RenderNarrow: a terminal of 80 columns gets the states' numbers, and no line is too long;
// what concerns all states does not list them.
func TestMatrix_RenderNarrow(t *testing.T) {
	root := newRoot(t)
	every := Coverage{"spec": {}, "model": {s01: true, s02: true}}
	for _, s := range register.States() {
		every["spec"][s.ID] = true
	}
	var wide, narrow bytes.Buffer
	m := matrixOf(root, every)
	if err := errors.Join(m.Render(&wide, RenderOptions{Width: 93}),
		m.Render(&narrow, RenderOptions{Width: 80})); err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(narrow.String(), "\n") {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("line %d has %d columns: %q", i+1, n, l)
		}
	}
	for _, want := range []string{"S01    ○ NOT RUN", "NOT RUN spec all 27 states\n",
		"NOT RUN model S01 S02\n"} {
		if !strings.Contains(narrow.String(), want) {
			t.Errorf("the narrow table lacks %q:\n%s", want, narrow.String())
		}
	}
	if !strings.Contains(wide.String(), "S01AddEmpty  ") {
		t.Errorf("93 columns are enough for the names:\n%s", wide.String())
	}
}

func TestShortFigure(t *testing.T) {
	for f, want := range map[float64]string{
		1: "1", 999: "999", 1000: "1,000", 999_999: "999,999", 1_000_000: "1.00M",
		12_345_678: "12.3M", 999_999_999: "1000M", 1.5e9: "1.50G", 2e12: "2.00T", 2.5: "2.5",
	} {
		if got := ShortFigure(f); got != want || len(got) > 7 {
			t.Errorf("%v is %q, want %q", f, got, want)
		}
	}
}

func TestRecord_SaveRefuses(t *testing.T) {
	root := newRoot(t)
	for name, spoil := range map[string]func(*Record){
		"a pass without figure":    func(r *Record) { r.Figure = 0 },
		"a negative figure":        func(r *Record) { r.Figure = -1 },
		"a pass without unit":      func(r *Record) { r.Unit = "" },
		"a pass without bound":     func(r *Record) { r.Bound = "" },
		"a pass without command":   func(r *Record) { r.Command = "" },
		"a pass with a replay":     func(r *Record) { r.Replay = "token" },
		"a pass with a page":       func(r *Record) { r.Page = "page.html" },
		"a fail without reason":    func(r *Record) { r.Status = Fail },
		"an unknown status":        func(r *Record) { r.Status = "green" },
		"a derived status":         func(r *Record) { r.Status = NotBuilt },
		"an unknown link":          func(r *Record) { r.Link = "specs" },
		"a state's short form":     func(r *Record) { r.State = "S01" },
		"a record without inputs":  func(r *Record) { r.Inputs = Basis{} },
		"a path out of the folder": func(r *Record) { r.State = "../S01AddEmpty" },
	} {
		r := green(t, root, s01)
		spoil(&r)
		if err := r.Save(root); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: error %v, want a refused record", name, err)
		}
	}
	if _, err := os.Stat(Dir(root, "hopscotch")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused record left something behind: %v", err)
	}
}

// TestRecord_SaveIsDeterministic holds that judging the same files twice gives the same bytes.
func TestRecord_SaveIsDeterministic(t *testing.T) {
	root := newRoot(t)
	read := func() string {
		r := green(t, root, s01)
		r.Tools = map[string]string{"tlc": "2.18", "go": "1.26", "java": "17"}
		save(t, root, r)
		text, err := os.ReadFile(Path(root, "hopscotch", "spec", s01))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := read()
	time.Sleep(2 * time.Millisecond)
	if second := read(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
	if !strings.Contains(first, `"commit": "none"`) {
		t.Errorf("outside of git the commit is none:\n%s", first)
	}
}

func TestJudge(t *testing.T) {
	root := newRoot(t)
	put(t, root, "impl/a.go", "1")
	put(t, root, "impl/a_test.go", "2")
	put(t, root, "impl/deep/b.go", "3")
	put(t, root, "impl/deep/b_test.go", "3")
	put(t, root, "impl/.swap", "4")
	for _, c := range []struct {
		patterns []string
		want     string // "" for an error
	}{
		{[]string{"spec/*.tla"}, "spec/A.tla spec/B.tla"},
		{[]string{"impl/*.go"}, "impl/a.go impl/a_test.go"},
		{[]string{"impl/**", "!*_test.go"}, "impl/a.go impl/deep/b.go"},
		{[]string{"impl/**", "!impl/deep/**"}, "impl/a.go impl/a_test.go"},
		{[]string{"spec/B.tla", "spec/A.tla", "spec/*.tla"}, "spec/A.tla spec/B.tla"},
		{[]string{"spec/A.tla", "spec/Gone.tla"}, ""},
		{[]string{"spec/A.tla", "!spec/A.tla"}, ""},
		{[]string{"impl/**", "!**/*_test.go"}, ""}, // two stars are for the end of a pattern
		{[]string{"../spec/A.tla"}, ""},
		{[]string{"/etc/hosts"}, ""},
		{nil, ""},
	} {
		in, err := Judge(root, c.patterns...)
		if got := strings.Join(in.Files, " "); (err != nil) != (c.want == "") ||
			err == nil && got != c.want {
			t.Errorf("%q means %q (%v), want %q", c.patterns, got, err, c.want)
		}
		if err != nil && !errors.Is(err, ErrInputs) {
			t.Errorf("%q: %v must be ErrInputs", c.patterns, err)
		}
	}
}

func TestCommitOf(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT RUN: git is missing; install it: apt-get install git (Debian, Ubuntu) " +
			"or brew install git (macOS)")
	}
	root := newRoot(t)
	run := func(args ...string) string {
		t.Helper()
		args = append([]string{"-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org",
			"-c", "commit.gpgsign=false"}, args...)
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	files := []string{"spec/A.tla", "spec/B.tla"}
	expect := func(when, want string) {
		t.Helper()
		if got := CommitOf(root, files); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	expect("outside of git", NoCommit)
	run("init", "-q")
	expect("before the first commit", Uncommitted)
	run("add", ".")
	run("commit", "-q", "-m", "one")
	one := run("rev-parse", "--short=12", "HEAD")
	expect("committed", one)
	put(t, root, "other", "x")
	run("add", ".")
	run("commit", "-q", "-m", "two")
	expect("after a commit of other files", one)
	put(t, root, "spec/A.tla", "changed")
	expect("changed since", Uncommitted)
}
