-------------------------------- MODULE Room --------------------------------
(***************************************************************************)
(* The life of a basket: sealed, aged, opened, claimed to be retired, taken*)
(* over from the dead. Each change of state is one compare-and-swap of its head.*)
(* There is no queue and no list: who needs a basket looks at all heads.   *)
(* Engine: impl/basket.                                                    *)
(***************************************************************************)
EXTENDS Index

SetHead(b, w) == head' = [head EXCEPT ![b] = w]
Look(l) == [l EXCEPT !.pc = "RoomLook", !.f = [Frame EXCEPT !.b = 1]]

(* Between changes. Without the rule a full basket is sealed before its    *)
(* last record is in the index.                                            *)
RoomSeal(a) == LET l == loc[a] IN
  /\ Is(a, "RoomSeal")
  /\ SetHead(Open(l), [head[Open(l)] EXCEPT !.st = "sealed", !.own = 0])
  /\ LET left == [l EXCEPT !.open[Lane(l)] = 0, !.pos[Lane(l)] = 0]
     IN Goto(a, IF l.f.cnt = 0 THEN Look(left) ELSE At(left, "IndexSwap"))
  /\ HeadOnly

(* What can be had: first what the dead left, then the oldest one of the   *)
(* last tier that has any.                                                 *)
Left(w) == w.own \in dead \/ (w.own # 0 /\ ~Rule("owner"))
Rank(w) == CASE w.st = "retiring" /\ Left(w) /\ Rule("takeover") -> 1
             [] w.st = "open" /\ Left(w) /\ Rule("seal") -> 2
             [] w.st = "sealed" -> 3
             [] OTHER -> 4
Better(w, x) ==
  \/ Rank(w) < Rank(x)
  \/ (Rank(w) = 3 /\ Rank(x) = 3 /\ (w.tier > x.tier \/ (w.tier = x.tier /\ w.seq < x.seq)))

(* What can age: what is sealed above the last tier, the oldest first.     *)
Ages(w) == w.st = "sealed" /\ w.tier < LastTier
Older(w, x) == Ages(w) /\ (x.st = "none" \/ w.seq < x.seq)

RoomLook(a) == LET l == loc[a]  f == l.f  w == head[f.b]
                   wants == Op(a).op \notin Services
                   ages == Op(a).op = "Age" \/ (Op(a).op = "Tend" /\ P.tiers > 1)
                   asked == Op(a).op = "Tend" => Sinks(l.par, w.tier)
                   better == IF ages THEN asked /\ Older(w, f.x.w) ELSE Better(w, f.x.w)
                   x == IF w.own # a /\ better THEN [b |-> f.b, w |-> w] ELSE f.x
                   next == CASE f.b < Len(P.heads) -> [l EXCEPT !.f.b = @ + 1, !.f.x = x]
                             [] x.b = 0 -> IF wants THEN Look(l) ELSE At([l EXCEPT !.f = Frame], "ClientReturn")
                             [] OTHER -> [l EXCEPT !.f.b = x.b, !.f.x = x,
                                            !.pc = IF ages THEN "RoomAge"
                                                   ELSE CASE x.w.st = "open" -> "RoomSettle"
                                                          [] x.w.st = "retiring" -> "RoomNumber"
                                                          [] OTHER -> "RoomTake"]
  IN
  /\ Is(a, "RoomLook")
  /\ Goto(a, IF w.st = "free" /\ wants
             THEN [l EXCEPT !.pc = "RoomNumber", !.f.x = [b |-> f.b, w |-> w]] ELSE next)
  /\ LoadsOnly

(* The number of the basket in the order of age, or of a claim.            *)
RoomNumber(a) == LET l == loc[a] IN
  /\ Is(a, "RoomNumber")
  /\ seq' = seq + 1
  /\ Goto(a, [l EXCEPT !.pc = IF l.f.x.w.st = "free" THEN "RoomOpen" ELSE "RoomTake", !.f.cnt = seq])
  /\ UNCHANGED <<word, pend, head, rec, dead, moved, pair, hand, born>>

RoomOpen(a) == LET l == loc[a]  x == l.f.x IN
  /\ Is(a, "RoomOpen")
  /\ IF head[x.b] = x.w
     THEN /\ SetHead(x.b, [x.w EXCEPT !.st = "open", !.own = a, !.seq = l.f.cnt, !.tier = Lane(l) - 1])
          /\ Goto(a, Begin(Op(a), [l EXCEPT !.open[Lane(l)] = x.b, !.pos[Lane(l)] = 1]))
     ELSE UNCHANGED head /\ Goto(a, Look(l))
  /\ HeadOnly

(* The dead may have installed an add of a record in this basket: it is    *)
(* finished before anybody may walk there.                                 *)
RoomSettle(a) == LET l == loc[a]  w == l.f.x.w  some == {h \in Hashes : pend[h].own = w.own} IN
  /\ Is(a, "RoomSettle")
  /\ IF some # {} /\ Rule("settle") THEN Flip(CHOOSE h \in some : TRUE) ELSE UNCHANGED <<word, pend>>
  /\ Goto(a, At(l, "RoomTake"))
  /\ UNCHANGED <<head, rec, seq, dead, moved, pair, hand, born>>

(* A sealed basket goes to the tier below. Its head must be as it was seen:*)
(* else one that is claimed, free or filled again would be sealed once more*)
RoomAge(a) == LET l == loc[a]  x == l.f.x IN
  /\ Is(a, "RoomAge")
  /\ IF head[x.b] = x.w \/ ~Rule("age")
     THEN /\ SetHead(x.b, [x.w EXCEPT !.tier = @ + 1])
          /\ Goto(a, IF Op(a).op = "Tend" THEN Look(l) ELSE At([l EXCEPT !.f = Frame], "ClientReturn"))
     ELSE UNCHANGED head /\ Goto(a, Look(l))
  /\ HeadOnly

(* An open basket of the dead is sealed, any other one is retired by who   *)
(* takes it. A walk that was begun is begun anew, under a number of its    *)
(* own: who comes late does not find the head that it has seen again.      *)
RoomTake(a) == LET l == loc[a]  x == l.f.x IN
  /\ Is(a, "RoomTake")
  /\ CASE head[x.b] # x.w -> UNCHANGED head /\ Goto(a, Look(l))
       [] head[x.b] = x.w /\ x.w.st = "open" ->
            SetHead(x.b, [x.w EXCEPT !.st = "sealed", !.own = 0]) /\ Goto(a, Look(l))
       [] OTHER ->
            /\ SetHead(x.b, [x.w EXCEPT !.st = "retiring", !.own = a,
                               !.seq = IF x.w.st = "retiring" THEN l.f.cnt ELSE @])
            /\ Goto(a, [l EXCEPT !.pc = "WalkSize", !.ret = x.b, !.i = 1, !.f = Frame])
  /\ HeadOnly
=============================================================================
