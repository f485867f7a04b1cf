------------------------------- MODULE Serving -------------------------------
(***************************************************************************)
(* What a service does with a slot that it has taken. Engine: impl/slots.  *)
(*                                                                         *)
(* The request is copied before it is looked at. SlotPerform is the call of*)
(* what is served, which has its effect there.                             *)
(***************************************************************************)
EXTENDS Requests

SlotTake(a) == LET l == loc[a]  x == To(l.w, "taken") IN
  /\ Is(a, "SlotTake")
  /\ IF Finds(l.i, l.w)
     THEN /\ Put(l.i, x)
          /\ Goto(a, At([l EXCEPT !.w = x, !.from = Behind(l.i), !.found = TRUE], "SlotCopy"))
     ELSE UNCHANGED word /\ Goto(a, NextSlot(a, l))
  /\ WordOnly

SlotCopy(a) == LET l == loc[a] IN
  /\ Is(a, "SlotCopy")
  /\ Goto(a, At([l EXCEPT !.v = req[l.i]], "SlotPerform"))
  /\ LoadsOnly

SlotPerform(a) == LET l == loc[a] IN
  /\ Is(a, "SlotPerform")
  /\ did' = [did EXCEPT ![l.v \div 10][l.v % 10] = @ + 1]
  /\ Goto(a, At(l, "SlotAnswer"))
  /\ UNCHANGED <<memVars, lock, asleep, dead, out>>

SlotAnswer(a) == LET l == loc[a] IN
  /\ Is(a, "SlotAnswer")
  /\ resp' = [resp EXCEPT ![l.i] = l.v]
  /\ Goto(a, At([l EXCEPT !.v = 0], "SlotDone"))
  /\ UNCHANGED <<word, req, bell, sleeps, lock, asleep, dead, did, out>>

(* It fails if the client has given up. Then the slot is free.             *)
SlotDone(a) == LET l == loc[a] IN
  /\ Is(a, "SlotDone")
  /\ IF Finds(l.i, l.w) \/ ~Rule("swap")
     THEN Put(l.i, To(l.w, "done")) /\ Goto(a, At(l, "SlotWake"))
     ELSE UNCHANGED word /\ Goto(a, At([l EXCEPT !.w = To(l.w, "abandoned")], "SlotDrop"))
  /\ WordOnly

SlotDrop(a) == LET l == loc[a] IN
  /\ Is(a, "SlotDrop")
  /\ IF Finds(l.i, l.w) THEN Put(l.i, To(l.w, "free")) ELSE UNCHANGED word
  /\ Goto(a, NextSlot(a, l))
  /\ WordOnly

SlotWake(a) == LET l == loc[a] IN
  /\ Is(a, "SlotWake")
  /\ asleep' = IF Rule("wake") THEN asleep \ {b \in Clients : loc[b].i = l.i} ELSE asleep
  /\ Goto(a, NextSlot(a, l))
  /\ WakesOnly
=============================================================================
