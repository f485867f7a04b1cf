package racetests

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/foreign/driver"
)

// A Result is what the page is made of.
type Result struct {
	Commit  string   `json:"commit"`
	Go      string   `json:"go"` // the distribution whose tests they are, too
	Seed    uint64   `json:"seed"`
	Time    string   `json:"time"` // for all tests together
	LeftOut []string `json:"left_out"`
	All     []Test   `json:"all"`
}

// Write writes racetests.json and racetests.md into the folder.
func Write(folder string, o Options, f Figure) error {
	r := Result{o.Commit, runtime.Version(), o.Seed, o.Time.String(), f.LeftOut, f.All}
	return bench.WritePage(folder, "racetests", r, r.page())
}

const head = `# The tests of Go's race detector

    make racetests

Each Go distribution has the tests of its race detector (src/runtime/race/testdata). Their names say what is
right: TestRace… has a data race, and TestNoRace… has none. Those that can be built outside of the
distribution, %[4]d of them, were explored without changes, as by "samecycle explore --test . --races", for at
most %[5]s together.

Commit %[1]s, tests of %[2]s, seed %[3]d. Machine-readable: [racetests.json](racetests.json).

- "race found" is a data race that the explorer reports. The race detector looks at one execution, and many of
  these tests sleep so that it sees the race; the explorer looks at all orders, and its clock stands still.
- "clean, all" are tests of which all interleavings were searched, "clean, bounded" those of which they were
  searched with at most a number of preemptions.
- "unknown" is a test that was not searched to the end, or that uses what the explorer does not control. The
  reason is below. "skipped" are tests that skip themselves.
- Finalizers and cleanups do not run. A test that uses some is clean only "as far as searched", and the report
  of the explorer says so.

`

// page is the page for a reader.
func (r Result) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, r.Commit, r.Go, r.Seed, len(r.All), r.Time)
	b.WriteString("| tests | number | race found | another failure | clean, all | clean, bounded | " +
		"unknown | skipped |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, racy := range []bool{true, false} {
		var n, races, others, all, bounded, unknown, skipped int
		for _, t := range r.All {
			if t.Race() != racy {
				continue
			}
			n++
			switch {
			case t.Status == driver.Found && t.Kind == race:
				races++
			case t.Status == driver.Found:
				others++
			case t.Status == driver.Clean && t.Exhaustive:
				all++
			case t.Status == driver.Clean:
				bounded++
			case t.Status == driver.Skipped:
				skipped++
			default:
				unknown++
			}
		}
		name := "TestNoRace…, without a race"
		if racy {
			name = "TestRace…, with a race"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, n, races, others, all, bounded,
			unknown, skipped)
	}
	r.list(&b, "What came out otherwise than the name says", Test.Wrong)
	r.list(&b, "What is unknown, and why", func(t Test) bool { return t.Status == driver.Unknown })
	if len(r.LeftOut) > 0 {
		b.WriteString("\n## What was left out\n\n")
		for _, what := range r.LeftOut {
			fmt.Fprintf(&b, "- %s\n", what)
		}
	}
	return b.String()
}

// list lists some of the tests.
func (r Result) list(b *strings.Builder, title string, of func(Test) bool) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	some := false
	for _, t := range r.All {
		if !of(t) {
			continue
		}
		if !some {
			b.WriteString("| test | result | kind | executions | message |\n|---|---|---|--:|---|\n")
		}
		some = true
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s |\n", t.Name, t.Status, t.Kind, t.Executions,
			strings.ReplaceAll(t.Message, "|", "\\|"))
	}
	if !some {
		b.WriteString("None.\n")
	}
}
