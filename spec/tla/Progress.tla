------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* The progress of an installed operation: where its target leads to, how  *)
(* it ends, and the shapes of the compare-and-swaps. Helpers of Help.tla.  *)
(***************************************************************************)
EXTENDS Add


HD(t) == loc[t].p.r.d
HHome(t) == <<loc[t].p.head.h, loc[t].p.head.home>>
HCell(t) == At(loc[t].p.head.h, loc[t].p.head.home, loc[t].p.t.c)
Probed(t) == At(loc[t].p.head.h, loc[t].p.head.home, loc[t].p.i)
Frozen(e) == [e EXCEPT !.z = 1]
Bumped(e, v) == V(v, 0, e.n + 1)

(* The operation is over, or it was never there any more: the owner looks  *)
(* at what became of it, a helper goes back to its own search.             *)
Ended(t, l) ==
  LET again == StartSearch([l EXCEPT !.p = NoHelp], "add", Op(t).k, 0)
  IN CASE l.p.r.d # t -> {again}
       [] l.p.t.st = "committed" -> Finish(l, Result("added", None))
       [] l.p.t.st = "full" -> {[again EXCEPT !.tried = l.tried \cup {l.half}]}
       [] OTHER -> {again}
Gone(t, l) == {StartSearch([l EXCEPT !.p = NoHelp], "add", Op(t).k, 0)}

Undecided(l) ==
  IF l.p.head.kind = "add" THEN [l EXCEPT !.pc = "HelpFreeze"]
  ELSE IF FixOtherHalf THEN StartSearch(l, "look", l.p.pair.k, 1 - l.p.head.h)
  ELSE At0(l, "HelpCommit")

(* Where progress tg of the operation leads to. *)
Dispatch(l, tg) ==
  LET l1 == [l EXCEPT !.p.t = tg]
      isNew == l.p.head.kind = "new"
  IN CASE tg.st = "undecided" -> Undecided(l1)
       [] tg.st = "committed" /\ isNew ->
            At0(l1, IF FixValueFirst THEN "HelpWriteValue" ELSE "HelpPublishNew")
       [] tg.st = "committed" /\ tg.c = 0 -> [l1 EXCEPT !.pc = "HelpProbe", !.p.i = 1]
       [] tg.st = "committed" -> At0(l1, "HelpReserve")
       [] isNew -> At0(l1, "HelpClearVersion")
       [] OTHER -> At0(l1, IF FixFreezeFirst THEN "HelpFreeze" ELSE "HelpThaw")

(* The base is frozen, or can never be frozen again by this operation. *)
AfterFreeze(l) ==
  IF l.p.t.st = "undecided" THEN [l EXCEPT !.pc = "HelpProbe", !.p.i = 1]
  ELSE At0(l, "HelpThaw")

AfterProbe(l) ==
  CASE l.p.t.st # "undecided" -> At0(l, "HelpPropose")
    [] FixOtherHalf -> StartSearch(l, "look", l.p.pair.k, 1 - l.p.head.h)
    [] OTHER -> At0(l, "HelpCommit")

Moves(t, set) == \E l \in set : Goto(t, l)
ReadsOnly == UNCHANGED <<w0, w1, desc, dead, absVars, marks>>

(* The two shapes of a compare-and-swap: one that need not be looked at    *)
(* again when it fails, and one on the progress word.                      *)
Swap0(t, a, old, new, next) ==
  /\ w0' = IF w0[a] = old THEN [w0 EXCEPT ![a] = new] ELSE w0
  /\ Moves(t, next)
  /\ UNCHANGED <<w1, desc, dead>>
Swap1(t, a, old, new, next) ==
  /\ w1' = IF w1[a] = old THEN [w1 EXCEPT ![a] = new] ELSE w1
  /\ Moves(t, next)
  /\ UNCHANGED <<w0, desc, dead, absVars, marks>>
SwapTarget(t, new) ==
  LET l == loc[t] IN
  /\ IF desc[HD(t)].target = l.p.t
     THEN /\ desc' = [desc EXCEPT ![HD(t)].target = new]
          /\ Goto(t, Dispatch([l EXCEPT !.p.hole = NoHole, !.p.i = 0], new))
     ELSE /\ UNCHANGED desc
          /\ Goto(t, [l EXCEPT !.pc = "HelpTarget", !.p.hole = NoHole, !.p.i = 0])
  /\ UNCHANGED <<w0, w1, dead, absVars, marks>>
=============================================================================
