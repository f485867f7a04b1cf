------------------------------- MODULE Rates -------------------------------
(***************************************************************************)
(* How rates are counted and penalties are marked. Engine: impl/quota.     *)
(*                                                                         *)
(* An identity has one cell in each row. Two identities share all cells but*)
(* that of the first row. A cell is changed by one compare-and-swap, and   *)
(* the lowest cell of an identity counts.                                  *)
(***************************************************************************)
EXTENDS Params

Cell(id, row) == IF id = 2 /\ row = 1 THEN Rows + 1 ELSE row
CellOf(a) == Cell(Call(a).n, loc[a].i)

LevelAt(x, now) == IF x <= now THEN 0 ELSE Min(x - now, Most)
Charged(x, now, cost) == Max(x, Min(Max(x, now) + cost, now + Most))

(* What the call charges, in the part of it that the actor is in.          *)
Cost(a, l) == CASE Call(a).op # "Take" -> Call(a).units
                [] Call(a).op = "Take" /\ l.ph = "admit" -> Min(Call(a).units, Burst)
                [] OTHER -> Call(a).units - 1
Wanted(a, l) == Charged(l.x, Call(a).at, Cost(a, l))

Row(l, pc, ph, i) == [l EXCEPT !.pc = pc, !.ph = ph, !.i = i, !.x = 0, !.p = NoPenalty]
Rates(l, ph) == [Row(Local("LevelLoad", l.ip), "LevelLoad", ph, 1) EXCEPT !.low = Most]

Remembered(p, now) ==
  IF p.end >= now THEN p.n ELSE Max(p.n - Min((now - p.end) \div Forget, OffencesMost), 0)
Wait(n) == Retry * 2 ^ (n - 1)
Ruling(p, now) == IF p.end <= now THEN Res("ok", 0, 0) ELSE Res("suspect", p.end, p.n)

(* Behind the last row of the levels.                                      *)
AfterLevels(a, l) == LET c == Call(a) IN
  CASE l.ph = "look" /\ l.low + Min(c.units, Burst) <= Burst ->
         IF Rule("admit") THEN Rates(l, "admit") ELSE Returns(l, Res("taken", c.units, 0))
    [] l.ph = "look" /\ l.low + Min(c.units, Burst) > Burst -> Rates(l, "deny")
    [] l.ph = "admit" -> Returns(l, Res("taken", c.units, 0))
    [] l.ph = "deny" -> Returns(l, Res("denied", l.low + Min(c.units, Burst) - Burst, 0))
    [] l.ph = "charge" /\ c.op = "Charge" -> Returns(l, Res("level", l.low, 0))
    [] OTHER -> Row(l, "PenaltyLoad", "see", 1)
NextLevel(a, l) == IF l.i = Rows THEN AfterLevels(a, l) ELSE Row(l, "LevelLoad", l.ph, l.i + 1)

LevelLoad(a) == LET l == loc[a]  c == Call(a)  x == level[CellOf(a)]  m == [l EXCEPT !.x = x] IN
  /\ Is(a, "LevelLoad")
  /\ Goto(a, IF l.ph = "look" \/ Wanted(a, m) = x
             THEN NextLevel(a, [l EXCEPT !.low = Min(@, LevelAt(x, c.at))])
             ELSE At(m, "LevelSwap"))
  /\ LoadsOnly

LevelSwap(a) == LET l == loc[a]  c == Call(a)  i == CellOf(a)  new == Wanted(a, l) IN
  /\ Is(a, "LevelSwap")
  /\ IF level[i] = l.x \/ ~Rule("charge")
     THEN /\ level' = [level EXCEPT ![i] = new]
          /\ fed' = [fed EXCEPT ![i] = Charged(@, c.at, Cost(a, l))]
          /\ Goto(a, NextLevel(a, [l EXCEPT !.low = Min(@, LevelAt(new, c.at))]))
     ELSE UNCHANGED <<level, fed>> /\ Goto(a, At([l EXCEPT !.x = 0], "LevelLoad"))
  /\ LevelOnly
----------------------------------------------------------------------------
Less(p, q) == p.end < q.end \/ (p.end = q.end /\ p.n < q.n)

(* Behind the last row of the penalties. An offence is marked if the level *)
(* is too high and no penalty is under way.                                *)
Offends(a, l) == l.q.end <= Call(a).at /\ l.low > Burst
Mark(a, l) == LET now == Call(a).at  n == Min(Remembered(l.q, now) + 1, OffencesMost)
  IN [end |-> now + Max(Wait(n), l.low - Burst), n |-> n]
AfterPenalties(a, l) ==
  IF l.ph = "see" /\ Offends(a, l)
  THEN [Row(l, "PenaltyLoad", "mark", 1) EXCEPT !.q = Mark(a, l), !.low = 0]
  ELSE Returns(l, Ruling(l.q, Call(a).at))
NextPenalty(a, l) == IF l.i = Rows THEN AfterPenalties(a, l) ELSE Row(l, "PenaltyLoad", l.ph, l.i + 1)

(* What other identities have in the cell is kept.                         *)
Raised(a, l) == LET counts == Remembered(l.p, Call(a).at) IN
  [end |-> IF Rule("longer") THEN Max(l.q.end, l.p.end) ELSE l.q.end,
   n |-> IF Rule("count") THEN Max(l.q.n, counts) ELSE counts + 1]

PenaltyLoad(a) == LET l == loc[a]  p == penalty[CellOf(a)]  m == [l EXCEPT !.p = p] IN
  /\ Is(a, "PenaltyLoad")
  /\ Goto(a, CASE l.ph = "see" -> NextPenalty(a, [l EXCEPT !.q = IF l.i = 1 \/ Less(p, @) THEN p ELSE @])
               [] l.ph = "mark" /\ Raised(a, m) = p -> NextPenalty(a, l)
               [] OTHER -> At(m, "PenaltySwap"))
  /\ LoadsOnly

PenaltySwap(a) == LET l == loc[a]  i == CellOf(a) IN
  /\ Is(a, "PenaltySwap")
  /\ IF penalty[i] = l.p
     THEN penalty' = [penalty EXCEPT ![i] = Raised(a, l)] /\ Goto(a, NextPenalty(a, l))
     ELSE UNCHANGED penalty /\ Goto(a, At([l EXCEPT !.p = NoPenalty], "PenaltyLoad"))
  /\ PenaltyOnly
=============================================================================
