---- MODULE Values ----
(* States with a value of each kind, long ones too, which TLC lays out over several lines. *)
EXTENDS Naturals, Sequences, TLC
VARIABLES n, flag, log, cells, seen
vars == <<n, flag, log, cells, seen>>
Long == "a value so long that a tuple of a few such values does not fit into one line"
Init == /\ n = 0
        /\ flag = FALSE
        /\ log = <<>>
        /\ cells = [c \in {"first", "second"} |-> [key |-> 0, taken |-> {}, old |-> <<>>]]
        /\ seen = {}
Put(c) == /\ n < 3
          /\ n' = n + 1
          /\ flag' = (n' = 2)
          /\ log' = Append(log, IF n = 0 THEN Long ELSE c)
          /\ cells' = [cells EXCEPT ![c] = [key |-> 0 - n', taken |-> @.taken \cup {<<n, c>>}, old |-> log]]
          /\ seen' = seen \cup {n :> c @@ n + 1 :> Long}
Done == n = 3 /\ UNCHANGED vars
Next == \E c \in DOMAIN cells : Put(c) \/ Done
====
