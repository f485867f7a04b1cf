package model

import (
	"cmp"
	"slices"
)

// ThreeActors returns a program of each operation state with a third actor, who meets the race of the
// other two: a helper, a service, a reader or a rival of the same key. They are those of the
// specification's module of that name, in the order of the states.
func ThreeActors() []Program {
	var all []Program
	for _, x := range smallOfThree() {
		all = append(all, Program{Name: x.name, State: x.state, Ops: x.ops, Memory: x.memory})
	}
	for _, x := range largeOfThree() {
		all = append(all, Program{Name: x.name, State: x.state, Ops: x.ops, Memory: x.memory, Large: true})
	}
	slices.SortFunc(all, func(a, b Program) int { return cmp.Compare(a.State, b.State) })
	return all
}

// smallOfThree are those with some ten thousand states.
func smallOfThree() []listed {
	two := []Standing{in(0, 1, 10), inMember(0, 2, 20, 1)}
	three := append(two[:2:2], inMember(0, 4, 40, 2))
	return []listed{
		// The empty cell is claimed: one helps, one wants to update.
		{"S01AddEmpty_Three", "S01AddEmpty",
			actors([]Op{add(1, 11)}, []Op{restore(1)}, []Op{update(1, 21)}), nil},
		// Half 1 is fuller: two adders of one key want the cell that is read.
		{"S05AddEmptyGet_Three", "S05AddEmptyGet",
			actors([]Op{add(1, 11)}, []Op{get(1)}, []Op{add(1, 31)}), []Standing{in(1, 3, 30)}},
		{"S08AddEmptyDelete_Three", "S08AddEmptyDelete",
			actors([]Op{add(1, 11)}, remove(1), []Op{get(1)}), nil},
		{"S15GetMany_Three", "S15GetMany",
			actors([]Op{get(1), get(2)}, []Op{get(2), get(1)}, []Op{get(2)}), withMember()},
		// Who deletes and who crops are two.
		{"S16GetDeleteMember_Three", "S16GetDeleteMember",
			actors([]Op{get(1), get(2)}, []Op{del(2)}, []Op{crop(2)}), withMember()},
		{"S17GetDeleteBase_Three", "S17GetDeleteBase",
			actors([]Op{get(2)}, []Op{del(1)}, []Op{crop(1)}), withMember()},
		{"S18GetUpdate_Three", "S18GetUpdate",
			actors([]Op{get(1), get(1)}, []Op{update(1, 21)}, []Op{update(1, 31)}), twoBases()},
		{"S19UpdateSameKey_Three", "S19UpdateSameKey",
			actors([]Op{update(1, 11)}, []Op{update(1, 21)}, []Op{update(1, 31)}), twoBases()},
		{"S20DeleteMembers_Three", "S20DeleteMembers",
			actors([]Op{del(2)}, []Op{del(4)}, []Op{crop(2)}), three},
		// Half 1 is empty: the adder finds the cell held, or empty again.
		{"S21DeleteBase_Three", "S21DeleteBase",
			actors([]Op{del(1)}, []Op{crop(1)}, []Op{add(2, 32)}), two[:1]},
		{"S23DeleteSameKey_Three", "S23DeleteSameKey",
			actors([]Op{del(1)}, []Op{del(1)}, []Op{crop(1)}), twoBases()},
	}
}

// largeOfThree are those with up to a million, whose states make check does not search: TLC counts them
// when it is asked to, and a test compares the model's counts with TLC's.
func largeOfThree() []listed {
	usurp := []Op{add(5, 15)}
	fuller1 := append(twoBases(), inMember(1, 13, 70, 1)) // so that half 0 is chosen
	return []listed{
		// Two help, each other's steps between their own.
		{"S02AddCollision_Three", "S02AddCollision",
			actors([]Op{add(2, 12)}, []Op{restore(1)}, []Op{restore(3)}), twoBases()},
		// Each adder has its home where the other one moves the member to, and one of them has a reader.
		{"S03AddFull_Three", "S03AddFull", actors(usurp, []Op{add(9, 19)}, []Op{get(9)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 7, 70), inMember(1, 8, 80, 2), in(1, 11, 90)}},
		// A third one looks for the element of the winner, or of the loser.
		{"S04AddCollisionEmpty_Three", "S04AddCollisionEmpty",
			actors([]Op{add(1, 11)}, []Op{add(2, 22)}, []Op{get(1)}), nil},
		// A helper comes between the adder and the reader.
		{"S06AddCollisionGet_Three", "S06AddCollisionGet",
			actors([]Op{add(2, 12)}, []Op{get(1)}, []Op{restore(1)}), fuller1},
		{"S07AddCollisionUpdate_Three", "S07AddCollisionUpdate",
			actors([]Op{add(2, 12)}, []Op{update(1, 21)}, []Op{restore(1)}), fuller1},
		{"S09AddCollisionDeleteMember_Three", "S09AddCollisionDeleteMember",
			actors([]Op{add(4, 14)}, []Op{del(2)}, []Op{crop(2)}),
			append(fuller1[:3:3], inMember(0, 2, 20, 1), inMember(1, 14, 80, 2))},
		{"S10AddCollisionDeleteBase_Three", "S10AddCollisionDeleteBase",
			actors([]Op{add(2, 12)}, []Op{del(1)}, []Op{crop(1)}), twoBases()},
		// A helper of the usurper, too, meets whoever looks for the member.
		{"S11UsurpGet_Three", "S11UsurpGet",
			actors(usurp, []Op{get(2)}, []Op{restore(1)}), usurpable()},
		{"S12UsurpUpdate_Three", "S12UsurpUpdate",
			actors(usurp, []Op{update(2, 22)}, []Op{restore(1)}), usurpable()},
		{"S13UsurpDelete_Three", "S13UsurpDelete",
			actors(usurp, []Op{del(2)}, []Op{restore(1)}), usurpable()},
		{"S14UsurpDeleteBase_Three", "S14UsurpDeleteBase",
			actors(usurp, []Op{del(1)}, []Op{restore(1)}), usurpable()},
		// The lift of a member that is deleted has a helper.
		{"S22DeleteBaseMembers_Three", "S22DeleteBaseMembers",
			actors(remove(1), []Op{del(2)}, []Op{restore(1)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1)}},
		// Who deletes the member and who usurps its cell are two, the cropper is a third.
		{"S24UsurpDeleteInProgress_Three", "S24UsurpDeleteInProgress",
			actors([]Op{del(2)}, usurp, []Op{crop(2)}), usurpable()},
		// Who deletes and who crops are two.
		{"S25SwapDelete_Three", "S25SwapDelete",
			actors([]Op{lookup(1), swap(1, 21)}, []Op{del(1)}, []Op{crop(1)}), []Standing{in(0, 1, 10)}},
		// The value is another one, and then the key is lost.
		{"S26StillReuse_Three", "S26StillReuse",
			actors([]Op{lookup(1), still(1)}, []Op{update(1, 21)}, []Op{del(1)}), []Standing{in(0, 1, 10)}},
		// The operation has a helper, and is given up.
		{"S27CompareDelete_Three", "S27CompareDelete",
			actors([]Op{lookup(1), discard(1)}, []Op{update(1, 21)}, []Op{restore(1)}),
			[]Standing{in(0, 1, 10)}},
	}
}
