------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* The progress of an installed operation: where its target leads to, how  *)
(* it ends, and the shapes of the compare-and-swaps. Helpers of Help.tla.  *)
(***************************************************************************)
EXTENDS Discard

HD(t) == loc[t].p.r.d
HHome(t) == <<loc[t].p.head.h, loc[t].p.head.home>>
HSource(t) == At(loc[t].p.head.h, loc[t].p.head.home, loc[t].p.source.c)
HCell(t) == At(loc[t].p.head.h, loc[t].p.head.home, loc[t].p.t.c)
Probed(t) == At(loc[t].p.head.h, loc[t].p.head.home, loc[t].p.i)
Frozen(e) == [e EXCEPT !.z = 1]
Bumped(e, v) == V(v, 0, NextVersion(e.n))

(* Words of a member in an operation, and of the element that is displaced *)
(* into the hole.                                                          *)
Idle(p) == M(p.pair.k, p.source.c, p.source.g)
Marked(p) == IF FixMark THEN U(p.pair.k, p.r) ELSE Idle(p)
SourceValue(p) == V(p.pair.v, 0, p.source.n)
IsMove(p) == p.head.kind = "move"
Displaced(p) == IF IsMove(p) THEN p.pair ELSE [k |-> p.plan.k, v |-> p.expect.v]

(* What word 1 of the base becomes, and what leaves it for good.           *)
Thawed(p) == CASE p.head.kind \in {"add", "replace", "lift"} -> Bumped(p.expect, p.pair.v)
               [] p.head.kind = "clear" -> Bumped(p.expect, None)
               [] OTHER -> Bumped(p.expect, p.expect.v)
Leaves(p) == p.head.kind \in {"replace", "lift", "clear"}
(* What word 0 of the base becomes. *)
Final(p) ==
  LET rest == p.plan.m \ {p.source.c} IN
  CASE p.head.kind = "add" -> B(p.pair.k, p.plan.m \cup {p.t.c})
    [] p.head.kind = "replace" -> B(p.pair.k, p.plan.m)
    [] p.head.kind = "lift" -> B(p.pair.k, rest)
    [] p.head.kind = "move" -> B(p.plan.k, rest \cup {p.t.c})
    [] p.head.kind = "drop" -> B(p.plan.k, rest)
    [] OTHER -> E(NextVersion(p.expect.n))
LastKey(p) == CASE p.head.kind \in {"add", "replace", "lift"} -> p.pair.k
                [] p.head.kind = "clear" -> Lost
                [] OTHER -> p.plan.k

