package foreign

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A vendored module is one whose packages the go command takes from a vendor folder.
type vendored struct {
	path, language string // language is empty if modules.txt names no version
	dir            string // its part of the vendor folder
}

// The first versions of the language in a go.mod, and in a go.work, with which the go command uses a vendor
// folder unasked.
const vendorFrom, vendorWorkFrom = "go1.14", "go1.22"

// useVendor finds out whether the go command uses a vendor folder for the module, and if so takes from it
// what the module requires.
func (o *origin) useVendor(ctx context.Context) error {
	base, from, env := o.dir, vendorFrom, []string{"GOWORK=off"}
	if o.work != "" {
		base, from, env = filepath.Dir(o.work), vendorWorkFrom, nil
	}
	list := filepath.Join(base, "vendor", "modules.txt")
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	mode, err := modFlag(ctx, o.dir)
	if err != nil {
		return err
	}
	ofWork := strings.HasPrefix(string(text), "## workspace")
	unasked := ofWork == (o.work != "") && (o.language == "" || version.Compare("go"+o.language, from) >= 0)
	if mode != "vendor" && (mode != "" || !unasked) {
		return nil
	}
	// The go command refuses a vendor folder that does not fit what is required.
	if _, err := runGo(ctx, o.dir, env, "list", "-m"); err != nil {
		return fmt.Errorf("%w: the vendor folder of %s cannot be used: %w", ErrSource, o.path, err)
	}
	o.vendor, o.vendored = filepath.Dir(list), readVendor(string(text), filepath.Dir(list), o.path)
	if o.work == "" {
		o.replaced = nil // what is vendored is what replaces it
	}
	for i, v := range o.vendored {
		o.replaced = slices.DeleteFunc(o.replaced, func(r replacement) bool { return r.path == v.path })
		o.replaced = append(o.replaced, replacement{path: v.path, by: vendoredAt(i)})
	}
	return nil
}

// vendoredAt is the folder, below the work folder, of a vendored module.
func vendoredAt(i int) string { return fmt.Sprint("./vendored/", i+1) }

func (w *Work) vendoredCopy(i int) string {
	return filepath.Join(w.Folder, filepath.FromSlash(vendoredAt(i)))
}

// modFlag returns what the flag -mod has in GOFLAGS; it is empty if it has nothing.
func modFlag(ctx context.Context, folder string) (mode string, err error) {
	out, err := runGo(ctx, folder, nil, "env", "GOFLAGS")
	if err != nil {
		return "", err
	}
	for _, flag := range strings.Fields(string(out)) {
		if value, is := strings.CutPrefix("-"+strings.TrimLeft(flag, "-'\""), "-mod="); is {
			mode = strings.Trim(value, `'"`)
		}
	}
	return mode, nil
}

// readVendor reads a modules.txt: the modules that have packages in the vendor folder. The module that is
// explored may be among them in a workspace, and this project's folder always replaces the project.
func readVendor(text, vendor, own string) []vendored {
	var all []vendored
	var now vendored
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		notes, noted := strings.CutPrefix(line, "## ")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case noted:
			for note := range strings.SplitSeq(notes, ";") {
				if v, is := strings.CutPrefix(strings.TrimSpace(note), "go "); is {
					now.language = v
				}
			}
		case f[0] == "#":
			now = vendored{}
			if len(f) > 2 && f[2] != "=>" {
				now = vendored{path: f[1], dir: filepath.Join(vendor, filepath.FromSlash(f[1]))}
			}
		case now.path != "" && now.path != own && now.path != project:
			if n := len(all); n == 0 || all[n-1].path != now.path {
				all = append(all, now)
			}
		}
	}
	return all
}

// copyVendored copies what is vendored into the work folder, each module into a folder of its own, because
// a module needs a go.mod, which the go command leaves out of a vendor folder. It takes what is required out
// of the go.mod of the target's copy, so nothing else is looked for, and nothing needs a network.
func (w *Work) copyVendored() error {
	if w.module.vendor == "" {
		return nil
	}
	w.o.log("using %s", w.module.vendor)
	roots := map[string]bool{}
	for _, v := range w.module.vendored {
		roots[v.dir] = true
	}
	for i, v := range w.module.vendored {
		to := w.vendoredCopy(i)
		inner := maps.Clone(roots)
		delete(inner, v.dir)
		if err := copyFolder(v.dir, to, inner); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSource, v.path, err)
		}
		text := "module " + v.path + "\n"
		if v.language != "" {
			text += "\ngo " + v.language + "\n"
		}
		if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o644); err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	own := filepath.Join(w.Folder, "copy")
	lines, err := languageOf(own)
	if err != nil {
		return err
	}
	text := "module " + w.module.path + "\n\n" + lines
	if err := os.WriteFile(filepath.Join(own, "go.mod"), []byte(text), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}

// copyFolder copies the files of a folder and those below it, without some folders.
func copyFolder(from, to string, without map[string]bool) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case without[path]:
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
}

// onlyVendored returns an error if one of the packages, or what they use, is not what the go command would
// build with the vendor folder.
func (w *Work) onlyVendored(packages []listed, paths []string) error {
	if w.module.vendor == "" {
		return nil
	}
	known := map[string]bool{w.module.path: true, project: true, sortingModule: true, standardModule: true}
	for _, r := range w.module.replaced {
		known[r.path] = true
	}
	byPath := map[string]listed{}
	for _, p := range packages {
		byPath[p.ImportPath] = p
	}
	for _, path := range paths {
		for used := range reached(byPath, path) {
			if p := byPath[used]; p.Module != nil && !known[p.Module.Path] {
				return fmt.Errorf("%w: package %s is not in %s: %s", ErrSource, used,
					w.module.vendor, otherwise)
			}
		}
	}
	return nil
}

// vendorOnly adds to the error of a module that is missing that only the vendor folder is used.
func (w *Work) vendorOnly(err error) error {
	if w.module.vendor == "" || !errors.Is(err, ErrDownload) {
		return err
	}
	return fmt.Errorf("%w; what is required is taken from %s alone, as go test does: %s", err,
		w.module.vendor, otherwise)
}

// otherwise says what to do if a vendor folder lacks a package.
const otherwise = "run go mod vendor, or set GOFLAGS=-mod=mod to explore what go.mod names"

// original returns the folder from which a folder was copied, if it is that of a vendored module in the work
// folder.
func (w *Work) original(folder string) string {
	for i, v := range w.module.vendored {
		if sameFolder(folder, w.vendoredCopy(i)) {
			return v.dir
		}
	}
	return folder
}
