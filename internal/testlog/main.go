// Command testlog reads what "go test -json" prints, shows it as go test itself does, and tells at the
// end which tests were skipped, with their reasons: a skipped test is not a passed one. Tests of one
// package with one reason share a line. It ends with status 1 when a test or a package failed.
//
// Without arguments it reads its standard input. With arguments it runs several commands beside one another,
// and ends with status 1 also when one of them does not end with status 0. Each of them follows a "--" and a
// name, which its lines of packages have at their ends:
//
//	testlog -- plain go test -json ./... -- explored go test -json -tags explore ./explore/...
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	// go test gets the interrupt as well, and ends: what it has found until then is worth reading. Notify,
	// not Ignore, which commands would inherit.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if len(os.Args) > 1 {
		runs, err := split(os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "testlog:", err)
			os.Exit(2)
		}
		if beside(runs, os.Stdout, os.Stderr) {
			os.Exit(1)
		}
		return
	}
	log := newLog(os.Stdout)
	err := log.read(os.Stdin)
	failed := log.end()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testlog: the output of go test cannot be read to its end:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// event is one line of go test -json: see go doc test2json. That of a build has an import path.
type event struct {
	Action, Package, Test, Output, ImportPath string
}

// log shows the events of several packages, which come mixed.
type log struct {
	to       io.Writer
	name     string // of the run, at the end of each line of a package; "" is none
	packages map[string]*pkg
	skipped  []skips
	failed   bool
	taken    func() // called after each line of the input, when all that it gave is written
}

// skips are the tests of one package that were skipped for one reason.
type skips struct {
	pkg, reason string
	tests       []string
}

// pkg is what is known of a package that has not ended.
type pkg struct {
	output []string            // outside of tests, in its order
	tests  map[string][]string // what each has printed so far
}

func newLog(to io.Writer) *log {
	return &log{to: to, packages: map[string]*pkg{}, taken: func() {}}
}

// read takes the whole input. A line that is no event is shown as it is.
func (l *log) read(from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil || e.Action == "":
			fmt.Fprintf(l.to, "%s\n", bytes.TrimSuffix(line, []byte("\n")))
		default:
			l.take(e)
		}
		l.taken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
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

// endTest drops the output of a test that passed, and keeps the rest for the end of the package: the output
// of a failed test, which go test prints without -v as well, and the reason of a skipped test.
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
		l.skip(e.Package, e.Test, reason(p.tests[e.Test]))
	case "pass":
	default:
		return
	}
	delete(p.tests, e.Test)
}

func (l *log) skip(pkg, test, reason string) {
	for i := range l.skipped {
		if s := &l.skipped[i]; s.pkg == pkg && s.reason == reason {
			s.tests = append(s.tests, test)
			return
		}
	}
	l.skipped = append(l.skipped, skips{pkg, reason, []string{test}})
}

func (s skips) String() string {
	others := ""
	switch n := len(s.tests) - 1; {
	case n == 1:
		others = " and 1 other"
	case n > 1:
		others = fmt.Sprintf(" and %d others", n)
	}
	return fmt.Sprintf("skipped: %s%s in %s: %s", s.tests[0], others, s.pkg, s.reason)
}

func (l *log) endPackage(p *pkg, e event) {
	l.failed = l.failed || e.Action == "fail"
	l.show(p, e.Action == "fail")
	delete(l.packages, e.Package)
}

// show prints what is kept of a package; if it has failed, also what a test has printed that never
// ended, because the program broke down.
func (l *log) show(p *pkg, failed bool) {
	if failed {
		for _, test := range slices.Sorted(maps.Keys(p.tests)) {
			fmt.Fprint(l.to, strings.Join(p.tests[test], ""))
		}
	}
	for _, line := range p.output {
		if line != "PASS\n" {
			fmt.Fprint(l.to, l.named(line))
		}
	}
}

// suffix is what tells the lines of several runs apart.
func (l *log) suffix() string {
	if l.name == "" {
		return ""
	}
	return "(" + l.name + ")"
}

// named is a line with the name of the run at its end, if it is one that sums up a package.
func (l *log) named(line string) string {
	if l.name == "" {
		return line
	}
	for _, start := range []string{"ok  \t", "FAIL\t", "?   \t"} {
		if strings.HasPrefix(line, start) {
			return strings.TrimSuffix(line, "\n") + "\t" + l.suffix() + "\n"
		}
	}
	return line
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

// reason is the last thing that a test said before it was skipped, without the place. Of a text of several
// lines it is the first one.
func reason(lines []string) string {
	said, placed := "", false
	for _, line := range withoutFrames(lines) {
		line = strings.TrimSpace(line)
		place, text, ok := strings.Cut(line, ": ")
		switch ok = ok && strings.Contains(place, ".go:"); {
		case ok:
			said, placed = text, true
		case !placed && !strings.HasPrefix(line, "--- "):
			said = line
		}
	}
	if said == "" {
		return "it gives no reason"
	}
	return said
}

// end lists the skipped tests, and reports whether anything failed. A package without an end counts:
// its program, or go test itself, was stopped.
func (l *log) end() (failed bool) {
	for _, name := range slices.Sorted(maps.Keys(l.packages)) {
		l.show(l.packages[name], true)
		fmt.Fprint(l.to, l.named(fmt.Sprintf("FAIL\t%s\tit never ended\n", name)))
		l.failed = true
	}
	for _, s := range l.skipped {
		fmt.Fprintln(l.to, strings.TrimSpace(s.String()+" "+l.suffix()))
	}
	return l.failed
}
