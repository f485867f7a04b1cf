------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* The queue in front of the completion service: a ring of slots between   *)
(* two indices. Adders queue displaced pairs and return; the service takes *)
(* them first in first out, and queues what it usurps in a full window     *)
(* once more. States 2 to 4 say who queues, none says how. H-29, H-30.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Producers,  \* adders, numbers from 1
          Items,      \* pairs that each of them queues
          N,          \* slots of the ring
          Again,      \* items that the service queues once more: p * 10 + i
          Mortal,     \* adders that may die, at any step of a push
          Waits,      \* a push waits while the ring is full; otherwise the
                      \* pair is dropped
          FixClaim,   \* a push claims its slot by a compare-and-swap of the
                      \* tail; an empty slot says that nothing is there yet
          FixOwn      \* the service keeps what it usurps to itself

Service == 0
Actors == {Service} \cup Producers
None == 0
First == {p * 10 + i : p \in Producers, i \in 1 .. Items}
More(x) == x + 100
All == First \cup {More(x) : x \in Again}

VARIABLES head, tail, slot,  \* shared
          at, l,             \* program counters, locals
          queued,            \* items whose push has returned
          served             \* item -> how often the service has had it
vars == <<head, tail, slot, at, l, queued, served>>

Init ==
  /\ head = 0 /\ tail = 0
  /\ slot = [i \in 0 .. N - 1 |-> None]
  /\ at = [p \in Actors |-> "Idle"]
  /\ l = [p \in Actors |-> [x |-> None, t |-> 0, i |-> 0]]
  /\ queued = {}
  /\ served = [x \in All \cup {None} |-> 0]

At(p, where) == at[p] = where
Goto(p, local, where) == at' = [at EXCEPT ![p] = where] /\ l' = [l EXCEPT ![p] = local]

(* The ring for one producer has indices modulo N, and one slot stays      *)
(* empty. Claimed indices only grow.                                       *)
After(i) == IF FixClaim THEN i + 1 ELSE (i + 1) % N
Full(t) == IF FixClaim THEN t >= head + N ELSE After(t) = head
----------------------------------------------------------------------------
Pushed(p) ==
  /\ Goto(p, [l[p] EXCEPT !.x = None, !.t = 0, !.i = IF p = Service THEN @ ELSE @ + 1], "Idle")
  /\ queued' = queued \cup {l[p].x}

PushBegin(p) ==
  /\ At(p, "Idle")
  /\ p # Service /\ l[p].i < Items
  /\ Goto(p, [l[p] EXCEPT !.x = p * 10 + l[p].i + 1, !.t = tail], "PushFull")
  /\ UNCHANGED <<head, tail, slot, queued, served>>

PushTail(p) ==
  /\ At(p, "PushTail")
  /\ Goto(p, [l[p] EXCEPT !.t = tail], "PushFull")
  /\ UNCHANGED <<head, tail, slot, queued, served>>

PushFull(p) ==
  /\ At(p, "PushFull")
  /\ IF Full(l[p].t)
     THEN ~Waits /\ Pushed(p)
     ELSE /\ Goto(p, l[p], IF FixClaim THEN "PushClaim" ELSE "PushSlot")
          /\ UNCHANGED queued
  /\ UNCHANGED <<head, tail, slot, served>>

PushClaim(p) ==
  /\ At(p, "PushClaim")
  /\ IF tail = l[p].t
     THEN tail' = tail + 1 /\ Goto(p, l[p], "PushSlot")
     ELSE Goto(p, l[p], "PushTail") /\ UNCHANGED tail
  /\ UNCHANGED <<head, slot, queued, served>>

PushSlot(p) ==
  /\ At(p, "PushSlot")
  /\ slot' = [slot EXCEPT ![l[p].t % N] = l[p].x]
  /\ IF FixClaim THEN Pushed(p) ELSE Goto(p, l[p], "PushMove") /\ UNCHANGED queued
  /\ UNCHANGED <<head, tail, served>>

PushMove(p) ==
  /\ At(p, "PushMove")
  /\ tail' = After(l[p].t)
  /\ Pushed(p)
  /\ UNCHANGED <<head, slot, served>>
----------------------------------------------------------------------------
(* Only the service stores the head, so it need not load it. *)
TakeTail ==
  /\ At(Service, "Idle")
  /\ ~FixClaim /\ tail # head
  /\ Goto(Service, l[Service], "TakeSlot")
  /\ UNCHANGED <<head, tail, slot, queued, served>>

TakeSlot ==
  /\ At(Service, IF FixClaim THEN "Idle" ELSE "TakeSlot")
  /\ FixClaim => slot[head % N] # None
  /\ Goto(Service, [l[Service] EXCEPT !.x = slot[head % N]],
          IF FixClaim THEN "TakeClear" ELSE "TakeMove")
  /\ UNCHANGED <<head, tail, slot, queued, served>>

TakeClear ==
  /\ At(Service, "TakeClear")
  /\ slot' = [slot EXCEPT ![head % N] = None]
  /\ Goto(Service, l[Service], "TakeMove")
  /\ UNCHANGED <<head, tail, queued, served>>

(* The slot is given back, and the item served or queued once more. *)
TakeMove ==
  LET x == l[Service].x IN
  /\ At(Service, "TakeMove")
  /\ head' = After(head)
  /\ IF x \in Again /\ ~FixOwn
     THEN /\ Goto(Service, [l[Service] EXCEPT !.x = More(x)], "PushTail")
          /\ UNCHANGED served
     ELSE /\ Goto(Service, [l[Service] EXCEPT !.x = None], "Idle")
          /\ served' = [served EXCEPT ![IF x \in Again THEN More(x) ELSE x] = @ + 1]
  /\ UNCHANGED <<tail, slot, queued>>

Die(p) ==
  /\ p \in Mortal /\ at[p] \notin {"Idle", "Dead"}
  /\ Goto(p, l[p], "Dead")
  /\ UNCHANGED <<head, tail, slot, queued, served>>

Step(p) == PushBegin(p) \/ PushTail(p) \/ PushFull(p) \/ PushClaim(p) \/ PushSlot(p) \/ PushMove(p)
ServiceStep == TakeTail \/ TakeSlot \/ TakeClear \/ TakeMove \/ Step(Service)
AtRest ==
  /\ \A p \in Producers : At(p, "Dead") \/ (At(p, "Idle") /\ l[p].i = Items)
  /\ At(Service, "Idle")
  /\ IF FixClaim THEN slot[head % N] = None ELSE head = tail
Done == AtRest /\ UNCHANGED vars

Next == ServiceStep \/ (\E p \in Producers : Step(p) \/ Die(p)) \/ Done
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(ServiceStep) /\ \A p \in Producers : WF_vars(Step(p))
----------------------------------------------------------------------------
Last(x) == IF x \in Again THEN More(x) ELSE x
(* What was queued is served, and once. *)
NothingLost == AtRest => \A x \in queued : served[Last(x)] > 0
NothingTwice == served[None] = 0 /\ \A x \in All : served[x] <= 1
AllServed == <>(\A x \in First : served[Last(x)] = 1)
=============================================================================
