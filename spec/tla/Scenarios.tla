----------------------------- MODULE Scenarios -----------------------------
(***************************************************************************)
(* The operation states as programs: who does what on which memory. A      *)
(* state may have several programs; the first one has the state's name.    *)
(* Same names and contents: model/programs.go, which the engine runs, too. *)
(*                                                                         *)
(* Geometry: N = 4 cells a half, window W = 3, so that bucket 3 wraps.     *)
(* Homes are the same in both halves: key k of 1..4 lives in cell 0, of    *)
(* 5..8 in cell 1, 9 in cell 2.                                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANT Scenario   \* the name of a program below

add(k, v) == [op |-> "add", k |-> k, v |-> v]
get(k)    == [op |-> "get", k |-> k, v |-> 0]
in(h, k, v) == [h |-> h, k |-> k, v |-> v]

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

(* Homes of the keys, in both halves. *)
HomeOf(k) == IF k <= 4 THEN 0 ELSE IF k <= 8 THEN 1 ELSE 2

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
=============================================================================
