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
  /\ Goto(a, IF size = 0 \/ ~Rule("empty") THEN At(l, "WalkZero")
             ELSE [l EXCEPT !.pc = "IndexLookup",
                     !.f = [Frame EXCEPT !.kind = IF Op(a).op = "Compact" THEN "move" ELSE "evict",
                                         !.h = size, !.r = Ref(l.ret, l.i)]])
  /\ LoadsOnly

(* A removal is told to whoever wants to know.                             *)
WalkTell(a) == LET l == loc[a]  rest == Tail(l.owe) IN
  /\ Is(a, "WalkTell")
  /\ Goto(a, IF rest # <<>> THEN [l EXCEPT !.owe = rest]
             ELSE NextRecord(Op(a), [l EXCEPT !.owe = <<>>]))
  /\ LoadsOnly

(* A free basket has no records.                                           *)
WalkZero(a) == LET l == loc[a]  r == Ref(l.ret, 1) IN
  /\ Is(a, "WalkZero")
  /\ Write(r, [rec[r] EXCEPT !.size = 0])
  /\ Goto(a, At(l, "WalkFree"))
  /\ RecOnly /\ UNCHANGED born

WalkFree(a) == LET l == loc[a]  w == head[l.ret]  left == [l EXCEPT !.ret = 0, !.i = 0] IN
  /\ Is(a, "WalkFree")
  /\ SetHead(l.ret, [st |-> "free", own |-> 0, gen |-> w.gen + 1, seq |-> 0])
  /\ Goto(a, IF Op(a).op \in Services THEN At(left, "ClientReturn") ELSE Look(left))
  /\ HeadOnly
=============================================================================
