------------------------------- MODULE Params -------------------------------
(***************************************************************************)
(* The parameters of ageing: how they are read, and how they are changed.  *)
(* Two of them that must be consistent are a pair in one word. So one load *)
(* reads both, and one compare-and-swap changes both. Who ages loads them  *)
(* in each call anew, and decides all that the call does by that load.     *)
(* Engine: impl/control, whose own specification (spec/tla/control) says   *)
(* more of such words. Which number a half stands for is up to the engine. *)
(***************************************************************************)
EXTENDS Walk

(* Without the rule "once" each half is loaded by a step of its own.       *)
ParamRead(a) == LET l == loc[a] IN
  /\ Is(a, "ParamRead")
  /\ Goto(a, CASE Rule("once") -> Look([l EXCEPT !.par = pair])
               [] ~Rule("once") /\ l.par = NoPair -> [l EXCEPT !.par = Pair(pair.lo, 0)]
               [] OTHER -> Look([l EXCEPT !.par.hi = pair.hi]))
  /\ LoadsOnly

Tunes(l, n) == [l EXCEPT !.pc = "TuneLoad", !.par = NoPair, !.f.cnt = n]

TuneLoad(a) == LET l == loc[a] IN
  /\ Is(a, "TuneLoad")
  /\ Goto(a, [l EXCEPT !.pc = "TuneSwap", !.par = pair])
  /\ LoadsOnly

(* Without the rule "both" the second half is changed by a step of its own.*)
Part(l, o) == IF Rule("both") THEN o ELSE IF l.f.cnt = 0 THEN [o EXCEPT !.v = 0] ELSE [o EXCEPT !.k = 0]

TuneSwap(a) == LET l == loc[a] IN
  /\ Is(a, "TuneSwap")
  /\ IF pair = l.par \/ ~Rule("tune")
     THEN /\ pair' = Changed(l.par, Part(l, Op(a)))
          /\ Goto(a, IF Rule("both") \/ l.f.cnt = 1 THEN Done(l, 0) ELSE Tunes(l, 1))
     ELSE UNCHANGED pair /\ Goto(a, Tunes(l, l.f.cnt))
  /\ UNCHANGED <<memVars, dead, moved, hand, born>>
=============================================================================
