------------------------------- MODULE Control -------------------------------
(***************************************************************************)
(* The calls, the clock, the dead, and the whole machine.                  *)
(***************************************************************************)
EXTENDS Handovers

ClientCall(a) == LET l == loc[a]  c == Call(a) IN
  /\ Is(a, "ClientCall")
  /\ Goto(a, CASE c.op \in {"Hold", "Keep"} -> Begins(l, c.n)
               [] c.op = "Leave" -> Leaves(l)
               [] c.op \in {"Turn", "Read"} -> At(l, "ParamRead")
               [] c.op = "Tick" -> At(l, "TimePass")
               [] c.op = "Tune" -> Tunes(l, 1)
               [] c.op = "Take" -> Rates(l, "look")
               [] c.op \in {"Want", "Beg"} -> Wants(l)
               [] c.op \in {"Ask", "Serve"} -> At([l EXCEPT !.ph = "ask"], "WishLook")
               [] OTHER -> Rates(l, "charge"))
  /\ LoadsOnly

ClientReturn(a) == LET l == loc[a] IN
  /\ Is(a, "ClientReturn")
  /\ out' = [out EXCEPT ![a] = Append(@, l.res)]
  /\ Goto(a, Local(IF l.ip = Len(P.acts[a]) THEN "Over" ELSE "ClientCall", l.ip + 1))
  /\ UNCHANGED <<words, clock, dead, kept, did, fed, till>>

TimePass(a) == LET l == loc[a] IN
  /\ Is(a, "TimePass")
  /\ clock' = clock + Call(a).n
  /\ Goto(a, Returns(l, Res("ticked", 0, 0)))
  /\ UNCHANGED <<words, dead, hist>>

(* A process may die between any two steps. Nobody asks what it knew.      *)
Die(a) ==
  /\ a \in P.mortal /\ dead = {} /\ ~Ended(a)
  /\ dead' = {a}
  /\ Goto(a, Local("Over", loc[a].ip))
  /\ UNCHANGED <<words, clock, hist, owed>>

Init ==
  /\ lease = P.leases /\ param = P.params
  /\ level = [i \in CellsOf |-> P.full] /\ penalty = [i \in CellsOf |-> NoPenalty]
  /\ wish = P.wish /\ owed = P.wish.on /\ till = IF Holds(P.wish, 0) THEN P.wish.end ELSE 0
  /\ clock = 0 /\ dead = {}
  /\ loc = [a \in Actors |-> Local("ClientCall", 1)]
  /\ out = [a \in Actors |-> <<>>]
  /\ kept = [a \in Actors |-> 0] /\ did = [a \in Actors |-> 0] /\ fed = level

(* What is owed, by what a step does to the word and by how it ends a call,*)
(* whichever action it is: a wish is said; one that is still in the word is*)
(* replaced; a call is told of one; or a call forgets the one it has taken.*)
Goes(a) == loc'[a] # loc[a] /\ dead' = dead
Ends(a) == Goes(a) /\ loc'[a].pc \in {"ClientCall", "ClientReturn"}
Heard(l) == l.ph = "heard" \/ l.res.k = "heard"
Said == IF wish' # wish /\ wish'.on = 1 THEN 1 - wish.on ELSE 0
Gone(a) == CASE Ends(a) /\ Heard(loc'[a]) -> 1
             [] Is(a, "WishClock") /\ loc[a].ph = "ask" /\ ~Heard(loc'[a]) -> loc[a].h.on
             [] OTHER -> 0
Owes(a) == owed' = owed + Said - Gone(a)

Acts(a) ==
  \/ ClientCall(a) \/ ClientReturn(a) \/ TimePass(a)
  \/ LeaseFind(a) \/ LeaseLook(a) \/ LeaseClock(a) \/ LeaseAsk(a)
  \/ LeaseTake(a) \/ LeaseRenew(a) \/ LeaseGive(a)
  \/ ParamRead(a) \/ TuneLoad(a) \/ TuneSwap(a)
  \/ LevelLoad(a) \/ LevelSwap(a) \/ PenaltyLoad(a) \/ PenaltySwap(a)
  \/ WishSee(a) \/ WishClock(a) \/ WishSay(a) \/ WishLook(a) \/ WishTake(a)
Step(a) == Acts(a) /\ Owes(a)

Rest == (\A a \in Actors : Ended(a)) /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a) \/ Die(a)) \/ Rest
Spec == Init /\ [][Next]_vars

(* Weak fairness of Step(a) in words that TLC checks quickly. That the     *)
(* words say the same is checked in the runs that have CanStep.            *)
CanGo(a) == ~Ended(a)
FairSpec == Spec /\ \A a \in Fair : []<>~CanGo(a) \/ []<><<Goes(a)>>_vars

CanStep == \A a \in Actors : CanGo(a) = ENABLED <<Step(a)>>_vars
StepsAreSeen == [][\A a \in Actors : Step(a) <=> Goes(a)]_vars
=============================================================================
