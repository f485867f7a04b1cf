package model

import (
	"cmp"
	"slices"
	"sort"
	"sync"
)

// Program is one program of the specification's Scenarios: the operations of each actor, and the memory at
// the start. A state may have several; the first one has the state's name, the others a suffix.
type Program struct {
	Name   string
	State  string // the operation state, as in the catalog
	Ops    [][]Op
	Memory []Standing
	// Shift is how far the homes of all keys in each half are behind HomeOf: 0 in the programs of the
	// specification. With two of them the homes of a key differ, as nearly all do in a table in use.
	Shift [Halves]uint8
	// Near: the homes of a key are in one row or in two that share a cache line, as in the tables that
	// ship. That of half 1 is in the pair of cells of that of half 0: the same one of an odd key, the
	// other one of an even key. Gets are the engine's own of such a table.
	Near bool
	// Wide: the ring is longer and the window larger, so that there are cells beyond it whose members can
	// make a hole for one within.
	Wide bool
	// Windows is where the cells of a window are, if they are not in a row.
	Windows Windows
	// Rows are the rows of the engine's long ring that the cells of each half are: those that the program can
	// reach. nil: the ring has no others.
	Rows [][]int
	// Homes are the cells of each half that are the homes of keys; nil: as HomeIn says.
	Homes *[Halves][MaxKeys + 1]uint8
	// Front is the part of a window in which a hole is as good as any; 0: all of it.
	Front int
	// Reach is how many places of a half an add looks at for room; 0: three windows, at most once round the
	// ring.
	Reach int
	// Large: make check does not search its states.
	Large bool
}

// Geometry is the number of cells of a half, and the window.
func (p Program) Geometry() (cells, window int) {
	if p.Windows != nil {
		return len(p.Windows[0]), len(p.Windows[0][0])
	}
	if p.Wide {
		return wideCells, wideWindow
	}
	return ProgramCells, ProgramWindow
}

// HomeIn is the home cell of a key in a half.
func (p Program) HomeIn(half, key int) int {
	if p.Homes != nil {
		return int(p.Homes[half][key])
	}
	if p.Near {
		return HomeOf(key) ^ half&^key&1
	}
	cells, _ := p.Geometry()
	return (HomeOf(key) + int(p.Shift[half])) % cells
}

// CellAt is the cell at an offset of the window of a home.
func (p Program) CellAt(half, home, offset int) int {
	if p.Windows != nil {
		return int(p.Windows[half][home][offset])
	}
	cells, _ := p.Geometry()
	return (home + offset) % cells
}

// The geometry of nearly all programs, in which bucket 3 of a half wraps, and that of the wide ones.
const (
	ProgramCells  = 4
	ProgramWindow = 3
	wideCells     = 6
	wideWindow    = 4
)

// ProgramCrashes is how many actors may die where a program is searched as evidence. The states
// without a death are among those with at most one.
const ProgramCrashes = 1

// HomeOf returns the home cell of a key, the same in both halves: 1 to 4 live in cell 0, 5 to 8
// in cell 1, 9 to 12 in cell 2, others in cell 0.
func HomeOf(key int) int {
	if key > 12 {
		return 0
	}
	return (key - 1) / 4
}

func add(k, v uint8) Op    { return Op{OpAdd, k, v} }
func update(k, v uint8) Op { return Op{OpUpdate, k, v} }
func get(k uint8) Op       { return Op{OpGet, k, 0} }

func del(k uint8) Op  { return Op{OpDelete, k, 0} }
func crop(k uint8) Op { return Op{OpCrop, k, 0} }

func restore(k uint8) Op { return Op{OpRestore, k, 0} }

func lookup(k uint8) Op  { return Op{OpLookup, k, 0} }
func still(k uint8) Op   { return Op{OpStill, k, 0} }
func swap(k, v uint8) Op { return Op{OpSwap, k, v} }
func discard(k uint8) Op { return Op{OpDiscard, k, 0} }

// remove deletes a key and tends its bucket.
func remove(k uint8) []Op { return []Op{del(k), crop(k)} }

