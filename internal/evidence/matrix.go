package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Cell is what the matrix shows of one link and one state.
type Cell struct {
	Status Status  `json:"status"`
	Figure float64 `json:"figure"` // 0 unless the cell has a record
	Unit   string  `json:"unit"`
	Bound  string  `json:"bound"`
	Reason string  `json:"-"` // why the cell is not green, one line; "" for pass and not-built
	Replay string  `json:"-"` // token that shows a failure again
	Page   string  `json:"-"` // page of a failure
	// Uncovered says that there is a record, but no runner that could judge the cell again.
	Uncovered bool `json:"-"`
}

// Row is one operation state with its six cells.
type Row struct {
	Engine string `json:"engine"`
	State  string `json:"state"`
	Title  string `json:"title"`
	Links  Cells  `json:"links"`
}

// Cells are the cells of a row by link. Their JSON form has the order of the catalog.
type Cells map[string]Cell

// MarshalJSON writes the cells in the order of the chain.
func (c Cells) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for _, l := range catalog.Links() {
		cell, ok := c[l.ID]
		if !ok {
			continue
		}
		text, err := json.Marshal(cell)
		if err != nil {
			return nil, err
		}
		if buf.Len() > 1 {
			buf.WriteByte(',')
		}
		fmt.Fprintf(&buf, "%q:%s", l.ID, text)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// Matrix has a row for each state of an engine. Its JSON form is the array of Rows.
type Matrix struct {
	Engine string
	Rows   []Row
	// Strays are files among the engine's records that belong to no cell. They make the matrix red, because
	// a record with a wrong name must not go unnoticed.
	Strays []string
}

// Coverage says which states each link has a runner for: link, then state.
type Coverage map[string]map[string]bool

// CoverageOf asks the runners. If a runner cannot say what it covers, that is an error.
func CoverageOf(env Env, runners []Runner) (Coverage, error) {
	c := Coverage{}
	var all []error
	for _, r := range runners {
		states, err := r.Covers(env)
		if err != nil {
			all = append(all, err)
		}
		if c[r.Link()] == nil {
			c[r.Link()] = map[string]bool{}
		}
		for _, s := range states {
			c[r.Link()][s] = true
		}
	}
	return c, errors.Join(all...)
}

// Now returns the present list on which the cell of a link and a state depends, for a platform.
type Now func(link, state, platform string) (closure.List, error)

// NowOf asks the runners for their scopes, once each.
func NowOf(ctx context.Context, env Env, runners []Runner) Now {
	type scope struct {
		closure.Scope
		err error
	}
	scopes := map[string]scope{}
	for _, r := range runners {
		s, err := r.Scope(env)
		scopes[r.Link()] = scope{s, err}
	}
	tree := env.Tree
	if tree == nil {
		tree = closure.Open(env.Root)
	}
	return func(link, state, platform string) (closure.List, error) {
		s, ok := scopes[link]
		switch {
		case !ok:
			return nil, fmt.Errorf("the link %s has no runner", link)
		case s.err != nil:
			return nil, s.err
		}
		s.Platform = platform
		return tree.Of(ctx, s.Scope, state)
	}
}

// BuildMatrix reads the records below root, and compares them with the present files.
//
// now returns what a cell would depend on if it were judged now.
func BuildMatrix(root string, e *catalog.Engine, covered Coverage, now Now) *Matrix {
	m := &Matrix{Engine: e.Name, Strays: strays(root, e)}
	for _, s := range e.States {
		row := Row{Engine: e.Name, State: s.ID, Title: s.Title, Links: Cells{}}
		for _, l := range catalog.Links() {
			row.Links[l.ID] = cell(root, e, l.ID, s.ID, covered[l.ID][s.ID], now)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func cell(root string, e *catalog.Engine, link, state string, covered bool, now Now) Cell {
	r, err := Load(root, e.Name, link, state)
	switch {
	case errors.Is(err, ErrNoRecord) && covered:
		return Cell{Status: NotRun,
			Reason: "no record; run: samecycle check --link " + link + " --state " + state[:3]}
	case errors.Is(err, ErrNoRecord):
		return Cell{Status: NotBuilt}
	case err != nil:
		return Cell{Status: Unknown, Reason: oneLine(err.Error())}
	}
	c := Cell{Status: r.Status, Figure: r.Figure, Unit: r.Unit, Bound: r.Bound, Replay: r.Replay,
		Page: r.Page}
	if !covered && !e.Promises(link) {
		c.Status, c.Uncovered = Stale, true
		c.Reason = "no runner covers the state any more; delete " +
			relative(root, Path(root, e.Name, link, state))
		return c
	}
	list, err := now(link, state, r.Inputs.Platform)
	if !covered {
		c.Uncovered = true
		if err == nil {
			err = errors.New("the catalog promises the link, and nothing is behind it for the state, such " +
				"as a run or a program in the files of the engine; the record is left as it is")
		}
	}
	if err != nil {
		c.Status, c.Replay, c.Page = Unknown, "", ""
		c.Reason = oneLine(err.Error())
		return c
	}
	changed := r.changed(root, list)
	if changed != "" {
		c.Status, c.Replay, c.Page = Stale, "", ""
		c.Reason = changed + " since the judgement; run: samecycle check --link " + link + " --state " +
			state[:3]
		return c
	}
	if c.Status != Pass {
		c.Reason = oneLine(r.Detail[0])
	}
	return c
}

// strays returns the files below the records' folder that no cell reads. Files of interrupted writers begin
// with a dot, and do not count.
func strays(root string, e *catalog.Engine) []string {
	var out []string
	_ = filepath.WalkDir(Dir(root, e.Name), func(f string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil
		case err != nil:
			out = append(out, relative(root, f)+": "+err.Error())
			return nil
		case d.IsDir() || hidden(f):
			return nil
		}
		link := filepath.Base(filepath.Dir(f))
		state, isJSON := strings.CutSuffix(filepath.Base(f), ".json")
		_, knownLink := catalog.LinkByID(link)
		s, knownState := e.StateByID(state)
		if isJSON && knownLink && strings.HasPrefix(state, sharedPrefix) {
			return nil // it is dropped when no record names it
		}
		if !isJSON || !knownLink || !knownState || s.ID != state || Path(root, e.Name, link, state) != f {
			out = append(out, relative(root, f)+" is the record of no cell; delete or rename it")
		}
		return nil
	})
	return out
}

// Overlay replaces cells of one link by the reasons of a run that left no record.
func (m *Matrix) Overlay(link string, reasons map[string]Reason) {
	for _, row := range m.Rows {
		if why, ok := reasons[row.State]; ok {
			text, _, _ := strings.Cut(why.Text, "\n")
			row.Links[link] = Cell{Status: why.Status, Reason: oneLine(text)}
		}
	}
}

// Count returns how many cells have the status.
func (m *Matrix) Count(s Status) int {
	n := 0
	for _, row := range m.Rows {
		for _, c := range row.Links {
			if c.Status == s {
				n++
			}
		}
	}
	return n
}

// Red reports whether any cell is neither pass nor not-built, whether there is a stray file, or whether
// nothing at all is green.
func (m *Matrix) Red() bool {
	for _, s := range Statuses() {
		if s.Red() && m.Count(s) > 0 {
			return true
		}
	}
	return len(m.Strays) > 0 || m.Count(Pass) == 0
}

// Keep returns the part of the matrix with the cells that has accepts, and with the rows of the states for
// which it accepts one. It is for the check of a part, whose verdict is that of the part.
func (m *Matrix) Keep(has func(link, state string) bool) *Matrix {
	part := &Matrix{Engine: m.Engine, Strays: m.Strays}
	for _, row := range m.Rows {
		kept := Row{Engine: row.Engine, State: row.State, Title: row.Title, Links: Cells{}}
		for l, c := range row.Links {
			if has(l, row.State) {
				kept.Links[l] = c
			}
		}
		if len(kept.Links) > 0 {
			part.Rows = append(part.Rows, kept)
		}
	}
	return part
}
