----------------------------- MODULE Refinement -----------------------------
(***************************************************************************)
(* The table refines the atomic map. The history variables of Hopscotch    *)
(* are the variables of Map, moved at the linearization points:            *)
(*   an add to an empty cell       HelpPublishNew, by whoever wins it      *)
(*   an add that displaces or      HelpFlip, by whoever wins it; what it   *)
(*   replaces                      replaces leaves in the same step        *)
(*   an update                     UpdateSwap; if the key was lost         *)
(*                                 meanwhile, just before the DeleteSwap   *)
(*   a delete                      DeleteSwap                              *)
(*   an eviction of a member       HelpUnfreeze of a drop                  *)
(*   a get, an add of a key that   any instant of the call at which the    *)
(*   is there, an update or a      key had that value (see Map)            *)
(*   delete of an absent key                                               *)
(***************************************************************************)
EXTENDS Invariants

Atomic == INSTANCE Map

RefinesMap == Atomic!Spec

(* I12: what is about to be returned is allowed. Part of RefinesMap, with a *)
(* name of its own, since a checker only says which property broke.        *)
I12ResultsAllowed == \A t \in Actors :
  loc[t].pc = "ClientReturn" =>
    Atomic!Allowed(t, [r |-> loc[t].p.t.st, v |-> loc[t].p.t.c])
=============================================================================
