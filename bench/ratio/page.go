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
	means, n := r.Means()
	fmt.Fprintf(&b, "# Hit ratios of the policies\n\n    %s\n\nHits in percent of all requests. Each "+
		"object counts for %d bytes, a key has 8. The baskets of the project's cache have room for as\n"+
		"many bytes of objects as each other cache has. Machine-readable: [policies.json](policies.json)."+
		"\n\n", r.Command, objectBytes)
	fmt.Fprintf(&b, "- Commit `%s`, %s, otter %s. The other columns are models of published policies. One "+
		"goroutine replays, so other work on the machine does not\n  count. The secret of the project's "+
		"hash differs from run to run, and with it the last digits.\n", r.Commit, r.Go, r.Otter)
	misses := 0
	for _, c := range r.Cells {
		if c.NotRun == "" && 100*c.Ratio[r.Caches[0]] < 100*c.Ratio["LRU"]-tolerance {
			misses++
		}
	}
	best, other := 100*means[r.Caches[1]], 100*means["otter"]
	verdict := "reached"
	if best < other {
		verdict = fmt.Sprintf("missed by %.2f points", other-best)
	}
	fmt.Fprintf(&b, "- Goal of the default policy: nowhere more than %.1f points below exact LRU. %d of %s "+
		"miss it.\n- Goal of the best policy: a mean not below that of otter: %.2f and %.2f, %s.\n\n",
		tolerance, misses, plural.Of(n, "cell"), best, other, verdict)
	fmt.Fprintf(&b, "| trace | size, objects |%s\n|---|--:|%s\n", strings.Join(titles(r.Caches), ""),
		strings.Repeat("--:|", len(r.Caches)))
	for _, c := range r.Cells {
		fmt.Fprintf(&b, "| %s | %d %%, %d |", c.Trace, c.Percent, c.Objects)
		if c.NotRun != "" {
			fmt.Fprintf(&b, " NOT RUN |%s\n", strings.Repeat(" |", len(r.Caches)-1))
			continue
		}
		for _, name := range r.Caches {
			fmt.Fprintf(&b, " %.2f |", 100*c.Ratio[name])
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "| **mean** | %s |", plural.Of(n, "cell"))
	for _, name := range r.Caches {
		fmt.Fprintf(&b, " **%.2f** |", 100*means[name])
	}
	b.WriteString("\n\nNOT RUN: a cache of this project has 8 baskets of 4 KiB at least, which is room for " +
		"32 of these objects. Such cells count\nin no mean.\n")
	return b.String()
}

// titles are the names as heads of columns.
func titles(names []string) (all []string) {
	for _, name := range names {
		all = append(all, " "+name+" |")
	}
	return all
}
