----------------------------- MODULE TakenMaps -----------------------------
(***************************************************************************)
(* Taken maps alone, as the source text words them: a new base builds its  *)
(* map "based on the tbits of other base elements within the window view", *)
(* a hole is "a zero bit", and "all bases within the window" are told of a *)
(* cell that is taken. Nothing is erased. Each task has a completion       *)
(* service of its own, since buckets are served apart. States 1 and 2.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS N,        \* cells 0 .. N-1, a line
          W,        \* window: offsets 0 .. W-1
          Bases,    \* cells that are bases before; their maps are right
          NewBases, \* cells that become bases
          Holes,    \* bases that need a hole for one element
          Import,   \* "maps": the walk takes over the map of the first base
                    \* that it meets; "cells": it looks at each cell
          Sweep     \* "lowest": the map of the lowest base says where bases
                    \* are; "cells": each cell is looked at

VARIABLES cell,     \* cell -> "empty", "base" or "member"
          map,      \* cell -> taken map, offsets
          pc, j, m  \* task -> what it does next, where, offsets or distances

vars == <<cell, map, pc, j, m>>

Cell == 0 .. N - 1
Offsets == 1 .. W - 1
Least(s) == CHOOSE x \in s : \A y \in s : x <= y
Most(s) == CHOOSE x \in s : \A y \in s : x >= y

(* A task: a base is born in a cell, or the base in a cell needs a hole.   *)
Births == {<<"birth", a>> : a \in NewBases}
Tasks == Births \cup {<<"hole", b>> : b \in Holes}
Base(t) == t[2]
Place(t) == IF t \in Births THEN Base(t) ELSE Base(t) + j[t]    \* what is taken

Init ==
  /\ cell = [a \in Cell |-> IF a \in Bases THEN "base" ELSE "empty"]
  /\ map = [a \in Cell |-> IF a \notin Bases THEN {}
                           ELSE {o \in 0 .. W - 1 : a + o \in Bases}]
  /\ pc = [t \in Tasks |-> IF t \in Births THEN "write" ELSE "pick"]
  /\ j = [t \in Tasks |-> 0]
  /\ m = [t \in Tasks |-> {}]

Go(t, p) == pc' = [pc EXCEPT ![t] = p]
----------------------------------------------------------------------------
(* The adder has made the cell a base with tbits one; the service begins.  *)
Write(t) ==
  /\ pc[t] = "write"
  /\ IF cell[Base(t)] = "empty"
     THEN /\ cell' = [cell EXCEPT ![Base(t)] = "base"]
          /\ map' = [map EXCEPT ![Base(t)] = {0}]
          /\ j' = [j EXCEPT ![t] = 1]
          /\ Go(t, "walk")
     ELSE Go(t, "done") /\ UNCHANGED <<cell, map, j>>
  /\ UNCHANGED m

(* Upwards, one cell a step; m collects what is taken.                     *)
Walk(t) ==
  LET a == Base(t) + j[t]
      meets == a < N /\ cell[a] = "base" /\ Import = "maps"
      over == meets \/ j[t] = W - 1
      seen == CASE a >= N \/ cell[a] = "empty" -> {}
                [] meets -> {o \in Offsets : o >= j[t] /\ o - j[t] \in map[a]}
                [] OTHER -> {j[t]}
  IN
  /\ pc[t] = "walk"
  /\ m' = [m EXCEPT ![t] = @ \cup seen]
  /\ j' = [j EXCEPT ![t] = IF over THEN 0 ELSE @ + 1]
  /\ Go(t, IF over THEN "merge" ELSE "walk")
  /\ UNCHANGED <<cell, map>>

Merge(t) ==
  /\ pc[t] = "merge"
  /\ map' = [map EXCEPT ![Base(t)] = @ \cup m[t]]
  /\ m' = [m EXCEPT ![t] = Offsets]
  /\ Go(t, IF Sweep = "lowest" THEN "lowest" ELSE "sweep")
  /\ UNCHANGED <<cell, j>>
----------------------------------------------------------------------------
(* A zero bit, then the cell itself: it decides.                           *)
Pick(t) ==
  /\ pc[t] = "pick"
  /\ m' = [m EXCEPT ![t] = {o \in Offsets : Base(t) + o < N} \ map[Base(t)]]
  /\ Go(t, "claim")
  /\ UNCHANGED <<cell, map, j>>

Claim(t) ==
  LET o == Least(m[t])
      a == Base(t) + o
  IN
  /\ pc[t] = "claim"
  /\ IF m[t] = {} THEN Go(t, "done") /\ UNCHANGED <<cell, j, m>>
     ELSE IF cell[a] = "empty"
     THEN /\ cell' = [cell EXCEPT ![a] = "member"]
          /\ j' = [j EXCEPT ![t] = o]
          /\ m' = [m EXCEPT ![t] = Offsets]
          /\ Go(t, "own")
     ELSE m' = [m EXCEPT ![t] = @ \ {o}] /\ UNCHANGED <<cell, j, pc>>
  /\ UNCHANGED map

(* The own map first, which keeps others from the hole.                    *)
Own(t) ==
  /\ pc[t] = "own"
  /\ map' = [map EXCEPT ![Base(t)] = @ \cup {j[t]}]
  /\ Go(t, IF Sweep = "lowest" THEN "lowest" ELSE "sweep")
  /\ UNCHANGED <<cell, j, m>>
----------------------------------------------------------------------------
(* The lowest base whose window covers the cell; its map has the cells     *)
(* that may be bases. m: the distances to be looked at.                    *)
Lowest(t) ==
  LET below == {d \in Offsets : d <= Place(t) /\ cell[Place(t) - d] = "base"}
      low == Most(below)
      listed == {d \in Offsets : d < low /\ low - d \in map[Place(t) - low]}
  IN
  /\ pc[t] = "lowest"
  /\ m' = [m EXCEPT ![t] = IF below = {} THEN {} ELSE listed \cup {low}]
  /\ Go(t, IF below = {} THEN "done" ELSE "sweep")
  /\ UNCHANGED <<cell, map, j>>

(* The nearest first: a base that takes over a map finds the bit in it.    *)
Tell(t) ==
  LET d == Least(m[t])
      a == Place(t) - d
  IN
  /\ pc[t] = "sweep"
  /\ map' = IF d <= Place(t) /\ cell[a] = "base" THEN [map EXCEPT ![a] = @ \cup {d}] ELSE map
  /\ m' = [m EXCEPT ![t] = @ \ {d}]
  /\ Go(t, IF m[t] = {d} THEN "done" ELSE "sweep")
  /\ UNCHANGED <<cell, j>>

AtRest == \A t \in Tasks : pc[t] = "done"

Next ==
  \/ \E t \in Tasks : Write(t) \/ Walk(t) \/ Merge(t) \/ Pick(t) \/ Claim(t) \/ Own(t)
                      \/ Lowest(t) \/ Tell(t)
  \/ AtRest /\ UNCHANGED vars

Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
(* At rest a map has what is taken in the window, all of it and no more.   *)
Taken(b) == {0} \cup {o \in Offsets : b + o < N /\ cell[b + o] # "empty"}
MapsComplete == AtRest => \A b \in Cell : cell[b] = "base" => Taken(b) \subseteq map[b]
MapsSound == \A b \in Cell : cell[b] = "base" => map[b] \subseteq Taken(b)
=============================================================================
