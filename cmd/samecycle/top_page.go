package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
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

// writeTopPage writes the page. A file that is there already is replaced only if it is such a page.
func writeTopPage(f topFrame, file string) error {
	text, err := os.ReadFile(file)
	if err == nil && len(text) > 0 && !bytes.Contains(text, []byte(topPageMark)) {
		return fmt.Errorf("--html: %s is no page of cache top, and would be lost: name another one", file)
	}
	var b bytes.Buffer
	if err := topTemplate.Execute(&b, f); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return evidence.WriteFile(file, b.Bytes())
}
