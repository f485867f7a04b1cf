package bench

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestRow_Verdict(t *testing.T) {
	for _, c := range []struct {
		row     Row
		verdict string
		gap     float64
	}{
		{Row{Ratio: 0.5}.atMost(0.55), "met", 0.5 / 0.55},
		{Row{Ratio: 0.55}.atMost(0.55), "met", 1},
		{Row{Ratio: 1.1}.atMost(0.55), "missed", 2},
		{Row{Ratio: 1.9}.atLeast(1.9), "met", 1},
		{Row{Ratio: 0.95}.atLeast(1.9), "missed", 2},
		{Row{Ratio: 0}.atMost(0), "met", 0},
		{Row{Ratio: 1}.atMost(0), "missed", math.Inf(1)},
	} {
		gap, ok := c.row.Gap()
		if c.row.verdict() != c.verdict || !ok || math.Abs(gap-c.gap) > 1e-12 {
			t.Errorf("ratio %v, goal %s %v: %s, gap %v; want %s, %v", c.row.Ratio, c.row.Direction,
				c.row.Goal, c.row.verdict(), gap, c.verdict, c.gap)
		}
	}
	if got := (Row{Ratio: 9}).verdict(); got != "" {
		t.Errorf("a row without goal is %q", got)
	}
	if got := (Row{Ratio: 1}.atMost(2).notRun(errNoHuge)); got.verdict() != "NOT RUN" || got.Ratio != 0 {
		t.Errorf("a row that was not run is %+v", got)
	}
}

func TestRow_Throughput(t *testing.T) {
	one, two := Sample{Name: "one", NS: []float64{100}}, Sample{Name: "two", NS: []float64{50}}
	r := versus("index/scaling", "one", "gets/us").atLeast(1.9).throughput(two, one, "")
	if r.Ratio != 2 || r.Value != 20 || r.Peer != 10 || r.verdict() != "met" {
		t.Errorf("twice the throughput is %+v", r)
	}
	s := Sample{NS: []float64{10}}
	r = Row{}.scaled([]Sample{one, two}, []Sample{s, s})
	if r.Ratio != 2 || r.Value != 2 || r.Peer != 1 {
		t.Errorf("twice beside no gain is %+v", r)
	}
}

func TestRow_Counted(t *testing.T) {
	for _, c := range [][3]float64{{0, 0, 1}, {0, 2, 0}, {3, 2, 1.5}, {3, 0, 3}} {
		if r := (Row{}).counted(c[0], c[1]); r.Ratio != c[2] {
			t.Errorf("%v over %v is %v, want %v", c[0], c[1], r.Ratio, c[2])
		}
	}
}

// TestPlan_Rows: names are stable identities; who adds a part adds it to the order.
func TestPlan_Rows(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range plan() {
		for _, r := range c.rows {
			if seen[r.Name] {
				t.Errorf("two rows are called %s", r.Name)
			}
			seen[r.Name] = true
			if partOf(r) != c.part || order(r) < 0 || r.Against == "" || r.Unit == "" {
				t.Errorf("row %+v of the part %s", r, c.part)
			}
		}
	}
	for _, p := range peers() {
		if !seen["index/get/hit/uniform/load90/huge/"+p.name] || !seen["index/set/load90/huge/"+p.name] {
			t.Errorf("the plan lacks %s", p.name)
		}
	}
}

// theGoals are the goals that were set, and the rows that they name.
var theGoals = []struct {
	rows      string // what the names match
	direction string
	goal      float64
}{
	{`^index/get/hit/uniform/load\d+/huge/xsync$`, AtMost, 0.55},
	{`^index/get/hit/uniform/load\d+/file/xsync$`, AtMost, 0.65},
	{`^index/set/load\d+/(huge|file)/xsync$`, AtMost, 0.45},
	{`^index/mix/load\d+/(huge|file)/xsync$`, AtMost, 0.4},
	{`^index/insert/load\d+/(huge|file)/map$`, AtMost, 1},
	{`^index/memory/load90$`, AtMost, 18},
	{`^index/handover/load$`, AtLeast, 0.9},
	{`^index/gc/empty$`, AtMost, 1.1},
	{`^index/writer/get/load90/file/idle$`, AtMost, 1.2},
	{`^index/scaling/(goroutines|processes)/load90/(huge|file)/one$`, AtLeast, 1.9},
	{`^explore/plain/schedules/the aim$`, AtMost, 1},
	{`^model/states/TLC$`, AtMost, 0.1},
}

// TestPlan_Goals: a row has a goal exactly if one was set for it, and that one; each goal has a row.
func TestPlan_Goals(t *testing.T) {
	found := make([]int, len(theGoals))
	for _, c := range plan() {
		for _, r := range c.rows {
			direction, goal := "", 0.0
			for i, g := range theGoals {
				if regexp.MustCompile(g.rows).MatchString(r.Name) {
					direction, goal = g.direction, g.goal
					found[i]++
				}
			}
			if r.Direction != direction || r.Goal != goal {
				t.Errorf("%s has the goal %q %v, and %q %v was set", r.Name, r.Direction, r.Goal, direction,
					goal)
			}
		}
	}
	for i, n := range found {
		if n == 0 {
			t.Errorf("the plan has no row for the goal %+v", theGoals[i])
		}
	}
}

