------------------------------- MODULE Params -------------------------------
(***************************************************************************)
(* Live parameters: how they are read, and how they are changed. Engine:   *)
(* impl/control.                                                           *)
(*                                                                         *)
(* Parameters that must be consistent share a word. So one load reads both,*)
(* and one compare-and-swap changes both.                                  *)
(***************************************************************************)
EXTENDS Leases

Field(old, new) == IF new = 0 THEN old ELSE new
Tuned(old, set) == Pair(Field(old.a, set.a), Field(old.b, set.b))

(* Without the rule "pair" the second parameter is changed by a step of its*)
(* own.                                                                    *)
Part(l, set) == CASE Rule("pair") -> set
                  [] ~Rule("pair") /\ l.ph = "first" -> Pair(set.a, 0)
                  [] OTHER -> Pair(0, set.b)

(* The load of a turn, or of a reader.                                     *)
ParamRead(a) == LET l == loc[a]  v == param[Max(Call(a).n, 1)] IN
  /\ Is(a, "ParamRead")
  /\ Goto(a, IF Call(a).op = "Turn" THEN Begins(l, v.a) ELSE Returns(l, Res("read", v.a, v.b)))
  /\ LoadsOnly

Tunes(l, i) == [Local("TuneLoad", l.ip) EXCEPT !.ph = "first", !.i = i]
NextTune(a, l) ==
  CASE ~Rule("pair") /\ l.ph = "first" -> [Tunes(l, l.i) EXCEPT !.ph = "second"]
    [] l.i < Len(Call(a).set) -> Tunes(l, l.i + 1)
    [] OTHER -> Returns(l, Res("tuned", 0, 0))

TuneLoad(a) == LET l == loc[a] IN
  /\ Is(a, "TuneLoad")
  /\ Goto(a, At([l EXCEPT !.old = param[l.i]], "TuneSwap"))
  /\ LoadsOnly

TuneSwap(a) == LET l == loc[a] IN
  /\ Is(a, "TuneSwap")
  /\ IF param[l.i] = l.old \/ ~Rule("tune")
     THEN /\ param' = [param EXCEPT ![l.i] = Tuned(l.old, Part(l, Call(a).set[l.i]))]
          /\ did' = [did EXCEPT ![a] = @ + 1]
          /\ Goto(a, NextTune(a, l))
     ELSE UNCHANGED <<param, did>> /\ Goto(a, At([l EXCEPT !.old = Untuned], "TuneLoad"))
  /\ ParamOnly
=============================================================================
