------------------------------ MODULE Semaphore ------------------------------
(***************************************************************************)
(* The semaphore of readers alone. Readers come again and again: a get     *)
(* "will necessarily increment the operation tbits semaphore and will      *)
(* proceed without interference". One writer marks the base swappy, waits  *)
(* until the semaphore is zero, and works. A reader that sees the mark     *)
(* after it has joined searches carefully and does no harm; the others     *)
(* must have left. States 15 to 17.                                        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Readers,  \* a set
          Max,      \* the greatest number that fits in the semaphore's bits
          Gate      \* FALSE: as written. TRUE: a new reader waits for a mark

VARIABLES count,    \* the semaphore
          swappy,   \* the mark
          pc,       \* reader -> "out", "joined", "plain" or "careful"
          writer    \* "idle", "waits", "works", "done"

vars == <<count, swappy, pc, writer>>

Init ==
  /\ count = 0 /\ swappy = FALSE /\ writer = "idle"
  /\ pc = [t \in Readers |-> "out"]

(* One more, whatever there was: in so many bits it goes round. *)
Join(t) ==
  /\ pc[t] = "out"
  /\ ~(Gate /\ swappy)
  /\ count' = (count + 1) % (Max + 1)
  /\ pc' = [pc EXCEPT ![t] = "joined"]
  /\ UNCHANGED <<swappy, writer>>

Decide(t) ==
  /\ pc[t] = "joined"
  /\ pc' = [pc EXCEPT ![t] = IF swappy THEN "careful" ELSE "plain"]
  /\ UNCHANGED <<count, swappy, writer>>

Leave(t) ==
  /\ pc[t] \in {"plain", "careful"}
  /\ count' = (count + Max) % (Max + 1)
  /\ pc' = [pc EXCEPT ![t] = "out"]
  /\ UNCHANGED <<swappy, writer>>

Mark ==
  /\ writer = "idle"
  /\ swappy' = TRUE
  /\ writer' = "waits"
  /\ UNCHANGED <<count, pc>>

Begin ==
  /\ writer = "waits" /\ count = 0
  /\ writer' = "works"
  /\ UNCHANGED <<count, swappy, pc>>

End ==
  /\ writer = "works"
  /\ writer' = "done"
  /\ swappy' = FALSE
  /\ UNCHANGED <<count, pc>>

Reads(t) == Join(t) \/ Decide(t) \/ Leave(t)
Next == (\E t \in Readers : Reads(t)) \/ Mark \/ Begin \/ End
Spec == Init /\ [][Next]_vars
(* Strong fairness for the writer: it is not unlucky for ever. *)
FairSpec == Spec /\ (\A t \in Readers : WF_vars(Reads(t))) /\ SF_vars(Mark \/ Begin \/ End)
----------------------------------------------------------------------------
(* While the writer works nobody reads the plain way. *)
Excluded == writer = "works" => \A t \in Readers : pc[t] # "plain"
(* The semaphore says how many there are. *)
Counted == count = Cardinality({t \in Readers : pc[t] # "out"})
(* The writer gets its turn. *)
WriterWorks == <>(writer = "done")
=============================================================================
