------------------------------- MODULE Handed -------------------------------
(***************************************************************************)
(* Who looks for values that have left the table and are in somebody's     *)
(* hands. By an operation that is committed a value leaves, or nothing.    *)
(* Its owner deals with it, and only then begins another operation, or     *)
(* forgets it. Until then the descriptor names it, and anybody may read    *)
(* it there, as a helper reads a descriptor: the head, the words, the head *)
(* again; and the target after the first look, since a decision to take    *)
(* something out stays. The claims: a value that is in hand during a whole *)
(* look comes (H1), and no value comes that has not left (H2).             *)
(* Engine: impl/hopscotch/handed.go.                                       *)
(*                                                                         *)
(* The table is as small as it can be: of an operation there is one word,  *)
(* the value, and a decision, which is anybody's. The value of generation  *)
(* g of descriptor d is <<d, g>>. The element leaves at a step after the   *)
(* decision, which is not told apart: a look may be too early, not late.   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Owners,         \* of a descriptor each, with the same number
          Lookers,        \* other numbers
          MaxOps,         \* operations of an owner
          MaxLooks,       \* calls of a looker
          FixHeadAgain,   \* the head is read again behind the words
          FixDealtFirst   \* the owner deals with a value before it forgets it

VARIABLES head,    \* descriptor -> generation and kind
          value,   \* descriptor -> the word that names the value
          target,  \* descriptor -> generation and status
          loc,     \* actor -> its local state
          left,    \* values that have left the table (history, as all below)
          dealt,   \* values that their owners have dealt with
          due,     \* looker -> values in hand at the beginning of its call
          told     \* looker -> values that its call was told

vars == <<head, value, target, loc, left, dealt, due, told>>
Actors == Owners \cup Lookers
InHand == left \ dealt

Head(g, kind) == [gen |-> g, kind |-> kind]
Local == [pc |-> "Rest", n |-> 0, d |-> 0, head |-> Head(0, "none"), v |-> <<0, 0>>]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
At(l, pc) == [l EXCEPT !.pc = pc]

Init ==
  /\ head = [d \in Owners |-> Head(0, "none")]
  /\ value = [d \in Owners |-> <<d, 0>>]
  /\ target = [d \in Owners |-> [gen |-> 0, st |-> "undecided"]]
  /\ loc = [a \in Actors |-> Local]
  /\ left = {} /\ dealt = {}
  /\ due = [a \in Lookers |-> {}] /\ told = [a \in Lookers |-> {}]
----------------------------------------------------------------------------
(* The operations of an owner.                                             *)
Free(a) == loc[a].pc \in {"Rest"} /\ \A v \in InHand : v[1] # a
Unseen == UNCHANGED <<due, told>>

HandedFill(a) == LET l == loc[a] IN
  /\ a \in Owners /\ Free(a) /\ l.n < MaxOps
  /\ \E kind \in {"leaves", "stays"} : head' = [head EXCEPT ![a] = Head(head[a].gen + 1, kind)]
  /\ Goto(a, [l EXCEPT !.n = l.n + 1, !.pc = "HandedValue"])
  /\ UNCHANGED <<value, target, left, dealt>> /\ Unseen

HandedValue(a) == LET l == loc[a] IN
  /\ l.pc = "HandedValue"
  /\ value' = [value EXCEPT ![a] = <<a, head[a].gen>>]
  /\ Goto(a, At(l, "HandedUndecided"))
  /\ UNCHANGED <<head, target, left, dealt>> /\ Unseen

HandedUndecided(a) == LET l == loc[a] IN
  /\ l.pc = "HandedUndecided"
  /\ target' = [target EXCEPT ![a] = [gen |-> head[a].gen, st |-> "undecided"]]
  /\ Goto(a, At(l, "HandedDecide"))
  /\ UNCHANGED <<head, value, left, dealt>> /\ Unseen

HandedDecide(a) == LET l == loc[a] IN
  /\ l.pc = "HandedDecide"
  /\ \E st \in {"committed", "aborted"} :
       /\ target' = [target EXCEPT ![a].st = st]
       /\ left' = IF st = "committed" /\ head[a].kind = "leaves" THEN left \cup {value[a]} ELSE left
  /\ Goto(a, At(l, "Rest"))
  /\ UNCHANGED <<head, value, dealt>> /\ Unseen

(* The owner has its value, and does with it what it will.                 *)
CallDeal(a) ==
  /\ a \in Owners /\ loc[a].pc \in {"Rest"} /\ ~Free(a)
  /\ dealt' = dealt \cup {v \in InHand : v[1] = a}
  /\ UNCHANGED <<head, value, target, loc, left>> /\ Unseen

OwnerForget(a) ==
  /\ a \in Owners /\ loc[a].pc \in {"Rest"} /\ head[a].kind = "leaves"
  /\ Free(a) \/ ~FixDealtFirst
  /\ head' = [head EXCEPT ![a] = Head(head[a].gen + 1, "none")]
  /\ UNCHANGED <<value, target, loc, left, dealt>> /\ Unseen
----------------------------------------------------------------------------
(* A look at all descriptors, one after the other.                         *)
Next1(l, d) == IF \E e \in Owners : e > d
               THEN [Local EXCEPT !.n = l.n, !.pc = "HandedHead",
                                  !.d = CHOOSE e \in Owners : e > d /\ \A f \in Owners : f > d => e <= f]
               ELSE [Local EXCEPT !.n = l.n, !.pc = "CallLooked"]
Sees(a, l) == Goto(a, l) /\ UNCHANGED <<head, value, target, left, dealt, due, told>>

CallLook(a) == LET l == loc[a] IN
  /\ a \in Lookers /\ l.pc \in {"Rest"} /\ l.n < MaxLooks
  /\ Goto(a, Next1([l EXCEPT !.n = l.n + 1], 0))
  /\ due' = [due EXCEPT ![a] = InHand] /\ told' = [told EXCEPT ![a] = {}]
  /\ UNCHANGED <<head, value, target, left, dealt>>

HandedHead(a) == LET l == loc[a]  x == head[l.d] IN
  /\ l.pc = "HandedHead"
  /\ Sees(a, IF x.kind # "leaves" THEN Next1(l, l.d) ELSE [l EXCEPT !.head = x, !.pc = "HandedTarget"])

HandedTarget(a) == LET l == loc[a]  x == target[l.d] IN
  /\ l.pc = "HandedTarget"
  /\ Sees(a, IF x.gen = l.head.gen /\ x.st = "committed" THEN At(l, "HandedWord") ELSE Next1(l, l.d))

Tells(a, l, v) ==
  /\ told' = [told EXCEPT ![a] = @ \cup {v}]
  /\ Goto(a, Next1(l, l.d))
  /\ UNCHANGED <<head, value, target, left, dealt, due>>

HandedWord(a) == LET l == loc[a] IN
  /\ l.pc = "HandedWord"
  /\ IF FixHeadAgain THEN Sees(a, [l EXCEPT !.v = value[l.d], !.pc = "HandedHeadAgain"])
     ELSE Tells(a, l, value[l.d])

(* Another head: the owner had dealt with what was there.                  *)
HandedHeadAgain(a) == LET l == loc[a] IN
  /\ l.pc = "HandedHeadAgain"
  /\ IF head[l.d] = l.head THEN Tells(a, l, l.v) ELSE Sees(a, Next1(l, l.d))

CallLooked(a) == LET l == loc[a] IN
  /\ l.pc = "CallLooked"
  /\ Goto(a, [Local EXCEPT !.n = l.n])
  /\ due' = [due EXCEPT ![a] = {}] /\ told' = [told EXCEPT ![a] = {}]
  /\ UNCHANGED <<head, value, target, left, dealt>>
----------------------------------------------------------------------------
Step(a) ==
  \/ HandedFill(a) \/ HandedValue(a) \/ HandedUndecided(a) \/ HandedDecide(a)
  \/ CallDeal(a) \/ OwnerForget(a)
  \/ CallLook(a) \/ HandedHead(a) \/ HandedTarget(a) \/ HandedWord(a) \/ HandedHeadAgain(a)
  \/ CallLooked(a)
Done == (\A a \in Actors : loc[a].pc \in {"Rest"}) /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a)) \/ Done
Spec == Init /\ [][Next]_vars

HandedTypes ==
  /\ \A d \in Owners : head[d].kind \in {"none", "leaves", "stays"} /\ target[d].gen <= head[d].gen
  /\ dealt \subseteq left
(* H1: what was in hand at the beginning, and still is, has come.          *)
H1NoneIsMissed == \A a \in Lookers :
  loc[a].pc = "CallLooked" => (due[a] \ dealt) \subseteq told[a]
(* H2: what comes has left.                                                *)
H2ToldHasLeft == \A a \in Lookers : told[a] \subseteq left
(* Witnesses: somebody is told something that is dealt with by the end of  *)
(* the look; a head has changed between the two looks at it.               *)
NothingIsToldLate == \A a \in Lookers : loc[a].pc = "CallLooked" => told[a] \cap dealt = {}
NoHeadChanges == \A a \in Lookers : loc[a].pc = "HandedHeadAgain" => head[loc[a].d] = loc[a].head
=============================================================================
