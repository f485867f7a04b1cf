---- MODULE TinyMap ----
(* What Tiny refines: the counter goes up by one. *)
EXTENDS Naturals
VARIABLE x
Spec == x = 0 /\ [][x' = x + 1]_x
====
