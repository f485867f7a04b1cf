------------------------------- MODULE Cache -------------------------------
(***************************************************************************)
(* The atomic map with told removals: what a client of the sharded map may *)
(* observe, and no more. An operation is called, takes effect at an        *)
(* instant, and returns. Three kinds of operation have several instants:   *)
(*   a cleanup            erases stale entries one by one, and tells how   *)
(*                        many                                             *)
(*   a size, and a clear  counts, and empties, one shard after the other   *)
(*   a get with callback  answers at one instant; if the callback wanted   *)
(*                        the entry erased, it may go at a later one, as   *)
(*                        long as what goes is stale                       *)
(* Top rung of the ladder; ShardMap refines it (Refinement.tla).           *)
(***************************************************************************)
EXTENDS Programs, Sequences, FiniteSets

CONSTANT Program
VARIABLES store,   \* key -> [v, m], the value and its metadata
          call,    \* actor -> its operation in progress
          out      \* actor -> answers

P == ProgramOf(Program)
Actors == 1 .. Len(P.acts)
Keys == 1 .. Len(P.homes)
Nothing == [v |-> 0, m |-> 0]

(* st: idle, open, done. n: the answer so far. sh: shards that are done.   *)
(* may: an erase may follow.                                               *)
Call(ip, st, n, sh, may) == [ip |-> ip, st |-> st, n |-> n, sh |-> sh, may |-> may]

Init ==
  /\ store = [k \in Keys |-> [v |-> P.start[k].v, m |-> P.start[k].m]]
  /\ call = [a \in Actors |-> Call(1, "idle", 0, 0, FALSE)]
  /\ out = [a \in Actors |-> <<>>]

OpOf(a) == P.acts[a][call[a].ip]
Becomes(a, c) == call' = [call EXCEPT ![a] = c] /\ UNCHANGED out
Done(a, n) == Becomes(a, [call[a] EXCEPT !.st = "done", !.n = n])
Without(keys) == store' = [k \in Keys |-> IF k \in keys THEN Nothing ELSE store[k]]
Of1(sh) == {k \in Keys : P.homes[k] = sh /\ store[k] # Nothing}
Stale(o, k) ==
  /\ store[k] # Nothing /\ store[k].m < o.c
  /\ o.form = "value" => store[k].v < o.x
  /\ o.form = "shard" => P.homes[k] = o.x

Open(a) ==
  LET o == OpOf(a)  c == call[a]
      full == o.op = "Refill" /\ out[a] # <<>> /\ out[a][Len(out[a])].n # 0
  IN /\ c.st = "idle" /\ c.ip <= Len(P.acts[a]) /\ (Len(out[a]) < c.ip \/ a \in P.repeats)
     /\ Becomes(a, [c EXCEPT !.st = IF full THEN "done" ELSE "open"])
     /\ UNCHANGED store

DoGet(a) ==
  LET o == OpOf(a)  stale == o.op = "GetFunc" /\ Stale(o, o.k)
  IN /\ o.op \in {"Get", "GetFunc"}
     /\ Becomes(a, [call[a] EXCEPT !.st = "done",
                      !.n = IF stale /\ o.act # "accept" THEN 0 ELSE store[o.k].v,
                      !.may = stale /\ o.act = "invalidate"])
     /\ UNCHANGED store

DoPut(a) == LET o == OpOf(a) IN
  /\ o.op \in {"Put", "Refill"}
  /\ store' = [store EXCEPT ![o.k] = [v |-> o.v, m |-> o.m]]
  /\ Done(a, 0)

DoInvalidate(a) ==
  LET o == OpOf(a)
      is == IF o.op = "Invalidate" THEN store[o.k] # Nothing ELSE Stale(o, o.k)
  IN /\ o.op \in {"Invalidate", "InvalidateIf"}
     /\ Without(IF is THEN {o.k} ELSE {})
     /\ Done(a, IF is THEN 1 ELSE 0)

DoShard(a) ==
  LET o == OpOf(a)  c == call[a]  some == Of1(c.sh + 1)
  IN /\ o.op \in {"Size", "Clear"} /\ c.sh < P.shards
     /\ Without(IF o.op = "Clear" THEN some ELSE {})
     /\ Becomes(a, [c EXCEPT !.sh = @ + 1, !.n = @ + Cardinality(some)])

DoClean(a, k) == LET o == OpOf(a) IN
  /\ o.op \in {"Cleanup", "TryCleanup", "FullCleanup"} /\ Stale(o, k)
  /\ Without({k})
  /\ Becomes(a, [call[a] EXCEPT !.n = @ + 1])

(* The entry that the callback wanted erased goes, or is not there any     *)
(* more.                                                                   *)
Forget(a) == LET o == OpOf(a) IN
  /\ call[a].st = "done" /\ call[a].may
  /\ Without(IF Stale(o, o.k) THEN {o.k} ELSE {}) \/ UNCHANGED store
  /\ Becomes(a, [call[a] EXCEPT !.may = FALSE])

Return(a) ==
  LET o == OpOf(a)  c == call[a]
      over == o.op \in {"Cleanup", "TryCleanup", "FullCleanup"}
              \/ (o.op \in {"Size", "Clear"} /\ c.sh = P.shards)
      next == CASE c.ip < Len(P.acts[a]) -> c.ip + 1
                [] a \in P.repeats -> 1
                [] OTHER -> c.ip
  IN /\ ~c.may /\ (c.st = "done" \/ (c.st = "open" /\ over))
     /\ \E s \in 0 .. P.shards :
          out' = [out EXCEPT ![a] = IF a \in P.repeats THEN <<[n |-> c.n, s |-> s]>>
                                    ELSE Append(@, [n |-> c.n, s |-> s])]
     /\ call' = [call EXCEPT ![a] = Call(next, "idle", 0, 0, FALSE)]
     /\ UNCHANGED store

Next == \E a \in Actors :
  \/ Open(a)
  \/ /\ call[a].st = "open"
     /\ DoGet(a) \/ DoPut(a) \/ DoInvalidate(a) \/ DoShard(a) \/ \E k \in Keys : DoClean(a, k)
  \/ Forget(a)
  \/ Return(a)

cacheVars == <<store, call, out>>
(* The same as [][Next]_cacheVars; most steps change nothing that a client *)
(* sees.                                                                   *)
Stays == UNCHANGED cacheVars
Spec == Init /\ [][Stays \/ Next]_cacheVars
=============================================================================
