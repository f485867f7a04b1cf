package failure

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"html/template"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// Bounds of a page.
const (
	MaxPage    = 2 << 20 // bytes of the file
	maxRows    = 600     // steps that are shown; of more, those in the middle are left out
	maxText    = 20_000  // bytes of one text
	maxCell    = 600     // bytes of a name, or of what a step did
	maxList    = 64      // actors that are listed
	maxPicture = 1 << 20 // bytes of the picture of the history
)

// ErrPage is a page that could not be written.
var ErrPage = errors.New("page of the failure not written")

// A Page is what there is to show of a failure.
type Page struct {
	Program string // name of the program
	Failure *explore.Failure
	Replay  string   // the command line that runs it again
	Broken  []string // names of the invariants or judges that refused it
	Notes   []string // what else a reader should know, as what was taken away
	History string   // what the clients saw, as a table; may be empty
	Picture []byte   // an HTML document with its picture; may be empty
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML renders the page. It is at most MaxPage bytes long.
func (p Page) HTML() ([]byte, error) {
	for rows := maxRows; rows > 0; rows /= 2 {
		var b bytes.Buffer
		if err := pageTemplate.Execute(&b, p.view(rows)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPage, err)
		}
		if b.Len() <= MaxPage {
			return b.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("%w: more than %d bytes; read the table instead", ErrPage, MaxPage)
}

// Write writes the page into the folder, which it makes, and returns the path. It replaces a page of
// the same program, whole or not at all. A folder that cannot be written is replaced by that for
// temporary files.
func (p Page) Write(folder string) (string, error) {
	text, err := p.HTML()
	if err != nil {
		return "", err
	}
	return Save(folder, p.Program, text)
}

// longestName bounds the name of a page: file systems have a bound of their own.
const longestName = 100

// Save writes an HTML document to NAME.html in the folder, as Page.Write does. Characters that are odd in a
// name of a file are replaced; no file is hidden. A name that is too long is cut, and ends in its checksum,
// for names of programs differ at their ends.
func Save(folder, name string, text []byte) (string, error) {
	whole := name
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("._-@", r) {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "./"))
	if len(name) > longestName {
		sum := fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(whole)))
		name = name[:longestName-len(sum)] + sum
	}
	name = "samecycle-" + name + ".html"
	path := filepath.Join(folder, strings.TrimPrefix(name, "samecycle-"))
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = replace(path, text)
	}
	if err != nil {
		path = filepath.Join(os.TempDir(), name)
		err = replace(path, text)
	}
	return path, err
}

// replace writes beside the path and renames, so that nobody reads half a page.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".page-*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPage, err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("%w: %w", ErrPage, err)
	}
	return nil
}

// view is the page as the template sees it.
type view struct {
	Page
	Kind, Message, Token string
	Preemptions          int
	Switches             int
	Kills                int
	Total                int  // steps
	Columns              int  // of the table of steps
	Wide                 bool // the actors have no columns of their own there
	Actors               []string
	Rows                 []row
	Lanes                []lane
	Width                int // of the timeline
	Cycles               []cycle
	Stacks               []string
	Frame                string
	FrameHeight          int // in pixels
}

// row is one line of the table of steps.
type row struct {
	Gap    int // steps left out in place of this row; 0: a step
	Index  int
	Actor  int
	Name   string     // of the actor
	Before []struct{} // columns ahead of and behind that of the actor
	After  []struct{}
	Switch bool
	Class  string
	Text   string
	Site   string
	Path   string // of the file
	Note   []string
}

// cycle is what an actor of a livelock repeats.
type cycle struct {
	Actor string
	Times int
	Steps []row
}

