-------------------------------- MODULE Ages --------------------------------
(***************************************************************************)
(* "Oldest" alone: the source text gives a member "some ordering           *)
(* information" in its tbits, and none to a base. A bucket in a window of  *)
(* its own; keys are added in the order of their numbers. Who becomes      *)
(* master displaces the base, who does not queues its own pair; the        *)
(* service places a pair, in a full window over the oldest member, which   *)
(* goes to older storage. State 3.                                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Keys,     \* 1 .. a number: the smaller the older
          Places,   \* members of the bucket at most
          Stamp     \* "completion": a member's time is that of its placement;
                    \* "element": it is that of the add

VARIABLES base,     \* key of the base, 0 for none
          members,  \* records [k |-> key, time |-> stamp]
          queue,    \* keys to be placed, first in first out
          next,     \* the key that is added next
          clock,    \* counts placements
          left      \* what left, and the members that stayed then

vars == <<base, members, queue, next, clock, left>>

Init ==
  /\ base = 0 /\ members = {} /\ queue = <<>>
  /\ next = 1 /\ clock = 1 /\ left = [k |-> 0, stayed |-> {}]

(* The master: the old pair of the base is placed anew.                    *)
Displace ==
  /\ next \in Keys
  /\ queue' = IF base = 0 THEN queue ELSE Append(queue, base)
  /\ base' = next
  /\ next' = next + 1
  /\ UNCHANGED <<members, clock, left>>

(* Not the master: queued behind the base's reinsertion.                   *)
Queue ==
  /\ next \in Keys /\ base # 0 /\ queue # <<>>
  /\ queue' = Append(queue, next)
  /\ next' = next + 1
  /\ UNCHANGED <<base, members, clock, left>>

Place ==
  LET k == Head(queue)
      new == [k |-> k, time |-> IF Stamp = "element" THEN k ELSE clock]
      oldest == CHOOSE x \in members : \A y \in members : x.time <= y.time
      full == Cardinality(members) = Places
      stay == IF full THEN members \ {oldest} ELSE members
  IN
  /\ queue # <<>>
  /\ members' = stay \cup {new}
  /\ left' = IF full THEN [k |-> oldest.k, stayed |-> {x.k : x \in stay}] ELSE left
  /\ queue' = Tail(queue)
  /\ clock' = clock + 1
  /\ UNCHANGED <<base, next>>

AtRest == next \notin Keys /\ queue = <<>>
Next == Displace \/ Queue \/ Place \/ (AtRest /\ UNCHANGED vars)
Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
(* What leaves for older storage is older than every member that stays.    *)
OldestLeaves == \A k \in left.stayed : left.k < k
=============================================================================
