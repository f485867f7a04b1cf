----------------------------- MODULE MCReaders -----------------------------
(***************************************************************************)
(* A get that sleeps behind a held base while the descriptor's generations *)
(* go once round, and reads the words while the owner fills them for the   *)
(* next operation with that number.                                        *)
(*                                                                         *)
(* What it reads is of another home cell, or of two operations. The look   *)
(* at the base and the second reading of the words tell (OneOperation in   *)
(* Search), with the version of the base at the end. What would not do:    *)
(*                                                                         *)
(* A head that names the home cell: the operation may be of the same one   *)
(* (Bug_FixSecondLook).                                                    *)
(*                                                                         *)
(* The version of the base, looked at once more before the get says        *)
(* absent: it moves with the thaw, and the get may have come between the   *)
(* thaw and the end of the operation (Bug_FixSecondLook).                  *)
(*                                                                         *)
(* The target first, which is the last word to be filled, and then the     *)
(* others, under one head (RdNext below): the get may as well sleep after  *)
(* the target, and the next operation with that number be of the same      *)
(* kind, so that its head is the same (Bug_TargetFirst).                   *)
(***************************************************************************)
EXTENDS MCHopscotch

(* A third program, beside S03AddFull and Back: as in Back, but the second *)
(* operation of the number is of the kind of the first.                    *)
BackSame ==
  [program |-> << <<delete(1), add(3, 33), delete(9), crop(9), delete(3), add(1, 11)>>,
                  <<get(2)>> >>,
   memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(0, 9, 90),
               in(1, 4, 40), member(1, 13, 70, 1), member(1, 14, 80, 2)}]

----------------------------------------------------------------------------
(* The actions of Search.tla in another order. Their guards are sets: the  *)
(* action that has the name of the counter is the one in Search.tla.       *)

RdGoto(t, pc, l) == Reads(t, {At0(l, pc)}) /\ Silent
RdHead(t) ==
  LET l == loc[t]  x == desc[l.s.r.d].head IN
  /\ l.pc \in {"SearchHead"}
  /\ Reads(t, IF x.gen # l.s.r.g THEN Restart(l)
              ELSE {At0([l EXCEPT !.s.head = x], "SearchTarget")})
  /\ Silent

RdTarget(t) ==
  LET l == loc[t]  x == desc[l.s.r.d].target IN
  /\ l.pc \in {"SearchTarget"}
  /\ Reads(t, IF x.gen # l.s.r.g THEN Restart(l)
              ELSE {At0([l EXCEPT !.s.t = x], "SearchPair")})
  /\ Silent

RdPair(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchPair"}
  /\ RdGoto(t, IF l.s.b.f = "C" THEN "SearchHeadAgain" ELSE "SearchPlan",
            [l EXCEPT !.s.pair = desc[l.s.r.d].pair])

RdPlan(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchPlan"}
  /\ RdGoto(t, IF l.s.head.kind \in {"move", "drop"} THEN "SearchExpect" ELSE "SearchHeadAgain",
            [l EXCEPT !.s.plan = desc[l.s.r.d].plan])

RdSource(t) ==
  LET l == loc[t] IN
  /\ l.pc \in {"SearchSource"}
  /\ RdGoto(t, "SearchHeadAgain", [l EXCEPT !.s.source = desc[l.s.r.d].source])

RdNext(t) ==
  \/ SearchVersion(t) \/ SearchBase(t)
  \/ RdHead(t) \/ RdTarget(t) \/ RdPair(t) \/ RdPlan(t) \/ SearchExpect(t) \/ RdSource(t)
  \/ SearchHeadAgain(t) \/ SearchVersionAgain(t)
  \/ SearchMember(t) \/ SearchMemberValue(t) \/ SearchMemberAgain(t)
  \/ SearchVersionLast(t)
=============================================================================
