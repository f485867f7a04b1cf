package hopscotch

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

func TestLayout_Check(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		field  string
	}{
		{Layout{2, 2, 1, HomesNear}, ""},
		{Layout{32, 32, 4096, HomesNear}, ""},
		{Layout{math.MaxUint32, 32, 4096, HomesNear}, ""},
		{Layout{7, 3, 5, HomesNear}, ""},
		{Layout{7, 3, 5, HomesApart}, ""},
		{Layout{7, 3, 5, 0}, ""},
		{Layout{7, 3, 5, 3}, "homes"},
		{Layout{}, "window"},
		{Layout{1, 2, 1, HomesNear}, "cells per half"},
		{Layout{31, 32, 1, HomesNear}, "cells per half"},
		{Layout{64, 1, 1, HomesNear}, "window"},
		{Layout{64, 33, 1, HomesNear}, "window"},
		{Layout{64, 32, 0, HomesNear}, "descriptors"},
		{Layout{64, 32, 4097, HomesNear}, "descriptors"},
	} {
		path := filepath.Join(t.TempDir(), "table")
		_, _, either := OpenOrCreate(path, c.layout)
		_, heap := Heap(c.layout)
		_, file := Create(path, c.layout)
		if c.field == "" {
			if err := c.layout.Check(); err != nil {
				t.Errorf("%v: %v", c.layout, err)
			}
			if err := c.layout.Region().Check(); err != nil {
				t.Errorf("%v: %v", c.layout, err)
			}
			continue
		}
		for name, err := range map[string]error{"": c.layout.Check(), " ": heap, path: file, path +
			"": either} {
			var e *region.Error
			if !errors.Is(err, region.ErrGeometry) || !errors.As(err, &e) || e.Field != c.field ||
				len(name) > 1 && e.File != name {
				t.Errorf("%v: %v, want field %s", c.layout, err, c.field)
			}
		}
	}
	want := "region f: window is 33, want 2..32 (geometry out of bounds): choose a value within the bounds"
	if err := (Layout{64, 33, 1, HomesNear}).check("f"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestLayout_PartIsPinned: by its names and sizes other builds know a table. A row of two cells is 32
// bytes, a descriptor 64.
func TestLayout_PartIsPinned(t *testing.T) {
	got := fmt.Sprint(Layout{5, 3, 7, 0}.Part())
	const want = "{hopscotch 8 [{cells per half 5} {window 3} {descriptors 7} {homes 1}] " +
		"[{cells 160 64} {descriptors 448 64}]}"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if RowBytes != 2*CellBytes || region.LineBytes != 2*RowBytes || DescriptorBytes != 64 {
		t.Errorf("a row of %d bytes, a cell of %d, a descriptor of %d", RowBytes, CellBytes, DescriptorBytes)
	}
	part := Layout{math.MaxUint32, 32, 4096, HomesApart}.Part()
	if part.Sections[0].Bytes != 32*math.MaxUint32 || part.Sections[1].Bytes != 64*4096 {
		t.Errorf("the largest table: %v", part.Sections)
	}
}

// TestLayout_SaysItsNumbers: each by its name, and the homes that zero stands for.
func TestLayout_SaysItsNumbers(t *testing.T) {
	for l, want := range map[Layout]string{
		{5, 3, 7, 0}:          "5 cells a half, window 3, descriptors 7, homes near",
		{6, 4, 8, HomesApart}: "6 cells a half, window 4, descriptors 8, homes apart",
	} {
		if got := l.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if s := fmt.Sprint(HomesNear, HomesApart, Placement(9)); s != "near apart homes9" {
		t.Error(s)
	}
}

// TestCellWord_SharesLines: each word of a row is one cell's, and two rows are one cache line. The lowest bit
// is the half.
func TestCellWord_SharesLines(t *testing.T) {
	var got []int
	for cell := range uint32(3) {
		for half := range uint32(2) {
			got = append(got, CellWord(half, cell))
		}
	}
	if want := []int{0, 2, 4, 6, 8, 10}; !slices.Equal(got, want) {
		t.Errorf("words %v, want %v", got, want)
	}
	for half := range uint32(6) {
		if got, want := CellWord(half, 7), 28+int(half)%2*2; got != want {
			t.Errorf("cell 7 of half %d is word %d, want %d", half, got, want)
		}
	}
}

// TestLayoutOf_JudgesWhatIsThere: a region knows no table, so any header that is right for the region comes
// as far as here.
func TestLayoutOf_JudgesWhatIsThere(t *testing.T) {
	good := Layout{5, 3, 7, HomesApart}
	param := func(i int, value uint64) region.Part {
		p := good.Part()
		p.Params[i].Value = value
		return p
	}
	changed := func(change func(p *region.Part)) region.Part {
		p := good.Part()
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		part   region.Part
		reason error
		field  string
	}{
		"as it is": {good.Part(), nil, ""},
		"another engine": {changed(func(p *region.Part) { p.Engine = "cache" }), region.ErrLayout,
			"engine"},
		"version before": {changed(func(p *region.Part) { p.Version-- }), region.ErrLayout,
			"version of hopscotch"},
		"version after": {changed(func(p *region.Part) { p.Version++ }), region.ErrLayout,
			"version of hopscotch"},
		"no cells":            {param(0, 0), region.ErrHeader, "cells per half"},
		"cells fewer":         {param(0, 2), region.ErrHeader, "cells per half"},
		"cells more":          {param(0, 6), region.ErrHeader, "size of section cells"},
		"cells wide":          {param(0, 1<<32|5), region.ErrHeader, "cells per half"},
		"cells of 4 GiB more": {param(0, 1<<27|5), region.ErrHeader, "size of section cells"},
		"cells most":          {param(0, math.MaxUint32), region.ErrHeader, "size of section cells"},
		"window 1":            {param(1, 1), region.ErrHeader, "window"},
		"window 33":           {param(1, 33), region.ErrHeader, "window"},
		"window wide":         {param(1, 1<<32|3), region.ErrHeader, "window"},
		"no descriptors":      {param(2, 0), region.ErrHeader, "descriptors"},
		"many descriptors":    {param(2, 4097), region.ErrHeader, "descriptors"},
		"more descriptors":    {param(2, 8), region.ErrHeader, "size of section descriptors"},
		"no homes":            {param(3, 0), region.ErrHeader, "homes"},
		"unknown homes":       {param(3, 3), region.ErrHeader, "homes"},
		"homes not named": {changed(func(p *region.Part) { p.Params = p.Params[:3] }), region.ErrHeader,
			"homes"},
		"window not named": {changed(func(p *region.Part) { p.Params[1].Name = "x" }), region.ErrHeader,
			"window"},
		"no descriptors section": {changed(func(p *region.Part) { p.Sections = p.Sections[:1] }),
			region.ErrHeader, "size of section descriptors"},
		"a smaller section": {changed(func(p *region.Part) { p.Sections[0].Bytes -= 8 }), region.ErrHeader,
			"size of section cells"},
	} {
		r, err := region.Heap(region.Layout{c.part})
		if err != nil {
			t.Fatal(err)
		}
		got, err := LayoutOf(r)
		table, made := New(r)
		var e *region.Error
		switch {
		case c.reason == nil:
			if err != nil || got != good || made != nil || table.Layout() != good {
				t.Errorf("%s: %v, %v, %v", name, got, err, made)
			}
		case !errors.Is(err, c.reason) || !errors.As(err, &e) || e.Field != c.field || got != (Layout{}) ||
			e.Do == "" || table != nil || !errors.Is(made, c.reason):
			t.Errorf("%s: %v, and a table: %v, want %v of field %s", name, err, made, c.reason, c.field)
		}
	}
}

// TestLayoutOf_SaysWhatWasFound: the error names the field, what is there, what belongs there and what to do.
func TestLayoutOf_SaysWhatWasFound(t *testing.T) {
	good := Layout{5, 3, 7, HomesApart}
	for name, c := range map[string]struct {
		change          func(p *region.Part)
		found, want, do string
	}{
		"another engine": {func(p *region.Part) { p.Engine = "cache" }, "cache", "hopscotch",
			"open a region that has a table, or create one"},
		"another version": {func(p *region.Part) { p.Version = 99 }, "99", fmt.Sprint(FormatVersion),
			"it was created by another build: use that build, or unlink it and create it anew"},
		"a wide number": {func(p *region.Part) { p.Params[0].Value = 1<<32 | 5 }, "4294967301", "4294967295",
			"the file is damaged: unlink it and create it anew"},
		"no homes": {func(p *region.Part) { p.Params[3].Value = 0 }, "0", "1",
			"the file is damaged: unlink it and create it anew"},
		"a smaller section": {func(p *region.Part) { p.Sections[0].Bytes = 152 }, "152", "160",
			"the file is damaged: unlink it and create it anew"},
	} {
		p := good.Part()
		c.change(&p)
		r, err := region.Heap(region.Layout{p})
		if err != nil {
			t.Fatal(err)
		}
		_, err = LayoutOf(r)
		var e *region.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want an error of a region", name, err)
			continue
		}
		if !strings.HasPrefix(e.Found, c.found) || e.Want != c.want || e.Do != c.do {
			t.Errorf("%s: found %q, want %q, do %q; expected %q, %q, %q", name, e.Found, e.Want, e.Do,
				c.found, c.want, c.do)
		}
	}
}

// TestTable_LayoutOfALongRing: the window of a long ring is not the front of it, where adds prefer to go.
func TestTable_LayoutOfALongRing(t *testing.T) {
	want := Layout{longRing, 8, 2, HomesNear}
	r, err := region.Heap(region.Layout{want.Part()})
	if err != nil {
		t.Fatal(err)
	}
	table, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Layout(); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTable_TakesItsSectionsByName: beside another engine, whose memory it leaves alone, wherever its own is.
func TestTable_TakesItsSectionsByName(t *testing.T) {
	l := Layout{64, 8, 2, HomesNear}
	other := func(name string) region.Part {
		return region.Part{Engine: name, Version: 1, Sections: []region.Section{{Name: SectionCells,
			Bytes: 4096}}}
	}
	own := l.Part()
	slices.Reverse(own.Sections)
	r, err := region.Heap(region.Layout{other("before"), own, other("behind")})
	if err != nil {
		t.Fatal(err)
	}
	table, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	for key := uint32(1); key <= 100; key++ {
		if _, err := h.Add(key, key); err != nil {
			t.Fatal(err)
		}
	}
	if found := Check(table, CheckOptions{}); len(found) > 0 || Measure(table).Elements < 90 {
		t.Errorf("%v, %+v", found, Measure(table))
	}
	for _, name := range []string{"before", "behind"} {
		words, err := r.Section(name, SectionCells)
		if err != nil || len(words) != 512 || slices.ContainsFunc(words.Plain(),
			func(w uint64) bool { return w != 0 }) {
			t.Errorf("%s: %d words, %v", name, len(words), err)
		}
	}
}
