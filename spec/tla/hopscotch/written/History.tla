------------------------------ MODULE History ------------------------------
(***************************************************************************)
(* The atomic map as history. Each operation takes effect at one instant   *)
(* between its call and its return; which one is left open: lin[k] is the  *)
(* set of everything that may have happened to key k so far. One           *)
(* possibility is a sequence: the value of the key, then for each client   *)
(* the result of its operation in progress, 0 while it has had no effect.  *)
(* A result is right exactly if some possibility has it.                   *)
(***************************************************************************)
EXTENDS Stash

(* Results. A get that finds answers with the value; values are above 9.   *)
Absent == 1     \* get, update, delete: the key is not there
Added == 2
Updated == 3
Deleted == 4

Effect(y, t, o) ==
  LET v == y[1]
      value == CASE o.op = "get" -> v
                 [] o.op = "add" -> o.v
                 [] o.op = "update" -> IF v = None THEN None ELSE o.v
                 [] o.op = "delete" -> None
      result == CASE o.op = "add" -> Added
                  [] v = None -> Absent
                  [] o.op = "get" -> v
                  [] o.op = "update" -> Updated
                  [] o.op = "delete" -> Deleted
  IN [y EXCEPT ![1] = value, ![t + 1] = result]

Once(s, pending) ==
  s \cup {Effect(y[1], y[2], Op(y[2])) :
            y \in {z \in s \X pending : z[1][z[2] + 1] = 0}}

InitLin == [k \in Keys |->
  {[i \in 1 .. Cardinality(Clients) + 1 |-> IF i = 1 THEN InitMap[k] ELSE 0]}]

(* The operation of t is called: from now on it may take effect. *)
CallLin(t) ==
  LET k == Op(t).k
      pending == {u \in Clients : u = t \/ (~At(u, "Idle") /\ Op(u).k = k)}
  IN lin' = [lin EXCEPT ![k] = Once(Once(Once(@, pending), pending), pending)]

Allowed(t) == \E y \in lin[Op(t).k] : y[t + 1] = l[t].r

(* It returns: only what agrees with its result remains. A wrong result is *)
(* reported by the invariants and otherwise forgotten.                     *)
ReturnLin(t) ==
  LET k == Op(t).k
      right == {y \in lin[k] : y[t + 1] = l[t].r}
      rest == IF right = {} THEN lin[k] ELSE right
  IN lin' = [lin EXCEPT ![k] = {[y EXCEPT ![t + 1] = 0] : y \in rest}]
----------------------------------------------------------------------------
(* The half of a key is a part of its augmented hash, which the add that   *)
(* placed it has returned. Who has not added it knows where it stood.      *)
HasAdded(t) == \E j \in 1 .. l[t].i - 1 : Programs[t][j].op = "add" /\ Programs[t][j].k = Op(t).k
ClientCall(t) ==
  /\ At(t, "Idle")
  /\ ~Finished(t)
  /\ IF Op(t).op = "add"
     THEN Goto(t, [Fresh(t) EXCEPT !.h = 0], IF Halves = 2 THEN "ChooseLoad" ELSE "AddLoad")
     ELSE Goto(t, [Fresh(t) EXCEPT !.h = IF HasAdded(t) THEN @ ELSE 0], "SearchLoad")
  /\ CallLin(t)
  /\ UNCHANGED <<c, tv, st, free, q, cq, tier>>

ClientReturn(t) ==
  /\ At(t, "Return")
  /\ Goto(t, [Fresh(t) EXCEPT !.i = @ + 1], "Idle")
  /\ ReturnLin(t)
  /\ UNCHANGED <<c, tv, st, free, q, cq, tier>>

Answer(t, result) == Goto(t, [Fresh(t) EXCEPT !.r = result], "Return")
=============================================================================
