package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What go test -json prints of a package with one test of each kind comes out as go test prints it, and
// the skipped ones are named with their reasons.
func TestLog(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/few\n\ngo 1.24\n",
		"few_test.go": `package few

import "testing"

func TestGood(t *testing.T) { t.Log("quiet") }
func TestBad(t *testing.T) {
	t.Run("inner", func(t *testing.T) { t.Error("five is four") })
	t.Run("other", func(t *testing.T) { t.Skip("NOT RUN: java missing") })
}
func TestSilent(t *testing.T) { t.SkipNow() }
`,
		"broken/broken_test.go": "package broken\n\nvar x int = \"no\"\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-json", "./...")
	cmd.Dir = dir
	in, err := cmd.Output()
	if err == nil {
		t.Fatal("the tests of the example pass")
	}
	var out bytes.Buffer
	l := newLog(&out)
	if err := l.read(bytes.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if !l.end() {
		t.Error("nothing has failed")
	}
	got := out.String()
	at := -1
	for _, want := range []string{"--- FAIL: TestBad ", "--- FAIL: TestBad/inner ", "five is four",
		"FAIL\texample.org/few\t",
		"skipped: TestBad/other in example.org/few: NOT RUN: java missing\n",
		"skipped: TestSilent in example.org/few: it gives no reason\n"} {
		next := strings.Index(got, want)
		if next <= at {
			t.Errorf("%q does not come next in\n%s", want, got)
		}
		at = next
	}
	for _, unwanted := range []string{"=== ", "quiet", "TestGood"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q is in\n%s", unwanted, got)
		}
	}
	if !strings.Contains(got, "broken_test.go:3:") {
		t.Errorf("the compiler's complaint is not in\n%s", got)
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
		{"crashed", start + `{"Action":"output","Package":"a","Test":"TestY","Output":"panic: no\n"}
{"Action":"fail","Package":"a"}`, "panic: no\n", true},
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
