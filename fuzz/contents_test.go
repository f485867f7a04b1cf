package fuzz

import (
	"strings"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// contents is the plain map, and where each value is that the table was ever given: with an
// element, in a deleted one that is not reclaimed, or handed over. No two elements have one value.
type contents struct {
	elements map[uint32]uint32
	lost     map[uint32]bool
	gone     map[uint32]bool
}

func newContents() contents {
	return contents{map[uint32]uint32{}, map[uint32]bool{}, map[uint32]bool{}}
}

// takeLeft books what has left the table, and returns what of it was evicted. Each value leaves
// once, and only from where it was.
func (c *contents) takeLeft(left []hopscotch.Leaving) (evicted []hopscotch.Leaving, err error) {
	for _, l := range left {
		value, there := c.elements[l.Key]
		switch {
		case c.gone[l.Value]:
			return nil, wrong("value %d has left twice: %+v", l.Value, l)
		case (l.Key == 0) != (l.Reason == hopscotch.ReasonDeleted):
			return nil, wrong("%+v is said to have left because it was %v", l, l.Reason)
		case l.Key == 0 && !c.lost[l.Value]:
			return nil, wrong("%+v has left, which no deleted element had", l)
		case l.Key != 0 && (!there || value != l.Value):
			return nil, wrong("%+v was evicted, the map has %d, %v", l, value, there)
		case l.Key == 0:
			delete(c.lost, l.Value)
		default:
			delete(c.elements, l.Key)
			evicted = append(evicted, l)
		}
		c.gone[l.Value] = true
	}
	return evicted, nil
}

// picture is the table as it stands before a call, by half and cell.
type picture struct {
	hopscotch.Picture
	cells [2][]hopscotch.CellPicture
	homes hopscotch.Placement
}

func (s *session) picture() picture {
	p := picture{Picture: hopscotch.Snapshot(s.table, hopscotch.DumpOptions{Empty: true}),
		homes: s.table.Layout().Homes}
	for _, c := range p.Cells {
		p.cells[c.Half] = append(p.cells[c.Half], c)
	}
	return p
}

// String is the picture as dump prints it.
func (p picture) String() string {
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// layout is as much of the geometry as the homes of a key need.
func (p picture) layout() hopscotch.Layout {
	return hopscotch.Layout{CellsPerHalf: p.CellsPerHalf, Homes: p.homes}
}

func (p picture) at(half, home, offset uint32) hopscotch.CellPicture {
	return p.cells[half][(home+offset)%p.CellsPerHalf]
}

func lost(c hopscotch.CellPicture) bool {
	return hopscotch.Key(c.Word0>>32) == hopscotch.KeyLost
}

// hole tells whether the window of a base has an empty cell that many cells above it or more.
func (p picture) hole(half, home, from uint32) bool {
	for o := from; o < p.Window; o++ {
		if p.at(half, home, o).Form == "E" {
			return true
		}
	}
	return false
}

// place tells whether an add of a new key needs no other element to leave. What an add may do to
// find a place is what the comment of Handle.Add says, in a table at rest.
func (p picture) place(key uint32, keepAll bool) bool {
	h0, h1 := hopscotch.Homes(key, p.layout())
	for half, home := range []uint32{h0, h1} {
		half := uint32(half)
		base := p.at(half, home, 0)
		switch {
		case base.Form == "E", base.Form == "B" && (lost(base) || p.hole(half, home, 1)):
			return true
		case keepAll:
		case base.Form == "M" && p.movable(half, home):
			return true
		case base.Form == "B":
			for o := uint32(1); o < p.Window; o++ {
				c := p.at(half, home, o)
				if c.Form == "M" && (lost(c) || *c.Base != home && p.movable(half, c.Cell)) ||
					c.Form == "B" && lost(c) && len(c.Members) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// reachWindows is how many windows from its home an add looks for members that can move.
const reachWindows = 3

// chain tells whether an add of a new key that has no place may find one by more than one move: what is
// beyond its windows may move, and make holes for what is in them. Which members move first is the
// engine's choice, so whether it finds one is not said.
func (p picture) chain(key uint32) bool {
	h0, h1 := hopscotch.Homes(key, p.layout())
	for half, home := range []uint32{h0, h1} {
		half := uint32(half)
		for o := uint32(1); o < min(reachWindows*p.Window, p.CellsPerHalf); o++ {
			c := p.at(half, home, o)
			if c.Form == "M" && *c.Base != home && p.movable(half, c.Cell) {
				return true
			}
		}
	}
	return false
}

// movable tells whether a member can leave its cell: it is lost, or its base is, so that it can take the
// base's place; or its window has a hole that is farther from its base (P5 of the specification: a member
// moves only away from its base).
func (p picture) movable(half, cell uint32) bool {
	c := p.cells[half][cell]
	return lost(c) || lost(p.cells[half][*c.Base]) || p.hole(half, *c.Base, c.Distance+1)
}

// victims are the keys that an add of the key may make leave if it has no place: of each half the
// foreign member in the home cell, or the oldest member of the own bucket, or the base if it is
// alone.
func (p picture) victims(key uint32, older func(a, b uint32) bool) map[uint32]bool {
	keys := map[uint32]bool{}
	h0, h1 := hopscotch.Homes(key, p.layout())
	for half, home := range []uint32{h0, h1} {
		first := p.at(uint32(half), home, 0)
		for i, o := range first.Members {
			c := p.at(uint32(half), home, o)
			if i == 0 || older(c.Value, first.Value) {
				first = c
			}
		}
		keys[first.Key] = true
	}
	return keys
}
