------------------------------- MODULE Search -------------------------------
(***************************************************************************)
(* Reading: one half is searched for one key, without a store.             *)
(* Engine: impl/hopscotch/search.go.                                       *)
(*                                                                         *)
(* Who asks (mode): a get searches both halves; an update and a delete do, *)
(* too, and go on with what they found, which a lookup keeps as a ticket;  *)
(* an add is told of a pending add of its key; a helper has a look at one  *)
(* half before it decides. S05, S06, S11, S15 to S18, S25, S26.            *)
(***************************************************************************)
EXTENDS Choose

Restart(l) == {StartSearch(l, l.s.mode, l.s.k, l.s.h)}

(* The cell that the search matched, and its word 1: the base, or a member. *)
Home0(l) == <<l.s.h, Home[l.s.h][l.s.k]>>
Member(l) == At(l.s.h, Home[l.s.h][l.s.k], Least(l.s.left))
Matched(l) == IF l.s.mw = NoWord0 THEN Home0(l) ELSE Member(l)
MatchedValue(l) == IF l.s.mw = NoWord0 THEN l.s.v ELSE l.s.mv
Ticketed(l) == [l EXCEPT !.ticket = [h |-> Matched(l)[1], c |-> Matched(l)[2], w |-> MatchedValue(l)]]

(* Where a search that has ended goes on: a set, for the choice on a tie. *)
Absent(l) ==
  CASE l.s.mode \in {"get", "lookup", "update", "delete"} ->
         IF l.s.h = FirstHalf(l) THEN {StartSearch(l, l.s.mode, l.s.k, 1 - l.s.h)}
         ELSE Finish(l, Result("absent", None))
    [] l.s.mode = "add" ->
         LET l1 == [l EXCEPT !.view[l.s.h] = [b |-> l.s.b, v |-> l.s.v]]
         IN IF l.s.h = 0 THEN {StartSearch(l1, "add", l.s.k, 1)} ELSE Plan(l1)
    [] OTHER -> {[l EXCEPT !.pc = "HelpCommit", !.s = NoSearch]}

Found(l, v) ==
  CASE l.s.mode = "get" -> Finish(l, Result("found", v))
    [] l.s.mode = "add" -> Finish(l, Result("exists", None))
    [] l.s.mode = "lookup" -> Finish(Ticketed(l), Result("found", v))
    [] l.s.mode = "update" -> {At0(l, "UpdateSwap")}
    [] l.s.mode = "delete" -> {At0(l, "DeleteSwap")}
    [] OTHER -> {[l EXCEPT !.pc = "HelpAbort", !.s = NoSearch]}

(* Another descriptor announces the very key: r, with status st. Of two    *)
(* undecided adds of one key the one in half 0 wins.                       *)
Pending(l, r, st) ==
  CASE l.s.mode = "add" -> {MeetDescriptor(l, r)}
    [] st = "undecided" /\ l.p.head.h = 0 -> {At0(l, "HelpAbortOther")}
    [] OTHER -> {[l EXCEPT !.pc = "HelpAbort", !.s = NoSearch]}

(* Who wants the element where it stands, at rest: a ticket is of a word   *)
(* that is not frozen, so a lookup goes as an update does.                 *)
Writer(l) == l.s.mode \in {"lookup", "update", "delete"}

(* A get, lookup or update that looks into half 0 first may begin anew with     *)
(* half 1 when the base or a member is not its element: a look at the      *)
(* nearest member there, on which nothing else rests, tells that it        *)
(* probably is. It does so once: half 1 is the first one from then on.     *)
Turned(l) ==
  IF l.s.mode \in EitherFirst /\ FirstHalf(l) = 0 /\ l.s.h = 0
  THEN {StartSearch([l EXCEPT !.half = 1], l.s.mode, l.s.k, 1)}
  ELSE {}

