------------------------------ MODULE Usurper ------------------------------
(***************************************************************************)
(* Adding at a member cell: the member is stashed and so is its base, the  *)
(* usurper waits for the readers of that base, moves the member's pair to  *)
(* the stash of the base for reinsertion, takes the position out of the    *)
(* base's real cbits, and makes the cell a base of its own. States 11 to   *)
(* 14, 24.                                                                 *)
(***************************************************************************)
EXTENDS FullWindow

(* In the local state: w the member as it was, s its stash record, b its   *)
(* base, e the base's stash record, x the base as it was loaded.           *)
UsurpPop(t) ==
  /\ At(t, "UsurpPop")
  /\ TakeRecord(t, "UsurpFill")

(* The bits of a member. In one field with the map of a base they are a    *)
(* map to whoever takes the record for a base's.                           *)
Saved(w) == IF "one field" \in Readings THEN {w.o} ELSE {}

UsurpFill(t) ==
  /\ At(t, "UsurpFill")
  /\ st' = [st EXCEPT ![l[t].s] = [Filled(Saved(l[t].w)) EXCEPT !.o = l[t].w.o]]
  /\ Goto(t, l[t], "UsurpStash")
  /\ KeepButS

UsurpStash(t) ==
  LET w == l[t].w IN
  /\ At(t, "UsurpStash")
  /\ IF c[H(t)] = w
     THEN /\ c' = [c EXCEPT ![H(t)] = Word0("MO", {}, 0, l[t].s, w.fl, w.n, w.k)]
          /\ Goto(t, [l[t] EXCEPT !.b = Down(H(t), w.o)], "UsurpBaseLoad")
     ELSE Goto(t, [l[t] EXCEPT !.w = Empty0], "AddPush") /\ UNCHANGED c
  /\ KeepBut0

(* The base of the member. *)
UsurpBaseLoad(t) ==
  LET w == c[l[t].b] IN
  /\ At(t, "UsurpBaseLoad")
  /\ CASE w.f = "B" -> Goto(t, [l[t] EXCEPT !.m = w.m, !.k = w.k], "UsurpBasePop")
       [] w.f = "BO" -> Goto(t, [l[t] EXCEPT !.e = w.s], "UsurpBaseFollow")
       [] OTHER -> Goto(t, l[t], "UsurpMaster")
  /\ KeepAll

UsurpBasePop(t) ==
  /\ At(t, "UsurpBasePop")
  /\ free # {}
  /\ free' = free \ {Least(free)}
  /\ Goto(t, [l[t] EXCEPT !.e = Least(free)], "UsurpBaseFill")
  /\ KeepButF

UsurpBaseFill(t) ==
  /\ At(t, "UsurpBaseFill")
  /\ st' = [st EXCEPT ![l[t].e] = Filled(l[t].m)]
  /\ Goto(t, l[t], "UsurpBaseStash")
  /\ KeepButS

UsurpBaseStash(t) ==
  LET clean == [l[t] EXCEPT !.m = {}, !.k = None] IN
  /\ At(t, "UsurpBaseStash")
  /\ IF c[l[t].b] = Base(l[t].m, l[t].k)
     THEN /\ c' = [c EXCEPT ![l[t].b] = BaseOp(l[t].e, {}, l[t].k)]
          /\ Goto(t, clean, "UsurpMaster")
     ELSE Goto(t, clean, "UsurpBasePush") /\ UNCHANGED c
  /\ KeepBut0

UsurpBasePush(t) ==
  /\ At(t, "UsurpBasePush")
  /\ free' = free \cup {l[t].e}
  /\ Goto(t, [l[t] EXCEPT !.e = 0], "UsurpBaseLoad")
  /\ KeepButF

UsurpBaseFollow(t) ==
  /\ At(t, "UsurpBaseFollow")
  /\ IF Tied /\ ~Names(c[l[t].b], l[t].e)
     THEN Goto(t, [l[t] EXCEPT !.e = 0], "UsurpBaseLoad") /\ UNCHANGED st
     ELSE /\ st' = [st EXCEPT ![l[t].e].u = @ + 1]
          /\ Goto(t, l[t], "UsurpMaster")
  /\ KeepButS
----------------------------------------------------------------------------
UsurpMaster(t) ==
  /\ At(t, "UsurpMaster")
  /\ c' = [c EXCEPT ![H(t)].fl = @ \cup {"usurped", "immobile"}]
  /\ Goto(t, l[t], "UsurpWait")
  /\ KeepBut0

(* "Must wait until readers are done with the original base bucket". *)
UsurpWait(t) ==
  /\ At(t, "UsurpWait")
  /\ NoReaders(tv[l[t].b])
  /\ Goto(t, l[t], IF l[t].w.k = Lost THEN "UsurpRemove" ELSE "UsurpValue")
  /\ KeepAll

UsurpValue(t) ==
  /\ At(t, "UsurpValue")
  /\ Goto(t, [l[t] EXCEPT !.v = tv[H(t)].v], "UsurpStashPair")
  /\ KeepAll

UsurpStashPair(t) ==
  /\ At(t, "UsurpStashPair")
  /\ st' = [st EXCEPT ![l[t].e].k = l[t].w.k, ![l[t].e].v = l[t].v]
  /\ Goto(t, [l[t] EXCEPT !.v = None], "UsurpEditor")
  /\ KeepButS

(* From now on searches of the base look into its stash. *)
UsurpEditor(t) ==
  LET b == l[t].b IN
  /\ At(t, "UsurpEditor")
  /\ c' = IF Names(c[b], l[t].e) THEN [c EXCEPT ![b].fl = @ \cup {"editor"}] ELSE c
  /\ Goto(t, l[t], "UsurpRemove")
  /\ KeepBut0

(* The bucket gives up the position. *)
UsurpRemove(t) ==
  /\ At(t, "UsurpRemove")
  /\ st' = IF l[t].e = 0 THEN st ELSE [st EXCEPT ![l[t].e].real = @ \ {l[t].w.o}]
  /\ Goto(t, l[t], "UsurpStoreKey")
  /\ KeepButS
----------------------------------------------------------------------------
(* A new base, as in state 1: key, value with tbits one, real cbits one.   *)
UsurpStoreKey(t) ==
  /\ At(t, "UsurpStoreKey")
  /\ c' = [c EXCEPT ![H(t)] = BaseOp(l[t].s, {"root"}, Op(t).k)]
  /\ Goto(t, l[t], "UsurpStoreValue")
  /\ KeepBut0

UsurpStoreValue(t) ==
  /\ At(t, "UsurpStoreValue")
  /\ tv' = [tv EXCEPT ![H(t)] = Word1("B", {0}, 0, 0, Op(t).v)]
  /\ Goto(t, l[t], "UsurpSetReal")
  /\ KeepBut1

UsurpSetReal(t) ==
  /\ At(t, "UsurpSetReal")
  /\ st' = [st EXCEPT ![l[t].s].real = {0}, ![l[t].s].o = 0]
  /\ Goto(t, l[t], "UsurpQueueNew")
  /\ KeepButS

UsurpQueueNew(t) ==
  /\ At(t, "UsurpQueueNew")
  /\ q' = Append(q, Item("new", H(t), l[t].s, None, None))
  /\ IF l[t].e = 0 THEN Answer(t, Added)
     ELSE Goto(t, [Fresh(t) EXCEPT !.b = l[t].b, !.e = l[t].e, !.k = l[t].w.k],
               "UsurpQueueOld")
  /\ KeepButQ

(* What the bucket lost is reinserted, unless it was deleted; the          *)
(* reference to its record is given back in any case.                      *)
UsurpQueueOld(t) ==
  /\ At(t, "UsurpQueueOld")
  /\ q' = Append(q, Item(IF l[t].k = Lost THEN "drop" ELSE "old", l[t].b, l[t].e, None, None))
  /\ Answer(t, Added)
  /\ KeepButQ

UsurperNext(t) ==
  \/ UsurpPop(t) \/ UsurpFill(t) \/ UsurpStash(t) \/ UsurpBaseLoad(t)
  \/ UsurpBasePop(t) \/ UsurpBaseFill(t) \/ UsurpBaseStash(t) \/ UsurpBasePush(t)
  \/ UsurpBaseFollow(t) \/ UsurpMaster(t) \/ UsurpWait(t) \/ UsurpValue(t)
  \/ UsurpStashPair(t) \/ UsurpEditor(t) \/ UsurpRemove(t) \/ UsurpStoreKey(t)
  \/ UsurpStoreValue(t) \/ UsurpSetReal(t) \/ UsurpQueueNew(t) \/ UsurpQueueOld(t)
=============================================================================
