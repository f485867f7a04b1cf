package caches

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/internal/plural"
)

const intro = `# The cache beside others

    make bench-cache                                 everything, some ten minutes
    go -C bench run ./cmd/cache -quick               small caches and few rounds, into bin/bench-cache
    go -C bench run ./cmd/cache -only get,set/new    some of it; the other rows stay

Why some goals are missed: [floors.md](floors.md). Machine-readable: [%s](%s), with the figure of each
round. A comparison is named after what is done, the bytes of key and value, and the number of goroutines.

The time of an operation is the median of the rounds, in nanoseconds: of one goroutine its processor time,
in which what others do on the machine does not count, but for the caches of the processor; of two goroutines,
and of memcached, the time on the wall. In brackets is the median of the rounds' ratios to fastcache:
less than 1 is faster. **On a busy machine the ratios can be used, and the times cannot**: subjects take
turns, pass by pass, within one process, and each round begins with another one. "spin" is a check right
before: how many times as fast two goroutines do two loops as one does them. 2 is an idle machine with two
processors; under %s others are at work, and then nothing is measured on two goroutines. "load" is how many
threads wanted a processor in the minute before.

- All are called through one interface. Each value that is found is compared with what was set: its length
  and both ends, and each %dth whole. Values that a set has left are looked at after each pass.
- Ours, fastcache and freecache copy the value to where the caller wants it, bigcache and memcached return a
  copy of their own, LMDB's is copied by the harness. The others return the slice that they were given: that
  is their users' gain and counts as one.
- A cache has half as much room again as its entries need. Those of "set/new", "latency/set-new" and "space"
  have room for the entries, get more, and evict. Caches that count bytes get %d for each entry beside key and
  value.
- A Chronicle Map is called in a process of Java, where the time is that of its thread.
- Threads of their own, which otter, theine and ristretto have for their order, and Go's collector do not
  count in the time of one goroutine. The table "all threads" has them.
- memcached has a sixteenth of the entries and one call at a time; what it takes is the socket. On a busy
  machine its time on the wall is that of the others, too: then no ratio to it means anything.
%s
`

// Page writes page and pictures of the figures that the folder has.
func Page(dir string) error {
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil {
		return err
	}
	if err := bench.Draw(filepath.Join(dir, goalsFile), rows(r)); err != nil {
		return err
	}
	if err := pictures(dir, r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, pageFile), []byte(page(r)), 0o644)
}

func page(r Results) string {
	var b strings.Builder
	fmt.Fprintf(&b, intro, jsonFile, jsonFile, bench.Number(bench.SpinLeast), wholeCheck, overhead,
		abouts())
	b.WriteString(goalsTable(rows(r)))
	for _, picture := range [][2]string{{"goals", goalsFile}, {"time beside fastcache", timesFile},
		{"latency", latencyFile}} {
		fmt.Fprintf(&b, "\n![%s](%s)\n", picture[0], picture[1])
	}
	for _, s := range sections {
		s.write(&b, r)
	}
	b.WriteString(notRun(r))
	b.WriteString(measured(r))
	return b.String()
}

// abouts says what those are that are no caches like the others.
func abouts() string {
	var b strings.Builder
	for _, k := range kinds() {
		if k.about != "" {
			fmt.Fprintf(&b, "- %s is %s.\n", k.name, k.about)
		}
	}
	return b.String()
}

// goalsTable has a line for each goal.
func goalsTable(all []bench.Row) string {
	var b strings.Builder
	met, missed, without := 0, 0, 0
	var lines strings.Builder
	for _, g := range all {
		gap, ok := g.Gap()
		verdict := "NOT RUN"
		switch {
		case !ok:
			without++
		case gap <= 1:
			met++
			verdict = "met"
		default:
			missed++
			verdict = "missed, by a factor of " + bench.Number(gap)
		}
		fmt.Fprintf(&lines, "| %s | %s | %s | %s %s | %s | %s | %s | %s |\n",
			strings.TrimSuffix(g.Name, "/"+g.Against), g.Against, some(g.Ratio), g.Direction,
			bench.Number(g.Goal), some(g.Value), some(g.Peer), g.Unit, verdict)
	}
	fmt.Fprintf(&b, "## Goals\n\n%s met, %d missed, %d not run. A ratio is ours over the other's, round by "+
		"round.\n\n", plural.Of(met, "goal"), missed, without)
	b.WriteString("| what | against | ratio | goal | ours | theirs | unit | verdict |\n" +
		"|---|---|--:|--:|--:|--:|---|---|\n")
	b.WriteString(lines.String())
	return b.String()
}