(* The members that are left are looked at one by one; nothing matched:    *)
(* the version of the base must not have moved meanwhile, since no live    *)
(* element leaves its place without a new one. A bucket of one element is  *)
(* proven by the single read of its base.                                  *)
Members(l, m) ==
  IF m = {} THEN Absent(l)
  ELSE {[l EXCEPT !.pc = "SearchMember", !.s.left = m]}

NextMember(l) ==
  LET left == l.s.left \ {Least(l.s.left)} IN
  Turned(l) \cup
  IF left = {} THEN {[l EXCEPT !.pc = "SearchVersionLast", !.s.left = {}]}
  ELSE {[l EXCEPT !.s.left = left]}

(* The offsets of the bucket whose base is in operation. The member that a *)
(* move or a drop takes away counts until the base is thawed, with a new   *)
(* version; so does the reader's view of it, since it ends with a look at  *)
(* the version, also when no member is left: a reader's version that       *)
(* differs may be older than the operation, not younger.                   *)
Moved(s) == s.t.st = "committed" /\ s.v.n # s.expect.n
OffsetsSeen(s) ==
  LET hole == IF s.t.c # 0 THEN {s.t.c} ELSE {} IN
  CASE s.head.kind = "add" -> s.plan.m \cup (IF FixStashedMember THEN hole ELSE {})
    [] s.head.kind \in {"move", "drop"} /\ (Moved(s) \/ ~FixPhase) ->
         (s.plan.m \ {s.source.c}) \cup hole
    [] OTHER -> s.plan.m

Reads(t, set) ==
  /\ \E l \in set : Goto(t, l)
  /\ UNCHANGED <<w0, w1, desc, dead, histVars>>
Silent == UNCHANGED marks
MarkIf(cond, s) == Mark(IF cond THEN {s} ELSE {})
BusyWith(t, ops) == \E x \in Actors \ {t} : busy[x].op \in ops
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
      other == a.f # "B" \/ a.k # l.s.k
  IN
  /\ l.pc = "SearchBase"
  /\ Reads(t, (IF other THEN Turned(l) ELSE {}) \cup
       CASE a.f \in {"E", "M", "U"} -> Absent(l1)
         [] a.f = "C" /\ l.s.mode \notin {"add", "look"} -> Absent(l1)
         [] a.f \in {"C", "O"} -> {[l1 EXCEPT !.s.r = a.r, !.pc = "SearchHead"]}
         [] a.k = l.s.k /\ l.s.mode = "delete" -> Found(l1, None)
         [] a.k = l.s.k -> {At0(l1, "SearchVersionAgain")}
         [] OTHER -> Members(l1, a.m))
  /\ Mark((IF a.f = "C" /\ l.s.mode = "get" THEN {"S05AddEmptyGet"} ELSE {})
          \cup (IF a.f = "B" /\ l.s.mode = "get" /\ BusyWith(t, {"get"})
                THEN {"S15GetMany"} ELSE {}))

(* The descriptor behind a C or an O: its words, then its head again.      *)
SearchHead(t) ==
  LET l == loc[t]
      x == desc[l.s.r.d].head
  IN
  /\ l.pc = "SearchHead"
  /\ Reads(t, IF x.gen = l.s.r.g THEN {[l EXCEPT !.s.head = x, !.pc = "SearchPair"]}
              ELSE Restart(l))
  /\ Silent

(* The second time a word must be what it was.                             *)
Takes(t, field, x, pc) ==
  LET l == loc[t] IN
  /\ Reads(t, IF l.s.twice /\ x # l.s[field] THEN Restart(l)
              ELSE {[l EXCEPT !.s[field] = x, !.pc = pc]})
  /\ Silent

SearchPair(t) ==
  /\ loc[t].pc = "SearchPair"
  /\ Takes(t, "pair", desc[loc[t].s.r.d].pair,
           IF loc[t].s.b.f = "C" THEN "SearchTarget" ELSE "SearchPlan")

SearchPlan(t) ==
  /\ loc[t].pc = "SearchPlan"
  /\ Takes(t, "plan", desc[loc[t].s.r.d].plan,
           IF loc[t].s.head.kind \in {"move", "drop"} THEN "SearchExpect" ELSE "SearchTarget")

SearchExpect(t) ==
  /\ loc[t].pc = "SearchExpect"
  /\ Takes(t, "expect", desc[loc[t].s.r.d].expect, "SearchSource")

SearchSource(t) ==
  /\ loc[t].pc = "SearchSource"
  /\ Takes(t, "source", desc[loc[t].s.r.d].source, "SearchTarget")

SearchTarget(t) ==
  /\ loc[t].pc = "SearchTarget"
  /\ Takes(t, "t", desc[loc[t].s.r.d].target, "SearchHeadAgain")

(* The words behind an O are those of one operation on this very base,     *)
(* however often the generation has come round while the reader slept, if  *)
(* the version of the base does not move until the search has ended        *)
(* (MCReaders). For then nothing is thawed meanwhile, so what is installed *)
(* meanwhile, or frozen at the first look, stays. What is let go had been  *)
(* thawed before. So of a base that is not frozen the words are read       *)
(* twice, with a look at the base in between: it sees the first operation  *)
(* still, to which the words read before it belong, or one that stays, to  *)
(* which those read after it belong; and they are the same.                *)
OneOperation(s) == s.v.z = 1 \/ s.twice

SearchBaseAgain(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchBaseAgain"
  /\ Reads(t, IF w0[Home0(l)] # l.s.b THEN Restart(l)
              ELSE {[l EXCEPT !.s.twice = TRUE, !.pc = "SearchPair"]})
  /\ Silent

SearchHeadAgain(t) ==
  LET l == loc[t]
      s == l.s
      announced == /\ s.mode \in {"add", "look"}
                   /\ s.head.kind \in {"new", "add", "replace"}
                   /\ s.pair.k = s.k
                   /\ s.t.st \in {"undecided", "committed"}
      here == s.head.h = s.h /\ s.head.home = Home[s.h][s.k]
      live == desc[s.r.d].head = s.head
      met(kinds) == live /\ s.b.f = "O" /\ s.head.kind \in kinds
  IN
  /\ l.pc = "SearchHeadAgain"
  /\ Reads(t,
       CASE ~live -> Restart(l)
         [] s.b.f = "C" /\ here /\ announced -> Pending(l, s.r, s.t.st)
         [] s.b.f = "C" -> Absent(l)
         [] s.b.k = s.k /\ s.mode = "delete" -> {MeetDescriptor(l, s.r)}
         [] s.b.k = s.k -> {At0(l, "SearchVersionAgain")}
         [] announced -> Pending(l, s.r, s.t.st)
         [] ~OneOperation(s) -> {At0(l, "SearchBaseAgain")}
         [] FixLastLook /\ OffsetsSeen(s) = {} -> {At0(l, "SearchVersionLast")}
         [] OTHER -> Members(l, OffsetsSeen(s)))
  /\ Mark((IF met({"move"}) /\ s.mode = "delete" /\ s.b.k = s.k THEN {"S14UsurpDeleteBase"} ELSE {})
          \cup (IF met({"drop"}) /\ s.mode = "get" /\ s.pair.k = Lost
                THEN {"S16GetDeleteMember"} ELSE {})
          \cup (IF met({"lift"}) /\ s.mode = "get" THEN {"S17GetDeleteBase"} ELSE {}))

(* A match at the base: the version says whether the pair belongs          *)
(* together; a frozen value belongs to the old key, the new one's is in    *)
(* the descriptor, if the operation brings one: a move that will be given  *)
(* up may be about a member that had the key of the base in former times.  *)
(* A writer helps to thaw it. S06, S07, S18.                               *)
SearchVersionAgain(t) ==
  LET l == loc[t]
      s == l.s
      now == w1[Home0(l)]
      new == s.b.f = "O" /\ s.pair.k = s.k
             /\ (s.head.kind \in BringsKey \/ ~FixNewKey)
      fixed == FixVersionCheck /\ now # s.v
  IN
  /\ l.pc = "SearchVersionAgain"
  /\ Reads(t,
       CASE fixed -> Restart(l)
         [] FixVersionCheck /\ s.v.z = 1 /\ s.b.f = "B" -> Restart(l)
         [] s.v.z = 1 /\ s.mode \in {"lookup", "update"} -> {MeetDescriptor(l, s.r)}
         [] FixFrozenValue /\ s.v.z = 1 /\ new -> Found(l, s.pair.v)
         [] OTHER -> Found(l, s.v.v))
  /\ Mark((IF ~fixed /\ s.v.z = 1 /\ s.mode = "update" /\ s.head.kind = "add"
             THEN {"S07AddCollisionUpdate"} ELSE {})
          \cup (IF fixed /\ s.mode = "get" /\ BusyWith(t, {"update"}) THEN {"S18GetUpdate"} ELSE {}))

(* U: an operation on this very bucket is about to move the member or to   *)
(* take it out. A reader may use it, if the version of the base says       *)
(* afterwards that it was still there; a writer helps. S11 to S13.         *)
SearchMember(t) ==
  LET l == loc[t]
      r == w0[Member(l)]
      match == r.f \in {"M", "U"} /\ r.k = l.s.k
      helps == match /\ Writer(l) /\ r.f = "U"
  IN
  /\ l.pc = "SearchMember"
  /\ Reads(t,
       CASE ~match -> NextMember(l)
         [] helps -> {MeetDescriptor(l, r.r)}
         [] l.s.mode = "delete" ->
              IF FixMemberBase THEN {[l EXCEPT !.s.mw = r, !.pc = "SearchVersionLast"]}
              ELSE Found([l EXCEPT !.s.mw = r], None)
         [] OTHER -> {[l EXCEPT !.s.mw = r, !.pc = "SearchMemberValue"]})
  /\ MarkIf(helps /\ l.s.mode = "update", "S12UsurpUpdate")

SearchMemberValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "SearchMemberValue"
  /\ Reads(t, {[l EXCEPT !.s.mv = w1[Member(l)], !.pc = "SearchMemberAgain"]})
  /\ Silent

(* S06: a get has found the displaced element where the stash points. *)
SearchMemberAgain(t) ==
  LET l == loc[t]
      same == w0[Member(l)] = l.s.mw
      stashed == same /\ l.s.mode = "get" /\ l.s.head.kind = "add" /\ l.s.plan.k = l.s.k
      again == l.s.mw.f = "U" \/ (Writer(l) /\ FixMemberBase)
  IN
  /\ l.pc = "SearchMemberAgain"
  /\ Reads(t, CASE ~same -> Restart(l)
                [] again -> {At0(l, "SearchVersionLast")}
                [] OTHER -> Found(l, l.s.mv.v))
  /\ MarkIf(stashed, "S06AddCollisionGet")

SearchVersionLast(t) ==
  LET l == loc[t]
      same == w1[Home0(l)].n = l.s.v.n
      found == l.s.mw # NoWord0
  IN
  /\ l.pc = "SearchVersionLast"
  /\ Reads(t, CASE ~same -> Restart(l)
                [] found -> Found(l, l.s.mv.v)
                [] OTHER -> Absent(l))
  /\ MarkIf(same /\ l.s.mode = "get" /\ l.s.mw.f = "U" /\ l.s.head.kind = "move", "S11UsurpGet")

SearchNext(t) ==
  \/ SearchVersion(t) \/ SearchBase(t)
  \/ SearchHead(t) \/ SearchPair(t) \/ SearchPlan(t) \/ SearchTarget(t)
  \/ SearchExpect(t) \/ SearchSource(t) \/ SearchHeadAgain(t) \/ SearchBaseAgain(t)
  \/ SearchVersionAgain(t)
  \/ SearchMember(t) \/ SearchMemberValue(t) \/ SearchMemberAgain(t)
  \/ SearchVersionLast(t)
=============================================================================
