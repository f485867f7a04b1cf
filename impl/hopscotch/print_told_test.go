package hopscotch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSnapshot_TellsEachWord: what is decoded of a base with three members, of a member of an old generation,
// and of the cells that a descriptor's last generation holds.
func TestSnapshot_TellsEachWord(t *testing.T) {
	p := newPlanted(t)
	last := p.refs.wrap(^Generation(0))
	r := p.refs.Make(1, last)
	p.put(0, 2, BaseWord(p.key(0, 2, 0), Map(0).With(1).With(2).With(3)), MakeWord1(20, 5))
	p.put(0, 3, MemberWord(p.key(0, 2, 1), 1, 6), MakeWord1(21, 1))
	p.put(0, 4, ClaimedWord(r), 0)
	p.put(0, 5, EngagedWord(p.key(0, 2, 2), r), MakeWord1(22, 7).Freeze())
	p.put(0, 6, OperatingWord(p.key(0, 6, 0), r), MakeWord1(60, 2))
	all := Snapshot(p.Table, DumpOptions{}).Cells
	if len(all) != 7 {
		t.Fatalf("%d cells, want 7", len(all))
	}
	if base := all[0]; !slices.Equal(base.Members, []uint32{1, 2, 3}) || base.Descriptor != nil ||
		base.Generation != 0 || base.Base != nil {
		t.Errorf("base: %+v", base)
	}
	if m := all[1]; m.Generation != 6 || m.Distance != 1 || *m.Base != 2 || m.Version != 1 || m.Frozen {
		t.Errorf("member: %+v", m)
	}
	for i, form := range []Form{FormClaimed, FormEngaged, FormOperating} {
		c := all[2+i]
		if c.Form != form.String() || c.Frozen != (form == FormEngaged) || c.Descriptor == nil ||
			*c.Descriptor != 1 || c.Generation != uint32(last) {
			t.Errorf("%v: %+v", form, c)
		}
	}
	if c := all[5]; c.Half != 1 || c.Cell != 0 {
		t.Errorf("cells of half 1 come after those of half 0: %+v", c)
	}
}

// TestSnapshot_TellsOfHalf1: an empty cell with how often it was emptied, and the bucket of an operation.
func TestSnapshot_TellsOfHalf1(t *testing.T) {
	p := newPlanted(t)
	p.moves()
	p.put(1, 4, EmptyWord(3), EmptyWord1(3))
	s := Snapshot(p.Table, DumpOptions{Empty: true})
	if c := s.Cells[8+4]; c.Half != 1 || c.Cell != 4 || c.Form != FormEmpty.String() || c.Generation != 3 {
		t.Errorf("%+v, want the empty cell 1.4 of generation 3", c)
	}
	if d := s.Descriptors[1]; d.Index != 1 || d.Half != 1 || d.Home != 7 {
		t.Errorf("%+v, want the move of descriptor 1 at 1.7", d)
	}
}

