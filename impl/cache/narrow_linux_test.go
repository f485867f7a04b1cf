//go:build amd64 && !explore

package cache

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// narrowTests are those whose code is another one where a word has 32 bits, as what makes Close wait for
// calls, and one or more of each call.
const narrowTests = "^Test(Add|Ask|Calls|Close|Compute|Counts|Expiry|Get|Handles|Model|Open|Stats|Tiers|" +
	"Typed|Walk)"

// TestNarrow: these tests pass in a program of 32 bits, too.
func TestNarrow(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN: it builds all of the package once more: run it without -short")
	}
	binary := t.TempDir() + "/cache.test"
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := exec.Command(binary, "-test.short", "-test.v", "-test.run", narrowTests)
	out, err := run.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skipf("NOT RUN: this system runs no programs of 32 bits (%v): use a kernel with IA32 emulation",
			err)
	}
	if passed := bytes.Count(out, []byte("\n--- PASS")); err != nil || passed < 50 {
		t.Errorf("%v, %d tests pass: %s", err, passed, out)
	}
}
