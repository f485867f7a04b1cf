-------------------------- MODULE WrittenPrograms --------------------------
(***************************************************************************)
(* The operation states as programs: who does what on which memory.        *)
(* Keys 1 to 4 live in cell 0, 5 and 6 in cell 1, 7 and 8 in cell 2, 9 in  *)
(* cell 3.                                                                 *)
(* memory: in(cell, base, key, value); a base stands in its own cell.      *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Scenario   \* the name of a program below

add(k, v) == [op |-> "add", k |-> k, v |-> v]
get(k)    == [op |-> "get", k |-> k, v |-> 0]
update(k, v) == [op |-> "update", k |-> k, v |-> v]
delete(k) == [op |-> "delete", k |-> k, v |-> 0]
in(a, b, k, v) == [a |-> a, b |-> b, k |-> k, v |-> v]

HomeOf(k) == IF k <= 4 THEN 0 ELSE IF k <= 6 THEN 1 ELSE IF k <= 8 THEN 2 ELSE 3

One == {in(0, 0, 1, 10)}
Two == One \cup {in(1, 0, 2, 20)}
Three == Two \cup {in(2, 0, 3, 30)}

S01AddEmpty == [program |-> << <<add(1, 11)>> >>, memory |-> {}]
S02AddCollision == [program |-> << <<add(2, 12)>>, <<add(3, 13)>> >>, memory |-> One]
S02AddCollision_Alone == [program |-> << <<add(2, 12)>> >>, memory |-> One]
(* The key that is added is there already; then it is deleted twice. *)
S02AddCollision_SameKey ==
  [program |-> << <<add(1, 12), delete(1), delete(1)>> >>, memory |-> One]
(* The bucket of 1 has no hole; the only member in its window is 6, of     *)
(* base 5, which has a hole in one program and none in another.            *)
Donor == One \cup {in(1, 1, 5, 50), in(2, 1, 6, 60)}
S03AddFull == [program |-> << <<add(2, 12)>> >>, memory |-> Donor \cup {in(3, 3, 9, 90)}]
S03AddFull_Space == [program |-> << <<add(2, 12)>> >>, memory |-> Donor]
S03AddFull_Own == [program |-> << <<add(4, 14)>> >>, memory |-> Three]
S04AddCollisionEmpty == [program |-> << <<add(1, 11)>>, <<add(2, 12)>> >>, memory |-> {}]
S04AddCollisionEmpty_SameKey ==
  [program |-> << <<add(1, 11)>>, <<add(1, 12)>> >>, memory |-> {}]
S05AddEmptyGet == [program |-> << <<add(1, 11)>>, <<get(1)>> >>, memory |-> {}]
S06AddCollisionGet == [program |-> << <<add(2, 12)>>, <<get(1)>> >>, memory |-> One]
S07AddCollisionUpdate == [program |-> << <<add(2, 12)>>, <<update(1, 15)>> >>, memory |-> One]
S08AddEmptyDelete == [program |-> << <<add(1, 11)>>, <<delete(1)>> >>, memory |-> {}]
S09AddCollisionDeleteMember ==
  [program |-> << <<add(3, 13)>>, <<delete(2)>> >>, memory |-> Two]
S10AddCollisionDeleteBase ==
  [program |-> << <<add(3, 13)>>, <<delete(1)>> >>, memory |-> Two]
S10AddCollisionDeleteBase_Alone ==
  [program |-> << <<add(3, 13)>>, <<delete(1)>> >>, memory |-> One]
S11UsurpGet == [program |-> << <<add(5, 15)>>, <<get(2)>> >>, memory |-> Two]
S12UsurpUpdate == [program |-> << <<add(5, 15)>>, <<update(2, 25)>> >>, memory |-> Two]
S13UsurpDelete == [program |-> << <<add(5, 15)>>, <<delete(2)>> >>, memory |-> Two]
S14UsurpDeleteBase == [program |-> << <<add(5, 15)>>, <<delete(1)>> >>, memory |-> Two]
S15GetMany_Two == [program |-> << <<get(1)>>, <<get(2)>> >>, memory |-> Two]
S15GetMany ==
  [program |-> << <<get(1)>>, <<get(2)>>, <<get(3)>> >>, memory |-> Two]
S16GetDeleteMember == [program |-> << <<get(3)>>, <<delete(2)>> >>, memory |-> Three]
S17GetDeleteBase == [program |-> << <<get(2)>>, <<delete(1)>> >>, memory |-> Two]
S18GetUpdate == [program |-> << <<get(2)>>, <<update(2, 25)>> >>, memory |-> Two]
S19UpdateSameKey == [program |-> << <<update(2, 25)>>, <<update(2, 26)>> >>, memory |-> Two]
S18GetUpdate_Base == [program |-> << <<get(1)>>, <<update(1, 15)>> >>, memory |-> Two]
S19UpdateSameKey_Base ==
  [program |-> << <<update(1, 15)>>, <<update(1, 16)>> >>, memory |-> Two]
S20DeleteMembers == [program |-> << <<delete(2)>>, <<delete(3)>> >>, memory |-> Three]
S21DeleteBase == [program |-> << <<delete(1)>>, <<get(1)>> >>, memory |-> One]
S21DeleteBase_Add == [program |-> << <<delete(1)>>, <<add(2, 12)>> >>, memory |-> One]
S22DeleteBaseMembers == [program |-> << <<delete(1)>>, <<delete(2)>> >>, memory |-> Two]
S23DeleteSameKey == [program |-> << <<delete(2)>>, <<delete(2)>> >>, memory |-> Two]
S23DeleteSameKey_Base == [program |-> << <<delete(1)>>, <<delete(1)>> >>, memory |-> Two]
(* The delete has returned, the cropper is still at work. *)
S24UsurpDeleteInProgress ==
  [program |-> << <<delete(2), add(5, 15)>> >>, memory |-> Three]

----------------------------------------------------------------------------
(* Programs beside those of the states, for one suspicion each: README.md.  *)
Far == One \cup {in(2, 0, 3, 30)}
S01AddEmpty_TwoBases == [program |-> << <<add(1, 11)>>, <<add(5, 15)>> >>, memory |-> {}]
(* A base is born, and a hole of its window is taken. *)
S02AddCollision_NewBase == [program |-> << <<add(2, 12)>>, <<add(9, 19)>> >>, memory |-> One]
(* The key that is added is there already, and somebody else knows it. *)
S02AddCollision_SameKeyGet == [program |-> << <<add(1, 12)>>, <<get(1)>> >>, memory |-> One]
S02AddCollision_SameKeyDelete ==
  [program |-> << <<add(1, 12), delete(1)>>, <<delete(1)>> >>, memory |-> One]
(* The displaced pair comes to the cell that a usurper wants. *)
S02AddCollision_Member == [program |-> << <<add(2, 12), add(5, 15)>> >>, memory |-> One]
(* One adds at a base, one takes the cell of a member of it. *)
S02AddCollision_Usurp == [program |-> << <<add(3, 13)>>, <<add(5, 15)>> >>, memory |-> Two]
(* Both want the cell of one member; and each the cell of a member, with *)
(* two stash records for all.                                            *)
S02AddCollision_SameMember == [program |-> << <<add(7, 17)>>, <<add(8, 18)>> >>, memory |-> Far]
S02AddCollision_PoolEmpty == [program |-> << <<add(5, 15)>>, <<add(7, 17)>> >>, memory |-> Three]
(* Somebody else is at the member that is stolen. *)
S03AddFull_Get == [program |-> << <<add(2, 12)>>, <<get(6)>> >>, memory |-> Donor]
S03AddFull_Update == [program |-> << <<add(2, 12)>>, <<update(6, 26)>> >>, memory |-> Donor]
S03AddFull_Delete ==
  [program |-> << <<add(2, 12)>>, <<delete(6)>> >>, memory |-> Donor \cup {in(3, 3, 9, 90)}]
(* The home of key 5 becomes the cell of a member while it is searched. *)
S06AddCollisionGet_Moved ==
  [program |-> << <<delete(5), add(2, 12)>>, <<get(5)>> >>, memory |-> One \cup {in(1, 1, 5, 50)}]
(* A base is born, and a cell of its window is erased. *)
S09AddCollisionDeleteMember_NewBase ==
  [program |-> << <<add(9, 19)>>, <<delete(2)>> >>, memory |-> Two]
S11UsurpGet_Home == [program |-> << <<add(5, 15)>>, <<get(5)>> >>, memory |-> Two]
S13UsurpDelete_Get == [program |-> << <<add(5, 15), delete(2), get(2)>> >>, memory |-> Two]
(* The bucket is cleared and used anew while a crop of it is in the queue. *)
S22DeleteBaseMembers_Anew ==
  [program |-> << <<delete(2), delete(1), add(3, 13)>> >>, memory |-> Two]
(* The deleted member is the only one, and its cell is taken. *)
S24UsurpDeleteInProgress_Alone == [program |-> << <<delete(2), add(5, 15)>> >>, memory |-> Two]

Selected ==
  CASE Scenario = "S01AddEmpty" -> S01AddEmpty
    [] Scenario = "S02AddCollision" -> S02AddCollision
    [] Scenario = "S02AddCollision_Alone" -> S02AddCollision_Alone
    [] Scenario = "S02AddCollision_SameKey" -> S02AddCollision_SameKey
    [] Scenario = "S03AddFull" -> S03AddFull
    [] Scenario = "S03AddFull_Space" -> S03AddFull_Space
    [] Scenario = "S03AddFull_Own" -> S03AddFull_Own
    [] Scenario = "S04AddCollisionEmpty" -> S04AddCollisionEmpty
    [] Scenario = "S04AddCollisionEmpty_SameKey" -> S04AddCollisionEmpty_SameKey
    [] Scenario = "S05AddEmptyGet" -> S05AddEmptyGet
    [] Scenario = "S06AddCollisionGet" -> S06AddCollisionGet
    [] Scenario = "S07AddCollisionUpdate" -> S07AddCollisionUpdate
    [] Scenario = "S08AddEmptyDelete" -> S08AddEmptyDelete
    [] Scenario = "S09AddCollisionDeleteMember" -> S09AddCollisionDeleteMember
    [] Scenario = "S10AddCollisionDeleteBase" -> S10AddCollisionDeleteBase
    [] Scenario = "S10AddCollisionDeleteBase_Alone" -> S10AddCollisionDeleteBase_Alone
    [] Scenario = "S11UsurpGet" -> S11UsurpGet
    [] Scenario = "S12UsurpUpdate" -> S12UsurpUpdate
    [] Scenario = "S13UsurpDelete" -> S13UsurpDelete
    [] Scenario = "S14UsurpDeleteBase" -> S14UsurpDeleteBase
    [] Scenario = "S15GetMany_Two" -> S15GetMany_Two
    [] Scenario = "S15GetMany" -> S15GetMany
    [] Scenario = "S16GetDeleteMember" -> S16GetDeleteMember
    [] Scenario = "S17GetDeleteBase" -> S17GetDeleteBase
    [] Scenario = "S18GetUpdate" -> S18GetUpdate
    [] Scenario = "S19UpdateSameKey" -> S19UpdateSameKey
    [] Scenario = "S18GetUpdate_Base" -> S18GetUpdate_Base
    [] Scenario = "S19UpdateSameKey_Base" -> S19UpdateSameKey_Base
    [] Scenario = "S20DeleteMembers" -> S20DeleteMembers
    [] Scenario = "S21DeleteBase" -> S21DeleteBase
    [] Scenario = "S21DeleteBase_Add" -> S21DeleteBase_Add
    [] Scenario = "S22DeleteBaseMembers" -> S22DeleteBaseMembers
    [] Scenario = "S23DeleteSameKey" -> S23DeleteSameKey
    [] Scenario = "S23DeleteSameKey_Base" -> S23DeleteSameKey_Base
    [] Scenario = "S24UsurpDeleteInProgress" -> S24UsurpDeleteInProgress
    [] Scenario = "S01AddEmpty_TwoBases" -> S01AddEmpty_TwoBases
    [] Scenario = "S02AddCollision_NewBase" -> S02AddCollision_NewBase
    [] Scenario = "S02AddCollision_SameKeyGet" -> S02AddCollision_SameKeyGet
    [] Scenario = "S02AddCollision_SameKeyDelete" -> S02AddCollision_SameKeyDelete
    [] Scenario = "S02AddCollision_Member" -> S02AddCollision_Member
    [] Scenario = "S02AddCollision_Usurp" -> S02AddCollision_Usurp
    [] Scenario = "S02AddCollision_SameMember" -> S02AddCollision_SameMember
    [] Scenario = "S02AddCollision_PoolEmpty" -> S02AddCollision_PoolEmpty
    [] Scenario = "S03AddFull_Get" -> S03AddFull_Get
    [] Scenario = "S03AddFull_Update" -> S03AddFull_Update
    [] Scenario = "S03AddFull_Delete" -> S03AddFull_Delete
    [] Scenario = "S06AddCollisionGet_Moved" -> S06AddCollisionGet_Moved
    [] Scenario = "S09AddCollisionDeleteMember_NewBase" -> S09AddCollisionDeleteMember_NewBase
    [] Scenario = "S11UsurpGet_Home" -> S11UsurpGet_Home
    [] Scenario = "S13UsurpDelete_Get" -> S13UsurpDelete_Get
    [] Scenario = "S22DeleteBaseMembers_Anew" -> S22DeleteBaseMembers_Anew
    [] Scenario = "S24UsurpDeleteInProgress_Alone" -> S24UsurpDeleteInProgress_Alone
=============================================================================
