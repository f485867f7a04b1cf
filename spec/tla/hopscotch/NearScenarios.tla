---------------------------- MODULE NearScenarios ----------------------------
(***************************************************************************)
(* One more program of each operation state, two of some, in which the     *)
(* homes of the even keys are neighbours, as the engine has them.          *)
(* Same names and contents: model/programs.go, which the engine runs, too. *)
(***************************************************************************)
EXTENDS Scenarios

(* Near homes. Whichever half is chosen, an add of key 2 collides, in cells *)
(* that are neighbours.                                                    *)
TwoNear == {in(0, 1, 10), in(1, 4, 40)}
(* Base 1 with a member 2 in half 0; in half 1, which is fuller, a base in  *)
(* each of two neighbours.                                                 *)
FourNear == {in(0, 1, 10), member(0, 2, 20, 1), in(1, 3, 30), in(1, 4, 40)}
(* The homes of key 2 are empty, beside each is a base of another bucket.  *)
Neighbours == {in(0, 5, 50), in(1, 3, 30)}
S01AddEmpty_Near == [program |-> << <<add(2, 12)>> >>, memory |-> Neighbours]
(* The adders collide in neighbouring buckets of half 1, whose windows     *)
(* have one hole, the same.                                                *)
S02AddCollision_Near ==
  [program |-> << <<add(2, 12)>>, <<add(3, 13)>> >>,
   memory |-> {in(0, 13, 50), member(0, 14, 60, 1), in(1, 1, 10), in(1, 4, 40), in(1, 10, 95)}]
(* Both windows of key 2 are full, which begin in different cells; the     *)
(* member in cell 3 of half 1 can move to cell 0, which is in the window   *)
(* of its base only.                                                       *)
S03AddFull_Near ==
  [program |-> << <<add(2, 12)>>, <<get(11)>> >>,
   memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 10, 95),
               in(1, 4, 40), in(1, 9, 90), member(1, 11, 80, 1)}]
(* The adders want one cell in half 0, and two neighbours in half 1.       *)
S04AddCollisionEmpty_Near ==
  [program |-> << <<add(1, 11)>>, <<add(2, 22)>> >>, memory |-> {}]
(* The adders bring one key, whose homes are neighbours: who begins again  *)
(* must know both.                                                         *)
S04AddCollisionEmpty_NearSameKey ==
  [program |-> << <<add(2, 12)>>, <<add(2, 22)>> >>, memory |-> {}]
S05AddEmptyGet_Near ==
  [program |-> << <<add(2, 12)>>, <<get(2)>> >>, memory |-> {}]
(* The reader looks for the element in half 1, the add displaces it or its *)
(* neighbour.                                                              *)
S06AddCollisionGet_Near ==
  [program |-> << <<add(2, 12)>>, <<get(4)>> >>, memory |-> TwoNear]
S06AddCollisionGet_NearNew ==
  [program |-> << <<add(2, 12)>>, <<get(2)>> >>, memory |-> TwoNear]
S07AddCollisionUpdate_Near ==
  [program |-> << <<add(2, 12)>>, <<update(4, 21)>> >>, memory |-> TwoNear]
S08AddEmptyDelete_Near ==
  [program |-> << <<add(2, 12)>>, <<delete(2), crop(2)>> >>, memory |-> Neighbours]
(* The actors share a bucket in half 1, and are neighbours in half 0.      *)
S09AddCollisionDeleteMember_Near ==
  [program |-> << <<add(7, 17)>>, <<delete(2), crop(2)>> >>,
   memory |-> {in(0, 5, 50), member(0, 6, 60, 1), member(0, 8, 80, 2),
               in(1, 3, 30), in(1, 14, 40), member(1, 2, 20, 1)}]
S10AddCollisionDeleteBase_Near ==
  [program |-> << <<add(2, 12)>>, <<delete(4), crop(4)>> >>, memory |-> TwoNear]
(* Key 5 has its home where member 2 stands; in half 1 its bucket has two. *)
UsurpableNear == {in(0, 1, 10), member(0, 2, 20, 1), in(1, 7, 70), member(1, 14, 80, 1)}
S11UsurpGet_Near == [program |-> << <<add(5, 15)>>, <<get(2)>> >>, memory |-> UsurpableNear]
S12UsurpUpdate_Near == [program |-> << <<add(5, 15)>>, <<update(2, 22)>> >>, memory |-> UsurpableNear]
S13UsurpDelete_Near == [program |-> << <<add(5, 15)>>, <<delete(2)>> >>, memory |-> UsurpableNear]
(* The usurper is a neighbour of the deleted base in either half.          *)
S14UsurpDeleteBase_Near ==
  [program |-> << <<add(6, 16)>>, <<delete(4)>> >>,
   memory |-> {in(0, 4, 40), member(0, 1, 10, 1), in(1, 3, 30), in(1, 7, 70), member(1, 8, 80, 2)}]
(* A base in half 1, a member in half 0, and a key of the bucket of each   *)
(* that is in neither half.                                                *)
S15GetMany_Near ==
  [program |-> << <<get(2), get(3)>>, <<get(6), get(8)>> >>,
   memory |-> {in(0, 5, 50), member(0, 6, 60, 1), in(1, 1, 10), in(1, 2, 20)}]
S16GetDeleteMember_Near ==
  [program |-> << <<get(4), get(2)>>, <<delete(2), crop(2)>> >>, memory |-> FourNear]
S17GetDeleteBase_Near ==
  [program |-> << <<get(2)>>, <<delete(1), crop(1)>> >>, memory |-> FourNear]
S18GetUpdate_Near ==
  [program |-> << <<get(4)>>, <<update(4, 21)>> >>, memory |-> TwoNear]
