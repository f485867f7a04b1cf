----------------------------- MODULE MCHopscotch -----------------------------
(***************************************************************************)
(* One program of Scenarios or ThreeActors on a small table, for TLC. The  *)
(* configurations name the program and the switches; the rest is derived   *)
(* here.                                                                   *)
(*                                                                         *)
(* How this is written saves TLC time. It evaluates a definition without   *)
(* parameters once, before the search, module by module in the order in    *)
(* which they are extended, and looks through all that is not evaluated    *)
(* yet wherever it is used: so the programs come first. What a             *)
(* configuration puts in the place of a constant it evaluates anew at each *)
(* use: so that is only the name of such a definition (MCHome).            *)
(***************************************************************************)
EXTENDS ThreeActors, Refinement

PickedPrograms == Picked.program
Memory == Picked.memory
PickedActors == 1 .. Len(PickedPrograms)
Ops == UNION {{PickedPrograms[t][i] : i \in 1 .. Len(PickedPrograms[t])} : t \in PickedActors}
PickedKeys == {o.k : o \in Ops} \cup {e.k : e \in Memory}
PickedValues == ({o.v : o \in Ops} \cup {e.v : e \in Memory}) \ {None}
PickedHome == [h \in {0, 1} |-> [k \in PickedKeys |-> HomeIn(h, k)]]

Standing(a) == {e \in Memory : At(e.h, HomeIn(e.h, e.k), e.o) = a}
The(a) == CHOOSE e \in Standing(a) : TRUE
MembersOf(e) == {x.o : x \in {y \in Memory : y.h = e.h /\ HomeIn(e.h, y.k) = HomeIn(e.h, e.k)
                            /\ y.o # 0}}
PickedWord0 == [a \in Addr |->
  IF Standing(a) = {} THEN E(0)
  ELSE IF The(a).o = 0 THEN B(The(a).k, MembersOf(The(a)))
  ELSE M(The(a).k, The(a).o, NextVersion(0))]
PickedWord1 == [a \in Addr |->
  IF Standing(a) = {} THEN V(None, 0, 0) ELSE V(The(a).v, 0, NextVersion(0))]
PickedMap == [k \in {e.k : e \in Memory} |-> (CHOOSE e \in Memory : e.k = k).v]
PickedRoom == Scenario \notin WithoutRoom \cup NearWithoutRoom \cup OfThreeWithoutRoom
(* Each actor that deletes crops afterwards. *)
PickedCrops == \A t \in PickedActors : \A i \in 1 .. Len(PickedPrograms[t]) :
  PickedPrograms[t][i].op = "delete" =>
    \E j \in i + 1 .. Len(PickedPrograms[t]) :
      PickedPrograms[t][j].op = "crop" /\ PickedPrograms[t][j].k = PickedPrograms[t][i].k

MCPrograms == PickedPrograms
MCActors == PickedActors
MCKeys == PickedKeys
MCValues == PickedValues
MCHome == PickedHome
MCInitWord0 == PickedWord0
MCInitWord1 == PickedWord1
MCInitMap == PickedMap
MCMakeRoom == PickedRoom
MCCropped == PickedCrops

(* A program of MCReaders and MCAnnounce, beside those of the operation    *)
(* states. The reader's base is held, let go, and held again under the     *)
(* same number; the operation in between is of a bucket without members.   *)
Back == [program |-> << <<add(3, 33), delete(9), crop(9), delete(1), crop(1)>>, <<get(2)>> >>,
         memory |-> {in(0, 1, 10), member(0, 2, 20, 1),
                     in(1, 4, 40), member(1, 13, 70, 1), in(1, 9, 90)}]
(* In place of OneOperation, in runs that must fail: the words behind a    *)
(* base in operation are read once.                                        *)
Once(s) == TRUE

(* The witnesses: claims that must be violated, so that the race is known  *)
(* to happen in the program. A mark is set in a step of one actor that     *)
(* finds the other one inside its operation; in S04 the loser of the claim *)
(* must then have displaced the winner.                                    *)
NoS01AddEmpty == "S01AddEmpty" \notin marks
NoS02AddCollision == "S02AddCollision" \notin marks
NoS04AddCollisionEmpty == ~({"S04AddCollisionEmpty", "S02AddCollision"} \subseteq marks)
NoS03AddFull == "S03AddFull" \notin marks
NoS05AddEmptyGet == "S05AddEmptyGet" \notin marks
NoS06AddCollisionGet == "S06AddCollisionGet" \notin marks
NoS07AddCollisionUpdate == "S07AddCollisionUpdate" \notin marks
NoS08AddEmptyDelete == "S08AddEmptyDelete" \notin marks
NoS09AddCollisionDeleteMember == "S09AddCollisionDeleteMember" \notin marks
NoS10AddCollisionDeleteBase == "S10AddCollisionDeleteBase" \notin marks
NoS11UsurpGet == "S11UsurpGet" \notin marks
NoS12UsurpUpdate == "S12UsurpUpdate" \notin marks
NoS13UsurpDelete == "S13UsurpDelete" \notin marks
NoS14UsurpDeleteBase == "S14UsurpDeleteBase" \notin marks
NoS15GetMany == "S15GetMany" \notin marks
NoS16GetDeleteMember == "S16GetDeleteMember" \notin marks
NoS17GetDeleteBase == "S17GetDeleteBase" \notin marks
NoS18GetUpdate == "S18GetUpdate" \notin marks
NoS19UpdateSameKey == "S19UpdateSameKey" \notin marks
NoS20DeleteMembers == "S20DeleteMembers" \notin marks
NoS21DeleteBase == "S21DeleteBase" \notin marks
NoS22DeleteBaseMembers == "S22DeleteBaseMembers" \notin marks
NoS23DeleteSameKey == "S23DeleteSameKey" \notin marks
NoS24UsurpDeleteInProgress == "S24UsurpDeleteInProgress" \notin marks
NoS25SwapDelete == "S25SwapDelete" \notin marks
NoS26StillReuse == "S26StillReuse" \notin marks
NoS27CompareDelete == "S27CompareDelete" \notin marks

(* The witness of a program of three actors: never does its race happen in *)
(* the step of one actor while all are inside an operation and another one *)
(* is within somebody else's: it helps with it, reads its descriptor, or   *)
(* its key has changed under it (one value that it has had, one may be     *)
(* what the actor itself has made of it). Actors who only read are within  *)
(* when they look at members.                                              *)
Others(t, r) == r.d \notin {None, t}
ReadersOnly == \A t \in Actors : ~Writes(t)
Within(t) == \/ Others(t, loc[t].p.r) \/ Others(t, loc[t].s.r)
             \/ Cardinality(seen[t]) > (IF done[t] THEN 2 ELSE 1)
             \/ ReadersOnly /\ loc[t].pc = "SearchMember"
NoThree == [][~(/\ Picked.race \in marks' \ marks
                /\ \A t \in Actors : busy[t] # NoOp
                /\ \E t \in Actors : loc'[t] = loc[t] /\ Within(t))]_vars

(* Every live actor finishes its program, whatever the dead one left. *)
EverybodyFinishes == <>AllDone
=============================================================================
