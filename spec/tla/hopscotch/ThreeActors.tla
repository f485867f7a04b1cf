---------------------------- MODULE ThreeActors ----------------------------
(***************************************************************************)
(* The operation states with a third actor, who meets the race of the      *)
(* other two: a helper, a service, a reader or a rival of the same key.    *)
(* Geometry, homes and memories are those of Scenarios.                    *)
(* Same names and contents: model/three.go.                                *)
(***************************************************************************)
EXTENDS NearScenarios

(* Half 1 is fuller, so that half 0 is chosen. *)
Fuller1 == {in(0, 1, 10), in(1, 3, 30), member(1, 13, 70, 1)}

(* race: the operation state whose mark all three must be present at.      *)
OfThree == [
  \* The empty cell is claimed: one helps, one wants to update.
  S01AddEmpty_Three |->
    [program |-> << <<add(1, 11)>>, <<restore(1)>>, <<update(1, 21)>> >>, memory |-> {},
     race |-> "S01AddEmpty"],
  \* Two help, each with the other one's steps between its own.
  S02AddCollision_Three |->
    [program |-> << <<add(2, 12)>>, <<restore(1)>>, <<restore(3)>> >>, memory |-> TwoBases,
     race |-> "S02AddCollision"],
  \* Each adder has its home where the other one moves the member to, and one of them has a
  \* reader.
  S03AddFull_Three |->
    [program |-> << <<add(5, 15)>>, <<add(9, 19)>>, <<get(9)>> >>,
     memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(1, 7, 70), member(1, 8, 80, 2), in(1, 11, 90)},
     race |-> "S03AddFull"],
  \* A third one looks for the element of the winner, or of the loser.
  S04AddCollisionEmpty_Three |->
    [program |-> << <<add(1, 11)>>, <<add(2, 22)>>, <<get(1)>> >>, memory |-> {},
     race |-> "S04AddCollisionEmpty"],
  \* Half 1 is fuller: two adders of one key want the cell that is read.
  S05AddEmptyGet_Three |->
    [program |-> << <<add(1, 11)>>, <<get(1)>>, <<add(1, 31)>> >>, memory |-> {in(1, 3, 30)},
     race |-> "S05AddEmptyGet"],
  \* Half 1 is fuller. A helper comes between the adder and the reader.
  S06AddCollisionGet_Three |->
    [program |-> << <<add(2, 12)>>, <<get(1)>>, <<restore(1)>> >>, memory |-> Fuller1,
     race |-> "S06AddCollisionGet"],
  S07AddCollisionUpdate_Three |->
    [program |-> << <<add(2, 12)>>, <<update(1, 21)>>, <<restore(1)>> >>, memory |-> Fuller1,
     race |-> "S07AddCollisionUpdate"],
  S08AddEmptyDelete_Three |->
    [program |-> << <<add(1, 11)>>, <<delete(1), crop(1)>>, <<get(1)>> >>, memory |-> {},
     race |-> "S08AddEmptyDelete"],
  \* Who deletes and who crops are two.
  S09AddCollisionDeleteMember_Three |->
    [program |-> << <<add(4, 14)>>, <<delete(2)>>, <<crop(2)>> >>,
     memory |-> {in(0, 1, 10), member(0, 2, 20, 1),
                 in(1, 3, 30), member(1, 13, 70, 1), member(1, 14, 80, 2)},
     race |-> "S09AddCollisionDeleteMember"],
  S10AddCollisionDeleteBase_Three |->
    [program |-> << <<add(2, 12)>>, <<delete(1)>>, <<crop(1)>> >>, memory |-> TwoBases,
     race |-> "S10AddCollisionDeleteBase"],
  \* A helper of the usurper, too, meets whoever looks for the member.
  S11UsurpGet_Three |->
    [program |-> << <<add(5, 15)>>, <<get(2)>>, <<restore(1)>> >>, memory |-> Usurpable,
     race |-> "S11UsurpGet"],
  S12UsurpUpdate_Three |->
    [program |-> << <<add(5, 15)>>, <<update(2, 22)>>, <<restore(1)>> >>, memory |-> Usurpable,
     race |-> "S12UsurpUpdate"],
  S13UsurpDelete_Three |->
    [program |-> << <<add(5, 15)>>, <<delete(2)>>, <<restore(1)>> >>, memory |-> Usurpable,
     race |-> "S13UsurpDelete"],
  S14UsurpDeleteBase_Three |->
    [program |-> << <<add(5, 15)>>, <<delete(1)>>, <<restore(1)>> >>, memory |-> Usurpable,
     race |-> "S14UsurpDeleteBase"],
  S15GetMany_Three |->
    [program |-> << <<get(1), get(2)>>, <<get(2), get(1)>>, <<get(2)>> >>, memory |-> WithMember,
     race |-> "S15GetMany"],
  S16GetDeleteMember_Three |->
    [program |-> << <<get(1), get(2)>>, <<delete(2)>>, <<crop(2)>> >>, memory |-> WithMember,
     race |-> "S16GetDeleteMember"],
  S17GetDeleteBase_Three |->
    [program |-> << <<get(2)>>, <<delete(1)>>, <<crop(1)>> >>, memory |-> WithMember,
     race |-> "S17GetDeleteBase"],
  S18GetUpdate_Three |->
    [program |-> << <<get(1), get(1)>>, <<update(1, 21)>>, <<update(1, 31)>> >>, memory |-> TwoBases,
     race |-> "S18GetUpdate"],
  S19UpdateSameKey_Three |->
    [program |-> << <<update(1, 11)>>, <<update(1, 21)>>, <<update(1, 31)>> >>, memory |-> TwoBases,
     race |-> "S19UpdateSameKey"],
  S20DeleteMembers_Three |->
    [program |-> << <<delete(2)>>, <<delete(4)>>, <<crop(2)>> >>, memory |-> Three,
     race |-> "S20DeleteMembers"],
  \* Half 1 is empty: the adder finds the cell held, or empty again.
  S21DeleteBase_Three |->
    [program |-> << <<delete(1)>>, <<crop(1)>>, <<add(2, 32)>> >>, memory |-> {in(0, 1, 10)},
     race |-> "S21DeleteBase"],
  \* The lift of a member that is deleted has a helper.
  S22DeleteBaseMembers_Three |->
    [program |-> << <<delete(1), crop(1)>>, <<delete(2)>>, <<restore(1)>> >>, memory |-> Two,
     race |-> "S22DeleteBaseMembers"],
  S23DeleteSameKey_Three |->
    [program |-> << <<delete(1)>>, <<delete(1)>>, <<crop(1)>> >>, memory |-> TwoBases,
     race |-> "S23DeleteSameKey"],
  \* Who deletes the member and who usurps its cell are two, the cropper is a third.
  S24UsurpDeleteInProgress_Three |->
    [program |-> << <<delete(2)>>, <<add(5, 15)>>, <<crop(2)>> >>, memory |-> Usurpable,
     race |-> "S24UsurpDeleteInProgress"],
  \* Who deletes and who crops are two.
  S25SwapDelete_Three |->
    [program |-> << <<lookup(1), swap(1, 21)>>, <<delete(1)>>, <<crop(1)>> >>,
     memory |-> {in(0, 1, 10)},
     race |-> "S25SwapDelete"],
  \* The value is another one, and then the key is lost.
  S26StillReuse_Three |->
    [program |-> << <<lookup(1), still(1)>>, <<update(1, 21)>>, <<delete(1)>> >>,
     memory |-> {in(0, 1, 10)},
     race |-> "S26StillReuse"],
  \* The operation has a helper, and is given up.
  S27CompareDelete_Three |->
    [program |-> << <<lookup(1), discard(1)>>, <<update(1, 21)>>, <<restore(1)>> >>,
     memory |-> OneBase,
     race |-> "S27CompareDelete"]]

(* The program of the run. *)
Picked == CASE Scenario \in DOMAIN OfThree -> OfThree[Scenario]
            [] Scenario \in NearHomes -> OfNear[Scenario]
            [] OTHER -> Selected
(* Adds make no room in the first states, as in Scenarios. *)
OfThreeWithoutRoom == {"S01AddEmpty_Three", "S02AddCollision_Three", "S04AddCollisionEmpty_Three",
                       "S05AddEmptyGet_Three", "S06AddCollisionGet_Three"}
=============================================================================
