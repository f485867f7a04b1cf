------------------------------- MODULE Adder -------------------------------
(***************************************************************************)
(* Adding. Prepare: the control bits of the home cell go to a stash        *)
(* record, or the count of the record that has them already goes up.       *)
(* Write: one thread becomes master of the bucket; it makes the cell a     *)
(* base, or replaces the pair of the base and stashes the old one; the     *)
(* others queue their pair. The rest is work of the completion service.    *)
(* States 1, 2, 4.                                                         *)
(***************************************************************************)
EXTENDS History

(* With two halves: the one whose bucket has fewer members, on a tie the   *)
(* random bit's. The halves are looked at one after the other; what is     *)
(* found there may be gone when the cell is stashed. The real bits of a    *)
(* base in operation are in its record. A cell to be usurped counts as one. *)
Chosen(t, n) ==
  IF l[t].h = 0 THEN Goto(t, [Fresh(t) EXCEPT !.h = 1, !.j = n], "ChooseLoad")
  ELSE LET second == n < l[t].j \/ (n = l[t].j /\ t \in Draws)
       IN Goto(t, [Fresh(t) EXCEPT !.h = IF second THEN 1 ELSE 0], "AddLoad")

ChooseLoad(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "ChooseLoad")
  /\ CASE w.f = "BO" -> Goto(t, [l[t] EXCEPT !.s = w.s], "ChooseReal")
       [] IsMember(w) -> Chosen(t, 1)
       [] OTHER -> Chosen(t, Cardinality(w.m))
  /\ KeepAll

ChooseReal(t) ==
  /\ At(t, "ChooseReal")
  /\ Chosen(t, Cardinality(st[l[t].s].real))
  /\ KeepAll
----------------------------------------------------------------------------
AddLoad(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "AddLoad")
  /\ w.f # "MO"                                    \* waits for the new base
  /\ ~(w.f = "M" /\ "immobile" \in w.fl)            \* waits for its key
  /\ CASE w.f \in {"E", "B"} -> Goto(t, [l[t] EXCEPT !.w = w], "AddPop")
       [] w.f = "BO" -> Goto(t, [l[t] EXCEPT !.s = w.s], "AddFollow")
       [] w.f = "M" -> Goto(t, [l[t] EXCEPT !.w = w], "UsurpPop")
  /\ KeepAll

AddPop(t) ==
  /\ At(t, "AddPop")
  /\ TakeRecord(t, "AddFill")

(* Filled before anybody can see it: "the stashing operation finished by   *)
(* writing operation cbits".                                               *)
AddFill(t) ==
  /\ At(t, "AddFill")
  /\ st' = [st EXCEPT ![l[t].s] = Filled(l[t].w.m)]
  /\ Goto(t, l[t], "AddStash")
  /\ KeepButS

AddStash(t) ==
  LET w == l[t].w IN
  /\ At(t, "AddStash")
  /\ IF c[H(t)] = w
     THEN /\ c' = [c EXCEPT ![H(t)] = BaseOp(l[t].s, {}, w.k)]
          /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.m = w.m], "AddMaster")
     ELSE /\ Goto(t, [l[t] EXCEPT !.w = Empty0], "AddPush")
          /\ UNCHANGED c
  /\ KeepBut0

AddPush(t) ==
  /\ At(t, "AddPush")
  /\ FreeRecord(t, Goto(t, Fresh(t), "AddLoad"))

(* A follower. Between the load and this step the record may have become   *)
(* somebody else's: nothing in the text ties the count to the cell.        *)
AddFollow(t) ==
  /\ At(t, "AddFollow")
  /\ Follow(t, H(t), "AddReal", Goto(t, Fresh(t), "AddLoad"))

AddReal(t) ==
  /\ At(t, "AddReal")
  /\ Goto(t, [l[t] EXCEPT !.m = st[l[t].s].real], "AddMaster")
  /\ KeepAll

(* The master of a base is the editor, too. Who loses the race for a base  *)
(* queues its pair; who loses the race for an empty cell cycles until it   *)
(* has become a base.                                                      *)
AddMaster(t) ==
  LET w == c[H(t)]
      born == l[t].m = {}
      mine == [w EXCEPT !.fl = @ \cup IF born THEN {"root"} ELSE {"root", "editor"}]
  IN
  /\ At(t, "AddMaster")
  /\ CASE w.f # "BO" \/ ~Names(w, l[t].s) ->
            Goto(t, Fresh(t), "AddLoad") /\ UNCHANGED c
       [] Names(w, l[t].s) /\ w.f = "BO" /\ "root" \in w.fl ->
            /\ IF born THEN Goto(t, l[t], "AddReal")
               ELSE Goto(t, [l[t] EXCEPT !.m = {}], "AddQueueNew")
            /\ UNCHANGED c
       [] OTHER ->
            /\ c' = [c EXCEPT ![H(t)] = mine]
            /\ Goto(t, [l[t] EXCEPT !.m = {}, !.w = mine],
                    IF born THEN "AddStoreKey" ELSE "AddOldValue")
  /\ KeepBut0
----------------------------------------------------------------------------
(* A new base: key with operational cbits, value with tbits one, real      *)
(* cbits one, queue. In this order.                                        *)
AddStoreKey(t) ==
  /\ At(t, "AddStoreKey")
  /\ c' = [c EXCEPT ![H(t)] = [l[t].w EXCEPT !.k = Op(t).k]]
  /\ Goto(t, [l[t] EXCEPT !.w = Empty0], "AddStoreValue")
  /\ KeepBut0

AddStoreValue(t) ==
  /\ At(t, "AddStoreValue")
  /\ tv' = [tv EXCEPT ![H(t)] = Word1("B", {0}, 0, 0, Op(t).v)]
  /\ Goto(t, l[t], "AddSetReal")
  /\ KeepBut1

AddSetReal(t) ==
  /\ At(t, "AddSetReal")
  /\ st' = [st EXCEPT ![l[t].s].real = {0}]
  /\ Goto(t, l[t], "AddQueueBase")
  /\ KeepButS

AddQueueBase(t) ==
  /\ At(t, "AddQueueBase")
  /\ q' = Append(q, Item("new", H(t), l[t].s, None, None))
  /\ Answer(t, Added)
  /\ KeepButQ
----------------------------------------------------------------------------
(* A standing base: the old pair goes to the stash first, then the new one *)
(* is written. A compare-and-swap for the key, so that no flag is lost: a  *)
(* base that is made ready for delete is not reinserted (state 10).        *)
AddOldValue(t) ==
  /\ At(t, "AddOldValue")
  /\ Goto(t, [l[t] EXCEPT !.v = tv[H(t)].v], "AddStashPair")
  /\ KeepAll

AddStashPair(t) ==
  /\ At(t, "AddStashPair")
  /\ st' = [st EXCEPT ![l[t].s].k = IF "delete" \in l[t].w.fl THEN Lost ELSE l[t].w.k,
                      ![l[t].s].v = l[t].v]
  /\ Goto(t, [l[t] EXCEPT !.v = None], "AddReplaceKey")
  /\ KeepButS

AddReplaceKey(t) ==
  /\ At(t, "AddReplaceKey")
  /\ IF c[H(t)] = l[t].w
     THEN /\ c' = [c EXCEPT ![H(t)].k = Op(t).k, ![H(t)].fl = @ \ {"delete"}]
          /\ Goto(t, [l[t] EXCEPT !.w = Empty0], "AddReplaceValue")
     ELSE /\ Goto(t, [l[t] EXCEPT !.w = c[H(t)]], "AddOldValue")
          /\ UNCHANGED c
  /\ KeepBut0

AddReplaceValue(t) ==
  /\ At(t, "AddReplaceValue")
  /\ tv' = [tv EXCEPT ![H(t)].v = Op(t).v]
  /\ Goto(t, l[t], "AddQueueOld")
  /\ KeepBut1

AddQueueOld(t) ==
  /\ At(t, "AddQueueOld")
  /\ q' = Append(q, Item("old", H(t), l[t].s, None, None))
  /\ Answer(t, Added)
  /\ KeepButQ

AddQueueNew(t) ==
  /\ At(t, "AddQueueNew")
  /\ q' = Append(q, Item("put", H(t), l[t].s, Op(t).k, Op(t).v))
  /\ Answer(t, Added)
  /\ KeepButQ

AdderNext(t) ==
  \/ ChooseLoad(t) \/ ChooseReal(t)
  \/ AddLoad(t) \/ AddPop(t) \/ AddFill(t) \/ AddStash(t) \/ AddPush(t)
  \/ AddFollow(t) \/ AddReal(t) \/ AddMaster(t)
  \/ AddStoreKey(t) \/ AddStoreValue(t) \/ AddSetReal(t) \/ AddQueueBase(t)
  \/ AddOldValue(t) \/ AddStashPair(t) \/ AddReplaceKey(t) \/ AddReplaceValue(t)
  \/ AddQueueOld(t) \/ AddQueueNew(t)
=============================================================================
