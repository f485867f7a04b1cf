----------------------------- MODULE Hopscotch -----------------------------
(***************************************************************************)
(* The table: clients that run a program, one action per  *)
(* access of shared memory, and any of them may die at any step.           *)
(* Engine: impl/hopscotch.                                                 *)
(***************************************************************************)
EXTENDS Help

MapInit == [k \in Keys |-> IF k \in DOMAIN InitMap THEN InitMap[k] ELSE None]

Init ==
  /\ w0 = InitWord0
  /\ w1 = InitWord1
  /\ desc = [t \in Actors |-> NoDesc]
  /\ loc = [t \in Actors |-> NoLocal]
  /\ dead = {}
  /\ marks = {}
  /\ map = MapInit
  /\ busy = [t \in Actors |-> NoOp]
  /\ seen = [t \in Actors |-> {}]
  /\ done = [t \in Actors |-> FALSE]
  /\ over = [t \in Actors |-> FALSE]
  /\ freed = [v \in Values |-> 0]
  /\ out = [t \in Actors |-> [r |-> "none", v |-> None]]
----------------------------------------------------------------------------
Finished(t) == loc[t].pc = "ClientCall" /\ loc[t].i > Len(Programs[t])

ClientCall(t) ==
  LET o == Op(t) IN
  /\ loc[t].pc = "ClientCall"
  /\ ~Finished(t)
  /\ \E l \in Begins(t) : Goto(t, l)
  /\ busy' = [busy EXCEPT ![t] = o]
  /\ seen' = [seen EXCEPT ![t] = {map[o.k]}]
  /\ out' = IF o.op \in OfTicket THEN out ELSE [out EXCEPT ![t] = [r |-> "none", v |-> None]]
  /\ UNCHANGED <<w0, w1, desc, dead, marks, map, done, over, freed>>

ClientReturn(t) ==
  LET r == loc[t].p.t
      ticket == IF r.st \in {"found", "same"} THEN loc[t].ticket ELSE NoTicket
  IN
  /\ loc[t].pc = "ClientReturn"
  /\ Goto(t, [NoLocal EXCEPT !.i = loc[t].i + 1, !.ticket = ticket])
  /\ busy' = [busy EXCEPT ![t] = NoOp]
  /\ seen' = [seen EXCEPT ![t] = {}]
  /\ done' = [done EXCEPT ![t] = FALSE]
  /\ over' = [over EXCEPT ![t] = FALSE]
  /\ out' = [out EXCEPT ![t] = [r |-> r.st, v |-> r.c]]
  /\ UNCHANGED <<w0, w1, desc, dead, marks, map, freed>>

(* Never again: neither a step nor a deferred one. What the dead one knew  *)
(* is of no consequence to anybody, and is forgotten; no action has "Dead" *)
(* as its guard.                                                           *)
ClientCrash(t) ==
  /\ Cardinality(dead) < MaxCrashes
  /\ loc[t].pc \notin {"ClientCall", "Dead"}
  /\ dead' = dead \cup {t}
  /\ Goto(t, [NoLocal EXCEPT !.pc = "Dead"])
  /\ UNCHANGED <<w0, w1, desc, marks, histVars>>

Step(t) ==
  \/ ClientCall(t) \/ ClientReturn(t)
  \/ SearchNext(t) \/ UpdateNext(t) \/ TicketNext(t) \/ AddNext(t) \/ RoomNext(t) \/ CropNext(t)
  \/ DiscardNext(t) \/ HelpNext(t)

AllDone == \A t \in Actors : Finished(t) \/ t \in dead
Done == AllDone /\ UNCHANGED vars

Next == (\E t \in Actors : Step(t) \/ ClientCrash(t)) \/ Done

Spec == Init /\ [][Next]_vars
----------------------------------------------------------------------------
(* Weak fairness of each actor, WF_vars(Step(t)), in words that TLC checks *)
(* in a third of the time: a step of t is a change of its local state by   *)
(* which nobody dies, and there is one as long as t is alive and not done. *)
(* That the words say the same is checked wherever FairSpec is.            *)
CanGo(t) == ~Finished(t) /\ t \notin dead
Goes(t) == loc'[t] # loc[t] /\ dead' = dead
FairSpec == Spec /\ \A t \in Actors : []<>(~CanGo(t)) \/ []<><<Goes(t)>>_vars

CanStep == \A t \in Actors : CanGo(t) => ENABLED <<Step(t)>>_vars
MovesAlone == [][\E t \in Actors : /\ loc'[t] # loc[t]
                                   /\ \A u \in Actors \ {t} : loc'[u] = loc[u]]_vars
=============================================================================
