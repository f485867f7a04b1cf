package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// diagramsOf are the drawings of an engine, which samecycle diagram makes and docs/protocol.md explains.
var diagramsOf = map[string][]string{
	"hopscotch": {"docs/cell.svg", "docs/descriptor.svg", "docs/displace.svg"}}

// writeResults writes the matrices as a page for a browser.
func writeResults(root string, all []*evidence.Matrix, file string) error {
	path, err := filepath.Abs(file)
	if err == nil {
		err = evidence.Writable(path)
	}
	if err == nil {
		path, err = evidence.Target(path)
	}
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	text, err := os.ReadFile(path)
	if err == nil && len(text) > 0 && !bytes.Contains(text, []byte(pageMark)) {
		return fmt.Errorf("--html: %s is no page of results, and would be lost: name another one", file)
	}
	folder := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real // a browser follows links from where the file is
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	page := evidence.Page{Root: root, Folder: folder}
	for _, m := range all {
		e, _ := engines.ByName(m.Engine)
		page.Engines = append(page.Engines, evidence.PageEngine{Names: e.Engine, Matrix: m,
			Diagrams: diagramsOf[m.Engine]})
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return evidence.WriteFile(path, b.Bytes())
}

// pageMark is in each page of results.
const pageMark = "<title>Results of samecycle</title>"
