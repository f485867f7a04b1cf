----------------------------- MODULE Scenarios -----------------------------
(***************************************************************************)
(* The operation states as programs: who does what on which memory. A      *)
(* state may have several programs; the first one has the state's name.    *)
(* Same names and contents: model/programs.go, which the engine runs, too. *)
(*                                                                         *)
(* Geometry: N = 4 cells a half, window W = 3, so that bucket 3 wraps;     *)
(* N = 6 and W = 4 in S03AddFull_Far.                                      *)
(* Homes are the same in both halves: key k of 1..4 lives in cell 0, of    *)
(* 5..8 in cell 1, of 9..12 in cell 2. NearScenarios.tla has programs with *)
(* other homes.                                                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Scenario   \* the name of a program below

add(k, v) == [op |-> "add", k |-> k, v |-> v]
update(k, v) == [op |-> "update", k |-> k, v |-> v]
get(k)    == [op |-> "get", k |-> k, v |-> 0]
delete(k) == [op |-> "delete", k |-> k, v |-> 0]
lookup(k) == [op |-> "lookup", k |-> k, v |-> 0]
still(k)  == [op |-> "still", k |-> k, v |-> 0]
swap(k, v) == [op |-> "swap", k |-> k, v |-> v]
discard(k) == [op |-> "discard", k |-> k, v |-> 0]
crop(k)   == [op |-> "crop", k |-> k, v |-> 0]
restore(k) == [op |-> "restore", k |-> k, v |-> 0]
in(h, k, v) == [h |-> h, k |-> k, v |-> v, o |-> 0]
member(h, k, v, o) == [h |-> h, k |-> k, v |-> v, o |-> o]

(* program: the actors' operations; memory: the bases that stand before.   *)
S01AddEmpty == [program |-> << <<add(1, 11)>> >>, memory |-> {}]

(* Bases in both halves: whichever is chosen, the add collides. *)
TwoBases == {in(0, 1, 10), in(1, 3, 30)}
S02AddCollision == [program |-> << <<add(2, 12)>> >>, memory |-> TwoBases]
(* Two collisions in neighbouring buckets want one hole. *)
S02AddCollision_SharedHole ==
  [program |-> << <<add(2, 12)>>, <<add(6, 16)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), in(1, 3, 30), in(1, 7, 70), in(1, 9, 90)}]

(* A hole is lost to a new base, and a late helper asks what became of the *)
(* operation.                                                              *)
S02AddCollision_LostHole ==
  [program |-> << <<add(2, 12)>>, <<add(5, 15), add(2, 22)>> >>,
   memory |-> TwoBases \cup {in(1, 6, 60)}]

(* Half 0 has no hole: the add goes on in half 1, while a helper that is   *)
(* late still believes in half 0.                                          *)
S02AddCollision_FullHalf ==
  [program |-> << <<add(2, 12)>>, <<add(4, 24)>> >>,
   memory |-> TwoBases \cup {in(0, 5, 50), in(0, 9, 90)}]

S04AddCollisionEmpty ==
  [program |-> << <<add(1, 11)>>, <<add(2, 22)>> >>, memory |-> {}]
(* One key, two adders: both halves together hold it once. *)
S04AddCollisionEmpty_SameKey ==
  [program |-> << <<add(1, 11)>>, <<add(1, 21)>> >>, memory |-> {}]
(* The same on standing bases: the adds displace. *)
S04AddCollisionEmpty_SameKeyBases ==
  [program |-> << <<add(2, 12)>>, <<add(2, 22)>> >>, memory |-> TwoBases]
(* An adder that has been helped comes back late. *)
S04AddCollisionEmpty_LateHelper ==
  [program |-> << <<add(2, 12)>>, <<add(2, 22), add(4, 24)>> >>, memory |-> TwoBases]

S05AddEmptyGet ==
  [program |-> << <<add(1, 11)>>, <<get(1)>> >>, memory |-> {}]

S06AddCollisionGet ==
  [program |-> << <<add(2, 12)>>, <<get(1)>> >>, memory |-> TwoBases]
(* The reader looks for the new element. *)
S06AddCollisionGet_New ==
  [program |-> << <<add(2, 12)>>, <<get(2)>> >>, memory |-> TwoBases]
(* Two adders help one another, then one of them reads. *)
S06AddCollisionGet_Helped ==
  [program |-> << <<add(2, 12)>>, <<add(4, 24), get(1)>> >>, memory |-> {in(0, 1, 10), in(1, 3, 30), in(1, 7, 70)}]

(* Both windows are full; the member in cell 2 of half 0 can move to cell  *)
(* 3, which is in the window of its base only.                             *)
FullWithRoom == {in(0, 1, 10), in(0, 5, 50), member(0, 6, 60, 1),
                 in(1, 3, 30), in(1, 7, 70), in(1, 9, 90)}
S03AddFull == [program |-> << <<add(2, 12)>>, <<get(6)>> >>, memory |-> FullWithRoom]
(* Nothing can move: the oldest member of the own bucket leaves. *)
S03AddFull_Oldest ==
  [program |-> << <<add(2, 12)>>, <<get(4)>> >>,
   memory |-> {in(0, 1, 10), member(0, 4, 9, 1), member(0, 3, 11, 2),
               in(1, 13, 30), in(1, 5, 50), in(1, 9, 90)}]
(* The only member leaves, while a reader has an old version of its base. *)
S03AddFull_OnlyMember ==
  [program |-> << <<add(2, 12)>>, <<get(3)>> >>,
   memory |-> {in(0, 1, 10), member(0, 3, 9, 1), in(0, 9, 90), member(0, 10, 95, 1),
               in(1, 4, 40), in(1, 5, 50), in(1, 11, 80)}]
(* The home cell in half 0 is a member that cannot move, although there is *)
(* an empty cell in the window of the new key.                             *)
S03AddFull_Foreign ==
  [program |-> << <<add(5, 15)>>, <<get(2)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(0, 9, 90),
               in(1, 7, 70), member(1, 8, 80, 1), member(1, 6, 60, 2)}]
