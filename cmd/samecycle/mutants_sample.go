package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/mutate"
)

// sampleSection tells readers what the outcomes of a sample say of all mutants that it was drawn from. It is
// empty while nothing of it is judged.
func sampleSection(outcomes []mutate.Outcome, of int, seed uint64) string {
	noticed, equivalent, unknown := 0, 0, 0
	for _, o := range outcomes {
		switch {
		case o.Verdict.Noticed():
			noticed++
		case o.Verdict == mutate.Equivalent:
			equivalent++
		case o.Verdict == mutate.Unknown:
			unknown++
		}
	}
	n := len(outcomes) - unknown
	if n == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## What the sample says\n\nThe sample was drawn from about %d mutants by seed %d: "+
		"their names are ranked by a hash of name and seed, and the first are taken that compile. So it is "+
		"about as good as one in which each mutant had the same chance. %d of them are judged, %s not "+
		"judged to the end, and about %d are not judged.\n\n", of, seed, n, were(unknown), of-n-unknown)
	b.WriteString("| of those judged | share | 95 % interval for all mutants |\n|---|---:|---:|\n")
	row := func(what string, k, n int) {
		low, high := interval(k, n)
		fmt.Fprintf(&b, "| %s: %d of %d | %s | %s to %s |\n", what, k, n, percent(float64(k)/float64(n)),
			percent(low), percent(high))
	}
	row("killed, or hang", noticed, n)
	row("killed, hang, or are listed as equivalent", noticed+equivalent, n)
	if n > equivalent {
		row("killed, or hang, of those that are not equivalent", noticed, n-equivalent)
	}
	b.WriteString("\nThe intervals are those of Wilson's score for a share, without the correction for a " +
		"finite number of mutants, which would make them a little narrower. Where tests have been " +
		"written for survivors of this sample, it does better than all mutants would: the sample of " +
		"another seed tells.\n")
	return b.String()
}

// were is a number of things that once were so.
func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

// triedLeast is how many candidates are compiled at least, to tell how many do.
const triedLeast = 100

// find enumerates the mutants that are wanted. Of a sample it enumerates those that the sample may have: most
// of the time goes into compiling, and how many there are in all can be told well enough from a part.
func (c *mutantRun) find(wanted func(string) bool) {
	f := c.flags
	if f.limit == 0 || f.again {
		c.found = c.all.Mutants(wanted)
		c.population = len(c.found.Mutants)
		return
	}
	candidates := ranked(c.all.Names(wanted), f.seed)
	for tried := max(f.limit+f.limit/5, triedLeast); ; tried *= 2 {
		tried = min(tried, len(candidates))
		chosen := map[string]bool{}
		for _, m := range candidates[:tried] {
			chosen[m.Name] = true
		}
		c.found = c.all.Mutants(func(name string) bool { return chosen[name] && wanted(name) })
		if n := len(c.found.Mutants); n >= f.limit || tried == len(candidates) {
			c.population = n * len(candidates) / max(tried, 1)
			return
		}
	}
}

// ranked are the mutants in the order in which samples of the seed take them. What an interrupted run has
// judged of a sample so is a smaller one, but for mutants that are built by themselves, which come last.
func ranked(list []*mutate.Mutant, seed uint64) []*mutate.Mutant {
	if len(list) < 2 {
		return list
	}
	first := mutate.Sample(list, len(list)/2, seed)
	in := map[*mutate.Mutant]bool{}
	for _, m := range first {
		in[m] = true
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(m *mutate.Mutant) bool { return in[m] })
	return slices.Concat(ranked(first, seed), ranked(rest, seed))
}

// interval is the interval of 95 % that Wilson's score has for a share of which k of n were seen. Source:
// E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
func interval(k, n int) (low, high float64) {
	const z = 1.959964 // 95 % of a normal distribution lie within so many deviations
	share, size := float64(k)/float64(n), float64(n)
	middle := (share + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	return max(0, middle-half), min(1, middle+half)
}
