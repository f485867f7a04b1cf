package model

import "slices"

// Scattered returns the programs on windows whose cells are not in a row. They are those of the
// specification's module MCScattered, by the names of their runs.
func Scattered() []Program {
	full := []Standing{in(0, 9, 90), in(0, 5, 50), in(0, 1, 10), inMember(0, 2, 20, 1),
		in(1, 11, 95), in(1, 3, 30), inMember(1, 4, 40, 2), inMember(1, 12, 97, 2)}
	return []Program{
		// Two collisions want one hole, at another offset of each bucket.
		{Name: "Scattered_SharedHole", State: "S02AddCollision", Windows: opposite(), Front: 2,
			Ops: actors([]Op{add(2, 12)}, []Op{add(10, 22)}),
			Memory: []Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), in(1, 3, 30), in(1, 7, 70),
				in(1, 11, 95), inMember(1, 12, 97, 1)}},
		// In either half the home of key 5 is a member of another bucket, and has another way to go.
		{Name: "Scattered_Usurp", State: "S12UsurpUpdate", Windows: opposite(), Front: 2,
			Ops:    actors([]Op{add(5, 15)}, []Op{update(2, 22)}),
			Memory: []Standing{in(0, 9, 90), inMember(0, 10, 95, 1), in(1, 1, 10), inMember(1, 2, 20, 1)}},
		// Both windows are full; the member in cell 7 of half 0 can move to cell 5, which is in the window
		// of its base only.
		{Name: "Scattered_Full", State: "S03AddFull", Windows: opposite(), Front: 2,
			Ops: actors([]Op{add(10, 15)}, []Op{get(2)}), Memory: full},
		// The home in half 1 is a member that cannot move until what stands further on in its own window has
		// moved; half 0 is full.
		{Name: "Scattered_Foreign", State: "S03AddFull", Windows: opposite(), Front: 2,
			Ops: actors([]Op{add(5, 15)}),
			Memory: []Standing{in(0, 7, 70), in(0, 3, 30), inMember(0, 8, 80, 2),
				in(1, 1, 10), inMember(1, 2, 20, 1), in(1, 9, 90), inMember(1, 10, 95, 1)}},
		// The member moves up to the base, from the end of its window, while a reader looks for it.
		{Name: "Scattered_Lift", State: "S17GetDeleteBase", Windows: opposite(), Front: 2,
			Ops:    actors([]Op{get(6)}, remove(5)),
			Memory: []Standing{in(1, 5, 50), inMember(1, 6, 60, 2), in(0, 9, 90)}},
		// An adder that runs alone looks for the nearer hole. For key 2 it is in half 1, for key 4 in
		// neither half. For key 6 the element that it pushes away in half 1 is the last but one of its
		// window.
		{Name: "Scattered_Glance", State: "S03AddFull", Windows: opposite(), Front: 2,
			Ops: actors([]Op{add(2, 12), add(4, 14), add(6, 16)}),
			Memory: []Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), inMember(0, 10, 95, 2),
				in(1, 3, 30)}},
	}
}

// opposite are windows of three cells on a ring of eight: 7 and 5 cells up from the home in half 0, as
// many down in half 1.
func opposite() Windows {
	const cells = 8
	all := make(Windows, Halves)
	for home := range uint8(cells) {
		up, down := []uint8{home}, []uint8{home}
		for _, d := range []uint8{7, 5} {
			up, down = append(up, (home+d)%cells), append(down, (home+cells-d)%cells)
		}
		all[0], all[1] = append(all[0], up), append(all[1], down)
	}
	return all
}

// OnLines returns programs on windows of the engine's long rings: the first six cells of one, of which the
// last two are on a line far from the others, or the first five. Half 0 goes up to it, over the end of the
// ring, half 1 down.
func OnLines() []Program {
	windows := Windows{lines(), lines()}
	rows := [][]int{{1020, 1021, 1022, 1023, 2, 3, 4, 5}, {1020, 1021, 1022, 1023, 1014, 1015, 1016, 1017}}
	all := []Program{
		// Whichever half is chosen, the hole is on the far line.
		{Name: "Lines_Collision", State: "S02AddCollision",
			Ops: actors([]Op{add(2, 12)}, []Op{update(1, 21)}),
			Memory: []Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), inMember(0, 10, 95, 1),
				in(1, 4, 40), in(1, 3, 30), in(1, 11, 99), in(1, 12, 97)}},
		// The member in the home of half 0 has to move to the far line.
		{Name: "Lines_Usurp", State: "S12UsurpUpdate",
			Ops: actors([]Op{add(9, 19)}, []Op{update(2, 22)}),
			Memory: []Standing{in(0, 1, 10), inMember(0, 2, 20, 2), in(0, 5, 50), inMember(0, 6, 60, 2),
				in(1, 11, 95), in(1, 12, 97), in(1, 3, 30), in(1, 4, 40)}},
		// The member comes from the far line, while a reader looks for it.
		{Name: "Lines_Lift", State: "S17GetDeleteBase", Ops: actors([]Op{get(3)}, remove(1)),
			Memory: []Standing{in(1, 1, 10), inMember(1, 3, 30, 4)}},
	}
	for i := range all {
		all[i].Windows, all[i].Rows, all[i].Front, all[i].Near = windows, rows, 3, true
		all[i].Reach = 3 * len(windows[0][0]) // the ring is longer than what the program can reach
	}
	return append(all, beyondPrograms()...)
}