(* The operation is t's own, of a conditional delete.                      *)
DiscardsOwn(t) == HD(t) = t /\ Op(t).op = "discard"

(* An own operation that made room is over: from the beginning; or the     *)
(* next place is tried. A member in the home that found no hole is looked  *)
(* at once more: it may take the place of its base.                        *)
RoomEnded(t, l) ==
  LET l1 == [l EXCEPT !.p = NoHelp] IN
  CASE l.p.t.st = "committed" -> Anew(t, l)
    [] ~Scans(l) /\ l.p.t.st = "full" /\ l.p.head.kind = "move" ->
         [l1 EXCEPT !.pc = "RoomCell", !.spare = NoSpare,
                    !.u = [NoWork EXCEPT !.h = l.p.head.h, !.home = l.p.head.home,
                                       !.c = l.p.source.c]]
    [] ~Scans(l) ->
         Again(t, IF l.p.t.st = "full" THEN [l EXCEPT !.tried = l.tried \cup {l.half}] ELSE l)
    [] l.p.t.st = "full" -> NextRoom(l1, Op(t).k)
    [] OTHER -> LookForRoom(l1, Op(t).k)

(* The operation is over, or it was never there any more: the owner looks  *)
(* at what became of it, a helper goes back to its own work.               *)
Ended(t, l) ==
  CASE l.p.r.d = t /\ Op(t).op = "discard" /\ l.p.t.st = "committed" ->
         Finish(l, Result("discarded", l.ticket.w.v))
    [] l.p.r.d # t \/ Op(t).op # "add" -> {Again(t, l)}
    [] l.p.head.kind \in OfRoom -> {RoomEnded(t, l)}
    [] l.p.t.st = "committed" -> Finish(l, Result("added", None))
    [] l.p.t.st = "full" -> {Again(t, [l EXCEPT !.tried = l.tried \cup {l.half}])}
    [] OTHER -> {Again(t, l)}
Gone(t, l) == {Again(t, l)}

Decide(l) ==
  IF FixOtherHalf THEN StartSearch(l, "look", l.p.pair.k, 1 - l.p.head.h)
  ELSE At0(l, "HelpCommit")
AfterProbe(l) ==
  CASE l.p.t.st # "undecided" -> At0(l, "HelpPropose")
    [] IsMove(l.p) -> At0(l, "HelpCommit")
    [] OTHER -> Decide(l)

(* The cells that may be the hole. A member moves only away from its base: *)
(* else two adders whose homes are its place and the hole could move it to *)
(* and fro for ever.                                                       *)
FirstHole(p) == IF IsMove(p) /\ FixMoveAway THEN p.source.c + 1 ELSE 1
Probing(l) ==
  IF FirstHole(l.p) < W THEN [l EXCEPT !.pc = "HelpProbe", !.p.i = FirstHole(l.p)]
  ELSE AfterProbe(l)

Committed(l) ==
  LET kind == l.p.head.kind IN
  CASE kind = "new" -> At0(l, IF FixValueFirst THEN "HelpWriteValue" ELSE "HelpPublishNew")
    [] kind \in {"add", "move"} /\ l.p.t.c = 0 -> Probing(l)
    [] kind \in {"add", "move"} -> At0(l, "HelpReserve")
    [] kind \in {"replace", "lift"} -> At0(l, "HelpFlip")
    [] kind = "clear" /\ l.p.plan.k # Lost -> At0(l, "HelpFlip")
    [] OTHER -> At0(l, "HelpUnfreeze")

(* Where progress tg of the operation leads to. *)
Dispatch(l, tg) ==
  LET l1 == [l EXCEPT !.p.t = tg]
      isNew == l.p.head.kind = "new"
  IN CASE tg.st = "undecided" /\ isNew -> Decide(l1)
       [] tg.st = "undecided" -> At0(l1, "HelpFreeze")
       [] tg.st = "committed" -> Committed(l1)
       [] isNew -> At0(l1, "HelpClearVersion")
       [] OTHER -> At0(l1, IF FixFreezeFirst THEN "HelpFreeze" ELSE "HelpThaw")

(* The base is frozen, or can never be frozen again by this operation. *)
AfterFreeze(l) ==
  LET kind == l.p.head.kind  undecided == l.p.t.st = "undecided" IN
  CASE kind \in OfMember -> At0(l, CASE ~undecided -> IF FixStillMarked THEN "HelpStillMarked" ELSE "HelpThawMember"
                                     [] FixMark -> "HelpMark"
                                     [] OTHER -> "HelpFreezeMember")
    [] ~undecided -> At0(l, "HelpThaw")
    [] kind = "add" -> Probing(l)
    [] kind = "replace" -> Decide(l)
    [] OTHER -> At0(l, "HelpCommit")

(* The member is frozen, too. *)
AfterMember(l) == IF IsMove(l.p) THEN Probing(l) ELSE At0(l, "HelpCommit")

(* The displaced element is in its hole. *)
AfterPublish(l) == At0(l, IF IsMove(l.p) THEN "HelpUnfreeze" ELSE "HelpFlip")

Moves(t, set) == \E l \in set : Goto(t, l)
UnchangedWords == UNCHANGED <<w0, w1, desc, dead, histVars>>
ReadsOnly == UNCHANGED <<w0, w1, desc, dead, histVars, marks>>

(* The two shapes of a compare-and-swap: one that need not be looked at    *)
(* again when it fails, and one on the progress word.                      *)
Swap0(t, a, old, new, next) ==
  /\ w0' = IF w0[a] = old THEN [w0 EXCEPT ![a] = new] ELSE w0
  /\ Moves(t, next)
  /\ UNCHANGED <<w1, desc, dead>>
Swap1(t, a, old, new, next) ==
  /\ w1' = IF w1[a] = old THEN [w1 EXCEPT ![a] = new] ELSE w1
  /\ Moves(t, next)
  /\ UNCHANGED <<w0, desc, dead, absVars>>
SwapTarget(t, new) ==
  LET l == loc[t] IN
  /\ IF desc[HD(t)].target = l.p.t
     THEN /\ desc' = [desc EXCEPT ![HD(t)].target = new]
          /\ Goto(t, Dispatch([l EXCEPT !.p.hole = NoHole, !.p.i = 0], new))
     ELSE /\ UNCHANGED desc
          /\ Goto(t, [l EXCEPT !.pc = "HelpTarget", !.p.hole = NoHole, !.p.i = 0])
  /\ UNCHANGED <<w0, w1, dead, histVars, marks>>
=============================================================================
