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
          sus,     \* key -> 1 for a suspect, else 0
          call,    \* actor -> its operation in progress
          owed,    \* actor -> removals that it has yet to tell, [k, v]
          pair     \* the parameters of ageing

Actors == 1 .. Len(P.acts)
Keys == 1 .. Len(P.hashes)

(* st: idle, open, done. n: the answer; m: the mark that a get has found;  *)
(* par: the pair that it ages by.                                          *)
Call(ip, st, n) == [ip |-> ip, st |-> st, n |-> n, m |-> 0, par |-> NoPair]
OpOf(a) == P.acts[a][call[a].ip]
Becomes(a, st, n) == call' = [call EXCEPT ![a] = Call(@.ip, st, n)]

Init ==
  /\ store = [k \in Keys |-> P.start[k]]
  /\ sus = [k \in Keys |-> IF \E r \in DOMAIN P.recs : P.recs[r].k = k /\ P.recs[r].sus = 1 THEN 1 ELSE 0]
  /\ call = [a \in Actors |-> Call(1, "idle", 0)]
  /\ owed = [a \in Actors |-> {}]
  /\ pair = P.pair

Open(a) ==
  /\ call[a].ip <= Len(P.acts[a]) /\ call[a].st = "idle"
  /\ Becomes(a, "open", 0) /\ UNCHANGED <<store, sus, owed, pair>>

DoGet(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Get"
  /\ call' = [call EXCEPT ![a] = [Call(@.ip, "done", store[o.k]) EXCEPT !.m = sus[o.k]]]
  /\ UNCHANGED <<store, sus, owed, pair>>
DoSet(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Set"
  /\ store' = [store EXCEPT ![o.k] = o.v] /\ sus' = [sus EXCEPT ![o.k] = 0]
  /\ Becomes(a, "done", 0) /\ UNCHANGED <<owed, pair>>
DoDelete(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Delete"
  /\ store' = [store EXCEPT ![o.k] = 0] /\ sus' = [sus EXCEPT ![o.k] = 0]
  /\ Becomes(a, "done", IF store[o.k] = 0 THEN 0 ELSE 1) /\ UNCHANGED <<owed, pair>>

(* A mark, or the end of one, is for the value that it answers with. It    *)
(* may be lost at any time: then it answers 0, and nothing has happened.   *)
DoMark(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Mark"
  /\ \/ Becomes(a, "done", 0) /\ UNCHANGED sus
     \/ store[o.k] # 0 /\ Becomes(a, "done", store[o.k]) /\ sus' = [sus EXCEPT ![o.k] = o.v]
  /\ UNCHANGED <<store, owed, pair>>

(* A change takes effect on the pair that there is.                        *)
DoTune(a) == LET o == OpOf(a) IN
  /\ call[a].st = "open" /\ o.op = "Tune"
  /\ pair' = Changed(pair, o)
  /\ Becomes(a, "done", 0) /\ UNCHANGED <<store, sus, owed>>
(* Who ages goes by the pair that there is at an instant of the call.      *)
DoRead(a) ==
  /\ call[a].st = "open" /\ OpOf(a).op = "Tend"
  /\ call' = [call EXCEPT ![a].par = pair] /\ UNCHANGED <<store, sus, owed, pair>>
Evicts(p) == P.tiers = 1 /\ p # NoPair /\ ~Compacts(p)

(* Entries go because somebody wants their room. Who ages by a pair evicts *)
(* only if that says so.                                                   *)
Remove(a) ==
  LET was == store  is == store'
      gone == {k \in Keys : was[k] # is[k]}
  IN /\ gone # {} /\ call[a].ip <= Len(P.acts[a])
     /\ OpOf(a).op = "Tend" => Evicts(call[a].par)
     /\ \A k \in gone : is[k] = 0
     /\ sus' = [k \in Keys |-> IF k \in gone THEN 0 ELSE sus[k]]
     /\ owed' = [owed EXCEPT ![a] = @ \cup {[k |-> k, v |-> was[k]] : k \in gone}]
     /\ UNCHANGED <<call, pair>>
Tell(a) == \E x \in owed[a] :
  /\ owed' = [owed EXCEPT ![a] = @ \ {x}]
  /\ UNCHANGED <<store, sus, call, pair>>
(* What the dead owed somebody else may tell.                              *)
Inherit(a) == \E b \in Actors \ {a} :
  /\ owed[b] # {}
  /\ owed' = [owed EXCEPT ![a] = @ \cup owed[b], ![b] = {}]
  /\ UNCHANGED <<store, sus, call, pair>>

(* Services (those that make room) may return at any time. Nobody returns  *)
(* with something untold.                                                  *)
Return(a) ==
  /\ call[a].ip <= Len(P.acts[a])
  /\ call[a].st = "done" \/ (call[a].st = "open" /\ OpOf(a).op \in Services)
  /\ owed[a] = {}
  /\ call' = [call EXCEPT ![a] = Call(@.ip + 1, "idle", 0)]
  /\ UNCHANGED <<store, sus, owed, pair>>

Next == \E a \in Actors :
  Open(a) \/ DoGet(a) \/ DoSet(a) \/ DoDelete(a) \/ DoMark(a) \/ DoTune(a) \/ DoRead(a) \/ Remove(a)
  \/ Tell(a) \/ Inherit(a) \/ Return(a)

toldVars == <<store, sus, call, owed, pair>>
(* The same as [][Next]_toldVars; most steps change nothing that a client  *)
(* sees.                                                                   *)
Stays == UNCHANGED toldVars
Spec == Init /\ [][Stays \/ Next]_toldVars
=============================================================================
