package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Inputs are the files that a link has judged.
type Inputs struct {
	// Patterns are paths below the repository's root, with slashes. "dir/*.go" is a glob, "dir/**" means all
	// files below dir, and "!*_test.go" excludes files: if it has no slash, in all folders.
	Patterns []string `json:"patterns"`
	// Files are the files that match the patterns, sorted.
	Files []string `json:"files"`
	// SHA256 is the hash of the path and content of each file, in the order of Files.
	SHA256 string `json:"sha256"`
}

// ErrInputs says that the judged files cannot be determined.
var ErrInputs = errors.New("judged files cannot be determined")

// Judge determines the files that match the patterns below root, and their hash. Call it before the
// judgement begins; then a file that changes during the judgement makes the record stale.
//
// A pattern that matches no file is an error, so a misspelt pattern cannot hide a change. An excluding
// pattern that excludes no file is an error, too.
func Judge(root string, patterns ...string) (Inputs, error) {
	in := Inputs{Patterns: append([]string(nil), patterns...)}
	chosen := map[string]bool{}
	for _, p := range patterns {
		if strings.Contains(strings.TrimSuffix(p, "/**"), "**") {
			return in, fmt.Errorf("%w: %s: two stars stand only at the end, after a slash", ErrInputs, p)
		}
		if rest, out := strings.CutPrefix(p, "!"); out {
			before := len(chosen)
			maps.DeleteFunc(chosen, func(f string, _ bool) bool { return matches(rest, f) })
			if len(chosen) == before {
				return in, fmt.Errorf("%w: %s takes no file out", ErrInputs, p)
			}
			continue
		}
		files, err := expand(root, p)
		if err != nil {
			return in, fmt.Errorf("%w: %s: %w", ErrInputs, p, err)
		}
		if len(files) == 0 {
			return in, fmt.Errorf("%w: %s means no file", ErrInputs, p)
		}
		for _, f := range files {
			chosen[f] = true
		}
	}
	for f := range chosen {
		in.Files = append(in.Files, f)
	}
	if len(in.Files) == 0 {
		return in, fmt.Errorf("%w: no file is left", ErrInputs)
	}
	sort.Strings(in.Files)
	sum, err := hash(root, in.Files)
	if err != nil {
		return in, fmt.Errorf("%w: %w", ErrInputs, err)
	}
	in.SHA256 = sum
	return in, nil
}

// Changed returns one sentence that says how the judged files differ from the present ones, or "".
func (in Inputs) Changed(root string) string {
	now, err := Judge(root, in.Patterns...)
	if err != nil {
		return err.Error()
	}
	if now.SHA256 == in.SHA256 {
		return ""
	}
	before, after := set(in.Files), set(now.Files)
	for _, f := range in.Files {
		if !after[f] {
			return f + " is gone"
		}
	}
	for _, f := range now.Files {
		if !before[f] {
			return f + " is new"
		}
	}
	if len(in.Files) == 1 {
		return in.Files[0] + " has changed"
	}
	return fmt.Sprintf("one of %d judged files has changed", len(in.Files))
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// expand returns the regular files that match one pattern. Hidden files do not count, because editors and
// interrupted writers leave such files.
func expand(root, pattern string) ([]string, error) {
	if pattern == "" || path.IsAbs(pattern) || path.Clean(pattern) != pattern ||
		strings.HasPrefix(pattern, "..") {
		return nil, errors.New("not a clean path below the root")
	}
	if dir, deep := strings.CutSuffix(pattern, "/**"); deep {
		return below(root, dir)
	}
	found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range found {
		info, err := os.Stat(f)
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() && !hidden(f) {
			out = append(out, relative(root, f))
		}
	}
	return out, nil
}

func below(root, dir string) ([]string, error) {
	var out []string
	top := filepath.Join(root, filepath.FromSlash(dir))
	err := filepath.WalkDir(top, func(f string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && f != top && hidden(f):
			return filepath.SkipDir
		case d.Type().IsRegular() && !hidden(f):
			out = append(out, relative(root, f))
		}
		return nil
	})
	return out, err
}

func hidden(file string) bool { return strings.HasPrefix(filepath.Base(file), ".") }

func relative(root, file string) string {
	r, err := filepath.Rel(root, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(r)
}

// matches reports whether an excluding pattern matches the file. A pattern without a slash is compared only
// with the file's name.
func matches(pattern, file string) bool {
	if dir, deep := strings.CutSuffix(pattern, "/**"); deep {
		return strings.HasPrefix(file, dir+"/")
	}
	if !strings.Contains(pattern, "/") {
		file = path.Base(file)
	}
	ok, err := path.Match(pattern, file)
	return ok && err == nil
}

// hash returns the sha256 of the path, length and content of each file. Two different lists of files never
// give the same input.
func hash(root string, files []string) (string, error) {
	h := sha256.New()
	for _, name := range files {
		f, err := os.Open(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		one := sha256.New()
		n, err := io.Copy(one, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\x00%d\x00%x\n", name, n, one.Sum(nil))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
