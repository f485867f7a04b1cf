----------------------------- MODULE StashPools -----------------------------
(***************************************************************************)
(* The pool of stash records alone: "a stack of free stash records", of    *)
(* which the source text does not say where it stands. A cell is in shared *)
(* memory, and names a record by its number. Each process adds one member  *)
(* to one base: stashes the map or joins the record, changes the map,      *)
(* gives its reference back. A record is changed only while the cell names *)
(* it, in one step, so that only the place of the pool is looked at.       *)
(* State 2.                                                                *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Processes,  \* numbers from 1; each adds the member of its number
          P,          \* records of a pool
          Shared      \* TRUE: one pool in shared memory; FALSE: each process
                      \* has its own

VARIABLES word,   \* of the cell: [op |-> FALSE, m |-> map] or [op |-> TRUE, s |-> number]
          st,     \* pool -> number -> [m |-> map, u |-> users]
          free,   \* pool -> numbers that nobody has
          pc, s   \* process -> what it does next, the number of its record

vars == <<word, st, free, pc, s>>

Mine(t) == IF Shared THEN 1 ELSE t
Idle(map) == [op |-> FALSE, m |-> map, s |-> 0]
Stashed(n) == [op |-> TRUE, m |-> {}, s |-> n]
Least(set) == CHOOSE x \in set : \A y \in set : x <= y

Init ==
  /\ word = Idle({0})
  /\ st = [p \in Processes |-> [n \in 1 .. P |-> [m |-> {}, u |-> 0]]]
  /\ free = [p \in Processes |-> 1 .. P]
  /\ pc = [t \in Processes |-> "load"]
  /\ s = [t \in Processes |-> 0]

Go(t, p) == pc' = [pc EXCEPT ![t] = p]
(* The record that the process finds under a number. *)
Found(t, n) == st[Mine(t)][n]

(* The first one stashes the map; one step takes, fills and publishes.     *)
Stash(t) ==
  LET n == Least(free[Mine(t)]) IN
  /\ pc[t] = "load" /\ ~word.op
  /\ free[Mine(t)] # {}
  /\ free' = [free EXCEPT ![Mine(t)] = @ \ {n}]
  /\ st' = [st EXCEPT ![Mine(t)][n] = [m |-> word.m, u |-> 1]]
  /\ word' = Stashed(n)
  /\ s' = [s EXCEPT ![t] = n]
  /\ Go(t, "change")

Follow(t) ==
  /\ pc[t] = "load" /\ word.op
  /\ st' = [st EXCEPT ![Mine(t)][word.s].u = @ + 1]
  /\ s' = [s EXCEPT ![t] = word.s]
  /\ Go(t, "change")
  /\ UNCHANGED <<word, free>>

Change(t) ==
  /\ pc[t] = "change"
  /\ st' = [st EXCEPT ![Mine(t)][s[t]].m = @ \cup {t}]
  /\ Go(t, "drop")
  /\ UNCHANGED <<word, free, s>>

(* Who gives back the last reference puts the map into the cell.           *)
Drop(t) ==
  LET r == Found(t, s[t])
      last == r.u = 1
  IN
  /\ pc[t] = "drop"
  /\ st' = [st EXCEPT ![Mine(t)][s[t]].u = @ - 1]
  /\ free' = IF last THEN [free EXCEPT ![Mine(t)] = @ \cup {s[t]}] ELSE free
  /\ word' = IF last /\ word = Stashed(s[t]) THEN Idle(r.m) ELSE word
  /\ Go(t, "done")
  /\ UNCHANGED s

AtRest == \A t \in Processes : pc[t] = "done"
Next ==
  \/ \E t \in Processes : Stash(t) \/ Follow(t) \/ Change(t) \/ Drop(t)
  \/ AtRest /\ UNCHANGED vars
Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
(* At rest the base has every member, and the pools are full.              *)
MapKept == AtRest => word = Idle({0} \cup Processes)
PoolsFull == AtRest => \A p \in Processes : free[p] = 1 .. P
=============================================================================
