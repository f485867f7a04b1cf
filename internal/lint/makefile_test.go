package lint

import (
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
