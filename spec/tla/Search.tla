------------------------------- MODULE Search -------------------------------
(***************************************************************************)
(* Reading: one half is searched for one key, without a store.             *)
(* S05, S06. Engine: impl/hopscotch/search.go.                             *)
(*                                                                         *)
(* Three callers (mode): a get searches both halves; an add does, too, and *)
(* is told of a pending add of its key; a helper has a look at one half    *)
(* before it decides.                                                      *)
(***************************************************************************)
EXTENDS Cells

StartSearch(l, mode, k, h) ==
  [l EXCEPT !.pc = "SearchVersion",
            !.s = [NoSearch EXCEPT !.mode = mode, !.k = k, !.h = h]]

Restart(l) == {StartSearch(l, l.s.mode, l.s.k, l.s.h)}

StartHelp(l, r) ==
  [l EXCEPT !.pc = "HelpHead", !.s = NoSearch,
            !.view = [h \in Half |-> NoView], !.p = [NoHelp EXCEPT !.r = r]]

(* What the descriptor found at a home cell waits on; see Add. *)
MeetDescriptor(l, r) ==
  IF FixHelp THEN StartHelp(l, r)
  ELSE StartSearch([l EXCEPT !.view = [h \in Half |-> NoView]], "add", l.s.k, 0)

Finish(l, r) == {[l EXCEPT !.pc = "ClientReturn", !.s = NoSearch,
                           !.view = [h \in Half |-> NoView], !.half = NoHalf,
                           !.tried = {}, !.p = [NoHelp EXCEPT !.t = r]]}
(* The result waits in p.t, as status and value. *)
Result(st, v) == Tgt(0, st, v, 0)