(* A base in half 1 and a member in half 0, in either order.               *)
S19UpdateSameKey_Near ==
  [program |-> << <<update(4, 11), update(2, 12)>>, <<update(2, 22), update(4, 21)>> >>,
   memory |-> FourNear]
S20DeleteMembers_Near ==
  [program |-> << <<delete(2), crop(2)>>, <<delete(4)>> >>,
   memory |-> {in(0, 1, 10), in(1, 3, 30), in(1, 5, 50), member(1, 2, 20, 1), member(1, 4, 40, 2)}]
(* As in S09, and the bucket has no member.                                *)
S21DeleteBase_Near ==
  [program |-> << <<delete(4), crop(4)>>, <<add(7, 17)>> >>,
   memory |-> {in(0, 5, 50), member(0, 6, 60, 1), in(1, 4, 40), in(1, 8, 80)}]
(* The windows of two buckets overlap; a member of each stands in both.    *)
S22DeleteBaseMembers_Near ==
  [program |-> << <<delete(4), crop(4)>>, <<delete(2)>> >>,
   memory |-> {in(0, 1, 10), in(1, 3, 30), in(1, 4, 40), member(1, 13, 70, 2), member(1, 2, 20, 2)}]
S23DeleteSameKey_Near ==
  [program |-> << <<delete(4), crop(4)>>, <<delete(4)>> >>, memory |-> TwoNear]
S24UsurpDeleteInProgress_Near ==
  [program |-> << <<delete(2), add(5, 15)>>, <<crop(2)>> >>, memory |-> UsurpableNear]
(* The key has a home of its own in half 1, beside the other one.          *)
S25SwapDelete_Near ==
  [program |-> << <<lookup(4), swap(4, 21)>>, <<delete(4), crop(4)>> >>, memory |-> TwoNear]
S26StillReuse_Near ==
  [program |-> << <<lookup(4), still(4)>>, <<delete(4), crop(4), add(4, 44)>> >>, memory |-> TwoNear]
S27CompareDelete_Near ==
  [program |-> << <<lookup(4), discard(4)>>, <<update(4, 21), get(4)>> >>, memory |-> TwoNear]

OfNear == [S01AddEmpty_Near |-> S01AddEmpty_Near,
           S02AddCollision_Near |-> S02AddCollision_Near,
           S03AddFull_Near |-> S03AddFull_Near,
           S04AddCollisionEmpty_Near |-> S04AddCollisionEmpty_Near,
           S04AddCollisionEmpty_NearSameKey |-> S04AddCollisionEmpty_NearSameKey,
           S05AddEmptyGet_Near |-> S05AddEmptyGet_Near,
           S06AddCollisionGet_Near |-> S06AddCollisionGet_Near,
           S06AddCollisionGet_NearNew |-> S06AddCollisionGet_NearNew,
           S07AddCollisionUpdate_Near |-> S07AddCollisionUpdate_Near,
           S08AddEmptyDelete_Near |-> S08AddEmptyDelete_Near,
           S09AddCollisionDeleteMember_Near |-> S09AddCollisionDeleteMember_Near,
           S10AddCollisionDeleteBase_Near |-> S10AddCollisionDeleteBase_Near,
           S11UsurpGet_Near |-> S11UsurpGet_Near,
           S12UsurpUpdate_Near |-> S12UsurpUpdate_Near,
           S13UsurpDelete_Near |-> S13UsurpDelete_Near,
           S14UsurpDeleteBase_Near |-> S14UsurpDeleteBase_Near,
           S15GetMany_Near |-> S15GetMany_Near,
           S16GetDeleteMember_Near |-> S16GetDeleteMember_Near,
           S17GetDeleteBase_Near |-> S17GetDeleteBase_Near,
           S18GetUpdate_Near |-> S18GetUpdate_Near,
           S19UpdateSameKey_Near |-> S19UpdateSameKey_Near,
           S20DeleteMembers_Near |-> S20DeleteMembers_Near,
           S21DeleteBase_Near |-> S21DeleteBase_Near,
           S22DeleteBaseMembers_Near |-> S22DeleteBaseMembers_Near,
           S23DeleteSameKey_Near |-> S23DeleteSameKey_Near,
           S24UsurpDeleteInProgress_Near |-> S24UsurpDeleteInProgress_Near,
           S25SwapDelete_Near |-> S25SwapDelete_Near,
           S26StillReuse_Near |-> S26StillReuse_Near,
           S27CompareDelete_Near |-> S27CompareDelete_Near]
NearHomes == DOMAIN OfNear

(* Homes of the keys: 1 to 4 in cell 0, 5 to 8 in cell 1, 9 to 12 in cell  *)
(* 2, others in cell 0; in half 1 the same, but of near homes that of an   *)
(* even key is the other one of its pair of cells.                         *)
HomeOf(k) == IF k <= 4 THEN 0 ELSE IF k <= 8 THEN 1 ELSE IF k <= 12 THEN 2 ELSE 0
OtherOfPair(c) == IF c % 2 = 0 THEN c + 1 ELSE c - 1
HomeIn(h, k) == IF Scenario \in NearHomes /\ h = 1 /\ k % 2 = 0 THEN OtherOfPair(HomeOf(k))
                ELSE HomeOf(k)

(* Adds make no room in the first states, as in Scenarios.                 *)
NearWithoutRoom == {"S01AddEmpty_Near", "S02AddCollision_Near", "S04AddCollisionEmpty_Near",
                    "S04AddCollisionEmpty_NearSameKey", "S05AddEmptyGet_Near",
                    "S06AddCollisionGet_Near", "S06AddCollisionGet_NearNew"}
=============================================================================
