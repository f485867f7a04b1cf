------------------------------- MODULE MCSteps -------------------------------
(* One actor goes up a stair. Without the rule "rail" it may fall.           *)
EXTENDS Naturals
CONSTANTS Program,  \* the name of what the actor does
          Without   \* rules
VARIABLE x
vars == x
Top == IF Program = "Z01Steps" THEN 2 ELSE 3
Climb == /\ x < Top
         /\ x' = x + 1
Fall == /\ "rail" \in Without
        /\ x = Top
        /\ x' = 9
Rest == x >= Top /\ UNCHANGED x
Next == Climb \/ Fall \/ Rest
Spec == x = 0 /\ [][Next]_x
FairSpec == Spec /\ WF_x(Climb)
Safe == x < 9 /\ x <= Top
Upward == [][x' > x]_vars
Arrives == <>(x = Top)
NoZ01Steps == x # 1
=============================================================================
