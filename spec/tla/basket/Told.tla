-------------------------------- MODULE Told --------------------------------
(***************************************************************************)
(* The map with told removals: what a client of the cache may observe, and *)
(* no more. An operation is called, takes effect at an instant, and        *)
(* returns. A key may also be removed without a delete; then whoever       *)
(* removes it owes the telling of that key with that very value, once.     *)
(* Somebody who dies may owe it for ever.                                  *)
(* Top rung of the ladder; Basket refines it (Refinement.tla).             *)
(***************************************************************************)
EXTENDS Programs, Sequences, FiniteSets

CONSTANT P       \* the program
VARIABLES store,   \* key -> value, 0 for none
          call,    \* actor -> its operation in progress
          owed     \* actor -> removals that it has yet to tell, [k, v]

Actors == 1 .. Len(P.acts)
Keys == 1 .. Len(P.hashes)

(* st: idle, open, done. n: the answer.                                    *)
Call(ip, st, n) == [ip |-> ip, st |-> st, n |-> n]
OpOf(a) == P.acts[a][call[a].ip]
Becomes(a, st, n) == call' = [call EXCEPT ![a] = Call(@.ip, st, n)]

Init ==
  /\ store = [k \in Keys |-> P.start[k]]
  /\ call = [a \in Actors |-> Call(1, "idle", 0)]
  /\ owed = [a \in Actors |-> {}]

Open(a) ==
  /\ call[a].ip <= Len(P.acts[a]) /\ call[a].st = "idle"
  /\ Becomes(a, "open", 0) /\ UNCHANGED <<store, owed>>

DoGet(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Get"
  /\ Becomes(a, "done", store[o.k]) /\ UNCHANGED <<store, owed>>
DoSet(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Set"
  /\ store' = [store EXCEPT ![o.k] = o.v]
  /\ Becomes(a, "done", 0) /\ UNCHANGED owed
DoDelete(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Delete"
  /\ store' = [store EXCEPT ![o.k] = 0]
  /\ Becomes(a, "done", IF store[o.k] = 0 THEN 0 ELSE 1) /\ UNCHANGED owed

(* Entries go because somebody wants their room.                           *)
Remove(a) ==
  LET was == store  is == store'
      gone == {k \in Keys : was[k] # is[k]}
  IN /\ gone # {} /\ call[a].ip <= Len(P.acts[a])
     /\ \A k \in gone : is[k] = 0
     /\ owed' = [owed EXCEPT ![a] = @ \cup {[k |-> k, v |-> was[k]] : k \in gone}]
     /\ UNCHANGED call
Tell(a) == \E x \in owed[a] :
  /\ owed' = [owed EXCEPT ![a] = @ \ {x}]
  /\ UNCHANGED <<store, call>>
(* What the dead owed somebody else may tell.                              *)
Inherit(a) == \E b \in Actors \ {a} :
  /\ owed[b] # {}
  /\ owed' = [owed EXCEPT ![a] = @ \cup owed[b], ![b] = {}]
  /\ UNCHANGED <<store, call>>

(* Services (those that make room) may return at any time. Nobody returns  *)
(* with something untold.                                                  *)
Return(a) ==
  /\ call[a].ip <= Len(P.acts[a])
  /\ call[a].st = "done" \/ (call[a].st = "open" /\ OpOf(a).op \in Services)
  /\ owed[a] = {}
  /\ call' = [call EXCEPT ![a] = Call(@.ip + 1, "idle", 0)]
  /\ UNCHANGED <<store, owed>>

Next == \E a \in Actors :
  Open(a) \/ DoGet(a) \/ DoSet(a) \/ DoDelete(a) \/ Remove(a) \/ Tell(a) \/ Inherit(a)
  \/ Return(a)

toldVars == <<store, call, owed>>
(* The same as [][Next]_toldVars; most steps change nothing that a client  *)
(* sees.                                                                   *)
Stays == UNCHANGED toldVars
Spec == Init /\ [][Stays \/ Next]_toldVars
=============================================================================
