package hopscotch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Picture has the contents of the table, for programs; the text form is made from it.
type Picture struct {
	CellsPerHalf uint32              `json:"cells_per_half"`
	Window       uint32              `json:"window"`
	Homes        string              `json:"homes"`   // near or apart
	Handles      uint32              `json:"handles"` // most at a time: a descriptor each
	Count        Count               `json:"count"`
	Cells        []CellPicture       `json:"cells"`
	Descriptors  []DescriptorPicture `json:"descriptors"`
}

// Count says how full the table is.
type Count struct {
	Elements int     `json:"elements"` // keys in cells, but for those that are lost
	Bases    int     `json:"bases"`    // in operation or not, lost or not
	Members  int     `json:"members"`  // the same
	Lost     int     `json:"lost"`     // deleted, the cell not yet reclaimed
	Empty    int     `json:"empty"`
	Held     int     `json:"held"`    // claimed, or base or member in operation
	Frozen   int     `json:"frozen"`  // values that are frozen
	Invalid  int     `json:"invalid"` // words of no form
	Longest  int     `json:"longest"` // most cells of one bucket that is in no operation
	Load     float64 `json:"load"`    // elements by cells
}

// CellPicture is one cell. Fields that its form does not have are left out.
type CellPicture struct {
	Half       uint32   `json:"half"`
	Cell       uint32   `json:"cell"`
	Form       string   `json:"form"` // E, C, B, O, M, U; ? when invalid
	Key        uint32   `json:"key,omitempty"`
	Value      uint32   `json:"value"`
	Version    uint32   `json:"version"`
	Frozen     bool     `json:"frozen"`
	Members    []uint32 `json:"members,omitempty"`    // offsets from this base
	Distance   uint32   `json:"distance,omitempty"`   // of this member from its base
	Base       *uint32  `json:"base,omitempty"`       // cell of the base of this member
	Descriptor *uint32  `json:"descriptor,omitempty"` // that holds this cell
	Generation uint32   `json:"generation"`           // of an empty cell, a member, a reference
	Word0      Raw      `json:"word0"`
	Word1      Raw      `json:"word1"`
}

// DescriptorPicture is one descriptor that has an owner or is referred to.
type DescriptorPicture struct {
	Index      uint32 `json:"index"`
	Owner      uint64 `json:"owner"`             // number of the actor
	Process    string `json:"process,omitempty"` // of the actor: index@epoch; none on the heap
	Kind       string `json:"kind"`
	Generation uint32 `json:"generation"`
	Half       uint32 `json:"half"`
	Home       uint32 `json:"home"`
	Key        uint32 `json:"key"`
	Value      uint32 `json:"value"`
	Plan       string `json:"plan"`   // the base as it was found; empty for none and new
	Source     string `json:"source"` // the member of a move, a drop or a lift; else empty
	Expect     string `json:"expect"` // the home cell's second word at that time
	Target     string `json:"target"` // the progress
	Installed  bool   `json:"installed"`
}

// DumpOptions chooses what is shown.
type DumpOptions struct {
	Empty bool // cells that are empty, too
	Limit int  // cells that are shown at most; 0 is all
}

// Measure counts the table's cells by form. It reads all of them.
func Measure(t *Table) Count {
	t.mustBeMade("measure")
	var n Count
	for half := range t.halves {
		for i := range t.rows {
			c := t.halves[half].cell(uint32(i))
			n.add(Word0(c.word0.Load()), Word1(c.word1.Load()))
		}
	}
	n.Load = float64(n.Elements) / float64(2*uint64(t.cells))
	return n
}

func (n *Count) add(w Word0, v Word1) {
	switch w.Form() {
	case FormEmpty:
		n.Empty++
	case FormClaimed:
		n.Held++
	case FormOperating:
		n.Held++
		n.Bases++
	case FormBase:
		n.Bases++
		n.Longest = max(n.Longest, 1+w.Map().Count())
	case FormEngaged:
		n.Held++
		n.Members++
	case FormMember:
		n.Members++
	default:
		n.Invalid++
	}
	if w.Form() != FormInvalid && w.Key() == KeyLost {
		n.Lost++
	}
	n.Elements = n.Bases + n.Members - n.Lost
	if v.Frozen() {
		n.Frozen++
	}
}

// Snapshot reads the table for a program. If others write to the table at the same time, the cells are read
// at different moments. Snapshot accepts any contents. It keeps everything in memory, about twenty times the
// size of the table; Dump and DumpJSON keep one cell at a time.
func Snapshot(t *Table, o DumpOptions) Picture {
	t.mustBeMade("snapshot")
	shown := newShow(t, o)
	p := shown.picture()
	p.Cells = slices.AppendSeq(p.Cells, shown.cells())
	p.Descriptors = shown.descriptors()
	return p
}

// show is a look at the table, whose cells come before its descriptors.
type show struct {
	table     *Table
	options   DumpOptions
	installed []bool // the descriptors that a cell refers to
}

func newShow(t *Table, o DumpOptions) *show {
	return &show{table: t, options: o, installed: make([]bool, len(t.descriptors))}
}

