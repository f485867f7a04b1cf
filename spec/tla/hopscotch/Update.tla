------------------------------- MODULE Update -------------------------------
(***************************************************************************)
(* Update and delete: one compare-and-swap each on what a search found.    *)
(* S07, S08, S12, S13, S18 to S20, S22, S23.                               *)
(* Engine: impl/hopscotch/update.go.                                       *)
(***************************************************************************)
EXTENDS Search

HoldsLive(a, k) == w0[a].f \in {"B", "O", "M", "U"} /\ w0[a].k = k
----------------------------------------------------------------------------
(* LP of an update. The old value belongs to whoever wins. If the key was  *)
(* deleted meanwhile, the update counts as just before the delete.         *)
UpdateSwap(t) ==
  LET l == loc[t]
      a == Matched(l)
      old == MatchedValue(l)
      won == w1[a] = old /\ old.z = 0
  IN
  /\ l.pc = "UpdateSwap"
  /\ IF won
     THEN /\ w1' = [w1 EXCEPT ![a] = V(Op(t).v, 0, NextVersion(old.n))]
          /\ Free(old.v)
          /\ \E l1 \in Finish(l, Result("updated", old.v)) : Goto(t, l1)
          /\ IF HoldsLive(a, Op(t).k) THEN Effect(t) ELSE Supersede(t)
     ELSE /\ \E l1 \in Restart(l) : Goto(t, l1)
          /\ UNCHANGED <<w1, histVars>>
  /\ MarkIf(~won /\ BusyWith(t, {"update"}) /\ HoldsLive(a, Op(t).k) /\ w1[a].z = 0,
            "S19UpdateSameKey")
  /\ UNCHANGED <<w0, desc, dead>>

(* LP of a delete: the key is lost. The cell is reclaimed by a crop.       *)
DeleteSwap(t) ==
  LET l == loc[t]
      a == Matched(l)
      old == IF l.s.mw = NoWord0 THEN l.s.b ELSE l.s.mw
      won == w0[a] = old
      other(ops, k) == \E x \in Actors \ {t} : busy[x].op \in ops /\ busy[x].k = k
  IN
  /\ l.pc = "DeleteSwap"
  /\ IF won
     THEN /\ w0' = [w0 EXCEPT ![a].k = Lost]
          /\ \E l1 \in Finish(l, Result("deleted", None)) : Goto(t, l1)
          /\ Effect(t)
     ELSE /\ \E l1 \in Restart(l) : Goto(t, l1)
          /\ UNCHANGED <<w0, absVars>>
  /\ Mark((IF won /\ other({"add"}, Op(t).k) THEN {"S08AddEmptyDelete"} ELSE {})
          \cup (IF won /\ \E x \in Actors \ {t} : busy[x].op = "delete" /\ busy[x].k # Op(t).k
                THEN {"S20DeleteMembers"} ELSE {})
          \cup (IF ~won /\ other({"delete"}, Op(t).k) /\ w0[a].f \in {"B", "M"} /\ w0[a].k = Lost
                THEN {"S23DeleteSameKey"} ELSE {}))
  /\ UNCHANGED <<w1, desc, dead, freed>>

UpdateNext(t) == UpdateSwap(t) \/ DeleteSwap(t)
=============================================================================