(* The base of that member is deleted: the member takes its place. *)
S03AddFull_ForeignLift ==
  [program |-> << <<delete(1), add(5, 15)>>, <<get(2)>> >>, memory |-> S03AddFull_Foreign.memory]
(* Six cells, window 4: the member in cell 3 of half 0 can move to cell 4  *)
(* once the one there, beyond the window of the new key, has moved to 5.   *)
S03AddFull_Far ==
  [program |-> << <<add(2, 12)>>, <<update(6, 61)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), member(0, 6, 60, 2), member(0, 10, 95, 2),
               in(1, 3, 30), in(1, 7, 70), in(1, 11, 80), member(1, 4, 40, 3)}]
(* Each adder has its home where the other one moves the member to: a hole *)
(* that a move has in mind is lost.                                        *)
S03AddFull_LostHole ==
  [program |-> << <<add(5, 15)>>, <<add(9, 19)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(1, 7, 70), member(1, 8, 80, 2), in(1, 11, 90)}]
(* Nor has the own bucket a member: the base leaves, in the instant of the add. *)
S03AddFull_Base ==
  [program |-> << <<add(2, 12)>>, <<update(1, 21)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}]

(* Both windows are full. In half 0 the base of another bucket, which has  *)
(* no members, is deleted: it is reclaimed, and nobody leaves.             *)
LostBase == {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}
S03AddFull_LostBase == [program |-> << <<delete(5), add(2, 12)>>, <<get(9)>> >>, memory |-> LostBase]
(* Somebody adds a key to that bucket meanwhile, in place of its base. *)
S03AddFull_LostBaseTaken ==
  [program |-> << <<delete(5), add(2, 12)>>, <<add(6, 16)>> >>, memory |-> LostBase]
(* That base has a member, which takes its place. *)
S03AddFull_LostBaseMember ==
  [program |-> << <<delete(5), add(2, 12)>>, <<get(6)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), member(0, 6, 60, 1), in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}]
