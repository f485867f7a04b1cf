------------------------------ MODULE Contents ------------------------------
(***************************************************************************)
(* What is done inside a critical section. Engine: impl/shardmap.          *)
(***************************************************************************)
EXTENDS Lock

InShard(sh) == {k \in Keys : Home(k) = sh /\ map[k] # None}
Counts == [sh \in Shards |-> Cardinality(InShard(sh))]
Collected(keys) == {[k |-> k, n |-> map[k].n] : k \in keys}

(* The callback or the predicate of an operation that was called calls the *)
(* map: its operation begins.                                              *)
Inside(a, l, called, leave) ==
  LET o == Op(a, l)
  IN IF called /\ o.in # <<>>
     THEN LET b == Begin(o.in[1], 0) IN [l EXCEPT !.fr = Append(@, b.f), !.pc = b.pc]
     ELSE At(l, leave)

(* What is seen of a shard. An erase that follows is one of its own: the   *)
(* lock is given back in between.                                          *)
Looked(o, f) ==
  LET todo == Collected(CASE o.op \in Cleanups -> {k \in InShard(f.sh) : Stale(o, k)}
                          [] o.op = "GetFunc" /\ o.act # "invalidate" -> {}
                          [] o.op \in {"GetFunc", "InvalidateIf"} /\ Stale(o, o.k) -> {o.k}
                          [] OTHER -> {})
      got == CASE o.op = "Get" -> map[o.k].v
               [] o.op = "GetFunc" -> IF Stale(o, o.k) /\ o.act # "accept" THEN 0 ELSE map[o.k].v
               [] o.op = "Size" -> f.n + Cardinality(InShard(f.sh))
               [] OTHER -> f.n
  IN [f EXCEPT !.todo = todo, !.n = got,
               !.cnt = IF o.op = "Size" THEN Append(@, Cardinality(InShard(f.sh))) ELSE @,
               !.ph = IF todo = {} THEN "end" ELSE "change"]

ShardLook(a) == LET l == loc[a]  o == Op(a, l)  f == Top(l) IN
  /\ l.pc = "ShardLook"
  /\ Goto(a, Inside(a, With(l, Looked(o, f)),
                    IF o.op \in Cleanups THEN InShard(f.sh) # {} ELSE o.k # 0 /\ map[o.k] # None,
                    "ReadLeave"))
  /\ UNCHANGED <<memVars, histVars>>

(* Is there still what was collected?                                      *)
Same(o, x) ==
  /\ map[x.k] # None
  /\ CASE Check = "version" -> map[x.k].n = x.n
       [] Check = "predicate" -> Stale(o, x.k)
       [] OTHER -> TRUE
Erase(keys) ==
  /\ map' = [k \in Keys |-> IF k \in keys THEN None ELSE map[k]]
  /\ UNCHANGED clock

(* A version is the number of the put in its shard, so that no two entries *)
(* of a key have the same one.                                             *)
Store(o) ==
  LET sh == Home(o.k)
      n == IF Rule("clock") THEN clock[sh] + 1 ELSE map[o.k].n + 1
  IN /\ map' = [map EXCEPT ![o.k] = [v |-> o.v, m |-> o.m, n |-> n]]
     /\ clock' = [clock EXCEPT ![sh] = @ + 1]

Changed(f, todo, n) == [f EXCEPT !.todo = todo, !.n = n, !.ph = IF todo = {} THEN "end" ELSE "change"]
Then(a, f, called) == Goto(a, Inside(a, With(loc[a], f), called, "WriteLeave"))

ChangePut(a, o, f) ==
  /\ o.op \in {"Put", "Refill"}
  /\ Store(o) /\ Then(a, Changed(f, {}, 0), FALSE)
ChangeInvalidate(a, o, f) ==
  /\ o.op = "Invalidate" \/ (o.op = "InvalidateIf" /\ Rule("together"))
  /\ LET is == IF o.op = "Invalidate" THEN map[o.k] # None ELSE Stale(o, o.k)
     IN /\ Erase(IF is THEN {o.k} ELSE {})
        /\ Then(a, Changed(f, {}, IF is THEN 1 ELSE 0), o.op = "InvalidateIf" /\ map[o.k] # None)
ChangeClear(a, o, f) ==
  /\ o.op = "Clear"
  /\ Erase(InShard(f.sh)) /\ Then(a, Changed(f, {}, f.n + Cardinality(InShard(f.sh))), FALSE)
(* One of the collected keys, in any order.                                *)
ChangeCollected(a, o, f) ==
  /\ o.op \in Cleanups \cup {"GetFunc"} \/ (o.op = "InvalidateIf" /\ ~Rule("together"))
  /\ \E x \in f.todo :
       LET is == Same(o, x)
       IN /\ Erase(IF is THEN {x.k} ELSE {})
          /\ Then(a, Changed(f, f.todo \ {x}, IF is /\ o.op # "GetFunc" THEN f.n + 1 ELSE f.n),
                  Check = "predicate" /\ map[x.k] # None)

ShardChange(a) == LET l == loc[a]  o == Op(a, l)  f == Top(l) IN
  /\ l.pc = "ShardChange"
  /\ \/ ChangePut(a, o, f) \/ ChangeInvalidate(a, o, f)
     \/ ChangeClear(a, o, f) \/ ChangeCollected(a, o, f)
  /\ since' = [b \in Actors |-> IF since[b] = {} THEN {} ELSE since[b] \cup {Counts'}]
  /\ UNCHANGED <<lock, flag, cursor, out, last>>
=============================================================================
