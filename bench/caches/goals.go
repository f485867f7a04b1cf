package caches

import (
	"errors"

	"github.com/samecycle/samecycle/bench"
)

// A goal is what a figure of ours is to come to, beside another one's or alone.
type goal struct {
	cell      string
	against   string // a subject; "number" for a figure alone
	what      string // "" is the time of an operation
	direction string
	goal      float64
}

// What a goal may be about, beside the time of an operation.
const (
	number  = "number" // what a figure is measured against that stands for itself
	bytesOf = "bytes an entry"
	gcOf    = "collection with the cache full"
	tailOf  = "p99.9 over p50"

	scalingOf = "two over one"
)

var goals = []goal{
	{"get/uniform/8+64/1", chaseName, "", bench.AtMost, 1.25},
	{"get/uniform/8+64/1", reference, "", bench.AtMost, 0.68},
	{"get/zipf/8+64/1", reference, "", bench.AtMost, 0.68},
	{"get/uniform/8+64/2", reference, "", bench.AtMost, 0.68},
	{"get/uniform/16+512/1", reference, "", bench.AtMost, 0.78},
	{"get/miss/8+64/1", reference, "", bench.AtMost, 0.8},
	{"get/batch-16/8+64/1", reference, "", bench.AtMost, 0.33},
	{"get/batch-16/8+64/1", lineName, "", bench.AtMost, 3},
	{"set/existing/8+64/1", reference, "", bench.AtMost, 1.1},
	{"set/new/8+64/1", "freecache", "", bench.AtMost, 1},
	{"set/new/8+64/1", reference, "", bench.AtMost, 1},
	{"latency/set-new/8+64/1", number, tailOf, bench.AtMost, 10},
	{"processes/get/8+64/2", number, scalingOf, bench.AtLeast, 1.8},
	{"get/uniform/8+64/2", number, scalingOf, bench.AtLeast, 1.8},
	{"space/8+64/1", number, bytesOf, bench.AtMost, 110},
	{"space/8+64/1", emptyName, gcOf, bench.AtMost, 1.1},
	{"get/uniform/8+64/1", "LMDB", "", bench.AtMost, 0.25},
	{"get/uniform/8+64/1", "Chronicle Map", "", bench.AtMost, 0.25},
	{"get/uniform/8+64/1", "memcached", "", bench.AtMost, 1.0 / 80},
}

var errNotMeasured = errors.New("not measured yet")

// rows are the goals with what was measured, in the form of the other benchmarks.
func rows(r Results) (all []bench.Row) {
	for _, g := range goals {
		row := bench.Row{Name: g.cell, Against: g.against, Goal: bench.Digits(g.goal), Direction: g.direction}
		if g.what != "" {
			row.Name += " " + g.what
		}
		if g.against != number {
			row.Name += "/" + g.against
		}
		g.fill(r, &row)
		all = append(all, row)
	}
	return all
}

// fill puts the figure into the row, or says why there is none.
func (g goal) fill(r Results, row *bench.Row) {
	row.NotRun = errNotMeasured.Error()
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Name != g.cell {
			continue
		}
		row.Spin, row.NotRun = c.Spin, c.why(ours, g.against)
		if row.NotRun != "" {
			return
		}
		f, other := c.find(ours), c.find(g.against)
		switch g.what {
		case bytesOf:
			row.Ratio, row.Value, row.Unit = f.Bytes, f.Bytes, "bytes"
		case scalingOf:
			row.Ratio, row.Value, row.Unit = f.Scaling, f.Scaling, "times"
		case tailOf:
			row.Ratio, row.Unit = bench.Digits(f.Percentiles[2]/f.Percentiles[0]), "times"
			row.Value = row.Ratio
		case gcOf:
			ratios := bench.Ratios(f.Collections, other.Collections)
			row.Ratio, row.Unit = bench.Digits(bench.Median(ratios)), "ns"
			row.Value, row.Peer, row.Rounds = f.Collect, other.Collect, len(ratios)
		default:
			row.Ratio, row.Unit = bench.Digits(bench.Median(bench.Ratios(f.Rounds, other.Rounds))), "ns"
			row.Value, row.Peer, row.Rounds = f.NS, other.NS, len(f.Rounds)
		}
	}
}

// why tells which of the subjects has no figure, and the reason; "" if both have one.
func (c *Comparison) why(subjects ...string) string {
	if c.NotRun != "" {
		return c.NotRun
	}
	for _, name := range subjects {
		if name == number || c.find(name) != nil {
			continue
		}
		for _, f := range c.Figures {
			if f.Subject == name {
				return name + ": " + f.NotRun
			}
		}
		return name + ": " + errNotMeasured.Error()
	}
	return ""
}