// TestSnapshot_Bounds: one cell is a limit, too, which hides no operation, and a table without elements that
// nobody works on has empty lists, not none.
func TestSnapshot_Bounds(t *testing.T) {
	p := newPlanted(t)
	if some := Snapshot(p.Table, DumpOptions{Limit: 1}).Cells; len(some) != 1 || some[0].Cell != 2 {
		t.Errorf("%+v, want the first cell", some)
	}
	p.put(0, 5, ClaimedWord(p.refs.Make(2, 1)), 0)
	for i := range p.descriptors {
		p.descriptors[i].owner.Store(0)
	}
	installed := Snapshot(p.Table, DumpOptions{Limit: 1}).Descriptors
	if len(installed) != 1 || installed[0].Index != 2 || !installed[0].Installed {
		t.Errorf("%+v, want descriptor 2, to which the cell behind the limit refers", installed)
	}
	for half := range uint32(2) {
		for i := range uint32(8) {
			p.put(half, i, 0, 0)
		}
	}
	text, err := json.Marshal(Snapshot(p.Table, DumpOptions{}))
	if err != nil || !strings.Contains(string(text), `"cells":[],"descriptors":[]`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestDump_TellsOwnersAndSources: in which process an owner is, and a source of those kinds that have one.
func TestDump_TellsOwnersAndSources(t *testing.T) {
	p := newPlanted(t)
	p.move()
	d := &p.descriptors[1]
	d.owner.Store(uint64(MakeOwner(9, 3)))
	for kind := range kindCount {
		p.kinds(kind, 0, 2)
		var out bytes.Buffer
		if err := Dump(&out, p.Table, DumpOptions{}); err != nil {
			t.Fatal(err)
		}
		ofMember := kind == KindMove || kind == KindDrop || kind == KindLift
		source := "; source " + Source(d.source.Load()).String() + "\n"
		owner := "owner 9 in process " + MakeOwner(9, 3).Process().String() + ": " + kind.String()
		text := out.String()
		if strings.Contains(text, source) != ofMember || !strings.Contains(text, owner) {
			t.Errorf("%v:\n%s", kind, text)
		}
	}
}

// TestDump_CountsEachForm: by numbers of which no two are the same.
func TestDump_CountsEachForm(t *testing.T) {
	var out bytes.Buffer
	n := Count{Elements: 1, Bases: 2, Members: 3, Lost: 4, Empty: 5, Held: 6, Frozen: 7, Invalid: 8}
	if err := (Picture{Count: n}).Write(&out); err != nil {
		t.Fatal(err)
	}
	want := "bases: 2, members: 3, lost: 4, empty: 5, held: 6, frozen: 7, invalid: 8\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
}

// TestDumpJSON_IsTheSnapshot: with each of its options, of tables with something in it and without, in a line
// for each cell.
func TestDumpJSON_IsTheSnapshot(t *testing.T) {
	p := newPlanted(t)
	p.moves()
	nothing := emptyTable(t, 16)
	for _, table := range []*Table{p.Table, nothing} {
		for _, o := range []DumpOptions{{}, {Empty: true}, {Limit: 1}, {Empty: true, Limit: 7}} {
			want := Snapshot(table, o)
			var out bytes.Buffer
			var got Picture
			err := DumpJSON(&out, table, o)
			if err = errors.Join(err, json.Unmarshal(out.Bytes(), &got)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) || !bytes.HasSuffix(out.Bytes(), []byte("}\n")) ||
				bytes.Count(out.Bytes(), []byte("\n")) != 1+len(want.Cells) {
				t.Errorf("%+v:\n%s, want %+v", o, out.Bytes(), want)
			}
		}
	}
}

// emptyTable is a table that nobody has.
func emptyTable(t *testing.T, cells uint32) *Table {
	t.Helper()
	r, err := Heap(Layout{CellsPerHalf: cells, Window: 4, Descriptors: 2})
	if err != nil {
		t.Fatal(err)
	}
	table, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestPicture_WritesWhatDumpDoes: from a snapshot, with its cells and descriptors; the number of an owner is
// decimal.
func TestPicture_WritesWhatDumpDoes(t *testing.T) {
	p := newPlanted(t)
	p.moves()
	p.descriptors[1].owner.Store(uint64(MakeOwner(1234567, 0)))
	p.descriptors[1].head.Store(uint64(MakeHead(9, KindMove, 1, 7)))
	want := fmt.Sprintf("\n1#9 installed, owner 1234567: move key %d value 71, home 1.7\n"+
		"    target undecided gen=1; expect value=00000046 n=3\n    plan key=%d map={1}; source +1/1 n=1\n",
		p.key(1, 7, 1), p.key(1, 7, 0))
	var whole, picture bytes.Buffer
	err := errors.Join(Dump(&whole, p.Table, DumpOptions{}),
		Snapshot(p.Table, DumpOptions{}).Write(&picture))
	if err != nil || whole.String() != picture.String() ||
		!strings.HasSuffix(whole.String(), want) {
		t.Errorf("%v\n%s\nfrom a snapshot\n%s", err, whole.String(), picture.String())
	}
}

// TestSnapshot_OfAnyGeometry: what is told of the layout is the layout's.
func TestSnapshot_OfAnyGeometry(t *testing.T) {
	for _, l := range []Layout{{CellsPerHalf: 10, Window: 4, Descriptors: 1, Homes: HomesNear},
		{CellsPerHalf: 11, Window: 5, Descriptors: 2, Homes: HomesApart},
		{CellsPerHalf: 1027, Window: 31, Descriptors: 3, Homes: HomesNear}} {
		table, _ := newTable(t, l)
		s := Snapshot(table, DumpOptions{})
		if s.CellsPerHalf != l.CellsPerHalf || s.Window != l.Window || s.Homes != l.Homes.String() ||
			s.Handles != l.Descriptors {
			t.Errorf("%+v: %d cells, window %d, homes %s, %d handles", l, s.CellsPerHalf, s.Window, s.Homes,
				s.Handles)
		}
	}
}

// TestSnapshot_FindsWhatIsInstalled: by the cells of each form that refer to a descriptor, of whatever
// generation, when nobody owns it.
func TestSnapshot_FindsWhatIsInstalled(t *testing.T) {
	for _, g := range []Generation{0, 1, ^Generation(0)} {
		for form, word := range map[Form]func(Key, Ref) Word0{
			FormClaimed: func(_ Key, r Ref) Word0 { return ClaimedWord(r) }, FormOperating: OperatingWord,
			FormEngaged: EngagedWord} {
			p := planted{emptyTable(t, 8), t}
			p.put(0, 5, word(p.key(0, 5, 0), p.refs.Make(1, p.refs.wrap(g))), MakeWord1(7, 1))
			all := Snapshot(p.Table, DumpOptions{}).Descriptors
			if len(all) != 1 || all[0].Index != 1 || !all[0].Installed {
				t.Errorf("%v of generation %d: %+v", form, g, all)
			}
		}
	}
}

// TestDump_OfNothing says so.
func TestDump_OfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := Dump(&out, emptyTable(t, 8), DumpOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = "table of 2 x 8 cells, window 4, homes near; elements: 0, load 0.000\n" +
		"bases: 0, members: 0, lost: 0, empty: 16, held: 0, frozen: 0, invalid: 0\n\n" +
		"cell         form        key      value   version  bucket\n(nothing)\n\ndescriptors in use: 0 of 2\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// fullWriter takes so many bytes, and counts the calls after that.
type fullWriter struct{ room, refused int }

func (w *fullWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.room)
	if w.room -= n; n < len(b) {
		w.refused++
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestDump_EndsWhereNobodyReads: with the error, wherever it comes, and without a look at what is left.
func TestDump_EndsWhereNobodyReads(t *testing.T) {
	table := emptyTable(t, 1<<12)
	for _, dump := range []func(io.Writer, *Table, DumpOptions) error{Dump, DumpJSON} {
		var out bytes.Buffer
		if err := dump(&out, table, DumpOptions{Empty: true}); err != nil {
			t.Fatal(err)
		}
		for _, room := range []int{0, 1 << 13, out.Len() - 1} {
			w := &fullWriter{room: room}
			err := dump(w, table, DumpOptions{Empty: true})
			if !errors.Is(err, io.ErrShortWrite) || w.refused != 1 {
				t.Errorf("room for %d bytes: %v, and %d refusals", room, err, w.refused)
			}
		}
		if err := dump(&fullWriter{room: out.Len()}, table, DumpOptions{Empty: true}); err != nil {
			t.Error(err)
		}
	}
}