(* Key 8 has its home in cell 1. The base of the bucket at cell 0, which   *)
(* is in no window of that key, is deleted. The member 2 in cell 2 of half *)
(* 0 can move nowhere, but it can take the place of its base.              *)
LostBaseBelow == {in(0, 1, 10), in(0, 5, 50), member(0, 2, 20, 2), member(0, 6, 60, 2),
                  in(1, 3, 30), in(1, 7, 70), in(1, 10, 80), member(1, 11, 90, 1)}
S03AddFull_Lift ==
  [program |-> << <<delete(1), add(8, 18)>>, <<get(2)>> >>, memory |-> LostBaseBelow]
(* Somebody adds a key to the bucket of that base, in place of it. *)
S03AddFull_LiftTaken ==
  [program |-> << <<delete(1), add(8, 18)>>, <<add(4, 24)>> >>, memory |-> LostBaseBelow]

S07AddCollisionUpdate ==
  [program |-> << <<add(2, 12)>>, <<update(1, 21)>> >>, memory |-> TwoBases]
(* The updater has an old map, which names the hole of a later add. *)
S07AddCollisionUpdate_OldMap ==
  [program |-> << <<delete(2), crop(2), delete(1), add(2, 32), add(4, 44)>>, <<update(2, 22)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1),
               in(1, 3, 30), member(1, 13, 70, 1), member(1, 14, 80, 2)}]
S08AddEmptyDelete ==
  [program |-> << <<add(1, 11)>>, <<delete(1), crop(1)>> >>, memory |-> {}]

(* Base 1 with a member 2 in half 0; half 1 is fuller. *)
WithMember == {in(0, 1, 10), member(0, 2, 20, 1), in(1, 3, 30), in(1, 7, 70)}
(* An update lands when its key is deleted already. *)
S08AddEmptyDelete_Update ==
  [program |-> << <<update(1, 21)>>, <<delete(1), crop(1)>>, <<get(1)>> >>,
   memory |-> {in(0, 1, 10)}]

S09AddCollisionDeleteMember ==
  [program |-> << <<add(4, 14)>>, <<delete(2), crop(2)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(1, 3, 30), member(1, 13, 70, 1), member(1, 14, 80, 2)}]
S10AddCollisionDeleteBase ==
  [program |-> << <<add(2, 12)>>, <<delete(1), crop(1)>> >>, memory |-> TwoBases]

(* Key 5 has its home where member 2 stands; in half 1 its bucket has two. *)
Usurpable == {in(0, 1, 10), member(0, 2, 20, 1), in(1, 7, 70), member(1, 8, 80, 1)}
(* The deleter has an old map, which names the hole of a later add. *)
S09AddCollisionDeleteMember_OldMap ==
  [program |-> << <<delete(2), crop(2), delete(1), add(2, 32), add(4, 44)>>, <<delete(2)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1),
               in(1, 3, 30), member(1, 13, 70, 1), member(1, 14, 80, 2)}]
(* One key on lost bases: the adds replace, in both halves. *)
S10AddCollisionDeleteBase_SameKey ==
  [program |-> << <<delete(1), add(2, 12)>>, <<delete(3), add(2, 22)>> >>, memory |-> TwoBases]
(* The words of a sleeping helper come back: actor 1 helps, sleeps while    *)
(* the cell above the base gets a member and is emptied again.             *)
S09AddCollisionDeleteMember_Turn ==
  [program |-> << <<restore(1)>>, <<add(2, 12), delete(1), crop(1)>> >>,
   memory |-> {in(0, 1, 10), in(1, 3, 30), member(1, 13, 70, 1)}]
S11UsurpGet == [program |-> << <<add(5, 15)>>, <<get(2)>> >>, memory |-> Usurpable]
S12UsurpUpdate == [program |-> << <<add(5, 15)>>, <<update(2, 22)>> >>, memory |-> Usurpable]
(* The member came to its cell while the usurper was reading it; a helper  *)
(* of the usurper is late.                                                 *)
S12UsurpUpdate_LateMark ==
  [program |-> << <<add(5, 15)>>, <<add(2, 12), update(1, 21)>> >>,
   memory |-> {in(0, 1, 10), in(1, 3, 30), member(1, 13, 31, 2), in(1, 7, 70)}]
