------------------------------- MODULE Timer -------------------------------
(***************************************************************************)
(* The timing buffer that orders the records of a tier by age: entries of  *)
(* a time and a record, and a count, which an operation copies in when it  *)
(* begins and out when it ends. A thread appends the entry of its record;  *)
(* some of them remove it again, and find it by its time. H-79, H-80.      *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Threads,    \* numbers from 1; a thread's record has its number
          Removers,   \* those that remove their entry again
          Time,       \* thread -> the time of its record
          LockOf,     \* thread -> the lock that it takes: its process's
          Mortal,     \* threads that may die, one of them and at any step
          FixKey,     \* an entry is found by time and record
          FixClaim    \* no lock: a slot is claimed by an atomic addition to the
                      \* count, an entry taken out by a compare-and-swap

Slots == 1 .. Cardinality(Threads)
Hole == <<0, 0>>
Nobody == 0

VARIABLES entry, count, lock,  \* shared
          at, l
vars == <<entry, count, lock, at, l>>

Begin == IF FixClaim THEN "Claim" ELSE "Lock"
BeginRemove == IF FixClaim THEN "CountIn" ELSE "Lock"
Init ==
  /\ entry = [i \in Slots |-> Hole]
  /\ count = 0
  /\ lock = [x \in {LockOf[t] : t \in Threads} |-> Nobody]
  /\ at = [t \in Threads |-> Begin]
  /\ l = [t \in Threads |-> [op |-> "append", n |-> 0, i |-> 1]]

At(t, where) == at[t] = where
Goto(t, local, where) == at' = [at EXCEPT ![t] = where] /\ l' = [l EXCEPT ![t] = local]
Go(t, where) == Goto(t, l[t], where)
Over(t) ==
  IF l[t].op = "append" /\ t \in Removers
  THEN Goto(t, [op |-> "remove", n |-> 0, i |-> 1], BeginRemove)
  ELSE Go(t, "End")
----------------------------------------------------------------------------
Lock(t) ==
  /\ At(t, "Lock")
  /\ lock[LockOf[t]] = Nobody
  /\ lock' = [lock EXCEPT ![LockOf[t]] = t]
  /\ Go(t, "CountIn")
  /\ UNCHANGED <<entry, count>>

CountIn(t) ==
  /\ At(t, "CountIn")
  /\ Goto(t, [l[t] EXCEPT !.n = IF l[t].op = "append" THEN count + 1 ELSE count],
          IF l[t].op = "append" THEN "Append" ELSE "Look")
  /\ UNCHANGED <<entry, count, lock>>

Claim(t) ==
  /\ At(t, "Claim")
  /\ count' = count + 1
  /\ Goto(t, [l[t] EXCEPT !.n = count + 1], "Append")
  /\ UNCHANGED <<entry, lock>>

Append(t) ==
  /\ At(t, "Append")
  /\ entry' = [entry EXCEPT ![l[t].n] = <<Time[t], t>>]
  /\ IF FixClaim THEN Over(t) ELSE Go(t, "CountOut")
  /\ UNCHANGED <<count, lock>>

Ends == IF FixClaim THEN "End" ELSE "CountOut"
Look(t) ==
  /\ At(t, "Look")
  /\ IF l[t].i > l[t].n THEN Go(t, Ends)
     ELSE IF entry[l[t].i] = Hole \/ entry[l[t].i][1] # Time[t] \/ (FixKey /\ entry[l[t].i][2] # t)
     THEN Goto(t, [l[t] EXCEPT !.i = @ + 1], "Look")
     ELSE Go(t, "Remove")
  /\ UNCHANGED <<entry, count, lock>>

(* With FixClaim a compare-and-swap that expects the entry: nobody else    *)
(* takes it out here, so it succeeds.                                      *)
Remove(t) ==
  /\ At(t, "Remove")
  /\ entry' = [entry EXCEPT ![l[t].i] = Hole]
  /\ Go(t, Ends)
  /\ UNCHANGED <<count, lock>>

CountOut(t) ==
  /\ At(t, "CountOut")
  /\ count' = l[t].n
  /\ Go(t, "Unlock")
  /\ UNCHANGED <<entry, lock>>

Unlock(t) ==
  /\ At(t, "Unlock")
  /\ lock' = [lock EXCEPT ![LockOf[t]] = Nobody]
  /\ Over(t)
  /\ UNCHANGED <<entry, count>>

Die(t) ==
  /\ t \in Mortal /\ at[t] # "End"
  /\ \A u \in Threads : ~At(u, "Dead")
  /\ Go(t, "Dead")
  /\ UNCHANGED <<entry, count, lock>>

Step(t) ==
  \/ Lock(t) \/ CountIn(t) \/ Claim(t) \/ Append(t)
  \/ Look(t) \/ Remove(t) \/ CountOut(t) \/ Unlock(t)
Finished == \A t \in Threads : at[t] \in {"End", "Dead"}

Next == (\E t \in Threads : Step(t) \/ Die(t)) \/ (Finished /\ UNCHANGED vars)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A t \in Threads : WF_vars(Step(t))
----------------------------------------------------------------------------
Entries(t) == {i \in Slots : i <= count /\ entry[i] # Hole /\ entry[i][2] = t}
(* At the end a record that stays has its entry, one that left has none. *)
OwnEntry == Finished => \A t \in Threads :
  At(t, "End") => Cardinality(Entries(t)) = IF t \in Removers THEN 0 ELSE 1
Terminates == <>Finished

(* Constants of the runs. *)
SameTime == [t \in Threads |-> 5]
OwnTime == [t \in Threads |-> 5 + t]
OneLock == [t \in Threads |-> 1]
OwnLock == [t \in Threads |-> t]
=============================================================================
