// Command testlog reads what "go test -json" prints, shows it as go test itself does, and names at the
// end each test that was skipped, with its reason: a skipped test is not a passed one. It ends with
// status 1 when a test or a package failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	log := newLog(os.Stdout)
	if err := log.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testlog: the output of go test cannot be read:", err)
		os.Exit(1)
	}
	if log.end() {
		os.Exit(1)
	}
}

// event is one line of go test -json: see go doc test2json. That of a build has an import path.
type event struct {
	Action, Package, Test, Output, ImportPath string
}

// lineMax bounds a line of the input.
const lineMax = 1 << 24

// log shows the events of several packages, which come mixed.
type log struct {
	to       io.Writer
	packages map[string]*pkg
	skipped  []string // one line each
	failed   bool
}

// pkg is what is known of a package that has not ended.
type pkg struct {
	output []string            // outside of tests, in its order
	tests  map[string][]string // what each has printed so far
}

func newLog(to io.Writer) *log { return &log{to: to, packages: map[string]*pkg{}} }

// read takes the whole input. A line that is no event is shown as it is.
func (l *log) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, lineMax)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "" {
			fmt.Fprintln(l.to, lines.Text())
			continue
		}
		l.take(e)
	}
	return lines.Err()
}

func (l *log) take(e event) {
	switch {
	case e.Action == "build-output":
		fmt.Fprint(l.to, e.Output)
		return
	case e.Action == "build-fail":
		l.failed = true
		return
	case e.Package == "":
		return
	}
	p := l.packages[e.Package]
	if p == nil {
		p = &pkg{tests: map[string][]string{}}
		l.packages[e.Package] = p
	}
	switch {
	case e.Action == "output" && e.Test != "":
		p.tests[e.Test] = append(p.tests[e.Test], e.Output)
	case e.Action == "output":
		p.output = append(p.output, e.Output)
	case e.Test != "":
		l.endTest(p, e)
	case e.Action == "pass", e.Action == "fail", e.Action == "skip":
		l.endPackage(p, e)
	}
}

// endTest forgets what a passed test has printed, and keeps the rest for the end of the package: a
// failure with its table, which go test prints without -v, too, and of a skipped test the reason.
func (l *log) endTest(p *pkg, e event) {
	switch e.Action {
	case "fail":
		l.failed = true
		lines := headFirst(withoutFrames(p.tests[e.Test]), e.Test)
		if i := strings.LastIndexByte(e.Test, '/'); i >= 0 && p.tests[e.Test[:i]] != nil {
			p.tests[e.Test[:i]] = append(p.tests[e.Test[:i]], lines...)
			break
		}
		p.output = append(p.output, lines...)
	case "skip":
		l.skipped = append(l.skipped, fmt.Sprintf("skipped: %s in %s: %s", e.Test, e.Package,
			reason(p.tests[e.Test])))
	case "pass":
	default:
		return
	}
	delete(p.tests, e.Test)
}

// endPackage prints what is kept. What a test has printed that never ended, because the program broke
// down, is printed as well.
func (l *log) endPackage(p *pkg, e event) {
	if e.Action == "fail" {
		l.failed = true
		for _, lines := range p.tests {
			for _, line := range lines {
				fmt.Fprint(l.to, line)
			}
		}
	}
	for _, line := range p.output {
		if line != "PASS\n" {
			fmt.Fprint(l.to, line)
		}
	}
	delete(l.packages, e.Package)
}

// withoutFrames leaves out the lines that only go test -v prints.
func withoutFrames(lines []string) (out []string) {
	for _, line := range lines {
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "=== ") {
			out = append(out, line)
		}
	}
	return out
}

// headFirst puts the line with the verdict before what the test has said, as go test does without -v.
func headFirst(lines []string, test string) []string {
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "--- FAIL: "+test+" ") {
			rest := append(append([]string{}, lines[:i]...), lines[i+1:]...)
			return append([]string{line}, rest...)
		}
	}
	return lines
}

// reason is the last thing that a test said before it was skipped, in one line, without the place.
func reason(lines []string) string {
	said := ""
	for _, line := range withoutFrames(lines) {
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "--- ") {
			said = strings.TrimSpace(line)
		}
	}
	if place, text, ok := strings.Cut(said, ": "); ok && strings.Contains(place, ".go:") {
		said = text
	}
	if said == "" {
		return "it gives no reason"
	}
	return said
}

// end lists the skipped tests, and reports whether anything failed. A package without an end counts:
// its program, or go test itself, was stopped.
func (l *log) end() (failed bool) {
	for name := range l.packages {
		fmt.Fprintf(l.to, "FAIL\t%s\tit never ended\n", name)
		l.failed = true
	}
	for _, line := range l.skipped {
		fmt.Fprintln(l.to, line)
	}
	return l.failed
}
