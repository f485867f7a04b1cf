package hopscotch

import (
	"testing"
)

// TestTurned_BeginsAnewInTheSameHalf: where the home in half 1 is another word than at the glance that had
// a get or an update turn there, what is seen there now is not taken for the home in half 0, though that
// has the same value and version.
func TestTurned_BeginsAnewInTheSameHalf(t *testing.T) {
	const home, offset = 512, 3
	for name, member := range map[string]bool{"base": false, "member": true} {
		table, h := newTable(t, Layout{CellsPerHalf: longRing, Window: WindowMax, Descriptors: 1})
		p := planted{table, t}
		k := p.key(0, home, 4)
		for nth := 5; ; nth++ {
			if _, h1 := table.homes(k); h1 == home {
				break
			}
			k = p.key(0, home, nth)
		}
		glanced := BaseWord(p.key(1, home, 1), Map(0).With(offset))
		p.put(0, home, BaseWord(p.key(0, home, 2), 0), MakeWord1(20, 5))
		p.put(1, home, BaseWord(k, 0), MakeWord1(20, 5))
		if member {
			p.put(1, home, BaseWord(p.key(1, home, 2), Map(0).With(offset+1)), MakeWord1(20, 5))
			p.put(1, table.halves[1].index(home, offset+1), MemberWord(k, offset+1, 1), MakeWord1(20, 5))
		}
		first, apart := table.spots(uint32(k))
		c := table.halves[1].at(home, offset)
		if v, o := table.getTurned(k, first^apart, apart, glanced, c); o != present || v != 20 {
			t.Errorf("%s: get %v, %v", name, v, o)
		}
		old, ok, err := h.updateTurned(k, first^apart, apart, glanced, c, 21)
		if old != 20 || !ok || err != nil {
			t.Errorf("%s: update %d, %t, %v", name, old, ok, err)
		}
		if w := Word1(table.halves[0].cell(home).word1.Load()); w != MakeWord1(20, 5) {
			t.Errorf("%s: the update of another key's value: %v", name, w)
		}
		if v, ok := table.Get(uint32(k)); !ok || v != 21 {
			t.Errorf("%s: after it %d, %t", name, v, ok)
		}
	}
}

// TestTurned_ComparesTheWholeHome: the home in half 1 has the member that it had at the glance, and another
// key than then, the one that is looked for; the member has not.
func TestTurned_ComparesTheWholeHome(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1})
	p := planted{table, t}
	members := Map(0).With(3)
	k := p.key(1, 5, 0)
	p.put(1, 5, BaseWord(k, members), MakeWord1(20, 5))
	c := table.halves[1].at(5, members.First())
	p.put(1, table.halves[1].index(5, members.First()), MemberWord(p.key(1, 5, 1), members.First(), 1),
		MakeWord1(30, 1))
	first, apart := table.spots(uint32(k))
	glanced := BaseWord(p.key(1, 5, 2), members)
	if v, o := table.getTurned(k, first^apart, apart, glanced, c); o != present || v != 20 {
		t.Errorf("get %v, %v", v, o)
	}
	if old, ok, err := h.updateTurned(k, first^apart, apart, glanced, c, 21); old != 20 || !ok || err != nil {
		t.Errorf("update %d, %t, %v", old, ok, err)
	}
	clean(t, table)
}

// TestUpdate_SearchesAgainWhenItIsTooLate: what was found, in the home or at a member, has gone meanwhile,
// and another element has its cell, with a value that is at rest. It keeps that value, and the key is not
// found.
func TestUpdate_SearchesAgainWhenItIsTooLate(t *testing.T) {
	for offset := range uint32(2) {
		eachHalf(t, func(t *testing.T, half uint32) {
			table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
			p := planted{table, t}
			k, other, now := p.key(half, 5, 0), p.key(half, 5, 1), MakeWord1(30, 4)
			homes := [2]uint32{}
			homes[0], homes[1] = table.homes(k)
			base, cell := BaseWord(other, 0), table.halves[half].index(5, offset)
			if offset != 0 {
				base = BaseWord(p.key(half, 5, 2), Map(0).With(offset))
				p.put(half, cell, MemberWord(other, offset, 3), now)
				p.put(half, 5, base, MakeWord1(29, 3))
			} else {
				p.put(half, 5, base, now)
			}
			s := search{mode: modeUpdate, key: k, place: place{half, 5}, outcome: present, offset: offset,
				found: view{word1: MakeWord1(20, 3)}}
			if old, ok, err := h.writeOn(&s, homes[0], homes[1], 40); old != 0 || ok || err != nil {
				t.Errorf("at %d: %d, %t, %v; want that the key is not there", offset, old, ok, err)
			}
			if is := table.halves[half].cell(cell).look().word1; is != now {
				t.Errorf("at %d: the other element has %v, want %v", offset, is, now)
			}
			clean(t, table)
		})
	}
}

// TestUpdate_ReturnsWhatItReplaced: another update was faster than its swap, in the home and at a member.
// The value that it had found by then is that one's, and its own is what it finds when it searches again.
func TestUpdate_ReturnsWhatItReplaced(t *testing.T) {
	for offset := range uint32(2) {
		eachHalf(t, func(t *testing.T, half uint32) {
			table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
			p := planted{table, t}
			k := p.key(half, 5, 0)
			homes := [2]uint32{}
			homes[0], homes[1] = table.homes(k)
			p.put(half, 5, BaseWord(k, 0), MakeWord1(30, 4))
			if offset != 0 {
				p.put(half, 5, BaseWord(p.key(half, 5, 1), Map(0).With(offset)), MakeWord1(29, 3))
				p.put(half, table.halves[half].index(5, offset), MemberWord(k, offset, 3), MakeWord1(30, 4))
			}
			s := search{mode: modeUpdate, key: k, place: place{half, 5}, outcome: present, offset: offset,
				found: view{word1: MakeWord1(20, 3)}}
			if old, ok, err := h.writeOn(&s, homes[0], homes[1], 40); old != 30 || !ok || err != nil {
				t.Errorf("at %d: %d, %t, %v; want 30, the value that it replaced", offset, old, ok, err)
			}
			clean(t, table)
		})
	}
}
