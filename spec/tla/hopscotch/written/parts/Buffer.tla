------------------------------- MODULE Buffer -------------------------------
(***************************************************************************)
(* One slot of the communication buffer: its owner publishes a message,    *)
(* a service claims it, puts the key into the table, answers with the      *)
(* offset of a record, and the owner copies its data there. The text says  *)
(* that a marker governs the slot and that the owner has the record alone  *)
(* "until the marker indicates freedom". H-73, H-74.                       *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Services,   \* numbers from 1: each process has one, all scan all slots
          Messages,   \* how many the owner sends
          Mortal,     \* services that may die, at any step of their work
          GivesUp,    \* the owner may give up waiting, at any time
          FixGiveUp,  \* it withdraws a message that nobody has claimed, and
                      \* leaves one that somebody has to that service
          FixClaim    \* claimed is what the own compare-and-swap has claimed

Clear == 0
Published == 1
Locked == 2
Ready == 3
Left == 4        \* only with FixGiveUp: the owner is gone, the service clears
Owner == 0
Actors == {Owner} \cup Services

VARIABLES marker, msg, offset,  \* the slot; offset names the message it is for
          table, written,       \* keys in the table; those with data: m stands
                                \* for the key and the record of message m
          at, l
vars == <<marker, msg, offset, table, written, at, l>>

Init ==
  /\ marker = Clear /\ msg = 0 /\ offset = 0
  /\ table = {} /\ written = {}
  /\ at = [a \in Actors |-> "Idle"]
  /\ l = [a \in Actors |-> [i |-> IF a = Owner THEN 1 ELSE 0, e |-> 0, m |-> 0]]

At(a, where) == at[a] = where
Goto(a, local, where) == at' = [at EXCEPT ![a] = where] /\ l' = [l EXCEPT ![a] = local]
Go(a, where) == Goto(a, l[a], where)
NextMessage == Goto(Owner, [l[Owner] EXCEPT !.i = @ + 1, !.m = 0], "Idle")
----------------------------------------------------------------------------
OwnerWait ==
  /\ At(Owner, "Idle") /\ l[Owner].i <= Messages
  /\ marker = Clear
  /\ Go(Owner, "OwnerFill")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

OwnerFill ==
  /\ At(Owner, "OwnerFill")
  /\ msg' = l[Owner].i
  /\ Go(Owner, "OwnerPublish")
  /\ UNCHANGED <<marker, offset, table, written>>

OwnerPublish ==
  /\ At(Owner, "OwnerPublish")
  /\ marker' = Published
  /\ Go(Owner, "OwnerPoll")
  /\ UNCHANGED <<msg, offset, table, written>>

OwnerPoll ==
  /\ At(Owner, "OwnerPoll")
  /\ marker = Ready
  /\ Go(Owner, "OwnerOffset")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

OwnerOffset ==
  /\ At(Owner, "OwnerOffset")
  /\ Goto(Owner, [l[Owner] EXCEPT !.m = offset], "OwnerCopy")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

OwnerCopy ==
  /\ At(Owner, "OwnerCopy")
  /\ written' = written \cup {l[Owner].m}
  /\ Go(Owner, "OwnerClear")
  /\ UNCHANGED <<marker, msg, offset, table>>

OwnerClear ==
  /\ At(Owner, "OwnerClear")
  /\ marker' = Clear
  /\ NextMessage
  /\ UNCHANGED <<msg, offset, table, written>>

(* No polls are left: the timeout. *)
OwnerTimeout ==
  /\ At(Owner, "OwnerPoll")
  /\ GivesUp /\ marker # Ready
  /\ Go(Owner, IF FixGiveUp THEN "OwnerWithdraw" ELSE "OwnerClear")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

OwnerWithdraw ==
  /\ At(Owner, "OwnerWithdraw")
  /\ IF marker = Published THEN marker' = Clear /\ NextMessage
     ELSE Go(Owner, "OwnerLeave") /\ UNCHANGED marker
  /\ UNCHANGED <<msg, offset, table, written>>

OwnerLeave ==
  /\ At(Owner, "OwnerLeave")
  /\ IF marker = Locked THEN marker' = Left /\ NextMessage
     ELSE Go(Owner, "OwnerPoll") /\ UNCHANGED marker
  /\ UNCHANGED <<msg, offset, table, written>>
----------------------------------------------------------------------------
(* The claim: swap the expected value for Locked; a swap may fail without  *)
(* cause. Another value than Published becomes the expected one of the     *)
(* next attempt; after the same value the marker is looked at once more,   *)
(* and Locked is taken for one's own.                                      *)
Scan(s) ==
  /\ At(s, "Idle")
  /\ marker = Published
  /\ Goto(s, [l[s] EXCEPT !.e = Published], "Claim")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

Claim(s) ==
  /\ At(s, "Claim")
  /\ IF FixClaim
     THEN IF marker = Published THEN marker' = Locked /\ Go(s, "WorkMessage")
          ELSE Go(s, "Idle") /\ UNCHANGED marker
     ELSE \/ marker = l[s].e /\ marker' = Locked /\ Go(s, "ClaimLook")
          \/ /\ IF marker = Published THEN Go(s, "ClaimLook")
                ELSE Goto(s, [l[s] EXCEPT !.e = marker], "Claim")
             /\ UNCHANGED marker
  /\ UNCHANGED <<msg, offset, table, written>>

ClaimLook(s) ==
  /\ At(s, "ClaimLook")
  /\ Go(s, IF marker = Locked THEN "WorkMessage" ELSE "Idle")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

WorkMessage(s) ==
  /\ At(s, "WorkMessage")
  /\ Goto(s, [l[s] EXCEPT !.m = msg], "WorkOffset")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

WorkOffset(s) ==
  /\ At(s, "WorkOffset")
  /\ offset' = l[s].m
  /\ Go(s, "WorkTable")
  /\ UNCHANGED <<marker, msg, table, written>>

WorkTable(s) ==
  /\ At(s, "WorkTable")
  /\ table' = table \cup {l[s].m}
  /\ Go(s, "WorkReady")
  /\ UNCHANGED <<marker, msg, offset, written>>

WorkReady(s) ==
  /\ At(s, "WorkReady")
  /\ IF FixGiveUp /\ marker # Locked
     THEN Go(s, "WorkUndo") /\ UNCHANGED marker
     ELSE marker' = Ready /\ Goto(s, [l[s] EXCEPT !.e = 0, !.m = 0], "Idle")
  /\ UNCHANGED <<msg, offset, table, written>>

WorkUndo(s) ==
  /\ At(s, "WorkUndo")
  /\ table' = table \ {l[s].m}
  /\ Go(s, "WorkClear")
  /\ UNCHANGED <<marker, msg, offset, written>>

WorkClear(s) ==
  /\ At(s, "WorkClear")
  /\ marker' = Clear
  /\ Goto(s, [l[s] EXCEPT !.e = 0, !.m = 0], "Idle")
  /\ UNCHANGED <<msg, offset, table, written>>

Die(s) ==
  /\ s \in Mortal /\ at[s] \notin {"Idle", "Dead"}
  /\ Go(s, "Dead")
  /\ UNCHANGED <<marker, msg, offset, table, written>>

OwnerStep ==
  \/ OwnerWait \/ OwnerFill \/ OwnerPublish \/ OwnerPoll \/ OwnerOffset \/ OwnerCopy \/ OwnerClear
  \/ OwnerWithdraw \/ OwnerLeave
ServiceStep(s) ==
  \/ Scan(s) \/ Claim(s) \/ ClaimLook(s) \/ WorkMessage(s) \/ WorkOffset(s) \/ WorkTable(s)
  \/ WorkReady(s) \/ WorkUndo(s) \/ WorkClear(s)
AtRest ==
  /\ At(Owner, "Idle") /\ l[Owner].i > Messages
  /\ \A s \in Services : at[s] \in {"Idle", "Dead"}
  /\ marker # Published
Done == AtRest /\ UNCHANGED vars

Next ==
  OwnerStep \/ OwnerTimeout \/ (\E s \in Services : ServiceStep(s) \/ Die(s)) \/ Done
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(OwnerStep) /\ \A s \in Services : WF_vars(ServiceStep(s))
----------------------------------------------------------------------------
Works(s) ==
  at[s] \in {"WorkMessage", "WorkOffset", "WorkTable", "WorkReady", "WorkUndo", "WorkClear"}
(* One service works on a message. *)
OneService == \A s, t \in Services : s # t => ~(Works(s) /\ Works(t))
(* The owner copies to the record that its message was given. *)
OwnAnswer == At(Owner, "OwnerCopy") => l[Owner].m = l[Owner].i
(* At rest each key in the table has its data. *)
NoHollow == AtRest => table \subseteq written
Terminates == <>AtRest
=============================================================================
