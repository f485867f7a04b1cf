package ratio

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/internal/plural"
)

// tolerance is how many points less than exact LRU the default policy may have.
const tolerance = 0.3

// page is the report for a person.
func page(r Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Hit ratios of the policies\n\n    %s\n\nHits in percent of all requests. Each "+
		"object counts for %d bytes, a key has 8. The baskets of the project's cache have room for as\n"+
		"many bytes of objects as each other cache has. Machine-readable: [policies.json](policies.json)."+
		"\n\n", r.Command, objectBytes)
	fmt.Fprintf(&b, "- Commit `%s`, %s, otter %s. The other columns are models of published policies. One "+
		"goroutine replays, so other work on the machine does not\n  count. The secret of the project's "+
		"hash differs from run to run, and with it the last digits.\n", r.Commit, r.Go, r.Otter)
	fmt.Fprintf(&b, "- Goal of the default policy: nowhere more than %.1f points below exact LRU. Goal of "+
		"the best policy: a mean not below that of otter.\n\n## Recorded traces\n\n", tolerance)
	goals(&b, r.Caches, r.Cells)
	table(&b, r.Caches, r.Cells)
	b.WriteString("\nNOT RUN: a cache of this project has 8 baskets of 4 KiB at least, which is room for " +
		"32 of these objects. Such cells count\nin no mean.\n")
	if len(r.Made) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "\n## Traces that are made\n\nThe seed is %d. With it each of them is made again as it "+
		"was here, by [loads.go](../../internal/trace/loads.go).\n\n", r.Seed)
	goals(&b, r.Caches, r.Made)
	table(&b, r.Caches, r.Made)
	b.WriteString("\n| trace | how it is made |\n|---|---|\n")
	for _, x := range r.Loads {
		fmt.Fprintf(&b, "| %s | %s |\n", x.Name, x.What)
	}
	b.WriteString("\n" + floors)
	return b.String()
}

// goals says how far the goals are reached on these cells.
func goals(b *strings.Builder, caches []string, cells []Cell) {
	means, n := Means(cells)
	var misses, worst string
	count, least := 0, 0.0
	for _, c := range cells {
		if c.NotRun != "" {
			continue
		}
		own, lru := 100*c.Ratio[caches[0]], 100*c.Ratio["LRU"]
		if own < lru-tolerance {
			count++
			misses += fmt.Sprintf("; %s at %d %%, %.2f and %.2f", c.Trace, c.Percent, own, lru)
		}
		if loss := c.loss(caches[1]); loss < least || worst == "" {
			least, worst = loss, fmt.Sprintf("%s at %d %%", c.Trace, c.Percent)
		}
	}
	best, other := 100*means[caches[1]], 100*means["otter"]
	verdict := "reached"
	if best < other {
		verdict = fmt.Sprintf("missed by %.2f points", other-best)
	}
	fmt.Fprintf(b, "- Default policy: %d of %s miss the goal%s.\n- Best policy: the means are %.2f and "+
		"%.2f, %s. Beside the better one of LRU and S3-FIFO its worst cell is %s,\n  %+.2f points.\n\n",
		count, plural.Of(n, "cell"), misses, best, other, verdict, worst, least)
}

// loss is how many points the cache has more than the better one of LRU and S3-FIFO.
func (c Cell) loss(cache string) float64 {
	return 100 * (c.Ratio[cache] - max(c.Ratio["LRU"], c.Ratio["S3-FIFO"]))
}

// table has one line for each cell.
func table(b *strings.Builder, caches []string, cells []Cell) {
	fmt.Fprintf(b, "| trace | size, objects |%s\n|---|--:|%s\n", strings.Join(titles(caches), ""),
		strings.Repeat("--:|", len(caches)))
	for _, c := range cells {
		fmt.Fprintf(b, "| %s | %d %%, %d |", c.Trace, c.Percent, c.Objects)
		if c.NotRun != "" {
			fmt.Fprintf(b, " NOT RUN |%s\n", strings.Repeat(" |", len(caches)-1))
			continue
		}
		for _, name := range caches {
			fmt.Fprintf(b, " %.2f |", 100*c.Ratio[name])
		}
		b.WriteString("\n")
	}
	means, n := Means(cells)
	fmt.Fprintf(b, "| **mean** | %s |", plural.Of(n, "cell"))
	for _, name := range caches {
		fmt.Fprintf(b, " **%.2f** |", 100*means[name])
	}
	b.WriteString("\n")
}

// titles are the names as heads of columns.
func titles(names []string) (all []string) {
	for _, name := range names {
		all = append(all, " "+name+" |")
	}
	return all
}
