package campaign

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// repository is a module of this name under git, with a package that a campaign judges.
type repository struct {
	t    *testing.T
	root string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT RUN: git is missing")
	}
	r := &repository{t, t.TempDir()}
	r.put("go.mod", "module "+closure.Module+"\n\ngo 1.26\n")
	r.put("impl/judged/judged.go", "package judged\n\nimport _ \""+closure.Module+"/impl/below\"\n")
	r.put("impl/below/below.go", "package below\n\nconst n = 1\n")
	r.git("init", "-q")
	return r
}

func (r *repository) put(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	args = append([]string{"-C", r.root, "-c", "user.name=n", "-c", "user.email=e"}, args...)
	cmd := exec.Command("git", args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits all files, and returns the abbreviated hash.
func (r *repository) commit() string {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", "a commit")
	return r.git("rev-parse", "--short=12", "HEAD")
}

// figures puts the file of a campaign, which is of this commit.
func (r *repository) figures(commit string) {
	r.t.Helper()
	r.put("results/some.json", `{"seed": 1, "commit": "`+commit+`"}`)
}

// status judges a campaign whose code is impl/judged.
func (r *repository) status(files ...string) Status {
	r.t.Helper()
	c := Campaign{Name: "some", File: "results/some.json",
		Scope: closure.Scope{Packages: []string{"impl/judged"}, Files: files}}
	told := 0
	list, err := Judge(context.Background(), closure.Open(r.root), []Campaign{c}, func(Campaign) { told++ })
	if err != nil || len(list) != 1 || told != 1 {
		r.t.Fatalf("%d campaigns of 1, %d told, %v", len(list), told, err)
	}
	return list[0]
}

func TestJudge_Current(t *testing.T) {
	r := newRepository(t)
	r.figures(r.commit())
	if s := r.status(); s.Verdict != Current || len(s.Changes) > 0 || s.Why != "" {
		t.Errorf("nothing has changed: %+v", s)
	}
	r.put("impl/below/below.go", "// Package below has a comment now.\npackage below\n\nconst n = 1\n")
	r.put("impl/other/other.go", "package other\n")
	if s := r.status(); s.Verdict != Current {
		t.Errorf("a comment, and a package that nobody imports: %+v", s)
	}
}

func TestJudge_Outdated(t *testing.T) {
	r := newRepository(t)
	r.put("impl/judged/tests.txt", "one")
	r.figures(r.commit())
	r.put("impl/below/below.go", "package below\n\nconst n = 2\n")
	s := r.status()
	if s.Verdict != Stale || !slices.Equal(s.Changes, []string{"impl/below/below.go has changed"}) {
		t.Errorf("a package that the judged one imports has changed: %+v", s)
	}
	r.put("impl/below/below.go", "package below\n\nconst n = 1\n")
	r.put("impl/judged/tests.txt", "two")
	s = r.status("impl/judged/*.txt")
	if s.Verdict != Stale || !slices.Equal(s.Changes, []string{"impl/judged/tests.txt has changed"}) {
		t.Errorf("a file of the scope has changed: %+v", s)
	}
}

// Figures from before the packages had their present places are of other code, whatever that was.
func TestJudge_AnotherLayout(t *testing.T) {
	r := newRepository(t)
	if err := os.Rename(filepath.Join(r.root, "impl/judged"), filepath.Join(r.root, "judged")); err != nil {
		t.Fatal(err)
	}
	before := r.commit()
	if err := os.Rename(filepath.Join(r.root, "judged"), filepath.Join(r.root, "impl/judged")); err != nil {
		t.Fatal(err)
	}
	r.figures(before)
	s := r.status()
	if s.Verdict != Stale || !slices.Equal(s.Changes, []string{"impl/judged is new"}) {
		t.Errorf("%+v", s)
	}
}

func TestJudge_Unknown(t *testing.T) {
	for name, c := range map[string]struct{ figures, says string }{
		"no such commit":     {`{"commit": "0123456789ab"}`, "git cannot read commit 0123456789ab"},
		"of no commit":       {`{"commit": "uncommitted", "note": "see commit 0123456"}`, `("uncommitted")`},
		"without a commit":   {`{"seed": 1}`, "names no commit"},
		"an option for git":  {`{"commit": "--output=x"}`, `("--output=x")`},
		"nothing of figures": {``, "names no commit"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.commit()
			r.put("results/some.json", c.figures)
			s := r.status()
			if s.Verdict != Unknown || !strings.Contains(s.Why, c.says) {
				t.Errorf("%s: %q must say %q", s.Verdict, s.Why, c.says)
			}
		})
	}
	r := newRepository(t)
	r.commit()
	if s := r.status(); s.Verdict != Unknown || !strings.Contains(s.Why, "some.json") {
		t.Errorf("without a file: %+v", s)
	}
}

func TestCampaign_CommitOfAPage(t *testing.T) {
	for text, want := range map[string]string{
		"- Commit `630edcec`, go1.26.8":             "630edcec",
		"on 21 November 2026, commit 2d7906a, go":   "2d7906a",
		"commits are many; commit de8cb33c8a63 too": "de8cb33c8a63",
	} {
		r := repository{t, t.TempDir()}
		r.put("page.md", text)
		got, err := Campaign{File: "page.md"}.Commit(r.root)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	r := repository{t, t.TempDir()}
	r.put("page.md", "a commit added the face of a clock")
	if got, err := (Campaign{File: "page.md"}).Commit(r.root); !errors.Is(err, ErrFigures) {
		t.Errorf("a page without a commit: %q, %v", got, err)
	}
}

// own are files of figures that say in other ways what they are of: records have hashes, and these pages
// stand beside a file that is a campaign's.
var own = regexp.MustCompile(`/(records|findings)/|^(index|rivals|goker|racetests)\.json$`)

// Each file of figures under results belongs to a campaign, so none can be older than the code unseen.
func TestAll_CoverResults(t *testing.T) {
	const root = "../.."
	known, names := map[string]bool{}, map[string]bool{}
	for _, c := range All {
		if names[c.Name] {
			t.Errorf("two campaigns have the name %s", c.Name)
		}
		names[c.Name], known[c.File] = true, true
		if _, err := os.Stat(filepath.Join(root, c.File)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	found := 0
	top := filepath.Join(root, "results")
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		found++
		if !known[name] && !own.MatchString(name) && !own.MatchString(filepath.Base(name)) {
			t.Errorf("%s: no campaign has this file of figures", name)
		}
		return nil
	})
	if err != nil || found < len(All)/2 {
		t.Errorf("%d files of figures, %v", found, err)
	}
}

// Every scope can be read now: a folder that has moved would be told as a change of the code for ever.
func TestAll_ScopesExist(t *testing.T) {
	tree := closure.Open("../..")
	for _, c := range All {
		list, err := tree.Of(context.Background(), c.Scope, "")
		if err != nil || len(list) < 2 {
			t.Errorf("%s: %d files, %v", c.Name, len(list), err)
		}
	}
}
