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
          done,     \* actor -> its operation has taken effect
          over,     \* actor -> its update or swap may count as just before a delete
          out       \* actor -> the result of its last operation; what a lookup found is its ticket

mapVars == <<map, busy, seen, done, over, out>>

None == 0
Idle == [op |-> "idle", k |-> None, v |-> None]

Operations == [op : {"add", "update", "swap"}, k : Keys, v : Values]
              \cup [op : {"get", "delete", "crop", "restore", "lookup", "still", "discard"}, k : Keys,
                    v : {None}]
OfTicket == {"still", "swap", "discard"}

Nothing == [r |-> "none", v |-> None]
Results == [r : {"none", "added", "exists", "full", "absent", "deleted", "tended", "void"}, v : {None}]
           \cup [r : {"found", "updated", "same", "discarded"}, v : Values]

Init ==
  /\ map \in [Keys -> Values \cup {None}]
  /\ busy = [t \in Actors |-> Idle]
  /\ seen = [t \in Actors |-> {}]
  /\ done = [t \in Actors |-> FALSE]
  /\ over = [t \in Actors |-> FALSE]
  /\ out = [t \in Actors |-> Nothing]

Call(t, o) ==
  /\ busy[t] = Idle
  /\ busy' = [busy EXCEPT ![t] = o]
  /\ seen' = [seen EXCEPT ![t] = {map[o.k]}]
  /\ out' = IF o.op \in OfTicket THEN out ELSE [out EXCEPT ![t] = Nothing]
  /\ UNCHANGED <<map, done, over>>

(* The value that a swap or a discard expects, and a still asks for.       *)
TicketOf(t) == IF out[t].r \in {"found", "same"} THEN out[t].v ELSE None

(* The operation of t would change k, and does not mind to have been just  *)
(* before a delete of it: an update, or a swap that expects this value.    *)
Overtaken(t, k) ==
  /\ busy[t].k = k /\ ~done[t]
  /\ busy[t].op = "update" \/ (busy[t].op = "swap" /\ TicketOf(t) = map[k])

(* The key k gets the value v; whoever is busy with k sees it. *)
Becomes(k, v) ==
  /\ map' = [map EXCEPT ![k] = v]
  /\ seen' = [u \in Actors |-> IF busy[u].k = k THEN seen[u] \cup {v} ELSE seen[u]]
  /\ over' = [u \in Actors |->
       over[u] \/ (v = None /\ map[k] # None /\ Overtaken(u, k))]

Ready(t) ==
  \/ busy[t].op = "add" /\ map[busy[t].k] = None
  \/ busy[t].op \in {"update", "delete"} /\ map[busy[t].k] # None
  \/ busy[t].op \in {"swap", "discard"} /\ map[busy[t].k] # None /\ map[busy[t].k] = TicketOf(t)

(* The operation of t takes effect. *)
Do(t) ==
  /\ ~done[t]
  /\ Ready(t)
  /\ Becomes(busy[t].k, busy[t].v)
  /\ done' = [done EXCEPT ![t] = TRUE]
  /\ UNCHANGED <<busy, out>>

(* The add of t takes effect, and the key k leaves in the same instant. *)
DoFor(t, k) ==
  LET a == busy[t].k IN
  /\ ~done[t] /\ busy[t].op = "add" /\ Ready(t)
  /\ k # a /\ map[k] # None
  /\ map' = [map EXCEPT ![a] = busy[t].v, ![k] = None]
  /\ seen' = [u \in Actors |->
       CASE busy[u].k = a -> seen[u] \cup {busy[t].v}
         [] busy[u].k = k -> seen[u] \cup {None}
         [] OTHER -> seen[u]]
  /\ over' = [u \in Actors |->
       over[u] \/ Overtaken(u, k)]
  /\ done' = [done EXCEPT ![t] = TRUE]
  /\ UNCHANGED <<busy, out>>

(* An add that has no room for its key makes another one leave. *)
Evict(t, k) ==
  /\ busy[t].op = "add" /\ ~done[t]
  /\ k # busy[t].k /\ map[k] # None
  /\ Becomes(k, None)
  /\ UNCHANGED <<busy, done, out>>

(* An update or a swap that was overtaken by a delete counts as just       *)
(* before it: its value was there for no time at all, and nobody may have  *)
(* met it.                                                                 *)
Supersede(t) ==
  /\ ~done[t] /\ over[t]
  /\ done' = [done EXCEPT ![t] = TRUE]
  /\ UNCHANGED <<map, busy, seen, over, out>>

(* What is about a ticket may always say that it is void, also where the   *)
(* value is the same: the element has moved, or is being moved.            *)
Reader == {"get", "lookup", "update", "delete"}
Allowed(t, r) ==
  CASE r.r = "added"   -> busy[t].op = "add" /\ done[t]
    [] r.r = "exists"  -> busy[t].op = "add" /\ ~done[t] /\ seen[t] # {None}
    [] r.r = "full"    -> busy[t].op = "add" /\ ~done[t]
    [] r.r = "absent"  -> busy[t].op \in Reader /\ ~done[t] /\ None \in seen[t]
    [] r.r = "found"   -> busy[t].op \in {"get", "lookup"} /\ r.v \in seen[t] \ {None}
    [] r.r = "updated" -> \/ busy[t].op = "update" /\ done[t] /\ r.v \in seen[t] \ {None}
                          \/ busy[t].op = "swap" /\ done[t] /\ r.v = TicketOf(t)
    [] r.r = "same"    -> busy[t].op = "still" /\ r.v = TicketOf(t) /\ r.v \in seen[t] \ {None}
    [] r.r = "void"    -> busy[t].op \in OfTicket /\ ~done[t]
    [] r.r = "deleted" -> busy[t].op = "delete" /\ done[t]
    [] r.r = "discarded" -> busy[t].op = "discard" /\ done[t] /\ r.v = TicketOf(t)
    [] r.r = "tended"  -> busy[t].op \in {"crop", "restore"}
    [] OTHER           -> FALSE

Return(t, r) ==
  /\ Allowed(t, r)
  /\ busy' = [busy EXCEPT ![t] = Idle]
  /\ seen' = [seen EXCEPT ![t] = {}]
  /\ done' = [done EXCEPT ![t] = FALSE]
  /\ over' = [over EXCEPT ![t] = FALSE]
  /\ out' = [out EXCEPT ![t] = r]
  /\ UNCHANGED map

Next == \E t \in Actors :
  \/ \E o \in Operations : Call(t, o)
  \/ Do(t) \/ Supersede(t)
  \/ \E k \in Keys : DoFor(t, k) \/ Evict(t, k)
  \/ \E r \in Results : Return(t, r)

(* The same as [][Next]_mapVars. Most steps of a table change nothing that *)
(* a client sees: TLC looks at that first.                                 *)
Stays == UNCHANGED mapVars
Spec == Init /\ [][Stays \/ Next]_mapVars
=============================================================================
