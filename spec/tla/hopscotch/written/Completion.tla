----------------------------- MODULE Completion -----------------------------
(***************************************************************************)
(* The completion service: takes work first in first out, gives a new base *)
(* its taken map, gives a displaced or a late pair a hole, tells every     *)
(* base whose window covers the cell, and releases the bucket when nobody  *)
(* has a reference to its stash record any more. States 1 to 4, 6, 7.      *)
(***************************************************************************)
EXTENDS Cropper

B0(t) == l[t].b                        \* the base of the item
A0(t) == Up(l[t].b, l[t].j)            \* the cell that it gets

ServeTake(t) ==
  LET y == Head(q) IN
  /\ At(t, "Idle")
  /\ q # <<>>
  /\ q' = Tail(q)
  /\ Goto(t, [NoLocal EXCEPT !.kind = y.kind, !.b = y.b, !.s = y.s, !.k = y.k, !.v = y.v,
                             !.j = IF y.kind = "new" THEN 1 ELSE 0],
          CASE y.kind = "new" -> "ServeWalk" [] y.kind = "old" -> "ServePair"
            [] y.kind = "drop" -> "ServeDrop"
            [] OTHER -> "ServeMap")
  /\ KeepButQ
----------------------------------------------------------------------------
(* A new base: look at each cell of the window, add what is taken to the   *)
(* own map, or to the stash record that has it while there are readers.    *)
ServeWalk(t) ==
  /\ At(t, "ServeWalk")
  /\ Goto(t, [l[t] EXCEPT !.m = IF c[A0(t)].f = "E" THEN @ ELSE @ \cup {l[t].j},
                          !.j = IF @ = W - 1 THEN 0 ELSE @ + 1],
          IF l[t].j = W - 1 THEN "ServeMerge" ELSE "ServeWalk")
  /\ KeepAll

ServeMerge(t) ==
  /\ At(t, "ServeMerge")
  /\ ChangeMap(t, B0(t), l[t].m, {}, "ServeMergeStash",
               Goto(t, [l[t] EXCEPT !.m = Offsets], "ServeSweep"))

ServeMergeStash(t) ==
  /\ At(t, "ServeMergeStash")
  /\ ChangeStashed(t, l[t].m, {},
                   Goto(t, [l[t] EXCEPT !.e = 0, !.m = Offsets], "ServeSweep"))

(* Every base below the cell within a window gets the bit; m holds the     *)
(* distances that are still to be looked at.                               *)
AfterSweep(t, rest) ==
  Goto(t, rest, IF rest.m # {} THEN "ServeSweep"
                ELSE IF l[t].kind = "new" THEN "ServeDrop" ELSE "ServeMember")

ServeSweep(t) ==
  LET d == Least(l[t].m) IN
  /\ At(t, "ServeSweep")
  /\ ChangeMap(t, Down(A0(t), d), {d}, {}, "ServeSweepStash",
               AfterSweep(t, [l[t] EXCEPT !.m = @ \ {d}]))

ServeSweepStash(t) ==
  LET d == Least(l[t].m) IN
  /\ At(t, "ServeSweepStash")
  /\ ChangeStashed(t, {d}, {}, AfterSweep(t, [l[t] EXCEPT !.m = @ \ {d}, !.e = 0]))
----------------------------------------------------------------------------
(* Reinsertion of "whatever value is in stash, unless the key is lost".    *)
ServePair(t) ==
  LET y == st[l[t].s] IN
  /\ At(t, "ServePair")
  /\ IF y.k \in {Lost, None} THEN Goto(t, l[t], "ServeDrop")
     ELSE Goto(t, [l[t] EXCEPT !.k = y.k, !.v = y.v], "ServeMap")
  /\ KeepAll

(* The taken map, as it is or from the stash; m collects what is taken.    *)
ServeMap(t) ==
  LET x == tv[B0(t)] IN
  /\ At(t, "ServeMap")
  /\ IF x.f = "O" THEN Goto(t, [l[t] EXCEPT !.e = x.s], "ServeMapStash")
     ELSE Goto(t, [l[t] EXCEPT !.m = x.m], "ServeClaim")
  /\ KeepAll

ServeMapStash(t) ==
  /\ At(t, "ServeMapStash")
  /\ Goto(t, [l[t] EXCEPT !.m = st[l[t].e].real, !.e = 0], "ServeClaim")
  /\ KeepAll

(* The nearest zero bit. The cell itself decides: somebody may have made   *)
(* it a base, then the next one is tried. None left: FullWindow.tla.       *)
ServeClaim(t) ==
  LET holes == Offsets \ l[t].m
      j == Least(holes)
      a == Up(B0(t), j)
  IN
  /\ At(t, "ServeClaim")
  /\ IF holes = {}
     THEN Goto(t, [l[t] EXCEPT !.m = Offsets], "ServeOldest") /\ UNCHANGED c
     ELSE IF c[a] = Empty0
     THEN /\ c' = [c EXCEPT ![a] = Member(j, {"immobile"}, 0, None)]
          /\ Goto(t, [l[t] EXCEPT !.m = {}, !.j = j], "ServeValue")
     ELSE Goto(t, [l[t] EXCEPT !.m = @ \cup {j}], "ServeClaim") /\ UNCHANGED c
  /\ KeepBut0

ServeValue(t) ==
  /\ At(t, "ServeValue")
  /\ tv' = [tv EXCEPT ![A0(t)] = Word1("T", {}, 0, 0, l[t].v)]
  /\ Goto(t, l[t], "ServeKey")
  /\ KeepBut1

ServeKey(t) ==
  /\ At(t, "ServeKey")
  /\ c' = [c EXCEPT ![A0(t)] = Member(l[t].j, {}, 0, l[t].k)]
  /\ Goto(t, [l[t] EXCEPT !.m = Offsets, !.k = None, !.v = None], "ServeSweep")
  /\ KeepBut0

(* The real cbits get the bit; a pair that was in the stash leaves it in   *)
(* the same step, or stays until the record is used again.                 *)
Gained(t) ==
  LET leaves == l[t].kind = "old" /\ "stays" \notin Readings IN
  st' = [st EXCEPT ![l[t].s].real = @ \cup {l[t].j},
                   ![l[t].s].k = IF leaves THEN None ELSE @,
                   ![l[t].s].v = IF leaves THEN None ELSE @]

ServeMember(t) ==
  /\ At(t, "ServeMember")
  /\ Gained(t)
  /\ Goto(t, [l[t] EXCEPT !.j = 0], "ServeDrop")
  /\ KeepButS
----------------------------------------------------------------------------
ServeDrop(t) ==
  /\ At(t, "ServeDrop")
  /\ GiveBack(t, B0(t), "ServeRestore", "ServeFree", Goto(t, NoLocal, "Idle"))

ServeRestore(t) ==
  /\ At(t, "ServeRestore")
  /\ PutBack(t, B0(t), "ServeFree")

ServeFree(t) ==
  /\ At(t, "ServeFree")
  /\ FreeRecord(t, Goto(t, NoLocal, "Idle"))

ServiceNext(t) ==
  \/ ServeTake(t) \/ ServeWalk(t) \/ ServeMerge(t) \/ ServeMergeStash(t) \/ ServeSweep(t)
  \/ ServeSweepStash(t) \/ ServePair(t) \/ ServeMap(t) \/ ServeMapStash(t) \/ ServeClaim(t)
  \/ ServeValue(t) \/ ServeKey(t) \/ ServeMember(t) \/ ServeDrop(t) \/ ServeRestore(t) \/ ServeFree(t)
=============================================================================
