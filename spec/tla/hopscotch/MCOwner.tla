------------------------------- MODULE MCOwner -------------------------------
(***************************************************************************)
(* What must hold of owner words and of what dead actors leave, and the    *)
(* witnesses that the runs reach what they are about.                      *)
(***************************************************************************)
EXTENDS Owner

Ids == 1 .. Descriptors
Outside == {"ProcessLock", "ProcessPublish", "ProcessUnlock", "Over"}
(* Somebody can still make a step under this word.                         *)
Living(w) == \E a \in Actors : loc[a].w = w /\ loc[a].pc \notin Outside
Orphan(d) == owner[d] # Nobody /\ ~Living(owner[d])

(* An actor has its own descriptor from OwnerTake to OwnerFree, and that   *)
(* of a dead one from OwnerTakeOver to OwnerFree or OwnerBack. Who has it  *)
(* may write its head and install what is in it.                           *)
Settling == {"OwnerHead", "OwnerHome", "OwnerTarget", "OwnerRetire", "TableHelp", "OwnerFree",
             "OwnerBack"}
Has(a, d) == LET l == loc[a] IN
  l.d = d \/ (l.i = d /\ l.why \in {"reclaim", "inherit"} /\ l.pc \in Settling)

(* J1: a descriptor is had by one, and the owner word says by whom.        *)
J1OneHasIt == \A d \in Ids :
  /\ Cardinality({a \in Actors : Has(a, d)}) <= 1
  /\ \A a \in Actors : Has(a, d) => owner[d] = loc[a].w
(* J2: nobody who lives keeps a descriptor without knowing of it.          *)
J2NobodyKeeps == \A d \in Ids, a \in Actors :
  owner[d] = loc[a].w /\ Living(owner[d]) => Has(a, d)
