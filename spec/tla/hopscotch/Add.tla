-------------------------------- MODULE Add --------------------------------
(***************************************************************************)
(* Adding, up to the installation of the operation: fill the own           *)
(* descriptor, then replace the control bits of the home cell by a         *)
(* reference to it, with one compare-and-swap. From then on anybody can    *)
(* finish the operation (Help.tla). Operations on a bucket that Room.tla,  *)
(* Crop.tla and Discard.tla have prepared (loc.u) are installed by the     *)
(* same steps.                                                             *)
(* S01, S02, S04, S10. Engine: impl/hopscotch/add.go.                      *)
(***************************************************************************)
EXTENDS Ticket

Own(t) == Ref(t, desc[t].head.gen)
Works(t) == loc[t].u.kind # "none"
AddView(t) == IF Works(t) THEN [b |-> loc[t].u.b, v |-> loc[t].u.v]
              ELSE loc[t].view[loc[t].half]
AddHome(t) == IF Works(t) THEN <<loc[t].u.h, loc[t].u.home>>
              ELSE <<loc[t].half, Home[loc[t].half][Op(t).k]>>
(* A lost key needs no place: it is replaced; so is one that is evicted. *)
AddKind(t) == CASE Works(t) -> loc[t].u.kind
                [] AddView(t).b.f = "E" -> "new"
                [] AddView(t).b.k = Lost /\ FixLostSkipped -> "replace"
                [] loc[t].room = 2 * Reach -> "replace"
                [] OTHER -> "add"

Fills(t, pc, field, value) ==
  /\ desc' = [desc EXCEPT ![t][field] = value]
  /\ Goto(t, At0(loc[t], pc))
  /\ UNCHANGED <<w0, w1, dead, histVars, marks>>
