package mutate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Counts are the numbers of mutants by verdict.
type Counts map[Verdict]int

// Verdicts returns all verdicts in the order of tables.
func Verdicts() []Verdict {
	return []Verdict{Killed, Hangs, Equivalent, Survived, NotCovered, Unknown}
}

// CountsOf counts the outcomes.
func CountsOf(list []Outcome) Counts {
	c := Counts{}
	for _, o := range list {
		c[o.Verdict]++
	}
	return c
}

// Good reports whether every mutant was noticed or is equivalent, and one was killed.
func (c Counts) Good() bool {
	return c[Killed] > 0 && c[Survived]+c[NotCovered]+c[Unknown] == 0
}

// String returns the score in one line.
func (c Counts) String() string {
	var parts []string
	for _, v := range Verdicts() {
		parts = append(parts, fmt.Sprintf("%d %s", c[v], v))
	}
	return strings.Join(parts, ", ")
}

// KilledBy says which judge killed a mutant, and in which search: "step validation in S04..., kills 0".
func (o Outcome) KilledBy() string {
	switch {
	case o.Search != nil:
		return o.Judge + " in " + o.Search.String()
	case o.Test != "":
		return o.Judge + " in " + o.Test
	}
	return o.Judge
}

// Markdown returns the record for a reader.
func (l Ledger) Markdown(e *Engine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Mutants\n\n")
	fmt.Fprintf(&b, "`%s`\n\n", l.Command)
	fmt.Fprintf(&b, "Packages `%s`: %s. %d mutants: %s. %d candidates did not compile and %d were the "+
		"text of another one; these are no mutants.\n\n", strings.Join(l.Packages, "`, `"), l.Scope,
		len(l.Outcomes), CountsOf(l.Outcomes), l.Invalid, l.Repeated)
	var tools []string
	for _, t := range slices.Sorted(maps.Keys(l.Tools)) {
		tools = append(tools, t+" "+l.Tools[t])
	}
	fmt.Fprintf(&b, "Commit %s, seed %d, %s. Hash of the packages and of their judges: `%s`. The outcome "+
		"of each mutant is in [mutants.json](mutants.json).\n\n", l.Commit, l.Seed,
		strings.Join(tools, ", "), l.Inputs)
	b.WriteString("A mutant that was killed names the first judge that refused it; the cheapest are " +
		"asked first, so others may refuse it as well. The judges, in this order:\n\n")
	for _, s := range slices.Concat(e.stages, e.extra) {
		fmt.Fprintf(&b, "- %s%s\n", s, map[bool]string{true: " (with --deep)"}[s.deep])
	}
	if n := l.unhashed(); n > 0 {
		fmt.Fprintf(&b, "\n%d of those killed are from before the ledger had a hash of what kills: they "+
			"hold while their function is the same, whatever has become of the program or the test.\n", n)
	}
	b.WriteString("\nThe programs and the tests of the scenarios judge what they search: the engine " +
		"without the files that only report, and of other packages the files that such a test names. Of " +
		"the rest the tests of the package judge alone. A mutant hangs when they have not ended in many " +
		"times what they take without it.\n")
	b.WriteString("\nThese bounds are smaller than those of `samecycle check`: a survivor has not been " +
		"searched for as far as check goes, unless with --deep.\n\n")
	b.WriteString("## By operator\n\n")
	about := map[string]string{}
	for _, op := range operators {
		about[op.Name] = op.About
	}
	verdictTable(&b, "operator", l.Outcomes, func(o Outcome) string { return operatorOf(o) }, about)
	b.WriteString("\n## By file\n\n")
	verdictTable(&b, "file", l.Outcomes, func(o Outcome) string {
		file, _, _ := strings.Cut(o.Name, ":")
		return file
	}, nil)
	b.WriteString("\n## By judge\n\n| judge | killed |\n|---|---:|\n")
	countTable(&b, l.Outcomes, func(o Outcome) string { return o.Judge })
	b.WriteString("\n## By bound or test\n\n| search | killed |\n|---|---:|\n")
	countTable(&b, l.Outcomes, func(o Outcome) string {
		if o.Search == nil {
			return "test " + o.Test
		}
		s := *o.Search
		_, bound, _ := strings.Cut(s.String(), ", ")
		return bound
	})
	b.WriteString("\n## By program\n\n| program | killed |\n|---|---:|\n")
	countTable(&b, l.Outcomes, func(o Outcome) string {
		if o.Search == nil {
			return ""
		}
		return o.Search.Program
	})
	for _, v := range Verdicts()[1:] {
		listed(&b, v, l.Outcomes)
	}
	return b.String()
}

// unhashed returns how many mutants were killed by something for which the ledger has no hash.
func (l Ledger) unhashed() int {
	n := 0
	for _, o := range l.Outcomes {
		if o.Verdict == Killed && o.Killer == "" {
			n++
		}
	}
	return n
}

func operatorOf(o Outcome) string { return o.Name[strings.LastIndexByte(o.Name, ' ')+1:] }

func verdictTable(b *strings.Builder, what string, list []Outcome, key func(Outcome) string,
	about map[string]string) {
	by := map[string][]Outcome{}
	for _, o := range list {
		by[key(o)] = append(by[key(o)], o)
	}
	fmt.Fprintf(b, "| %s | mutants |", what)
	for _, v := range Verdicts() {
		fmt.Fprintf(b, " %s |", v)
	}
	if about != nil {
		b.WriteString(" what it does |")
	}
	b.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(Verdicts())))
	if about != nil {
		b.WriteString("---|")
	}
	b.WriteString("\n")
	for _, k := range slices.Sorted(maps.Keys(by)) {
		c := CountsOf(by[k])
		fmt.Fprintf(b, "| %s | %d |", k, len(by[k]))
		for _, v := range Verdicts() {
			fmt.Fprintf(b, " %d |", c[v])
		}
		if about != nil {
			fmt.Fprintf(b, " %s |", strings.ReplaceAll(about[k], "|", `\|`))
		}
		b.WriteString("\n")
	}
}

// countTable counts the killed mutants by a key, the most frequent first; the key "" does not count.
func countTable(b *strings.Builder, list []Outcome, key func(Outcome) string) {
	n := map[string]int{}
	for _, o := range list {
		if o.Verdict == Killed && key(o) != "" {
			n[key(o)]++
		}
	}
	keys := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(keys, func(x, y string) int { return n[y] - n[x] })
	for _, k := range keys {
		fmt.Fprintf(b, "| %s | %d |\n", k, n[k])
	}
}

// listed lists the mutants of a verdict, with the reason or the change.
func listed(b *strings.Builder, v Verdict, list []Outcome) {
	first := true
	for _, o := range list {
		if o.Verdict != v {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n## %s%s\n\n", strings.ToUpper(string(v[:1])), v[1:])
			first = false
		}
		fmt.Fprintf(b, "- `%s` (line %d)", o.Name, o.Line)
		if o.Reason != "" {
			fmt.Fprintf(b, ": %s", o.Reason)
		} else if o.Why != "" {
			fmt.Fprintf(b, ": %s", shortened(o.Why))
		}
		b.WriteString("\n")
	}
}
