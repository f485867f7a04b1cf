package evidence

import (
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/samecycle/samecycle/internal/catalog"
)

// mark is the appearance of a status in the table.
type mark struct {
	glyph  string
	word   string
	colour string // ANSI select-graphic-rendition code
}

var marks = map[Status]mark{
	Pass:     {"✓", "PASS", "32"},
	Fail:     {"✗", "FAIL", "1;31"},
	Unknown:  {"?", "UNKNOWN", "1;35"},
	NotRun:   {"○", "NOT RUN", "33"},
	NotBuilt: {"", "NOT BUILT", "2"},
	Stale:    {"~", "STALE", "33"},
}

// RenderOptions say how the table is printed.
type RenderOptions struct {
	Colour bool
	Width  int // columns of the terminal; 0 means 100
}

const (
	stateColumn  = 27 // the longest identifier of a state
	numberColumn = 5  // STATE, above its number
	cellColumn   = 9  // NOT BUILT
	columnGap    = 2
	defaultWidth = 100
)

// Render prints the matrix, the reasons of the cells that are not green, and a summary line. With the full
// names of the states the table needs 93 columns. If there are fewer, it has their numbers, and needs 71.
func (m *Matrix) Render(w io.Writer, o RenderOptions) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	var b strings.Builder
	gap := strings.Repeat(" ", columnGap)
	links, first := m.links(), stateColumn
	if first+len(links)*(columnGap+cellColumn) > o.Width {
		first = numberColumn
	}
	b.WriteString(paint(o, "1", pad("STATE", first)))
	for _, l := range links {
		b.WriteString(gap + paint(o, "1", pad(strings.ToUpper(l), cellColumn)))
	}
	trimEnd(&b)
	for _, row := range m.Rows {
		name := row.State
		if first == numberColumn {
			name = shortName(name)
		}
		b.WriteString(pad(name, first))
		for _, l := range links {
			c := row.Links[l]
			b.WriteString(gap + paint(o, marks[c.Status].colour, pad(cellText(c), cellColumn)))
		}
		trimEnd(&b)
	}
	if units := m.units(links); units != "" {
		b.WriteString("\n")
		wrap(&b, "✓ ", units, o.Width)
	}
	m.reasons(&b, o)
	b.WriteString("\n" + m.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// shortName is the number of a state.
func shortName(state string) string { return state[:3] }

// links returns the identifiers of the links that the matrix has cells of.
func (m *Matrix) links() []string {
	var out []string
	for _, l := range catalog.Links() {
		if len(m.Rows) > 0 {
			if _, ok := m.Rows[0].Links[l.ID]; ok {
				out = append(out, l.ID)
			}
		}
	}
	return out
}

func cellText(c Cell) string {
	k := marks[c.Status]
	switch c.Status {
	case Pass:
		return k.glyph + " " + ShortFigure(c.Figure)
	case NotBuilt:
		return k.word
	}
	return k.glyph + " " + k.word
}

// ShortFigure writes a count in at most seven columns. A whole number below a million is exact; any other
// number has three digits and a unit.
func ShortFigure(f float64) string {
	if f < 1e6 && f == math.Trunc(f) {
		return Thousands(int64(f))
	}
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if v := f / u.size; v >= 1 {
			digits := 2 - min(2, int(math.Log10(v)))
			return strconv.FormatFloat(v, 'f', digits, 64) + u.name
		}
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// Thousands writes a count with a comma before every three digits.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// units says what the figures of each link count.
func (m *Matrix) units(links []string) string {
	var parts []string
	for _, l := range links {
		seen := map[string]bool{}
		for _, row := range m.Rows {
			if c := row.Links[l]; c.Status == Pass && c.Unit != "" {
				seen[c.Unit] = true
			}
		}
		var names []string
		for u := range seen {
			names = append(names, u)
		}
		sort.Strings(names)
		if len(names) > 0 {
			parts = append(parts, l+": "+strings.Join(names, " or "))
		}
	}
	return strings.Join(parts, "; ")
}

// reasons prints why cells are not green. Cells of one link with the same reason are printed together.
func (m *Matrix) reasons(b *strings.Builder, o RenderOptions) {
	type group struct {
		link, text, replay, page string
		status                   Status
	}
	states := map[group][]string{}
	var order []group
	for _, l := range m.links() {
		for _, row := range m.Rows {
			c := row.Links[l]
			if !c.Status.Red() {
				continue
			}
			// A hint names one state. The hint of a group names none.
			text := strings.ReplaceAll(c.Reason, " --state "+shortName(row.State), "")
			g := group{l, text, c.Replay, c.Page, c.Status}
			if states[g] == nil {
				order = append(order, g)
			}
			states[g] = append(states[g], shortName(row.State))
		}
	}
	if len(order)+len(m.Strays) > 0 {
		b.WriteString("\n")
	}
	for _, g := range order {
		k := marks[g.status]
		which := strings.Join(states[g], " ")
		if n := len(states[g]); n > 1 && n == len(m.Rows) {
			which = fmt.Sprintf("all %d states", n)
		}
		var head strings.Builder
		wrap(&head, "", fmt.Sprintf("%s %s %s", k.word, g.link, which), o.Width)
		b.WriteString(paint(o, k.colour, strings.TrimSuffix(head.String(), "\n")) + "\n")
		wrap(b, "  ", g.text, o.Width)
		if g.replay != "" {
			b.WriteString("  samecycle replay '" + g.replay + "'\n") // a shell interprets '!'
		}
		if g.page != "" {
			b.WriteString("  page for a browser: " + g.page + "\n")
		}
	}
	for _, s := range m.Strays {
		wrap(b, "", s, o.Width)
	}
}

// Summary returns the verdict in one line.
func (m *Matrix) Summary() string {
	var parts []string
	for _, s := range Statuses() {
		if n := m.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "-", " ")))
		}
	}
	verdict := "GREEN"
	if m.Red() {
		verdict = "RED"
	}
	if len(m.Strays) > 0 {
		parts = append(parts, fmt.Sprintf("%d stray files", len(m.Strays)))
	}
	return verdict + ": " + strings.Join(parts, ", ")
}

func paint(o RenderOptions, code, s string) string {
	if !o.Colour || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func pad(s string, n int) string {
	if d := n - utf8.RuneCountInString(s); d > 0 {
		return s + strings.Repeat(" ", d)
	}
	return s
}

// trimEnd ends the line without trailing blanks.
func trimEnd(b *strings.Builder) {
	s := strings.TrimRight(b.String(), " ")
	b.Reset()
	b.WriteString(s + "\n")
}

// wrap writes words in lines of at most width columns, each with the same indent. A word longer than a line
// is not split, because paths and commands are copied from the output.
func wrap(b *strings.Builder, indent, text string, width int) {
	line := indent
	for i, word := range strings.Fields(text) {
		used := utf8.RuneCountInString(line)
		if i > 0 && used+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", utf8.RuneCountInString(indent)) + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}
