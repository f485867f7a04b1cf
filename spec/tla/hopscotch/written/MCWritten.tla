----------------------------- MODULE MCWritten -----------------------------
(***************************************************************************)
(* One program of WrittenPrograms on a small table, for TLC. Why it is     *)
(* written like this: MCHopscotch.                                         *)
(***************************************************************************)
EXTENDS WrittenPrograms, Written

SelectedPrograms == Selected.program
Memory == Selected.memory
SelectedClients == 1 .. Len(SelectedPrograms)
Ops == UNION {{SelectedPrograms[t][i] : i \in 1 .. Len(SelectedPrograms[t])} : t \in SelectedClients}
SelectedKeys == {o.k : o \in Ops} \cup {e.k : e \in Memory}
SelectedHome == [k \in SelectedKeys |-> HomeOf(k)]

Taken == {e.a : e \in Memory}
There(a) == CHOOSE e \in Memory : e.a = a
SelectedCells == [a \in Cell |->
  IF a \notin Taken THEN Empty0
  ELSE LET e == There(a) IN
       IF e.b = a THEN Base({o \in 0 .. W - 1 : \E x \in Memory : x.b = a /\ x.a = Up(a, o)}, e.k)
       ELSE Member((a + N - e.b) % N, {}, 0, e.k)]
SelectedTaken == [a \in Cell |->
  IF a \notin Taken THEN Zero1
  ELSE LET e == There(a) IN
       IF e.b = a THEN Word1("B", {o \in 0 .. W - 1 : Up(a, o) \in Taken}, 0, 0, e.v)
       ELSE Word1("T", {}, 0, 0, e.v)]
SelectedMap == [k \in SelectedKeys |->
  IF \E e \in Memory : e.k = k THEN (CHOOSE e \in Memory : e.k = k).v ELSE None]

MCPrograms == SelectedPrograms
MCClients == SelectedClients
MCKeys == SelectedKeys
MCHome == SelectedHome
MCInitCells == SelectedCells
MCInitTaken == SelectedTaken
MCInitMap == SelectedMap
=============================================================================
