---- MODULE Race ----
(* Two actors read a counter and write it back; together they lose an increment. Coins are flipped *)
(* beside, for more states.                                                                         *)
EXTENDS Naturals
CONSTANT Atomic  \* whether an actor reads and writes in one step
VARIABLES x, loc, coin
vars == <<x, loc, coin>>
Init == x = 0 /\ loc = <<[pc |-> "read", got |-> 0], [pc |-> "read", got |-> 0]>> /\ coin = [i \in 1 .. 4 |-> 0]
Read(a) == /\ loc[a].pc = "read"
           /\ loc' = [loc EXCEPT ![a] = [pc |-> IF Atomic THEN "end" ELSE "write", got |-> x]]
           /\ x' = IF Atomic THEN x + 1 ELSE x
           /\ UNCHANGED coin
Write(a) == /\ loc[a].pc = "write"
            /\ x' = loc[a].got + 1
            /\ loc' = [loc EXCEPT ![a].pc = "end"]
            /\ UNCHANGED coin
Flip == \E i \in 1 .. 4 : coin[i] = 0 /\ coin' = [coin EXCEPT ![i] = 1] /\ UNCHANGED <<x, loc>>
Ended == (\A a \in 1 .. 2 : loc[a].pc = "end") /\ UNCHANGED vars
Next == (\E a \in 1 .. 2 : Read(a) \/ Write(a)) \/ Flip \/ Ended
Spec == Init /\ [][Next]_vars
Quiet == (\E a \in 1 .. 2 : Read(a) \/ Write(a)) \/ Ended \* no coins
Fair == Init /\ [][Quiet]_vars /\ WF_vars(Quiet)
BothCount == (\A a \in 1 .. 2 : loc[a].pc = "end") => x = 2
Ends == <>(x = 2)
====
