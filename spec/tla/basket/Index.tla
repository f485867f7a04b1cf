------------------------------- MODULE Index -------------------------------
(***************************************************************************)
(* What the index promises: a lookup gives a ticket; a ticket still holds  *)
(* if the word is the same, ref and version; a change is one compare-and-  *)
(* swap of the word against the ticket. An entry may move, which makes     *)
(* tickets void without a change. Engine: impl/hopscotch.                  *)
(*                                                                         *)
(* A key that the index has no cell for is added by an operation that      *)
(* belongs to everybody (adds = "descriptor"): it is installed by one step,*)
(* and any actor may flip it later, also when its owner has died.          *)
(***************************************************************************)
EXTENDS Append

Holds(t, h) == IF Rule("version") THEN word[h] = t ELSE word[h].ref = t.ref
Same(t, h) == IF Rule("compare") THEN word[h] = t ELSE TRUE
Stamp(ver) == IF Rule("stamp") THEN ver + 1 ELSE ver

(* A lookup that finds nothing answers at this instant.                    *)
IndexLookup(a) == LET l == loc[a]  f == l.f  w == word[f.h] IN
  /\ Is(a, "IndexLookup")
  /\ Goto(a, CASE w.ref # 0 -> [l EXCEPT !.pc = "CopyHead", !.f.t = w, !.f.at = w.ref]
               [] f.kind = "set" -> Planned(a, [l EXCEPT !.f.t = w])
               [] f.kind \in Walks -> NextRecord(Op(a), l)
               [] OTHER -> Done(l, 0))
  /\ LoadsOnly

(* Does the ticket still hold? Then what was copied is whole, and was there*)
(* at this instant.                                                        *)
IndexStill(a) == LET l == loc[a]  f == l.f IN
  /\ Is(a, "IndexStill")
  /\ Goto(a, CASE ~Holds(f.t, f.h) -> Again(a, l)
               [] f.kind \in Walks -> NextRecord(Op(a), l)
               [] f.kind = "get" /\ f.c.k = f.k -> [Done(l, ValueOf(f.c)) EXCEPT !.m = f.c.sus]
               [] f.kind = "mark" /\ f.c.k = f.k ->
                    IF f.c.sus = f.v THEN Done(l, ValueOf(f.c))
                    ELSE [l EXCEPT !.pc = "IndexSwap", !.f.at = f.c.ref, !.f.r = f.c.hi]
               [] OTHER -> Done(l, 0))
  /\ LoadsOnly

Swapped(a, l) == LET f == l.f IN
  CASE f.kind = "set" -> Done(l, 0)
    [] f.kind = "delete" -> Done(l, 1)
    [] f.kind = "mark" -> Done(l, f.r)
    [] f.told # <<>> -> [l EXCEPT !.pc = "WalkTell", !.owe = f.told, !.f = Frame]
    [] OTHER -> NextRecord(Op(a), l)

(* The one compare-and-swap of every change. A mark that is overtaken is   *)
(* given up: what it was about is not there any more. Without a rule it is *)
(* a store, wherever the record is by now.                                 *)
IndexSwap(a) == LET l == loc[a]  f == l.f IN
  /\ Is(a, "IndexSwap")
  /\ CASE f.kind = "mark" /\ ~Rule("swap") ->
            Write(f.at, [rec[f.at] EXCEPT !.sus = f.v]) /\ Goto(a, Swapped(a, l)) /\ UNCHANGED word
       [] word[f.h] = f.t \/ (f.kind \in {"evict", "mark"} /\ Same(f.t, f.h)) ->
            /\ word' = [word EXCEPT ![f.h] = [ref |-> f.nx, ver |-> Stamp(@.ver)]]
            /\ Goto(a, Swapped(a, l)) /\ UNCHANGED rec
       [] OTHER ->
            /\ UNCHANGED <<word, rec>>
            /\ Goto(a, CASE f.kind \in Walks /\ ~Rule("again") -> NextRecord(Op(a), l)
                         [] f.kind = "mark" -> GivenUp(l)
                         [] OTHER -> Again(a, l))
  /\ UNCHANGED <<pend, head, seq, dead, moved, pair, hand, born>>

