package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/samecycle/samecycle/internal/evidence"
)

// topPage is a frame as a page for a browser, which needs no other file.
//
//go:embed top_page.html
var topPage string

// topPageMark is in each such page.
const topPageMark = `<meta name="generator" content="samecycle cache top"/>`

var topTemplate = template.Must(template.New("top").Funcs(template.FuncMap{
	"cell":  cellText,
	"right": func(t topTable, column int) bool { return !t.left(column) },
	"bar":   barOf,
	"time":  func(t time.Time) string { return t.Format(time.DateTime) },
}).Parse(topPage))

// barOf is the width of the bar behind a share, in percent; 0 behind other cells.
func barOf(cell any) float64 {
	x, ok := cell.(cellShare)
	if !ok {
		return 0
	}
	return min(max(100*float64(x), 0), 100)
}

// topPageMode is that of a new page. It has keys, and the file of a cache is for its owner alone, too.
const topPageMode = 0o600

// topPageHead is how many bytes of a page have its mark.
const topPageHead = 4096

// topPlace is the mode of a page in this file, which the command is to write, and the target of the file if
// it is a symbolic link. A file that is there already is replaced only if it is such a page, which keeps its
// mode.
func topPlace(file string) (mode fs.FileMode, target string, err error) {
	if target, err = evidence.Target(file); err != nil {
		return 0, "", fmt.Errorf("--html: %w", err)
	}
	mode, err = topMode(file, target)
	return mode, target, err
}

// topMode is topPlace of a file and its target.
func topMode(file, target string) (fs.FileMode, error) {
	if folder := filepath.Dir(target); absent(folder) { // a word mistyped must make none
		return 0, fmt.Errorf("--html: the folder %s is missing: make it, or name a file in another one",
			folder)
	}
	if err := evidence.Writable(file); err != nil {
		return 0, fmt.Errorf("--html: %w", err)
	}
	old, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return topPageMode, nil
	}
	if err != nil {
		return 0, fmt.Errorf("--html: %w", err)
	}
	defer old.Close()
	info, err := old.Stat()
	head, bad := io.ReadAll(io.LimitReader(old, topPageHead))
	if err = errors.Join(err, bad); err != nil {
		return 0, fmt.Errorf("--html: %w", err)
	}
	if len(head) > 0 && !bytes.Contains(head, []byte(topPageMark)) {
		return 0, fmt.Errorf("--html: %s is no page of cache top, and would be lost: name another one", file)
	}
	return info.Mode().Perm(), nil
}

// absent tells that nothing has that name.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// writeTopPage writes the page in one step.
func writeTopPage(f topFrame, file string) error {
	mode, target, err := topPlace(file)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), ".top-") // with mode 0600
	if err != nil {
		return pageError(file, err)
	}
	defer os.Remove(tmp.Name())
	err = errors.Join(topTemplate.Execute(tmp, f), tmp.Chmod(mode), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), target)
	}
	if err != nil {
		return pageError(file, err)
	}
	return nil
}

// pageError is the error of a page that could not be written. It does not name the file under which the page
// is written at first, because that one is removed.
func pageError(file string, err error) error {
	if of, is := errors.AsType[*fs.PathError](err); is {
		err = of.Err
	}
	if of, is := errors.AsType[*os.LinkError](err); is {
		err = of.Err
	}
	return fmt.Errorf("--html %s: the page is not written: %w", file, err)
}
