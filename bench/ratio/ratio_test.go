package ratio

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/trace"
)

// made writes a trace of requests for objects 0 to n-1, one after the other, again and again.
func made(t *testing.T, n, rounds int) string {
	t.Helper()
	var b []byte
	for range rounds {
		for i := range n {
			b = binary.LittleEndian.AppendUint64(b, uint64(i))
		}
	}
	path := filepath.Join(t.TempDir(), "loop.u64")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun_Loop: in a loop over five times as many objects as there is room for, exact LRU has no hit at all,
// and TinyLFU has most of those that are possible. A size that is too small for one cache is NOT RUN, and
// counts in no mean.
func TestRun_Loop(t *testing.T) {
	dir := t.TempDir()
	o := Options{Files: []string{made(t, 2000, 40)}, Percent: []int{1, 20}, Dir: dir, Commit: "test",
		Loads: trace.Loads()[:1], Seed: 3, Say: t.Logf}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "policies.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil || len(r.Cells) != 2 {
		t.Fatal(err, r)
	}
	if small := r.Cells[0]; small.NotRun == "" || small.Ratio != nil {
		t.Errorf("a cache of 20 objects: %+v", small)
	}
	x := r.Cells[1]
	if x.Ratio["LRU"] != 0 || x.Ratio["samecycle"] != 0 || x.Ratio["samecycle tinylfu"] < 0.14 {
		t.Errorf("%+v", x)
	}
	means, n := Means(r.Cells)
	if n != 1 || math.Abs(means["otter"]-x.Ratio["otter"]) > 1e-9 || len(means) != len(r.Caches) {
		t.Errorf("means %v of %d cells", means, n)
	}
	page, err := os.ReadFile(filepath.Join(dir, "policies.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| loop.u64 | 1 %, 20 | NOT RUN |", "| loop.u64 | 20 %, 400 | 0.00 |",
		"| **mean** | 1 cell |", "otter ", "| zipf-0.6 | 5 %, ", "| **mean** | 3 cells |", "The seed is 3.",
		"| zipf-0.6 | Zipf over 20000 objects"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	if err := os.Remove(filepath.Join(dir, "policies.md")); err != nil {
		t.Fatal(err)
	}
	again, err := page, Again(dir)
	if page, _ = os.ReadFile(filepath.Join(dir, "policies.md")); err != nil || string(page) != string(again) {
		t.Errorf("the page is another one when it is written again: %v", err)
	}
}

// TestPage_SaysWhatMisses: a default policy that is too low, and a best one below otter, are said to miss.
func TestPage_SaysWhatMisses(t *testing.T) {
	names := []string{"samecycle", "samecycle tinylfu", "otter", "LRU"}
	cell := func(values ...float64) Cell {
		c := Cell{Trace: "x", Percent: 1, Ratio: map[string]float64{}}
		for i, name := range names {
			c.Ratio[name] = values[i]
		}
		return c
	}
	r := Report{Caches: names, Cells: []Cell{cell(.5, .6, .59, .504), cell(.5, .6, .6, .49)}}
	text := page(r)
	if !strings.Contains(text, "1 of 2 cells miss the goal; x at 1 %, 50.00 and 50.40") ||
		!strings.Contains(text, "reached.") ||
		!strings.Contains(text, "worst cell is x at 1 %,\n  +9.60 points") {
		t.Error(text)
	}
	r.Cells[1].Ratio["otter"] = .62
	r.Cells[1].Ratio["S3-FIFO"] = .64
	text = page(r)
	if !strings.Contains(text, "60.00 and 60.50, missed by 0.50 points") ||
		!strings.Contains(text, "worst cell is x at 1 %,\n  -4.00 points") {
		t.Error(text)
	}
}
