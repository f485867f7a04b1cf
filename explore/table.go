package explore

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/hook"
)

// maxRows bounds the table. A longer table loses rows in the middle.
const maxRows = 400

// MaxColumns is the largest number of actors that have columns of their own in a table of steps.
const MaxColumns = 8

// Table renders the execution: one column for each actor, one row for each step, a line at each switch, and
// in a last column what the program said about each step. Steps that repeat are shown once. If there are
// more than MaxColumns actors, two columns say which actor made a step and what the step was. If many steps
// in a row differ only in their values, the first and the last ones are shown.
func (f *Failure) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Kind, f.Message)
	if f.Token != "" {
		fmt.Fprintf(&b, "token: %s\n", f.Token)
	}
	if len(f.Actors) > 0 {
		f.steps(&b)
	}
	for _, c := range f.Cycles {
		b.WriteString("\n" + c.text(f.Actors[c.Actor]))
	}
	for _, s := range f.Stacks {
		b.WriteString("\n" + strings.TrimRight(s, "\n") + "\n")
	}
	return b.String()
}

func (f *Failure) steps(b *strings.Builder) {
	t := newTable(f)
	b.WriteString(t.head(f.Actors))
	rows := t.rows(f.Steps, f.Notes)
	for i, r := range rows {
		switch n := len(rows); {
		case n > maxRows && i == maxRows/2:
			fmt.Fprintf(b, "  ... %d rows left out ...\n", n-maxRows)
		case n > maxRows && i > maxRows/2 && i < n-maxRows/2:
		default:
			b.WriteString(r)
		}
	}
}

// maxPeriod is the length of the longest group of steps whose repetition the table looks for.
const maxPeriod = 64

// repetition returns how many steps from the start of s form a group that follows itself at
// least twice more, and how often it occurs; 0 if there is none.
func repetition(s []Step) (period, times int) {
	same := func(i, j int) bool {
		a, b := s[i], s[j]
		a.Index = b.Index
		return a == b
	}
	for p := 1; p <= maxPeriod && 3*p <= len(s); p++ {
		n := p
		for n < len(s) && same(n, n-p) {
			n++
		}
		if n >= 3*p {
			return p, n / p
		}
	}
	return 0, 1
}

// fewAlike is the number of similar steps up to which all are shown.
const fewAlike = 4

// alike returns how many steps from the start of s are accesses of one actor at one place, of one object and
// of one kind.
func alike(s []Step) int {
	n := 1
	for n < len(s) && s[n].Kind.Access() && s[n].Kind == s[0].Kind && s[n].Actor == s[0].Actor &&
		s[n].Object == s[0].Object && s[n].OK == s[0].OK && s[n].Line == s[0].Line && s[n].File == s[0].File {
		n++
	}
	return n
}

const switchMark = "-- switch --"

// table lays out columns.
type table struct {
	widths []int
	notes  bool     // there is a last column for notes
	names  []string // of the actors, if they have no columns of their own
}

func newTable(f *Failure) table {
	t := table{widths: make([]int, len(f.Actors)), notes: len(f.Notes) > 0}
	if len(f.Actors) > MaxColumns {
		t.names, t.widths = f.Actors, []int{len("actor"), 0}
		for _, s := range f.Steps {
			t.widths[0] = max(t.widths[0], len(t.name(s.Actor)))
			t.widths[1] = max(t.widths[1], len(cell(s)))
		}
		return t
	}
	for i, n := range f.Actors {
		t.widths[i] = max(len(n), len(switchMark))
	}
	for _, s := range f.Steps {
		if s.Actor < len(t.widths) {
			t.widths[s.Actor] = max(t.widths[s.Actor], len(cell(s)))
		}
	}
	return t
}

