-------------------------------- MODULE Room --------------------------------
(***************************************************************************)
(* Where an add has no place: its home cell is a member of another bucket  *)
(* (usurp), or its windows are full (steal). A member moves to another     *)
(* hole of its own window; one base is held at a time, so that no circle   *)
(* of helpers can form. What is deleted is reclaimed on the way. Only if   *)
(* nothing can move, and nothing is deleted, the oldest element of the own *)
(* bucket leaves, and belongs to the adder. The age of an element is in    *)
(* the record that its value names, and moves with it; here the value      *)
(* itself: the least is the oldest.                                        *)
(* S03, S11 to S14, S24. Engine: impl/hopscotch/room.go.                   *)
(***************************************************************************)
EXTENDS Add

(* The cell that is looked at: of a member that is known, or the place of  *)
(* the scan.                                                               *)
RoomAddr(t) ==
  LET l == loc[t] IN
  IF l.u.c # 0 THEN At(l.u.h, l.u.home, l.u.c)
  ELSE Pushed(l, RoomHalf(l), Op(t).k, RoomOffset(l))

(* There is room, or there may be: from the beginning. *)
Anew(t, l) == Again(t, [l EXCEPT !.tried = {}, !.room = 0, !.spare = NoSpare])
ReadsLocal(t, l) == Goto(t, l) /\ UNCHANGED <<w0, w1, desc, dead, histVars>>
UBase(l) == <<l.u.h, l.u.home>>
(* What stands there is of no use: the next place of the scan. If the home *)
(* was looked at once more, whose member could not move (RoomEnded), this  *)
(* half is of no use.                                                      *)
NoUse(t, l) ==
  IF Scans(l) THEN NextRoom(l, Op(t).k)
  ELSE Again(t, [l EXCEPT !.tried = l.tried \cup {l.half}, !.spare = NoSpare])
----------------------------------------------------------------------------
(* The base that the operation must hold: that of the member which is to   *)
(* leave its cell, or a base that is lost.                                 *)
UsurpVersion(t) ==
  LET l == loc[t] IN
  /\ l.pc = "UsurpVersion"
  /\ ReadsLocal(t, [l EXCEPT !.u.v = w1[UBase(l)], !.pc = "UsurpBase"])
  /\ Silent

UsurpBase(t) ==
  LET l == loc[t]
      a == w0[UBase(l)]
      still == CASE l.u.kind = "clear" -> a.k = Lost /\ a.m = {}
                 [] l.u.kind = "lift" -> a.k = Lost /\ l.u.c \in a.m
                 [] OTHER -> l.u.c \in a.m
      fits == a.f = "B" /\ still /\ l.u.v.z = 0
  IN
  /\ l.pc = "UsurpBase"
  /\ ReadsLocal(t, CASE fits -> [l EXCEPT !.u.b = a, !.pc = "AddFillHead"]
                     [] a.f = "O" -> MeetDescriptor(l, a.r)
                     [] OTHER -> Again(t, l))
  /\ MarkIf(fits /\ l.u.kind = "drop" /\ BusyWith(t, {"delete", "crop"}),
            "S24UsurpDeleteInProgress")

(* A glance at one cell of a window before a half is chosen (Glance).      *)
FrontPeek(t) ==
  LET l == loc[t]
      other == l.p.hole.c # 0
      h == IF other THEN 1 - l.half ELSE l.half
      a == w0[At(h, PushedFrom(l, h, Op(t).k), l.p.i)]
      limit == IF other THEN l.p.hole.c ELSE W
  IN
  /\ l.pc = "FrontPeek"
  /\ ReadsLocal(t, CASE a.f = "E" -> IF other THEN Settle(l, h) ELSE GlanceOther(l, l.p.i)
                     [] l.p.i + 1 < limit -> [l EXCEPT !.p.i = l.p.i + 1]
                     [] OTHER -> IF other THEN Settle(l, l.half) ELSE GlanceOther(l, W))
  /\ Silent

(* A place beyond the table is above a member of the window. Of each cell  *)
(* after the one that was passed comes the first such place, then of each  *)
(* one the second, and so on: a member of the window can go there once     *)
(* what is there has moved.                                                *)
RoomBeyond(t) ==
  LET l == loc[t]
      h == RoomHalf(l)
      passed == Passed(l, h)
      place == passed + RoomOffset(l) - W
      x == Pushed(l, h, Op(t).k, 1 + (place % (W - 1 - passed)))
      a == w0[x]
      above == 1 + (place \div (W - 1 - passed))
  IN
  /\ l.pc = "RoomBeyond"
  /\ ReadsLocal(t, IF a.f = "M" /\ a.p + above < W
                   THEN [l EXCEPT !.pc = "RoomCell",
                           !.u = [NoWork EXCEPT !.h = h, !.home = Below(h, x[2], a.p)[2],
                                                !.c = a.p + above]]
                   ELSE NextRoom(l, Op(t).k))
  /\ Silent

