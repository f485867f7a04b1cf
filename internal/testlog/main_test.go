package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// the example: a test of each kind, and packages that break down.
var example = map[string]string{
	"go.mod": "module example.org/few\n\ngo 1.24\n",
	"few_test.go": `package few

import "testing"

func TestGood(t *testing.T) { t.Log("quiet") }
func TestBad(t *testing.T) {
	t.Run("inner", func(t *testing.T) { t.Error("five is four") })
	t.Run("other", func(t *testing.T) { t.Skip("NOT RUN: java missing") })
}
func TestSilent(t *testing.T) { t.SkipNow() }
func TestMany(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			t.Log("not this " + name)
			t.Skip("too many")
		})
	}
	t.Run("d", func(t *testing.T) { t.Skip("one too many") })
}
`,
	"breaks/breaks_test.go": `package breaks

import "testing"

func TestSkipped(t *testing.T) { t.Skip("too many") }
func TestBreaks(t *testing.T)  { panic("no floor") }
`,
	"broken/broken_test.go": "package broken\n\nvar x int = \"no\"\n",
	"exits/exits_test.go": `package exits

import (
	"fmt"
	"os"
	"testing"
)

func TestExits(t *testing.T) {
	fmt.Print("without an end of line")
	os.Exit(0)
}
`,
	"sleeps/sleeps_test.go": `package sleeps

import (
	"fmt"
	"testing"
	"time"
)

func TestSleeps(t *testing.T) {
	fmt.Print("half a line")
	time.Sleep(time.Hour)
}
`,
}

// testExample is what go test -json prints of the example, in a folder of its own.
func testExample(t *testing.T) []byte {
	dir := t.TempDir()
	for name, text := range example {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-json", "-timeout", "3s", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err == nil {
		t.Fatal("the tests of the example pass")
	}
	return out
}

// What go test -json prints of the example comes out as go test prints it, and the skipped tests are
// named with their reasons. What broke down is shown with what it said until then.
func TestLog(t *testing.T) {
	in := testExample(t)
	var out bytes.Buffer
	l := newLog(&out)
	if err := l.read(bytes.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if !l.end() {
		t.Error("nothing has failed")
	}
	got := out.String()
	for _, want := range []string{"skipped: TestSkipped in example.org/few/breaks: too many\n",
		"panic: no floor", "FAIL\texample.org/few/breaks\t", "without an end of line",
		"FAIL\texample.org/few/exits\t", "half a line", "panic: test timed out after 3s",
		"FAIL\texample.org/few/sleeps\t", "broken_test.go:3:",
		"FAIL\texample.org/few/broken [build failed]\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	at := -1
	for _, want := range []string{"--- FAIL: TestBad ", "--- FAIL: TestBad/inner ", "five is four",
		"FAIL\texample.org/few\t",
		"skipped: TestBad/other in example.org/few: NOT RUN: java missing\n",
		"skipped: TestSilent in example.org/few: it gives no reason\n",
		"skipped: TestMany/a and 2 others in example.org/few: too many\n",
		"skipped: TestMany/d in example.org/few: one too many\n"} {
		next := strings.Index(got, want)
		if next <= at {
			t.Errorf("%q does not come next in\n%s", want, got)
		}
		at = next
	}
	for _, unwanted := range []string{"=== RUN   TestBad", "quiet", "TestGood", "not this"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q is in\n%s", unwanted, got)
		}
	}
	failsEach(t, bytes.SplitAfter(in, []byte("\n")))
}

// failsEach wants each package that fails to do so on its own: the others do not stand in for it.
func failsEach(t *testing.T, lines [][]byte) {
	for _, name := range []string{"few", "few/breaks", "few/broken", "few/exits", "few/sleeps"} {
		l := newLog(io.Discard)
		for _, line := range lines {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Package == "example.org/"+name {
				l.take(e)
			}
		}
		if !l.end() {
			t.Errorf("%s passes", name)
		}
	}
}

// What ends in the middle has failed; what passes has not, and says no more than go test.
func TestLogEnds(t *testing.T) {
	start := `{"Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"--- PASS: TestX (0.00s)\n"}
{"Action":"pass","Package":"a","Test":"TestX"}
`
	for _, c := range []struct {
		name, in, out string
		failed        bool
	}{
		{"whole", start + `{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}
{"Action":"pass","Package":"a"}`, "ok  \ta\t0.1s\n", false},
		{"stopped", start, "FAIL\ta\tit never ended\n", true},
		{"stopped inside", `{"Action":"output","Package":"b","Test":"TestY","Output":"so far\n"}
{"Action":"output","Package":"a","Output":"panic: test timed out\n"}`,
			"panic: test timed out\nFAIL\ta\tit never ended\nso far\nFAIL\tb\tit never ended\n", true},
		{"crashed", start + `{"Action":"output","Package":"a","Test":"TestY","Output":"panic: no\n"}
{"Action":"fail","Package":"a"}`, "panic: no\n", true},
		{"long", strings.Repeat("x", 1<<20), strings.Repeat("x", 1<<20) + "\n", false},
		{"no event", "go: no such module\n", "go: no such module\n", false},
	} {
		var out bytes.Buffer
		l := newLog(&out)
		if err := l.read(strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if failed := l.end(); failed != c.failed || out.String() != c.out {
			t.Errorf("%s: failed %v, want %v; out %q, want %q", c.name, failed, c.failed, out.String(), c.out)
		}
	}
}

// The reason of a skipped test is the first line of what it said last, also if what follows is the output of
// a program.
func TestReason(t *testing.T) {
	for want, lines := range map[string][]string{
		"NOT RUN: no libraries: install them (exit status 1)": {
			"=== RUN   TestC\n", "    c_test.go:3: beside\n",
			"    c_test.go:9: NOT RUN: no libraries: install them (exit status 1)\n",
			"        a.h:1: error: stdlib.h is missing\n", "        compilation terminated.\n",
			"--- SKIP: TestC (0.00s)\n"},
		"printed without a place": {"printed without a place\n", "--- SKIP: TestC (0.00s)\n"},
		"it gives no reason":      {"--- SKIP: TestC (0.00s)\n"},
	} {
		if got := reason(lines); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
