------------------------------- MODULE Ticket -------------------------------
(***************************************************************************)
(* What a client does with the ticket of its last lookup: it asks whether  *)
(* the ticket still holds, or swaps the value if it does. Each reads word  *)
(* 0 of the cell, in which the key must stand, and then has one access of  *)
(* word 1: a load, or a compare-and-swap. S25, S26. That the element       *)
(* leaves if the ticket holds is an operation: Discard.tla.                *)
(*                                                                         *)
(* Why that is enough. A ticket has word 1 as it was, not frozen, with its *)
(* version. As long as the word is that one, nobody has frozen it, so no   *)
(* operation has decided to move the element or to take it out, and        *)
(* nothing has taken its place: the key in word 0 stays, until a delete    *)
(* makes it lost, and what is lost does not come back under that version.  *)
(* So a key that is live at the first access was live with that value at   *)
(* that instant, if word 1 is the ticket's at the second one. In the other *)
(* order it does not follow: the key may have come back in between.        *)
(*                                                                         *)
(* A ticket that is void says nothing of the value, which may be the same: *)
(* the element has moved, or is about to. The client looks up again.       *)
(* Engine: impl/hopscotch/ticket.go.                                       *)
(***************************************************************************)
EXTENDS Update

TicketCell(l) == <<l.ticket.h, l.ticket.c>>
Void(l) == Finish(l, Result("void", None))
TicketHolds(t) == w1[TicketCell(loc[t])] = loc[t].ticket.w

(* The operations that begin with the ticket of the one before. *)
OfTicket == {"still", "swap", "discard"}
TicketPc(op) == IF op = "discard" THEN "DiscardLook" ELSE "TicketLook"
TicketBegins(t) ==
  IF loc[t].ticket = NoTicket THEN Void(loc[t]) ELSE {At0(loc[t], TicketPc(Op(t).op))}
----------------------------------------------------------------------------
TicketLook(t) ==
  LET l == loc[t] IN
  /\ l.pc = "TicketLook"
  /\ Reads(t, IF ~HoldsLive(TicketCell(l), Op(t).k) THEN Void(l)
              ELSE {At0(l, IF Op(t).op = "still" THEN "TicketValue" ELSE "TicketSwap")})
  /\ Silent

(* The cell has the key, and is another one's by now: it was emptied and   *)
(* filled again, or the element has another value.                         *)
TicketValue(t) ==
  LET l == loc[t]
      a == TicketCell(l)
  IN
  /\ l.pc = "TicketValue"
  /\ Reads(t, IF TicketHolds(t) THEN Finish(l, Result("same", l.ticket.w.v)) ELSE Void(l))
  /\ MarkIf(~TicketHolds(t) /\ HoldsLive(a, Op(t).k) /\ w1[a].z = 0, "S26StillReuse")

(* LP of a swap that succeeds. If the key was deleted meanwhile, it counts *)
(* as just before the delete, as an update does.                           *)
TicketSwap(t) ==
  LET l == loc[t]
      a == TicketCell(l)
      old == l.ticket.w
  IN
  /\ l.pc = "TicketSwap"
  /\ IF TicketHolds(t)
     THEN /\ w1' = [w1 EXCEPT ![a] = V(Op(t).v, 0, NextVersion(old.n))]
          /\ Free(old.v)
          /\ \E l1 \in Finish(l, Result("updated", old.v)) : Goto(t, l1)
          /\ IF HoldsLive(a, Op(t).k) THEN Effect(t) ELSE Supersede(t)
     ELSE /\ \E l1 \in Void(l) : Goto(t, l1)
          /\ UNCHANGED <<w1, histVars>>
  /\ MarkIf(TicketHolds(t) /\ ~HoldsLive(a, Op(t).k), "S25SwapDelete")
  /\ UNCHANGED <<w0, desc, dead>>

TicketNext(t) == TicketLook(t) \/ TicketValue(t) \/ TicketSwap(t)
=============================================================================