func TestChosen(t *testing.T) {
	for _, c := range []struct {
		only  string
		parts []string
	}{{"gc", []string{"index/gc"}}, {"index/gc", []string{"index/gc"}}, {"model", []string{"model"}}} {
		cells, err := chosen(plan(), []string{c.only})
		if err != nil || len(cells) == 0 || !slices.Contains(c.parts, cells[0].part) {
			t.Errorf("%s chooses %d cells, %v", c.only, len(cells), err)
		}
	}
	if all, err := chosen(plan(), nil); err != nil || len(all) != len(plan()) {
		t.Errorf("nothing chooses %d cells, %v", len(all), err)
	}
	index, err := chosen(plan(), []string{"index"})
	if err != nil || slices.ContainsFunc(index, func(c cell) bool { return c.part == "model" }) {
		t.Errorf("index chooses the model, or %v", err)
	}
	if _, err := chosen(plan(), []string{"gc", "nonsense"}); !errors.Is(err, errNoPart) {
		t.Errorf("a part that is none gave %v", err)
	}
}

// TestMerge_GoalsOfNow: rows that were measured under other goals get those of the plan; rows that the
// plan does not announce keep theirs.
func TestMerge_GoalsOfNow(t *testing.T) {
	dir := t.TempDir()
	uniform := Row{Name: "index/get/hit/uniform/load90/huge/xsync", Against: "xsync", Unit: "ns/op",
		Ratio: 0.6}
	zipf := uniform.atMost(0.55)
	zipf.Name, zipf.Met = "index/get/hit/zipf/load90/huge/xsync", "missed"
	rival := uniform.atMost(7)
	rival.Name, rival.Met = "rivals/all/loom all", "met"
	if _, err := Merge(dir, []Row{uniform, zipf, rival}); err != nil {
		t.Fatal(err)
	}
	rows, err := Merge(dir, nil)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []Row{{Goal: 0.55, Direction: AtMost, Met: "missed"}, {},
		{Goal: 7, Direction: AtMost, Met: "met"}} {
		if r := rows[i]; r.Goal != want.Goal || r.Direction != want.Direction || r.Met != want.Met {
			t.Errorf("%s: goal %s %v, %q; want %s %v, %q", r.Name, r.Direction, r.Goal, r.Met,
				want.Direction, want.Goal, want.Met)
		}
	}
}

// testRows are rows of two parts, with every verdict.
func testRows() []Row {
	rows := []Row{
		{Name: "index/get/a/xsync", Against: "xsync", Unit: "ns/op", Ratio: 0.5, Value: 1, Peer: 2},
		{Name: "index/get/b/xsync", Against: "xsync", Unit: "ns/op", Ratio: 3, Value: 3, Peer: 1},
		{Name: "index/get/c/xsync", Against: "xsync", Unit: "ns/op"},
		{Name: "index/gc/empty", Against: "empty", Unit: "ns/collection", Ratio: 1, Value: 1, Peer: 1},
	}
	for i := range rows {
		rows[i] = rows[i].atMost(1)
	}
	rows[2] = rows[2].notRun(errNoHuge)
	return stampAs("by hand", SpinCheck{Scaling: 2}, rows)
}

// TestSave_KeepsOtherParts: a part that was not measured again keeps its rows and lines.
func TestSave_KeepsOtherParts(t *testing.T) {
	dir := t.TempDir()
	sample := func(ns float64) Sample {
		return Sample{Name: ourName, Ops: 10, NS: []float64{ns, ns}, Allocs: []float64{0, 0}}
	}
	first := []result{{"index/get/a", sample(1.5), 2}, {"index/gc", sample(2.5), 2}}
	if err := Save(dir, testRows(), first); err != nil {
		t.Fatal(err)
	}
	fresh := testRows()[3:]
	fresh[0].Ratio = 7
	second := []result{{"index/gc", sample(4.5), 2}, {"index/set/not-saved-yet", sample(9), 2}}
	if err := Save(dir, fresh, second); err != nil {
		t.Fatal(err)
	}
	all, err := Merge(dir, nil)
	if err != nil || len(all) != 4 || all[3].Ratio != 7 || all[0].Ratio != 0.5 {
		t.Errorf("the rows are %+v, %v", all, err)
	}
	lines := read(t, dir, textFile)
	for text, want := range map[string]int{"BenchmarkIndex/get/a/subject=samecycle-2": 2, "1.5 ns/op": 2,
		"2.5 ns/op": 0, "BenchmarkIndex/gc/subject=samecycle-2": 2, "4.5 ns/op": 2, "not-saved-yet": 0} {
		if got := strings.Count(lines, text); got != want {
			t.Errorf("%s has %q %d times, want %d:\n%s", textFile, text, got, want, lines)
		}
	}
	page := read(t, dir, "README.md")
	for _, text := range []string{"| index/get/a | xsync | 0.5 | at most 1 | met |",
		"| index/get/b | xsync | 3 | at most 1 | missed | 3 |",
		"| index/get/c | xsync | NOT RUN | at most 1 | NOT RUN |", "- index/get/c/xsync: huge pages",
		"1 goals are met, 2 are missed, 1 rows were not run."} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
}