// in is a standing base, inMember a standing member o cells above its base.
func in(h, k, v uint8) Standing          { return Standing{h, k, v, 0} }
func inMember(h, k, v, o uint8) Standing { return Standing{h, k, v, o} }

// actors is a program: the operations of each actor.
func actors(ops ...[]Op) [][]Op { return ops }

// Programs returns the programs of one and two actors, and of three where the third one only reads, in the
// order of the states. ThreeActors has the others.
func Programs() []Program {
	var all []Program
	for _, x := range slices.Concat(addPrograms(), roomPrograms(), reclaimPrograms(), deletePrograms(),
		ticketPrograms(), discardPrograms()) {
		all = append(all, Program{Name: x.name, State: x.state, Ops: x.ops, Memory: x.memory})
	}
	for _, x := range widePrograms() {
		all = append(all, Program{Name: x.name, State: x.state, Ops: x.ops, Memory: x.memory, Wide: true})
	}
	for _, x := range nearPrograms() {
		all = append(all, Program{Name: x.name, State: x.state, Ops: x.ops, Memory: x.memory, Near: true})
	}
	slices.SortStableFunc(all, func(a, b Program) int { return cmp.Compare(a.State, b.State) })
	return all
}

// listed is a program of the specification.
type listed struct {
	name, state string
	ops         [][]Op
	memory      []Standing
}

// addPrograms are those whose adds find a place.
func addPrograms() []listed {
	return []listed{
		{"S01AddEmpty", "S01AddEmpty", [][]Op{{add(1, 11)}}, nil},

		{"S02AddCollision", "S02AddCollision", [][]Op{{add(2, 12)}}, twoBases()},
		// Two collisions in neighbouring buckets want one hole.
		{"S02AddCollision_SharedHole", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(6, 16)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), in(1, 3, 30), in(1, 7, 70), in(1, 9, 90)}},
		// A hole is lost to a new base, and a late helper asks what became of the operation.
		{"S02AddCollision_LostHole", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(5, 15), add(2, 22)}},
			append(twoBases(), in(1, 6, 60))},
		// Half 0 has no hole; a late helper still believes in it.
		{"S02AddCollision_FullHalf", "S02AddCollision",
			[][]Op{{add(2, 12)}, {add(4, 24)}},
			append(twoBases(), in(0, 5, 50), in(0, 9, 90))},

		{"S04AddCollisionEmpty", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(2, 22)}}, nil},
		{"S04AddCollisionEmpty_SameKey", "S04AddCollisionEmpty",
			[][]Op{{add(1, 11)}, {add(1, 21)}}, nil},
		{"S04AddCollisionEmpty_SameKeyBases", "S04AddCollisionEmpty",
			[][]Op{{add(2, 12)}, {add(2, 22)}}, twoBases()},
		{"S04AddCollisionEmpty_LateHelper", "S04AddCollisionEmpty",
			[][]Op{{add(2, 12)}, {add(2, 22), add(4, 24)}}, twoBases()},

		{"S05AddEmptyGet", "S05AddEmptyGet", [][]Op{{add(1, 11)}, {get(1)}}, nil},

		{"S06AddCollisionGet", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {get(1)}}, twoBases()},
		{"S06AddCollisionGet_New", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {get(2)}}, twoBases()},
		{"S06AddCollisionGet_Helped", "S06AddCollisionGet",
			[][]Op{{add(2, 12)}, {add(4, 24), get(1)}},
			append(twoBases(), in(1, 7, 70))},
	}
}

// withMember: base 1 with a member 2 in half 0; half 1 is fuller.
func withMember() []Standing {
	return []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(1, 3, 30), in(1, 7, 70)}
}

// usurpable: key 5 has its home where member 2 stands; in half 1 its bucket has two.
func usurpable() []Standing {
	return []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(1, 7, 70), inMember(1, 8, 80, 1)}
}

