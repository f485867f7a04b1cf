------------------------------- MODULE MCSlots -------------------------------
(***************************************************************************)
(* What must hold of the slots, what must come about, and the witnesses    *)
(* that the runs reach what they are about.                                *)
(***************************************************************************)
EXTENDS Slots

States == {"free", "claimed", "published", "taken", "done", "abandoned", "failed"}
Results == {"done", "none", "unknown", "attached", "busy", "wrong"}
MCTypes ==
  /\ \A i \in Slots : word[i].st \in States /\ word[i].ser >= 0
  /\ \A a \in Actors : loc[a].i \in Slots \cup {0} /\ loc[a].res \in Results
  /\ \A a \in Actors : \A n \in 1 .. Len(out[a]) : out[a][n] \in Results
  /\ lock.client \in {0} \cup {P.procs[a] : a \in Clients}
  /\ lock.service \in {0} \cup {P.procs[a] : a \in Servers}

(* N1: a request is performed once at most.                                *)
N1Once == \A a \in Actors : \A n \in 1 .. Len(did[a]) : did[a][n] <= 1

(* N2: who is told "done" has had it performed, and who is told "not done" *)
(* never will.                                                             *)
N2Honest == \A a \in Clients : \A n \in 1 .. Len(out[a]) :
  /\ out[a][n] = "done" => did[a][n] = 1
  /\ out[a][n] = "none" => did[a][n] = 0

(* N3: a response is that of the request.                                  *)
N3Answer == \A a \in Clients : loc[a].res # "wrong"

(* N4: nobody writes to a data area that somebody else reads or writes: so *)
(* what is copied is whole.                                                *)
Using(i, pcs) == {a \in Actors : loc[a].i = i /\ \E pc \in pcs : Is(a, pc)}
N4Alone == \A i \in Slots :
  /\ Cardinality(Using(i, {"SlotWrite", "SlotCopy"})) <= 1
  /\ Cardinality(Using(i, {"SlotRead", "SlotAnswer"})) <= 1

(* N5: a slot that a client holds is its own, in the life in which it was  *)
(* claimed.                                                                *)
Seeking == {"ClientCall", "ClientReturn", "Over", "PeerLock", "SlotReclaim", "SlotClaim"}
Holds(a, i) == loc[a].i = i /\ loc[a].pc \notin Seeking
               /\ (loc[a].pc = "SlotLook" => loc[a].ph \notin {"claim", "attach"})
N5Held == \A i \in Slots : \A a \in Clients : Holds(a, i) =>
  /\ word[i].ser = loc[a].w.ser /\ word[i].st \notin {"free", "abandoned"}
  /\ \A b \in Clients \ {a} : ~Holds(b, i)

(* N6: a slot that is not free is in the hands of somebody who lives, or   *)
(* an actor has died and the next one has not come by the slot.            *)
Died(side) == \E a \in side : Gone(a)
InHand(i) == \E s \in Servers : loc[s].i = i /\
  \E pc \in {"SlotCopy", "SlotPerform", "SlotAnswer", "SlotDone", "SlotDrop", "SlotReclaim"} : Is(s, pc)
PassedBy(i) == \E a \in Clients :
  P.procs[a] = lock.client /\ Died(Clients) /\ ~(loc[a].ph = "attach" /\ loc[a].i <= i)
N6NoneLost == \A i \in Slots :
  /\ word[i].st \in {"claimed", "published", "done", "failed"} =>
       (\E a \in Clients : Holds(a, i)) \/ (Died(Clients) /\ ~PassedBy(i))
  /\ word[i].st \in {"taken", "abandoned"} =>
       InHand(i) \/ (Died(Servers) /\ \A s \in Servers : s \notin asleep)

(* N7: without a death and a time-out each request is performed.           *)
N7Performed == ~P.bounded => \A a \in Clients : \A n \in 1 .. Len(out[a]) : out[a][n] = "done"

(* N8: a slot changes as the picture says, and by whom the picture says.   *)
MayChange(a, w, x) ==
  LET client == a \in Clients  ser == x.ser = w.ser  next == x.ser = w.ser + 1 IN
  \/ client /\ w.st = "free" /\ x.st = "claimed" /\ next
  \/ client /\ w.st = "claimed" /\ x.st = "published" /\ ser
  \/ client /\ w.st \in {"published", "done", "failed"} /\ x.st = "free" /\ next
  \/ client /\ w.st = "taken" /\ x.st = "abandoned" /\ ser
  \/ client /\ w.st = "taken" /\ x.st = "failed" /\ ser /\ Died(Servers)
  \/ client /\ w.st = "claimed" /\ x.st = "free" /\ next /\ Died(Clients)
  \/ ~client /\ w.st = "published" /\ x.st = "taken" /\ ser
  \/ ~client /\ w.st = "taken" /\ x.st = "done" /\ ser
  \/ ~client /\ w.st = "taken" /\ x.st = "failed" /\ ser /\ Died(Servers)
  \/ ~client /\ w.st = "abandoned" /\ x.st = "free" /\ next
  \/ ~client /\ w.st \in {"claimed", "done", "failed"} /\ x.st = "free" /\ next /\ Died(Clients)
N8ByItsOwner == [][\A i \in Slots : word'[i] # word[i] =>
  \E a \in Actors : Goes(a) /\ MayChange(a, word[i], word'[i])]_word

(* Each call of an actor that goes on ends, whatever the others do, and a  *)
(* service that goes on comes to rest.                                     *)
LoneEnds == \A a \in Fair : []<>Quiet(a)
----------------------------------------------------------------------------
(* Witnesses: claims that must be violated.                                *)
(* The client has given up, and the service has performed the request.     *)
NoB01SlotAbandoned == ~\E a \in Servers :
  Is(a, "SlotDone") /\ word[loc[a].i].st = "abandoned"
(* A service has died with a slot in its hands, and both the next one and  *)
(* the client are about to say so.                                         *)
NoB02SlotServiceDies == ~\E a \in Clients : \E b \in Servers :
  Is(a, "SlotFail") /\ Is(b, "SlotReclaim") /\ word[loc[a].i] = loc[a].w
(* A client has died with a slot that the service has in its hands, and    *)
(* who comes after it is about to take the slot back.                      *)
NoB03SlotClientDies == ~\E a \in Clients : \E b \in Servers :
  Is(a, "SlotReclaim") /\ loc[a].w.st = "taken" /\ Is(b, "SlotDone") /\ word[loc[a].i] = loc[a].w
(* The client has seen a service that does not sleep, and the service is   *)
(* about to sleep.                                                         *)
NoB04BellSleep == ~\E a \in Clients : \E b \in Servers :
  Is(a, "SlotLook") /\ loc[a].ph = "wait" /\ word[loc[a].i].st = "published" /\ Is(b, "BellSleep")
(* A service is about to free what a dead client has claimed, and another  *)
(* client has claimed it since.                                            *)
NoB05SlotReuse == ~\E b \in Servers :
  Is(b, "SlotReclaim") /\ word[loc[b].i].st = loc[b].w.st /\ word[loc[b].i].ser > loc[b].w.ser
=============================================================================
