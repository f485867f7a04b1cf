------------------------------ MODULE Doorbell ------------------------------
(***************************************************************************)
(* How a client wakes a service that sleeps. Engine: impl/slots.           *)
(*                                                                         *)
(* The client publishes, rings, and looks whether the service sleeps. The  *)
(* service says that it sleeps, loads the doorbell, scans once more, and   *)
(* waits while the doorbell is the one that it has loaded. So either the   *)
(* scan finds the request, or the doorbell has changed, or the client sees *)
(* that the service sleeps and wakes it.                                   *)
(***************************************************************************)
EXTENDS Peers

Waits(l) == [l EXCEPT !.pc = "SlotLook", !.ph = "wait"]

BellRing(a) == LET l == loc[a] IN
  /\ Is(a, "BellRing")
  /\ bell' = bell + 1
  /\ Goto(a, At(l, "BellCheck"))
  /\ BellOnly /\ UNCHANGED sleeps

BellCheck(a) == LET l == loc[a] IN
  /\ Is(a, "BellCheck")
  /\ Goto(a, IF sleeps THEN At(l, "BellWake") ELSE Waits(l))
  /\ LoadsOnly

BellWake(a) == LET l == loc[a] IN
  /\ Is(a, "BellWake")
  /\ asleep' = asleep \ Servers
  /\ Goto(a, Waits(l))
  /\ WakesOnly
----------------------------------------------------------------------------
BellSleep(a) == LET l == loc[a] IN
  /\ Is(a, "BellSleep")
  /\ sleeps' = TRUE
  /\ Goto(a, At(l, "BellLook"))
  /\ BellOnly /\ UNCHANGED bell

BellLook(a) == LET l == loc[a]  m == [l EXCEPT !.seen = bell] IN
  /\ Is(a, "BellLook")
  /\ Goto(a, IF Rule("again") THEN Scan(a, m, "again") ELSE At(m, "BellWait"))
  /\ LoadsOnly

BellWait(a) == LET l == loc[a] IN
  /\ Is(a, "BellWait")
  /\ asleep' = IF bell = l.seen THEN asleep \cup {a} ELSE asleep
  /\ Goto(a, At(l, "BellRise"))
  /\ WakesOnly

BellRise(a) == LET l == loc[a] IN
  /\ Is(a, "BellRise")
  /\ sleeps' = FALSE
  /\ Goto(a, Scan(a, [l EXCEPT !.seen = 0], IF l.ph = "tidy" THEN "tidy" ELSE "first"))
  /\ BellOnly /\ UNCHANGED bell
=============================================================================
