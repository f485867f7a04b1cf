-------------------------------- MODULE Slots --------------------------------
(***************************************************************************)
(* The calls, the dead, and the whole machine.                             *)
(***************************************************************************)
EXTENDS Serving

ClientCall(a) == LET l == loc[a] IN
  /\ Is(a, "ClientCall")
  /\ Goto(a, CASE Call(a) = "Attach" -> At(l, "PeerLock")
               [] Call(a) = "Serve" -> Scan(a, l, "first")
               [] OTHER -> [l EXCEPT !.pc = "SlotLook", !.i = 1, !.ph = "claim"])
  /\ LoadsOnly

ClientReturn(a) == LET l == loc[a]
                       over == l.ip = Len(P.acts[a]) \/ l.res = "busy" IN
  /\ Is(a, "ClientReturn")
  /\ out' = [out EXCEPT ![a] = Append(@, l.res)]
  /\ Goto(a, Local(IF over THEN "Over" ELSE "ClientCall", l.ip + 1))
  /\ UNCHANGED <<memVars, lock, asleep, dead, did>>

(* A process may die between any two steps. Nobody asks what it knew.      *)
Die(a) == LET p == P.procs[a]  Kept(x) == IF x = p THEN 0 ELSE x IN
  /\ p \in P.mortal /\ dead = {} /\ loc[a].pc # "Over"
  /\ dead' = {p}
  /\ lock' = [client |-> Kept(lock.client), service |-> Kept(lock.service)]
  /\ asleep' = asleep \ {b \in Actors : P.procs[b] = p}
  /\ loc' = [b \in Actors |-> IF P.procs[b] = p THEN Local("Over", loc[b].ip) ELSE loc[b]]
  /\ UNCHANGED <<memVars, did, out>>

(* The process of a side that is there at the beginning.                   *)
First(side) == P.procs[CHOOSE a \in side : P.acts[a][1] # "Attach"]

Init ==
  /\ word = [i \in Slots |-> NoWord]
  /\ req = [i \in Slots |-> 0] /\ resp = [i \in Slots |-> 0]
  /\ bell = 0 /\ sleeps = FALSE
  /\ lock = [client |-> First(Clients), service |-> First(Servers)]
  /\ asleep = {} /\ dead = {}
  /\ loc = [a \in Actors |-> Local("ClientCall", 1)]
  /\ did = [a \in Actors |-> [n \in 1 .. Len(P.acts[a]) |-> 0]]
  /\ out = [a \in Actors |-> <<>>]

Step(a) ==
  \/ ClientCall(a) \/ ClientReturn(a)
  \/ PeerLock(a) \/ PeerLook(a) \/ SlotScan(a) \/ SlotReclaim(a)
  \/ BellRing(a) \/ BellCheck(a) \/ BellWake(a)
  \/ BellSleep(a) \/ BellLook(a) \/ BellWait(a) \/ BellRise(a)
  \/ SlotLook(a) \/ SlotClaim(a) \/ SlotWrite(a) \/ SlotPublish(a) \/ SlotWait(a)
  \/ SlotRead(a) \/ SlotFree(a) \/ SlotWithdraw(a) \/ SlotAbandon(a) \/ SlotFail(a)
  \/ SlotTake(a) \/ SlotCopy(a) \/ SlotPerform(a) \/ SlotAnswer(a)
  \/ SlotDone(a) \/ SlotDrop(a) \/ SlotWake(a)

(* A service that sleeps has nothing to do. A client that sleeps waits.    *)
Quiet(a) == Ended(a) \/ a \in asleep \cap Servers
Rest == (\A a \in Actors : Quiet(a)) /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a) \/ TimeOut(a) \/ Die(a)) \/ Rest
Spec == Init /\ [][Next]_vars

(* Weak fairness of Step(a) and TimeOut(a) in words that TLC checks        *)
(* quickly. That the words say the same is checked in the runs that have   *)
(* CanStep.                                                                *)
CanGo(a) == ~Ended(a) /\ (a \in asleep => HasBound)
Goes(a) == loc'[a] # loc[a] /\ dead' = dead
FairSpec == Spec /\ \A a \in Fair : []<>~CanGo(a) \/ []<><<Goes(a)>>_vars

CanStep == \A a \in Actors : CanGo(a) = ENABLED <<Step(a) \/ TimeOut(a)>>_vars
StepsAreSeen == [][\A a \in Actors : (Step(a) \/ TimeOut(a)) <=> Goes(a)]_vars
=============================================================================
