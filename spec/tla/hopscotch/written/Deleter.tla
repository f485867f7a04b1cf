------------------------------ MODULE Deleter ------------------------------
(***************************************************************************)
(* Deleting. A member: its key becomes lost, it is left mobile, its base   *)
(* is submitted to the cropper. A base: the master exchanges it with a     *)
(* member whose key is not lost, or clears it. States 8 to 10, 16, 17,     *)
(* 20 to 23.                                                               *)
(***************************************************************************)
EXTENDS Reader

(* The member is pinned; the mark takes the own pin away with it.          *)
DeleteMark(t) ==
  LET a == Up(H(t), l[t].j)
      w == c[a]
  IN
  /\ At(t, "DeleteMark")
  /\ IF w.f = "M" /\ w.k = Op(t).k
     THEN /\ c' = [c EXCEPT ![a] = Member(w.o, w.fl \cup {"mobile"}, w.n - 1, Lost)]
          /\ Goto(t, [l[t] EXCEPT !.j = 0], "DeleteSubmit")
     ELSE /\ Goto(t, [l[t] EXCEPT !.r = IF w.f = "MO" THEN Retry ELSE Absent], "SearchUnpin")
          /\ UNCHANGED c
  /\ KeepBut0

DeleteSubmit(t) ==
  /\ At(t, "DeleteSubmit")
  /\ cq' = Append(cq, H(t))
  /\ Goto(t, Found(t, Deleted), "SearchLeave")
  /\ KeepButC
----------------------------------------------------------------------------
(* The key is, or was, at the base. A quiet base is stashed with all flags *)
(* at once; a base that an adder edits is flagged as made ready for        *)
(* delete, and the adder does not reinsert it; a second delete abandons.   *)
DeleteLoad(t) ==
  LET w == c[H(t)]
      mine == l[t].kind = "flagged"
  IN
  /\ At(t, "DeleteLoad")
  /\ ~(w.f = "BO" /\ w.k = Op(t).k /\ "delete" \in w.fl /\ mine)      \* waits
  /\ ~(w.f = "BO" /\ w.k = Op(t).k /\ "delete" \notin w.fl
       /\ "swappy" \in w.fl)                                        \* waits for the cropper
  /\ CASE ~IsBase(w) \/ w.k # Op(t).k -> Goto(t, Again(t), "SearchLoad")
       [] w.f = "B" /\ w.k = Op(t).k -> Goto(t, [l[t] EXCEPT !.w = w], "DeletePop")
       [] w.f = "BO" /\ w.k = Op(t).k /\ "delete" \in w.fl -> Answer(t, Absent)
       [] w.f = "BO" /\ w.k = Op(t).k /\ "delete" \notin w.fl /\ "root" \in w.fl ->
            Goto(t, [l[t] EXCEPT !.w = w], "DeleteFlag")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.s = w.s], "DeleteFollow")
  /\ KeepAll

DeleteFlag(t) ==
  LET done == c[H(t)] = l[t].w IN
  /\ At(t, "DeleteFlag")
  /\ c' = IF done THEN [c EXCEPT ![H(t)].fl = @ \cup {"delete"}] ELSE c
  /\ Goto(t, [Again(t) EXCEPT !.kind = IF done THEN "flagged" ELSE @], "DeleteLoad")
  /\ KeepBut0

DeletePop(t) ==
  /\ At(t, "DeletePop")
  /\ TakeRecord(t, "DeleteFill")

DeleteFill(t) ==
  /\ At(t, "DeleteFill")
  /\ st' = [st EXCEPT ![l[t].s] = Filled(l[t].w.m)]
  /\ Goto(t, l[t], "DeleteStash")
  /\ KeepButS

DeleteMine == {"root", "swappy", "delete"}

DeleteStash(t) ==
  /\ At(t, "DeleteStash")
  /\ IF c[H(t)] = l[t].w
     THEN /\ c' = [c EXCEPT ![H(t)] = BaseOp(l[t].s, DeleteMine, l[t].w.k)]
          /\ Goto(t, [Again(t) EXCEPT !.s = l[t].s], "DeleteWait")
     ELSE Goto(t, [l[t] EXCEPT !.w = Empty0], "DeletePush") /\ UNCHANGED c
  /\ KeepBut0

DeletePush(t) ==
  /\ At(t, "DeletePush")
  /\ FreeRecord(t, Goto(t, Again(t), "DeleteLoad"))