// roomPrograms are those whose adds usurp a member or make room, and those of updates.
func roomPrograms() []listed {
	usurp := []Op{add(5, 15)}
	return []listed{
		// Both windows are full; the member in cell 2 of half 0 can move to cell 3, which is in the
		// window of its base only.
		{"S03AddFull", "S03AddFull", [][]Op{{add(2, 12)}, {get(6)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), inMember(0, 6, 60, 1),
				in(1, 3, 30), in(1, 7, 70), in(1, 9, 90)}},
		// Nothing can move: the oldest member of the own bucket leaves.
		{"S03AddFull_Oldest", "S03AddFull", [][]Op{{add(2, 12)}, {get(4)}},
			[]Standing{in(0, 1, 10), inMember(0, 4, 9, 1), inMember(0, 3, 11, 2),
				in(1, 13, 30), in(1, 5, 50), in(1, 9, 90)}},
		// The only member leaves, while a reader has an old version of its base.
		{"S03AddFull_OnlyMember", "S03AddFull", [][]Op{{add(2, 12)}, {get(3)}},
			[]Standing{in(0, 1, 10), inMember(0, 3, 9, 1), in(0, 9, 90), inMember(0, 10, 95, 1),
				in(1, 4, 40), in(1, 5, 50), in(1, 11, 80)}},
		// Nor has the own bucket a member: the base leaves, in the instant of the add.
		{"S03AddFull_Base", "S03AddFull", [][]Op{{add(2, 12)}, {update(1, 21)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90),
				in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}},
		// The home cell in half 0 is a member that cannot move, although there is an empty cell in
		// the window of the new key.
		{"S03AddFull_Foreign", "S03AddFull", actors(usurp, []Op{get(2)}), foreign()},
		// Each adder has its home where the other one moves the member to: a hole that a move has in
		// mind is lost.
		{"S03AddFull_LostHole", "S03AddFull", actors(usurp, []Op{add(9, 19)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 7, 70), inMember(1, 8, 80, 2), in(1, 11, 90)}},

		{"S11UsurpGet", "S11UsurpGet", actors(usurp, []Op{get(2)}), usurpable()},
		{"S12UsurpUpdate", "S12UsurpUpdate", actors(usurp, []Op{update(2, 22)}), usurpable()},
		// The member came to its cell while the usurper was reading it; a helper of the usurper is
		// late.
		{"S12UsurpUpdate_LateMark", "S12UsurpUpdate",
			actors(usurp, []Op{add(2, 12), update(1, 21)}),
			append(twoBases(), inMember(1, 13, 31, 2), in(1, 7, 70))},
		{"S13UsurpDelete", "S13UsurpDelete", actors(usurp, []Op{del(2)}), usurpable()},
		// The usurped member is deleted, and its key added again: at the base.
		{"S13UsurpDelete_Again", "S13UsurpDelete",
			actors(usurp, []Op{del(2), add(2, 62), get(2)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 3, 30), inMember(1, 13, 31, 2), in(1, 7, 70)}},
		{"S14UsurpDeleteBase", "S14UsurpDeleteBase", actors(usurp, []Op{del(1)}), usurpable()},
		{"S14UsurpDeleteBase_Crop", "S14UsurpDeleteBase", actors(usurp, remove(1)), usurpable()},
		// Actor 1 helps to move member 2, and sleeps while the member goes its way back into its old
		// cell.
		{"S14UsurpDeleteBase_Turn", "S14UsurpDeleteBase",
			actors([]Op{restore(1)}, []Op{add(5, 15), del(1), crop(1), add(3, 33)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(1, 13, 30), inMember(1, 14, 31, 2),
				in(1, 7, 70), inMember(1, 8, 80, 2)}},
		// The member is deleted, its cell not yet reclaimed: usurper and cropper both want to.
		{"S24UsurpDeleteInProgress", "S24UsurpDeleteInProgress",
			actors([]Op{del(2), add(5, 15)}, []Op{crop(2)}), usurpable()},

		{"S07AddCollisionUpdate", "S07AddCollisionUpdate",
			[][]Op{{add(2, 12)}, {update(1, 21)}}, twoBases()},
		// The updater has an old map, which names the hole of a later add.
		{"S07AddCollisionUpdate_OldMap", "S07AddCollisionUpdate",
			actors([]Op{del(2), crop(2), del(1), add(2, 32), add(4, 44)}, []Op{update(2, 22)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 3, 30), inMember(1, 13, 70, 1), inMember(1, 14, 80, 2)}},
		{"S15GetMany", "S15GetMany", [][]Op{{get(1)}, {get(2)}}, withMember()},
		{"S18GetUpdate", "S18GetUpdate", [][]Op{{get(1)}, {update(1, 21)}}, twoBases()},
		{"S19UpdateSameKey", "S19UpdateSameKey", [][]Op{{update(1, 11)}, {update(1, 21)}},
			twoBases()},
	}
}

// reclaimPrograms are those whose adds find no place but where something is deleted.
func reclaimPrograms() []listed {
	return []listed{
		// In half 0 the base of another bucket, which has no members, is deleted: it is reclaimed, and
		// nobody leaves.
		{"S03AddFull_LostBase", "S03AddFull", [][]Op{{del(5), add(2, 12)}, {get(9)}}, lostBase()},
		// Somebody adds a key to that bucket meanwhile, in place of its base.
		{"S03AddFull_LostBaseTaken", "S03AddFull", [][]Op{{del(5), add(2, 12)}, {add(6, 16)}}, lostBase()},
		// That base has a member, which takes its place.
		{"S03AddFull_LostBaseMember", "S03AddFull", [][]Op{{del(5), add(2, 12)}, {get(6)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), inMember(0, 6, 60, 1),
				in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}},
		// The deleted base is in no window of the new key, but its member is: that takes the base's place.
		{"S03AddFull_Lift", "S03AddFull", [][]Op{{del(1), add(8, 18)}, {get(2)}}, lostBaseBelow()},
		// Somebody adds a key to the bucket of that base, in place of it.
		{"S03AddFull_LiftTaken", "S03AddFull", [][]Op{{del(1), add(8, 18)}, {add(4, 24)}}, lostBaseBelow()},
		// The base of the member in the home cell is deleted: the member takes its place.
		{"S03AddFull_ForeignLift", "S03AddFull", [][]Op{{del(1), add(5, 15)}, {get(2)}}, foreign()},
	}
}

// deletePrograms are the other ones with deletes.
func deletePrograms() []listed {
	two := []Standing{in(0, 1, 10), inMember(0, 2, 20, 1)}
	three := append(two[:2:2], inMember(0, 4, 40, 2))
	return []listed{
		{"S08AddEmptyDelete", "S08AddEmptyDelete", actors([]Op{add(1, 11)}, remove(1)), nil},
		// An update lands when its key is deleted already.
		{"S08AddEmptyDelete_Update", "S08AddEmptyDelete",
			actors([]Op{update(1, 21)}, remove(1), []Op{get(1)}), []Standing{in(0, 1, 10)}},
		{"S09AddCollisionDeleteMember", "S09AddCollisionDeleteMember",
			actors([]Op{add(4, 14)}, remove(2)),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 3, 30), inMember(1, 13, 70, 1), inMember(1, 14, 80, 2)}},
		// The deleter has an old map, which names the hole of a later add.
		{"S09AddCollisionDeleteMember_OldMap", "S09AddCollisionDeleteMember",
			actors([]Op{del(2), crop(2), del(1), add(2, 32), add(4, 44)}, []Op{del(2)}),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1),
				in(1, 3, 30), inMember(1, 13, 70, 1), inMember(1, 14, 80, 2)}},
		// Actor 1 helps, and sleeps while the cell above the base gets a member and is emptied again.
		{"S09AddCollisionDeleteMember_Turn", "S09AddCollisionDeleteMember",
			actors([]Op{restore(1)}, append([]Op{add(2, 12)}, remove(1)...)),
			[]Standing{in(0, 1, 10), in(1, 3, 30), inMember(1, 13, 70, 1)}},
		{"S10AddCollisionDeleteBase", "S10AddCollisionDeleteBase",
			actors([]Op{add(2, 12)}, remove(1)), twoBases()},
		// One key on lost bases: the adds replace, in both halves.
		{"S10AddCollisionDeleteBase_SameKey", "S10AddCollisionDeleteBase",
			actors([]Op{del(1), add(2, 12)}, []Op{del(3), add(2, 22)}), twoBases()},
		{"S16GetDeleteMember", "S16GetDeleteMember",
			actors([]Op{get(1), get(2)}, remove(2)), withMember()},
		// The member moves up to the base while a reader looks for it.
		{"S17GetDeleteBase", "S17GetDeleteBase", actors([]Op{get(2)}, remove(1)), withMember()},
		// The same, and its value changes then: two versions of the base.
		{"S17GetDeleteBase_Turn", "S17GetDeleteBase",
			actors([]Op{get(2)}, append(remove(1), update(2, 22))), two},
		{"S20DeleteMembers", "S20DeleteMembers", actors(remove(2), []Op{del(4)}), three},
		// Both crop: each meets the other's operations.
		{"S20DeleteMembers_Crops", "S20DeleteMembers", actors(remove(2), remove(4)), three},
		{"S21DeleteBase", "S21DeleteBase", actors(remove(1), []Op{add(2, 22)}),
			[]Standing{in(0, 1, 10), in(1, 3, 30), inMember(1, 13, 70, 1)}},
		// The cell is claimed, emptied, and claimed again, while an adder sleeps.
		{"S21DeleteBase_Reused", "S21DeleteBase",
			actors([]Op{add(1, 11)}, append([]Op{add(2, 12)}, remove(2)...)), nil},
		// Actor 1 helps with the first of three operations in one cell, and sleeps.
		{"S21DeleteBase_Turn", "S21DeleteBase",
			actors([]Op{restore(1)}, []Op{add(2, 12), del(2), crop(2), add(4, 44)}),
			[]Standing{in(1, 3, 30)}},
		{"S22DeleteBaseMembers", "S22DeleteBaseMembers", actors(remove(1), []Op{del(2)}), two},
		// The member that is to become the base gets another value first: the lift is given up, and
		// tried again.
		{"S22DeleteBaseMembers_Update", "S22DeleteBaseMembers",
			actors(remove(1), []Op{update(2, 22)}), two},
		{"S22DeleteBaseMembers_Crops", "S22DeleteBaseMembers", actors(remove(1), remove(4)), three},
		{"S23DeleteSameKey", "S23DeleteSameKey", actors(remove(1), remove(1)), twoBases()},
	}
}

