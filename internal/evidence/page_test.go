package evidence

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
)

// hostile is a text that would be an element, or the end of an attribute, if it were not escaped.
const hostile = `<script>alert("x")</script> '"><b onmouseover=alert(1)> {{.}} & javascript:alert(1)`

// element is an element of a page with its text.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elements reads a page as XML does, which wants each element closed, and each name escaped.
func elements(t *testing.T, page string) []*element {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	var all, open []*element
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{x.Name.Local, map[string]string{}, ""}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(x)
			}
		}
	}
}

// pageOf is the page of a matrix, in another folder than the repository's root.
func pageOf(t *testing.T, root string, m *Matrix, diagrams ...string) (page, folder string) {
	t.Helper()
	folder = filepath.Join(root, "out", "deep")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	err := Page{root, folder, []PageEngine{{register.Engine(), m, diagrams}}}.Write(&b)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), folder
}

// everyStatus is a matrix with a cell of each status, and hostile texts in it.
func everyStatus(t *testing.T, root string) *Matrix {
	t.Helper()
	states := register.Engine().States
	covered := Coverage{"spec": {}}
	for i, s := range states[:6] {
		covered["spec"][s.ID] = true
		r := green(t, root, s.ID)
		r.Bound = hostile
		switch i {
		case 1:
			r.Status, r.Detail = Fail, []string{hostile}
			r.Replay, r.Page = "v1/x", "results/failures/a#b.html"
		case 2:
			r.Status, r.Detail = Unknown, []string{"time ran out"}
		case 3:
			r.Status, r.Detail = NotRun, []string{"no java"}
		case 4:
			r.Inputs.SHA256 = strings.Repeat("0", 64)
		case 5:
			continue // no record
		}
		save(t, root, r)
	}
	put(t, root, "results/failures/a#b.html", "page")
	put(t, root, "results/hopscotch/findings/"+s01+".md", "# Finding\n"+hostile)
	put(t, root, "docs/life.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
	put(t, root, "results/hopscotch/records/spec/<b>.json", "{}") // of no cell
	return matrixOf(root, covered)
}

// TestPage: each cell of a page says what the terminal says, in an element of its status, and leads to its
// record.
func TestPage(t *testing.T) {
	root := newRoot(t)
	m := everyStatus(t, root)
	text, folder := pageOf(t, root, m, "docs/life.svg", "docs/none.svg")
	all := elements(t, text)
	ids, cells := map[string]*element{}, map[string]*element{}
	for i, e := range all {
		if id := e.attrs["id"]; id != "" {
			if ids[id] != nil {
				t.Errorf("the identifier %s is there twice", id)
			}
			ids[id] = e
		}
		if e.name == "td" {
			inner := all[i+1]
			if inner.name == "a" {
				cells[strings.TrimPrefix(inner.attrs["href"], "#")] = inner
			} else if inner.attrs["class"] != string(NotBuilt) || inner.text != "NOT BUILT" {
				t.Errorf("a cell without a record is %+v", inner)
			}
		}
	}
	seen := map[Status]int{}
	for _, row := range m.Rows {
		if ids["hopscotch-"+row.State] == nil {
			t.Errorf("%s is not there", row.State)
		}
		for link, c := range row.Links {
			seen[c.Status]++
			name := "hopscotch-" + row.State + "-" + link
			section, cell := ids[name], cells[name]
			switch {
			case section == nil || !strings.Contains(section.text, marks[c.Status].word):
				t.Errorf("%s has no section that says %s", name, marks[c.Status].word)
			case c.Status == NotBuilt:
			case cell == nil || cell.text != cellText(c) || cell.attrs["class"] != string(c.Status):
				t.Errorf("%s is %+v, want %s and %q", name, cell, c.Status, cellText(c))
			case !strings.Contains(section.text, c.Reason):
				t.Errorf("%s does not say %q", name, c.Reason)
			}
		}
	}
	for _, s := range Statuses() {
		if seen[s] == 0 {
			t.Errorf("no cell is %s: the test shows nothing of it", s)
		}
	}
	pageLinks(t, all, ids, folder)
}

// pageLinks wants each link to lead to an identifier of the page, or to a file.
func pageLinks(t *testing.T, all []*element, ids map[string]*element, folder string) {
	t.Helper()
	files := 0
	for _, e := range all {
		href, linked := e.attrs["href"]
		if id, here := strings.CutPrefix(href, "#"); here && ids[id] == nil {
			t.Errorf("a link leads to %s, which the page does not have", href)
		} else if linked && !here {
			files++
			name, err := url.PathUnescape(href)
			if err != nil || !strings.HasPrefix(name, ".") {
				t.Errorf("a link leads to %q: %v", href, err)
			}
			if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
				t.Errorf("a link leads to a file that is not there: %v", err)
			}
		}
		if e.name == "link" || e.attrs["src"] != "" && !strings.HasPrefix(e.attrs["src"], "data:") {
			t.Errorf("the page needs another file: %+v", e)
		}
	}
	if files < 7 { // five records, a page of a failure, a finding
		t.Errorf("%d links lead to files", files)
	}
}

// TestPage_Escapes: what a record, a finding or the name of a file says becomes no element.
func TestPage_Escapes(t *testing.T) {
	root := newRoot(t)
	text, _ := pageOf(t, root, everyStatus(t, root))
	said := 0
	for _, e := range elements(t, text) {
		if e.name == "b" || e.attrs["onmouseover"] != "" ||
			e.name == "script" && !strings.Contains(e.text, "hash") {
			t.Errorf("a text became an element: %+v", e)
		}
		if (e.name == "dd" || e.name == "li" || e.name == "pre") && strings.Contains(e.text, hostile) {
			said++
		}
	}
	if said < 3 {
		t.Errorf("%d texts are told as they are, want those of records and of a finding", said)
	}
}

// TestPage_Accessible: tables have headers and roles that survive the layout of a narrow window, and each
// coloured cell has a text.
func TestPage_Accessible(t *testing.T) {
	root := newRoot(t)
	text, _ := pageOf(t, root, everyStatus(t, root))
	count := map[string]int{}
	for _, e := range elements(t, text) {
		count[e.name+" "+e.attrs["role"]+" "+e.attrs["scope"]]++
		if e.name == "td" && (strings.TrimSpace(e.text) == "" || e.attrs["data-link"] == "") {
			t.Errorf("a cell without a text or the name of its link: %+v", e)
		}
		if e.name == "html" && e.attrs["lang"] == "" {
			t.Error("the page has no language")
		}
	}
	if count["th columnheader col"] != 7 || count["th rowheader row"] != 27 || count["caption  "] != 1 {
		t.Errorf("headers: %v", count)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "focus-visible", "max-width: 44rem"} {
		if !strings.Contains(text, want) {
			t.Errorf("the style has no %s", want)
		}
	}
}