// some is a number, or nothing for 0.
func some(x float64) string {
	if x == 0 {
		return ""
	}
	return bench.Number(x)
}

// A section is a table: a row for each subject, a column for each comparison.
type section struct {
	title, text string
	columns     []string // names of comparisons
	cell        func(f *Figure) string
	checks      bool // with lines of spin and load
}

var oneGoroutine = []string{"get/uniform/8+64/1", "get/zipf/8+64/1", "get/miss/8+64/1", "get/batch-16/8+64/1",
	"set/existing/8+64/1",
	"set/new/8+64/1", "mix/uniform/8+64/1", "mix/zipf/8+64/1"}

var larger = []string{"get/uniform/16+512/1", "set/existing/16+512/1", "set/new/16+512/1",
	"get/uniform/32+4096/1", "set/existing/32+4096/1", "set/new/32+4096/1"}

var twoGoroutines = []string{"get/uniform/8+64/2", "get/zipf/8+64/2", "set/existing/8+64/2", "set/new/8+64/2",
	"mix/zipf/8+64/2"}

var sections = []section{
	{"One goroutine, 8 + 64 bytes", `
ns for an operation (over fastcache's). In "mix" half of the operations are sets. In "batch-16" ours gets 16
keys in a call; the others have no such call and get one.
`, oneGoroutine, timeCell, true},
	{"One goroutine, larger values", `
ns for an operation (over fastcache's).
`, larger, timeCell, true},
	{"Two goroutines, 8 + 64 bytes", `
ns for one more operation of both (over fastcache's; throughput over that of one goroutine on the same
processors).
`, twoGoroutines, scaledCell, true},
	{"Two processes, 8 + 64 bytes", `
ns for one more get of two processes that have one file open; throughput over that of the middle of both
alone.
`, []string{"processes/get/8+64/2"}, processesCell, true},
	{"Percentiles", `
ns of single calls, between two readings of the clock, which take what the line "clock" has: p50 / p99 /
p99.9, medians of the rounds (p99.9 over fastcache's). On a busy machine p99.9 has the time that the system
gave to others.
`, []string{"latency/get/8+64/1", "latency/set-new/8+64/1"}, latencyCell, true},
	{"Memory and collections", `
Resident bytes for an entry that is in it, of a full cache, each in a process of its own (over fastcache's);
milliseconds of a forced collection; entries.
`, []string{"space/8+64/1", "space/16+512/1"}, spaceCell, true},
	{"All threads", `
Processor time of all threads of the process for an operation, in ns; of memcached without the server's.
`, slices.Concat(oneGoroutine, larger), cpuCell, false},
	{"Allocations", "\nFor an operation.\n", slices.Concat(oneGoroutine, larger), allocsCell, false},
	{"Found and taken", "\nShare of the gets that found their key, and of the sets that the cache took.\n",
		slices.Concat(oneGoroutine, larger), shareCell, false},
}

func timeCell(f *Figure) string { return withRatio(bench.Number(f.NS), bench.Number(f.Ratio)) }

func scaledCell(f *Figure) string {
	return withRatio(bench.Number(f.NS), bench.Number(f.Ratio)+"; "+bench.Number(f.Scaling))
}

func processesCell(f *Figure) string { return withRatio(bench.Number(f.NS), bench.Number(f.Scaling)) }

func withRatio(what, ratio string) string { return what + " (" + ratio + ")" }

func latencyCell(f *Figure) string {
	var all []string
	for _, ns := range f.Percentiles {
		all = append(all, bench.Number(ns))
	}
	text := strings.Join(all, " / ")
	if len(f.Ratios) == len(percentiles) {
		text = withRatio(text, bench.Number(f.Ratios[2]))
	}
	return text
}

