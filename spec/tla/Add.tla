-------------------------------- MODULE Add --------------------------------
(***************************************************************************)
(* Adding, up to the installation of the operation: fill the own           *)
(* descriptor, then replace the control bits of the home cell by a         *)
(* reference to it, with one compare-and-swap. From then on anybody can    *)
(* finish the operation (Help.tla).                                        *)
(* S01, S02, S04. Engine: impl/hopscotch/add.go.                           *)
(***************************************************************************)
EXTENDS Search

Own(t) == Ref(t, desc[t].head.gen)
AddHome(t) == <<loc[t].half, Home[loc[t].half][Op(t).k]>>
AddView(t) == loc[t].view[loc[t].half]

Fills(t, pc, field, value) ==
  /\ desc' = [desc EXCEPT ![t][field] = value]
  /\ Goto(t, At0(loc[t], pc))
  /\ UNCHANGED <<w0, w1, dead, absVars, marks>>
----------------------------------------------------------------------------
(* The head comes first: it ends the descriptor's last generation before   *)
(* any other word of it changes.                                           *)
AddFillHead(t) ==
  /\ loc[t].pc = "AddFillHead"
  /\ Fills(t, "AddFillPair", "head",
       [gen |-> desc[t].head.gen + 1,
        kind |-> IF AddView(t).b.f = "E" THEN "new" ELSE "add",
        h |-> loc[t].half, home |-> AddHome(t)[2]])

AddFillPair(t) ==
  /\ loc[t].pc = "AddFillPair"
  /\ Fills(t, IF AddView(t).b.f = "E" THEN "AddFillExpect" ELSE "AddFillPlan",
           "pair", [k |-> Op(t).k, v |-> Op(t).v])

(* The displaced key and the members of the bucket. A new base has neither, *)
(* and nobody reads this word of its descriptor.                           *)
AddFillPlan(t) ==
  /\ loc[t].pc = "AddFillPlan"
  /\ Fills(t, "AddFillExpect", "plan", [k |-> AddView(t).b.k, m |-> AddView(t).b.m])

(* Word 1 of the home cell as the search saw it: every later compare-and-  *)
(* swap on it has an expected value that is known from here on.            *)
AddFillExpect(t) ==
  /\ loc[t].pc = "AddFillExpect"
  /\ Fills(t, "AddFillTarget", "expect",
       IF AddView(t).b.f = "E" THEN V(None, 0, AddView(t).b.g) ELSE AddView(t).v)

AddFillTarget(t) ==
  /\ loc[t].pc = "AddFillTarget"
  /\ Fills(t, IF AddView(t).b.f = "E" THEN "AddClaimEmpty" ELSE "AddStashBase",
           "target", Tgt(desc[t].head.gen, "undecided", 0, 0))

(* The owner goes on as a helper of its own operation. *)
Installed(t, pc) ==
  [loc[t] EXCEPT !.pc = pc, !.view = [h \in Half |-> NoView],
     !.p = [NoHelp EXCEPT !.r = Own(t), !.head = desc[t].head, !.pair = desc[t].pair,
                          !.plan = IF desc[t].head.kind = "new" THEN NoPlan ELSE desc[t].plan,
                          !.expect = desc[t].expect]]

Again(t) ==
  StartSearch([loc[t] EXCEPT !.view = [h \in Half |-> NoView]], "add", Op(t).k, 0)

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
          /\ IF FixRetry THEN Goto(t, Again(t))
             ELSE \E l \in Finish(loc[t], Result("added", None)) : Goto(t, l)
          /\ Mark(IF w0[a].f \in {"C", "B"} THEN {"S04AddCollisionEmpty"} ELSE {})
  /\ UNCHANGED <<w1, desc, dead, absVars>>

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
          /\ Goto(t, Again(t))
  /\ UNCHANGED <<w1, desc, dead, absVars, marks>>

AddNext(t) ==
  \/ AddFillHead(t) \/ AddFillPair(t) \/ AddFillPlan(t) \/ AddFillExpect(t)
  \/ AddFillTarget(t) \/ AddClaimEmpty(t) \/ AddStashBase(t)
=============================================================================
