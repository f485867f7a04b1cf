----------------------------- MODULE MCAnnounce -----------------------------
(***************************************************************************)
(* How a helper may sleep for any time, although generations have an end:  *)
(* who helps says so in a word of its own descriptor, and owners look at   *)
(* these words. Proposal 3 of results/divergences.md ("A descriptor's      *)
(* generation is short"); the engine does not do it. The protocol is that  *)
(* of Hopscotch.tla, step by step, with these steps in between:            *)
(*                                                                         *)
(*   HelpAnnounce  a helper says that it is inside a call                  *)
(*   HelpReread    and sees the reference in a cell, or starts again: what *)
(*                 it saw before may be whole turns old                    *)
(*   HelpLeave     it says that it has left, before any other step         *)
(*   AddLook       before the first generation of each half turn an owner  *)
(*                 looks who is inside a call; those who were in the same  *)
(*                 call at the last look bar the descriptor, and the owner *)
(*                 takes another one                                       *)
(*                                                                         *)
(* Who knows a reference has seen it in a cell while inside. Between then  *)
(* and its second use lie two looks: the first sees the call, the second   *)
(* sees it again, unless it is over. Readers say nothing, and are not      *)
(* protected by it: they look twice (Bug_AnnounceReaders; MCReaders).      *)
(*                                                                         *)
(* Another descriptor is the same one here, with numbers that nobody has   *)
(* seen: only the names of references matter. Its old one rests; who still *)
(* helps there finds another head, where in memory the operation is over.  *)
(* A look is one step: all programs here have two actors, so one word.     *)
(***************************************************************************)
EXTENDS MCHopscotch

CONSTANTS FixAnnounce,  \* owners look who is inside a call
          FixReread,    \* a helper looks at the reference again once it is inside
          FixHalfTurn   \* the owners look twice in a turn, not once

VARIABLES inside,  \* actor -> "out", "said" or "in" a call of help
          known,   \* actor -> those that it saw inside at its last look, in that same call still
          looked,  \* actor -> the look for its next generation is done
          taken    \* actor -> how many descriptors it has given up

annVars == <<inside, known, looked, taken>>

(* Generations of one descriptor have numbers of one row. *)
Row == 16
AnnNextRef(g) == Row * (g \div Row) + Round((g % Row) + 1, WrapRef)
ASSUME RowAssumption == WrapRef \in 2 .. Row /\ WrapRef % 2 = 0

AnnInit ==
  /\ Init
  /\ inside = [t \in Actors |-> "out"]
  /\ known = [t \in Actors |-> {}]
  /\ looked = [t \in Actors |-> FALSE]
  /\ taken = [t \in Actors |-> 0]
----------------------------------------------------------------------------
Helps(t) == loc[t].p.r.d \in Actors \ {t}
InCell(r) == \E a \in Addr : w0[a].f \in {"C", "O", "U"} /\ w0[a].r = r
Between == IF FixHalfTurn THEN WrapRef \div 2 ELSE WrapRef
Boundary(t) == (NextRef(desc[t].head.gen) % Row) % Between = 0
MustLook(t) == FixAnnounce /\ loc[t].pc = "AddFillHead" /\ Boundary(t) /\ ~looked[t]
MustEnter(t) == FixAnnounce /\ loc[t].pc = "HelpHead" /\ inside[t] # "in"
MustLeave(t) == inside[t] = "in" /\ ~Helps(t) /\ t \notin dead

HelpAnnounce(t) ==
  /\ MustEnter(t) /\ inside[t] = "out"
  /\ inside' = [inside EXCEPT ![t] = IF FixReread THEN "said" ELSE "in"]
  /\ UNCHANGED <<vars, known, looked, taken>>

HelpReread(t) ==
  /\ MustEnter(t) /\ inside[t] = "said"
  /\ inside' = [inside EXCEPT ![t] = "in"]
  /\ IF InCell(loc[t].p.r) THEN UNCHANGED vars
     ELSE /\ Goto(t, Again(t, loc[t]))
          /\ ReadsOnly
  /\ UNCHANGED <<known, looked, taken>>

HelpLeave(t) ==
  /\ MustLeave(t)
  /\ inside' = [inside EXCEPT ![t] = "out"]
  /\ known' = [x \in Actors |-> known[x] \ {t}]
  /\ UNCHANGED <<vars, looked, taken>>

(* What a dead actor has said ends with it. *)
AddLook(t) ==
  LET now == {x \in Actors \ ({t} \cup dead) : inside[x] # "out"}
      row == Row * (taken[t] + 1)
  IN
  /\ MustLook(t)
  /\ known' = [known EXCEPT ![t] = now]
  /\ looked' = [looked EXCEPT ![t] = TRUE]
  /\ IF now \cap known[t] = {} THEN UNCHANGED <<vars, taken>>
     ELSE /\ taken' = [taken EXCEPT ![t] = taken[t] + 1]
          /\ desc' = [desc EXCEPT ![t] = [NoDesc EXCEPT !.head.gen = row, !.target.gen = row]]
          /\ UNCHANGED <<w0, w1, loc, dead, marks, histVars>>
  /\ UNCHANGED inside

(* Any other step; filling the head uses the look up. *)
Plain(t) ==
  /\ ~MustLook(t) /\ ~MustEnter(t) /\ ~MustLeave(t)
  /\ Step(t)
  /\ looked' = [looked EXCEPT ![t] = looked[t] /\ loc[t].pc # "AddFillHead"]
  /\ UNCHANGED <<inside, known, taken>>

AnnNext ==
  \/ \E t \in Actors :
       \/ Plain(t) \/ HelpAnnounce(t) \/ HelpReread(t) \/ HelpLeave(t) \/ AddLook(t)
       \/ ClientCrash(t) /\ UNCHANGED annVars
  \/ Done /\ UNCHANGED annVars

AnnSpec == AnnInit /\ [][AnnNext]_<<vars, annVars>>
----------------------------------------------------------------------------
(* A turn of four generations, which the second actor goes once round.     *)
LongPrograms == << <<restore(1)>>,
  <<add(2, 12), delete(2), crop(2), add(2, 13), delete(2), crop(2), add(4, 44)>> >>
LongValues == {12, 13, 30, 44}

(* Witness: no owner ever has to take another descriptor. *)
NobodyTakesAnother == \A t \in Actors : taken[t] = 0
=============================================================================
