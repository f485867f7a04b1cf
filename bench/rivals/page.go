package rivals

import (
	"fmt"
	"slices"
	"strings"
)

// Table is all runs, by program and subject; each round adds a run to its cell.
type Table struct {
	Programs []Program
	Subjects []string
	Runs     map[string]map[string][]Run
}

// Add puts a run into its cell.
func (t *Table) Add(r Run) {
	if t.Runs == nil {
		t.Runs = map[string]map[string][]Run{}
	}
	if t.Runs[r.Program] == nil {
		t.Runs[r.Program] = map[string][]Run{}
	}
	name := r.Tool + " " + r.Mode
	t.Runs[r.Program][name] = append(t.Runs[r.Program][name], r)
}

// Ratios are, program by program, the median over the rounds of one subject's rate over another's,
// where both ran.
func (t *Table) Ratios(ours, theirs string) (ratios []float64) {
	for _, p := range t.Programs {
		a, b := t.Runs[p.Name][ours], t.Runs[p.Name][theirs]
		var rounds []float64
		for i := range min(len(a), len(b)) {
			if a[i].Rate() > 0 && b[i].Rate() > 0 {
				rounds = append(rounds, a[i].Rate()/b[i].Rate())
			}
		}
		if len(rounds) > 0 {
			slices.Sort(rounds)
			ratios = append(ratios, rounds[len(rounds)/2])
		}
	}
	slices.Sort(ratios)
	return ratios
}

// Excess is the largest quotient of a subject's executions and a program's classes of executions,
// over the programs whose classes are known and that it exhausts, and that program's name.
func (t *Table) Excess(subject string) (most float64, where string) {
	for _, p := range t.Programs {
		runs := t.Runs[p.Name][subject]
		if p.Traces == 0 || len(runs) == 0 || !runs[0].Exhausted {
			continue
		}
		if x := float64(runs[0].Each()) / float64(p.Traces); x > most {
			most, where = x, p.Name
		}
	}
	return most, where
}

// Missing counts the programs in which a subject came to its end and missed an outcome, or found
// one that cannot be.
func (t *Table) Missing(subject string) (missed, foreign int) {
	for _, p := range t.Programs {
		runs := t.Runs[p.Name][subject]
		if slices.ContainsFunc(runs, func(r Run) bool { return r.Exhausted && r.Missed > 0 }) {
			missed++
		}
		if slices.ContainsFunc(runs, func(r Run) bool { return r.Foreign > 0 }) {
			foreign++
		}
	}
	return missed, foreign
}

// Page renders both tables in Markdown.
func (t *Table) Page() string {
	var b strings.Builder
	head := func(first string) {
		fmt.Fprintf(&b, "| %s |", first)
		for _, s := range t.Subjects {
			fmt.Fprintf(&b, " %s |", s)
		}
		b.WriteString("\n|---|" + strings.Repeat("--:|", len(t.Subjects)+strings.Count(first, "|")) + "\n")
	}
	b.WriteString("### Executions of a search, and outcomes that it missed\n\n")
	head("program | classes | outcomes")
	for _, p := range t.Programs {
		classes := fmt.Sprint(p.Traces)
		if p.Traces == 0 {
			classes = "endless"
		}
		fmt.Fprintf(&b, "| %s | %s | %d |", p.Name, classes, p.Outcomes)
		for _, s := range t.Subjects {
			fmt.Fprintf(&b, " %s |", t.search(p.Name, s))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n### Thousand executions a second (median of the rounds)\n\n")
	head("program")
	for _, p := range t.Programs {
		fmt.Fprintf(&b, "| %s |", p.Name)
		for _, s := range t.Subjects {
			fmt.Fprintf(&b, " %s |", t.rate(p.Name, s))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// search is a cell of the first table.
func (t *Table) search(program, subject string) string {
	runs := t.Runs[program][subject]
	switch {
	case len(runs) == 0:
		return ""
	case runs[0].NotRun != "":
		return "NOT RUN"
	}
	r := runs[0]
	s := fmt.Sprint(r.Each())
	if !r.Exhausted {
		s = "cut at " + s
		if r.Searches > 1 || strings.HasSuffix(subject, "random") {
			s = "random"
		}
	}
	if r.Missed > 0 {
		s += fmt.Sprintf(", misses %d", r.Missed)
	}
	if r.Foreign > 0 {
		s += fmt.Sprintf(", %d impossible", r.Foreign)
	}
	return s
}

// rate is a cell of the second table.
func (t *Table) rate(program, subject string) string {
	var rates []float64
	for _, r := range t.Runs[program][subject] {
		if r.NotRun == "" {
			rates = append(rates, r.Rate()/1000)
		}
	}
	if len(rates) == 0 {
		return "NOT RUN"
	}
	slices.Sort(rates)
	return fmt.Sprintf("%.3g", rates[len(rates)/2])
}

// Reasons lists why runs are missing, each reason once.
func (t *Table) Reasons() (reasons []string) {
	for _, p := range t.Programs {
		for _, s := range t.Subjects {
			for _, r := range t.Runs[p.Name][s] {
				line := s + ": " + r.NotRun
				if r.NotRun != "" && !slices.Contains(reasons, line) {
					reasons = append(reasons, line)
				}
			}
		}
	}
	return reasons
}