// picture is what there is without cells and descriptors.
func (s *show) picture() Picture {
	t := s.table
	return Picture{CellsPerHalf: t.cells, Window: t.window, Homes: t.Layout().Homes.String(),
		Handles: uint32(len(t.descriptors)), Count: Measure(t), Cells: []CellPicture{}}
}

// cells gives those that are shown, and looks at all of them.
func (s *show) cells() iter.Seq[CellPicture] {
	return func(yield func(CellPicture) bool) {
		t, shown := s.table, 0
		for half := range uint32(2) {
			for i := range t.rows {
				c := t.halves[half].cell(uint32(i))
				w, v := Word0(c.word0.Load()), Word1(c.word1.Load())
				form := w.Form()
				held := form == FormClaimed || form == FormOperating || form == FormEngaged
				if index := t.refs.Index(w.Ref()); held && index < uint32(len(s.installed)) {
					s.installed[index] = true
				}
				if (form == FormEmpty && !s.options.Empty) ||
					(s.options.Limit > 0 && shown >= s.options.Limit) {
					continue
				}
				shown++
				p := CellPicture{Half: half, Cell: uint32(i)}
				p.decode(t, w, v)
				if !yield(p) {
					return
				}
			}
		}
	}
}

// descriptors are those with an owner, and those that the cells which were looked at refer to.
func (s *show) descriptors() []DescriptorPicture {
	list := []DescriptorPicture{}
	for i := range s.table.descriptors {
		if d := &s.table.descriptors[i]; d.owner.Load() != 0 || s.installed[i] {
			list = append(list, d.picture(i, s.installed[i]))
		}
	}
	return list
}

func (c *CellPicture) decode(t *Table, w Word0, v Word1) {
	c.Form, c.Key = w.Form().String(), uint32(w.Key())
	c.Value, c.Version, c.Frozen = uint32(v.Value()), uint32(v.Version()), v.Frozen()
	c.Word0, c.Word1 = Raw(w), Raw(v)
	switch w.Form() {
	case FormEmpty:
		c.Generation = uint32(w.Version())
	case FormClaimed, FormOperating, FormEngaged:
		index := t.refs.Index(w.Ref())
		c.Descriptor, c.Generation = &index, uint32(t.refs.Generation(w.Ref()))
	case FormBase:
		for m := w.Map(); m != 0; m = m.Rest() {
			c.Members = append(c.Members, m.First())
		}
	case FormMember:
		c.Generation, c.Distance = uint32(w.MemberVersion()), w.Distance()
		base := t.halves[c.Half].below(c.Cell, c.Distance)
		c.Base = &base
	}
}

func (d *descriptor) picture(index int, installed bool) DescriptorPicture {
	head, pair := Head(d.head.Load()), Pair(d.pair.Load())
	plan := Plan(d.plan.Load())
	owner := Owner(d.owner.Load())
	p := DescriptorPicture{
		Index: uint32(index), Owner: uint64(owner.Number()), Installed: installed,
		Kind: head.Kind().String(), Generation: uint32(head.Generation()),
		Half: head.Half(), Home: head.Home(),
		Key: uint32(pair.Key()), Value: uint32(pair.Value()),
		Expect: Word1(d.expect.Load()).String(), Target: Target(d.target.Load()).String(),
	}
	if owner.Process() != 0 {
		p.Process = owner.Process().String()
	}
	if head.Kind() != KindNone && head.Kind() != KindNew {
		p.Plan = fmt.Sprintf("key=%s map=%v", key(uint32(plan.Key())), plan.Map())
	}
	if kindsOfMember.has(head.Kind()) {
		p.Source = Source(d.source.Load()).String()
	}
	return p
}

// Dump writes the table in readable form, within 100 columns: a header, a line for each cell, then the
// descriptors that have an owner or to which a cell refers. Errors: those of w.
func Dump(w io.Writer, t *Table, o DumpOptions) error {
	if err := dumps(w, t); err != nil {
		return err
	}
	shown := newShow(t, o)
	return shown.picture().write(w, shown.cells(), shown.descriptors)
}

// dumps says why a table cannot be dumped to w.
func dumps(w io.Writer, t *Table) error {
	if err := t.made(); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	if w == nil {
		return errNoWriter
	}
	return nil
}

var errNoWriter = errors.New("dump: the writer is nil: give one")

// noCells is where the cells of a Picture are in its JSON. All else that it has is numbers, lists of them,
// and names without quotes: none is like that.
const noCells = `"cells":[]`

// DumpJSON writes the Picture of a table as JSON, with a line for each cell. Errors: those of w.
func DumpJSON(w io.Writer, t *Table, o DumpOptions) error {
	if err := dumps(w, t); err != nil {
		return err
	}
	shown, out := newShow(t, o), bufio.NewWriter(w)
	p := shown.picture()
	head := jsonOf(p)
	at := bytes.Index(head, []byte(noCells)) + len(noCells) - 1
	out.Write(head[:at])
	between := "\n"
	for c := range shown.cells() {
		out.WriteString(between)
		if _, err := out.Write(jsonOf(c)); err != nil {
			return err
		}
		between = ",\n"
	}
	p.Descriptors = shown.descriptors()
	out.Write(jsonOf(p)[at:])
	out.WriteByte('\n')
	return out.Flush()
}

