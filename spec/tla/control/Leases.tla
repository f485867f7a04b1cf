------------------------------- MODULE Leases -------------------------------
(***************************************************************************)
(* How the janitor of a process has a lease. Engine: impl/control.         *)
(*                                                                         *)
(* A turn loads all words in search of the one that its process has, and   *)
(* renews it, or gives it up if there may not be so many. If there is none *)
(* it takes over a vacant one: nobody's, that of a dead process, or of one *)
(* that has stood still for too long. The clock is read behind the load of *)
(* the word. Otherwise an owner who has renewed it in between would seem to*)
(* have done so in the future, which is what a damaged word looks like.    *)
(***************************************************************************)
EXTENDS Memory

Finds(a) == lease[loc[a].i] = loc[a].w
Put(i, w) == lease' = [lease EXCEPT ![i] = w]
Has(a, w) == Put(loc[a].i, w) /\ kept' = [kept EXCEPT ![a] = loc[a].t]

(* Where a turn begins, with as many leases as there may be.               *)
Begins(l, run) ==
  [Local(IF Rule("clock") THEN "LeaseFind" ELSE "LeaseClock", l.ip)
     EXCEPT !.ph = "own", !.i = 1, !.run = run]
Leaves(l) == [Local("LeaseFind", l.ip) EXCEPT !.ph = "leave", !.i = 1]

(* A turn ends. One who keeps the lease has the next turn.                 *)
HoldEnds(a, l, k) == IF Call(a).op = "Keep" THEN Begins(l, Call(a).n) ELSE Returns(l, Res(k, l.run, 0))

(* Looks at word i for a vacant lease.                                     *)
Looks(a, l, i) ==
  IF i <= Min(l.run, Len(lease))
  THEN [l EXCEPT !.pc = "LeaseLook", !.ph = "take", !.i = i, !.w = Nobody,
                 !.t = IF Rule("clock") THEN 0 ELSE @]
  ELSE HoldEnds(a, l, "none")

(* The next word in search of one's own.                                   *)
NextOwn(a, l) ==
  CASE l.i < Len(lease) -> [l EXCEPT !.pc = "LeaseFind", !.i = @ + 1, !.w = Nobody]
    [] l.i = Len(lease) /\ l.ph = "leave" -> Returns(l, Res("left", 0, 0))
    [] OTHER -> Looks(a, l, 1)

LeaseFind(a) == LET l == loc[a]  w == lease[l.i]  m == [l EXCEPT !.w = w] IN
  /\ Is(a, "LeaseFind")
  /\ Goto(a, CASE w.own # a -> NextOwn(a, l)
               [] w.own = a /\ (l.ph = "leave" \/ (l.i > l.run /\ Rule("give"))) -> At(m, "LeaseGive")
               [] OTHER -> IF Rule("clock") THEN At(m, "LeaseClock") ELSE At(m, "LeaseRenew"))
  /\ LoadsOnly

LeaseLook(a) == LET l == loc[a]  m == [l EXCEPT !.w = lease[l.i]] IN
  /\ Is(a, "LeaseLook")
  /\ Goto(a, IF Rule("clock") THEN At(m, "LeaseClock")
             ELSE IF m.w.own = 0 \/ m.w.at > m.t \/ m.t - m.w.at > Still THEN At(m, "LeaseTake")
             ELSE At(m, "LeaseAsk"))
  /\ LoadsOnly

(* Without the rule "clock" this is the first step of a turn.              *)
LeaseClock(a) == LET l == loc[a]  m == [l EXCEPT !.t = clock] IN
  /\ Is(a, "LeaseClock")
  /\ Goto(a, CASE ~Rule("clock") -> At(m, "LeaseFind")
               [] Rule("clock") /\ l.ph = "own" -> At(m, "LeaseRenew")
               [] Rule("clock") /\ l.ph = "take" ->
                    IF l.w.own = 0 \/ clock - l.w.at > Still THEN At(m, "LeaseTake") ELSE At(m, "LeaseAsk"))
  /\ LoadsOnly

(* The system knows who lives.                                             *)
LeaseAsk(a) == LET l == loc[a] IN
  /\ Is(a, "LeaseAsk")
  /\ Goto(a, IF (Alive(l.w.own) \/ ~Rule("ask")) /\ Rule("proof") THEN Looks(a, l, l.i + 1)
             ELSE At(l, "LeaseTake"))
  /\ LoadsOnly

LeaseTake(a) == LET l == loc[a] IN
  /\ Is(a, "LeaseTake")
  /\ IF Finds(a) \/ ~Rule("take")
     THEN Has(a, [own |-> a, at |-> l.t]) /\ Goto(a, HoldEnds(a, l, "held"))
     ELSE UNCHANGED <<lease, kept>> /\ Goto(a, Looks(a, l, l.i + 1))
  /\ LeaseOnly

LeaseRenew(a) == LET l == loc[a] IN
  /\ Is(a, "LeaseRenew")
  /\ IF Finds(a) \/ ~Rule("renew")
     THEN Has(a, [own |-> a, at |-> l.t]) /\ Goto(a, HoldEnds(a, l, "held"))
     ELSE UNCHANGED <<lease, kept>> /\ Goto(a, HoldEnds(a, l, "none"))
  /\ LeaseOnly

LeaseGive(a) == LET l == loc[a] IN
  /\ Is(a, "LeaseGive")
  /\ IF Finds(a) THEN Put(l.i, Nobody) ELSE UNCHANGED lease
  /\ Goto(a, IF l.ph = "leave" THEN NextOwn(a, l) ELSE HoldEnds(a, l, "none"))
  /\ UNCHANGED kept
  /\ LeaseOnly
=============================================================================
