----------------------------- MODULE SharedBits -----------------------------
(***************************************************************************)
(* One count for two things: "the mobilization semaphore occupies the same *)
(* operational cbits position as the thread queue reference count set up   *)
(* in the base cbits". One cell is a member that a reader pins, and a      *)
(* usurper makes it a base, for which work is queued; the bucket is        *)
(* released when the count of queued work goes to zero. The reader has     *)
(* matched the word before, and gives back what it took. States 11, 15.    *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS Bits    \* "kept": the usurper's store leaves the count in the word;
                  \* "cleared": it stores zero; "apart": pins have their own

VARIABLES role,     \* "member", "base" in operation, "released"
          n,        \* the count in the word
          pins,     \* the count of pins, where they have their own
          work,     \* what is queued in truth
          pc        \* who -> what it does next

vars == <<role, n, pins, work, pc>>
Apart == Bits = "apart"

Init ==
  /\ role = "member" /\ n = 0 /\ pins = 0 /\ work = 0
  /\ pc = [reader |-> "pin", usurper |-> "take", adder |-> "queue"]

Go(t, p) == pc' = [pc EXCEPT ![t] = p]

ReaderPins ==
  /\ pc.reader = "pin"
  /\ IF role # "member" THEN Go("reader", "done") /\ UNCHANGED <<n, pins>>
     ELSE /\ Go("reader", "unpin")
          /\ IF Apart THEN pins' = pins + 1 /\ UNCHANGED n ELSE n' = n + 1 /\ UNCHANGED pins
  /\ UNCHANGED <<role, work>>

ReaderUnpins ==
  /\ pc.reader = "unpin"
  /\ Go("reader", "done")
  /\ IF Apart THEN pins' = pins - 1 /\ UNCHANGED n ELSE n' = n - 1 /\ UNCHANGED pins
  /\ UNCHANGED <<role, work>>

(* The cell is a base, and one piece of work is queued for it. *)
Usurp ==
  /\ pc.usurper = "take"
  /\ role' = "base"
  /\ n' = (IF Bits = "cleared" THEN 0 ELSE n) + 1
  /\ work' = work + 1
  /\ Go("usurper", "done")
  /\ UNCHANGED pins

(* An adder that follows queues its pair while the bucket is in operation. *)
Follow ==
  /\ pc.adder = "queue"
  /\ role = "base"
  /\ n' = n + 1
  /\ work' = work + 1
  /\ Go("adder", "done")
  /\ UNCHANGED <<role, pins>>

Serve ==
  /\ work > 0
  /\ work' = work - 1
  /\ n' = n - 1
  /\ role' = IF n = 1 THEN "released" ELSE role
  /\ UNCHANGED <<pins, pc>>

AtRest ==
  /\ pc.reader = "done" /\ pc.usurper = "done" /\ work = 0
  /\ pc.adder = "done" \/ role = "released"
Next ==
  \/ ReaderPins \/ ReaderUnpins \/ Usurp \/ Follow \/ Serve
  \/ AtRest /\ UNCHANGED vars
Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
(* Released only when nothing is queued, and released in the end.          *)
ReleasedLast == role = "released" => work = 0
ReleasedAtAll == AtRest => role = "released"
=============================================================================
