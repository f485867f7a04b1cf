----------------------------- MODULE Refinement -----------------------------
(***************************************************************************)
(* The cache refines the map with told removals. What is stored is what    *)
(* the memory says: the records that the words of the index lead to.       *)
(*   a get                      IndexLookup that finds nothing, IndexStill *)
(*   a set, a delete, an eviction, a mark            IndexSwap, IndexFlip  *)
(*   a change of the pair, the pair that somebody ages by                  *)
(*                                                   TuneSwap, ParamRead   *)
(***************************************************************************)
EXTENDS Basket

RECURSIVE ChainOf(_, _)
ChainOf(ref, most) ==
  IF ref = 0 \/ most = 0 THEN <<>> ELSE <<ref>> \o ChainOf(rec[ref].nx, most - 1)
Chain(h) == ChainOf(word[h].ref, Len(P.hashes) + 1)

(* The record of a key, 0 for none.                                        *)
RECURSIVE FirstOf(_, _, _)
FirstOf(k, ref, most) ==
  IF ref = 0 \/ most = 0 THEN 0 ELSE IF rec[ref].k = k THEN ref ELSE FirstOf(k, rec[ref].nx, most - 1)
RecordOf(k) == FirstOf(k, word[Hash(k)].ref, Len(P.hashes) + 1)
store == [k \in Keys |-> LET r == RecordOf(k) IN IF r = 0 THEN 0 ELSE ValueOf(rec[r])]
sus == [k \in Keys |-> LET r == RecordOf(k) IN IF r = 0 THEN 0 ELSE rec[r].sus]

(* Somebody else has flipped what was installed.                           *)
Helped(a) == loc[a].pc = "IndexFlip" /\ loc[a].f.r = 1 /\ pend[loc[a].f.h].own # a
InTend(a) == loc[a].st = "open" /\ loc[a].ip <= Len(P.acts[a]) /\ Op(a).op = "Tend"
call == [a \in Actors |->
  [ip |-> loc[a].ip, st |-> IF Helped(a) THEN "done" ELSE loc[a].st, n |-> loc[a].n, m |-> loc[a].m,
   par |-> IF InTend(a) /\ loc[a].par.hi # 0 THEN loc[a].par ELSE NoPair]]
(* What is in a hand is owed as the memory has it.                         *)
InHands(a) == LET c == ChainOf(hand[a], Len(P.hashes) + 1) IN
  {[k |-> rec[c[i]].k, v |-> ValueOf(rec[c[i]])] : i \in 1 .. Len(c)}
owed == [a \in Actors |-> {loc[a].owe[i] : i \in 1 .. Len(loc[a].owe)} \cup InHands(a)]

Atomic == INSTANCE Told
ToldRefined == Atomic!Spec
=============================================================================
