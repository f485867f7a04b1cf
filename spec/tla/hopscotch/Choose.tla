------------------------------- MODULE Choose -------------------------------
(***************************************************************************)
(* Where an operation goes on once its searches have ended: with a search  *)
(* or a help from the beginning, with its result; and an add with a half,  *)
(* with the scan for room, or with what is to leave.                       *)
(* S03, S11 to S14. Engine: choose in impl/hopscotch/add.go, startRoom,    *)
(* roomAbove and frontHalf in room.go.                                     *)
(***************************************************************************)
EXTENDS Cells

StartSearch(l, mode, k, h) ==
  [l EXCEPT !.pc = "SearchVersion",
            !.s = [NoSearch EXCEPT !.mode = mode, !.k = k, !.h = h]]

(* A get, a lookup or an update looks into either half first; a look at    *)
(* both homes, on which nothing else rests, tells where the key probably   *)
(* is. Half 1 first is kept in l.half, which is an add's otherwise; who    *)
(* has helped begins with half 0.                                          *)
EitherFirst == {"get", "lookup", "update"}
FirstHalf(l) == IF l.s.mode \in EitherFirst /\ l.half = 1 THEN 1 ELSE 0
HalfAfterHelp(l) == IF l.s.mode \in EitherFirst THEN NoHalf ELSE l.half

StartHelp(l, r) ==
  [l EXCEPT !.pc = "HelpHead", !.s = NoSearch, !.u = NoWork, !.half = HalfAfterHelp(l),
            !.view = [h \in Half |-> NoView], !.p = [NoHelp EXCEPT !.r = r]]

(* What the descriptor found at a home cell waits on; see Add. *)
MeetDescriptor(l, r) ==
  IF FixHelp THEN StartHelp(l, r)
  ELSE StartSearch([l EXCEPT !.view = [h \in Half |-> NoView], !.half = HalfAfterHelp(l)],
                   l.s.mode, l.s.k, 0)

Finish(l, r) == {[l EXCEPT !.pc = "ClientReturn", !.s = NoSearch,
                           !.view = [h \in Half |-> NoView], !.half = NoHalf,
                           !.tried = {}, !.room = 0, !.spare = NoSpare, !.u = NoWork,
                           !.p = [NoHelp EXCEPT !.t = r]]}
(* The result waits in p.t, as status and value. *)
Result(st, v) == Tgt(0, st, v, 0)

(* The home cell is a member of another bucket: it has to leave first, for *)
(* another hole of its window if it is alive. Its value is read (again)    *)
(* after its key: what was there before may be older than the member, and  *)
(* its version is what a member that is given back gets as generation.     *)
(* S11 to S14, S24.                                                        *)
Usurp(l, h) ==
  LET a == l.view[h].b IN
  [l EXCEPT !.half = h, !.s = NoSearch, !.view = [g \in Half |-> NoView],
            !.pc = IF FixValueAfter THEN "RoomValue" ELSE "UsurpVersion",
            !.u = [NoWork EXCEPT !.kind = IF FixLostSkipped /\ a.k = Lost THEN "drop" ELSE "move",
                     !.h = h, !.home = Below(h, Home[h][l.s.k], a.p)[2],
                     !.c = a.p, !.w = a,
                     !.x = IF FixValueAfter THEN NoWord1 ELSE l.view[h].v]]

(* Nothing can move in either half: an element of the own bucket leaves,   *)
(* the base only if it is alone. A home that is another bucket's member is *)
(* itself what leaves. S03.                                                *)
EvictPlan(l) ==
  LET h == l.half  b == l.view[h].b IN
  CASE b.f = "B" /\ b.k # Lost /\ b.m # {} ->
         [l EXCEPT !.s = NoSearch, !.pc = "EvictMember",
            !.u = [NoWork EXCEPT !.h = h, !.home = Home[h][l.s.k], !.b = b,
                                 !.v = l.view[h].v, !.left = b.m]]
    [] b.f \in {"B", "E"} -> [l EXCEPT !.s = NoSearch, !.pc = "AddFillHead"]
    [] b.f = "M" -> [Usurp(l, h) EXCEPT !.u.kind = "drop"]
    [] OTHER -> MeetDescriptor(l, b.r)

(* Where a member has the home what is there is pushed along the window of *)
(* that member, from its offset on; elsewhere along that of the home.      *)
Passed(l, h) == IF l.view[h].b.f = "M" THEN l.view[h].b.p ELSE 0
PushedFrom(l, h, k) == Below(h, Home[h][k], Passed(l, h))[2]
Pushed(l, h, k, places) == At(h, PushedFrom(l, h, k), Passed(l, h) + places)
----------------------------------------------------------------------------
(* The scan for room: so many places on from the home, in the chosen half, *)
(* then in the other one. A place is a cell of the table as far as that    *)
(* goes, which is beyond the window where cells are in a row (RoomCell).   *)
(* Where it ends with the window the next places are above the members of  *)
(* the window, each in its own (RoomBeyond). There is none where the       *)
(* window has no cell after the one that was passed.                       *)
RoomHalf(l) == IF l.room < Reach THEN l.half ELSE 1 - l.half
RoomOffset(l) == l.room % Reach
Scans(l) == l.room \in 1 .. 2 * Reach - 1
InTable(l, k) ==
  LET h == RoomHalf(l)
  IN Passed(l, h) + RoomOffset(l) \in DOMAIN Place[h][PushedFrom(l, h, k)]
LookForRoom(l, k) == [l EXCEPT !.pc = IF InTable(l, k) THEN "RoomCell" ELSE "RoomBeyond"]

(* The next place, in the other half after the last one of the chosen one. *)
(* After the last one of both nothing can move; but if one of the members  *)
(* has a lost element above it, that is reclaimed, and the member can move *)
(* there.                                                                  *)
HasPlaces(l, h, k) == Passed(l, h) + 1 \in DOMAIN Place[h][PushedFrom(l, h, k)]
NextPlace(l, k) ==
  LET inOther == IF l.room < Reach THEN Reach + 1 ELSE l.room + 1
  IN CASE l.room + 1 < Reach /\ HasPlaces(l, l.half, k) -> l.room + 1
       [] inOther < 2 * Reach /\ HasPlaces(l, 1 - l.half, k) -> inOther
       [] OTHER -> 2 * Reach
NextRoom(l, k) ==
  LET go(l1) == CASE l1.room < 2 * Reach -> LookForRoom(l1, k)
                [] l1.spare # NoSpare ->
                     [l1 EXCEPT !.pc = "RoomSpare", !.room = 0, !.spare = NoSpare,
                                !.u = [NoWork EXCEPT !.h = l1.spare.h, !.home = l1.spare.home,
                                                     !.c = l1.spare.c]]
                [] OTHER -> StartSearch([l1 EXCEPT !.tried = {}, !.view = [h \in Half |-> NoView]], "add", k, 0)
  IN Strictly(go, [l EXCEPT !.room = NextPlace(l, k), !.u = NoWork, !.p = NoHelp])

(* Both halves are full: room is made. Where the home cell is another      *)
(* bucket's member, an empty cell of the window is of no use by itself,    *)
(* but one into which that member can move is. Of the search the scan      *)
(* keeps what it passes.                                                   *)
MakesRoom(l) ==
  NextRoom([l EXCEPT !.s = NoSearch, !.room = 0, !.spare = NoSpare,
              !.tried = {h \in Half : l.view[h].b.f \in {"M", "U"}},
              !.view = [h \in Half |-> IF l.view[h].b.f # "M" THEN NoView
                                       ELSE [b |-> M(None, l.view[h].b.p, 0), v |-> NoWord1]]], l.s.k)
----------------------------------------------------------------------------
(* The half is chosen: its home is taken, or made free.                    *)
GoWith(l, h) ==
  CASE l.view[h].b.f \in {"E", "B"} -> [l EXCEPT !.half = h, !.s = NoSearch, !.pc = "AddFillHead"]
    [] l.view[h].b.f = "M" -> Usurp(l, h)
    [] OTHER -> MeetDescriptor([l EXCEPT !.half = h], l.view[h].b.r)

(* A glance at the windows (FrontPeek), on which nothing rests: has what   *)
(* the home of the half h has to push away a hole in the front? If not,    *)
(* the other half is taken where its hole is nearer. While the other one   *)
(* is looked at p.hole.c is the offset of the first hole in half h; W if   *)
(* there is none.                                                          *)
Pushes(l, h) == l.view[h].b.f \in {"B", "M"} /\ l.view[h].b.k # Lost
Settle(l, h) == GoWith([l EXCEPT !.p = NoHelp], h)
PeekFrom(l, h, limit) ==
  IF Passed(l, h) + 1 < limit THEN [l EXCEPT !.pc = "FrontPeek", !.p.i = Passed(l, h) + 1]
  ELSE Settle(l, l.half)
GlanceOther(l, hole) ==
  CASE hole < Front -> Settle(l, l.half)
    [] ~Pushes(l, 1 - l.half) -> Settle(l, 1 - l.half)
    [] OTHER -> PeekFrom([l EXCEPT !.p.hole.c = hole], 1 - l.half, hole)
Glance(l, h) ==
  LET l1 == [l EXCEPT !.half = h, !.s = [NoSearch EXCEPT !.mode = l.s.mode, !.k = l.s.k]]
  IN CASE Front = W \/ ~Pushes(l, h) -> GoWith(l, h)
       [] Passed(l, h) + 1 < W -> PeekFrom(l1, h, W)
       [] OTHER -> GlanceOther(l1, W)

(* Both halves have been searched, the key is absent: choose a half, once  *)
(* for the operation, the one with fewer elements, either one on a tie.    *)
(* An add that has scanned for room and begins again, after it has helped, *)
(* forgets where it was: that counts from the chosen half, and this may be *)
(* another one.                                                            *)
Plan(l0) ==
  LET l == IF l0.room = 2 * Reach THEN l0 ELSE [l0 EXCEPT !.room = 0]
      usable == {h \in Half \ l.tried : l.view[h].b.f # "M" \/ MakeRoom}
      lighter == {h \in Half : \A g \in Half : Load(l.view[h].b) <= Load(l.view[g].b)}
  IN CASE l0.room = 2 * Reach -> {EvictPlan(l)}
       [] l.half \in usable -> {GoWith(l, l.half)}
       [] usable = Half -> {Glance(l, h) : h \in lighter}
       [] usable # {} -> {GoWith(l, h) : h \in usable}
       [] MakeRoom -> {MakesRoom(l)}
       [] OTHER -> Finish(l, Result("full", None))
=============================================================================
