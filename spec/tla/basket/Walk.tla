-------------------------------- MODULE Walk --------------------------------
(***************************************************************************)
(* A basket retires: one record after the other is removed from the index, *)
(* or moved, and the basket is free when the index has none of its refs.   *)
(* Engine: impl/basket.                                                    *)
(***************************************************************************)
EXTENDS Room

(* The size word ends the walk, or gives the hash.                         *)
WalkSize(a) == LET l == loc[a]
                   size == IF l.i > Slots THEN 0 ELSE rec[Ref(l.ret, l.i)].size
  IN
  /\ Is(a, "WalkSize")
  /\ Goto(a, IF size = 0 \/ ~Rule("empty")
             THEN IF Rule("hand") THEN [l EXCEPT !.pc = "WalkHand", !.f = [Frame EXCEPT !.b = 1]]
                  ELSE At(l, "WalkZero")
             ELSE [l EXCEPT !.pc = "IndexLookup",
                     !.f = [Frame EXCEPT !.kind = WalkOf(Op(a), l), !.h = size, !.r = Ref(l.ret, l.i)]])
  /\ LoadsOnly

(* A removal is told to whoever wants to know.                             *)
WalkTell(a) == LET l == loc[a]  rest == Tail(l.owe) IN
  /\ Is(a, "WalkTell")
  /\ Goto(a, IF rest # <<>> THEN [l EXCEPT !.owe = rest]
             ELSE CASE l.f.kind = "push" -> At([l EXCEPT !.owe = <<>>, !.f = Frame], "ClientReturn")
                    [] l.f.kind = "take" -> NextHand([l EXCEPT !.owe = <<>>], 0)
                    [] OTHER -> NextRecord(Op(a), [l EXCEPT !.owe = <<>>]))
  /\ LoadsOnly

(* What the index has handed over and its taker has not copied yet is in   *)
(* the taker's descriptor. Looked at behind the walk: then nothing can come*)
(* into a hand from this basket any more.                                  *)
WalkHand(a) == LET l == loc[a]  x == l.f.b IN
  /\ Is(a, "WalkHand")
  /\ Goto(a, IF hand[x] = 0 THEN NextHand(l, x)
             ELSE [l EXCEPT !.pc = "CopyHead", !.f.kind = "hand", !.f.t.ref = hand[x], !.f.at = hand[x]])
  /\ LoadsOnly

(* A basket that somebody's hand leads into is the youngest now.           *)
WalkNumber(a) == LET l == loc[a] IN
  /\ Is(a, "WalkNumber")
  /\ seq' = seq + 1
  /\ Goto(a, [l EXCEPT !.pc = "WalkBack", !.f.cnt = seq])
  /\ UNCHANGED <<word, pend, head, rec, dead, moved, pair, hand, born>>
WalkBack(a) == LET l == loc[a]  left == [l EXCEPT !.ret = 0, !.i = 0, !.f = Frame] IN
  /\ Is(a, "WalkBack")
  /\ SetHead(l.ret, [head[l.ret] EXCEPT !.st = "sealed", !.own = 0, !.seq = l.f.cnt])
  /\ Goto(a, IF Op(a).op \in Services THEN At(left, "ClientReturn") ELSE Look(left))
  /\ HeadOnly

(* A free basket has no records.                                           *)
WalkZero(a) == LET l == loc[a]  r == Ref(l.ret, 1) IN
  /\ Is(a, "WalkZero")
  /\ Write(r, [rec[r] EXCEPT !.size = 0])
  /\ Goto(a, At(l, "WalkFree"))
  /\ RecOnly /\ UNCHANGED born

WalkFree(a) == LET l == loc[a]  w == head[l.ret]  left == [l EXCEPT !.ret = 0, !.i = 0] IN
  /\ Is(a, "WalkFree")
  /\ SetHead(l.ret, [st |-> "free", own |-> 0, gen |-> IF Rule("generation") THEN w.gen + 1 ELSE w.gen, seq |-> 0,
                       tier |-> 0])
  /\ Goto(a, IF Op(a).op \in Services THEN At(left, "ClientReturn") ELSE Look(left))
  /\ HeadOnly
=============================================================================