(* J3: nothing in a free descriptor is anybody's.                          *)
J3FreeIsEmpty == \A d \in Ids : owner[d] = Nobody => head[d].kind = "none" /\ cell[d] = 0
(* J4: what is installed is what the descriptor says.                      *)
J4InstalledIsWritten == \A d \in Ids :
  cell[d] # 0 => /\ head[d].gen = cell[d] /\ head[d].kind # "none"
                 /\ target[d].gen = cell[d]
(* J5: what left by an operation of the dead is handed over once.          *)
J5HandedOnce == again = {}
(* J6: what is handed over as certain had been seen by nobody.             *)
J6CertainIsTrue == \A x \in handed : x[2] => \A y \in known : y[1] # x[1]
(* J7: what its owner has seen is handed over only if that owner has died. *)
J7OfTheDead == \A x \in handed, y \in known : x[1] = y[1] => y[2] \in died
(* J8: each value that left is told, or known to somebody who lives, or in *)
(* its descriptor, or lost with somebody who knew it.                      *)
J8Conserved == left \subseteq
  given \cup lost \cup UNION {loc[a].pocket : a \in Actors} \cup {v \in left : InDescriptor(v)}
               \cup UNION {loc[a].win : a \in Actors}
(* J9: few values are lost: of the call in which an owner dies, all but the*)
(* last; of a reclaim in which a reclaimer dies, those taken so far.       *)
J9FewAreLost ==
  Cardinality(lost) <= deaths * (MaxCall - 1) + (deaths * (deaths - 1)) \div 2
(* J10: full is only what has no place for an element.                     *)
J10FullStays == \A d \in Ids :
  target[d].st = "full" /\ target[d].gen = head[d].gen => head[d].kind # "leaves"
(* J11: an actor that lives has the lock of the entry that says so.        *)
J11LivesByItsLock == \A a \in Actors : LET w == loc[a].w IN
  loc[a].pc \notin Outside => lock[w.e] = a /\ state[w.e] = Attached(w.ep)
MCTypes == \A d \in Ids :
  /\ head[d].kind \in {"none", "leaves", "stays"}
  /\ target[d].st \in {"undecided", "committed", "aborted", "full"}
  /\ target[d].gen <= head[d].gen /\ cell[d] <= head[d].gen
  /\ owner[d] = Nobody \/ owner[d].n \in Actors

(* Q1: from one owner to another a descriptor goes only if the one is dead *)
(* (to the reclaimer) or the other is (back).                              *)
Q1FromTheDead == [][\A d \in Ids :
  owner[d] # owner'[d] /\ owner[d] # Nobody /\ owner'[d] # Nobody
    => ~Living(owner[d]) \/ ~Living(owner'[d])]_owner
(* Q2: once dead, an owner is dead.                                        *)
Q2DeadForGood == [][\A d \in Ids :
  Orphan(d) /\ owner'[d] = owner[d] => ~Living(owner[d])']_<<owner, loc>>

(* Q3: a generation is used once.                                          *)
Q3GenerationsGrow == [][\A d \in Ids : head'[d] # head[d] => head'[d].gen = head[d].gen + 1]_head

(* Q4: only what left by the last operation of a dead owner is handed over.*)
Q4OfTheLast == [][\A x \in handed' \ handed : head[x[1].d].gen = x[1].g]_handed

(* Q5: a decision is one, but for the commitment of what stays that turns  *)
(* out to be full.                                                         *)
Q5DecidedOnce == [][\A d \in Ids : LET was == target[d]  is == target'[d] IN
  was.gen = is.gen /\ was.st # "undecided"
    => is.st = was.st \/ (was.st = "committed" /\ is.st = "full" /\ head[d].kind = "stays")]_target

(* Somebody who does not die reclaims: no descriptor stays with the dead;  *)
(* and every call ends, whoever dies.                                      *)
NoneStaysWithTheDead ==
  /\ \A d \in Ids : []<>~Orphan(d)
  /\ \A a \in Actors : []<>(loc[a].pc \in Resting)

(* Witnesses: claims that must be violated. A reclaimer and a newcomer are *)
(* about to take one descriptor from its dead owner.                       *)
NobodyRacesANewcomer == \A a, b \in Actors :
  /\ loc[a].pc = "OwnerTakeOver" /\ loc[a].why = "reclaim"
  /\ loc[b].pc = "OwnerTakeOver" /\ loc[b].why = "inherit"
  => <<loc[a].i, loc[a].seen>> # <<loc[b].i, loc[b].seen>>
(* An operation is finished for its owner, and what left by it is certain. *)
NobodyIsSure == \A x \in handed : ~x[2]
(* Its reclaimer dies, too: the next one cannot tell that nobody saw it.   *)
NoHeirInDoubt == \A x \in handed : x[2] \/ \E y \in known : y[1] = x[1]
(* A newcomer has the number of a dead owner who is not reclaimed yet.     *)
NoNumberTwice == \A d \in Ids, a \in Actors :
  Orphan(d) /\ loc[a].d # 0 => loc[a].w.n # owner[d].n
(* The bound of J9 is not an empty one.                                    *)
NothingIsLost == lost = {}
(* Somebody takes back the commitment of an operation of the dead.         *)
NothingIsTakenBack == [][\A d \in Ids :
  target[d].st = "committed" /\ Orphan(d) => target'[d].st # "full"]_target
(* In the midst of another operation somebody helps that of the dead.      *)
NobodyHelpsWithin == [][\A d \in Ids :
  /\ Orphan(d)
  /\ \A a \in Actors : loc[a].pc \in Meeting => loc[a].pc = "TableHelp" /\ loc[a].i # d
  => target'[d] = target[d]]_target
(* Nobody makes the entry of a dead process idle.                          *)
NothingIsCleared == [][\A e \in 1 .. Entries :
  state[e].at /\ ~state'[e].at => \E a \in Actors : loc[a].pc = "ProcessWithdraw"]_state
(* No new process passes by an entry that it could have, because another  *)
(* one is clearing it.                                                     *)
NobodyComesBy == \A a, b \in Actors :
  ~(loc[a].pc = "ProcessLock" /\ loc[b].pc = "ProcessClearState" /\ loc[b].seen.e = loc[a].i)
(* The process to clear is over long since: somebody else has its entry.   *)
NobodyClearsLate == \A a, b \in Actors :
  ~(loc[a].pc = "ProcessClearLock" /\ Living(loc[b].w) /\ loc[b].w.e = loc[a].seen.e
      /\ loc[b].w.ep > loc[a].seen.ep)
=============================================================================
