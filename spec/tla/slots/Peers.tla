-------------------------------- MODULE Peers --------------------------------
(***************************************************************************)
(* The locks, by which the dead are known, and the scans of the slots,     *)
(* which ask for them. Engine: impl/slots.                                 *)
(*                                                                         *)
(* Whoever changes a slot because somebody is dead loads its word first    *)
(* and asks afterwards. An answer from before the load may be about        *)
(* somebody else than the one who has brought the slot into this state.    *)
(***************************************************************************)
EXTENDS Memory

Side(a) == IF a \in Clients THEN lock.client ELSE lock.service
Other(a) == IF a \in Clients THEN lock.service ELSE lock.client

(* A scan begins behind the slot that was served last, so that none waits *)
(* for ever. A process scans once when it attaches. A service that has     *)
(* taken nothing says that it sleeps, scans again, and then waits. When    *)
(* the wait has timed out, it scans for what a dead client has left, from  *)
(* the first slot on.                                                      *)
Behind(i) == (i % P.slots) + 1
AtSlot(a, l, i) ==
  [l EXCEPT !.pc = IF a \in Clients THEN "SlotLook" ELSE "SlotScan", !.i = i, !.w = NoWord, !.v = 0,
            !.held = l.ph = "tidy" /\ l.held]
Scan(a, l, ph) ==
  LET from == IF ph = "tidy" THEN 1 ELSE l.from
      m == AtSlot(a, [l EXCEPT !.ph = ph, !.found = FALSE, !.last = ((from + P.slots - 2) % P.slots) + 1,
                               !.held = FALSE], from)
  IN IF ph = "tidy" /\ ~Rule("order") THEN At(m, "PeerLook") ELSE m
Idle(l, pc) == [l EXCEPT !.pc = pc, !.i = 0, !.w = NoWord, !.v = 0, !.last = 0, !.held = FALSE,
                         !.found = FALSE]
AfterScan(a, l) ==
  CASE l.ph = "attach" -> Returns(l, "attached")
    [] l.ph = "first" -> IF l.found THEN Scan(a, l, "first") ELSE Idle(l, "BellSleep")
    [] l.ph = "again" -> Idle(l, IF l.found THEN "BellRise" ELSE "BellWait")
    [] OTHER -> Scan(a, l, "first")
NextSlot(a, l) == IF l.i = l.last THEN AfterScan(a, l) ELSE AtSlot(a, l, Behind(l.i))

PeerLock(a) == LET l == loc[a]  mine == P.procs[a] IN
  /\ Is(a, "PeerLock")
  /\ IF Side(a) = 0 \/ (a \in Servers /\ ~Rule("service"))
     THEN /\ lock' = IF a \in Clients THEN [lock EXCEPT !.client = mine] ELSE [lock EXCEPT !.service = mine]
          /\ Goto(a, Scan(a, l, "attach"))
     ELSE UNCHANGED lock /\ Goto(a, Returns(l, "busy"))
  /\ UNCHANGED <<memVars, asleep, dead, did, out>>

(* Of a client whose wait has timed out, and of a service that finds a slot*)
(* in the hands of a client: if that one lives, there is nothing to tidy.  *)
Held(a) == Other(a) # 0 /\ Rule(IF a \in Clients THEN "service" ELSE "client")
PeerLook(a) == LET l == loc[a]  held == Held(a) IN
  /\ Is(a, "PeerLook")
  /\ Goto(a, CASE a \in Servers /\ ~Rule("order") -> [At(l, "SlotScan") EXCEPT !.held = held]
               [] a \in Servers /\ Rule("order") -> IF held THEN AfterScan(a, l) ELSE At(l, "SlotReclaim")
               [] a \in Clients /\ held -> [At(l, "SlotLook") EXCEPT !.ph = "wait"]
               [] a \in Clients /\ ~held ->
                    IF l.w.st = "published" THEN [At(l, "SlotLook") EXCEPT !.ph = "leave"]
                    ELSE At(l, "SlotFail"))
  /\ LoadsOnly

(* What a service does with a slot. It works at one at a time. So a slot   *)
(* that it finds taken was taken by one that is dead.                      *)
SlotScan(a) == LET l == loc[a]  w == word[l.i]  m == [l EXCEPT !.w = w] IN
  /\ Is(a, "SlotScan")
  /\ Goto(a, CASE l.ph = "tidy" ->
                    IF w.st \notin {"claimed", "done", "failed"} \/ l.held THEN NextSlot(a, l)
                    ELSE IF Rule("order") THEN At(m, "PeerLook") ELSE At(m, "SlotReclaim")
               [] l.ph # "tidy" /\ w.st = "taken" -> At(m, "SlotReclaim")
               [] l.ph # "tidy" /\ w.st = "abandoned" -> At(m, "SlotDrop")
               [] l.ph \in {"first", "again"} /\ w.st = "published" /\ ~l.held -> At(m, "SlotTake")
               [] OTHER -> NextSlot(a, l))
  /\ LoadsOnly

(* What the dead have left. If somebody else has changed the slot, it is   *)
(* looked at again, but for a service that only tidies. A request that is  *)
(* published then has rung behind this look, so it is left to the next one.*)
Reclaimed(a, w) == CASE w.st # "taken" -> To(w, "free")
                     [] w.st = "taken" /\ a \in Clients -> To(w, "abandoned")
                     [] OTHER -> To(w, "failed")
SlotReclaim(a) == LET l == loc[a]  x == Reclaimed(a, l.w) IN
  /\ Is(a, "SlotReclaim")
  /\ IF Finds(l.i, l.w)
     THEN Put(l.i, x) /\ Goto(a, IF x.st = "failed" THEN At(l, "SlotWake") ELSE NextSlot(a, l))
     ELSE UNCHANGED word /\ Goto(a, IF l.ph = "tidy" THEN NextSlot(a, l)
                             ELSE [AtSlot(a, l, l.i) EXCEPT !.held = a \in Servers])
  /\ WordOnly
=============================================================================
