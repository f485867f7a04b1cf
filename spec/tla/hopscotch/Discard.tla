------------------------------ MODULE Discard ------------------------------
(***************************************************************************)
(* A conditional delete: the element of the ticket leaves, if the ticket   *)
(* still holds. It is one operation on the bucket, as an eviction is: a    *)
(* member is dropped; of a base that has members the farthest one takes    *)
(* the place (lift); a base that is alone becomes empty (clear). The       *)
(* operation is planned with exactly word 1 of the ticket, and freezes     *)
(* that: so no swap or update comes in between, and no delete, which does  *)
(* not pass a mark, nor a base in operation. The cell is free afterwards.  *)
(*                                                                         *)
(* The first two accesses are those of a still. They save an operation     *)
(* that would be given up, and word 1 of a member is read after its word 0 *)
(* (FixValueAfter). The ticket is void where the element is in operation,  *)
(* but only helping tells: an owner that died would keep it for ever.      *)
(* An operation that is given up has met somebody else's change, so the    *)
(* call begins again, and mostly finds the ticket void. S27.               *)
(* Engine: impl/hopscotch/discard.go.                                      *)
(***************************************************************************)
EXTENDS Crop

DiscardBaseCell(l) == <<l.u.h, l.u.home>>
DiscardMemberCell(l) == At(l.u.h, l.u.home, l.u.c)

(* What to install, by word 0 of the cell. The farthest member may be lost *)
(* itself: then the base is, in its place.                                 *)
Discards(l, x, a) ==
  CASE a.f = "M" -> [l EXCEPT !.pc = "DiscardVersion", !.u.kind = "drop", !.u.c = a.p,
                              !.u.home = Below(x[1], x[2], a.p)[2], !.u.x = l.ticket.w]
    [] a.m = {}  -> [l EXCEPT !.pc = "AddFillHead", !.u.kind = "clear", !.u.home = x[2],
                              !.u.b = a, !.u.v = l.ticket.w, !.u.w = NoWord0]
    [] OTHER     -> [l EXCEPT !.pc = "DiscardMember", !.u.kind = "lift", !.u.c = Greatest(a.m),
                              !.u.home = x[2], !.u.b = a, !.u.v = l.ticket.w, !.u.w = NoWord0]
----------------------------------------------------------------------------
DiscardLook(t) ==
  LET l == loc[t]
      a == w0[TicketCell(l)]
  IN
  /\ l.pc = "DiscardLook"
  /\ Reads(t, CASE ~HoldsLive(TicketCell(l), Op(t).k) -> Void(l)
                [] a.f \in {"O", "U"} -> {MeetDescriptor(l, a.r)}
                [] OTHER -> {[l EXCEPT !.u = [NoWork EXCEPT !.h = l.ticket.h, !.w = a],
                                       !.pc = "DiscardValue"]})
  /\ Silent

DiscardValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "DiscardValue"
  /\ Reads(t, IF TicketHolds(t) THEN {Discards(l, TicketCell(l), l.u.w)} ELSE Void(l))
  /\ Silent

(* The member that takes the place of the base.                            *)
DiscardMember(t) ==
  LET l == loc[t]
      a == w0[DiscardMemberCell(l)]
  IN
  /\ l.pc = "DiscardMember"
  /\ Reads(t, CASE a.f = "M" /\ a.p = l.u.c -> {[l EXCEPT !.u.w = a, !.pc = "DiscardMemberValue"]}
                [] a.f = "U" -> {MeetDescriptor(l, a.r)}
                [] OTHER -> {Again(t, l)})
  /\ Silent

DiscardMemberValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "DiscardMemberValue"
  /\ Reads(t, {[l EXCEPT !.u.x = w1[DiscardMemberCell(l)], !.pc = "AddFillHead"]})
  /\ Silent

(* The base of the member that leaves.                                     *)
DiscardVersion(t) ==
  LET l == loc[t] IN
  /\ l.pc = "DiscardVersion"
  /\ Reads(t, {[l EXCEPT !.u.v = w1[DiscardBaseCell(l)], !.pc = "DiscardBase"]})
  /\ Silent

DiscardBase(t) ==
  LET l == loc[t]
      a == w0[DiscardBaseCell(l)]
      fits == a.f = "B" /\ l.u.c \in a.m /\ l.u.v.z = 0
  IN
  /\ l.pc = "DiscardBase"
  /\ Reads(t, CASE fits -> {[l EXCEPT !.u.b = a, !.pc = "AddFillHead"]}
                [] a.f = "O" -> {MeetDescriptor(l, a.r)}
                [] OTHER -> {Again(t, l)})
  /\ Silent

DiscardNext(t) ==
  \/ DiscardLook(t) \/ DiscardValue(t)
  \/ DiscardMember(t) \/ DiscardMemberValue(t)
  \/ DiscardVersion(t) \/ DiscardBase(t)
=============================================================================
