------------------------------- MODULE Tiers -------------------------------
(***************************************************************************)
(* One key in two tiers of two slices. A set puts it into the upper tier,  *)
(* whose slice the caller knows from then on; a move takes it down: insert *)
(* below, delete above. A get asks the upper tier, then the lower one.     *)
(* Values are in the table here; their records are in Records.             *)
(* H-81, H-82, H-83.                                                       *)
(***************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS Programs,    \* actor -> sequence of operations
          InitLow,     \* slice -> value in the lower tier at the beginning
          Slices,      \* the slices among which a move chooses below
          Room,        \* whether the lower tier has room, otherwise an insert
                       \* fails; a set, since it may have now and then
          FixMove,     \* who moves or deletes the key claims its upper entry,
                       \* and what does not fit below stays above
          FixGet,      \* a get asks both slices of the lower tier, a move
                       \* replaces the copy that is there
          FixLook,     \* after a miss a get looks at the upper tier again
          FixStale     \* a delete takes the key out of both tiers, the lower
                       \* one first

Actors == DOMAIN Programs
Absent == 0
Known == 0                    \* the slice of the key in the upper tier
Other == 1

VARIABLES up, low,  \* shared: the entry of the key in the upper tier, with its
                    \* claim, and in each slice of the lower one
          at, l,    \* program counters; i the operation, v a value, s slices
          lin       \* all histories that agree with what was called and returned
vars == <<up, low, at, l, lin>>

Op(a) == Programs[a][l[a].i]
----------------------------------------------------------------------------
(* The map as history, as in History.tla: a possibility is the value of    *)
(* the key and, for each actor, the result of its operation in progress,   *)
(* None while it has had no effect.                                        *)
None == 100
Did == 101
Effect(y, a) ==
  [v |-> CASE Op(a).op = "set" -> Op(a).v [] Op(a).op = "delete" -> Absent [] OTHER -> y.v,
   r |-> [y.r EXCEPT ![a] = IF Op(a).op = "get" THEN y.v ELSE Did]]
Once(s, pending) ==
  s \cup UNION {{Effect(y, a) : a \in {b \in pending : y.r[b] = None}} : y \in s}
CallLin(a) ==
  LET pending == {b \in Actors : b = a \/ (at[b] # "Idle" /\ Op(b).op # "move")}
  IN lin' = Once(Once(Once(lin, pending), pending), pending)
ReturnLin(a, result) ==
  LET right == {y \in lin : y.r[a] = result}
  IN lin' = {[y EXCEPT !.r[a] = None] : y \in IF right = {} THEN lin ELSE right}
Right(a) == \E y \in lin : y.r[a] = IF Op(a).op = "get" THEN l[a].v ELSE Did

Init ==
  /\ up = [v |-> Absent, claimed |-> FALSE]
  /\ low = InitLow
  /\ at = [a \in Actors |-> "Idle"]
  /\ l = [a \in Actors |-> [i |-> 1, v |-> Absent, s |-> Slices]]
  /\ lin = {[v |-> IF InitLow[0] # Absent THEN InitLow[0] ELSE InitLow[1],
             r |-> [a \in Actors |-> None]]}

At(a, where) == at[a] = where
Goto(a, local, where) == at' = [at EXCEPT ![a] = where] /\ l' = [l EXCEPT ![a] = local]
Go(a, where) == Goto(a, l[a], where)
Found(a, v, where) == Goto(a, [l[a] EXCEPT !.v = v], IF v = Absent THEN where ELSE "Return")

Call(a) ==
  /\ At(a, "Idle") /\ l[a].i <= Len(Programs[a])
  /\ Go(a, CASE Op(a).op = "get" -> "GetUpper" [] Op(a).op = "set" -> "SetUpper"
             [] Op(a).op = "move" -> IF FixMove THEN "ClaimUpper" ELSE "MoveLook"
             [] OTHER -> IF FixStale THEN "ClaimUpper" ELSE "DeleteUpper")
  /\ IF Op(a).op = "move" THEN UNCHANGED lin ELSE CallLin(a)
  /\ UNCHANGED <<up, low>>

Return(a) ==
  /\ At(a, "Return")
  /\ Goto(a, [i |-> l[a].i + 1, v |-> Absent, s |-> Slices], "Idle")
  /\ IF Op(a).op = "move" THEN UNCHANGED lin
     ELSE ReturnLin(a, IF Op(a).op = "get" THEN l[a].v ELSE Did)
  /\ UNCHANGED <<up, low>>
----------------------------------------------------------------------------
GetUpper(a) ==
  /\ At(a, "GetUpper")
  /\ Found(a, up.v, "GetKnown")
  /\ UNCHANGED <<up, low, lin>>

GetKnown(a) ==
  /\ At(a, "GetKnown")
  /\ Found(a, low[Known], IF FixGet THEN "GetOther" ELSE "Return")
  /\ UNCHANGED <<up, low, lin>>

GetOther(a) ==
  /\ At(a, "GetOther")
  /\ Found(a, low[Other], IF FixLook THEN "GetAgain" ELSE "Return")
  /\ UNCHANGED <<up, low, lin>>

GetAgain(a) ==
  /\ At(a, "GetAgain")
  /\ Found(a, up.v, "Return")
  /\ UNCHANGED <<up, low, lin>>

SetUpper(a) ==
  /\ At(a, "SetUpper")
  /\ ~up.claimed
  /\ up' = [up EXCEPT !.v = Op(a).v]
  /\ Go(a, "Return")
  /\ UNCHANGED <<low, lin>>
----------------------------------------------------------------------------
ClaimUpper(a) ==
  /\ At(a, "ClaimUpper")
  /\ ~up.claimed
  /\ IF Op(a).op = "move" /\ up.v = Absent
     THEN Go(a, "Return") /\ UNCHANGED up
     ELSE /\ up' = [up EXCEPT !.claimed = TRUE]
          /\ Goto(a, [l[a] EXCEPT !.v = up.v],
                  CASE Op(a).op = "delete" -> "DeleteKnown"
                    [] FixGet -> "SeekKnown"
                    [] OTHER -> "MoveInsert")
  /\ UNCHANGED <<low, lin>>

MoveLook(a) ==
  /\ At(a, "MoveLook")
  /\ Goto(a, [l[a] EXCEPT !.v = up.v], IF up.v = Absent THEN "Return" ELSE "MoveInsert")
  /\ UNCHANGED <<up, low, lin>>

(* A copy that is there already is replaced; nobody without a claim changes *)
(* the lower tier meanwhile.                                               *)
SeekKnown(a) ==
  /\ At(a, "SeekKnown")
  /\ IF low[Known] # Absent THEN Goto(a, [l[a] EXCEPT !.s = {Known}], "MoveInsert")
     ELSE Go(a, "SeekOther")
  /\ UNCHANGED <<up, low, lin>>

SeekOther(a) ==
  /\ At(a, "SeekOther")
  /\ Goto(a, [l[a] EXCEPT !.s = IF low[Other] # Absent THEN {Other} ELSE @], "MoveInsert")
  /\ UNCHANGED <<up, low, lin>>

MoveInsert(a) ==
  /\ At(a, "MoveInsert")
  /\ \/ /\ TRUE \in Room
        /\ \E s \in l[a].s : low' = [low EXCEPT ![s] = l[a].v]
        /\ Go(a, "MoveDelete")
     \/ /\ FALSE \in Room
        /\ Go(a, IF FixMove THEN "MoveStay" ELSE "MoveDelete")
        /\ UNCHANGED low
  /\ UNCHANGED <<up, lin>>

MoveDelete(a) ==
  /\ At(a, "MoveDelete")
  /\ up' = [v |-> Absent, claimed |-> FALSE]
  /\ Go(a, "Return")
  /\ UNCHANGED <<low, lin>>

MoveStay(a) ==
  /\ At(a, "MoveStay")
  /\ up' = [up EXCEPT !.claimed = FALSE]
  /\ Go(a, "Return")
  /\ UNCHANGED <<low, lin>>
----------------------------------------------------------------------------
(* Where the key is found first, there it is deleted. *)
DeleteUpper(a) ==
  /\ At(a, "DeleteUpper")
  /\ ~up.claimed
  /\ up' = [up EXCEPT !.v = Absent]
  /\ Go(a, IF up.v = Absent THEN "DeleteKnown" ELSE "Return")
  /\ UNCHANGED <<low, lin>>

DeleteKnown(a) ==
  /\ At(a, "DeleteKnown")
  /\ low' = [low EXCEPT ![Known] = Absent]
  /\ Go(a, IF FixStale \/ (FixGet /\ low[Known] = Absent) THEN "DeleteOther" ELSE "Return")
  /\ UNCHANGED <<up, lin>>

DeleteOther(a) ==
  /\ At(a, "DeleteOther")
  /\ low' = [low EXCEPT ![Other] = Absent]
  /\ Go(a, IF FixStale THEN "DeleteClaimed" ELSE "Return")
  /\ UNCHANGED <<up, lin>>

DeleteClaimed(a) ==
  /\ At(a, "DeleteClaimed")
  /\ up' = [v |-> Absent, claimed |-> FALSE]
  /\ Go(a, "Return")
  /\ UNCHANGED <<low, lin>>

Step(a) ==
  \/ Call(a) \/ Return(a) \/ GetUpper(a) \/ GetKnown(a) \/ GetOther(a) \/ GetAgain(a)
  \/ SetUpper(a)
  \/ ClaimUpper(a) \/ MoveLook(a) \/ SeekKnown(a) \/ SeekOther(a) \/ MoveInsert(a)
  \/ MoveDelete(a) \/ MoveStay(a)
  \/ DeleteUpper(a) \/ DeleteKnown(a) \/ DeleteOther(a) \/ DeleteClaimed(a)
Finished == \A a \in Actors : At(a, "Idle") /\ l[a].i > Len(Programs[a])

Next == (\E a \in Actors : Step(a)) \/ (Finished /\ UNCHANGED vars)
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ \A a \in Actors : WF_vars(Step(a))
----------------------------------------------------------------------------
(* A get answers as some order of the operations allows: not absent what   *)
(* was there all the time, not a value that the key did not have.          *)
Answers(a) == At(a, "Return") /\ Op(a).op = "get"
NothingMissed == \A a \in Actors : Answers(a) /\ l[a].v = Absent => Right(a)
NoPhantom == \A a \in Actors : Answers(a) /\ l[a].v # Absent => Right(a)
Terminates == <>Finished

(* Programs and memory of the runs. *)
Get == [op |-> "get", v |-> 0]
Set(v) == [op |-> "set", v |-> v]
Delete == [op |-> "delete", v |-> 0]
Move == [op |-> "move", v |-> 0]
MoveAndGet == <<<<Set(11), Get>>, <<Move>>>>
SetAndDelete == <<<<Set(12), Delete>>, <<Get>>>>
SetDeleteGets == <<<<Set(12), Delete>>, <<Get, Get>>>>
Everybody == <<<<Set(12), Delete>>, <<Move, Move>>, <<Get, Get>>>>
NothingBelow == [s \in 0 .. 1 |-> Absent]
OldBelow == [s \in 0 .. 1 |-> IF s = Known THEN 11 ELSE Absent]
OldOther == [s \in 0 .. 1 |-> IF s = Other THEN 11 ELSE Absent]
=============================================================================
