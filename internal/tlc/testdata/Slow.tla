---- MODULE Slow ----
(* A counter to 5 that may stop for ever at each value. The step after 2 takes until TLC has run for eight
   seconds; three seconds after it began to search it looks at its clock, and whether it then checks the
   liveness of what it has so far decides how many of the six states it finds. *)
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Late == \E i \in (x + 1)..100000000 : TLCGet("duration") >= 8
Step == x < 5 /\ x' = IF x = 2 /\ ~Late THEN 0 ELSE x + 1
Done == x = 5 /\ UNCHANGED x
Spec == Init /\ [][Step \/ Done]_x
Reaches == <>(x = 5)
====
