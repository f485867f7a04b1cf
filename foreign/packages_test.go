package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// severalPackages is a module with tests in some of its folders.
func severalPackages(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		at := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700),
			os.WriteFile(at, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestTestPackages: FOLDER/... is each package at the folder or below it that has a test which matches, as a
// target that can be explored.
func TestTestPackages(t *testing.T) {
	one := "package p\nimport \"testing\"\nfunc TestOne(t *testing.T) {}\n"
	folder := severalPackages(t, map[string]string{
		"go.mod": "module example.com/m\n", "root_test.go": one, "a/a_test.go": one, "ab/ab_test.go": one,
		"a/b/b_test.go": strings.ReplaceAll(one, "TestOne", "TestTwo"), "a/testdata/x_test.go": one,
		"_b/b_test.go": one, "a/none/none.go": "package p\n", "other/go.mod": "module example.com/other\n",
		"other/other_test.go": one,
	})
	for _, x := range []struct{ spec, test, want, err string }{
		{"/...", ".", "/ /a /a/b /ab", ""},
		{"/...", "One", "/ /a /ab", ""},
		{"/...", "Two/sub", "/a/b", ""},
		{"/a/...", ".", "/a/ /a/b", ""},
		{"/a/b/...", ".", "/a/b/", ""},
		{"/ab/...", "Two", "", "/ab/... matches Two; it has:\n  ab: TestOne"},
		{"/...", "Three", "",
			"matches Three; it has:\n  .: TestOne\n  a: TestOne\n  a/b: TestTwo\n  ab: TestOne"},
		{"/...", "(", "", "--test: error parsing regexp"},
		{"/none/...", ".", "", "no such file or directory; name a folder that can be read"},
	} {
		got, err := TestPackages(t.Context(), folder+x.spec, x.test)
		if x.err != "" {
			if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), x.err) {
				t.Errorf("%s %s: %v", x.spec, x.test, err)
			}
			continue
		}
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], folder)
		}
		if want := strings.Fields(x.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s %s: %q, %v, want %q", x.spec, x.test, got, err, want)
		}
	}
	if !Everywhere("./...") || !Everywhere("a/...") || Everywhere("./a") || Everywhere("...") {
		t.Error("what stands for several packages is something else")
	}
}