(* The usurped member is deleted, and its key added again: at the base.    *)
S13UsurpDelete_Again ==
  [program |-> << <<add(5, 15)>>, <<delete(2), add(2, 62), get(2)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(1, 3, 30), member(1, 13, 31, 2), in(1, 7, 70)}]
S13UsurpDelete == [program |-> << <<add(5, 15)>>, <<delete(2)>> >>, memory |-> Usurpable]
S14UsurpDeleteBase == [program |-> << <<add(5, 15)>>, <<delete(1)>> >>, memory |-> Usurpable]
S14UsurpDeleteBase_Crop ==
  [program |-> << <<add(5, 15)>>, <<delete(1), crop(1)>> >>, memory |-> Usurpable]
(* Actor 1 helps to move member 2, and sleeps while the member goes its way *)
(* back into its old cell.                                                 *)
S14UsurpDeleteBase_Turn ==
  [program |-> << <<restore(1)>>, <<add(5, 15), delete(1), crop(1), add(3, 33)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(1, 13, 30), member(1, 14, 31, 2),
               in(1, 7, 70), member(1, 8, 80, 2)}]
S15GetMany == [program |-> << <<get(1)>>, <<get(2)>> >>, memory |-> WithMember]
S16GetDeleteMember == [program |-> << <<get(1), get(2)>>, <<delete(2), crop(2)>> >>, memory |-> WithMember]
(* The member moves up to the base while a reader looks for it. *)
S17GetDeleteBase == [program |-> << <<get(2)>>, <<delete(1), crop(1)>> >>, memory |-> WithMember]
(* The same, and its value changes then: two versions of the base.         *)
S17GetDeleteBase_Turn ==
  [program |-> << <<get(2)>>, <<delete(1), crop(1), update(2, 22)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1)}]
S18GetUpdate == [program |-> << <<get(1)>>, <<update(1, 21)>> >>, memory |-> TwoBases]
S19UpdateSameKey == [program |-> << <<update(1, 11)>>, <<update(1, 21)>> >>, memory |-> TwoBases]
Three == {in(0, 1, 10), member(0, 2, 20, 1), member(0, 4, 40, 2)}
S20DeleteMembers ==
  [program |-> << <<delete(2), crop(2)>>, <<delete(4)>> >>, memory |-> Three]
