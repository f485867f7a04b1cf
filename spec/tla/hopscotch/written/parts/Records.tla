------------------------------ MODULE Records ------------------------------
(***************************************************************************)
(* The records that the table's values name: an offset in the table, the   *)
(* data elsewhere. A client sets its key: a service gives it a record and  *)
(* puts the offset into the table, the client copies its data. An evictor  *)
(* frees the record of key 1; a client gets key 1. H-70, H-71, H-72.       *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Setters,     \* a setter is the key that it sets, from 1
          Evicts,      \* there is an evictor
          Gets,        \* how often the getter looks
          R,           \* records
          Mortal,      \* who may die, at any step: setters, and the evictor
          FixPublish,  \* the data are copied before the table names them
          FixOrder,    \* the key leaves the table before its record is freed
          FixGen       \* a record has a generation, raised before it is freed;
                       \* a getter compares it after it has copied

Evictor == 0
Getter == 99
Actors == Setters \cup {Evictor, Getter}
Records == 1 .. R
Nothing == [r |-> 0, g |-> 0]
Old == 9                      \* what the tenant before has left
Value(k) == k * 10

VARIABLES table, data, gen, free,  \* shared; free is a set, see FreeList
          at, l
vars == <<table, data, gen, free, at, l>>

Init ==
  /\ table = [k \in Setters \cup {1} |-> Nothing]
  /\ data = [r \in Records |-> <<Old, Old>>]
  /\ gen = [r \in Records |-> 0]
  /\ free = Records
  /\ at = [a \in Actors |->
       CASE a = Evictor -> IF Evicts THEN "EvictLook" ELSE "End"
         [] a = Getter -> IF Gets = 0 THEN "End" ELSE "GetKey"
         [] OTHER -> "SetTake"]
  /\ l = [a \in Actors |-> [e |-> Nothing, v |-> <<0, 0>>, n |-> 0]]

At(a, where) == at[a] = where
Goto(a, local, where) == at' = [at EXCEPT ![a] = where] /\ l' = [l EXCEPT ![a] = local]
Go(a, where) == Goto(a, l[a], where)
----------------------------------------------------------------------------
SetTake(k) ==
  /\ At(k, "SetTake")
  /\ \E r \in free :
       /\ free' = free \ {r}
       /\ Goto(k, [l[k] EXCEPT !.e.r = r], "SetGen")
  /\ UNCHANGED <<table, data, gen>>

SetGen(k) ==
  /\ At(k, "SetGen")
  /\ Goto(k, [l[k] EXCEPT !.e.g = gen[l[k].e.r]], IF FixPublish THEN "SetFirst" ELSE "SetName")
  /\ UNCHANGED <<table, data, gen, free>>

SetName(k) ==
  /\ At(k, "SetName")
  /\ table' = [table EXCEPT ![k] = l[k].e]
  /\ Go(k, IF FixPublish THEN "End" ELSE "SetFirst")
  /\ UNCHANGED <<data, gen, free>>

SetFirst(k) ==
  /\ At(k, "SetFirst")
  /\ data' = [data EXCEPT ![l[k].e.r][1] = Value(k)]
  /\ Go(k, "SetSecond")
  /\ UNCHANGED <<table, gen, free>>

SetSecond(k) ==
  /\ At(k, "SetSecond")
  /\ data' = [data EXCEPT ![l[k].e.r][2] = Value(k)]
  /\ Go(k, IF FixPublish THEN "SetName" ELSE "End")
  /\ UNCHANGED <<table, gen, free>>
----------------------------------------------------------------------------
EvictLook ==
  /\ At(Evictor, "EvictLook")
  /\ table[1] # Nothing
  /\ Goto(Evictor, [l[Evictor] EXCEPT !.e = table[1]],
          IF FixOrder THEN "EvictKey" ELSE "EvictFree")
  /\ UNCHANGED <<table, data, gen, free>>

EvictKey ==
  /\ At(Evictor, "EvictKey")
  /\ table' = [table EXCEPT ![1] = Nothing]
  /\ Go(Evictor, CASE ~FixOrder -> "End" [] FixGen -> "EvictGen" [] OTHER -> "EvictFree")
  /\ UNCHANGED <<data, gen, free>>

EvictGen ==
  /\ At(Evictor, "EvictGen")
  /\ gen' = [gen EXCEPT ![l[Evictor].e.r] = @ + 1]
  /\ Go(Evictor, "EvictFree")
  /\ UNCHANGED <<table, data, free>>

EvictFree ==
  /\ At(Evictor, "EvictFree")
  /\ free' = free \cup {l[Evictor].e.r}
  /\ Go(Evictor, IF FixOrder THEN "End" ELSE "EvictKey")
  /\ UNCHANGED <<table, data, gen>>
----------------------------------------------------------------------------
Answered == Goto(Getter, [l[Getter] EXCEPT !.n = @ + 1, !.e = Nothing, !.v = <<0, 0>>],
                 IF l[Getter].n + 1 = Gets THEN "End" ELSE "GetKey")

GetKey ==
  /\ At(Getter, "GetKey")
  /\ IF table[1] = Nothing THEN Answered
     ELSE Goto(Getter, [l[Getter] EXCEPT !.e = table[1]], "GetFirst")
  /\ UNCHANGED <<table, data, gen, free>>

GetFirst ==
  /\ At(Getter, "GetFirst")
  /\ Goto(Getter, [l[Getter] EXCEPT !.v[1] = data[l[Getter].e.r][1]], "GetSecond")
  /\ UNCHANGED <<table, data, gen, free>>

GetSecond ==
  /\ At(Getter, "GetSecond")
  /\ Goto(Getter, [l[Getter] EXCEPT !.v[2] = data[l[Getter].e.r][2]],
          IF FixGen THEN "GetGen" ELSE "GetReturn")
  /\ UNCHANGED <<table, data, gen, free>>

GetGen ==
  /\ At(Getter, "GetGen")
  /\ Go(Getter, IF gen[l[Getter].e.r] = l[Getter].e.g THEN "GetReturn" ELSE "GetKey")
  /\ UNCHANGED <<table, data, gen, free>>

GetReturn ==
  /\ At(Getter, "GetReturn")
  /\ Answered
  /\ UNCHANGED <<table, data, gen, free>>

Die(a) ==
  /\ a \in Mortal /\ at[a] \notin {"End", "Dead"}
  /\ Go(a, "Dead")
  /\ UNCHANGED <<table, data, gen, free>>

SetStep(k) == SetTake(k) \/ SetGen(k) \/ SetName(k) \/ SetFirst(k) \/ SetSecond(k)
EvictStep == EvictLook \/ EvictKey \/ EvictGen \/ EvictFree
GetStep == GetKey \/ GetFirst \/ GetSecond \/ GetGen \/ GetReturn
(* Whoever lives has ended, or waits for a record or an element that a     *)
(* death has taken along.                                                  *)
Finished ==
  /\ At(Getter, "End")
  /\ \A k \in Setters : at[k] \in {"End", "Dead"} \/ (At(k, "SetTake") /\ free = {})
  /\ \/ at[Evictor] \in {"End", "Dead"}
     \/ At(Evictor, "EvictLook") /\ At(1, "Dead") /\ table[1] = Nothing
  /\ Mortal = {} => \A a \in Actors : At(a, "End")

Done == Finished /\ UNCHANGED vars

Next ==
  \/ EvictStep \/ GetStep \/ Done
  \/ \E k \in Setters : SetStep(k)
  \/ \E a \in Actors : Die(a)
Spec == Init /\ [][Next]_vars
FairSpec ==
  Spec /\ WF_vars(EvictStep) /\ WF_vars(GetStep) /\ \A k \in Setters : WF_vars(SetStep(k))
----------------------------------------------------------------------------
Answer == l[Getter].v
(* A get answers with whole data, and with the data of its key. *)
Whole == At(Getter, "GetReturn") => Answer[1] = Answer[2]
NoPhantom == At(Getter, "GetReturn") => Answer = <<Value(1), Value(1)>>
(* No two clients copy into one record; no two keys name one. *)
Copies(k) == At(k, "SetFirst") \/ At(k, "SetSecond")
OneWriter == \A j, k \in Setters : j # k /\ Copies(j) /\ Copies(k) => l[j].e.r # l[k].e.r
OneKey == \A j, k \in Setters : j # k /\ table[j] # Nothing => table[j].r # table[k].r
Terminates == <>Finished
=============================================================================