(* What is lost is reclaimed: a member is dropped; a base that is alone     *)
(* becomes empty; of one that is not the farthest member takes the place.  *)
Reclaims(a) == a.f \in {"M", "B"} /\ a.k = Lost
Reclaim(l, x, a) ==
  CASE a.f = "M" -> [l EXCEPT !.pc = "RoomValue",
                       !.u = [NoWork EXCEPT !.kind = "drop", !.h = x[1], !.c = a.p, !.w = a,
                                            !.home = Below(x[1], x[2], a.p)[2]]]
    [] a.m = {} -> [l EXCEPT !.pc = "UsurpVersion",
                      !.u = [NoWork EXCEPT !.kind = "clear", !.h = x[1], !.home = x[2]]]
    [] OTHER -> [l EXCEPT !.pc = "RoomMember",
                   !.u = [NoWork EXCEPT !.kind = "lift", !.h = x[1], !.home = x[2], !.c = Greatest(a.m)]]

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
                     [] Reclaims(a) -> Reclaim(l, x, a)
                     [] a.f = "M" /\ ~own /\ a.p + 1 < W ->
                          [work("move") EXCEPT !.pc = "RoomPeek", !.p.i = a.p + 1]
                     [] a.f = "M" /\ ~own -> [work("move") EXCEPT !.pc = "RoomBase"]
                     [] OTHER -> NoUse(t, l))
  /\ Silent

(* Is there a hole for the member? A glance that saves an operation which  *)
(* would find none: the operation itself looks again.                      *)
RoomPeek(t) ==
  LET l == loc[t]
      a == w0[At(l.u.h, l.u.home, l.p.i)]
      l1 == IF Reclaims(a) /\ l.spare = NoSpare
            THEN [l EXCEPT !.spare = [h |-> l.u.h, home |-> l.u.home, c |-> l.p.i]] ELSE l
  IN
  /\ l.pc = "RoomPeek"
  /\ ReadsLocal(t, CASE a.f = "E" -> [l EXCEPT !.p.i = 0, !.pc = "RoomValue"]
                     [] l.p.i + 1 < W -> [l1 EXCEPT !.p.i = l.p.i + 1]
                     [] OTHER -> [l1 EXCEPT !.p.i = 0, !.pc = "RoomBase"])
  /\ Silent

(* The member has no hole above it. If its base is lost, which may stand   *)
(* outside of all windows that the add looks at, the member can take the   *)
(* base's place.                                                           *)
RoomBase(t) ==
  LET l == loc[t]
      a == w0[UBase(l)]
  IN
  /\ l.pc = "RoomBase"
  /\ ReadsLocal(t, IF a.f = "B" /\ a.k = Lost /\ l.u.c \in a.m
                   THEN [l EXCEPT !.u.kind = "lift", !.pc = "RoomValue"]
                   ELSE NoUse(t, l))
  /\ Silent

(* The base of another bucket is lost, and its farthest member takes its   *)
(* place, if it is not lost itself: a cell becomes empty, which is in the  *)
(* windows of the add, or near them.                                       *)
RoomMember(t) ==
  LET l == loc[t]
      a == w0[RoomAddr(t)]
  IN
  /\ l.pc = "RoomMember"
  /\ ReadsLocal(t, IF a.f = "M" /\ a.p = l.u.c
                   THEN [l EXCEPT !.u.kind = IF a.k = Lost THEN "drop" ELSE "lift", !.u.w = a,
                                  !.pc = "RoomValue"]
                   ELSE IF a.f = "U" THEN MeetDescriptor(l, a.r)
                   ELSE Anew(t, l))
  /\ Silent

(* The lost element above a member that cannot move (NextRoom). *)
RoomSpare(t) ==
  LET l == loc[t]
      x == RoomAddr(t)
      a == w0[x]
  IN
  /\ l.pc = "RoomSpare"
  /\ ReadsLocal(t, IF Reclaims(a) THEN Reclaim(l, x, a) ELSE Anew(t, l))
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
  \/ FrontPeek(t) \/ UsurpVersion(t) \/ UsurpBase(t)
  \/ RoomBeyond(t) \/ RoomCell(t) \/ RoomPeek(t) \/ RoomBase(t)
  \/ RoomMember(t) \/ RoomSpare(t)
  \/ RoomValue(t)
  \/ EvictMember(t) \/ EvictValue(t)
=============================================================================