// widePrograms are those of the longer ring.
func widePrograms() []listed {
	return []listed{
		// The member in cell 3 of half 0 can move to cell 4 once the one there, beyond the window of the new
		// key, has moved to cell 5.
		{"S03AddFull_Far", "S03AddFull", [][]Op{{add(2, 12)}, {update(6, 61)}},
			[]Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), inMember(0, 6, 60, 2),
				inMember(0, 10, 95, 2),
				in(1, 3, 30), in(1, 7, 70), in(1, 11, 80), inMember(1, 4, 40, 3)}},
	}
}

// twoNear: whichever half is chosen, an add of key 2 collides, in rows that are neighbours.
func twoNear() []Standing { return []Standing{in(0, 1, 10), in(1, 4, 40)} }

// fourNear: base 1 with a member 2 in half 0; in half 1, which is fuller, a base in each of two rows.
func fourNear() []Standing {
	return []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(1, 3, 30), in(1, 4, 40)}
}

// neighbours: the homes of key 2 are empty, and a base of another bucket is beside each.
func neighbours() []Standing { return []Standing{in(0, 5, 50), in(1, 3, 30)} }

// usurpableNear: key 5 has its home where member 2 stands; in half 1 its bucket has two.
func usurpableNear() []Standing {
	return []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(1, 7, 70), inMember(1, 14, 80, 1)}
}

