------------------------------ MODULE MCReclaim ------------------------------
(***************************************************************************)
(* What a newcomer relies on who takes over the descriptor of a dead actor *)
(* (docs/protocol.md, section 9). It makes no step that the others could   *)
(* see but those of any helper, so there is no action for it here; these   *)
(* are the claims about memory that its one look at the home cell rests    *)
(* on, at every instant and whoever is dead.                               *)
(* Engine: impl/hopscotch/reclaim.go.                                      *)
(***************************************************************************)
EXTENDS MCHopscotch

HomeOfDesc(t) == <<desc[t].head.h, desc[t].head.home>>
Holds(t, a) == Held(a) /\ w0[a].r.d = t
(* The look: the home cell refers to the operation in the descriptor. *)
Looks(t) == Holds(t, HomeOfDesc(t)) /\ w0[HomeOfDesc(t)].r.g = desc[t].head.gen

(* I16: the home cell is the last to be let go. Where it does not refer to *)
(* the operation no cell does: the operation is over, or not installed.    *)
I16HomeIsLast == \A t \in Actors : ~Looks(t) => \A a \in Addr : ~Holds(t, a)

(* I17: whoever has returned from an operation holds nothing. So what left *)
(* by an operation that the home cell still refers to has been told to     *)
(* nobody.                                                                 *)
I17ToldIsOver == \A t \in Actors :
  loc[t].pc \in {"ClientCall", "ClientReturn"} => ~Looks(t)

(* What left by the operation in the descriptor. *)
Left(x) == IF x.head.kind = "drop" THEN x.pair.v ELSE x.expect.v
(* I18: what the descriptor says of an operation that is over is true: the *)
(* value has left, once (and I13 says: not twice). A head without a target *)
(* of its generation has not been installed, and says nothing.             *)
I18LeftIsTrue == \A t \in Actors : LET x == desc[t] IN
  /\ x.head.kind \in {"replace", "drop", "lift", "clear"}
  /\ x.target.gen = x.head.gen /\ x.target.st = "committed" /\ ~Looks(t)
  => freed[Left(x)] = 1

(* P6: nobody but its owner writes the head of a descriptor; so that of a  *)
(* dead one stands still.                                                  *)
P6HeadStands == [][\A t \in dead : desc'[t].head = desc[t].head]_desc

(* P7: what does not refer to a dead one's operation never does again.     *)
P7NotAgain == [][\A t \in dead : ~Looks(t) => ~Looks(t)']_<<w0, desc>>
=============================================================================