(* Both halves have been searched, the key is absent: choose a half, once  *)
(* for the operation, the one with fewer elements, a random one on a tie.  *)
Plan(l) ==
  LET usable == {h \in Half \ l.tried : l.view[h].b.f # "M"}
      best == IF l.half \in usable THEN {l.half}
              ELSE {h \in usable : \A g \in usable :
                      Load(l.view[h].b) <= Load(l.view[g].b)}
      go(h) == IF l.view[h].b.f \in {"E", "B"}
               THEN [l EXCEPT !.half = h, !.s = NoSearch, !.pc = "AddFillHead"]
               ELSE MeetDescriptor([l EXCEPT !.half = h], l.view[h].b.r)
  IN IF usable = {} THEN Finish(l, Result("full", None)) ELSE {go(h) : h \in best}

(* Where a search that has ended goes on: a set, for the choice on a tie. *)
Absent(l) ==
  CASE l.s.mode = "get" ->
         IF l.s.h = 0 THEN {StartSearch(l, "get", l.s.k, 1)}
         ELSE Finish(l, Result("absent", None))
    [] l.s.mode = "add" ->
         LET l1 == [l EXCEPT !.view[l.s.h] = [b |-> l.s.b, v |-> l.s.v]]
         IN IF l.s.h = 0 THEN {StartSearch(l1, "add", l.s.k, 1)} ELSE Plan(l1)
    [] OTHER -> {[l EXCEPT !.pc = "HelpCommit", !.s = NoSearch]}

Found(l, v) ==
  CASE l.s.mode = "get" -> Finish(l, Result("found", v))
    [] l.s.mode = "add" -> Finish(l, Result("exists", None))
    [] OTHER -> {[l EXCEPT !.pc = "HelpAbort", !.s = NoSearch]}

(* Another descriptor announces the very key: r, with status st. Of two    *)
(* undecided adds of one key the one in half 0 wins.                       *)
Pending(l, r, st) ==
  CASE l.s.mode = "add" -> {MeetDescriptor(l, r)}
    [] st = "undecided" /\ l.p.head.h = 0 -> {At0(l, "HelpAbortOther")}
    [] OTHER -> {[l EXCEPT !.pc = "HelpAbort", !.s = NoSearch]}

(* The members that are left are looked at one by one; nothing matched:    *)
(* base and version must not have moved meanwhile. A bucket of one element *)
(* is proven by the single read of its base.                               *)
Members(l, m) ==
  IF m = {} THEN Absent(l)
  ELSE {[l EXCEPT !.pc = "SearchMember", !.s.left = m]}

NextMember(l) ==
  LET left == l.s.left \ {Least(l.s.left)} IN
  IF left = {} THEN {[l EXCEPT !.pc = "SearchBaseAgain", !.s.left = {}]}
  ELSE {[l EXCEPT !.s.left = left]}

Home0(l) == <<l.s.h, Home[l.s.h][l.s.k]>>
Member(l) == At(l.s.h, Home[l.s.h][l.s.k], Least(l.s.left))
Reads(t, set) ==
  /\ \E l \in set : Goto(t, l)
  /\ UNCHANGED <<w0, w1, desc, dead, absVars>>
Silent == UNCHANGED marks
----------------------------------------------------------------------------
SearchVersion(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchVersion"
  /\ Reads(t, {[l EXCEPT !.s.v = w1[Home0(l)], !.pc = "SearchBase"]})
  /\ Silent

SearchBase(t) ==
  LET l == loc[t]
      a == w0[Home0(l)]
      l1 == [l EXCEPT !.s.b = a]
  IN
  /\ l.pc = "SearchBase"
  /\ Reads(t,
       CASE a.f \in {"E", "M"} -> Absent(l1)
         [] a.f = "C" /\ l.s.mode = "get" -> Absent(l1)
         [] a.f \in {"C", "O"} -> {[l1 EXCEPT !.s.r = a.r, !.pc = "SearchHead"]}
         [] a.k = l.s.k -> {At0(l1, "SearchVersionAgain")}
         [] OTHER -> Members(l1, a.m))
  /\ Mark(IF a.f = "C" /\ l.s.mode = "get" THEN {"S05AddEmptyGet"} ELSE {})

(* The descriptor behind a C or an O: its words, then its head again. *)
SearchHead(t) ==
  LET l == loc[t]
      x == desc[l.s.r.d].head
  IN
  /\ l.pc = "SearchHead"
  /\ Reads(t, IF x.gen = l.s.r.g THEN {[l EXCEPT !.s.head = x, !.pc = "SearchPair"]}
              ELSE Restart(l))
  /\ Silent

SearchPair(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchPair"
  /\ Reads(t, {[l EXCEPT !.s.pair = desc[l.s.r.d].pair,
                         !.pc = IF l.s.b.f = "C" THEN "SearchTarget" ELSE "SearchPlan"]})
  /\ Silent

SearchPlan(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchPlan"
  /\ Reads(t, {[l EXCEPT !.s.plan = desc[l.s.r.d].plan, !.pc = "SearchTarget"]})
  /\ Silent

SearchTarget(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchTarget"
  /\ Reads(t, {[l EXCEPT !.s.t = desc[l.s.r.d].target, !.pc = "SearchHeadAgain"]})
  /\ Silent

SearchHeadAgain(t) ==
  LET l == loc[t]
      s == l.s
      announced == /\ s.mode # "get"
                   /\ s.pair.k = s.k
                   /\ s.t.st \in {"undecided", "committed"}
      here == s.head.h = s.h /\ s.head.home = Home[s.h][s.k]
      hole == IF FixStashedMember /\ s.t.c # 0 THEN {s.t.c} ELSE {}
  IN
  /\ l.pc = "SearchHeadAgain"
  /\ Reads(t,
       CASE desc[s.r.d].head # s.head -> Restart(l)
         [] s.b.f = "C" /\ here /\ announced -> Pending(l, s.r, s.t.st)
         [] s.b.f = "C" -> Absent(l)
         [] s.b.k = s.k -> {At0(l, "SearchVersionAgain")}
         [] announced -> Pending(l, s.r, s.t.st)
         [] OTHER -> Members(l, s.plan.m \cup hole))
  /\ Silent

(* A match at the base: the version says whether the pair belongs          *)
(* together; a frozen value belongs to the old key, the new one's is in    *)
(* the descriptor. S06.                                                    *)
SearchVersionAgain(t) ==
  LET l == loc[t]
      s == l.s
      now == w1[Home0(l)]
      new == s.b.f = "O" /\ s.pair.k = s.k
  IN
  /\ l.pc = "SearchVersionAgain"
  /\ Reads(t,
       CASE FixVersionCheck /\ now # s.v -> Restart(l)
         [] FixVersionCheck /\ s.v.z = 1 /\ s.b.f = "B" -> Restart(l)
         [] FixFrozenValue /\ s.v.z = 1 /\ new -> Found(l, s.pair.v)
         [] OTHER -> Found(l, s.v.v))
  /\ Silent

SearchMember(t) ==
  LET l == loc[t]
      r == w0[Member(l)]
  IN
  /\ l.pc = "SearchMember"
  /\ Reads(t, IF r.f = "M" /\ r.k = l.s.k /\ r.p = Least(l.s.left)
              THEN {[l EXCEPT !.s.mw = r, !.pc = "SearchMemberValue"]}
              ELSE NextMember(l))
  /\ Silent

SearchMemberValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchMemberValue"
  /\ Reads(t, {[l EXCEPT !.s.mv = w1[Member(l)], !.pc = "SearchMemberAgain"]})
  /\ Silent

(* S06: a get has found the displaced element where the stash points. *)
SearchMemberAgain(t) ==
  LET l == loc[t]
      same == w0[Member(l)] = l.s.mw
      stashed == same /\ l.s.mode = "get" /\ l.s.b.f = "O" /\ l.s.plan.k = l.s.k
  IN
  /\ l.pc = "SearchMemberAgain"
  /\ Reads(t, IF same THEN Found(l, l.s.mv.v) ELSE Restart(l))
  /\ Mark(IF stashed THEN {"S06AddCollisionGet"} ELSE {})

SearchBaseAgain(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchBaseAgain"
  /\ Reads(t, IF w0[Home0(l)] = l.s.b THEN {At0(l, "SearchVersionLast")} ELSE Restart(l))
  /\ Silent

SearchVersionLast(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchVersionLast"
  /\ Reads(t, IF w1[Home0(l)].n = l.s.v.n THEN Absent(l) ELSE Restart(l))
  /\ Silent

SearchNext(t) ==
  \/ SearchVersion(t) \/ SearchBase(t)
  \/ SearchHead(t) \/ SearchPair(t) \/ SearchPlan(t) \/ SearchTarget(t) \/ SearchHeadAgain(t)
  \/ SearchVersionAgain(t)
  \/ SearchMember(t) \/ SearchMemberValue(t) \/ SearchMemberAgain(t)
  \/ SearchBaseAgain(t) \/ SearchVersionLast(t)
=============================================================================