// ticketPrograms are those of clients that keep tickets.
func ticketPrograms() []listed {
	usurp := []Op{add(5, 15)}
	return []listed{
		// The swap has seen its key, which is deleted before it swaps, reclaimed, and added again.
		{"S25SwapDelete", "S25SwapDelete",
			actors([]Op{lookup(1), swap(1, 21)}, append(remove(1), add(1, 31))), []Standing{in(0, 1, 10)}},
		// Two with tickets of one word: one of them swaps.
		{"S25SwapDelete_Swap", "S25SwapDelete",
			actors([]Op{lookup(1), swap(1, 21)}, []Op{lookup(1), swap(1, 31), get(1)}), twoBases()},
		// The base of the ticket is frozen and thawed, by the move of its member.
		{"S25SwapDelete_Usurp", "S25SwapDelete",
			actors(usurp, []Op{lookup(1), swap(1, 21)}), usurpable()},
		// The cell of the ticket is emptied, and has its key again.
		{"S26StillReuse", "S26StillReuse",
			actors([]Op{lookup(1), still(1)}, append(remove(1), add(1, 31))), []Standing{in(0, 1, 10)}},
		{"S26StillReuse_Usurp", "S26StillReuse",
			actors(usurp, []Op{lookup(2), still(2), still(2)}), usurpable()},
		// The base of the ticket leaves, in the instant of the add.
		{"S26StillReuse_Evict", "S26StillReuse",
			actors([]Op{add(2, 12)}, []Op{lookup(1), still(1)}),
			[]Standing{in(0, 1, 10), in(0, 5, 50), in(0, 9, 90),
				in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}},
	}
}

