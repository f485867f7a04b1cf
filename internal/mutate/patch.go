package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/samecycle/samecycle/internal/disk"
)

// ErrPatch means that a patch of the user cannot be judged.
var ErrPatch = errors.New("patch unusable")

// patch is a change by the user: the new texts of files of a package.
type patch struct {
	texts map[string][]byte // by name of the file; nil for a file that is removed
	diff  string
}

// files returns the names of the files that change, sorted.
func (c *patch) files() (list []string) {
	for name := range c.texts {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Patch reads a mutant of the user, a unified diff as git writes it. Its name is that of the file. It may
// change any number of the sources of one package, add some and remove some; the sources themselves are not
// changed. Errors: ErrPatch, for a change outside the packages, of tests, or of text that is not there.
func (all Packages) Patch(root, name string) (*Mutant, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPatch, err)
	}
	no := func(format string, args ...any) (*Mutant, error) {
		return nil, fmt.Errorf("%w: %s: %w", ErrPatch, name, fmt.Errorf(format, args...))
	}
	changes, _, err := gitdiff.Parse(bytes.NewReader(text))
	if err != nil {
		return no("%w; write it with git diff", err)
	}
	if len(changes) == 0 {
		return no("no change is in it; write it with git diff")
	}
	c := &patch{texts: map[string][]byte{}, diff: string(text)}
	var of *Package
	for _, change := range changes {
		p, err := all.changed(root, change)
		switch {
		case err != nil:
			return no("%w", err)
		case of != nil && of != p:
			return no("it changes %s and %s; a mutant is of one package", of.target.Dir, p.target.Dir)
		}
		of = p
		if err := c.take(p, change); err != nil {
			return no("%w; write it anew for the files as they are, which must not have it yet", err)
		}
	}
	another := func(file string) bool {
		return c.texts[file] == nil || !bytes.Equal(c.texts[file], of.texts[file])
	}
	if !slices.ContainsFunc(c.files(), another) {
		return no("it changes nothing")
	}
	return &Mutant{Name: name, File: c.files()[0], target: of.target, probe: -1, patch: c}, nil
}

// changed returns the package of a change.
func (all Packages) changed(root string, change *gitdiff.File) (*Package, error) {
	var of *Package
	for _, name := range named(change) {
		p := all.having(root, name)
		switch {
		case p == nil:
			return nil, fmt.Errorf("%s is in none of the packages that are judged; "+
				"leave out what is not in %s", name, all.folders())
		case strings.HasSuffix(name, "_test.go"):
			return nil, fmt.Errorf("%s is a judge; leave tests out", name)
		case path.Ext(name) != ".go":
			return nil, fmt.Errorf("%s is no Go file; leave it out", name)
		case of != nil && of != p:
			return nil, fmt.Errorf("%s comes from another package; a mutant is of one package", name)
		}
		of = p
	}
	return of, nil
}

// named returns the names of the files that a change concerns.
func named(change *gitdiff.File) (list []string) {
	if !change.IsNew && !change.IsCopy {
		list = append(list, change.OldName)
	}
	if !change.IsDelete && !slices.Contains(list, change.NewName) {
		list = append(list, change.NewName)
	}
	return list
}

// folders returns the folders of the judged packages.
func (all Packages) folders() string {
	var list []string
	for _, p := range all {
		list = append(list, p.target.Dir)
	}
	return strings.Join(list, ", ")
}

// having returns the package whose folder has a file of that name, relative to the root of the repository.
// Names that diff writes without git have one more folder at the beginning.
func (all Packages) having(root, name string) *Package {
	_, rest, _ := strings.Cut(name, "/")
	for _, dir := range []string{path.Dir(name), path.Dir(rest)} {
		for _, p := range all {
			if filepath.Join(root, filepath.FromSlash(dir)) == p.Dir {
				return p
			}
		}
	}
	return nil
}

// take applies a change to the files after the changes before it.
func (c *patch) take(p *Package, change *gitdiff.File) error {
	from, to := path.Base(change.OldName), path.Base(change.NewName)
	var before []byte
	if !change.IsNew {
		text, known := c.texts[from]
		if !known {
			text = p.texts[from]
		}
		if before = text; before == nil {
			return fmt.Errorf("%s is no file of %s as it is built here", from, p.target.Dir)
		}
	}
	if _, there := c.texts[to]; (change.IsNew || change.IsRename || change.IsCopy) && !there {
		if _, err := os.Lstat(filepath.Join(p.Dir, to)); err == nil {
			return fmt.Errorf("%s/%s is there already", p.target.Dir, to)
		}
	}
	var after bytes.Buffer
	if err := gitdiff.Apply(&after, bytes.NewReader(before), change); err != nil {
		return fmt.Errorf("%s: %w", path.Base(named(change)[0]), err)
	}
	if change.IsDelete || change.IsRename {
		c.texts[from] = nil
	}
	if !change.IsDelete {
		c.texts[to] = append([]byte{}, after.Bytes()...)
	}
	return nil
}

