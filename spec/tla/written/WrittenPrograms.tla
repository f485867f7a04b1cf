-------------------------- MODULE WrittenPrograms --------------------------
(***************************************************************************)
(* The operation states as programs: who does what on which memory.        *)
(* Keys 1 to 4 live in cell 0, 5 and 6 in cell 1, 7 and 8 in cell 2.       *)
(* memory: in(cell, base, key, value); a base stands in its own cell.      *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Scenario   \* the name of a program below

add(k, v) == [op |-> "add", k |-> k, v |-> v]
get(k)    == [op |-> "get", k |-> k, v |-> 0]
update(k, v) == [op |-> "update", k |-> k, v |-> v]
delete(k) == [op |-> "delete", k |-> k, v |-> 0]
in(a, b, k, v) == [a |-> a, b |-> b, k |-> k, v |-> v]

HomeOf(k) == IF k <= 4 THEN 0 ELSE IF k <= 6 THEN 1 ELSE 2

One == {in(0, 0, 1, 10)}
Two == One \cup {in(1, 0, 2, 20)}
Three == Two \cup {in(2, 0, 3, 30)}

S01AddEmpty == [program |-> << <<add(1, 11)>> >>, memory |-> {}]
S02AddCollision == [program |-> << <<add(2, 12)>>, <<add(3, 13)>> >>, memory |-> One]
S02AddCollision_Alone == [program |-> << <<add(2, 12)>> >>, memory |-> One]
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
S15GetMany ==
  [program |-> << <<get(1)>>, <<get(2)>>, <<get(3)>> >>, memory |-> Two]
S16GetDeleteMember == [program |-> << <<get(3)>>, <<delete(2)>> >>, memory |-> Three]
S17GetDeleteBase == [program |-> << <<get(2)>>, <<delete(1)>> >>, memory |-> Two]
S18GetUpdate == [program |-> << <<get(2)>>, <<update(2, 25)>> >>, memory |-> Two]
S19UpdateSameKey == [program |-> << <<update(2, 25)>>, <<update(2, 26)>> >>, memory |-> Two]
S20DeleteMembers == [program |-> << <<delete(2)>>, <<delete(3)>> >>, memory |-> Three]
S21DeleteBase == [program |-> << <<delete(1)>>, <<get(1)>> >>, memory |-> One]
S21DeleteBase_Add == [program |-> << <<delete(1)>>, <<add(2, 12)>> >>, memory |-> One]
S22DeleteBaseMembers == [program |-> << <<delete(1)>>, <<delete(2)>> >>, memory |-> Two]
S23DeleteSameKey == [program |-> << <<delete(2)>>, <<delete(2)>> >>, memory |-> Two]
S23DeleteSameKey_Base == [program |-> << <<delete(1)>>, <<delete(1)>> >>, memory |-> Two]

Selected ==
  CASE Scenario = "S01AddEmpty" -> S01AddEmpty
    [] Scenario = "S02AddCollision" -> S02AddCollision
    [] Scenario = "S02AddCollision_Alone" -> S02AddCollision_Alone
    [] Scenario = "S04AddCollisionEmpty" -> S04AddCollisionEmpty
    [] Scenario = "S04AddCollisionEmpty_SameKey" -> S04AddCollisionEmpty_SameKey
    [] Scenario = "S05AddEmptyGet" -> S05AddEmptyGet
    [] Scenario = "S06AddCollisionGet" -> S06AddCollisionGet
    [] Scenario = "S07AddCollisionUpdate" -> S07AddCollisionUpdate
    [] Scenario = "S08AddEmptyDelete" -> S08AddEmptyDelete
    [] Scenario = "S09AddCollisionDeleteMember" -> S09AddCollisionDeleteMember
    [] Scenario = "S10AddCollisionDeleteBase" -> S10AddCollisionDeleteBase
    [] Scenario = "S10AddCollisionDeleteBase_Alone" -> S10AddCollisionDeleteBase_Alone
    [] Scenario = "S15GetMany" -> S15GetMany
    [] Scenario = "S16GetDeleteMember" -> S16GetDeleteMember
    [] Scenario = "S17GetDeleteBase" -> S17GetDeleteBase
    [] Scenario = "S18GetUpdate" -> S18GetUpdate
    [] Scenario = "S19UpdateSameKey" -> S19UpdateSameKey
    [] Scenario = "S20DeleteMembers" -> S20DeleteMembers
    [] Scenario = "S21DeleteBase" -> S21DeleteBase
    [] Scenario = "S21DeleteBase_Add" -> S21DeleteBase_Add
    [] Scenario = "S22DeleteBaseMembers" -> S22DeleteBaseMembers
    [] Scenario = "S23DeleteSameKey" -> S23DeleteSameKey
    [] Scenario = "S23DeleteSameKey_Base" -> S23DeleteSameKey_Base
=============================================================================
