----------------------------- MODULE MCReaders -----------------------------
(***************************************************************************)
(* A get that sleeps behind a held base while the descriptor's generations *)
(* go once round, and reads the words while the owner fills them for the   *)
(* next operation with that number.                                        *)
(*                                                                         *)
(* If that operation is of another home cell the head says so, and the get *)
(* starts again (SearchHeadAgain). If it is of the same one the get mixes  *)
(* the words of two operations (Bug_FixTargetFirst). The remedy, which is  *)
(* not in the engine: the target is read before the other words, not after *)
(* them. It is the last word to be filled, so what is read after it, under *)
(* one head, is of one operation; and that one was planned while the get   *)
(* was on its way, so what its plan does not name was absent then. That    *)
(* progress is older by some steps does no harm: where it matters the base *)
(* has been flipped, or thawed, before the get saw it, and then progress   *)
(* has come to its end.                                                    *)
(*                                                                         *)
(* The version of the base, looked at once more before the get says        *)
(* absent, is not enough: it moves with the thaw, and the get may have     *)
(* come between the thaw and the end of the operation.                     *)
(***************************************************************************)
EXTENDS MCHopscotch

CONSTANT FixTargetFirst

(* The actions of Search.tla in another order. Their guards are sets: the  *)
(* action that has the name of the counter is the one in Search.tla.       *)

RdGoto(t, pc, l) == Reads(t, {At0(l, pc)}) /\ Silent
RdHead(t) ==
  LET l == loc[t]  x == desc[l.s.r.d].head  l1 == [l EXCEPT !.s.head = x] IN
  /\ l.pc \in {"SearchHead"}
  /\ Reads(t, CASE x.gen # l.s.r.g -> Restart(l)
                [] FixTargetFirst -> {At0(l1, "SearchTarget")}
                [] OTHER -> {At0(l1, "SearchPair")})
  /\ Silent

RdTarget(t) ==
  LET l == loc[t]  x == desc[l.s.r.d].target  l1 == [l EXCEPT !.s.t = x] IN
  /\ l.pc \in {"SearchTarget"}
  /\ Reads(t, CASE ~FixTargetFirst -> {At0(l1, "SearchHeadAgain")}
                [] x.gen # l.s.r.g -> Restart(l)
                [] OTHER -> {At0(l1, "SearchPair")})
  /\ Silent

RdLast == IF FixTargetFirst THEN "SearchHeadAgain" ELSE "SearchTarget"
RdPair(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchPair"}
  /\ RdGoto(t, IF l.s.b.f = "C" THEN RdLast ELSE "SearchPlan",
            [l EXCEPT !.s.pair = desc[l.s.r.d].pair])

RdPlan(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchPlan"}
  /\ RdGoto(t, IF l.s.head.kind \in {"move", "drop"} THEN "SearchExpect" ELSE RdLast,
            [l EXCEPT !.s.plan = desc[l.s.r.d].plan])

RdSource(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchSource"}
  /\ RdGoto(t, RdLast, [l EXCEPT !.s.source = desc[l.s.r.d].source])

RdNext(t) ==
  \/ SearchVersion(t) \/ SearchBase(t)
  \/ RdHead(t) \/ RdTarget(t) \/ RdPair(t) \/ RdPlan(t) \/ SearchExpect(t) \/ RdSource(t)
  \/ SearchHeadAgain(t) \/ SearchVersionAgain(t)
  \/ SearchMember(t) \/ SearchMemberValue(t) \/ SearchMemberAgain(t)
  \/ SearchVersionLast(t)
=============================================================================
