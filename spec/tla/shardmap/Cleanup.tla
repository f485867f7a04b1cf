------------------------------ MODULE Cleanup ------------------------------
(***************************************************************************)
(* Who may clean, and which shard comes next. Engine: impl/shardmap.       *)
(***************************************************************************)
EXTENDS Contents

CleanupClaim(a) == LET l == loc[a]  o == Op(a, l)  f == Top(l) IN
  /\ l.pc = "CleanupClaim"
  /\ flag' = TRUE
  /\ Goto(a, CASE flag /\ Rule("flag") /\ o.op = "TryCleanup" -> Finish(l)
               [] flag /\ Rule("flag") -> At(l, "CleanupWait")
               [] o.op = "FullCleanup" -> At(With(l, [f EXCEPT !.cl = TRUE, !.sh = 1]), "ReadEnter")
               [] OTHER -> At(With(l, [f EXCEPT !.cl = TRUE]), "CleanupNext"))
  /\ UNCHANGED <<lock, map, clock, cursor, histVars>>

CleanupWait(a) == LET l == loc[a] IN
  /\ l.pc = "CleanupWait" /\ ~flag
  /\ Goto(a, At(l, "CleanupClaim"))
  /\ UNCHANGED <<memVars, histVars>>

(* The cursor wraps at Turn, which is a multiple of the number of shards.  *)
CleanupNext(a) == LET l == loc[a]  sh == (cursor % P.shards) + 1  all == Append(last, sh) IN
  /\ l.pc = "CleanupNext"
  /\ cursor' = (cursor + 1) % Turn
  /\ last' = IF Len(all) < P.shards THEN all ELSE Tail(all)
  /\ Goto(a, At(With(l, [Top(l) EXCEPT !.sh = sh, !.s = sh]), "ReadEnter"))
  /\ UNCHANGED <<lock, map, clock, flag, out, since>>

CleanupLeave(a) == LET l == loc[a] IN
  /\ l.pc = "CleanupLeave"
  /\ flag' = FALSE
  /\ Goto(a, Finish(With(l, [Top(l) EXCEPT !.cl = FALSE])))
  /\ UNCHANGED <<lock, map, clock, cursor, histVars>>
=============================================================================
