-------------------------------- MODULE Help --------------------------------
(***************************************************************************)
(* Finishing an installed operation: done by its owner, and by whoever     *)
(* meets its reference in a cell. There is no other recovery.              *)
(* S01 to S14, S16, S17, S20 to S24, S27. Engine: impl/hopscotch/help.go.  *)
(*                                                                         *)
(* Every step is a compare-and-swap whose expected value does not come     *)
(* back before the word has gone once round its circle: an empty cell is   *)
(* told by its generation, a reference by the descriptor's, word 1 by its  *)
(* version, the target by its generation and hole. A helper that wakes up  *)
(* after the operation has ended, and before that, changes nothing.        *)
(*                                                                         *)
(* The steps, in this order; an operation takes those that it needs:       *)
(*                                      new add replace move drop lift clear *)
(*   freeze the base's value                 x    x      x    x    x    x  *)
(*   mark the member, freeze its value                   x    x    x       *)
(*   find a hole                             x           x                 *)
(*   look for the key in the other half  x   x    x                        *)
(*   commit (with the hole)              x   x    x      x    x    x    x  *)
(*   write the value, publish the base   x                                 *)
(*   reserve the hole, copy, publish         x           x                 *)
(*   flip the base's key                     x    x                x    x  *)
(*   thaw the base, with a new version       x    x      x    x    x    x  *)
(*   clear the member's cell                             x    x    x       *)
(*   put the members back                    x    x      x    x    x       *)
(*   empty the base                                                     x  *)
(***************************************************************************)
EXTENDS Progress
----------------------------------------------------------------------------
HelpHead(t) ==
  LET x == desc[HD(t)].head  l == loc[t] IN
  /\ l.pc = "HelpHead"
  /\ Moves(t, IF x.gen = l.p.r.g THEN {[l EXCEPT !.p.head = x,
                        !.pc = IF x.kind = "clear" THEN "HelpPlan" ELSE "HelpPair"]}
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
  /\ Goto(t, [loc[t] EXCEPT !.p.expect = desc[HD(t)].expect,
                !.pc = IF loc[t].p.head.kind \in OfMember THEN "HelpSource" ELSE "HelpHeadAgain"])
  /\ ReadsOnly

HelpSource(t) ==
  /\ loc[t].pc = "HelpSource"
  /\ Goto(t, [loc[t] EXCEPT !.p.source = desc[HD(t)].source, !.pc = "HelpHeadAgain"])
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
  /\ UNCHANGED <<freed, marks>>

HelpFreezeCheck(t) ==
  LET l == loc[t]
      frozen == w1[HHome(t)] = Frozen(l.p.expect)
  IN
  /\ l.pc = "HelpFreezeCheck"
  /\ Moves(t, {IF frozen \/ l.p.t.st # "undecided" THEN AfterFreeze(l)
               ELSE At0(l, "HelpAbort")})
  /\ MarkIf(~frozen /\ l.p.t.st = "undecided" /\ DiscardsOwn(t), "S27CompareDelete")
  /\ UnchangedWords

(* A delete cannot pass a mark, and a mark cannot pass a delete. Then the  *)
(* value is frozen: what an update leaves there from now on, it leaves     *)
(* before; no copy is ever made of a value that can still change.          *)
HelpMark(t) ==
  LET l == loc[t]
      ok == w0[HSource(t)] = Idle(l.p)
  IN
  /\ l.pc = "HelpMark"
  /\ Swap0(t, HSource(t), Idle(l.p), Marked(l.p),
           {At0(l, IF ok THEN "HelpFreezeMember" ELSE "HelpMarkCheck")})
  /\ UNCHANGED <<histVars, marks>>

HelpMarkCheck(t) ==
  LET l == loc[t]
      a == w0[HSource(t)]
      lost == a.f = "M" /\ a.k = Lost /\ a.g = l.p.source.g /\ l.p.pair.k # Lost
  IN
  /\ l.pc = "HelpMarkCheck"
  /\ Goto(t, At0(l, IF a = Marked(l.p) THEN "HelpFreezeMember" ELSE "HelpAbort"))
  /\ Mark((IF lost /\ IsMove(l.p) THEN {"S13UsurpDelete"} ELSE {})
          \cup (IF lost /\ l.p.head.kind = "lift" THEN {"S22DeleteBaseMembers"} ELSE {})
          \cup (IF a # Marked(l.p) /\ DiscardsOwn(t) THEN {"S27CompareDelete"} ELSE {}))
  /\ UnchangedWords

HelpFreezeMember(t) ==
  LET l == loc[t]  e == SourceValue(l.p)
      ok == w1[HSource(t)] = e
  IN
  /\ l.pc = "HelpFreezeMember"
  /\ Swap1(t, HSource(t), e, Frozen(e),
           {IF ok THEN AfterMember(l) ELSE At0(l, "HelpFreezeMemberCheck")})
  /\ UNCHANGED <<freed, marks>>

HelpFreezeMemberCheck(t) ==
  LET l == loc[t]
      frozen == w1[HSource(t)] = Frozen(SourceValue(l.p))
  IN
  /\ l.pc = "HelpFreezeMemberCheck"
  /\ Moves(t, {IF frozen THEN AfterMember(l) ELSE At0(l, "HelpAbort")})
  /\ MarkIf(~frozen /\ DiscardsOwn(t), "S27CompareDelete")
  /\ UnchangedWords

(* The lowest empty cell of the window from FirstHole on. *)
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
  IF l.p.head.kind \notin {"add", "move"} THEN Tgt(l.p.r.g, "committed", 0, 0)
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
  /\ UNCHANGED <<w0, w1, dead, histVars, marks>>

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
  /\ UNCHANGED <<freed, marks>>

(* S01. LP of an add to an empty cell: the base is there. *)
HelpPublishNew(t) ==
  LET l == loc[t]
      won == w0[HHome(t)] = C(l.p.r)
  IN
  /\ l.pc = "HelpPublishNew"
  /\ Swap0(t, HHome(t), C(l.p.r), B(l.p.pair.k, {}),
           IF FixValueFirst THEN Ended(t, l) ELSE {At0(l, "HelpWriteValue")})
  /\ IF won THEN Effect(HD(t)) /\ Mark({"S01AddEmpty"}) ELSE UNCHANGED <<absVars, marks>>
  /\ UNCHANGED freed

HelpReserve(t) ==
  LET l == loc[t]
      ok == w0[HCell(t)] = E(l.p.t.g)
  IN
  /\ l.pc = "HelpReserve"
  /\ Swap0(t, HCell(t), E(l.p.t.g), C(l.p.r),
           {At0(l, IF ok THEN "HelpCopyValue" ELSE "HelpReserveCheck")})
  /\ UNCHANGED <<histVars, marks>>

HelpReserveCheck(t) ==
  LET l == loc[t]
      a == w0[HCell(t)]
  IN
  /\ l.pc = "HelpReserveCheck"
  /\ Goto(t,
       CASE a = C(l.p.r) -> At0(l, "HelpCopyValue")
         [] a = M(Displaced(l.p).k, l.p.t.c, NextVersion(l.p.t.g)) -> AfterPublish(l)
         [] OTHER -> At0(l, IF IsMove(l.p) THEN "HelpStillFrozen" ELSE "HelpStillHeld"))
  /\ ReadsOnly

(* Somebody else has the hole. Only an operation that still holds its base *)
(* unflipped may look for another one.                                     *)
HelpStillHeld(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpStillHeld"
  /\ Goto(t, At0(l, IF w0[HHome(t)] = O(l.p.plan.k, l.p.r)
                    THEN "HelpWithdraw" ELSE "HelpTargetAgain"))
  /\ ReadsOnly

(* A move flips by thawing. *)
HelpStillFrozen(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpStillFrozen"
  /\ Goto(t, At0(l, IF w1[HHome(t)] = Frozen(l.p.expect)
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
  /\ Swap1(t, HCell(t), V(None, 0, g), V(Displaced(l.p).v, 0, NextVersion(g)),
           {At0(l, "HelpPublishMember")})
  /\ UNCHANGED <<freed, marks>>

HelpPublishMember(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpPublishMember"
  /\ Swap0(t, HCell(t), C(l.p.r), M(Displaced(l.p).k, l.p.t.c, NextVersion(l.p.t.g)),
           {AfterPublish(l)})
  /\ UNCHANGED <<histVars, marks>>

(* S02. LP of an add that displaces or replaces: the base has the new key. *)
(* The displaced one is in its hole already. A lift to a lost base changes *)
(* nothing that can be seen. A live base leaves by a discard, whose LP     *)
(* this is; if it is alone its key becomes lost, and then its cell empty.  *)
HelpFlip(t) ==
  LET l == loc[t]
      won == w0[HHome(t)] = O(l.p.plan.k, l.p.r)
      kind == l.p.head.kind
      evicts == kind = "replace" /\ l.p.plan.k # Lost
  IN
  /\ l.pc = "HelpFlip"
  /\ Swap0(t, HHome(t), O(l.p.plan.k, l.p.r), O(LastKey(l.p), l.p.r),
           {At0(l, "HelpUnfreeze")})
  /\ IF won /\ (kind # "lift" \/ l.p.plan.k # Lost)
     THEN IF evicts THEN EffectFor(HD(t), l.p.plan.k) ELSE Effect(HD(t))
     ELSE UNCHANGED absVars
  /\ Mark((IF won /\ kind = "add" THEN {"S02AddCollision"} ELSE {})
          \cup (IF won /\ evicts THEN {"S03AddFull"} ELSE {}))
  /\ UNCHANGED freed

(* LP of an eviction, or a discard, by a drop: the new version ends every  *)
(* reader's view of the bucket with that member.                           *)
HelpUnfreeze(t) ==
  LET l == loc[t]
      won == w1[HHome(t)] = Frozen(l.p.expect)
      kind == l.p.head.kind
      leaves == won /\ kind = "drop" /\ l.p.pair.k # Lost
      evicts == leaves /\ busy[HD(t)].op # "discard"
  IN
  /\ l.pc = "HelpUnfreeze"
  /\ w1' = IF won THEN [w1 EXCEPT ![HHome(t)] = Thawed(l.p)] ELSE w1
  /\ Goto(t, At0(l, IF kind \in OfMember THEN "HelpClearMember" ELSE "HelpFinish"))
  /\ IF won /\ Leaves(l.p) THEN Free(l.p.expect.v) ELSE UNCHANGED freed
  /\ CASE evicts -> Evict(l.p.pair.k)
       [] leaves -> Effect(HD(t))
       [] OTHER -> UNCHANGED absVars
  /\ MarkIf(evicts \/ (won /\ kind = "move" /\ loc[HD(t)].room \in 1 .. 2 * Reach), "S03AddFull")
  /\ UNCHANGED <<w0, desc, dead>>

HelpClearMember(t) ==
  LET l == loc[t]
      e == SourceValue(l.p)
      won == w1[HSource(t)] = Frozen(e)
  IN
  /\ l.pc = "HelpClearMember"
  /\ Swap1(t, HSource(t), Frozen(e), Bumped(e, None), {At0(l, "HelpEmptyMember")})
  /\ IF won /\ l.p.head.kind = "drop" THEN Free(e.v) ELSE UNCHANGED freed
  /\ Silent

HelpEmptyMember(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpEmptyMember"
  /\ Swap0(t, HSource(t), Marked(l.p), E(NextVersion(l.p.source.n)), {At0(l, "HelpFinish")})
  /\ UNCHANGED <<histVars, marks>>

HelpFinish(t) ==
  LET l == loc[t]
      won == w0[HHome(t)] = O(LastKey(l.p), l.p.r)
  IN
  /\ l.pc = "HelpFinish"
  /\ Swap0(t, HHome(t), O(LastKey(l.p), l.p.r), Final(l.p), Ended(t, l))
  /\ MarkIf(won /\ l.p.head.kind = "clear" /\ \E x \in Actors \ {HD(t)} : busy[x] # NoOp,
            "S21DeleteBase")
  /\ UNCHANGED histVars
----------------------------------------------------------------------------
(* The way back of an aborted or full operation. A member that is given    *)
(* back has a new generation, so that no helper can mark it again. One     *)
(* that was never marked is not touched: its frozen word may belong to the *)
(* next operation on it.                                                   *)
HelpStillMarked(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpStillMarked"
  /\ Goto(t, At0(l, IF w0[HSource(t)] = Marked(l.p) THEN "HelpThawMember" ELSE "HelpThaw"))
  /\ ReadsOnly

HelpThawMember(t) ==
  LET l == loc[t]  e == SourceValue(l.p) IN
  /\ l.pc = "HelpThawMember"
  /\ Swap1(t, HSource(t), Frozen(e), Bumped(e, e.v), {At0(l, "HelpUnmark")})
  /\ UNCHANGED <<freed, marks>>

HelpUnmark(t) ==
  LET l == loc[t]  p == l.p IN
  /\ l.pc = "HelpUnmark"
  /\ Swap0(t, HSource(t), U(p.pair.k, p.r), M(p.pair.k, p.source.c, NextVersion(p.source.n)),
           {At0(l, "HelpThaw")})
  /\ UNCHANGED <<histVars, marks>>

HelpThaw(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpThaw"
  /\ Swap1(t, HHome(t), Frozen(e), Bumped(e, e.v), {At0(l, "HelpRelease")})
  /\ UNCHANGED <<freed, marks>>

HelpRelease(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpRelease"
  /\ Swap0(t, HHome(t), O(l.p.plan.k, l.p.r), B(l.p.plan.k, l.p.plan.m), Ended(t, l))
  /\ UNCHANGED <<histVars, marks>>

HelpClearVersion(t) ==
  LET l == loc[t]  e == l.p.expect IN
  /\ l.pc = "HelpClearVersion"
  /\ Swap1(t, HHome(t), e, Bumped(e, None), {At0(l, "HelpReopen")})
  /\ UNCHANGED <<freed, marks>>

HelpReopen(t) ==
  LET l == loc[t] IN
  /\ l.pc = "HelpReopen"
  /\ Swap0(t, HHome(t), C(l.p.r), E(NextVersion(l.p.expect.n)), Ended(t, l))
  /\ UNCHANGED <<histVars, marks>>

HelpNext(t) ==
  \/ HelpHead(t) \/ HelpPair(t) \/ HelpPlan(t) \/ HelpExpect(t) \/ HelpSource(t)
  \/ HelpHeadAgain(t)
  \/ HelpTarget(t)
  \/ HelpFreeze(t) \/ HelpFreezeCheck(t) \/ HelpProbe(t)
  \/ HelpMark(t) \/ HelpMarkCheck(t) \/ HelpFreezeMember(t) \/ HelpFreezeMemberCheck(t)
  \/ HelpAbort(t) \/ HelpAbortOther(t) \/ HelpCommit(t) \/ HelpPropose(t)
  \/ HelpWriteValue(t) \/ HelpPublishNew(t)
  \/ HelpReserve(t) \/ HelpReserveCheck(t) \/ HelpStillHeld(t) \/ HelpStillFrozen(t) \/ HelpTargetAgain(t)
  \/ HelpWithdraw(t) \/ HelpCopyValue(t) \/ HelpPublishMember(t)
  \/ HelpFlip(t) \/ HelpUnfreeze(t) \/ HelpFinish(t)
  \/ HelpClearMember(t) \/ HelpEmptyMember(t) \/ HelpStillMarked(t) \/ HelpThawMember(t)
  \/ HelpUnmark(t)
  \/ HelpThaw(t) \/ HelpRelease(t) \/ HelpClearVersion(t) \/ HelpReopen(t)
=============================================================================
