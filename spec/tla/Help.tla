-------------------------------- MODULE Help --------------------------------
(***************************************************************************)
(* Finishing an installed operation: done by its owner, and by whoever     *)
(* meets its reference in a cell. There is no other recovery.              *)
(* S01, S02, S04, S05, S06. Engine: impl/hopscotch/help.go.                *)
(*                                                                         *)
(* Every step is a compare-and-swap whose expected value occurs once in    *)
(* the life of the word: an empty cell by its generation, a reference by   *)
(* the descriptor's, word 1 by its version, the target by its generation   *)
(* and hole. A helper that wakes up after the operation has ended changes  *)
(* nothing.                                                                *)
(*                                                                         *)
(*  new:  decide, write the value, publish the base                        *)
(*  add:  freeze the base's value, find a hole, decide (with the hole),    *)
(*        reserve the hole, copy the displaced value, publish it as a      *)
(*        member, flip the base's key, thaw with the new value, put the    *)
(*        members back                                                     *)
(***************************************************************************)
EXTENDS Progress
----------------------------------------------------------------------------
HelpHead(t) ==
  LET x == desc[HD(t)].head  l == loc[t] IN
  /\ l.pc = "HelpHead"
  /\ Moves(t, IF x.gen = l.p.r.g THEN {[l EXCEPT !.p.head = x, !.pc = "HelpPair"]}
              ELSE Gone(t, l))
  /\ ReadsOnly

HelpPair(t) ==
  /\ loc[t].pc = "HelpPair"
  /\ Goto(t, [loc[t] EXCEPT !.p.pair = desc[HD(t)].pair,
                !.pc = IF loc[t].p.head.kind = "new" THEN "HelpExpect" ELSE "HelpPlan"])
  /\ ReadsOnly

HelpPlan(t) ==
  /\ loc[t].pc = "HelpPlan"
  /\ Goto(t, [loc[t] EXCEPT !.p.plan = desc[HD(t)].plan, !.pc = "HelpExpect"])
  /\ ReadsOnly

HelpExpect(t) ==
  /\ loc[t].pc = "HelpExpect"
  /\ Goto(t, [loc[t] EXCEPT !.p.expect = desc[HD(t)].expect, !.pc = "HelpHeadAgain"])
  /\ ReadsOnly

HelpHeadAgain(t) ==
  /\ loc[t].pc = "HelpHeadAgain"
  /\ Moves(t, IF desc[HD(t)].head = loc[t].p.head THEN {At0(loc[t], "HelpTarget")}
              ELSE Gone(t, loc[t]))
  /\ ReadsOnly

HelpTarget(t) ==
  LET tg == desc[HD(t)].target IN
  /\ loc[t].pc = "HelpTarget"
  /\ Moves(t, IF tg.gen = loc[t].p.r.g THEN {Dispatch(loc[t], tg)} ELSE Gone(t, loc[t]))
  /\ ReadsOnly
----------------------------------------------------------------------------
(* Also on the way out of an aborted operation: what was frozen once, or   *)
(* has moved on, cannot be frozen by a helper that comes late.             *)
HelpFreeze(t) ==
  LET l == loc[t]
      ok == w1[HHome(t)] = l.p.expect
  IN
  /\ l.pc = "HelpFreeze"
  /\ Swap1(t, HHome(t), l.p.expect, Frozen(l.p.expect),
           {IF ok THEN AfterFreeze(l) ELSE At0(l, "HelpFreezeCheck")})

HelpFreezeCheck(t) ==
  LET l == loc[t]
      frozen == w1[HHome(t)] = Frozen(l.p.expect)
  IN
  /\ l.pc = "HelpFreezeCheck"
  /\ Moves(t, {IF frozen \/ l.p.t.st # "undecided" THEN AfterFreeze(l)
               ELSE At0(l, "HelpAbort")})
  /\ ReadsOnly

(* The lowest empty cell of the window above the base. *)
HelpProbe(t) ==
  LET l == loc[t]
      a == w0[Probed(t)]
  IN
  /\ l.pc = "HelpProbe"
  /\ Goto(t,
       IF a.f = "E"
       THEN AfterProbe([l EXCEPT !.p.hole = [c |-> l.p.i, g |-> a.g], !.p.i = 0])
       ELSE IF l.p.i + 1 < W THEN [l EXCEPT !.p.i = l.p.i + 1]
       ELSE AfterProbe([l EXCEPT !.p.i = 0]))
  /\ ReadsOnly

Chosen(l) ==
  IF l.p.head.kind = "new" THEN Tgt(l.p.r.g, "committed", 0, 0)
  ELSE IF l.p.hole = NoHole THEN Tgt(l.p.r.g, "full", 0, 0)
  ELSE Tgt(l.p.r.g, "committed", l.p.hole.c, l.p.hole.g)

HelpAbort(t) ==
  /\ loc[t].pc = "HelpAbort"
  /\ SwapTarget(t, Tgt(loc[t].p.r.g, "aborted", 0, 0))

(* The key is also being added in half 1, and nobody has decided: half 0   *)
(* wins. Then see first whether the own operation is undecided still: a    *)
(* helper that is late would abort the other one for ever.                 *)
HelpAbortOther(t) ==
  LET l == loc[t]
      r == l.s.r
      old == l.s.t
  IN
  /\ l.pc = "HelpAbortOther"
  /\ desc' = IF desc[r.d].target = old
             THEN [desc EXCEPT ![r.d].target = Tgt(r.g, "aborted", 0, 0)] ELSE desc
  /\ Goto(t, [l EXCEPT !.pc = "HelpTarget", !.s = NoSearch, !.p.hole = NoHole])
  /\ UNCHANGED <<w0, w1, dead, absVars, marks>>

HelpCommit(t) ==
  /\ loc[t].pc = "HelpCommit"
  /\ SwapTarget(t, Chosen(loc[t]))

(* A reserved hole was lost to somebody else, another one was looked for. *)
HelpPropose(t) ==
  /\ loc[t].pc = "HelpPropose"
  /\ SwapTarget(t, Chosen(loc[t]))
----------------------------------------------------------------------------
HelpWriteValue(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpWriteValue"
  /\ Swap1(t, HHome(t), e, Bumped(e, l.p.pair.v),
           IF FixValueFirst THEN {At0(l, "HelpPublishNew")} ELSE Ended(t, l))

(* S01. LP of an add to an empty cell: the base is there. *)
HelpPublishNew(t) ==
  LET l == loc[t]
      won == w0[HHome(t)] = C(l.p.r)
  IN
  /\ l.pc = "HelpPublishNew"
  /\ Swap0(t, HHome(t), C(l.p.r), B(l.p.pair.k, {}),
           IF FixValueFirst THEN Ended(t, l) ELSE {At0(l, "HelpWriteValue")})
  /\ IF won THEN Effect(HD(t)) /\ Mark({"S01AddEmpty"}) ELSE UNCHANGED <<absVars, marks>>

HelpReserve(t) ==
  LET l == loc[t]
      ok == w0[HCell(t)] = E(l.p.t.g)
  IN
  /\ l.pc = "HelpReserve"
  /\ Swap0(t, HCell(t), E(l.p.t.g), C(l.p.r),
           {At0(l, IF ok THEN "HelpCopyValue" ELSE "HelpReserveCheck")})
  /\ UNCHANGED <<absVars, marks>>

HelpReserveCheck(t) ==
  LET l == loc[t]
      a == w0[HCell(t)]
  IN
  /\ l.pc = "HelpReserveCheck"
  /\ Goto(t, At0(l,
       CASE a = C(l.p.r) -> "HelpCopyValue"
         [] a = M(l.p.plan.k, l.p.t.c, l.p.t.g + 1) -> "HelpFlip"
         [] OTHER -> "HelpStillHeld"))
  /\ ReadsOnly

(* Somebody else has the hole. Only an operation that still holds its base *)
(* unflipped may look for another one.                                     *)
HelpStillHeld(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpStillHeld"
  /\ Goto(t, At0(l, IF w0[HHome(t)] = O(l.p.plan.k, l.p.r)
                    THEN "HelpWithdraw" ELSE "HelpTargetAgain"))
  /\ ReadsOnly

(* The base has moved on: with this hole, then it is flipped; or not. *)
HelpTargetAgain(t) ==
  LET l == loc[t]
      tg == desc[HD(t)].target
  IN
  /\ l.pc = "HelpTargetAgain"
  /\ Moves(t, CASE tg = l.p.t -> {At0(l, "HelpUnfreeze")}
                [] tg.gen = l.p.r.g -> {Dispatch(l, tg)}
                [] OTHER -> Gone(t, l))
  /\ ReadsOnly

HelpWithdraw(t) ==
  /\ loc[t].pc = "HelpWithdraw"
  /\ SwapTarget(t, Tgt(loc[t].p.r.g, "committed", 0, 0))

HelpCopyValue(t) ==
  LET l == loc[t]  g == l.p.t.g IN
  /\ l.pc = "HelpCopyValue"
  /\ Swap1(t, HCell(t), V(None, 0, g), V(l.p.expect.v, 0, g + 1),
           {At0(l, "HelpPublishMember")})

HelpPublishMember(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpPublishMember"
  /\ Swap0(t, HCell(t), C(l.p.r), M(l.p.plan.k, l.p.t.c, l.p.t.g + 1),
           {At0(l, "HelpFlip")})
  /\ UNCHANGED <<absVars, marks>>

(* S02. LP of an add that displaces: the base has the new key. The         *)
(* displaced one is in its hole already.                                   *)
HelpFlip(t) ==
  LET l == loc[t]
      won == w0[HHome(t)] = O(l.p.plan.k, l.p.r)
  IN
  /\ l.pc = "HelpFlip"
  /\ Swap0(t, HHome(t), O(l.p.plan.k, l.p.r), O(l.p.pair.k, l.p.r),
           {At0(l, "HelpUnfreeze")})
  /\ IF won THEN Effect(HD(t)) /\ Mark({"S02AddCollision"}) ELSE UNCHANGED <<absVars, marks>>

HelpUnfreeze(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpUnfreeze"
  /\ Swap1(t, HHome(t), Frozen(e), Bumped(e, l.p.pair.v), {At0(l, "HelpFinish")})

HelpFinish(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpFinish"
  /\ Swap0(t, HHome(t), O(l.p.pair.k, l.p.r),
           B(l.p.pair.k, l.p.plan.m \cup {l.p.t.c}), Ended(t, l))
  /\ UNCHANGED <<absVars, marks>>
----------------------------------------------------------------------------
(* The way back of an aborted or full operation. *)
HelpThaw(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpThaw"
  /\ Swap1(t, HHome(t), Frozen(e), Bumped(e, e.v), {At0(l, "HelpRelease")})

HelpRelease(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpRelease"
  /\ Swap0(t, HHome(t), O(l.p.plan.k, l.p.r), B(l.p.plan.k, l.p.plan.m), Ended(t, l))
  /\ UNCHANGED <<absVars, marks>>

HelpClearVersion(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpClearVersion"
  /\ Swap1(t, HHome(t), e, Bumped(e, None), {At0(l, "HelpReopen")})

HelpReopen(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpReopen"
  /\ Swap0(t, HHome(t), C(l.p.r), E(l.p.expect.n + 1), Ended(t, l))
  /\ UNCHANGED <<absVars, marks>>

HelpNext(t) ==
  \/ HelpHead(t) \/ HelpPair(t) \/ HelpPlan(t) \/ HelpExpect(t) \/ HelpHeadAgain(t)
  \/ HelpTarget(t)
  \/ HelpFreeze(t) \/ HelpFreezeCheck(t) \/ HelpProbe(t)
  \/ HelpAbort(t) \/ HelpAbortOther(t) \/ HelpCommit(t) \/ HelpPropose(t)
  \/ HelpWriteValue(t) \/ HelpPublishNew(t)
  \/ HelpReserve(t) \/ HelpReserveCheck(t) \/ HelpStillHeld(t) \/ HelpTargetAgain(t)
  \/ HelpWithdraw(t) \/ HelpCopyValue(t) \/ HelpPublishMember(t)
  \/ HelpFlip(t) \/ HelpUnfreeze(t) \/ HelpFinish(t)
  \/ HelpThaw(t) \/ HelpRelease(t) \/ HelpClearVersion(t) \/ HelpReopen(t)
=============================================================================
