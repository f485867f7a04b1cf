----------------------------- MODULE Refinement -----------------------------
(***************************************************************************)
(* The sharded map refines the atomic map with told removals:              *)
(*   a get, and each count of a size       ShardLook                       *)
(*   a put, an invalidation, each erase    ShardChange                     *)
(* Programs whose callbacks call the map are left out.                     *)
(***************************************************************************)
EXTENDS ShardMap

store == [k \in Keys |-> [v |-> map[k].v, m |-> map[k].m]]

Through(o, f) ==
  CASE o.op = "Size" -> Len(f.cnt)
    [] o.op = "Clear" -> IF f.ph = "end" THEN f.sh ELSE f.sh - 1
    [] OTHER -> 0
Answered(o, f) ==
  CASE o.op \in {"Get", "GetFunc"} -> f.ph # "look"
    [] o.op \in Cleanups \cup {"Size", "Clear"} -> FALSE
    [] OTHER -> f.ph = "end"
call == [a \in Actors |->
  IF loc[a].fr = <<>>
  THEN [ip |-> loc[a].ip, st |-> "idle", n |-> 0, sh |-> 0, may |-> FALSE]
  ELSE LET o == Op(a, loc[a])  f == loc[a].fr[1]
       IN [ip |-> loc[a].ip, st |-> IF Answered(o, f) THEN "done" ELSE "open", n |-> f.n,
           sh |-> Through(o, f), may |-> o.op = "GetFunc" /\ f.ph = "change"]]

Atomic == INSTANCE Cache
CacheRefined == Atomic!Spec
=============================================================================