// beyondPrograms are adds that look for room on windows of five cells. In half 0 there is none for key 1
// within its window, but what stands there can move once what is on a line beyond has; half 1 is full of its
// own bucket.
func beyondPrograms() []Program {
	const no = noCell
	windows := Windows{
		{{0, 1, 2, 3, 4}, {1, 0, 3, 2, no}, {2, 3, 0, 1, 5}, {3, 2, 1, 0, no}, nil, nil,
			{6, no, no, 5, 7}, nil},
		{{0, 1, 2, 3, 4}, {1, 0, 3, 2, no}, {2, 3, 0, 1, 5}, {3, 2, 1, 0, no}, nil, nil,
			{6, no, no, no, no}, nil}}
	rows := [][]int{{1020, 1021, 1022, 1023, 2, 4, 7, 13}, {1020, 1021, 1022, 1023, 1014, 1016, 7, 1015}}
	var homes [Halves][MaxKeys + 1]uint8
	for h := range homes {
		for k := 10; k <= MaxKeys; k++ {
			homes[h][k] = 2 // 1 to 9 in cell 0
		}
		homes[h][12], homes[h][13], homes[h][14] = 6, 6, 3
	}
	own := []Standing{in(1, 5, 50), inMember(1, 6, 60, 1), inMember(1, 7, 70, 2), inMember(1, 8, 80, 3),
		inMember(1, 9, 90, 4)}
	beyond := []Standing{in(0, 12, 120), inMember(0, 13, 130, 3)}
	// The member at offset 1 of the window can move once the one beyond it has.
	within := slices.Concat(own, beyond, []Standing{in(0, 2, 20), inMember(0, 3, 30, 4), in(0, 10, 100),
		inMember(0, 11, 110, 3), in(0, 14, 140)})
	all := []Program{
		{Name: "Lines_Alone", State: "S03AddFull", Ops: actors([]Op{add(1, 19)}), Memory: within},
		{Name: "Lines_Beyond", State: "S03AddFull", Ops: actors([]Op{add(1, 19)}, []Op{update(13, 23)}),
			Memory: within},
		// A member has the home, and the way beyond is above it in its own window. A service meets the moves.
		{Name: "Lines_Foreign", State: "S03AddFull", Ops: actors([]Op{add(1, 19)}, []Op{restore(12)}),
			Memory: slices.Concat(own, beyond, []Standing{in(0, 10, 100), inMember(0, 11, 110, 2),
				inMember(0, 15, 150, 3), in(0, 14, 140)})},
		// The last member of the window that could move has a deleted one above it, three offsets away, which
		// no step of the scan comes to.
		{Name: "Lines_Spare", State: "S03AddFull", Ops: [][]Op{{del(13), add(1, 19)}},
			Memory: slices.Concat(own, beyond, []Standing{in(0, 2, 20), inMember(0, 3, 30, 1),
				inMember(0, 4, 40, 4), in(0, 10, 100), inMember(0, 11, 110, 1)})},
	}
	for i := range all {
		all[i].Windows, all[i].Rows, all[i].Front, all[i].Near = windows, rows, 3, true
		all[i].Homes, all[i].Reach = &homes, 3*len(windows[0][0])
	}
	return append(all, farBase(all[0], slices.Concat(own, []Standing{in(0, 2, 20), inMember(0, 3, 30, 1),
		in(0, 14, 140), inMember(0, 4, 40, 4), in(0, 12, 120), inMember(0, 13, 130, 4)})))
}

// farBase is a program beside those beyond. A member at offset 2 of the window has no place above it, and its
// base, which is deleted, stands in a row that no step of the scan comes to: it takes the place of its base.
func farBase(like Program, memory []Standing) Program {
	const no = noCell
	p, homes := like, *like.Homes
	p.Name, p.Ops, p.Memory, p.Homes = "Lines_FarBase", [][]Op{{del(12), add(1, 19)}}, memory, &homes
	homes[1][12], homes[1][13] = 5, 5
	p.Windows = Windows{slices.Clone(like.Windows[0]), slices.Clone(like.Windows[1])}
	p.Windows[0][6] = []uint8{6, no, no, no, 2}
	p.Windows[1][5], p.Windows[1][6] = []uint8{5, no, no, no, no}, nil
	p.Rows = [][]int{{1020, 1021, 1022, 1023, 2, 4, 1016, 13}, like.Rows[1]}
	return p
}

// lines are windows of three lines: the home's, the one beside it, and another one.
func lines() [][]uint8 {
	return [][]uint8{{0, 1, 2, 3, 4, 5}, {1, 0, 3, 2, 5, 4}, {2, 3, 0, 1, 6, 7}, {3, 2, 1, 0, 7, 6},
		nil, nil, nil, nil}
}
