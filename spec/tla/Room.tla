-------------------------------- MODULE Room --------------------------------
(***************************************************************************)
(* Where an add has no place: its home cell is a member of another bucket  *)
(* (usurp), or its windows are full (steal). A member moves to another     *)
(* hole of its own window; one base is held at a time, so that no circle   *)
(* of helpers can form. Only if nothing can move the oldest element of the *)
(* own bucket leaves, and belongs to the adder. The age of an element is   *)
(* in the record that its value names, and moves with it; here the value   *)
(* itself: the least is the oldest.                                        *)
(* S03, S11 to S14, S24. Engine: impl/hopscotch/room.go.                   *)
(***************************************************************************)
EXTENDS Add

(* Half and offset that are looked at: the chosen half, then the other;    *)
(* offset 0 of the chosen one for a home cell that is to be usurped. Where *)
(* a member has the home the offsets after its own in its window count,    *)
(* for there it can go: the same cells if they are in a row.               *)
RoomHalf(l) == IF l.room < Reach \/ l.room = 2 * Reach THEN l.half ELSE 1 - l.half
RoomOffset(l) == l.room % Reach
Passed(l, h) == IF l.view[h].b.f = "M" THEN l.view[h].b.p ELSE 0
RoomAddr(t) ==
  LET h == RoomHalf(loc[t])
      passed == Passed(loc[t], h)
  IN At(h, Below(h, Home[h][Op(t).k], passed)[2], passed + RoomOffset(loc[t]))

NextRoom(t, l) ==
  LET next == l.room + (IF l.room + 1 = Reach THEN 2 ELSE 1)
      other == Reach + 1
      ends(r) == Scattered /\ Passed(l, RoomHalf([l EXCEPT !.room = r])) + (r % Reach) >= W
      r == CASE next >= 2 * Reach \/ ~ends(next) -> next
             [] next < Reach /\ ~ends(other) -> other
             [] OTHER -> 2 * Reach
      l1 == [l EXCEPT !.room = r, !.u = NoWork, !.p = NoHelp]
  IN IF r < 2 * Reach THEN [l1 EXCEPT !.pc = "RoomCell"]
     ELSE StartSearch([l1 EXCEPT !.room = 2 * Reach, !.tried = {}], "add", Op(t).k, 0)

(* There is room, or there may be: from the beginning. *)
Anew(t, l) == Again(t, [l EXCEPT !.tried = {}, !.room = 0])
ReadsLocal(t, l) == Goto(t, l) /\ UNCHANGED <<w0, w1, desc, dead, histVars>>
UBase(l) == <<l.u.h, l.u.home>>
----------------------------------------------------------------------------
(* The base of the member that is to leave. *)
UsurpVersion(t) ==
  LET l == loc[t] IN
  /\ l.pc = "UsurpVersion"
  /\ ReadsLocal(t, [l EXCEPT !.u.v = w1[UBase(l)], !.pc = "UsurpBase"])
  /\ Silent

UsurpBase(t) ==
  LET l == loc[t]
      a == w0[UBase(l)]
      fits == a.f = "B" /\ l.u.c \in a.m /\ l.u.v.z = 0
  IN
  /\ l.pc = "UsurpBase"
  /\ ReadsLocal(t, CASE fits -> [l EXCEPT !.u.b = a, !.pc = "AddFillHead"]
                     [] a.f = "O" -> MeetDescriptor(l, a.r)
                     [] OTHER -> Again(t, l))
  /\ MarkIf(fits /\ l.u.kind = "drop" /\ BusyWith(t, {"delete", "crop"}),
            "S24UsurpDeleteInProgress")

(* A cell of a window, or beyond it: a hole that comes free there is one   *)
(* into which a member of the window can move. So members are moved from   *)
(* near to far, each away from its base, until a cell of the own window is *)
(* empty; those of the own bucket stay.                                    *)
RoomCell(t) ==
  LET l == loc[t]
      x == RoomAddr(t)
      a == w0[x]
      own == a.f = "M" /\ Below(x[1], x[2], a.p) = <<x[1], Home[x[1]][Op(t).k]>>
      use == RoomOffset(l) < W /\ RoomHalf(l) \notin l.tried
      work(kind) == [l EXCEPT !.u = [NoWork EXCEPT !.kind = kind, !.h = x[1],
                                !.home = Below(x[1], x[2], a.p)[2], !.c = a.p, !.w = a]]
  IN
  /\ l.pc = "RoomCell"
  /\ ReadsLocal(t, CASE a.f = "E" /\ use -> Anew(t, l)
                     [] a.f = "M" /\ a.k = Lost -> [work("drop") EXCEPT !.pc = "RoomValue"]
                     [] a.f = "M" /\ ~own /\ a.p + 1 < W ->
                          [work("move") EXCEPT !.pc = "RoomPeek", !.p.i = a.p + 1]
                     [] OTHER -> NextRoom(t, l))
  /\ Silent

(* Is there a hole for the member? A glance that saves an operation which  *)
(* would find none: the operation itself looks again.                      *)
RoomPeek(t) ==
  LET l == loc[t]
      a == w0[At(l.u.h, l.u.home, l.p.i)]
  IN
  /\ l.pc = "RoomPeek"
  /\ ReadsLocal(t, CASE a.f = "E" -> [l EXCEPT !.p.i = 0, !.pc = "RoomValue"]
                     [] l.p.i + 1 < W -> [l EXCEPT !.p.i = l.p.i + 1]
                     [] OTHER -> NextRoom(t, l))
  /\ Silent

RoomValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "RoomValue"
  /\ ReadsLocal(t, [l EXCEPT !.u.x = w1[RoomAddr(t)], !.pc = "UsurpVersion"])
  /\ Silent
----------------------------------------------------------------------------
(* Nothing can move (Search!Plan): the members of the own bucket one by    *)
(* one; the oldest one so far is in u.                                     *)
EvictMember(t) ==
  LET l == loc[t]
      o == Least(l.u.left)
      a == w0[At(l.u.h, l.u.home, o)]
  IN
  /\ l.pc = "EvictMember"
  /\ ReadsLocal(t, IF a.f = "M" /\ a.p = o
                   THEN [l EXCEPT !.s.mw = a, !.pc = "EvictValue"]
                   ELSE Anew(t, l))
  /\ Silent

EvictValue(t) ==
  LET l == loc[t]
      o == Least(l.u.left)
      x == w1[At(l.u.h, l.u.home, o)]
      older == l.u.c = 0 \/ x.v < l.u.x.v
      u1 == IF older THEN [l.u EXCEPT !.c = o, !.w = l.s.mw, !.x = x] ELSE l.u
      left == l.u.left \ {o}
  IN
  /\ l.pc = "EvictValue"
  /\ ReadsLocal(t, [l EXCEPT !.s.mw = NoWord0,
                      !.u = [u1 EXCEPT !.left = left, !.kind = IF left = {} THEN "drop" ELSE "none"],
                      !.pc = IF left = {} THEN "AddFillHead" ELSE "EvictMember"])
  /\ Silent

RoomNext(t) ==
  \/ UsurpVersion(t) \/ UsurpBase(t) \/ RoomCell(t) \/ RoomPeek(t) \/ RoomValue(t)
  \/ EvictMember(t) \/ EvictValue(t)
=============================================================================
