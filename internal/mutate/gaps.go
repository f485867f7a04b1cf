package mutate

import (
	"slices"
	"strings"
)

// Function returns the place of the mutant: its name up to the number.
func (m *Mutant) Function() string {
	function, _, _ := strings.Cut(m.Name, "#")
	return function
}

// Gaps are the parts of the present package that a ledger does not cover. When the source is rewritten,
// names change and functions are added, and an earlier sample does not have them.
type Gaps struct {
	Gone     []string // names in the ledger that no mutant has now
	Unjudged []string // functions without a mutant that has a verdict on the present function
}

// Gaps compares the ledger with the package. It counts only functions that have a mutant whose name is
// wanted.
func (p *Package) Gaps(l Ledger, wanted func(name string) bool) Gaps {
	hashes, functions := map[string]string{}, map[string]bool{} // by name; judged or not
	candidates := p.Names(func(string) bool { return true })
	for _, m := range candidates {
		hashes[m.Name] = m.Hash
	}
	var g Gaps
	judged := map[string]bool{}
	for _, o := range l.Outcomes {
		if p.engine.targetOf(o.Name).Dir != p.target.Dir {
			continue
		}
		hash, there := hashes[o.Name]
		if !there {
			g.Gone = append(g.Gone, o.Name)
		}
		judged[o.Name] = there && hash == o.Hash && o.Verdict != Unknown
	}
	for _, m := range candidates {
		if wanted(m.Name) {
			functions[m.Function()] = functions[m.Function()] || judged[m.Name]
		}
	}
	// Whether a candidate compiles is asked last, and only if it matters.
	bare := p.Mutants(p.of(func(m *Mutant) bool {
		known, ok := functions[m.Function()]
		return ok && !known && wanted(m.Name)
	}, candidates))
	for _, m := range bare.Mutants {
		g.Unjudged = append(g.Unjudged, m.Function())
	}
	g.Unjudged = slices.Compact(g.Unjudged) // mutants of a function follow one another
	return g
}

// of returns a choice by name that has the same candidates as chosen.
func (p *Package) of(chosen func(*Mutant) bool, candidates []*Mutant) func(string) bool {
	names := map[string]bool{}
	for _, m := range candidates {
		if chosen(m) {
			names[m.Name] = true
		}
	}
	return func(name string) bool { return names[name] }
}

// share is the number of a function's mutants that a sample must have.
func share(of int) int { return max(1, of/10) }

// Draw completes a sample of the wanted mutants. For each function with less than its share it adds mutants,
// chosen by the seed as in [Sample]. It returns their names.
func (p *Package) Draw(sample, wanted func(name string) bool, seed uint64) []string {
	candidates := p.Names(wanted)
	all, in := map[string]int{}, map[string]int{}
	for _, m := range candidates {
		all[m.Function()]++
		if sample(m.Name) {
			in[m.Function()]++
		}
	}
	lacking := map[string][]*Mutant{}
	for _, m := range p.Mutants(p.of(func(m *Mutant) bool {
		return in[m.Function()] < share(all[m.Function()]) && !sample(m.Name)
	}, candidates)).Mutants {
		lacking[m.Function()] = append(lacking[m.Function()], m)
	}
	var names []string
	for function, list := range lacking {
		for _, m := range Sample(list, share(all[function])-in[function], seed) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}