DeleteFollow(t) ==
  /\ At(t, "DeleteFollow")
  /\ Follow(t, H(t), "DeleteMaster", Goto(t, Again(t), "DeleteLoad"))

(* The base key must still be the same. *)
DeleteMaster(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "DeleteMaster")
  /\ IF w.f = "BO" /\ Names(w, l[t].s) /\ "root" \notin w.fl /\ w.k = Op(t).k
     THEN /\ c' = [c EXCEPT ![H(t)].fl = @ \cup DeleteMine]
          /\ Goto(t, l[t], "DeleteWait")
     ELSE Goto(t, [l[t] EXCEPT !.r = Retry], "DeleteDrop") /\ UNCHANGED c
  /\ KeepBut0

(* Readers that do not search carefully have to leave first. *)
DeleteWait(t) ==
  /\ At(t, "DeleteWait")
  /\ NoReaders(tv[H(t)])
  /\ Goto(t, l[t], "DeleteReal")
  /\ KeepAll

DeleteReal(t) ==
  LET real == st[l[t].s].real IN
  /\ At(t, "DeleteReal")
  /\ Goto(t, [l[t] EXCEPT !.m = real \ {0}, !.g = real], "DeleteScan")
  /\ KeepAll
----------------------------------------------------------------------------
(* A member for the base: not lost, not being reserved, not pinned. One    *)
(* that is being usurped is waited for: it will be in the stash.           *)
DeleteScan(t) ==
  LET j == Least(l[t].m)
      w == c[Up(H(t), j)]
  IN
  /\ At(t, "DeleteScan")
  /\ IF l[t].m = {} THEN Goto(t, l[t], "DeleteStashed")
     ELSE /\ w.f # "MO"
          /\ CASE w.f = "M" /\ w.k \notin {None, Lost} ->
                    /\ w.n = 0
                    /\ Goto(t, [l[t] EXCEPT !.m = {}, !.g = {}, !.j = j, !.k = w.k], "DeleteCopy")
               [] w.f = "M" /\ w.k \in {None, Lost} ->
                    Goto(t, [l[t] EXCEPT !.m = @ \ {j}], "DeleteScan")
               [] OTHER -> Goto(t, [l[t] EXCEPT !.m = @ \ {j}, !.g = @ \ {j}], "DeleteScan")
  /\ KeepAll

(* "Take the stashed key-value and place it in the base": it will not be   *)
(* reinserted (state 14).                                                  *)
DeleteStashed(t) ==
  LET y == st[l[t].s] IN
  /\ At(t, "DeleteStashed")
  /\ IF y.k \in {None, Lost}
     THEN /\ Goto(t, [l[t] EXCEPT !.m = IF l[t].g = {0} THEN Offsets ELSE {}],
                  IF l[t].g = {0} THEN "DeleteSweep" ELSE "DeleteWithdraw")
          /\ UNCHANGED st
     ELSE /\ st' = [st EXCEPT ![l[t].s].k = Lost]
          /\ Goto(t, [l[t] EXCEPT !.g = {}, !.k = y.k, !.v = y.v], "DeleteBaseValue")
  /\ KeepButS

DeleteCopy(t) ==
  /\ At(t, "DeleteCopy")
  /\ Goto(t, [l[t] EXCEPT !.v = tv[Up(H(t), l[t].j)].v], "DeleteBaseValue")
  /\ KeepAll

DeleteBaseValue(t) ==
  /\ At(t, "DeleteBaseValue")
  /\ tv' = [tv EXCEPT ![H(t)].v = l[t].v]
  /\ Goto(t, [l[t] EXCEPT !.v = None], "DeleteBaseKey")
  /\ KeepBut1

DeleteBaseKey(t) ==
  /\ At(t, "DeleteBaseKey")
  /\ c' = [c EXCEPT ![H(t)].k = l[t].k, ![H(t)].fl = @ \ {"delete"}]
  /\ IF l[t].j > 0 THEN Goto(t, l[t], "DeleteMoved")
     ELSE Goto(t, [l[t] EXCEPT !.k = None, !.r = Deleted], "DeleteDrop")
  /\ KeepBut0

