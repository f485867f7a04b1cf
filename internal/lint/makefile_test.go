package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var reExplored = regexp.MustCompile(`(?m)^EXPLORED := ((?:.*\\\n)*.*)$`)

// ownFiles are the files of each package of the module, its tests too, in one text.
func ownFiles(t *testing.T, args ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	args = append([]string{"list", "-mod=readonly", "-f",
		"{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}"}, args...)
	for line := range strings.Lines(run(t, root(t), args...)) {
		name, files, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = files
	}
	return all
}

// untested are the packages that the tag changes and that are not among those tested with it.
func untested(plain, explored, tested map[string]string) (found []string) {
	for name, files := range explored {
		if _, ok := tested[name]; !ok && plain[name] != files {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// TestMakefile_TestsWhatTheTagChanges: in each build in which they differ.
func TestMakefile_TestsWhatTheTagChanges(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	m := reExplored.FindSubmatch(text)
	if m == nil {
		t.Fatal("the Makefile has no EXPLORED")
	}
	patterns := strings.Fields(strings.ReplaceAll(string(m[1]), "\\\n", " "))
	plain, explored := ownFiles(t, "./..."), ownFiles(t, "-tags", "explore", "./...")
	tested := ownFiles(t, append([]string{"-tags", "explore"}, patterns...)...)
	if found := untested(plain, explored, tested); found != nil {
		t.Errorf("EXPLORED of the Makefile lacks %v", found)
	}
	// The comparison can fail.
	delete(tested, Module+"/scenarios/hopscotch")
	want := []string{Module + "/scenarios/hopscotch"}
	if found := untested(plain, explored, tested); !slices.Equal(found, want) {
		t.Errorf("without the tests of the scenarios %v are missing", found)
	}
}

// reSlow finds the names of the tests that the quick lane leaves out.
var reSlow = regexp.MustCompile(`(?m)^SLOW := ((?:.*\\\n)*.*)$`)

// reTest finds the tests of a file.
var reTest = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// unmatched are those of the patterns, as go test -skip has them, that no test matches.
func unmatched(patterns, tests []string) (found []string) {
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil || !slices.ContainsFunc(tests, re.MatchString) {
			found = append(found, p)
		}
	}
	return found
}

// TestMakefile_LeavesOutTestsThatAreThere: the quick lane names no test that has gone, or has another name.
func TestMakefile_LeavesOutTestsThatAreThere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	m := reSlow.FindSubmatch(text)
	if m == nil {
		t.Fatal("the Makefile has no SLOW")
	}
	patterns := strings.Fields(strings.NewReplacer("\\\n", " ", "$$", "$").Replace(string(m[1])))
	var tests []string
	err = filepath.WalkDir(root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range reTest.FindAllSubmatch(text, -1) {
			tests = append(tests, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := unmatched(patterns, tests); found != nil || len(patterns) < 10 {
		t.Errorf("no test is called %v, which SLOW of the Makefile leaves out, of %d", found, len(patterns))
	}
	// The comparison can fail.
	if found := unmatched([]string{"TestA$", "TestAb", "TestC"}, []string{"TestAb"}); len(found) != 2 {
		t.Errorf("of three that are left out, two of which are not there, %v are told", found)
	}
}
