package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/evidence"
)

// The marks between which a run with --out writes its figures into the page for readers that lies beside the
// file, if there is one: so the page cannot say anything else than the file.
const (
	figuresBegin = "<!-- figures -->\n"
	figuresEnd   = "<!-- /figures -->"
)

// section is what a page says of the figures.
func (x *cacheFigures[R]) section() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Command `%s`, commit %s", x.Command, x.Commit)
	for _, name := range slices.Sorted(maps.Keys(x.Tools)) {
		fmt.Fprintf(&b, ", %s %s", name, x.Tools[name])
	}
	b.WriteString(":\n\n```\n")
	x.print(&b, x.Report)
	b.WriteString("```\n")
	return b.String()
}

// writePage puts the figures into the page beside the file. A page without the marks stays as it is.
func (x *cacheFigures[R]) writePage() error {
	path, ok := pageOf(x.path)
	if !ok {
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("page of the figures: %w", err)
	}
	page, ok := between(string(text), figuresBegin, figuresEnd, x.section())
	if !ok || page == string(text) {
		return nil
	}
	return evidence.WriteFile(path, []byte(page))
}

// pageOf is the page beside a file of figures. ok is false if the name of the file leads to none.
func pageOf(path string) (page string, ok bool) {
	base, ok := strings.CutSuffix(path, ".json")
	return base + ".md", ok
}

// between replaces what is between two marks of a page. ok is false if it does not have them.
func between(page, begin, end, text string) (_ string, ok bool) {
	head, rest, begins := strings.Cut(page, begin)
	_, tail, ends := strings.Cut(rest, end)
	return head + begin + text + end + tail, begins && ends
}

// printed is how the figures of a report are printed.
type printed[R any] func(io.Writer, *R)
