---- MODULE Tiny ----
(* A counter up to Max, small enough to know every figure by hand: Max + 1 states, depth Max + 1. *)
EXTENDS Naturals
CONSTANTS Max,  \* the last value
          Stop  \* whether the counter ends without a Done step, in a deadlock
ASSUME MaxAssumption == Max < 10
VARIABLE x
Init == x = 0
Step == x < Max /\ x' = x + 1
Done == ~Stop /\ x = Max /\ UNCHANGED x
Next == Step \/ Done
Spec == Init /\ [][Next]_x
Fair == Spec /\ WF_x(Next)
I1Nat == x \in Nat
I2Small == x < 3
I3NotZero == x # 0
I4Broken == x = 1 => x + "a" = 3
NotAtMax == x # Max
Reaches == <>(x = Max)
Climbs == [][x' > x]_x
NeverLeavesZero == [][x = 0]_x
Abstract == INSTANCE TinyMap
Refines == Abstract!Spec
====
