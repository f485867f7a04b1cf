package foreign

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A modFile is what go mod edit -json prints for a go.mod, or go work edit -json for a go.work.
type modFile struct {
	Module  struct{ Path string }
	Go      string
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// readMod reads the go.mod of the folder, or the go.work if that is named.
func readMod(ctx context.Context, folder, work string) (m modFile, err error) {
	args := []string{"mod", "edit", "-json"}
	if work != "" {
		args = []string{"work", "edit", "-json", work}
	}
	out, err := goCommand(ctx, folder, args...)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, fmt.Errorf("%w: go %s in %s: %w", ErrSource, args[0], folder, err)
	}
	return m, nil
}

// replacements returns the replacements of a go.mod or go.work in the folder.
func (m modFile) replacements(folder string) (all []replacement) {
	for _, r := range m.Replace {
		to := r.New.Path
		if r.New.Version == "" && !filepath.IsAbs(to) {
			to = filepath.Join(folder, filepath.FromSlash(to))
		}
		all = append(all, replacement{r.Old.Path, r.Old.Version, to, r.New.Version})
	}
	return all
}

// joinWorkspace handles the go.work that the go command finds for the module's folder, if it uses the
// module. The module then gets from it the other modules in their folders, all replacements, and the sums of
// what they require. A replacement of go.work takes precedence over those of the modules, and a module that
// is used takes precedence over all of them.
func (o *origin) joinWorkspace(ctx context.Context) error {
	out, err := runGo(ctx, o.dir, nil, "env", "GOWORK")
	if err != nil {
		return err
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == "off" {
		return nil
	}
	work, err := readMod(ctx, o.dir, file)
	if err != nil {
		return err
	}
	var members []replacement
	all, uses := work.replacements(filepath.Dir(file)), false
	sums := []string{file + ".sum"}
	for _, u := range work.Use {
		folder := filepath.FromSlash(u.DiskPath)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(filepath.Dir(file), folder)
		}
		if sameFolder(folder, o.dir) {
			uses = true
			all = append(all, o.replaced...)
			continue
		}
		m, err := readMod(ctx, folder, "")
		if err != nil {
			return fmt.Errorf("%w: %s uses %s: %w", ErrSource, file, folder, err)
		}
		members = append(members, replacement{path: m.Module.Path, by: folder})
		all, sums = append(all, m.replacements(folder)...), append(sums, filepath.Join(folder, "go.sum"))
	}
	if !uses {
		return nil
	}
	o.replaced, o.sums, o.work, o.language = slices.Clone(members), sums, file, work.Go
	for _, r := range all {
		if r.path != o.path &&
			!slices.ContainsFunc(members, func(m replacement) bool { return m.path == r.path }) &&
			!slices.ContainsFunc(o.replaced, func(m replacement) bool {
				return m.path == r.path && m.version == r.version
			}) {
			o.replaced = append(o.replaced, r)
		}
	}
	return nil
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	x, err := filepath.EvalSymlinks(a)
	if err != nil {
		return false
	}
	y, err := filepath.EvalSymlinks(b)
	return err == nil && x == y
}
