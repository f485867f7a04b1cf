----------------------------- MODULE MCWritten -----------------------------
(***************************************************************************)
(* One program of WrittenPrograms on a small table, for TLC.               *)
(***************************************************************************)
EXTENDS Written, WrittenPrograms

MCPrograms == Selected.program
Memory == Selected.memory
MCClients == 1 .. Len(MCPrograms)
Ops == UNION {{MCPrograms[t][i] : i \in 1 .. Len(MCPrograms[t])} : t \in MCClients}
MCKeys == {o.k : o \in Ops} \cup {e.k : e \in Memory}
MCHome == [k \in MCKeys |-> HomeOf(k)]

Taken == {e.a : e \in Memory}
There(a) == CHOOSE e \in Memory : e.a = a
MCInitCells == [a \in Cell |->
  IF a \notin Taken THEN Empty0
  ELSE LET e == There(a) IN
       IF e.b = a THEN Base({o \in 0 .. W - 1 : \E x \in Memory : x.b = a /\ x.a = Up(a, o)}, e.k)
       ELSE Member((a + N - e.b) % N, {}, 0, e.k)]
MCInitTaken == [a \in Cell |->
  IF a \notin Taken THEN Zero1
  ELSE LET e == There(a) IN
       IF e.b = a THEN Word1("B", {o \in 0 .. W - 1 : Up(a, o) \in Taken}, 0, 0, e.v)
       ELSE Word1("T", {}, 0, 0, e.v)]
MCInitMap == [k \in MCKeys |->
  IF \E e \in Memory : e.k = k THEN (CHOOSE e \in Memory : e.k = k).v ELSE None]
=============================================================================