(* A new key: f.r is 1 as soon as the own operation is installed.          *)
IndexInstall(a) == LET l == loc[a]  f == l.f IN
  /\ Is(a, "IndexInstall")
  /\ IF word[f.h] = f.t /\ pend[f.h] = NoPend
     THEN /\ pend' = [pend EXCEPT ![f.h] = [own |-> a, ref |-> f.nx]]
          /\ Goto(a, [l EXCEPT !.pc = "IndexFlip", !.f.r = 1])
     ELSE /\ UNCHANGED pend
          /\ Goto(a, IF pend[f.h] = NoPend THEN Again(a, l) ELSE At(l, "IndexFlip"))
  /\ UNCHANGED <<word, head, rec, seq, dead, moved, pair, hand, born>>

Flip(h) ==
  /\ word' = [word EXCEPT ![h] = [ref |-> pend[h].ref, ver |-> Stamp(@.ver)]]
  /\ pend' = [pend EXCEPT ![h] = NoPend]

IndexFlip(a) == LET l == loc[a]  f == l.f IN
  /\ Is(a, "IndexFlip")
  /\ IF pend[f.h] # NoPend /\ (f.r = 1 => pend[f.h].own = a) THEN Flip(f.h) ELSE UNCHANGED <<word, pend>>
  /\ Goto(a, IF f.r = 1 THEN Swapped(a, l) ELSE Again(a, l))
  /\ UNCHANGED <<head, rec, seq, dead, moved, pair, hand, born>>

(* Somebody on an errand of its own finishes what is installed.            *)
IndexHelp(h) ==
  /\ pend[h] # NoPend /\ Flip(h)
  /\ UNCHANGED <<head, rec, seq, dead, moved, pair, hand, loc, born>>

(* An add of another key finds the index full and takes an entry out. In   *)
(* the same step the ref is in the descriptor of the actor that adds:      *)
(* that actor tells it, and the index has it no more.                      *)
IndexPush(a) == LET l == loc[a]  ref == word[l.f.h].ref IN
  /\ Is(a, "IndexPush")
  /\ IF ref = 0
     THEN UNCHANGED <<word, hand>> /\ Goto(a, At([l EXCEPT !.f = Frame], "ClientReturn"))
     ELSE /\ word' = [word EXCEPT ![l.f.h] = [ref |-> 0, ver |-> Stamp(@.ver)]]
          /\ hand' = [hand EXCEPT ![a] = ref]
          /\ Goto(a, [l EXCEPT !.pc = "CopyHead", !.f.at = ref])
  /\ UNCHANGED <<pend, head, rec, seq, dead, moved, pair, born>>

(* What was handed over is copied, and goes out of the descriptor. Of what *)
(* the dead had, whoever swaps it out tells it.                            *)
IndexDrop(a) == LET l == loc[a]  f == l.f  x == IF f.kind = "push" THEN a ELSE f.b
                    mine == f.kind = "push" \/ hand[x] = f.t.ref IN
  /\ Is(a, "IndexDrop")
  /\ hand' = IF mine THEN [hand EXCEPT ![x] = 0] ELSE hand
  /\ Goto(a, IF mine THEN [l EXCEPT !.pc = "WalkTell", !.owe = f.told, !.f = [Frame EXCEPT !.kind = f.kind]]
             ELSE [l EXCEPT !.pc = "WalkHand", !.f = [Frame EXCEPT !.b = x]])
  /\ UNCHANGED <<memVars, dead, moved, pair, born>>

(* The index makes room within itself.                                     *)
IndexMove(h) ==
  /\ moved < P.moves /\ word[h].ref # 0
  /\ moved' = moved + 1
  /\ word' = [word EXCEPT ![h].ver = @ + 1]
  /\ UNCHANGED <<pend, head, rec, seq, dead, pair, hand, loc, born>>
=============================================================================
