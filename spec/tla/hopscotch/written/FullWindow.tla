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
ServeOldest(t) ==
  LET d == Least(l[t].m)
      w == c[Up(B0(t), d)]
      better == /\ w.f = "M" /\ w.k \notin {None, Lost} /\ w.n = 0
                /\ l[t].w.f = "E" \/ w.k < l[t].w.k
      next == [l[t] EXCEPT !.m = @ \ {d}, !.w = IF better THEN w ELSE @,
                           !.j = IF better THEN d ELSE @]
  IN
  /\ At(t, "ServeOldest")
  /\ Goto(t, next, IF next.m # {} THEN "ServeOldest"
                   ELSE IF next.w.f = "E" THEN "ServeShunt" ELSE "ServeOldValue")
  /\ KeepAll

(* Key k leaves the table for older storage: for the map it is gone. *)
Evict(k) ==
  /\ tier' = tier \cup {k}
  /\ lin' = [lin EXCEPT ![k] = {[y EXCEPT ![1] = None] : y \in @}]

(* Nobody in the window is a member: the pair itself has to leave. *)
ServeShunt(t) ==
  /\ At(t, "ServeShunt")
  /\ Evict(l[t].k)
  /\ Goto(t, [l[t] EXCEPT !.k = None, !.v = None], "ServeDrop")
  /\ UNCHANGED <<c, tv, st, free, q, cq>>

ServeOldValue(t) ==
  /\ At(t, "ServeOldValue")
  /\ Goto(t, [l[t] EXCEPT !.x = tv[A0(t)]], "ServeSteal")
  /\ KeepAll

(* The cell is the bucket's now, its pair is written next. If the victim   *)
(* has changed meanwhile, somebody else is looked for.                     *)
ServeSteal(t) ==
  LET w == l[t].w IN
  /\ At(t, "ServeSteal")
  /\ IF c[A0(t)] = w
     THEN /\ c' = [c EXCEPT ![A0(t)] = Member(l[t].j, {"immobile"}, 0, None)]
          /\ Goto(t, l[t], "ServeStealValue")
     ELSE /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.m = Offsets],
                  "ServeOldest")
          /\ UNCHANGED c
  /\ KeepBut0

ServeStealValue(t) ==
  /\ At(t, "ServeStealValue")
  /\ tv' = [tv EXCEPT ![A0(t)] = Word1("T", {}, 0, 0, l[t].v)]
  /\ Goto(t, [l[t] EXCEPT !.v = None], "ServeStealKey")
  /\ KeepBut1

ServeStealKey(t) ==
  /\ At(t, "ServeStealKey")
  /\ c' = [c EXCEPT ![A0(t)] = Member(l[t].j, {}, 0, l[t].k)]
  /\ Goto(t, [l[t] EXCEPT !.k = None], "ServeGain")
  /\ KeepBut0

(* Taken maps do not change. The collision base gains a bit, a pair that   *)
(* was in the stash leaves it. What was taken: k, v; from the base at      *)
(* distance j below the cell.                                              *)
ServeGain(t) ==
  LET w == l[t].w IN
  /\ At(t, "ServeGain")
  /\ Gained(t)
  /\ IF w.o = l[t].j
     THEN Goto(t, [l[t] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.k = w.k], "ServeShunt")
     ELSE Goto(t, l[t], "ServeYieldLoad")
  /\ KeepButS
----------------------------------------------------------------------------
(* The yielding base is stashed, or its record is joined; it loses the     *)
(* bit, and the victim is queued for it. m is its map, k its key.          *)
Yield(t) == Down(A0(t), l[t].w.o)

ServeYieldLoad(t) ==
  LET w == c[Yield(t)] IN
  /\ At(t, "ServeYieldLoad")
  /\ CASE w.f = "B" -> Goto(t, [l[t] EXCEPT !.m = w.m, !.k = w.k], "ServeYieldPop")
       [] w.f = "BO" -> Goto(t, [l[t] EXCEPT !.e = w.s], "ServeYieldFollow")
  /\ KeepAll

ServeYieldPop(t) ==
  /\ At(t, "ServeYieldPop")
  /\ free # {}
  /\ free' = free \ {Least(free)}
  /\ Goto(t, [l[t] EXCEPT !.e = Least(free)], "ServeYieldFill")
  /\ KeepButF

ServeYieldFill(t) ==
  /\ At(t, "ServeYieldFill")
  /\ st' = [st EXCEPT ![l[t].e] = Filled(l[t].m)]
  /\ Goto(t, l[t], "ServeYieldStash")
  /\ KeepButS

ServeYieldStash(t) ==
  LET clean == [l[t] EXCEPT !.m = {}, !.k = None] IN
  /\ At(t, "ServeYieldStash")
  /\ IF c[Yield(t)] = Base(l[t].m, l[t].k)
     THEN /\ c' = [c EXCEPT ![Yield(t)] = BaseOp(l[t].e, {}, l[t].k)]
          /\ Goto(t, clean, "ServeYieldBit")
     ELSE Goto(t, clean, "ServeYieldPush") /\ UNCHANGED c
  /\ KeepBut0

ServeYieldPush(t) ==
  /\ At(t, "ServeYieldPush")
  /\ free' = free \cup {l[t].e}
  /\ Goto(t, [l[t] EXCEPT !.e = 0], "ServeYieldLoad")
  /\ KeepButF

ServeYieldFollow(t) ==
  /\ At(t, "ServeYieldFollow")
  /\ IF Tied /\ ~Names(c[Yield(t)], l[t].e)
     THEN Goto(t, [l[t] EXCEPT !.e = 0], "ServeYieldLoad") /\ UNCHANGED st
     ELSE /\ st' = [st EXCEPT ![l[t].e].u = @ + 1]
          /\ Goto(t, l[t], "ServeYieldBit")
  /\ KeepButS

ServeYieldBit(t) ==
  /\ At(t, "ServeYieldBit")
  /\ st' = [st EXCEPT ![l[t].e].real = @ \ {l[t].w.o}]
  /\ Goto(t, l[t], "ServeYieldQueue")
  /\ KeepButS

ServeYieldQueue(t) ==
  /\ At(t, "ServeYieldQueue")
  /\ q' = Append(q, Item("put", Yield(t), l[t].e, l[t].w.k, l[t].x.v))
  /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.x = Zero1, !.j = 0, !.e = 0], "ServeDrop")
  /\ KeepButQ

FullNext(t) ==
  \/ ServeOldest(t) \/ ServeShunt(t) \/ ServeOldValue(t) \/ ServeSteal(t) \/ ServeStealValue(t)
  \/ ServeStealKey(t) \/ ServeGain(t) \/ ServeYieldLoad(t) \/ ServeYieldPop(t) \/ ServeYieldFill(t)
  \/ ServeYieldStash(t) \/ ServeYieldPush(t) \/ ServeYieldFollow(t) \/ ServeYieldBit(t)
  \/ ServeYieldQueue(t)
=============================================================================
