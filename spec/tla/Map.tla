-------------------------------- MODULE Map --------------------------------
(***************************************************************************)
(* The atomic map: what a client of the table may observe, and no more.    *)
(* An operation is called, takes effect at one instant, and returns.       *)
(* Top rung of the ladder; Hopscotch refines it (Refinement.tla).          *)
(*                                                                         *)
(* A get has no instant of its own: it may return any value that its key   *)
(* had between its call and its return (seen). For one key this is the     *)
(* same as linearizability: the instant may be chosen in the past, and a   *)
(* get changes nothing. The same holds for an add that finds the key.      *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS Actors,   \* who calls
          Keys,     \* positive numbers
          Values    \* positive numbers; 0 says: no value

VARIABLES map,      \* the contents: key -> value, 0 is absent
          busy,     \* actor -> the operation in progress, or Idle
          seen,     \* actor -> the values its key has had since the call
          done,     \* actor -> its add has taken effect
          out       \* actor -> the result of its last operation

mapVars == <<map, busy, seen, done, out>>

None == 0
Idle == [op |-> "idle", k |-> None, v |-> None]

Operations == [op : {"add"}, k : Keys, v : Values]
              \cup [op : {"get"}, k : Keys, v : {None}]

Nothing == [r |-> "none", v |-> None]
Results == [r : {"none", "added", "exists", "full", "absent"}, v : {None}]
           \cup [r : {"found"}, v : Values]

Init ==
  /\ map \in [Keys -> Values \cup {None}]
  /\ busy = [t \in Actors |-> Idle]
  /\ seen = [t \in Actors |-> {}]
  /\ done = [t \in Actors |-> FALSE]
  /\ out = [t \in Actors |-> Nothing]

Call(t, o) ==
  /\ busy[t] = Idle
  /\ busy' = [busy EXCEPT ![t] = o]
  /\ seen' = [seen EXCEPT ![t] = {map[o.k]}]
  /\ out' = [out EXCEPT ![t] = Nothing]
  /\ UNCHANGED <<map, done>>

(* The add of t takes effect; whoever is busy with the key sees it. *)
Do(t) ==
  /\ busy[t].op = "add"
  /\ ~done[t]
  /\ map[busy[t].k] = None
  /\ map' = [map EXCEPT ![busy[t].k] = busy[t].v]
  /\ done' = [done EXCEPT ![t] = TRUE]
  /\ seen' = [u \in Actors |->
       IF busy[u].k = busy[t].k THEN seen[u] \cup {busy[t].v} ELSE seen[u]]
  /\ UNCHANGED <<busy, out>>

Allowed(t, r) ==
  CASE r.r = "added"  -> busy[t].op = "add" /\ done[t]
    [] r.r = "exists" -> busy[t].op = "add" /\ ~done[t] /\ seen[t] # {None}
    [] r.r = "full"   -> busy[t].op = "add" /\ ~done[t]
    [] r.r = "absent" -> busy[t].op = "get" /\ None \in seen[t]
    [] r.r = "found"  -> busy[t].op = "get" /\ r.v \in seen[t] \ {None}
    [] OTHER          -> FALSE

Return(t, r) ==
  /\ Allowed(t, r)
  /\ busy' = [busy EXCEPT ![t] = Idle]
  /\ seen' = [seen EXCEPT ![t] = {}]
  /\ done' = [done EXCEPT ![t] = FALSE]
  /\ out' = [out EXCEPT ![t] = r]
  /\ UNCHANGED map

Next == \E t \in Actors :
  \/ \E o \in Operations : Call(t, o)
  \/ Do(t)
  \/ \E r \in Results : Return(t, r)

Spec == Init /\ [][Next]_mapVars
=============================================================================
