package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExport_Names: a file that would be no test, or is there already, is refused before any work.
func TestExport_Names(t *testing.T) {
	for path, says := range map[string]string{
		"x.go":              "ends in _test.go",
		"_test.go":          "ends in _test.go",
		"main_test.go":      "the file exists",
		"no/such/x_test.go": "make it first",
	} {
		if code, _, errOut := call("replay", "x", "--export", path); code != exitUsage ||
			!strings.Contains(errOut, says) {
			t.Errorf("%s: status %d: %s", path, code, errOut)
		}
	}
}

// TestExport_Package: the test is one of the folder's package, from outside, or of the type's if the folder
// has none.
func TestExport_Package(t *testing.T) {
	dir := t.TempDir()
	if got := testPackage(dir, ""); got != "failure_test" {
		t.Errorf("a folder without a package: %s", got)
	}
	if got := testPackage(dir, "queue"); got != "queue_test" {
		t.Errorf("a folder without a package, for a type of package queue: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package some\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := testPackage(dir, "queue"); got != "some_test" {
		t.Errorf("a folder with package some: %s", got)
	}
}

// TestExport_HalfATest: of a test that cannot be written to the end nothing stays.
func TestExport_HalfATest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x_test.go")
	if err := os.WriteFile(path, []byte("pack"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path) // that cannot be written, as on a disk that is full
	if err != nil {
		t.Fatal(err)
	}
	err = writeWhole(f, []byte("age x"))
	if err == nil || !strings.Contains(err.Error(), "name another file") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("half of it stays: %v", err)
	}
}
