package foreign

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
)

// copiedFile matches how a message of the go command, which runs in the work folder, names a file of a copy.
var copiedFile = regexp.MustCompile(`(?m)^\t*(copy|required/\d+|vendored/\d+|standard)/`)

// places returns a text in which files of the copies, which are removed later, have the names of their
// originals, and copied packages of the standard library their paths. Files of the standard library keep
// their names.
func (w *Work) places(text string) string {
	if w.module.dir == "" {
		return text
	}
	const separator = string(filepath.Separator)
	text = strings.ReplaceAll(text, standardModule+"/", "")
	own, all := map[string]string{}, w.copies()
	for i, v := range w.module.vendored {
		all = append(all, origin{dir: v.dir, copy: w.vendoredCopy(i)})
	}
	for _, m := range all {
		m.dir = w.original(m.dir)
		text = strings.ReplaceAll(text, m.copy+separator, m.dir+separator)
		if rel, err := filepath.Rel(w.Folder, m.copy); err == nil {
			own[filepath.ToSlash(rel)+"/"] = m.dir + separator
		}
	}
	for _, f := range w.files { // tests have another name in the copy, or another folder
		from, to := filepath.Base(f.from), filepath.Base(f.to)
		folder := filepath.Dir(f.from)
		text = strings.ReplaceAll(text, filepath.Join(folder, inTests, to), f.from)
		if from == to {
			continue
		}
		text = strings.ReplaceAll(text, filepath.Join(folder, to), f.from)
		text = regexp.MustCompile(`\b`+regexp.QuoteMeta(to)+`:`).ReplaceAllString(text, from+":")
	}
	text = copiedFile.ReplaceAllStringFunc(text, func(name string) string {
		file := strings.TrimLeft(name, "\t")
		return strings.TrimSuffix(name, file) + cmp.Or(own[file], file)
	})
	for _, f := range w.files { // the compiler takes the name from a comment, and adds the folder
		folder, name := filepath.Split(f.from)
		text = strings.ReplaceAll(text, filepath.Join(folder, inTests, name), f.from)
	}
	return text
}

// placed returns the error with the names of the original files.
func (w *Work) placed(err error) error {
	if err == nil {
		return nil
	}
	return placedError{err, w.places(err.Error())}
}

type placedError struct {
	error
	text string
}

func (e placedError) Error() string { return e.text }

func (e placedError) Unwrap() error { return e.error }
