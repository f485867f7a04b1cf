----------------------------- MODULE FullWindow -----------------------------
(***************************************************************************)
(* The completion service in a full window: the oldest member gives its    *)
(* place to the pair that has none. A member of the same bucket goes to    *)
(* older storage; a member of another base is queued for reinsertion       *)
(* there. State 3. The age of an element is its key: it keeps it for life, *)
(* the smaller the older.                                                  *)
(***************************************************************************)
EXTENDS Completion

(* w is the oldest member so far, j its offset, m what is still to be seen. *)
ServeOldest ==
  LET d == Least(l[R].m)
      w == c[Up(B0, d)]
      better == /\ w.f = "M" /\ w.k \notin {None, Lost} /\ w.n = 0
                /\ l[R].w.f = "E" \/ w.k < l[R].w.k
      next == [l[R] EXCEPT !.m = @ \ {d}, !.w = IF better THEN w ELSE @,
                           !.j = IF better THEN d ELSE @]
  IN
  /\ At(R, "ServeOldest")
  /\ Goto(R, next, IF next.m # {} THEN "ServeOldest"
                   ELSE IF next.w.f = "E" THEN "ServeShunt" ELSE "ServeOldValue")
  /\ KeepAll

(* Key k leaves the table for older storage: for the map it is gone. *)
Evict(k) ==
  /\ tier' = tier \cup {k}
  /\ lin' = [lin EXCEPT ![k] = {[y EXCEPT ![1] = None] : y \in @}]

(* Nobody in the window is a member: the pair itself has to leave. *)
ServeShunt ==
  /\ At(R, "ServeShunt")
  /\ Evict(l[R].k)
  /\ Goto(R, [l[R] EXCEPT !.k = None, !.v = None], "ServeDrop")
  /\ UNCHANGED <<c, tv, st, free, q, cq>>

ServeOldValue ==
  /\ At(R, "ServeOldValue")
  /\ Goto(R, [l[R] EXCEPT !.x = tv[A0]], "ServeSteal")
  /\ KeepAll

(* The cell is the bucket's now, its pair is written next. If the victim   *)
(* has changed meanwhile, somebody else is looked for.                     *)
ServeSteal ==
  LET w == l[R].w IN
  /\ At(R, "ServeSteal")
  /\ IF c[A0] = w
     THEN /\ c' = [c EXCEPT ![A0] = Member(l[R].j, {"immobile"}, 0, None)]
          /\ Goto(R, l[R], "ServeStealValue")
     ELSE /\ Goto(R, [l[R] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.m = Offsets],
                  "ServeOldest")
          /\ UNCHANGED c
  /\ KeepBut0

ServeStealValue ==
  /\ At(R, "ServeStealValue")
  /\ tv' = [tv EXCEPT ![A0] = Word1("T", {}, 0, 0, l[R].v)]
  /\ Goto(R, [l[R] EXCEPT !.v = None], "ServeStealKey")
  /\ KeepBut1

ServeStealKey ==
  /\ At(R, "ServeStealKey")
  /\ c' = [c EXCEPT ![A0] = Member(l[R].j, {}, 0, l[R].k)]
  /\ Goto(R, [l[R] EXCEPT !.k = None], "ServeGain")
  /\ KeepBut0

(* Taken maps do not change. The collision base gains a bit, a pair that   *)
(* was in the stash leaves it. What was taken: k, v; from the base at      *)
(* distance j below the cell.                                              *)
ServeGain ==
  LET w == l[R].w IN
  /\ At(R, "ServeGain")
  /\ st' = [st EXCEPT ![l[R].s].real = @ \cup {l[R].j},
                      ![l[R].s].k = IF l[R].kind = "old" THEN None ELSE @,
                      ![l[R].s].v = IF l[R].kind = "old" THEN None ELSE @]
  /\ IF w.o = l[R].j
     THEN Goto(R, [l[R] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.k = w.k], "ServeShunt")
     ELSE Goto(R, l[R], "ServeYieldLoad")
  /\ KeepButS
----------------------------------------------------------------------------
(* The yielding base is stashed, or its record is joined; it loses the     *)
(* bit, and the victim is queued for it. m is its map, k its key.          *)
Yield == Down(A0, l[R].w.o)

ServeYieldLoad ==
  LET w == c[Yield] IN
  /\ At(R, "ServeYieldLoad")
  /\ CASE w.f = "B" -> Goto(R, [l[R] EXCEPT !.m = w.m, !.k = w.k], "ServeYieldPop")
       [] w.f = "BO" -> Goto(R, [l[R] EXCEPT !.e = w.s], "ServeYieldFollow")
  /\ KeepAll

ServeYieldPop ==
  /\ At(R, "ServeYieldPop")
  /\ free # {}
  /\ free' = free \ {Least(free)}
  /\ Goto(R, [l[R] EXCEPT !.e = Least(free)], "ServeYieldFill")
  /\ KeepButF

ServeYieldFill ==
  /\ At(R, "ServeYieldFill")
  /\ st' = [st EXCEPT ![l[R].e] = Filled(l[R].m)]
  /\ Goto(R, l[R], "ServeYieldStash")
  /\ KeepButS

ServeYieldStash ==
  LET clean == [l[R] EXCEPT !.m = {}, !.k = None] IN
  /\ At(R, "ServeYieldStash")
  /\ IF c[Yield] = Base(l[R].m, l[R].k)
     THEN /\ c' = [c EXCEPT ![Yield] = BaseOp(l[R].e, {}, l[R].k)]
          /\ Goto(R, clean, "ServeYieldBit")
     ELSE Goto(R, clean, "ServeYieldPush") /\ UNCHANGED c
  /\ KeepBut0

ServeYieldPush ==
  /\ At(R, "ServeYieldPush")
  /\ free' = free \cup {l[R].e}
  /\ Goto(R, [l[R] EXCEPT !.e = 0], "ServeYieldLoad")
  /\ KeepButF

ServeYieldFollow ==
  /\ At(R, "ServeYieldFollow")
  /\ IF Tied /\ ~Names(c[Yield], l[R].e)
     THEN Goto(R, [l[R] EXCEPT !.e = 0], "ServeYieldLoad") /\ UNCHANGED st
     ELSE /\ st' = [st EXCEPT ![l[R].e].u = @ + 1]
          /\ Goto(R, l[R], "ServeYieldBit")
  /\ KeepButS

ServeYieldBit ==
  /\ At(R, "ServeYieldBit")
  /\ st' = [st EXCEPT ![l[R].e].real = @ \ {l[R].w.o}]
  /\ Goto(R, l[R], "ServeYieldQueue")
  /\ KeepButS

ServeYieldQueue ==
  /\ At(R, "ServeYieldQueue")
  /\ q' = Append(q, Item("put", Yield, l[R].e, l[R].w.k, l[R].x.v))
  /\ Goto(R, [l[R] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.e = 0], "ServeDrop")
  /\ KeepButQ

FullNext ==
  \/ ServeOldest \/ ServeShunt \/ ServeOldValue \/ ServeSteal \/ ServeStealValue
  \/ ServeStealKey \/ ServeGain \/ ServeYieldLoad \/ ServeYieldPop \/ ServeYieldFill
  \/ ServeYieldStash \/ ServeYieldPush \/ ServeYieldFollow \/ ServeYieldBit
  \/ ServeYieldQueue
=============================================================================
