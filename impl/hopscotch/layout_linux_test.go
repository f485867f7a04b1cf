package hopscotch

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// TestOpen_AsksForTheGeometry: each number that is not zero must be that of the file, which is named if it is
// not; and who would create the table must have the same.
func TestOpen_AsksForTheGeometry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	l := Layout{64, 8, 2, HomesApart}
	r, created, err := OpenOrCreate(path, l)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	defer r.Close()
	for _, c := range []struct {
		want  Layout
		field string
	}{
		{Layout{}, ""}, {l, ""}, {Layout{Window: 8}, ""},
		{Layout{CellsPerHalf: 65}, "cells per half of hopscotch"}, {Layout{Window: 9}, "window of hopscotch"},
		{Layout{Descriptors: 1}, "descriptors of hopscotch"}, {Layout{Homes: HomesNear},
			"homes of hopscotch"},
	} {
		r, err := Open(path, c.want)
		var e *region.Error
		if c.field == "" {
			if err != nil {
				t.Errorf("%v: %v", c.want, err)
			} else if got, err := LayoutOf(r); err != nil || got != l || r.Close() != nil {
				t.Errorf("%v: %v, %v", c.want, got, err)
			}
			continue
		}
		if !errors.Is(err, region.ErrLayout) || !errors.As(err, &e) || e.Field != c.field || e.File != path {
			t.Errorf("%v: %v, want field %s", c.want, err, c.field)
		}
	}
	// Homes that are not named are near, as when it creates.
	for _, want := range []Layout{{64, 8, 2, 0}, {64, 8, 3, HomesApart}} {
		if r, created, err := OpenOrCreate(path, want); r != nil || created || !errors.Is(err,
			region.ErrLayout) {
			t.Errorf("%v: created %v, %v", want, created, err)
		}
	}
	again, created, err := OpenOrCreate(path, l)
	if err != nil || created || again.Close() != nil {
		t.Errorf("once more: created %v, %v", created, err)
	}
	if r, err := Open(path+".none", Layout{}); r != nil || err == nil {
		t.Errorf("no file: %v", err)
	}
	other := region.Layout{{Engine: "cache", Version: 1, Sections: []region.Section{{Name: "x", Bytes: 8}}}}
	foreign, err := region.Create(path+".foreign", other)
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.Close()
	if r, err := Open(path+".foreign", Layout{}); r != nil || !errors.Is(err, region.ErrLayout) {
		t.Errorf("a region without a table: %v", err)
	}
}
