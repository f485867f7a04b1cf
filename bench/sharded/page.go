package sharded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
)

// section is a table of the page.
type section struct {
	title, prefix, text string
}

var sections = []section{
	{"The lock alone", "lock/", `
"read" and "write" are a lock and an unlock that nobody else wants, in processor time. "readers/n": so
many goroutines read. "mixed/n": each 16th operation of each goroutine writes. "writer/n": the time of one
write by one writer while so many readers never stop.
`},
	{"Ways to wait", "wait/", `
The same lock word with other ways to wait. "threads/8" is "mixed/8" on four threads for each processor, so
that the system takes the processor away from whoever holds the lock, as it does on a busy machine anyway.
"shards/n" is a map in eight shards, each behind such a lock, of which so many goroutines get nine keys and
put one in turn. "never yields" is the loop of the source text. "yields for ever" looks 30 times and then lets
other goroutines run after each look; "shardmap" does so 10 times, and sleeps from then on, for 20 µs at first
and for 1 ms at most.
`},
	{"The map", "map/", `
"get/n": so many goroutines get keys that are there. "mixed/n": each tenth operation is a put. "-cleanup":
one more goroutine goes through all entries, removes the stale ones and pauses 1 ms, over and over; in
"mixed" one put in 64 operations is stale at once.
`},
	{"What it costs to keep a fresh value", "repair/", `
"put" is what numbering the entries costs a put. "cleanup" is the time for one removed entry of a shard of
which a quarter is removed. "as written" erases whatever is there by then, "version" compares the number of
the put, "predicate again" asks the predicate a second time under the exclusive lock. "shipped" is FullCleanup
of the map itself, without and with Options.AsWritten.
`},
}

// method explains the figures.
const method = `
A cell is the time of one operation in nanoseconds: of one goroutine in processor time, of several on the wall
divided by the operations of all of them, the median of the rounds. In brackets is the median of the rounds'
ratios, ours over the other one's, with the quartiles: less than 1 means that ours is faster. Subjects take
turns within one process, each round begins with another one, and every result is checked.

"spin" is a check right before the row: how many times as fast two goroutines do two loops as one does them. 2
is an idle machine with two processors. A row under %s is one of a busy machine, and its figures of several
goroutines say little. More goroutines than processors take turns.

![time of the map beside others](map.svg)

![time of the lock beside others](lock.svg)
`

// page is README.md.
func page(r Results) string {
	var b strings.Builder
	b.WriteString("# The sharded map and its lock beside others\n\n")
	b.WriteString("    make bench-shardmap                            everything, some two minutes\n")
	b.WriteString("    go -C bench run ./cmd/sharded -only lock,wait  some of it; the other rows stay\n\n")
	fmt.Fprintf(&b, "Command `%s`, commit `%s`, %s, %s. Peers: %s. Machine-readable: [%s](%s).\n\n",
		r.Command, r.Commit, r.Go, r.Machine, strings.Join(r.Versions, ", "), jsonFile, jsonFile)
	fmt.Fprintf(&b, method[1:], bench.Number(bench.SpinLeast))
	for _, s := range sections {
		rows := slices.DeleteFunc(slices.Clone(r.Comparisons), func(c Comparison) bool {
			return !strings.HasPrefix(c.Name, s.prefix)
		})
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n## %s\n%s", s.title, s.text)
			tables(&b, rows)
		}
	}
	b.WriteString(allocations(r))
	fmt.Fprintf(&b, "\nThe version takes %d bytes of each entry.\n", versionBytes)
	return b.String()
}

// tables writes the rows; a new table begins where the subjects are others.
func tables(b *strings.Builder, rows []Comparison) {
	var before []string
	for _, c := range rows {
		names := subjects(c)
		if !slices.Equal(names, before) {
			fmt.Fprintf(b, "\n| ns for an operation | spin | %s |\n|---|---:|%s\n",
				strings.Join(names, " | "), strings.Repeat("---:|", len(names)))
			before = names
		}
		fmt.Fprintf(b, "| %s | %.2f |", c.Name, c.Spin)
		for i, f := range c.Figures {
			switch {
			case f.Failed != "":
				fmt.Fprintf(b, " failed: %s |", f.Failed)
			case i == 0:
				fmt.Fprintf(b, " %s |", bench.Number(f.NS))
			default:
				fmt.Fprintf(b, " %s (%s; %s to %s) |", bench.Number(f.NS), bench.Number(f.Ratio),
					bench.Number(f.Low), bench.Number(f.High))
			}
		}
		b.WriteString("\n")
	}
}

func subjects(c Comparison) (names []string) {
	for _, f := range c.Figures {
		names = append(names, f.Subject)
	}
	return names
}

// allocations tells who allocates in which comparison of one goroutine; several are set up by
// allocations, too.
func allocations(r Results) string {
	var told []string
	for _, c := range r.Comparisons {
		for _, f := range c.Figures {
			if c.Goroutines == 1 && f.Allocs >= 0.01 {
				told = append(told, fmt.Sprintf("%s of %s %s", bench.Number(f.Allocs), f.Subject, c.Name))
			}
		}
	}
	text := "\n## Allocations\n\nFor an operation, in comparisons of one goroutine: "
	if len(told) == 0 {
		return text + "nobody makes one in a hundred operations.\n"
	}
	return text + strings.Join(told, ", ") + "; everybody else fewer than one in a hundred.\n"
}