// jsonOf is the JSON of a part of a Picture, of which there always is one: it has numbers, lists and names.
func jsonOf(part any) []byte {
	text, _ := json.Marshal(part)
	return text
}

// Write writes the text form. Errors: those of w.
func (p Picture) Write(w io.Writer) error {
	if w == nil {
		return errNoWriter
	}
	return p.write(w, slices.Values(p.Cells), func() []DescriptorPicture { return p.Descriptors })
}

// write writes the text form, with the descriptors as they are behind the cells.
func (p Picture) write(w io.Writer, cells iter.Seq[CellPicture], rest func() []DescriptorPicture) error {
	out := bufio.NewWriter(w)
	n := p.Count
	fmt.Fprintf(out, "table of 2 x %d cells, window %d, homes %s; elements: %d, load %.3f\n",
		p.CellsPerHalf, p.Window, p.Homes, n.Elements, n.Load)
	fmt.Fprintf(out, "bases: %d, members: %d, lost: %d, empty: %d, held: %d, frozen: %d, invalid: %d\n\n",
		n.Bases, n.Members, n.Lost, n.Empty, n.Held, n.Frozen, n.Invalid)
	fmt.Fprintf(out, "%-12s %-4s %10s %10s %9s  %s\n",
		"cell", "form", "key", "value", "version", "bucket")
	some := false
	for c := range cells {
		some = true
		if _, err := fmt.Fprintln(out, c.line(p)); err != nil {
			return err
		}
	}
	if !some {
		fmt.Fprintln(out, "(nothing)")
	}
	descriptors := rest()
	fmt.Fprintf(out, "\ndescriptors in use: %d of %d\n", len(descriptors), p.Handles)
	for _, d := range descriptors {
		d.write(out)
	}
	return out.Flush()
}

// line is the cell in one line.
func (c CellPicture) line(p Picture) string {
	z := " "
	if c.Frozen {
		z = "z"
	}
	line := fmt.Sprintf("%-12s %-4s %10s %10d %9d%s %s",
		fmt.Sprintf("%d.%d", c.Half, c.Cell), c.Form, key(c.Key), c.Value, c.Version, z, c.bucket(p))
	return strings.TrimRight(line, " ")
}

// write writes the descriptor in two or three lines.
func (d DescriptorPicture) write(out io.Writer) {
	state := "idle"
	if d.Installed {
		state = "installed"
	}
	owner := strconv.FormatUint(d.Owner, 10)
	if d.Process != "" {
		owner += " in process " + d.Process
	}
	fmt.Fprintf(out, "%d#%d %s, owner %s: %s key %s value %d, home %d.%d\n",
		d.Index, d.Generation, state, owner, d.Kind, key(d.Key), d.Value, d.Half, d.Home)
	fmt.Fprintf(out, "    target %s; expect %s", d.Target, d.Expect)
	if d.Plan != "" {
		fmt.Fprintf(out, "\n    plan %s", d.Plan)
	}
	if d.Source != "" {
		fmt.Fprintf(out, "; source %s", d.Source)
	}
	fmt.Fprintln(out)
}

// bucket tells how the cell belongs to others.
func (c CellPicture) bucket(p Picture) string {
	switch {
	case c.Descriptor != nil:
		return fmt.Sprintf("descriptor %d#%d", *c.Descriptor, c.Generation)
	case c.Base != nil:
		return fmt.Sprintf("-%d, base %d.%d", c.Distance, c.Half, *c.Base) + p.wraps(*c.Base > c.Cell)
	case c.Form == FormEmpty.String():
		return fmt.Sprintf("generation %d", c.Generation)
	case c.Form == FormInvalid.String():
		return "word " + c.Word0.String()
	case len(c.Members) == 0:
		return ""
	}
	last := uint64(c.Cell) + uint64(c.Members[len(c.Members)-1])
	return offsets(c.Members) + p.wraps(last >= uint64(p.CellsPerHalf))
}

// wraps notes of a bucket that it goes on at the other end of its half. Of a long ring that cannot be said:
// its windows are no cells in a row.
func (p Picture) wraps(beyond bool) string {
	if !beyond || p.CellsPerHalf >= longRing {
		return ""
	}
	return " wraps"
}

// offsets prints ascending offsets, runs of them in short: +1-3,7.
func offsets(members []uint32) string {
	var s strings.Builder
	for i := 0; i < len(members); {
		last := i
		for last+1 < len(members) && members[last+1] == members[last]+1 {
			last++
		}
		s.WriteByte("+,"[min(i, 1)])
		s.WriteString(strconv.Itoa(int(members[i])))
		if last > i {
			s.WriteString("-" + strconv.Itoa(int(members[last])))
		}
		i = last + 1
	}
	return s.String()
}

// key prints a key as a number, or the name of a reserved one.
func key(k uint32) string {
	switch Key(k) {
	case KeyNone:
		return "-"
	case KeyLost:
		return "LOST"
	}
	return strconv.FormatUint(uint64(k), 10)
}