func (t table) line(first string, text func(i int) string, note string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5s", first)
	for i, w := range t.widths {
		fmt.Fprintf(&b, " | %-*s", w, text(i))
	}
	if note != "" {
		b.WriteString(" | " + note)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// name returns the name of an actor without a column.
func (t table) name(actor int) string {
	if actor < 0 || actor >= len(t.names) {
		return strconv.Itoa(actor)
	}
	return t.names[actor]
}

func (t table) row(first string, actor int, s, note string) string {
	if t.names != nil {
		return t.line(first, func(i int) string { return []string{t.name(actor), s}[i] }, note)
	}
	return t.line(first, func(i int) string {
		if i == actor {
			return s
		}
		return ""
	}, note)
}

// rows renders steps, with a mark where the actor changes.
func (t table) rows(steps []Step, notes []string) []string {
	var rows []string
	last := -1
	add := func(i int) {
		s, note := steps[i], ""
		if i < len(notes) {
			note = notes[i]
		}
		if last >= 0 && s.Actor != last && t.names == nil {
			rows = append(rows, t.row("", last, switchMark, ""))
		}
		last = s.Actor
		rows = append(rows, t.row(strconv.Itoa(s.Index), s.Actor, cell(s), note))
	}
	for i := 0; i < len(steps); {
		p, times := repetition(steps[i:])
		if n := alike(steps[i:]); times < 3 && n > fewAlike {
			add(i)
			rows = append(rows, fmt.Sprintf("      ^ and %d more like it\n", n-2))
			add(i + n - 1)
			i += n
			continue
		}
		if times < 3 {
			add(i)
			i++
			continue
		}
		for k := range p {
			add(i + k)
		}
		rows = append(rows, fmt.Sprintf("      ^ %d steps, %d times\n", p, times))
		i += p * times
	}
	return rows
}

func (t table) head(names []string) string {
	if t.names != nil {
		names = []string{"actor", "what it does"}
	}
	last, rule := "", ""
	if t.notes {
		last, rule = "what it read and changed", "------------------------"
	}
	s := t.line("step", func(i int) string { return names[i] }, last)
	return s + t.line("-----", func(i int) string { return strings.Repeat("-", t.widths[i]) }, rule)
}

// Text renders what the step did: kind, object, value found and left.
func (s Step) Text() string {
	var b strings.Builder
	b.WriteString(s.Kind.String())
	switch {
	case s.Kind == hook.Choice:
		fmt.Fprintf(&b, " %d", s.New)
	case !s.Kind.Access():
	case s.Kind == hook.Load:
		fmt.Fprintf(&b, " %s = %s", objectName(s.Object), value(s.Old))
	case s.Kind == hook.Resume:
		b.WriteString(" " + objectName(s.Object))
	case s.Kind == hook.Length || s.Kind.Channel() && s.Old == s.New:
		fmt.Fprintf(&b, " %s (%v)", objectName(s.Object), hook.Channel(s.Old))
	case s.Kind.Channel():
		fmt.Fprintf(&b, " %s (%v) -> (%v)", objectName(s.Object), hook.Channel(s.Old), hook.Channel(s.New))
	default:
		fmt.Fprintf(&b, " %s %s -> %s", objectName(s.Object), value(s.Old), value(s.New))
		if !s.OK {
			b.WriteString(" refused")
		}
	}
	return b.String()
}

// Site renders where the step's access is, as file:line (function); "" if it is not known.
func (s Step) Site() string {
	if s.File == "" {
		return ""
	}
	return site{s.Func, s.File, s.Line}.text()
}

// cell renders one step.
func cell(s Step) string {
	text := s.Text()
	if site := s.Site(); site != "" {
		text += "  " + site
	}
	return text
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// shortFunc drops the import path from a function's name.
func shortFunc(fn string) string { return fn[strings.LastIndexByte(fn, '/')+1:] }

// objectName renders a Step's Object: @offset in the region, or the actor that met it first.
func objectName(o uint64) string {
	if o&foreign != 0 {
		return fmt.Sprintf("o%d.%d", o>>32&0xffff, o&0xffffffff)
	}
	if o>>48 != 0 {
		return fmt.Sprintf("r%d@%#x", o>>48, o&(1<<48-1))
	}
	return fmt.Sprintf("@%#x", o)
}

// value renders a value: small numbers in decimal, names of pointers as objects.
func value(v uint64) string {
	switch {
	case v&foreign != 0 && v&named != 0 && v>>48&0x3fff == 0:
		return "&" + objectName(v&^named)
	case bits.Len64(v) <= 16:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%#x", v)
}
