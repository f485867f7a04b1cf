------------------------------ MODULE FreeList ------------------------------
(***************************************************************************)
(* The stack of free records: a head and a link in each free record, both  *)
(* changed by compare-and-swap or store, and a count of what is free in a  *)
(* word of its own, which decides whether a record may come back. The text *)
(* says "a stack of free stash records", and no more. H-77, H-78.          *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Actors,    \* numbers from 1
          R,         \* records
          Takes,     \* how often an actor takes a record
          Mortal,    \* actors that may die, at any step
          FixTag,    \* the head has a tag that each change raises
          FixAdd,    \* the count changes by one atomic addition
          FixCount   \* the count is in the word of the head: one compare-and-swap
                     \* changes both

Records == 1 .. R
End == 0

VARIABLES head, tag, next, count,  \* shared
          at, l, held              \* program counters, locals, what an actor has
vars == <<head, tag, next, count, at, l, held>>

NoLocal == [h |-> 0, g |-> 0, n |-> 0, c |-> 0, r |-> 0]
Init ==
  /\ head = 1 /\ tag = 0 /\ count = R
  /\ next = [r \in Records |-> IF r = R THEN End ELSE r + 1]
  /\ at = [a \in Actors |-> "Idle"]
  /\ l = [a \in Actors |-> [taken |-> 0] @@ NoLocal]
  /\ held = [a \in Actors |-> {}]

At(a, where) == at[a] = where
Goto(a, local, where) == at' = [at EXCEPT ![a] = where] /\ l' = [l EXCEPT ![a] = local]
Clear(a) == [l[a] EXCEPT !.h = 0, !.g = 0, !.n = 0, !.c = 0, !.r = 0]
Swap(a, new, change) ==
  /\ head = l[a].h /\ tag = l[a].g
  /\ head' = new /\ tag' = IF FixTag THEN tag + 1 ELSE tag
  /\ count' = IF FixCount THEN change ELSE count
Lost(a) == (head # l[a].h \/ tag # l[a].g) /\ UNCHANGED <<head, tag, count>>
Count(step) == IF FixCount THEN "Idle" ELSE step
KeepList == UNCHANGED <<head, tag, next>>
----------------------------------------------------------------------------
PopBegin(a) ==
  /\ At(a, "Idle") /\ l[a].taken < Takes
  /\ head # End
  /\ Goto(a, [l[a] EXCEPT !.h = head, !.g = tag], "PopNext")
  /\ KeepList /\ UNCHANGED <<count, held>>

PopNext(a) ==
  /\ At(a, "PopNext")
  /\ Goto(a, [l[a] EXCEPT !.n = next[l[a].h]], "PopSwap")
  /\ KeepList /\ UNCHANGED <<count, held>>

PopSwap(a) ==
  /\ At(a, "PopSwap")
  /\ \/ /\ Swap(a, l[a].n, count - 1)
        /\ held' = [held EXCEPT ![a] = @ \cup {l[a].h}]
        /\ Goto(a, [Clear(a) EXCEPT !.taken = @ + 1], Count("DownLoad"))
     \/ Lost(a) /\ Goto(a, Clear(a), "Idle") /\ UNCHANGED held
  /\ UNCHANGED next

DownLoad(a) ==
  /\ At(a, "DownLoad")
  /\ IF FixAdd THEN Goto(a, Clear(a), "Idle") /\ count' = count - 1
     ELSE Goto(a, [l[a] EXCEPT !.c = count], "DownStore") /\ UNCHANGED count
  /\ KeepList /\ UNCHANGED held

DownStore(a) ==
  /\ At(a, "DownStore")
  /\ count' = l[a].c - 1
  /\ Goto(a, Clear(a), "Idle")
  /\ KeepList /\ UNCHANGED held
----------------------------------------------------------------------------
(* A record comes back, unless the count says that all are free. *)
PushBegin(a) ==
  /\ At(a, "Idle")
  /\ \E r \in held[a] :
       IF count >= R
       THEN held' = [held EXCEPT ![a] = @ \ {r}] /\ UNCHANGED <<at, l>>
       ELSE Goto(a, [l[a] EXCEPT !.r = r], "PushHead") /\ UNCHANGED held
  /\ KeepList /\ UNCHANGED count

PushHead(a) ==
  /\ At(a, "PushHead")
  /\ Goto(a, [l[a] EXCEPT !.h = head, !.g = tag], "PushLink")
  /\ KeepList /\ UNCHANGED <<count, held>>

PushLink(a) ==
  /\ At(a, "PushLink")
  /\ next' = [next EXCEPT ![l[a].r] = l[a].h]
  /\ Goto(a, l[a], "PushSwap")
  /\ UNCHANGED <<head, tag, count, held>>

PushSwap(a) ==
  /\ At(a, "PushSwap")
  /\ \/ /\ Swap(a, l[a].r, count + 1)
        /\ held' = [held EXCEPT ![a] = @ \ {l[a].r}]
        /\ Goto(a, Clear(a), Count("UpLoad"))
     \/ Lost(a) /\ Goto(a, l[a], "PushHead") /\ UNCHANGED held
  /\ UNCHANGED next

UpLoad(a) ==
  /\ At(a, "UpLoad")
  /\ IF FixAdd THEN Goto(a, Clear(a), "Idle") /\ count' = count + 1
     ELSE Goto(a, [l[a] EXCEPT !.c = count], "UpStore") /\ UNCHANGED count
  /\ KeepList /\ UNCHANGED held

UpStore(a) ==
  /\ At(a, "UpStore")
  /\ count' = l[a].c + 1
  /\ Goto(a, Clear(a), "Idle")
  /\ KeepList /\ UNCHANGED held

Die(a) ==
  /\ a \in Mortal /\ ~At(a, "Dead")
  /\ Goto(a, l[a], "Dead")
  /\ KeepList /\ UNCHANGED <<count, held>>

Step(a) ==
  \/ PopBegin(a) \/ PopNext(a) \/ PopSwap(a)
  \/ DownLoad(a) \/ DownStore(a)
  \/ PushBegin(a) \/ PushHead(a) \/ PushLink(a) \/ PushSwap(a)
  \/ UpLoad(a) \/ UpStore(a)
AtRest == \A a \in Actors : at[a] \in {"Idle", "Dead"}
Left(a) == At(a, "Dead") \/ (held[a] = {} /\ (l[a].taken = Takes \/ head = End))
Done == AtRest /\ (\A a \in Actors : Left(a)) /\ UNCHANGED vars

Next == (\E a \in Actors : Step(a) \/ Die(a)) \/ Done
Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
Chain[i \in 1 .. R + 1] ==
  IF i = 1 THEN head ELSE IF Chain[i - 1] = End THEN End ELSE next[Chain[i - 1]]
Free == {Chain[i] : i \in 1 .. R + 1} \ {End}

(* A record is free, or one actor has it. *)
OneOwner ==
  \A r \in Records :
    /\ \A a, b \in Actors : a # b => ~(r \in held[a] /\ r \in held[b])
    /\ r \in Free => \A a \in Actors : r \notin held[a]
NothingLeaked == \A r \in Records : r \in Free \/ \E a \in Actors : r \in held[a]
CountRight == AtRest => count = Cardinality(Free)
=============================================================================
