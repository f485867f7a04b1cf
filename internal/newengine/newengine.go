package newengine

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed all:template
var templates embed.FS

// suffix ends the names of the templates.
const suffix = ".tmpl"

// ErrRefused says that the name or the letter that was asked for cannot be had. Nothing was written.
var ErrRefused = errors.New("refused")

// refused is an error of the request.
func refused(format string, args ...any) error { return &refusal{fmt.Errorf(format, args...)} }

type refusal struct{ err error }

func (e *refusal) Error() string        { return e.err.Error() }
func (e *refusal) Unwrap() error        { return e.err }
func (e *refusal) Is(target error) bool { return target == ErrRefused }

// Engine is a new engine.
type Engine struct {
	Name   string   // of its packages
	Module string   // of TLA+
	Letter string   // with which its states begin
	Files  []string // that are new, below the root, with slashes, sorted
	Edited []string // that were there, and have it now
}

// Write writes the files of a new engine of that name into the repository at root, and enters it into the
// list of engines. Without a letter it takes the first one of the name that no other engine has, else the
// first one of the alphabet. It overwrites no file. If it fails, the repository is as it was. Errors:
// ErrRefused, and those of files.
func Write(root, name, letter string) (Engine, error) {
	e := Engine{Name: name, Edited: []string{listFile}}
	if err := checkName(root, name); err != nil {
		return e, err
	}
	var err error
	if e.Letter, err = chooseLetter(root, name, letter); err != nil {
		return e, err
	}
	e.Module = strings.ToUpper(name[:1]) + name[1:]
	files, err := e.texts()
	if err != nil {
		return e, err
	}
	for _, f := range files {
		e.Files = append(e.Files, f.path)
	}
	list, err := entered(root, name)
	if err != nil {
		return e, err
	}
	w := writer{root: root}
	if err := w.all(e, files, list); err != nil {
		return e, errors.Join(err, w.undo())
	}
	return e, nil
}

// file is a new file.
type file struct {
	path string // below the root
	text []byte
}

// texts are the files of the engine, sorted by path.
func (e Engine) texts() ([]file, error) {
	fill := strings.NewReplacer("__name__", e.Name, "__Name__", e.Module, "__L__", e.Letter)
	var all []file
	err := fs.WalkDir(templates, "template", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		f := file{fill.Replace(strings.TrimSuffix(strings.TrimPrefix(name, "template/"), suffix)),
			[]byte(fill.Replace(string(text)))}
		if path.Ext(f.path) == ".go" { // the order of imports depends on the name
			f.text, err = format.Source(f.text)
		}
		all = append(all, f)
		return err
	})
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return all, err
}

// folders are those of an engine, with slashes, which nobody may have when it is new.
func folders(name string) []string {
	return []string{"internal/catalog/" + name, "impl/" + name, "spec/tla/" + name, "model/" + name,
		"scenarios/" + name}
}

// writer writes files, and knows what to take back.
type writer struct {
	root string
	made []string // files and folders, in this order
}

// all makes the folders, which nobody else may make at the same time, writes the files, and then the list.
func (w *writer) all(e Engine, files []file, list []byte) error {
	for _, dir := range folders(e.Name) {
		if err := os.Mkdir(w.at(dir), 0o755); err != nil {
			return err
		}
		w.made = append(w.made, w.at(dir))
	}
	for _, f := range files {
		if err := w.create(w.at(f.path), f.text); err != nil {
			return err
		}
	}
	next := w.at(listFile) + ".new"
	if err := w.create(next, list); err != nil {
		return err
	}
	return os.Rename(next, w.at(listFile))
}

func (w *writer) at(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// create writes a file that is not there.
func (w *writer) create(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	w.made = append(w.made, path)
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// undo removes what was made.
func (w *writer) undo() error {
	var errs []error
	for _, path := range slices.Backward(w.made) {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}
