package foreign

import (
	"path/filepath"
	"regexp"
	"strings"
)

// copiedFile is how a message of the go command, which runs in the work folder, names a file of the copy.
var copiedFile = regexp.MustCompile(`(?m)^\t*copy/`)

// places returns a text in which files of the copy, which is removed, have the names of those that they are
// copies of. What is of the standard library keeps its name.
func (w *Work) places(text string) string {
	if w.module.dir == "" {
		return text
	}
	own := w.module.dir + string(filepath.Separator)
	text = strings.ReplaceAll(text, filepath.Join(w.Folder, "copy")+string(filepath.Separator), own)
	return copiedFile.ReplaceAllStringFunc(text, func(name string) string {
		return strings.Replace(name, "copy/", own, 1)
	})
}

// placed returns the error with its places.
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
