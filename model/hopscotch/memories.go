package model

// What stands in the table before the programs of the operation states begin.

// twoBases: whichever half is chosen, the add collides.
func twoBases() []Standing { return []Standing{in(0, 1, 10), in(1, 3, 30)} }

// lostBase: the windows of the keys of cell 0 are full of bases. That in cell 1 of half 0 will be deleted.
func lostBase() []Standing {
	return []Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}
}

// lostBaseBelow: the windows of the keys of cell 1 are full, and nothing can move. The base of the member in
// cell 2 of half 0, which is in none of these windows, will be deleted.
func lostBaseBelow() []Standing {
	return []Standing{in(0, 1, 10), in(0, 5, 50), inMember(0, 2, 20, 2), inMember(0, 6, 60, 2),
		in(1, 3, 30), in(1, 7, 70), in(1, 10, 80), inMember(1, 11, 90, 1)}
}

// foreign: the home in half 0 of the keys of cell 1 is a member that cannot move.
func foreign() []Standing {
	return []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(0, 9, 90),
		in(1, 7, 70), inMember(1, 8, 80, 1), inMember(1, 6, 60, 2)}
}
