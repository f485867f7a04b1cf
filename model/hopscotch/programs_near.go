package model

// nearPrograms are those whose keys have near homes. They are races of a get or an update with each other
// operation, because gets and updates have a path of their own there, and races of writers that are
// neighbours in one half only.
func nearPrograms() []listed {
	usurp := []Op{add(5, 15)}
	return []listed{
		{"S01AddEmpty_Near", "S01AddEmpty", actors([]Op{add(2, 12)}), neighbours()},
		// The adders collide in neighbouring buckets of half 1, whose windows have one hole, the same.
		{"S02AddCollision_Near", "S02AddCollision", [][]Op{{add(2, 12)}, {add(3, 13)}},
			[]Standing{in(0, 13, 50), inMember(0, 14, 60, 1),
				in(1, 1, 10), in(1, 4, 40), in(1, 10, 95)}},
		// Both windows of key 2 are full, which begin in different rows; the member in cell 3 of half 1 can
		// move to cell 0, which is in the window of its base only.
		{"S03AddFull_Near", "S03AddFull", [][]Op{{add(2, 12)}, {get(11)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), in(0, 10, 95),
				in(1, 4, 40), in(1, 9, 90), inMember(1, 11, 80, 1)}},
		// The adders want one cell in half 0, and two of one line in half 1.
		{"S04AddCollisionEmpty_Near", "S04AddCollisionEmpty", [][]Op{{add(1, 11)}, {add(2, 22)}}, nil},
		// The adders bring one key, whose homes are in two rows: who begins again must know both.
		{"S04AddCollisionEmpty_NearSameKey", "S04AddCollisionEmpty",
			[][]Op{{add(2, 12)}, {add(2, 22)}}, nil},
		{"S05AddEmptyGet_Near", "S05AddEmptyGet", [][]Op{{add(2, 12)}, {get(2)}}, nil},
		// The reader looks for the element in half 1, the add displaces it or its neighbour.
		{"S06AddCollisionGet_Near", "S06AddCollisionGet", [][]Op{{add(2, 12)}, {get(4)}}, twoNear()},
		{"S06AddCollisionGet_NearNew", "S06AddCollisionGet", [][]Op{{add(2, 12)}, {get(2)}}, twoNear()},
		{"S07AddCollisionUpdate_Near", "S07AddCollisionUpdate",
			[][]Op{{add(2, 12)}, {update(4, 21)}}, twoNear()},
		{"S08AddEmptyDelete_Near", "S08AddEmptyDelete", actors([]Op{add(2, 12)}, remove(2)), neighbours()},
		// The actors share a bucket in half 1, and are neighbours in half 0.
		{"S09AddCollisionDeleteMember_Near", "S09AddCollisionDeleteMember",
			actors([]Op{add(7, 17)}, remove(2)),
			[]Standing{in(0, 5, 50), inMember(0, 6, 60, 1), inMember(0, 8, 80, 2),
				in(1, 3, 30), in(1, 14, 40), inMember(1, 2, 20, 1)}},
		{"S10AddCollisionDeleteBase_Near", "S10AddCollisionDeleteBase",
			actors([]Op{add(2, 12)}, remove(4)), twoNear()},
		{"S11UsurpGet_Near", "S11UsurpGet", actors(usurp, []Op{get(2)}), usurpableNear()},
		{"S12UsurpUpdate_Near", "S12UsurpUpdate", actors(usurp, []Op{update(2, 22)}), usurpableNear()},
		{"S13UsurpDelete_Near", "S13UsurpDelete", actors(usurp, []Op{del(2)}), usurpableNear()},
		// The usurper is a neighbour of the deleted base in either half.
		{"S14UsurpDeleteBase_Near", "S14UsurpDeleteBase", actors([]Op{add(6, 16)}, []Op{del(4)}),
			[]Standing{in(0, 4, 40), inMember(0, 1, 10, 1),
				in(1, 3, 30), in(1, 7, 70), inMember(1, 8, 80, 2)}},
		// A base in half 1, a member in half 0, and a key of the bucket of each that is in neither half.
		{"S15GetMany_Near", "S15GetMany", [][]Op{{get(2), get(3)}, {get(6), get(8)}},
			[]Standing{in(0, 5, 50), inMember(0, 6, 60, 1), in(1, 1, 10), in(1, 2, 20)}},
		{"S16GetDeleteMember_Near", "S16GetDeleteMember",
			actors([]Op{get(4), get(2)}, remove(2)), fourNear()},
		{"S17GetDeleteBase_Near", "S17GetDeleteBase", actors([]Op{get(2)}, remove(1)), fourNear()},
		{"S18GetUpdate_Near", "S18GetUpdate", [][]Op{{get(4)}, {update(4, 21)}}, twoNear()},
		// A base in half 1 and a member in half 0, in either order.
		{"S19UpdateSameKey_Near", "S19UpdateSameKey",
			actors([]Op{update(4, 11), update(2, 12)}, []Op{update(2, 22), update(4, 21)}), fourNear()},
		{"S20DeleteMembers_Near", "S20DeleteMembers", actors(remove(2), []Op{del(4)}),
			[]Standing{in(0, 1, 10),
				in(1, 3, 30), in(1, 5, 50), inMember(1, 2, 20, 1), inMember(1, 4, 40, 2)}},
		// As in S09, and the bucket has no member.
		{"S21DeleteBase_Near", "S21DeleteBase", actors(remove(4), []Op{add(7, 17)}),
			[]Standing{in(0, 5, 50), inMember(0, 6, 60, 1), in(1, 4, 40), in(1, 8, 80)}},
		// The windows of two buckets overlap; a member of each stands in both.
		{"S22DeleteBaseMembers_Near", "S22DeleteBaseMembers", actors(remove(4), []Op{del(2)}),
			[]Standing{in(0, 1, 10),
				in(1, 3, 30), in(1, 4, 40), inMember(1, 13, 70, 2), inMember(1, 2, 20, 2)}},
		{"S23DeleteSameKey_Near", "S23DeleteSameKey", actors(remove(4), []Op{del(4)}), twoNear()},
		{"S24UsurpDeleteInProgress_Near", "S24UsurpDeleteInProgress",
			actors([]Op{del(2), add(5, 15)}, []Op{crop(2)}), usurpableNear()},
		// The key has a home of its own in half 1, beside the other one.
		{"S25SwapDelete_Near", "S25SwapDelete", actors([]Op{lookup(4), swap(4, 21)}, remove(4)), twoNear()},
		{"S26StillReuse_Near", "S26StillReuse",
			actors([]Op{lookup(4), still(4)}, append(remove(4), add(4, 44))), twoNear()},
		{"S27CompareDelete_Near", "S27CompareDelete",
			actors([]Op{lookup(4), discard(4)}, []Op{update(4, 21), get(4)}), twoNear()},
	}
}