// TestMerge_DropsStrangers: rows of parts that were renamed do not stay for ever.
func TestMerge_DropsStrangers(t *testing.T) {
	dir := t.TempDir()
	if _, err := Merge(dir, []Row{{Name: "index/get-hit/old"}, {Name: "rivals/x"}}); err != nil {
		t.Fatal(err)
	}
	all, err := Merge(dir, testRows())
	if err != nil || len(all) != 5 {
		t.Errorf("%d rows, %v, want 5: the rival's and the new ones", len(all), err)
	}
}

func TestDraw(t *testing.T) {
	file := filepath.Join(t.TempDir(), "index.svg")
	if err := Draw(file, testRows()); err != nil {
		t.Fatal(err)
	}
	picture := read(t, filepath.Dir(file), "index.svg")
	for _, text := range []string{
		">4 rows on an idle machine, 0 on a busy one; spin check 2.00 to 2.00 of 2<",
		">get/a : xsync<", ">gc : empty<", ">NOT RUN<", ">3, goal at most 1<",
		"#1B7F5C", "#C44E1C", "#6B6B6B"} {
		if !strings.Contains(picture, text) {
			t.Errorf("the picture lacks %q", text)
		}
	}
	if err := Draw(file, testRows()[:1]); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(read(t, filepath.Dir(file), "index.svg"), "#C44E1C") {
		t.Error("a goal that is met is drawn as one that was missed")
	}
	if err := Draw(file, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("no rows have a picture")
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseBenchmark(t *testing.T) {
	text := "goos: linux\nBenchmarkExplore/plain-2  \t 100\t  160 ns/step\t 500000 schedules/s\n" +
		"BenchmarkExplore/kills-2   10   320 ns/step\nPASS\n"
	got := parseBenchmarks(text)
	if got["plain"]["schedules/s"] != 500000 || got["kills"]["ns/step"] != 320 || len(got) != 2 {
		t.Errorf("the figures are %v", got)
	}
	rows := explorerRows(explorerCells()[0].rows, map[string][]map[string]float64{"plain": {got["plain"]}})
	if len(rows) != 2 || rows[0].Ratio != 2 || rows[0].verdict() != "missed" {
		t.Errorf("half of the aim is %+v", rows)
	}
}

// TestPage_TellsMachine: a row that was measured on a busy machine, or on another one, says so.
func TestPage_TellsMachine(t *testing.T) {
	rows := testRows()
	rows[0].Spin, rows[1].Spin, rows[3].CPU = spinLeast-0.01, 0, "another one"
	here := rows[0].CPU + ", " + runtime.Version()
	dir := t.TempDir()
	if err := Page(dir, rows); err != nil {
		t.Fatal(err)
	}
	for file, texts := range map[string][]string{
		"README.md": {"- busy machine, spin check 1.69 of 2, " + here + ": index/get\n",
			"- unknown machine, no spin check, " + here + ": index/get\n",
			"- idle machine, spin check 2.00 of 2, " + here + ": index/get\n",
			"- idle machine, spin check 2.00 of 2, another one, " + runtime.Version() + ": index/gc\n"},
		"index.svg": {">2 rows on an idle machine, 1 on a busy one, 1 nobody knows; " +
			"spin check 1.69 to 2.00 of 2<",
			">0.5, goal at most 1, busy machine<", ">3, goal at most 1, unknown machine<"},
	} {
		got := read(t, dir, file)
		for _, text := range texts {
			if !strings.Contains(got, text) {
				t.Errorf("%s lacks %q:\n%s", file, text, got)
			}
		}
	}
}

// TestMiddle: one that is twice as fast as the other does not make two of them thrice as fast as one.
func TestMiddle(t *testing.T) {
	slow, fast := Sample{Name: "one", NS: []float64{100}}, Sample{NS: []float64{50}}
	both := Sample{NS: []float64{1 / (1.0/100 + 1.0/50)}}
	r := Row{}.throughput(both, middle(slow, fast), "")
	if math.Abs(r.Ratio-2) > 1e-12 {
		t.Errorf("two that do not disturb one another do %v times as much as one", r.Ratio)
	}
	if m := middle(slow, Sample{Name: "gone", Err: errChild}); !errors.Is(m.Err, errChild) {
		t.Errorf("the middle of one that failed has the error %v", m.Err)
	}
}
