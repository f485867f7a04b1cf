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

S01AddEmpty == [program |-> << <<add(1, 11)>> >>, memory |-> {}]
S02AddCollision == [program |-> << <<add(2, 12)>>, <<add(3, 13)>> >>, memory |-> One]
S02AddCollision_Alone == [program |-> << <<add(2, 12)>> >>, memory |-> One]
S04AddCollisionEmpty == [program |-> << <<add(1, 11)>>, <<add(2, 12)>> >>, memory |-> {}]
S04AddCollisionEmpty_SameKey ==
  [program |-> << <<add(1, 11)>>, <<add(1, 12)>> >>, memory |-> {}]
S05AddEmptyGet == [program |-> << <<add(1, 11)>>, <<get(1)>> >>, memory |-> {}]
S06AddCollisionGet == [program |-> << <<add(2, 12)>>, <<get(1)>> >>, memory |-> One]
S15GetMany ==
  [program |-> << <<get(1)>>, <<get(2)>>, <<get(3)>> >>, memory |-> Two]

Selected ==
  CASE Scenario = "S01AddEmpty" -> S01AddEmpty
    [] Scenario = "S02AddCollision" -> S02AddCollision
    [] Scenario = "S02AddCollision_Alone" -> S02AddCollision_Alone
    [] Scenario = "S04AddCollisionEmpty" -> S04AddCollisionEmpty
    [] Scenario = "S04AddCollisionEmpty_SameKey" -> S04AddCollisionEmpty_SameKey
    [] Scenario = "S05AddEmptyGet" -> S05AddEmptyGet
    [] Scenario = "S06AddCollisionGet" -> S06AddCollisionGet
    [] Scenario = "S15GetMany" -> S15GetMany
=============================================================================
