//go:build !explore

package shardmap

import (
	"os/exec"
	"strings"
	"testing"
)

// An access is an instruction and no call, which would cost as much as the access. The compiler inlines
// the methods of seam's words only if the package imports sync/atomic itself. (What it says of the
// steps of cleanups it says where somebody uses the map, which is generic.)
func TestSteps_AreInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN: it compiles the package; run it without -short")
	}
	text, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	const inlined = "inlining call to atomic.(*Uint32)."
	for _, method := range []string{"Add", "Load", "Or", "And"} {
		if !strings.Contains(string(text), inlined+method) {
			t.Errorf("the compiler does not say %q: does a file of the package import sync/atomic?",
				inlined+method)
		}
	}
}
