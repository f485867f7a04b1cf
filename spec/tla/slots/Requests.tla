------------------------------ MODULE Requests ------------------------------
(***************************************************************************)
(* What a client does with a slot: from the claim to the answer, or until  *)
(* it gives up. Engine: impl/slots.                                        *)
(***************************************************************************)
EXTENDS Doorbell

NextFree(l) == IF l.i < P.slots THEN [l EXCEPT !.pc = "SlotLook", !.i = @ + 1] ELSE Returns(l, "none")

(* In search of a free slot, for what a dead client has left, or for what  *)
(* has become of the request.                                              *)
Pending(l, w) ==
  LET m == [l EXCEPT !.w = w] IN
  CASE l.ph = "wait" -> At(m, "SlotWait")
    [] l.ph = "late" -> At(m, "PeerLook")
    [] l.ph = "leave" /\ w.st = "published" -> At(m, "SlotWithdraw")
    [] OTHER -> At(m, "SlotAbandon")
Become(l, w) ==
  CASE w.st \in {"published", "taken"} -> Pending(l, w)
    [] w.st = "done" -> At([l EXCEPT !.w = w], "SlotRead")
    [] w.st = "failed" -> At([l EXCEPT !.w = w, !.res = "unknown"], "SlotFree")
    [] OTHER -> Returns(l, "unknown")
SlotLook(a) == LET l == loc[a]  w == word[l.i]  m == [l EXCEPT !.w = w] IN
  /\ Is(a, "SlotLook")
  /\ Goto(a, CASE l.ph = "claim" -> IF w.st = "free" THEN At(m, "SlotClaim") ELSE NextFree(l)
               [] l.ph = "attach" ->
                    IF w.st \in {"free", "abandoned"} THEN NextSlot(a, l) ELSE At(m, "SlotReclaim")
               [] OTHER -> Become(l, w))
  /\ LoadsOnly

SlotClaim(a) == LET l == loc[a]  x == To(l.w, "claimed") IN
  /\ Is(a, "SlotClaim")
  /\ IF Finds(l.i, l.w)
     THEN Put(l.i, x) /\ Goto(a, At([l EXCEPT !.w = x], "SlotWrite"))
     ELSE UNCHANGED word /\ Goto(a, NextFree([l EXCEPT !.w = NoWord]))
  /\ WordOnly

SlotWrite(a) == LET l == loc[a] IN
  /\ Is(a, "SlotWrite")
  /\ req' = [req EXCEPT ![l.i] = Number(a)]
  /\ Goto(a, At(l, "SlotPublish"))
  /\ UNCHANGED <<word, resp, bell, sleeps, lock, asleep, dead, did, out>>

SlotPublish(a) == LET l == loc[a]  x == To(l.w, "published") IN
  /\ Is(a, "SlotPublish")
  /\ IF Finds(l.i, l.w)
     THEN Put(l.i, x) /\ Goto(a, At([l EXCEPT !.w = x], "BellRing"))
     ELSE UNCHANGED word /\ Goto(a, Returns(l, "none"))
  /\ WordOnly

(* The system compares the half of the word that has the state and a part  *)
(* of the serial, and falls asleep in the same step.                       *)
SlotWait(a) == LET l == loc[a] IN
  /\ Is(a, "SlotWait")
  /\ asleep' = IF word[l.i] = l.w THEN asleep \cup {a} ELSE asleep
  /\ Goto(a, At(l, "SlotLook"))
  /\ WakesOnly

(* A wait times out. A client that does not give up asks whether the       *)
(* service lives; a service tidies.                                        *)
HasBound == P.bounded /\ Rule("bound")
TimeOut(a) == LET l == loc[a] IN
  /\ a \in asleep /\ HasBound
  /\ asleep' = asleep \ {a}
  /\ Goto(a, [l EXCEPT !.ph = CASE a \in Servers -> "tidy" [] Call(a) = "Ask" -> "late" [] OTHER -> "leave"])
  /\ WakesOnly

SlotRead(a) == LET l == loc[a] IN
  /\ Is(a, "SlotRead")
  /\ Goto(a, At([l EXCEPT !.res = IF resp[l.i] = Number(a) THEN "done" ELSE "wrong"], "SlotFree"))
  /\ LoadsOnly

(* What a client does to the slot that it holds, and where it goes on if   *)
(* the service was faster.                                                 *)
SlotFree(a) == LET l == loc[a] IN
  /\ Is(a, "SlotFree")
  /\ IF Finds(l.i, l.w) THEN Put(l.i, To(l.w, "free")) ELSE UNCHANGED word
  /\ Goto(a, Returns(l, l.res))
  /\ WordOnly

SlotWithdraw(a) == LET l == loc[a] IN
  /\ Is(a, "SlotWithdraw")
  /\ IF Finds(l.i, l.w)
     THEN Put(l.i, To(l.w, "free")) /\ Goto(a, Returns(l, "none"))
     ELSE UNCHANGED word /\ Goto(a, At(l, "SlotLook"))
  /\ WordOnly

SlotAbandon(a) == LET l == loc[a] IN
  /\ Is(a, "SlotAbandon")
  /\ IF Finds(l.i, l.w)
     THEN Put(l.i, To(l.w, "abandoned")) /\ Goto(a, Returns(l, "unknown"))
     ELSE UNCHANGED word /\ Goto(a, At(l, "SlotLook"))
  /\ WordOnly

SlotFail(a) == LET l == loc[a] IN
  /\ Is(a, "SlotFail")
  /\ IF Finds(l.i, l.w) THEN Put(l.i, To(l.w, "failed")) ELSE UNCHANGED word
  /\ Goto(a, [At(l, "SlotLook") EXCEPT !.ph = "wait"])
  /\ WordOnly
=============================================================================
