---- MODULE Endless ----
(* Two counters without a bound: the search ends only by its time limit. *)
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x + 1 /\ y' = y
        \/ y' = y + 1 /\ x' = x
Spec == Init /\ [][Next]_<<x, y>>
TypeOK == x \in Nat /\ y \in Nat
====
