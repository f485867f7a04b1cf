package hopscotch

import (
	"errors"
	"slices"
	"testing"
)

// TestHandle_StuckDoesNothing: a cell may still refer to the descriptor of a handle whose operation could not
// be finished. Whatever is called then returns the error of that, and stores nothing.
func TestHandle_StuckDoesNothing(t *testing.T) {
	p := newPlanted(t)
	h := newHandle(t, p.Table, 4)
	p.put(0, 6, BaseWord(KeyLost, 0), MakeWord1(7, 1)) // there would be something to crop
	k := p.key(0, 2, 0)
	x, err := p.PrepareAdd(uint32(k), 9)
	if err != nil {
		t.Fatal(err)
	}
	key, fresh := uint32(k), uint32(p.key(0, 5, 0))
	told := func(l Leaving) { t.Errorf("%+v leaves", l) }
	h.HandOver(told)
	h.stuck, h.lost = ErrBusy, true
	words := p.region.Words().Plain()
	before := slices.Clone(words)
	results := make([]Result, 1)
	for name, call := range map[string]func() error{
		"add":          func() error { _, err := h.Add(fresh, 9); return err },
		"add prepared": func() error { _, err := h.AddPrepared(x); return err },
		"add batch": func() error {
			_, err := h.AddBatch([]uint32{fresh}, []uint32{9}, results)
			return err
		},
		"update":          func() error { _, _, err := h.Update(key, 9); return err },
		"update prepared": func() error { _, _, err := h.UpdatePrepared(x.Prepared, 9); return err },
		"delete":          func() error { _, err := h.Delete(key); return err },
		"delete prepared": func() error { _, err := h.DeletePrepared(x.Prepared); return err },
		"crop":            func() error { return h.Crop(key) },
		"crop all":        func() error { return h.CropAll(told) },
		"crop next":       func() error { _, err := h.CropNext(16, told); return err },
		"restore":         func() error { return h.Restore(key) },
		"restore all":     h.RestoreAll,
		"clear":           func() error { _, err := h.Clear(told); return err },
		"reclaim":         func() error { _, err := h.Reclaim(); return err },
	} {
		if err := call(); !errors.Is(err, ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(words, before) || results[0] != 0 {
			t.Fatalf("%s has stored something", name)
		}
	}
}

// TestLeft_OfAnAddThatFails: what left before the add met the damage is the caller's all the same.
func TestLeft_OfAnAddThatFails(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 2, Descriptors: 1,
		Homes: HomesApart})
	p := planted{table, t}
	key, nth := p.key(0, 2, 0), 1
	_, h1 := p.homes(key)
	p.put(0, 2, BaseWord(p.key(0, 2, nth), Map(2)), MakeWord1(20, 1))
	p.put(0, 3, MemberWord(KeyLost, 1, 1), MakeWord1(21, 1)) // its cell is reclaimed for the new element
	for p.key(1, h1, nth) == key {
		nth++
	}
	p.put(1, h1, BaseWord(p.key(1, h1, nth), Map(2)), MakeWord1(30, 1))
	p.put(1, (h1+1)%8, MemberWord(KeyLost, 1, 1), MakeWord1(31, 1))
	var over []Leaving
	h.HandOver(func(l Leaving) {
		over = append(over, l)
		p.put(0, 2, Word0(7)<<keyShift|cbitMark, 0)
		p.put(1, h1, Word0(7)<<keyShift|cbitMark, 0)
	})
	if r, err := h.Add(uint32(key), 9); r != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v, %v", r, err)
	}
	if left := h.Left(); len(left) != 1 || left[0].Reason != ReasonDeleted || !slices.Equal(left, over) {
		t.Errorf("left %v, handed over %v", left, over)
	}
}