----------------------------------------------------------------------------
(* The head comes first: it ends the descriptor's last generation before   *)
(* any other word of it changes.                                           *)
AddFillHead(t) ==
  /\ loc[t].pc = "AddFillHead"
  /\ Fills(t, IF AddKind(t) = "clear" THEN "AddFillPlan" ELSE "AddFillPair", "head",
       [gen |-> NextRef(desc[t].head.gen), kind |-> AddKind(t),
        h |-> AddHome(t)[1], home |-> AddHome(t)[2]])

(* The new element; or the member that the operation is about. *)
AddFillPair(t) ==
  /\ loc[t].pc = "AddFillPair"
  /\ Fills(t, IF AddKind(t) = "new" THEN "AddFillExpect" ELSE "AddFillPlan", "pair",
           IF AddKind(t) \in OfMember THEN [k |-> loc[t].u.w.k, v |-> loc[t].u.x.v]
           ELSE [k |-> Op(t).k, v |-> Op(t).v])

(* The displaced key and the members of the bucket. A new base has neither, *)
(* and nobody reads this word of its descriptor.                           *)
AddFillPlan(t) ==
  /\ loc[t].pc = "AddFillPlan"
  /\ Fills(t, "AddFillExpect", "plan", [k |-> AddView(t).b.k, m |-> AddView(t).b.m])

(* Word 1 of the home cell as the search saw it: every later compare-and-  *)
(* swap on it has an expected value that is known from here on.            *)
AddFillExpect(t) ==
  /\ loc[t].pc = "AddFillExpect"
  /\ Fills(t, IF AddKind(t) \in OfMember THEN "AddFillSource" ELSE "AddFillTarget", "expect",
       IF AddKind(t) = "new" THEN V(None, 0, AddView(t).b.g) ELSE AddView(t).v)

(* The same for the member: where it is, its generation, its version. *)
AddFillSource(t) ==
  /\ loc[t].pc = "AddFillSource"
  /\ Fills(t, "AddFillTarget", "source",
       [c |-> loc[t].u.c, g |-> loc[t].u.w.g, n |-> loc[t].u.x.n])

AddFillTarget(t) ==
  /\ loc[t].pc = "AddFillTarget"
  /\ Fills(t, IF AddKind(t) = "new" THEN "AddClaimEmpty" ELSE "AddStashBase",
           "target", Tgt(desc[t].head.gen, "undecided", 0, 0))

(* The owner goes on as a helper of its own operation. *)
Installed(t, pc) ==
  LET d == desc[t]  kind == d.head.kind IN
  [loc[t] EXCEPT !.pc = pc, !.u = NoWork,
     !.view = IF Scans(loc[t]) THEN loc[t].view ELSE [h \in Half |-> NoView],
     !.p = [NoHelp EXCEPT !.r = Own(t), !.head = d.head,
              !.pair = IF kind = "clear" THEN NoPair ELSE d.pair,
              !.plan = IF kind = "new" THEN NoPlan ELSE d.plan,
              !.expect = d.expect,
              !.source = IF kind \in OfMember THEN d.source ELSE NoSource]]

(* The operation of the client from its beginning. *)
Again(t, l) ==
  LET l1 == [l EXCEPT !.view = [h \in Half |-> NoView], !.s = NoSearch, !.u = NoWork,
                      !.p = NoHelp] IN
  IF Op(t).op \in {"crop", "restore"} THEN [l1 EXCEPT !.pc = "CropVersion"]
  ELSE IF Op(t).op = "discard" THEN [l1 EXCEPT !.pc = TicketPc(Op(t).op)]
  ELSE StartSearch(l1, Op(t).op, Op(t).k, 0)

(* What a call may begin with: a set, for the choice of the first half.    *)
Begins(t) ==
  LET l == [Again(t, loc[t]) EXCEPT !.ticket = NoTicket] IN
  IF Op(t).op \in OfTicket THEN TicketBegins(t)
  ELSE {l} \cup (IF Op(t).op \in EitherFirst
            THEN {StartSearch([l EXCEPT !.half = 1], Op(t).op, Op(t).k, 1)} ELSE {})

(* S01, S04: of those who saw the empty cell one claims it. The others     *)
(* search again, and collide with the new base.                            *)
AddClaimEmpty(t) ==
  LET a == AddHome(t)
      won == w0[a] = AddView(t).b
  IN
  /\ loc[t].pc = "AddClaimEmpty"
  /\ IF won
     THEN /\ w0' = [w0 EXCEPT ![a] = C(Own(t))]
          /\ Goto(t, Installed(t, "HelpTarget"))
          /\ Silent
     ELSE /\ UNCHANGED w0
          /\ IF FixRetry THEN Goto(t, Again(t, loc[t]))
             ELSE \E l \in Finish(loc[t], Result("added", None)) : Goto(t, l)
          /\ Mark(IF w0[a].f \in {"C", "B"} THEN {"S04AddCollisionEmpty"} ELSE {})
  /\ UNCHANGED <<w1, desc, dead, histVars>>

(* S02: the base is stashed; its members are in the descriptor from now on. *)
AddStashBase(t) ==
  LET a == AddHome(t)
      won == w0[a] = AddView(t).b
  IN
  /\ loc[t].pc = "AddStashBase"
  /\ IF won
     THEN /\ w0' = [w0 EXCEPT ![a] = O(AddView(t).b.k, Own(t))]
          /\ Goto(t, Installed(t, "HelpTarget"))
     ELSE /\ UNCHANGED w0
          /\ Goto(t, Again(t, loc[t]))
  /\ MarkIf(~won /\ AddKind(t) = "add" /\ w0[a].f = "B" /\ w0[a].k = Lost,
            "S10AddCollisionDeleteBase")
  /\ UNCHANGED <<w1, desc, dead, histVars>>

AddNext(t) ==
  \/ AddFillHead(t) \/ AddFillPair(t) \/ AddFillPlan(t) \/ AddFillExpect(t)
  \/ AddFillSource(t)
  \/ AddFillTarget(t) \/ AddClaimEmpty(t) \/ AddStashBase(t)
=============================================================================