// discardPrograms are those of clients that delete by a ticket.
func discardPrograms() []listed {
	const state = "S27CompareDelete"
	one, member := []Op{lookup(1), discard(1)}, []Op{lookup(2), discard(2)}
	alone := []Standing{in(0, 1, 10)}
	two := []Standing{in(0, 1, 10), inMember(0, 2, 20, 1)}
	return []listed{
		// A base that is alone, beside a swap, a delete, another one, and an add of its key.
		{state, state, actors(one, []Op{lookup(1), swap(1, 21)}), alone},
		{"S27CompareDelete_Delete", state, actors(one, append(remove(1), add(1, 31))), alone},
		{"S27CompareDelete_Twice", state, actors(one, []Op{lookup(1), discard(1), add(1, 31)}), alone},
		{"S27CompareDelete_Add", state, actors(one, []Op{add(1, 31), get(1)}), alone},
		// A base that has members: the farthest one takes the place. It may be deleted meanwhile, or have
		// been.
		{"S27CompareDelete_Get", state, actors(one, []Op{get(1), get(2)}), two},
		{"S27CompareDelete_Lift", state, actors(one, remove(4)),
			[]Standing{in(0, 1, 10), inMember(0, 2, 20, 1), inMember(0, 4, 40, 2)}},
		{"S27CompareDelete_LostMember", state,
			actors([]Op{del(2), lookup(1), discard(1), crop(2)}, []Op{get(1), add(1, 21)}), two},
		// A member; an update or a delete of the base delays that.
		{"S27CompareDelete_Member", state, actors(member, []Op{lookup(2), swap(2, 22)}), two},
		{"S27CompareDelete_MemberDelete", state,
			actors([]Op{lookup(2), discard(2), get(2)}, remove(2)), two},
		{"S27CompareDelete_MemberBase", state,
			actors(member, []Op{update(1, 21), del(1)}), two},
		{"S27CompareDelete_Usurp", state, actors([]Op{add(5, 15)}, member), usurpable()},
	}
}

// programByName has all programs by their names. They are put in order once: each start of the command asks
// for every one of them.
var programByName = sync.OnceValue(func() map[string]Program {
	all := map[string]Program{}
	for _, p := range slices.Concat(Programs(), ThreeActors()) {
		all[p.Name] = p
	}
	return all
})

// ProgramByName returns the program of that name. Its operations are the caller's own.
func ProgramByName(name string) (Program, bool) {
	p, ok := programByName()[name]
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		p.Ops[i] = slices.Clone(p.Ops[i])
	}
	return p, ok
}

// ProgramsOf returns those of Programs that are of one operation state.
func ProgramsOf(state string) []Program { return ofState(Programs(), state) }

// ThreeActorsOf returns those of ThreeActors that are of one operation state.
func ThreeActorsOf(state string) []Program { return ofState(ThreeActors(), state) }

func ofState(programs []Program, state string) []Program {
	return slices.DeleteFunc(programs, func(p Program) bool { return p.State != state })
}

// States returns the operation states that have a program, sorted.
func States() []string {
	seen := map[string]bool{}
	for _, p := range Programs() {
		seen[p.State] = true
	}
	var list []string
	for s := range seen {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}