func (p Page) view(rows int) view {
	f := p.Failure
	v := view{Page: p, Kind: string(f.Kind), Message: cut(f.Message, maxText), Token: cut(f.Token, maxText),
		Preemptions: f.Preemptions, Switches: f.Switches(), Total: len(f.Steps), Width: timelineWidth}
	if v.Columns = 1 + len(f.Actors); len(f.Actors) > explore.MaxColumns {
		v.Wide, v.Columns = true, 3
	}
	if f.Notes != nil {
		v.Columns++
	}
	v.History = cut(p.History, maxText)
	v.Replay, v.Program = cut(p.Replay, maxText), cut(p.Program, maxCell)
	v.Broken, v.Page.Notes = cutAll(p.Broken), cutAll(p.Notes)
	v.Actors = cutAll(f.Actors)
	for i := range f.Steps {
		if f.Steps[i].Kind == hook.Kill {
			v.Kills++
		}
		switch {
		case len(f.Steps) <= rows || i < rows/2 || i >= len(f.Steps)-rows/2:
			v.Rows = append(v.Rows, p.row(i))
		case i == rows/2:
			v.Rows = append(v.Rows, row{Gap: len(f.Steps) - rows/2*2})
		}
	}
	v.Lanes = lanes(f, v.Actors)
	for _, c := range f.Cycles {
		one := cycle{Actor: p.actor(c.Actor), Times: c.Times}
		for _, s := range c.Steps[:min(len(c.Steps), rows)] {
			one.Steps = append(one.Steps, stepRow(s))
		}
		v.Cycles = append(v.Cycles, one)
	}
	for _, s := range f.Stacks[:min(len(f.Stacks), explore.MaxActors)] {
		v.Stacks = append(v.Stacks, cut(s, maxText))
	}
	if n := len(p.Picture); 0 < n && n <= maxPicture {
		v.Frame, v.FrameHeight = frame(p.Picture), min(200+48*(len(f.Actors)+2), 640)
	}
	return v
}

// frame is a document that turns into the picture when it is first drawn. The picture measures its
// texts as it loads, and a frame that has no place on the screen yet measures nothing.
func frame(picture []byte) string {
	text, err := json.Marshal(string(picture)) // escapes what would end the script
	if err != nil {
		return ""
	}
	return "<!DOCTYPE html><script>requestAnimationFrame(() => requestAnimationFrame(() => {" +
		"document.open(); document.write(" + string(text) + "); document.close(); }));</script>"
}

// row renders step i.
func (p Page) row(i int) row {
	f := p.Failure
	r := stepRow(f.Steps[i])
	actor := min(max(r.Actor, 0), max(len(f.Actors)-1, 0))
	r.Name = p.actor(r.Actor)
	r.Before, r.After = make([]struct{}, actor), make([]struct{}, max(len(f.Actors)-1-actor, 0))
	r.Switch = i > 0 && f.Steps[i-1].Actor != f.Steps[i].Actor
	if i < len(f.Notes) && f.Notes[i] != "" {
		r.Note = strings.Split(cut(f.Notes[i], maxCell), "; ")
	}
	return r
}

// actor is the name of actor i.
func (p Page) actor(i int) string {
	if i < 0 || i >= len(p.Failure.Actors) {
		return "actor " + strconv.Itoa(i)
	}
	return cut(p.Failure.Actors[i], maxCell)
}

func stepRow(s explore.Step) row {
	class := "read"
	switch {
	case s.Kind == hook.Kill:
		class = "kill"
	case !s.Kind.Access():
		class = "mark"
	case s.Kind != hook.Load && !s.OK:
		class = "refused"
	case s.Kind != hook.Load:
		class = "write"
	}
	return row{Index: s.Index, Actor: s.Actor, Class: class, Text: cut(s.Text(), maxCell),
		Site: cut(s.Site(), maxCell), Path: cut(s.Func, maxCell)}
}

// cut bounds a text, and says so.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + fmt.Sprintf(" ... (%d bytes left out)", len(s)-most)
}

// cutAll bounds a list of short texts.
func cutAll(list []string) []string {
	var all []string
	for _, s := range list[:min(len(list), maxList)] {
		all = append(all, cut(s, maxCell))
	}
	return all
}
