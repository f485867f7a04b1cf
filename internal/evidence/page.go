package evidence

import (
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Page is the results of some engines as one HTML file, which contains everything that it shows. Its links
// to records and findings are relative to Folder.
type Page struct {
	Root    string // of the repository
	Folder  string // folder of the page
	Engines []PageEngine
}

// PageEngine is one engine of a page.
type PageEngine struct {
	Names    *catalog.Engine
	Matrix   *Matrix
	Diagrams []string // SVG files below the root, for all states; a file that does not exist is left out
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	data := pageData{Links: catalog.Links()}
	for _, e := range p.Engines {
		shown, err := p.engine(e)
		if err != nil {
			return err
		}
		data.Engines = append(data.Engines, shown)
	}
	return pageTemplate.Execute(w, data)
}

// The data of the template.
type (
	pageData struct {
		Links   []catalog.Link
		Engines []engineData
	}
	engineData struct {
		Name, Title, Summary string
		Red                  bool
		Links                []string
		Strays               []string
		States               []stateData
		Diagrams             []diagramData
	}
	diagramData struct {
		Name, Href string
		Image      template.URL
	}
	stateData struct {
		ID, Anchor, Short, Title, Claim string
		Finding                         string // text of the finding; empty if there is none
		FindingHref                     string
		Cells                           []cellData
	}
	cellData struct {
		Anchor, Link, Text, Word, Class, Reason string
		Href                                    string // link to the record; empty if there is none
		Record                                  *Record
		Figure                                  string
		Tools                                   []string
		Replay, PageHref                        string
	}
)

func (p Page) engine(e PageEngine) (engineData, error) {
	out := engineData{Name: e.Names.Name, Title: e.Names.Title, Summary: e.Matrix.Summary(),
		Red: e.Matrix.Red(), Links: e.Matrix.links(), Strays: e.Matrix.Strays}
	for _, name := range e.Diagrams {
		text, err := os.ReadFile(filepath.Join(p.Root, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return out, fmt.Errorf("a diagram cannot be read: %w", err)
		}
		out.Diagrams = append(out.Diagrams, diagramData{filepath.Base(name), p.href(name),
			template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(text))})
	}
	for _, row := range e.Matrix.Rows {
		s, err := p.state(e, row)
		if err != nil {
			return out, err
		}
		out.States = append(out.States, s)
	}
	return out, nil
}

func (p Page) state(e PageEngine, row Row) (stateData, error) {
	s := stateData{ID: row.State, Anchor: e.Names.Name + "-" + row.State, Short: shortName(row.State),
		Title: row.Title}
	if known, ok := e.Names.StateByID(row.State); ok {
		s.Claim = known.Claim
	}
	finding := "results/" + e.Names.Name + "/findings/" + row.State + ".md"
	text, err := os.ReadFile(filepath.Join(p.Root, filepath.FromSlash(finding)))
	switch {
	case err == nil:
		s.Finding, s.FindingHref = string(text), p.href(finding)
	case !errors.Is(err, os.ErrNotExist):
		return s, fmt.Errorf("a finding cannot be read: %w", err)
	}
	for _, link := range e.Matrix.links() {
		s.Cells = append(s.Cells, p.cell(e.Names.Name, row, link))
	}
	return s, nil
}

// cell returns one cell with its record. If a record cannot be read, the reason of its cell says so.
func (p Page) cell(engine string, row Row, link string) cellData {
	c := row.Links[link]
	out := cellData{Anchor: engine + "-" + row.State + "-" + link, Link: link, Text: cellText(c),
		Word: marks[c.Status].word, Class: string(c.Status), Reason: c.Reason, Replay: c.Replay}
	path := Path(p.Root, engine, link, row.State)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		out.Href = p.href(relative(p.Root, path))
	}
	if c.Page != "" {
		out.PageHref = p.href(c.Page)
	}
	r, err := Load(p.Root, engine, link, row.State)
	if err != nil {
		return out
	}
	out.Record, out.Figure = &r, ShortFigure(r.Figure)
	for _, tool := range slices.Sorted(maps.Keys(r.Tools)) {
		out.Tools = append(out.Tools, tool+" "+r.Tools[tool])
	}
	return out
}

// href returns the link from the page to a file of the repository.
func (p Page) href(name string) string {
	path := filepath.Join(p.Root, filepath.FromSlash(name))
	if below, err := filepath.Rel(p.Folder, path); err == nil {
		path = below
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, ".") {
		path = "./" + path // so that a colon in the path is not read as a scheme
	}
	return strings.ReplaceAll(path, "#", "%23")
}
