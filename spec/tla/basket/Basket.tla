------------------------------- MODULE Basket -------------------------------
(***************************************************************************)
(* The clients, the dead, and the whole machine.                           *)
(***************************************************************************)
EXTENDS Params

ClientCall(a) == LET l == loc[a] IN
  /\ Is(a, "ClientCall")
  /\ Goto(a, [Begin(P.acts[a][l.ip], l) EXCEPT !.st = "open"])
  /\ LoadsOnly

ClientReturn(a) == LET l == loc[a] IN
  /\ Is(a, "ClientReturn")
  /\ Goto(a, [l EXCEPT !.pc = IF l.ip < Len(P.acts[a]) THEN "ClientCall" ELSE "Over", !.ip = @ + 1,
                       !.st = "idle", !.n = 0, !.m = 0, !.f = Frame,
                       !.par = IF Rule("fresh") THEN NoPair ELSE @])
  /\ LoadsOnly

(* Whoever may die can do so between any two steps.                        *)
Die(a) ==
  /\ a \in P.mortal \ dead /\ Cardinality(dead) < P.deaths /\ loc[a].pc # "Over"
  /\ dead' = dead \cup {a}
  /\ UNCHANGED <<memVars, moved, pair, hand, loc, born>>

(* The basket in this state that an actor has at the beginning.            *)
HadBy(a, st, tiers) ==
  LET mine == {b \in Baskets : P.heads[b].st = st /\ P.heads[b].own = a /\ P.heads[b].tier \in tiers}
  IN IF mine = {} THEN 0 ELSE CHOOSE b \in mine : TRUE

Init ==
  /\ word = [h \in Hashes |-> [ref |-> P.words[h], ver |-> 0]]
  /\ pend = [h \in Hashes |-> NoPend]
  /\ head = [b \in Baskets |-> P.heads[b]]
  /\ rec = [r \in Refs |-> P.recs[r]]
  /\ seq = 5
  /\ dead = {} /\ moved = 0 /\ pair = P.pair /\ hand = [a \in Actors |-> 0]
  /\ loc = [a \in Actors |->
       LET open == [i \in Lanes |-> HadBy(a, "open", {i - 1})]  ret == HadBy(a, "retiring", 0 .. LastTier) IN
       [Local(IF P.acts[a] = <<>> THEN "Over" ELSE "ClientCall", 1) EXCEPT
          !.open = open, !.ret = ret, !.i = IF ret = 0 THEN 0 ELSE 1,
          !.pos = [j \in Lanes |-> IF open[j] = 0 THEN 0
                     ELSE 1 + Cardinality({i \in 1 .. Slots : P.recs[Ref(open[j], i)].size # 0})]]]
  /\ born = [r \in Refs |-> 0]

Step(a) ==
  \/ ClientCall(a) \/ ClientReturn(a)
  \/ IndexLookup(a) \/ IndexStill(a) \/ IndexSwap(a) \/ IndexInstall(a) \/ IndexFlip(a)
  \/ IndexPush(a) \/ IndexDrop(a)
  \/ CopyHead(a) \/ CopyLow(a) \/ CopyHigh(a)
  \/ AppendZero(a) \/ AppendHead(a) \/ AppendLow(a) \/ AppendHigh(a) \/ AppendSize(a)
  \/ RoomSeal(a) \/ RoomLook(a) \/ RoomNumber(a) \/ RoomOpen(a) \/ RoomSettle(a) \/ RoomAge(a)
  \/ RoomTake(a)
  \/ WalkSize(a) \/ WalkTell(a) \/ WalkHand(a) \/ WalkNumber(a) \/ WalkBack(a) \/ WalkZero(a) \/ WalkFree(a)
  \/ ParamRead(a) \/ TuneLoad(a) \/ TuneSwap(a)

Ended(a) == loc[a].pc = "Over" \/ a \in dead
Rest == (\A a \in Actors : Ended(a)) /\ UNCHANGED vars
Next ==
  \/ \E a \in Actors : Step(a) \/ Die(a)
  \/ \E h \in Hashes : IndexHelp(h) \/ IndexMove(h)
  \/ Rest
Spec == Init /\ [][Next]_vars

(* Weak fairness of Step(a) in words that TLC checks quickly: no step of   *)
(* an actor waits for anything, and each one changes its local state. That *)
(* the words say the same is checked in the runs that have CanStep.        *)
CanGo(a) == ~Ended(a)
Goes(a) == loc'[a] # loc[a]
FairSpec == Spec /\ \A a \in Fair : []<>~CanGo(a) \/ []<><<Goes(a)>>_vars

CanStep == \A a \in Actors : CanGo(a) = ENABLED <<Step(a)>>_vars
StepsAreSeen == [][\A a \in Actors : Step(a) <=> Goes(a)]_vars
=============================================================================
