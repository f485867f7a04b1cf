package foreign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A replacement is what a go.mod has in place of a module, or of one of its versions.
type replacement struct{ path, version, by, byVersion string }

// nameModule gives a copy a go.mod if it has none, as is the case for modules from the time before go.mod.
func nameModule(folder, path string) error {
	file := filepath.Join(folder, "go.mod")
	if exists(file) {
		return nil
	}
	text := fmt.Sprintf("module %s\n\ngo 1.%d\n", path, leastMinor)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}

// languageOf returns the lines of the go.mod in a folder that name the version of the language.
func languageOf(folder string) (lines string, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRoot, err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "go ") || strings.HasPrefix(line, "toolchain ") {
			lines += line
		}
	}
	return lines, nil
}

// moduleFiles writes go.mod and go.sum for the module of the driver. The versions of what this project needs
// come from its own go.mod, through the replacement; those of what the target needs come from the target's
// go.mod.
func (w *Work) moduleFiles(root, own string) error {
	goLines, err := languageOf(root)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("module %s\n\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n",
		own, goLines, project, project, strconv.Quote(root))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRoot, err)
	}
	if len(w.sorting) > 0 {
		text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => ./sorting\n", sortingModule)
	}
	if m := w.module; m.path != "" {
		text += fmt.Sprintf("\nrequire %s %s\n\nreplace %s => ./copy\n", m.path, m.version, m.path)
		for _, v := range m.vendored {
			text += fmt.Sprintf("\nrequire %s %s\n", v.path, anyVersion(v.path))
		}
		for _, r := range m.replaced {
			text += fmt.Sprintf("\nreplace %s %s => %q %s\n", r.path, r.version, r.by, r.byVersion)
		}
		for _, file := range append([]string{filepath.Join(m.dir, "go.sum")}, m.sums...) {
			theirs, err := os.ReadFile(file)
			if err != nil && !os.IsNotExist(err) {
				return fmt.Errorf("%w: %w", ErrSource, err)
			}
			sums = append(sums, theirs...)
		}
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(w.Folder, "go.mod"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(w.Folder, "go.sum"), sums, 0o644))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return nil
}
