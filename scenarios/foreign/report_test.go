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