(* The member that moved is marked after it was copied, and when nobody    *)
(* has pinned it.                                                          *)
DeleteMoved(t) ==
  LET a == Up(H(t), l[t].j) IN
  /\ At(t, "DeleteMoved")
  /\ ~(c[a].f = "M" /\ c[a].k = l[t].k /\ c[a].n > 0)
  /\ c' = IF c[a].f = "M" /\ c[a].k = l[t].k
          THEN [c EXCEPT ![a].k = Lost, ![a].fl = @ \cup {"mobile"}] ELSE c
  /\ Goto(t, [l[t] EXCEPT !.j = 0, !.k = None], "DeleteQueue")
  /\ KeepBut0

DeleteQueue(t) ==
  /\ At(t, "DeleteQueue")
  /\ cq' = Append(cq, H(t))
  /\ Goto(t, [l[t] EXCEPT !.r = Deleted], "DeleteDrop")
  /\ KeepButC
----------------------------------------------------------------------------
(* All members are lost: the base is removed from a future cropping.       *)
DeleteWithdraw(t) ==
  /\ At(t, "DeleteWithdraw")
  /\ cq' = SelectSeq(cq, LAMBDA b : b # H(t))
  /\ Goto(t, [l[t] EXCEPT !.m = Offsets], "DeleteSweep")
  /\ KeepButC

(* Every cell of the bucket, the farthest first: its bit in each map that  *)
(* covers it, its value, its key. m holds the distances to be looked at.   *)
DeleteCell(t) == Up(H(t), Most(l[t].g))

DeleteSweep(t) ==
  LET d == Least(l[t].m)
      rest == [l[t] EXCEPT !.m = @ \ {d}]
  IN
  /\ At(t, "DeleteSweep")
  /\ ChangeMap(t, Down(DeleteCell(t), d), {}, {d}, "DeleteSweepStash",
               Goto(t, rest, IF rest.m = {} THEN "DeleteZero1" ELSE "DeleteSweep"))

DeleteSweepStash(t) ==
  LET d == Least(l[t].m)
      rest == [l[t] EXCEPT !.m = @ \ {d}, !.e = 0]
  IN
  /\ At(t, "DeleteSweepStash")
  /\ ChangeStashed(t, {}, {d},
                   Goto(t, rest, IF rest.m = {} THEN "DeleteZero1" ELSE "DeleteSweep"))

DeleteZero1(t) ==
  /\ At(t, "DeleteZero1")
  /\ tv' = [tv EXCEPT ![DeleteCell(t)] = Zero1]
  /\ Goto(t, l[t], "DeleteZero0")
  /\ KeepBut1

DeleteZero0(t) ==
  LET o == Most(l[t].g) IN
  /\ At(t, "DeleteZero0")
  /\ c' = [c EXCEPT ![DeleteCell(t)] = Empty0]
  /\ Goto(t, [l[t] EXCEPT !.g = @ \ {o}, !.m = IF o = 0 THEN {} ELSE Offsets],
          IF o = 0 THEN "DeleteClear" ELSE "DeleteSweep")
  /\ KeepBut0

(* The stash is cleared of the element. *)
DeleteClear(t) ==
  /\ At(t, "DeleteClear")
  /\ FreeRecord(t, Answer(t, Deleted))
----------------------------------------------------------------------------
DeleteDrop(t) ==
  /\ At(t, "DeleteDrop")
  /\ GiveBack(t, H(t), "DeleteRestore", "DeleteFree", After(t, l[t].r))

DeleteRestore(t) ==
  /\ At(t, "DeleteRestore")
  /\ PutBack(t, H(t), "DeleteFree")

DeleteFree(t) ==
  /\ At(t, "DeleteFree")
  /\ FreeRecord(t, After(t, l[t].r))

DeleterNext(t) ==
  \/ DeleteMark(t) \/ DeleteSubmit(t) \/ DeleteLoad(t) \/ DeleteFlag(t)
  \/ DeletePop(t) \/ DeleteFill(t) \/ DeleteStash(t) \/ DeletePush(t)
  \/ DeleteFollow(t) \/ DeleteMaster(t) \/ DeleteWait(t) \/ DeleteReal(t)
  \/ DeleteScan(t) \/ DeleteStashed(t) \/ DeleteCopy(t) \/ DeleteBaseValue(t) \/ DeleteBaseKey(t)
  \/ DeleteMoved(t) \/ DeleteQueue(t) \/ DeleteWithdraw(t) \/ DeleteSweep(t)
  \/ DeleteSweepStash(t) \/ DeleteZero1(t) \/ DeleteZero0(t) \/ DeleteClear(t)
  \/ DeleteDrop(t) \/ DeleteRestore(t) \/ DeleteFree(t)
=============================================================================
