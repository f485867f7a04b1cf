------------------------------ MODULE Sleepers ------------------------------
(***************************************************************************)
(* A service that sleeps when it has nothing to do: clients publish in     *)
(* their slots and set a flag, the service looks at all slots, and sleeps  *)
(* until the flag is set. So do the services of the communication buffer,  *)
(* of the queues, of removal and of eviction. H-75, H-76.                  *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS C,         \* clients 1 .. C, a slot each
          Rounds,    \* how often each of them publishes
          Clears,    \* the flag is cleared before sleeping; otherwise never
          Inverted,  \* it sleeps while the flag is set
          FixClear   \* the flag is cleared after sleeping, before looking

Service == 0
Clients == 1 .. C

VARIABLES slot, flag,      \* shared: 1 is published, 1 is set
          at, j, found, n  \* program counters; the service's slot, whether it
                           \* has found work; the rounds of a client
vars == <<slot, flag, at, j, found, n>>

Init ==
  /\ slot = [c \in Clients |-> 0]
  /\ flag = 0
  /\ at = [p \in 0 .. C |-> IF p = Service THEN "Scan" ELSE "Publish"]
  /\ j = 1 /\ found = FALSE
  /\ n = [c \in Clients |-> 0]

At(p, where) == at[p] = where
Go(p, where) == at' = [at EXCEPT ![p] = where]
----------------------------------------------------------------------------
Publish(c) ==
  /\ At(c, "Publish")
  /\ slot' = [slot EXCEPT ![c] = 1]
  /\ n' = [n EXCEPT ![c] = @ + 1]
  /\ Go(c, "Wake")
  /\ UNCHANGED <<flag, j, found>>

Wake(c) ==
  /\ At(c, "Wake")
  /\ flag' = 1
  /\ Go(c, "Wait")
  /\ UNCHANGED <<slot, j, found, n>>

Wait(c) ==
  /\ At(c, "Wait")
  /\ slot[c] = 0
  /\ Go(c, IF n[c] = Rounds THEN "End" ELSE "Publish")
  /\ UNCHANGED <<slot, flag, j, found, n>>
----------------------------------------------------------------------------
(* After the last slot: look again if there was work, otherwise sleep. *)
Onward(work) ==
  IF j < C THEN Go(Service, "Scan") /\ j' = j + 1 /\ found' = work
  ELSE /\ Go(Service, CASE work -> "Scan" [] Clears /\ ~FixClear -> "Clear" [] OTHER -> "Sleep")
       /\ j' = 1 /\ found' = FALSE

Scan ==
  /\ At(Service, "Scan")
  /\ IF slot[j] = 1 THEN Go(Service, "Serve") /\ UNCHANGED <<j, found>> ELSE Onward(found)
  /\ UNCHANGED <<slot, flag, n>>

Serve ==
  /\ At(Service, "Serve")
  /\ slot' = [slot EXCEPT ![j] = 0]
  /\ Onward(TRUE)
  /\ UNCHANGED <<flag, n>>

Clear ==
  /\ At(Service, "Clear")
  /\ flag' = 0
  /\ Go(Service, IF FixClear THEN "Scan" ELSE "Sleep")
  /\ UNCHANGED <<slot, j, found, n>>

Sleep ==
  /\ At(Service, "Sleep")
  /\ flag = IF Inverted THEN 0 ELSE 1
  /\ Go(Service, IF FixClear THEN "Clear" ELSE "Scan")
  /\ UNCHANGED <<slot, flag, j, found, n>>

ClientStep(c) == Publish(c) \/ Wake(c) \/ Wait(c)
ServiceStep == Scan \/ Serve \/ Clear \/ Sleep
AllServed == \A c \in Clients : At(c, "End")
Done == AllServed /\ At(Service, "Sleep") /\ UNCHANGED vars

Next == ServiceStep \/ (\E c \in Clients : ClientStep(c)) \/ Done
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(ServiceStep) /\ \A c \in Clients : WF_vars(ClientStep(c))
----------------------------------------------------------------------------
(* Everybody is served; then the service sleeps. *)
Served == <>AllServed
Rests == <>[]At(Service, "Sleep")
=============================================================================
