package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRegionCommands_LookOnly: who prints and who judges is no process of the region, writes nothing, and
// keeps nothing of the file.
func TestRegionCommands_LookOnly(t *testing.T) {
	path, _, _ := regionFile(t, 4)
	killOne(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opened := descriptorsOf(t, path)
	if opened == 0 {
		t.Fatal("the canary: this process has the region open")
	}
	for _, command := range []string{"dump", "dump --json", "verify", "watch --count 1", "repair --dry-run"} {
		code, out, errOut := call(append(strings.Fields(command), path)...)
		after, err := os.ReadFile(path)
		if code != exitOK || err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s: the file is another one, or %v: %d\n%s%s", command, err, code, out, errOut)
		}
		if n := descriptorsOf(t, path); n != opened {
			t.Errorf("%s: %d descriptors of the file are open, before it %d", command, n, opened)
		}
	}
}

// descriptorsOf counts the descriptors that this process has of a file, by whatever name it was made.
func descriptorsOf(t *testing.T, path string) (n int) {
	t.Helper()
	file, failed := os.Stat(path)
	all, err := os.ReadDir("/proc/self/fd")
	if err = errors.Join(failed, err); err != nil {
		t.Fatal(err)
	}
	for _, fd := range all { // one that is gone by now is none
		is, err := os.Stat(filepath.Join("/proc/self/fd", fd.Name()))
		if err == nil && os.SameFile(is, file) {
			n++
		}
	}
	return n
}
