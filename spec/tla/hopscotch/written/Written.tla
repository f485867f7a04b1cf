------------------------------ MODULE Written ------------------------------
(***************************************************************************)
(* The protocol as the source text words it: clients that run a program,   *)
(* the completion service, the cropper; and what should hold of them.      *)
(***************************************************************************)
EXTENDS Usurper

Init ==
  /\ c = InitCells
  /\ tv = InitTaken
  /\ st = [r \in Record |-> NoRecord]
  /\ free = Record
  /\ q = <<>>
  /\ cq = <<>>
  /\ tier = {}
  /\ l = [t \in Actors |-> NoLocal]
  /\ lin = InitLin

ClientNext(t) ==
  \/ ClientCall(t) \/ ClientReturn(t)
  \/ AdderNext(t) \/ ReaderNext(t) \/ DeleterNext(t) \/ UsurperNext(t)

Rests(t) == At(t, "Idle") \/ Dead(t)
AtRest ==
  /\ \A t \in Clients : Finished(t) \/ Dead(t)
  /\ \A t \in Servers \cup {CropActor} : Rests(t)
  /\ q = <<>> /\ cq = <<>>
Done == AtRest /\ UNCHANGED vars

(* Somebody dies at work: what it did stays, what it wanted to do is not   *)
(* done. What a dead client had called may have taken effect or not.       *)
Die(t) ==
  /\ Cardinality({u \in Actors : Dead(u)}) < MaxDeaths
  /\ ~Rests(t)
  /\ Goto(t, Fresh(t), "Dead")
  /\ KeepAll

ServerNext(t) == ServiceNext(t) \/ FullNext(t)

Next ==
  \/ \E t \in Clients : ClientNext(t)
  \/ ServerNext(Service) \/ CropperNext \/ (Second \in Servers /\ ServerNext(Second))
  \/ Done
  \/ \E t \in Actors : Die(t)

Spec == Init /\ [][Next]_vars
FairSpec ==
  /\ Spec
  /\ \A t \in Servers : WF_vars(ServerNext(t))
  /\ WF_vars(CropperNext)
  /\ \A t \in Clients : WF_vars(ClientNext(t))
----------------------------------------------------------------------------
(* Results. An operation that is about to return has a result that some    *)
(* order of the operations allows (History.tla).                           *)
Returns(t, results) == At(t, "Return") /\ l[t].r \in results /\ ~Allowed(t)

(* A get never answers with a value that the key did not have in the call. *)
NoPhantom == \A t \in Clients : ~(At(t, "Return") /\ l[t].r > Deleted /\ ~Allowed(t))
(* A key that is there is never reported absent. *)
NothingMissed == \A t \in Clients : ~Returns(t, {Absent})
(* An update or a delete that succeeds had the key, and alone. *)
OneWinner == \A t \in Clients : ~Returns(t, {Updated, Deleted})
----------------------------------------------------------------------------
(* At rest: everybody has returned, the services have nothing to do. *)
Map(b) == IF c[b].f = "B" THEN c[b].m ELSE IF c[b].f = "BO" THEN st[c[b].s].real ELSE {}
Places(k) ==
  LET homes == {Home[k] + N * h : h \in 0 .. Halves - 1} IN
  {b \in homes : IsBase(c[b]) /\ c[b].k = k}
  \cup {a \in Cell : /\ IsMember(c[a]) /\ c[a].k = k
                     /\ \E b \in homes : \E o \in Map(b) \ {0} : Up(b, o) = a}

(* Memory holds the map: what a search would find is what some order of    *)
(* the operations left. Nothing lost, nothing brought back.                *)
NothingLost == AtRest => \A k \in Keys :
  Places(k) = {} => \E y \in lin[k] : y[1] = None
NothingBack == AtRest => \A k \in Keys :
  Places(k) # {} => \E y \in lin[k] : y[1] # None
ValueKept == AtRest => \A k \in Keys : \A a \in Places(k) :
  (\E y \in lin[k] : y[1] # None) => \E y \in lin[k] : y[1] = tv[a].v
KeysUnique == AtRest => \A k \in Keys :
  Cardinality({a \in Cell : c[a].k = k}) <= 1

(* Every occupied cell belongs to somebody, who names it. *)
Owned == AtRest => \A a \in Cell :
  /\ IsMember(c[a]) => c[a].f = "M" /\ c[a].o \in Map(Down(a, c[a].o))
  /\ IsBase(c[a]) => \A o \in Map(a) \ {0} : c[Up(a, o)].f = "M" /\ c[Up(a, o)].o = o
(* Taken maps are complete and sound. *)
TakenExact == AtRest => \A b \in Cell : IsBase(c[b]) =>
  /\ tv[b].f = "B"
  /\ tv[b].m = {0} \cup {o \in Offsets : c[Up(b, o)].f # "E"}
(* No operation is left behind, and every record is back. *)
NothingLeft == AtRest => \A a \in Cell :
  c[a].f \in {"E", "B", "M"} /\ c[a].n = 0 /\ c[a].fl = {} /\ tv[a].f # "O"
StashBack == AtRest => free = Record

(* A cell whose key was deleted is empty in the end. *)
Reclaimed == AtRest => \A a \in Cell : c[a].k # Lost

TypeOK ==
  /\ \A a \in Cell : c[a].f \in {"E", "B", "BO", "M", "MO"}
  /\ \A a \in Cell : tv[a].f \in {"Z", "T", "B", "O"}
  /\ free \subseteq Record

(* Everybody returns, and the services come to rest. *)
Terminates == <>AtRest
=============================================================================
