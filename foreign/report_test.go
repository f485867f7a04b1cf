package foreign

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
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
	every := driver.Result{Name: "TestA", Programs: 1, Complete: 1, Status: driver.Clean, Exhaustive: true}
	skips := driver.Result{Name: "TestB", Programs: 1, Status: driver.Skipped, Message: "NOT RUN: no"}
	for _, c := range []struct {
		results []driver.Result
		head    string
	}{
		{[]driver.Result{whole}, "a: clean with at most 2 preemptions\n"},
		{[]driver.Result{whole, part}, "a: clean as far as searched: with at most 2 preemptions; 7 of 40 " +
			"programs to the end\n"},
		{[]driver.Result{whole, part, failed}, "a: found\n"},
		{[]driver.Result{every, skips}, "a: clean as far as searched: without 1 test that skips itself\n"},
		{[]driver.Result{skips}, "a: unknown\n"},
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

// TestReport_Limits: a report tells what was called on what, and what was not searched; what was not keeps it
// from being plainly clean. JSON has the same.
func TestReport_Limits(t *testing.T) {
	r := Report{Outside: []string{"a.b/c", "a.b/d"}, Report: driver.Report{Target: "a",
		Results: []driver.Result{{Name: "pairs", Programs: 4, Status: driver.Clean}},
		Maker:   "New(2)", NotMade: []string{"New(0): it returns nil"}, Methods: []string{"Add", "Len"},
		Crashes: []string{"{New(2)} Add() || Add(): a goroutine that it starts panics: x"}}}
	const hint = "\nplain accesses were not looked at; --races does\n"
	want := []string{"a: clean as far as searched: without 2 packages in no copy; without programs that " +
		"end the process in a sequential order\n", "\nmade by New(2); called: Add, Len\n",
		"\nmakes no value:\n  New(0): it returns nil\n", "is not explored:\n  a.b/c\n  a.b/d\n",
		"\nends the process in a sequential order, and is not searched:\n  {New(2)} Add() || Add(): a gor",
		hint}
	for _, w := range want {
		if text := r.Text(); !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
	text, err := json.Marshal(r)
	for _, w := range []string{`"outside":["a.b/c","a.b/d"]`, `"maker":"New(2)"`, `"methods":["Add","Len"]`,
		`"not_made":["New(0): it returns nil"]`, `"crashes":["{New(2)} Add() || Add(): `, `"races":false`} {
		if err != nil || !strings.Contains(string(text), w) {
			t.Errorf("%s is missing in %s, %v", w, text, err)
		}
	}
	if r.Races = true; strings.Contains(r.Text(), hint) {
		t.Error("races were looked for, yet the report says they were not")
	}
	r.Races, r.Results[0].Status = false, driver.Found
	if text := r.Text(); strings.Contains(text, hint) || !strings.HasPrefix(text, "a: found\n") {
		t.Errorf("what was found is told as\n%s", text)
	}
	r.Results = append(r.Results, driver.Result{Name: "drawn", Programs: 1, Status: driver.Clean})
	if text := r.Text(); !strings.Contains(text, hint) {
		t.Errorf("beside what was found a clean row does without the hint:\n%s", text)
	}
}