(* Both crop: each meets the other's operations. *)
S20DeleteMembers_Crops ==
  [program |-> << <<delete(2), crop(2)>>, <<delete(4), crop(4)>> >>, memory |-> Three]
S21DeleteBase ==
  [program |-> << <<delete(1), crop(1)>>, <<add(2, 22)>> >>,
   memory |-> {in(0, 1, 10), in(1, 3, 30), member(1, 13, 70, 1)}]
Two == {in(0, 1, 10), member(0, 2, 20, 1)}
(* The cell is claimed, emptied, and claimed again, while an adder sleeps.  *)
S21DeleteBase_Reused ==
  [program |-> << <<add(1, 11)>>, <<add(2, 12), delete(2), crop(2)>> >>, memory |-> {}]
(* Actor 1 helps with the first of three operations in one cell, and sleeps. *)
S21DeleteBase_Turn ==
  [program |-> << <<restore(1)>>, <<add(2, 12), delete(2), crop(2), add(4, 44)>> >>,
   memory |-> {in(1, 3, 30)}]
S22DeleteBaseMembers ==
  [program |-> << <<delete(1), crop(1)>>, <<delete(2)>> >>, memory |-> Two]
(* The member that is to become the base gets another value first: the     *)
(* lift is given up, and tried again.                                      *)
S22DeleteBaseMembers_Update ==
  [program |-> << <<delete(1), crop(1)>>, <<update(2, 22)>> >>, memory |-> Two]
S22DeleteBaseMembers_Crops ==
  [program |-> << <<delete(1), crop(1)>>, <<delete(4), crop(4)>> >>, memory |-> Three]
S23DeleteSameKey ==
  [program |-> << <<delete(1), crop(1)>>, <<delete(1), crop(1)>> >>, memory |-> TwoBases]
(* The member is deleted, its cell not yet reclaimed: the usurper and the  *)
(* cropper both want to.                                                   *)
S24UsurpDeleteInProgress ==
  [program |-> << <<delete(2), add(5, 15)>>, <<crop(2)>> >>, memory |-> Usurpable]

(* The swap has seen its key, which is deleted before it swaps, reclaimed, *)
(* and added again.                                                        *)
S25SwapDelete ==
  [program |-> << <<lookup(1), swap(1, 21)>>, <<delete(1), crop(1), add(1, 31)>> >>,
   memory |-> {in(0, 1, 10)}]
(* Two with tickets of one word: one of them swaps.                        *)
S25SwapDelete_Swap ==
  [program |-> << <<lookup(1), swap(1, 21)>>, <<lookup(1), swap(1, 31), get(1)>> >>,
   memory |-> TwoBases]
(* The base of the ticket is frozen and thawed, by the move of its member. *)
S25SwapDelete_Usurp ==
  [program |-> << <<add(5, 15)>>, <<lookup(1), swap(1, 21)>> >>, memory |-> Usurpable]
(* The cell of the ticket is emptied, and has its key again.               *)
S26StillReuse ==
  [program |-> << <<lookup(1), still(1)>>, <<delete(1), crop(1), add(1, 31)>> >>,
   memory |-> {in(0, 1, 10)}]
S26StillReuse_Usurp ==
  [program |-> << <<add(5, 15)>>, <<lookup(2), still(2), still(2)>> >>, memory |-> Usurpable]
(* The base of the ticket leaves, in the instant of the add.               *)
S26StillReuse_Evict ==
  [program |-> << <<add(2, 12)>>, <<lookup(1), still(1)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), in(1, 3, 30), in(1, 7, 70), in(1, 10, 80)}]

(* A conditional delete of a base that is alone, beside a swap, a delete,  *)
(* another one, and an add of its key.                                     *)
OneBase == {in(0, 1, 10)}
S27CompareDelete ==
  [program |-> << <<lookup(1), discard(1)>>, <<lookup(1), swap(1, 21)>> >>, memory |-> OneBase]
S27CompareDelete_Delete ==
  [program |-> << <<lookup(1), discard(1)>>, <<delete(1), crop(1), add(1, 31)>> >>, memory |-> OneBase]
S27CompareDelete_Twice ==
  [program |-> << <<lookup(1), discard(1)>>, <<lookup(1), discard(1), add(1, 31)>> >>, memory |-> OneBase]
S27CompareDelete_Add ==
  [program |-> << <<lookup(1), discard(1)>>, <<add(1, 31), get(1)>> >>, memory |-> OneBase]
(* Of a base that has members: the farthest one takes the place. It may be *)
(* deleted meanwhile, or have been.                                        *)
S27CompareDelete_Get ==
  [program |-> << <<lookup(1), discard(1)>>, <<get(1), get(2)>> >>, memory |-> Two]
S27CompareDelete_Lift ==
  [program |-> << <<lookup(1), discard(1)>>, <<delete(4), crop(4)>> >>, memory |-> Three]
S27CompareDelete_LostMember ==
  [program |-> << <<delete(2), lookup(1), discard(1), crop(2)>>, <<get(1), add(1, 21)>> >>, memory |-> Two]
(* Of a member; a delete of the base or an update of it delays that.       *)
S27CompareDelete_Member ==
  [program |-> << <<lookup(2), discard(2)>>, <<lookup(2), swap(2, 22)>> >>, memory |-> Two]
S27CompareDelete_MemberDelete ==
  [program |-> << <<lookup(2), discard(2), get(2)>>, <<delete(2), crop(2)>> >>, memory |-> Two]
