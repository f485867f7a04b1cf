------------------------------- MODULE Owner -------------------------------
(***************************************************************************)
(* Who owns a descriptor: the process table, the owner words, and what     *)
(* becomes of the descriptor of an actor that has died.                    *)
(* Engine: impl/hopscotch/reclaim.go and handle.go; impl/region/process.go.*)
(*                                                                         *)
(*   Process...  an entry of the process table: its lock, its state        *)
(*   Owner...    one access of a word of a descriptor, between operations  *)
(*   Table...    the life of one operation, as the other modules make it;  *)
(*               what it takes from them is I16 to I18, P6, P7 (MCReclaim) *)
(*   Call...     events of the client                                      *)
(*                                                                         *)
(* An actor is a process with one handle. It may die at any step; then the *)
(* system drops its lock. A process with the same number may come after it *)
(* (a life), in the same entry; its owner word differs by the epoch.       *)
(* The table is as small as it can be: each descriptor has a cell of its   *)
(* own, to which its operation is installed. By an operation that is       *)
(* committed something leaves the table, or nothing; and an operation by   *)
(* which nothing leaves may still turn out to be full. Generations and     *)
(* epochs have no end.                                                     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Actors,       \* numbers from 1
          Entries,      \* how many the process table has
          Descriptors,  \* how many the region has
          Seated,       \* actors that have a handle at the start
          Callers,      \* actors that change the table
          Reclaimers,   \* actors that call Reclaim, as often as they like
          Closers,      \* actors that may close their handle
          Clearers,     \* actors that make entries of the dead idle
          Mortal,       \* actors that may die
          MaxLives,     \* processes with one number
          MaxDeaths,
          MaxOps,       \* operations of an actor, all lives together
          MaxCall,      \* operations of one call
          MaxGiveUps    \* reclaims that run out of patience, or meet damage

VARIABLES state,   \* entry -> epoch of the last attachment, and whether it is there
          lock,    \* entry -> the actor that has its lock, 0
          owner,   \* descriptor -> owner word
          head,    \* descriptor -> generation and kind
          target,  \* descriptor -> generation and status
          cell,    \* descriptor -> generation that its home cell refers to, 0
          loc,     \* actor -> its local state
          ops,     \* actor -> operations begun
          deaths, giveups,
          left,    \* what has left the table (history, as all below)
          known,   \* of this what the owner of its operation has seen: <<value, owner word>>
          handed,  \* and what was handed over for a dead owner: <<value, certain>>
          again,   \* the same, of what had been handed over before
          given,   \* what a call that has returned has told
          lost,    \* what a dead actor knew and nobody else can know
          died     \* the lives that ended by a death

memVars == <<state, lock, owner, head, target, cell>>
histVars == <<left, known, handed, again, given, lost, died>>
vars == <<memVars, loc, ops, deaths, giveups, histVars>>

Nobody == [n |-> 0, e |-> 0, ep |-> 0]
Word(n, e, ep) == [n |-> n, e |-> e, ep |-> ep]
NextEpoch(ep) == ep + 1
Idle(ep) == [ep |-> ep, at |-> FALSE]
Attached(ep) == [ep |-> ep, at |-> TRUE]
Generation(g, kind) == [gen |-> g, kind |-> kind]

(* d: the own descriptor; gen: its generation, in the handle. i: the entry *)
(* or the descriptor that is looked at; why: for which call; seen: its     *)
(* owner word; fin: its operation was finished for its owner; win: what    *)
(* left by it. pocket: what the call will tell. n: operations of the call. *)
Born(life) == [pc |-> "ProcessLock", life |-> life, w |-> Nobody, d |-> 0, gen |-> 0, i |-> 1,
               why |-> "attach", seen |-> Nobody, fin |-> FALSE, win |-> {}, pocket |-> {}, n |-> 0]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
At(l, pc) == [l EXCEPT !.pc = pc]
Rest(l) == At([l EXCEPT !.i = 0, !.why = "none", !.n = 0], "Ready")
After(l) == IF l.life = MaxLives THEN At(Born(l.life), "Over") ELSE Born(l.life + 1)
Sitting(a) == Rest([Born(1) EXCEPT !.w = Word(a, a, 1), !.d = a])

Init ==
  /\ state = [e \in 1 .. Entries |-> IF e \in Seated THEN Attached(1) ELSE Idle(0)]
  /\ lock = [e \in 1 .. Entries |-> IF e \in Seated THEN e ELSE 0]
  /\ owner = [d \in 1 .. Descriptors |-> IF d \in Seated THEN Word(d, d, 1) ELSE Nobody]
  /\ head = [d \in 1 .. Descriptors |-> Generation(0, "none")]
  /\ target = [d \in 1 .. Descriptors |-> [gen |-> 0, st |-> "undecided"]]
  /\ cell = [d \in 1 .. Descriptors |-> 0]
  /\ loc = [a \in Actors |-> IF a \in Seated THEN Sitting(a) ELSE Born(1)]
  /\ ops = [a \in Actors |-> 0]
  /\ deaths = 0 /\ giveups = 0
  /\ left = {} /\ known = {} /\ handed = {} /\ again = {} /\ given = {} /\ lost = {}
  /\ died = {}

(* The descriptor behind i is next, of those that the call looks at.       *)
Further(l, i) ==
  LET j == IF l.why = "reclaim" /\ i + 1 = l.d THEN i + 2 ELSE i + 1
      x == [l EXCEPT !.i = j, !.seen = Nobody, !.fin = FALSE, !.win = {}]
  IN CASE j <= Descriptors -> At(x, IF l.why = "take" THEN "OwnerTake" ELSE "OwnerRead")
       [] l.why = "take" -> [x EXCEPT !.i = 1, !.why = "inherit", !.pc = "OwnerRead"]
       [] l.why = "inherit" -> At(x, "ProcessWithdraw")  \* no handle: all are taken
       [] OTHER -> At([x EXCEPT !.i = 0], "CallReturn")

(* Nothing of the dead is in descriptor i any more.                        *)
Settled(l) ==
  IF l.why = "reclaim" THEN At(l, "OwnerFree")
  ELSE [l EXCEPT !.d = l.i, !.why = "take", !.seen = Nobody, !.fin = FALSE, !.win = {},
                 !.pc = "OwnerHead"]
(* The end of a clear, whatever came of it.                                *)
Cleared(l) == Rest([l EXCEPT !.seen = Nobody])
----------------------------------------------------------------------------
(* Attaching: the lock of an entry, then its state with a new epoch. Only  *)
(* the holder of the lock changes the state.                               *)
ProcessLock(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessLock"
  /\ IF lock[l.i] = 0
     THEN /\ lock' = [lock EXCEPT ![l.i] = a]
          /\ Goto(a, At(l, "ProcessPublish"))
     ELSE /\ Goto(a, IF l.i < Entries THEN [l EXCEPT !.i = l.i + 1] ELSE After(l))
          /\ UNCHANGED lock
  /\ UNCHANGED <<state, owner, head, target, cell, ops, deaths, giveups, histVars>>

ProcessPublish(a) == LET l == loc[a]  ep == NextEpoch(state[l.i].ep) IN
  /\ l.pc = "ProcessPublish"
  /\ state' = [state EXCEPT ![l.i] = Attached(ep)]
  /\ Goto(a, [l EXCEPT !.w = Word(a, l.i, ep), !.i = 1, !.why = "take", !.pc = "OwnerTake"])
  /\ UNCHANGED <<lock, owner, head, target, cell, ops, deaths, giveups, histVars>>

(* Detaching: the state first, then the lock.                              *)
ProcessWithdraw(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessWithdraw"
  /\ state' = [state EXCEPT ![l.w.e] = IF @ = Attached(l.w.ep) THEN Idle(l.w.ep) ELSE @]
  /\ Goto(a, At(l, "ProcessUnlock"))
  /\ UNCHANGED <<lock, owner, head, target, cell, ops, deaths, giveups, histVars>>

ProcessUnlock(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessUnlock"
  /\ lock' = [lock EXCEPT ![l.w.e] = 0]
  /\ Goto(a, After(l))
  /\ UNCHANGED <<state, owner, head, target, cell, ops, deaths, giveups, histVars>>
----------------------------------------------------------------------------
ReadsOnly == UNCHANGED <<memVars, ops, deaths, giveups, histVars>>

(* The entry of a dead process is made idle under its lock, which others   *)
(* take for that of a process that lives as long as it is held. Which      *)
(* process that was may have been told long ago, and its entry be another  *)
(* one's by now: one's own even, whose lock was to be had once more, and   *)
(* would be given up.                                                      *)
ProcessClearLock(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessClearLock"
  /\ IF lock[l.seen.e] \in {0, a}
     THEN /\ lock' = [lock EXCEPT ![l.seen.e] = a]
          /\ Goto(a, At(l, "ProcessClearRead"))
     ELSE Goto(a, Cleared(l)) /\ UNCHANGED lock
  /\ UNCHANGED <<state, owner, head, target, cell, ops, deaths, giveups, histVars>>

ProcessClearRead(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessClearRead"
  /\ Goto(a, At(l, IF state[l.seen.e] = Attached(l.seen.ep) THEN "ProcessClearState"
                   ELSE "ProcessClearUnlock"))
  /\ ReadsOnly

ProcessClearState(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessClearState"
  /\ state' = [state EXCEPT ![l.seen.e] = IF @ = Attached(l.seen.ep) THEN Idle(l.seen.ep) ELSE @]
  /\ Goto(a, At(l, "ProcessClearUnlock"))
  /\ UNCHANGED <<lock, owner, head, target, cell, ops, deaths, giveups, histVars>>

ProcessClearUnlock(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessClearUnlock"
  /\ lock' = [lock EXCEPT ![l.seen.e] = 0]
  /\ Goto(a, Cleared(l))
  /\ UNCHANGED <<state, owner, head, target, cell, ops, deaths, giveups, histVars>>

(* A free descriptor belongs to whoever moves it away from nobody.         *)
OwnerTake(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerTake"
  /\ IF owner[l.i] = Nobody
     THEN /\ owner' = [owner EXCEPT ![l.i] = l.w]
          /\ Goto(a, [l EXCEPT !.d = l.i, !.pc = "OwnerHead"])
     ELSE Goto(a, Further(l, l.i)) /\ UNCHANGED owner
  /\ UNCHANGED <<state, lock, head, target, cell, ops, deaths, giveups, histVars>>

(* Another owner's: is it dead? Its epoch is over, or its lock is free.    *)
OwnerRead(a) == LET l == loc[a]  w == owner[l.i] IN
  /\ l.pc = "OwnerRead"
  /\ Goto(a, IF w \in {Nobody, l.w} THEN Further(l, l.i)
             ELSE [l EXCEPT !.seen = w, !.pc = "ProcessState"])
  /\ ReadsOnly

ProcessState(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessState"
  /\ Goto(a, At(l, IF state[l.seen.e] # Attached(l.seen.ep) THEN "OwnerTakeOver"
                   ELSE "ProcessLocked"))
  /\ ReadsOnly

ProcessLocked(a) == LET l == loc[a] IN
  /\ l.pc = "ProcessLocked"
  /\ Goto(a, IF lock[l.seen.e] # 0 THEN Further(l, l.i) ELSE At(l, "OwnerTakeOver"))
  /\ ReadsOnly

(* From the dead to the reclaimer, or to the newcomer: of several one.     *)
OwnerTakeOver(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerTakeOver"
  /\ IF owner[l.i] = l.seen
     THEN /\ owner' = [owner EXCEPT ![l.i] = l.w]
          /\ Goto(a, At(l, "OwnerHead"))
     ELSE Goto(a, Further(l, l.i)) /\ UNCHANGED owner
  /\ UNCHANGED <<state, lock, head, target, cell, ops, deaths, giveups, histVars>>

(* Its own, to go on from its generation; or that of the dead owner, to see*)
(* which operation it was.                                                 *)
OwnerHead(a) == LET l == loc[a]  x == head[l.i] IN
  /\ l.pc = "OwnerHead"
  /\ Goto(a, CASE l.why = "take" /\ l.pocket = {} -> Rest([l EXCEPT !.gen = x.gen])
               [] l.why = "take" -> [l EXCEPT !.gen = x.gen, !.pc = "CallReturn"]
               [] x.kind = "none" -> Settled(l)
               [] OTHER -> At(l, "OwnerHome"))
  /\ ReadsOnly

(* The one look: the home cell refers to the operation, or never will.     *)
OwnerHome(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerHome"
  /\ Goto(a, IF cell[l.i] = head[l.i].gen THEN [l EXCEPT !.fin = TRUE, !.pc = "TableHelp"]
             ELSE At(l, "OwnerTarget"))
  /\ ReadsOnly

(* What left by it, if it did. The target is the last word to be filled:   *)
(* one of another generation is of another operation.                      *)
Leaves(d) == target[d].gen = head[d].gen /\ target[d].st = "committed"
Winnings(d) == IF Leaves(d) THEN {v \in left : v.d = d /\ v.g = target[d].gen} ELSE {}
OwnerTarget(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerTarget"
  /\ Goto(a, [l EXCEPT !.win = Winnings(l.i), !.pc = "OwnerRetire"])
  /\ ReadsOnly

(* The generation ends; what left is the caller's from here on, and in no  *)
(* descriptor any more.                                                    *)
OwnerRetire(a) == LET l == loc[a]  g == IF l.why = "close" THEN l.gen ELSE head[l.i].gen IN
  /\ l.pc = "OwnerRetire"
  /\ head' = [head EXCEPT ![l.i] = Generation(g + 1, "none")]
  /\ again' = again \cup (l.win \cap {x[1] : x \in handed})
  /\ handed' = handed \cup {<<v, l.fin>> : v \in l.win}
  /\ Goto(a, IF l.why = "close" THEN At(l, "OwnerFree")
             ELSE Settled([l EXCEPT !.pocket = l.pocket \cup l.win]))
  /\ UNCHANGED <<state, lock, owner, target, cell, ops, deaths, giveups, left, known, given, lost,
                 died>>

(* Nobody's: the end of a close, and of a reclaim.                         *)
OwnerFree(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerFree"
  /\ owner' = [owner EXCEPT ![l.i] = IF @ = l.w THEN Nobody ELSE @]
  /\ Goto(a, IF l.why = "close" THEN [l EXCEPT !.d = 0, !.pc = "ProcessWithdraw"]
             ELSE Further(l, l.i))
  /\ UNCHANGED <<state, lock, head, target, cell, ops, deaths, giveups, histVars>>

(* Damage, or the operation could not be finished: back to the dead.       *)
OwnerBack(a) == LET l == loc[a] IN
  /\ l.pc = "OwnerBack"
  /\ owner' = [owner EXCEPT ![l.i] = IF @ = l.w THEN l.seen ELSE @]
  /\ Goto(a, Further(l, l.i))
  /\ UNCHANGED <<state, lock, head, target, cell, ops, deaths, giveups, histVars>>
----------------------------------------------------------------------------
(* An operation: the words of the descriptor, the installation, the steps  *)
(* of its helpers. The owner goes on as one of them. What its commitment   *)
(* makes leave is told by its kind: a drop, a replace, a lift, a clear, or *)
(* one of the others, by which nothing leaves.                             *)
TableFill(a) == LET l == loc[a]  g == l.gen + 1 IN
  /\ l.pc \in {"Ready", "TableFill"}
  /\ a \in Callers /\ ops[a] < MaxOps
  /\ \E kind \in {"leaves", "stays"} : head' = [head EXCEPT ![l.d] = Generation(g, kind)]
  /\ ops' = [ops EXCEPT ![a] = @ + 1]
  /\ Goto(a, [l EXCEPT !.gen = g, !.i = l.d, !.why = "call", !.n = l.n + 1, !.pc = "TableTarget"])
  /\ UNCHANGED <<state, lock, owner, target, cell, deaths, giveups, histVars>>

TableTarget(a) == LET l == loc[a] IN
  /\ l.pc = "TableTarget"
  /\ target' = [target EXCEPT ![l.d] = [gen |-> l.gen, st |-> "undecided"]]
  /\ Goto(a, At(l, "TableInstall"))
  /\ UNCHANGED <<state, lock, owner, head, cell, ops, deaths, giveups, histVars>>

(* Behind an operation the call may go on with another one.                *)
Onward(a) == {"CallReturn"} \cup
             (IF loc[a].n < MaxCall /\ ops[a] < MaxOps THEN {"TableFill"} ELSE {})

(* Or somebody was faster, and it never is.                                *)
TableInstall(a) == LET l == loc[a] IN
  /\ l.pc = "TableInstall"
  /\ \/ cell' = [cell EXCEPT ![l.d] = l.gen] /\ Goto(a, At(l, "TableHelp"))
     \/ UNCHANGED cell /\ \E pc \in Onward(a) : Goto(a, At(l, pc))
  /\ UNCHANGED <<state, lock, owner, head, target, ops, deaths, giveups, histVars>>

(* What a step of any helper does to the operation of descriptor d. There  *)
(* is no place for the element of one that needs a hole: it is full.       *)
Decide(d) ==
  /\ cell[d] # 0 /\ head[d].gen = cell[d] /\ target[d].st = "undecided"
  /\ \E st \in {"committed", "aborted"} \cup (IF head[d].kind = "stays" THEN {"full"} ELSE {}) :
       /\ target' = [target EXCEPT ![d].st = st]
       /\ left' = IF st = "committed" /\ head[d].kind = "leaves"
                  THEN left \cup {[d |-> d, g |-> head[d].gen]} ELSE left
  /\ UNCHANGED cell
(* Somebody else has the hole for which it was committed, and there is no  *)
(* other one. Nothing could be seen of it yet.                             *)
TakeBack(d) ==
  /\ cell[d] # 0 /\ head[d].gen = cell[d] /\ target[d].st = "committed"
  /\ head[d].kind = "stays"
  /\ target' = [target EXCEPT ![d].st = "full"]
LetGo(d) ==
  /\ cell[d] # 0 /\ head[d].gen = cell[d] /\ target[d].st # "undecided"
  /\ cell' = [cell EXCEPT ![d] = 0]
  /\ UNCHANGED <<target, left>>

TableHelp(a) == LET l == loc[a] IN
  /\ l.pc = "TableHelp" /\ cell[l.i] # 0
  /\ Decide(l.i) \/ LetGo(l.i)
  /\ UNCHANGED <<state, lock, owner, head, loc, ops, deaths, giveups, known, handed, again, given,
                 lost, died>>

(* Another actor meets it, and helps: before, between and after its own    *)
(* operations, and within one, if its key may be in the other half.        *)
Meeting == {"Ready", "TableFill", "TableHelp", "CallReturn"}
Met(a) == (1 .. Descriptors) \ (IF loc[a].pc = "TableHelp" THEN {loc[a].i} ELSE {})
TableMeet(a) ==
  /\ loc[a].pc \in Meeting
  /\ \E d \in Met(a) : Decide(d) \/ LetGo(d)
  /\ UNCHANGED <<state, lock, owner, head, loc, ops, deaths, giveups, known, handed, again, given,
                 lost, died>>

(* Whoever helps finds the hole taken.                                     *)
TableTakeBack(a) ==
  /\ loc[a].pc \in Meeting
  /\ \E d \in 1 .. Descriptors : TakeBack(d)
  /\ UNCHANGED <<state, lock, owner, head, cell, loc, ops, deaths, giveups, histVars>>

(* It is over: of an own operation the call may go on with another one.    *)
TableOver(a) == LET l == loc[a]  won == Winnings(l.i) IN
  /\ l.pc = "TableHelp" /\ cell[l.i] = 0
  /\ IF l.why # "call" THEN Goto(a, At(l, "OwnerTarget")) /\ UNCHANGED known
     ELSE /\ known' = known \cup {<<v, l.w>> : v \in won}
          /\ \E pc \in Onward(a) : Goto(a, [l EXCEPT !.pocket = l.pocket \cup won, !.pc = pc])
  /\ UNCHANGED <<memVars, ops, deaths, giveups, left, handed, again, given, lost, died>>

OwnerGiveUp(a) == LET l == loc[a] IN
  /\ l.pc \in {"TableHelp", "OwnerTarget"} /\ l.why # "call" /\ giveups < MaxGiveUps
  /\ giveups' = giveups + 1
  /\ Goto(a, At(l, "OwnerBack"))
  /\ UNCHANGED <<memVars, ops, deaths, histVars>>
----------------------------------------------------------------------------
CallReclaim(a) == LET l == loc[a] IN
  /\ l.pc \in {"Ready"} /\ a \in Reclaimers
  /\ Goto(a, Further([l EXCEPT !.why = "reclaim"], 0))
  /\ ReadsOnly

CallClose(a) == LET l == loc[a] IN
  /\ l.pc \in {"Ready"} /\ a \in Closers
  /\ Goto(a, [l EXCEPT !.i = l.d, !.why = "close", !.pc = "OwnerRetire"])
  /\ ReadsOnly

CallClear(a) == LET l == loc[a] IN
  /\ l.pc \in {"Ready"} /\ a \in Clearers
  /\ \E e \in (1 .. Entries) \ {l.w.e} : \E ep \in 1 .. state[e].ep :
       Goto(a, [l EXCEPT !.seen = Word(0, e, ep), !.why = "clear", !.pc = "ProcessClearLock"])
  /\ ReadsOnly

CallReturn(a) == LET l == loc[a] IN
  /\ l.pc = "CallReturn"
  /\ given' = given \cup l.pocket
  /\ Goto(a, Rest([l EXCEPT !.pocket = {}]))
  /\ UNCHANGED <<memVars, ops, deaths, giveups, left, known, handed, again, lost, died>>

(* Whoever looks into descriptor v.d will find v there.                    *)
InDescriptor(v) == LET d == v.d IN
  owner[d] # Nobody /\ head[d].gen = v.g /\ head[d].kind # "none" /\ Leaves(d)

(* The process ends between two steps, and the system drops its lock.      *)
CallCrash(a) == LET l == loc[a] IN
  /\ a \in Mortal /\ deaths < MaxDeaths
  /\ l.pc # "Over" /\ (l.pc = "ProcessLock" => l.i > 1)
  /\ deaths' = deaths + 1
  /\ died' = IF l.w = Nobody THEN died ELSE died \cup {l.w}
  /\ lost' = lost \cup {v \in l.pocket : ~InDescriptor(v)}
  /\ lock' = [e \in 1 .. Entries |-> IF lock[e] = a THEN 0 ELSE lock[e]]
  /\ Goto(a, After(l))
  /\ UNCHANGED <<state, owner, head, target, cell, ops, giveups, left, known, handed, again, given>>

Step(a) ==
  \/ ProcessLock(a) \/ ProcessPublish(a) \/ ProcessWithdraw(a) \/ ProcessUnlock(a)
  \/ ProcessClearLock(a) \/ ProcessClearRead(a) \/ ProcessClearState(a) \/ ProcessClearUnlock(a)
  \/ OwnerTake(a) \/ OwnerRead(a) \/ ProcessState(a) \/ ProcessLocked(a)
  \/ OwnerTakeOver(a) \/ OwnerHead(a) \/ OwnerHome(a) \/ OwnerTarget(a)
  \/ OwnerRetire(a) \/ OwnerFree(a) \/ OwnerBack(a)
  \/ TableFill(a) \/ TableTarget(a) \/ TableInstall(a) \/ TableHelp(a) \/ TableMeet(a)
  \/ TableTakeBack(a) \/ TableOver(a) \/ OwnerGiveUp(a)
  \/ CallReclaim(a) \/ CallClose(a) \/ CallClear(a) \/ CallReturn(a)

Resting == {"Ready", "ProcessLock", "Over"}
Done == (\A a \in Actors : loc[a].pc \in Resting) /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a) \/ CallCrash(a)) \/ Done
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A a \in Actors : WF_vars(Step(a))
=============================================================================