func spaceCell(f *Figure) string {
	gc := bench.Number(f.Collect/1e6) + " ms"
	if f.Bytes == 0 {
		return gc
	}
	return fmt.Sprintf("%s; %s; %d", withRatio(bench.Number(f.Bytes), bench.Number(f.Ratio)), gc, f.Entries)
}

func cpuCell(f *Figure) string { return some(f.CPU) }

func allocsCell(f *Figure) string {
	if f.NS == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", f.Allocs)
}

func shareCell(f *Figure) string {
	var all []string
	for _, x := range []float64{f.Hits, f.Taken} {
		if x > 0 {
			all = append(all, fmt.Sprintf("%.4g", x))
		}
	}
	return strings.Join(all, ", ")
}

// write adds the table, if one of its comparisons is there.
func (s section) write(b *strings.Builder, r Results) {
	var columns []*Comparison
	for i := range r.Comparisons {
		if slices.Contains(s.columns, r.Comparisons[i].Name) {
			columns = append(columns, &r.Comparisons[i])
		}
	}
	if len(columns) == 0 {
		return
	}
	slices.SortFunc(columns, func(x, y *Comparison) int {
		return slices.Index(s.columns, x.Name) - slices.Index(s.columns, y.Name)
	})
	fmt.Fprintf(b, "\n## %s\n%s\n|  |", s.title, s.text)
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.Name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("--:|", len(columns)))
	for _, name := range append(slices.Clone(names), chaseName, lineName, emptyName, clockName) {
		some := false
		line := "| " + name + " |"
		for _, c := range columns {
			text := ""
			if f := c.find(name); f != nil {
				text, some = s.cell(f), true
			} else if c.lacks(name) {
				text, some = "NOT RUN", true
			}
			line += " " + text + " |"
		}
		if some {
			b.WriteString(line + "\n")
		}
	}
	if !s.checks {
		return
	}
	spin, load := "| spin |", "| load |"
	for _, c := range columns {
		spin += fmt.Sprintf(" %.2f |", c.Spin)
		load += " " + c.Load + " |"
	}
	b.WriteString(spin + "\n" + load + "\n")
}

// lacks tells that the subject has a reason instead of a figure.
func (c *Comparison) lacks(subject string) bool {
	return slices.ContainsFunc(c.Figures, func(f Figure) bool {
		return f.Subject == subject && f.NotRun != ""
	})
}

// notRun lists what has no figure, by reason.
func notRun(r Results) string {
	reasons := map[string][]string{}
	var order []string
	note := func(why, what string) {
		if reasons[why] == nil {
			order = append(order, why)
		}
		if !slices.Contains(reasons[why], what) {
			reasons[why] = append(reasons[why], what)
		}
	}
	for _, c := range r.Comparisons {
		if c.NotRun != "" {
			note(c.NotRun, c.Name)
		}
		for _, f := range c.Figures {
			if f.NotRun != "" {
				note(f.Subject+": "+f.NotRun, c.Name)
			}
		}
	}
	if len(order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## NOT RUN\n\n")
	for _, why := range order {
		fmt.Fprintf(&b, "- %s: %s\n", why, strings.Join(reasons[why], ", "))
	}
	return b.String()
}

// measured tells which comparisons were measured by which command, on which machine.
func measured(r Results) string {
	var b strings.Builder
	b.WriteString("\n## Measured by\n")
	var done []Facts
	for _, c := range r.Comparisons {
		same := func(f Facts) bool { return reflect.DeepEqual(f, c.Facts) }
		if slices.ContainsFunc(done, same) {
			continue
		}
		done = append(done, c.Facts)
		var names []string
		for _, o := range r.Comparisons {
			if same(o.Facts) {
				names = append(names, o.Name)
			}
		}
		f := c.Facts
		fmt.Fprintf(&b, "\n- `%s`, commit `%s`, %s, %s, %s; %d entries of 8+64 bytes; %s: %s\n", f.Command,
			f.Commit, f.Date, f.Go, f.Machine, f.Entries, strings.Join(f.Versions, ", "),
			strings.Join(names, ", "))
	}
	return b.String()
}