S27CompareDelete_MemberBase ==
  [program |-> << <<lookup(2), discard(2)>>, <<update(1, 21), delete(1)>> >>, memory |-> Two]
S27CompareDelete_Usurp ==
  [program |-> << <<add(5, 15)>>, <<lookup(2), discard(2)>> >>, memory |-> Usurpable]

Selected ==
  CASE Scenario = "S01AddEmpty" -> S01AddEmpty
    [] Scenario = "S02AddCollision" -> S02AddCollision
    [] Scenario = "S02AddCollision_SharedHole" -> S02AddCollision_SharedHole
    [] Scenario = "S02AddCollision_LostHole" -> S02AddCollision_LostHole
    [] Scenario = "S02AddCollision_FullHalf" -> S02AddCollision_FullHalf
    [] Scenario = "S04AddCollisionEmpty" -> S04AddCollisionEmpty
    [] Scenario = "S04AddCollisionEmpty_SameKey" -> S04AddCollisionEmpty_SameKey
    [] Scenario = "S04AddCollisionEmpty_SameKeyBases" -> S04AddCollisionEmpty_SameKeyBases
    [] Scenario = "S04AddCollisionEmpty_LateHelper" -> S04AddCollisionEmpty_LateHelper
    [] Scenario = "S05AddEmptyGet" -> S05AddEmptyGet
    [] Scenario = "S06AddCollisionGet" -> S06AddCollisionGet
    [] Scenario = "S06AddCollisionGet_New" -> S06AddCollisionGet_New
    [] Scenario = "S06AddCollisionGet_Helped" -> S06AddCollisionGet_Helped
    [] Scenario = "S03AddFull" -> S03AddFull
    [] Scenario = "S03AddFull_Oldest" -> S03AddFull_Oldest
    [] Scenario = "S03AddFull_OnlyMember" -> S03AddFull_OnlyMember
    [] Scenario = "S03AddFull_Foreign" -> S03AddFull_Foreign
    [] Scenario = "S03AddFull_ForeignLift" -> S03AddFull_ForeignLift
    [] Scenario = "S03AddFull_Far" -> S03AddFull_Far
    [] Scenario = "S03AddFull_LostHole" -> S03AddFull_LostHole
    [] Scenario = "S03AddFull_Base" -> S03AddFull_Base
    [] Scenario = "S03AddFull_LostBase" -> S03AddFull_LostBase
    [] Scenario = "S03AddFull_LostBaseTaken" -> S03AddFull_LostBaseTaken
    [] Scenario = "S03AddFull_LostBaseMember" -> S03AddFull_LostBaseMember
    [] Scenario = "S03AddFull_Lift" -> S03AddFull_Lift
    [] Scenario = "S03AddFull_LiftTaken" -> S03AddFull_LiftTaken
    [] Scenario = "S07AddCollisionUpdate" -> S07AddCollisionUpdate
    [] Scenario = "S07AddCollisionUpdate_OldMap" -> S07AddCollisionUpdate_OldMap
    [] Scenario = "S08AddEmptyDelete" -> S08AddEmptyDelete
    [] Scenario = "S08AddEmptyDelete_Update" -> S08AddEmptyDelete_Update
    [] Scenario = "S09AddCollisionDeleteMember" -> S09AddCollisionDeleteMember
    [] Scenario = "S10AddCollisionDeleteBase" -> S10AddCollisionDeleteBase
    [] Scenario = "S09AddCollisionDeleteMember_OldMap" -> S09AddCollisionDeleteMember_OldMap
    [] Scenario = "S10AddCollisionDeleteBase_SameKey" -> S10AddCollisionDeleteBase_SameKey
    [] Scenario = "S09AddCollisionDeleteMember_Turn" -> S09AddCollisionDeleteMember_Turn
    [] Scenario = "S11UsurpGet" -> S11UsurpGet
    [] Scenario = "S12UsurpUpdate" -> S12UsurpUpdate
    [] Scenario = "S12UsurpUpdate_LateMark" -> S12UsurpUpdate_LateMark
    [] Scenario = "S13UsurpDelete_Again" -> S13UsurpDelete_Again
    [] Scenario = "S13UsurpDelete" -> S13UsurpDelete
    [] Scenario = "S14UsurpDeleteBase" -> S14UsurpDeleteBase
    [] Scenario = "S14UsurpDeleteBase_Crop" -> S14UsurpDeleteBase_Crop
    [] Scenario = "S14UsurpDeleteBase_Turn" -> S14UsurpDeleteBase_Turn
    [] Scenario = "S15GetMany" -> S15GetMany
    [] Scenario = "S16GetDeleteMember" -> S16GetDeleteMember
    [] Scenario = "S17GetDeleteBase" -> S17GetDeleteBase
    [] Scenario = "S17GetDeleteBase_Turn" -> S17GetDeleteBase_Turn
    [] Scenario = "S18GetUpdate" -> S18GetUpdate
    [] Scenario = "S19UpdateSameKey" -> S19UpdateSameKey
    [] Scenario = "S20DeleteMembers" -> S20DeleteMembers
    [] Scenario = "S20DeleteMembers_Crops" -> S20DeleteMembers_Crops
    [] Scenario = "S21DeleteBase" -> S21DeleteBase
    [] Scenario = "S21DeleteBase_Reused" -> S21DeleteBase_Reused
    [] Scenario = "S21DeleteBase_Turn" -> S21DeleteBase_Turn
    [] Scenario = "S22DeleteBaseMembers" -> S22DeleteBaseMembers
    [] Scenario = "S22DeleteBaseMembers_Update" -> S22DeleteBaseMembers_Update
    [] Scenario = "S22DeleteBaseMembers_Crops" -> S22DeleteBaseMembers_Crops
    [] Scenario = "S23DeleteSameKey" -> S23DeleteSameKey
    [] Scenario = "S24UsurpDeleteInProgress" -> S24UsurpDeleteInProgress
    [] Scenario = "S25SwapDelete" -> S25SwapDelete
    [] Scenario = "S25SwapDelete_Swap" -> S25SwapDelete_Swap
    [] Scenario = "S25SwapDelete_Usurp" -> S25SwapDelete_Usurp
    [] Scenario = "S26StillReuse" -> S26StillReuse
    [] Scenario = "S26StillReuse_Usurp" -> S26StillReuse_Usurp
    [] Scenario = "S26StillReuse_Evict" -> S26StillReuse_Evict
    [] Scenario = "S27CompareDelete" -> S27CompareDelete
    [] Scenario = "S27CompareDelete_Delete" -> S27CompareDelete_Delete
    [] Scenario = "S27CompareDelete_Twice" -> S27CompareDelete_Twice
    [] Scenario = "S27CompareDelete_Add" -> S27CompareDelete_Add
    [] Scenario = "S27CompareDelete_Get" -> S27CompareDelete_Get
    [] Scenario = "S27CompareDelete_Lift" -> S27CompareDelete_Lift
    [] Scenario = "S27CompareDelete_LostMember" -> S27CompareDelete_LostMember
    [] Scenario = "S27CompareDelete_Member" -> S27CompareDelete_Member
    [] Scenario = "S27CompareDelete_MemberDelete" -> S27CompareDelete_MemberDelete
    [] Scenario = "S27CompareDelete_MemberBase" -> S27CompareDelete_MemberBase
    [] Scenario = "S27CompareDelete_Usurp" -> S27CompareDelete_Usurp

(* Adds of the first five states make no room; the others do. *)
WithoutRoom == {"S01AddEmpty", "S02AddCollision", "S02AddCollision_FullHalf",
                "S02AddCollision_LostHole", "S02AddCollision_SharedHole", "S04AddCollisionEmpty",
                "S04AddCollisionEmpty_LateHelper", "S04AddCollisionEmpty_SameKey",
                "S04AddCollisionEmpty_SameKeyBases", "S05AddEmptyGet", "S06AddCollisionGet",
                "S06AddCollisionGet_Helped", "S06AddCollisionGet_New"}
=============================================================================