// patched returns the package with the change.
func (p *Package) patched(c *patch) (*Package, error) {
	changed := *p
	changed.texts = map[string][]byte{}
	for name, text := range p.texts {
		changed.texts[name] = text
	}
	for name, text := range c.texts {
		if changed.texts[name] = text; text == nil {
			delete(changed.texts, name)
		}
	}
	changed.names = nil
	for name := range changed.texts {
		changed.names = append(changed.names, name)
	}
	slices.Sort(changed.names)
	if err := changed.parse(); err != nil {
		return nil, err
	}
	return &changed, nil
}

// RunPatches judges mutants of the user, as [Packages.Run] judges the others. If a judge refuses one, that
// judge then runs on the package without the mutant, and not before, because few judges run for few mutants.
// If a mutant does not compile, that is an error, ErrPatch, before any mutant is judged.
func (all Packages) RunPatches(ctx context.Context, mutants []*Mutant, o Options) error {
	renumber(mutants)
	for _, m := range mutants {
		if err := all.of(m).compilesWith(ctx, m, o); err != nil {
			return err
		}
	}
	for _, p := range all {
		own := slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool { return all.of(m) != p })
		if len(own) == 0 {
			continue
		}
		within := o
		within.Folder = folderOf(o.Folder, p.target)
		over, err := p.together(o.Root, filepath.Join(within.Folder, "all"), nil)
		if err != nil {
			return err
		}
		b := &bench{overlay: over, p: p, accepted: map[stage]error{}}
		o.Note("judging " + p.target.Dir + " without a mutant: tests")
		if err := b.measure(ctx); err != nil {
			return err
		}
		err = each(ctx, own, within, func(ctx context.Context, m *Mutant) (Outcome, error) {
			return p.judgeOne(ctx, b, m, within)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// of returns the package of a mutant.
func (all Packages) of(m *Mutant) *Package {
	i := slices.IndexFunc(all, func(p *Package) bool { return p.target.Dir == m.target.Dir })
	return all[i]
}

// compilesWith returns the compiler's error for the package with the mutant.
func (p *Package) compilesWith(ctx context.Context, m *Mutant, o Options) error {
	if _, err := p.patched(m.patch); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrPatch, m.Name, err)
	}
	texts := map[string]string{}
	for name, text := range m.patch.texts {
		texts[name] = string(text)
	}
	over, err := p.overlay(o.Root, filepath.Join(folderOf(o.Folder, p.target), m.folder()+"plain"), texts)
	if err != nil {
		return err
	}
	if err = over.compiles(ctx); err == nil || ctx.Err() != nil || errors.Is(err, disk.ErrFull) {
		return err
	}
	said := inPackage(err.Error(), o.Root, over.folder, p.target.Dir)
	return fmt.Errorf("%w: %s: %s", ErrPatch, m.Name, said)
}

// inPackage changes the paths in a message of the compiler to those of the package, because the folder of
// the build no longer exists when the message is read. The compiler names a folder relative to the root if
// that is shorter, so there are three forms.
func inPackage(said, root, folder, dir string) string {
	names := []string{folder, dir}
	if rel, err := filepath.Rel(root, folder); err == nil {
		names = append(names, "."+string(filepath.Separator)+rel, dir, rel, dir)
	}
	return strings.NewReplacer(names...).Replace(said)
}

// accepts runs a judge that has refused a mutant on the package without the mutant, once. It does not do so
// for the tests, which were measured without a mutant, and for the bounds of samecycle check.
func (b *bench) accepts(ctx context.Context, s stage) error {
	if b.accepted == nil || s.isTests() || s.full {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err, asked := b.accepted[s]; asked {
		return err
	}
	f, err := b.try(ctx, s, subject{reached: os.DevNull})
	if err == nil && f.Verdict != "" {
		err = fmt.Errorf("%w: %s %s: %s", ErrBaseline, f.Judge, f.Test, f.Why)
	}
	if ctx.Err() == nil {
		b.accepted[s] = err
	}
	return err
}
