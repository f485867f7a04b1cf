package rivals

import (
	"context"
	"strings"
	"testing"
	"time"
)

// The figures that a program states are those of the enumeration by brute force. One program has
// too many orders for a test of seconds; the command checks its outcomes before each measurement.
func TestTruth(t *testing.T) {
	ps, err := Programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Waits {
			if _, err := Waiting(p); err != nil {
				t.Error(err)
			}
			if _, err := Truth(p, 10); err == nil {
				t.Errorf("%s waits and was enumerated", p.Name)
			}
			continue
		}
		r, err := Truth(p, 20_000)
		if p.Name == "cas3x2" {
			if err == nil {
				t.Errorf("the limit did not stop cas3x2")
			}
			continue
		}
		if err != nil || r.Traces != p.Traces || len(r.Outcomes) != p.Outcomes {
			t.Errorf("%s: %d classes, %d outcomes, %v; want %d and %d", p.Name, r.Traces,
				len(r.Outcomes), err, p.Traces, p.Outcomes)
		}
	}
}

// Orders of n accesses of two threads that have a and b of them are the binomial coefficients; so
// the enumeration itself is checked by arithmetic.
func TestTruth_Counts(t *testing.T) {
	for name, want := range map[string]int{"ctr2x3": 20, "ctr3x2": 90, "ctr2x6": 924, "ctr3x3": 1680,
		"zig2x4": 70, "priv2x3": 20, "alt3x3": 1680} {
		if r, err := Truth(program(t, name), 20_000); err != nil || r.Orders != want {
			t.Errorf("%s: %d orders, %v; want %d", name, r.Orders, err, want)
		}
	}
}

func program(t *testing.T, name string) Program {
	t.Helper()
	ps, err := Programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no program %s", name)
	return Program{}
}

// The explorer finds what the enumeration finds, nothing else, in both modes.
func TestOurs(t *testing.T) {
	for _, name := range []string{"sb", "hole", "cas2x1", "race2x2", "zig2x4", "seqlock", "ticket2"} {
		p := program(t, name)
		want, err := Waiting(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, reduced := range []bool{false, true} {
			s := Subject{"samecycle", "", ours(reduced)}
			r := s.Run(context.Background(), p, want, time.Millisecond)
			if r.NotRun != "" {
				t.Errorf("%s, reduced %v: %+v", name, reduced, r)
			}
			// A search has as long as it is repeated for: milliseconds if the machine is idle.
			for limit := 50 * time.Millisecond; !r.Exhausted && limit < time.Minute; limit *= 2 {
				r = s.Run(context.Background(), p, want, limit)
			}
			if !r.Exhausted || r.Missed != 0 || r.Foreign != 0 {
				t.Errorf("%s, reduced %v: %+v", name, reduced, r)
			}
		}
	}
}

// A missing and an impossible outcome are both told.
func TestJudge(t *testing.T) {
	r := Run{Outcomes: []string{"a", "x"}}
	r.judge(map[string]bool{"a": true, "b": true, "c": true})
	if r.Found != 1 || r.Missed != 2 || r.Foreign != 1 {
		t.Errorf("%+v", r)
	}
}

func TestAssemble_Bad(t *testing.T) {
	for text, want := range map[string]string{
		"jmp nowhere":     "no label",
		"load 5 [0]":      "no register",
		"load r0":         "no instruction",
		"store [0] r9":    "no operand",
		"store [r1+r2] 1": "no operand",
		"swap r0 [0] 1":   "no instruction",
	} {
		if _, err := Assemble(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A rival that is not there is NOT RUN, in the table and with its reason.
func TestTable(t *testing.T) {
	p := program(t, "hole")
	absent := Subject{"loom", "all", external(build(context.Background(), ".", "no-such-tool"), nil)}
	table := Table{Programs: []Program{p}, Subjects: []string{"samecycle all", "loom all"}}
	table.Add(absent.Run(context.Background(), p, nil, time.Second))
	table.Add(Run{Tool: "samecycle", Mode: "all", Program: "hole", Executions: 60, Searches: 10,
		Exhausted: true, Seconds: 0.001, Missed: 1})
	page := table.Page()
	for _, want := range []string{"| hole | 4 | 4 | 6, misses 1 | NOT RUN |", "| hole | 60 | NOT RUN |"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if r := table.Reasons(); len(r) != 1 || r[0] != "loom all: no-such-tool is not installed" {
		t.Errorf("reasons: %q", r)
	}
	if most, where := table.Excess("samecycle all"); most != 1.5 || where != "hole" {
		t.Errorf("excess %v in %s, want 6 executions of 4 classes", most, where)
	}
	if missed, _ := table.Missing("samecycle all"); missed != 1 {
		t.Errorf("%d programs with missing outcomes, want 1", missed)
	}
}

// TestComplaint_SaysWhy: what a Rust program prints last is advice, and what it says first is where.
func TestComplaint_SaysWhy(t *testing.T) {
	const panicked = "thread 'main' (7) panicked at src/execution.rs:9:5:\n" +
		"assertion failed: threads < max\nstack backtrace:\n   0: std::panicking\n" +
		"note: Some details are omitted, run with `RUST_BACKTRACE=full`\n" +
		"thread 'main' panicked at src/drop.rs:1:1:\nanother one\n"
	for said, want := range map[string]string{
		panicked:                       "assertion failed: threads < max",
		"warming up\nno such class.\n": "no such class",
		"it panicked at the end":       "it panicked at the end",
		"":                             "",
	} {
		if got := complaint(said); got != want {
			t.Errorf("%q says %q, want %q", said, got, want)
		}
	}
}
