package foreign

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// The columns of a report are below their names, however long the names of its suites are.
func TestReport_Columns(t *testing.T) {
	r := Report{Report: driver.Report{Target: "a", Results: []driver.Result{
		{Name: "GetOrInsert(1, 1) and Set(2, 2)", Status: driver.Clean},
		{Name: "short", Status: driver.Clean},
	}}}
	lines := strings.Split(r.Text(), "\n")
	head, rows := lines[2], lines[3:5]
	for _, row := range rows {
		if at := strings.Index(row, string(driver.Clean)); at != strings.Index(head, "status") {
			t.Errorf("the status is in column %d of %q, below %q", at, row, head)
		}
	}
}

// A result of one program has its text in the head, one of all programs none.
func TestReport_Heads(t *testing.T) {
	r := Report{Report: driver.Report{Results: []driver.Result{
		{Name: "Add", Program: "{} Add() || Add()", Status: driver.Found, Message: "wrong"},
		{Name: "pairs", Status: driver.Unknown, Message: "not seen"},
	}}}
	for _, want := range []string{"\nAdd: {} Add() || Add()\nwrong\n", "\npairs\nnot seen\n"} {
		if text := r.Text(); !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// TestReport_InPart: where some programs were not searched to their end, neither the head nor the row says
// clean without how many were.
func TestReport_InPart(t *testing.T) {
	whole := driver.Result{Name: "pairs", Programs: 4, Status: driver.Clean, Exhaustive: true, Preemptions: 2}
	part := driver.Result{Name: "drawn", Programs: 36, Cut: 33, Status: driver.Clean,
		Bound: "3 of 36 programs to the end, with at most 2 preemptions"}
	failed := driver.Result{Name: "Add", Programs: 1, Status: driver.Found}
	for _, c := range []struct {
		results []driver.Result
		head    string
	}{
		{[]driver.Result{whole}, "a: clean\n"},
		{[]driver.Result{whole, part}, "a: clean as far as searched: 7 of 40 programs to the end\n"},
		{[]driver.Result{whole, part, failed}, "a: found\n"},
	} {
		text := Report{Report: driver.Report{Target: "a", Results: c.results}}.Text()
		if !strings.HasPrefix(text, c.head) {
			t.Errorf("the head is not %q:\n%s", c.head, text)
		}
		for line := range strings.Lines(text) {
			rest, row := strings.CutPrefix(line, "drawn ")
			says := strings.Contains(rest, "clean, in part ") && strings.HasSuffix(rest, part.Bound+"\n")
			if row && !says {
				t.Errorf("the row of what was searched in part is %q", line)
			}
		}
	}
}
