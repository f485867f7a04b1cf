package mutate

import (
	"context"
	"path/filepath"
	"slices"
)

// Target is a package whose mutants are judged, and says what judges them.
type Target struct {
	Dir    string // in the repository
	engine string // name of the engine
	prefix string // beginning of the names of its mutants; empty for the first package of an engine
	// Whether the programs of the scenarios judge it as well, and not only its own tests. The programs
	// search what actors do to one another in a table. They do not reach code that only reports, or that
	// runs before or after.
	searched  bool
	reporters []string // files of a searched package that change nothing, and only report
}

// searches reports whether the programs of the scenarios judge that file of the package.
func (t Target) searches(file string) bool { return t.searched && !slices.Contains(t.reporters, file) }

// Packages are the packages of all targets of an engine.
type Packages []*Package

// Paths returns their import paths.
func (all Packages) Paths() (list []string) {
	for _, p := range all {
		list = append(list, p.Path)
	}
	return list
}

// Mutants enumerates the mutants of all packages, as [Package.Mutants] does.
func (all Packages) Mutants(wanted func(name string) bool) Enumerated {
	var e Enumerated
	for _, p := range all {
		one := p.Mutants(wanted)
		e.Mutants = append(e.Mutants, one.Mutants...)
		e.Invalid += one.Invalid
		e.Repeated += one.Repeated
	}
	renumber(e.Mutants)
	return e
}

// Names enumerates the mutants of all packages, as [Package.Names] does.
func (all Packages) Names(wanted func(name string) bool) (list []*Mutant) {
	for _, p := range all {
		list = append(list, p.Names(wanted)...)
	}
	return list
}

// Draw completes a sample, as [Package.Draw] does.
func (all Packages) Draw(sample, wanted func(name string) bool, seed uint64) (names []string) {
	for _, p := range all {
		names = append(names, p.Draw(sample, wanted, seed)...)
	}
	slices.Sort(names)
	return names
}

// Run judges the mutants, one package after the other, as [Package.Run] does. It numbers the mutants of each
// package from 1, as in the program into which they are built.
func (all Packages) Run(ctx context.Context, mutants []*Mutant, o Options) error {
	for _, p := range all {
		own := slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool {
			return m.target.Dir != p.target.Dir
		})
		if len(own) == 0 {
			continue
		}
		renumber(own)
		within := o
		within.Folder = folderOf(o.Folder, p.target)
		if err := p.Run(ctx, own, within); err != nil {
			return err
		}
	}
	return nil
}

// folderOf returns the folder, within that of a run, in which the programs of a package are built.
func folderOf(folder string, t Target) string { return filepath.Join(folder, filepath.Base(t.Dir)) }

// renumber sets the number of each mutant to its place in the list.
func renumber(mutants []*Mutant) {
	for i, m := range mutants {
		m.Number = i + 1
	}
}
