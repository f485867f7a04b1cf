package foreign

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestOutput: lines of progress are passed on, however they come, and of the others the end is kept, or why
// the runtime has ended the process.
func TestOutput(t *testing.T) {
	var log strings.Builder
	o := &output{log: &log}
	for _, part := range []string{"noise\n" + driver.Mark[:3], driver.Mark[3:] + "one\nnoise ", "more\n",
		driver.Mark + "two\nlast"} {
		if n, err := io.WriteString(o, part); n != len(part) || err != nil {
			t.Fatalf("%q: %d, %v", part, n, err)
		}
	}
	if log.String() != "one\ntwo\n" || o.end() != "noise\nnoise more\nlast" {
		t.Errorf("log %q, end %q", log.String(), o.end())
	}
	for range mostKept {
		fmt.Fprint(o, "without an end ")
	}
	if n := len(o.end()); n > 2*mostKept || !strings.HasSuffix(o.end(), "without an end") {
		t.Errorf("it keeps %d bytes: %q", n, o.end()[n-20:])
	}
	fmt.Fprint(o, "\npanic: first\n\ngoroutine 1:\nfatal error: second\n",
		strings.Repeat("frame\n", mostKept))
	if o.end() != "panic: first" {
		t.Errorf("the end is %q", o.end())
	}
}
