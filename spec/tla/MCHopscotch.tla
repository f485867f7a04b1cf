----------------------------- MODULE MCHopscotch -----------------------------
(***************************************************************************)
(* One program of Scenarios on a small table, for TLC. The configurations  *)
(* name the program and the switches; the rest is derived here.            *)
(***************************************************************************)
EXTENDS Refinement, Scenarios

MCPrograms == Selected.program
Memory == Selected.memory
MCActors == 1 .. Len(MCPrograms)
Ops == UNION {{MCPrograms[t][i] : i \in 1 .. Len(MCPrograms[t])} : t \in MCActors}
MCKeys == {o.k : o \in Ops} \cup {e.k : e \in Memory}
MCValues == ({o.v : o \in Ops} \cup {e.v : e \in Memory}) \ {None}
MCHome == [h \in {0, 1} |-> [k \in MCKeys |-> HomeOf(k)]]

Places == {0, 1} \X (0 .. N - 1)
Standing(a) == {e \in Memory : <<e.h, HomeOf(e.k)>> = a}
MCInitWord0 == [a \in Places |->
  IF Standing(a) = {} THEN E(0)
  ELSE B((CHOOSE e \in Standing(a) : TRUE).k, {})]
MCInitWord1 == [a \in Places |->
  IF Standing(a) = {} THEN V(None, 0, 0)
  ELSE V((CHOOSE e \in Standing(a) : TRUE).v, 0, 1)]
MCInitMap == [k \in {e.k : e \in Memory} |-> (CHOOSE e \in Memory : e.k = k).v]

(* The witnesses: claims that must be violated, so that the race is known  *)
(* to happen in the program. A mark is set in a step of one actor that     *)
(* finds the other one inside its operation; in S04 the loser of the claim *)
(* must then have displaced the winner.                                    *)
NoS01AddEmpty == "S01AddEmpty" \notin marks
NoS02AddCollision == "S02AddCollision" \notin marks
NoS04AddCollisionEmpty == ~({"S04AddCollisionEmpty", "S02AddCollision"} \subseteq marks)
NoS05AddEmptyGet == "S05AddEmptyGet" \notin marks
NoS06AddCollisionGet == "S06AddCollisionGet" \notin marks

(* Every live actor finishes its program, whatever the dead one left. *)
EverybodyFinishes == <>AllDone
=============================================================================
