----------------------------- MODULE Completion -----------------------------
(***************************************************************************)
(* The completion service: takes work first in first out, gives a new base *)
(* its taken map, gives a displaced or a late pair a hole, tells every     *)
(* base whose window covers the cell, and releases the bucket when nobody  *)
(* has a reference to its stash record any more. States 1 to 4, 6, 7.      *)
(***************************************************************************)
EXTENDS Cropper

R == Service
B0 == l[R].b                        \* the base of the item
A0 == Up(l[R].b, l[R].j)            \* the cell that it gets

ServeTake ==
  LET y == Head(q) IN
  /\ At(R, "Idle")
  /\ q # <<>>
  /\ q' = Tail(q)
  /\ Goto(R, [NoLocal EXCEPT !.kind = y.kind, !.b = y.b, !.s = y.s, !.k = y.k, !.v = y.v,
                             !.j = IF y.kind = "new" THEN 1 ELSE 0],
          CASE y.kind = "new" -> "ServeWalk" [] y.kind = "old" -> "ServePair"
            [] y.kind = "drop" -> "ServeDrop"
            [] OTHER -> "ServeMap")
  /\ KeepButQ
----------------------------------------------------------------------------
(* A new base: look at each cell of the window, add what is taken to the   *)
(* own map, or to the stash record that has it while there are readers.    *)
ServeWalk ==
  /\ At(R, "ServeWalk")
  /\ Goto(R, [l[R] EXCEPT !.m = IF c[A0].f = "E" THEN @ ELSE @ \cup {l[R].j},
                          !.j = IF @ = W - 1 THEN 0 ELSE @ + 1],
          IF l[R].j = W - 1 THEN "ServeMerge" ELSE "ServeWalk")
  /\ KeepAll

ServeMerge ==
  /\ At(R, "ServeMerge")
  /\ ChangeMap(R, B0, l[R].m, {}, "ServeMergeStash",
               Goto(R, [l[R] EXCEPT !.m = Offsets], "ServeSweep"))

ServeMergeStash ==
  /\ At(R, "ServeMergeStash")
  /\ ChangeStashed(R, l[R].m, {},
                   Goto(R, [l[R] EXCEPT !.e = 0, !.m = Offsets], "ServeSweep"))

(* Every base below the cell within a window gets the bit; m holds the     *)
(* distances that are still to be looked at.                               *)
AfterSweep(rest) ==
  Goto(R, rest, IF rest.m # {} THEN "ServeSweep"
                ELSE IF l[R].kind = "new" THEN "ServeDrop" ELSE "ServeMember")

ServeSweep ==
  LET d == Least(l[R].m) IN
  /\ At(R, "ServeSweep")
  /\ ChangeMap(R, Down(A0, d), {d}, {}, "ServeSweepStash",
               AfterSweep([l[R] EXCEPT !.m = @ \ {d}]))

ServeSweepStash ==
  LET d == Least(l[R].m) IN
  /\ At(R, "ServeSweepStash")
  /\ ChangeStashed(R, {d}, {}, AfterSweep([l[R] EXCEPT !.m = @ \ {d}, !.e = 0]))
----------------------------------------------------------------------------
(* Reinsertion of "whatever value is in stash, unless the key is lost".    *)
ServePair ==
  LET y == st[l[R].s] IN
  /\ At(R, "ServePair")
  /\ IF y.k \in {Lost, None} THEN Goto(R, l[R], "ServeDrop")
     ELSE Goto(R, [l[R] EXCEPT !.k = y.k, !.v = y.v], "ServeMap")
  /\ KeepAll

(* The taken map, as it is or from the stash; m collects what is taken.    *)
ServeMap ==
  LET x == tv[B0] IN
  /\ At(R, "ServeMap")
  /\ IF x.f = "O" THEN Goto(R, [l[R] EXCEPT !.e = x.s], "ServeMapStash")
     ELSE Goto(R, [l[R] EXCEPT !.m = x.m], "ServeClaim")
  /\ KeepAll

ServeMapStash ==
  /\ At(R, "ServeMapStash")
  /\ Goto(R, [l[R] EXCEPT !.m = st[l[R].e].real, !.e = 0], "ServeClaim")
  /\ KeepAll

(* The nearest zero bit. The cell itself decides: somebody may have made   *)
(* it a base, then the next one is tried. None left: FullWindow.tla.       *)
ServeClaim ==
  LET holes == Offsets \ l[R].m
      j == Least(holes)
      a == Up(B0, j)
  IN
  /\ At(R, "ServeClaim")
  /\ IF holes = {}
     THEN Goto(R, [l[R] EXCEPT !.m = Offsets], "ServeOldest") /\ UNCHANGED c
     ELSE IF c[a] = Empty0
     THEN /\ c' = [c EXCEPT ![a] = Member(j, {"immobile"}, 0, None)]
          /\ Goto(R, [l[R] EXCEPT !.m = {}, !.j = j], "ServeValue")
     ELSE Goto(R, [l[R] EXCEPT !.m = @ \cup {j}], "ServeClaim") /\ UNCHANGED c
  /\ KeepBut0

ServeValue ==
  /\ At(R, "ServeValue")
  /\ tv' = [tv EXCEPT ![A0] = Word1("T", {}, 0, 0, l[R].v)]
  /\ Goto(R, l[R], "ServeKey")
  /\ KeepBut1

ServeKey ==
  /\ At(R, "ServeKey")
  /\ c' = [c EXCEPT ![A0] = Member(l[R].j, {}, 0, l[R].k)]
  /\ Goto(R, [l[R] EXCEPT !.m = Offsets, !.k = None, !.v = None], "ServeSweep")
  /\ KeepBut0

(* The real cbits get the bit; a pair that was in the stash leaves it in   *)
(* the same step.                                                          *)
ServeMember ==
  /\ At(R, "ServeMember")
  /\ st' = [st EXCEPT ![l[R].s].real = @ \cup {l[R].j},
                      ![l[R].s].k = IF l[R].kind = "old" THEN None ELSE @,
                      ![l[R].s].v = IF l[R].kind = "old" THEN None ELSE @]
  /\ Goto(R, [l[R] EXCEPT !.j = 0], "ServeDrop")
  /\ KeepButS
----------------------------------------------------------------------------
ServeDrop ==
  /\ At(R, "ServeDrop")
  /\ GiveBack(R, B0, "ServeRestore", "ServeFree", Goto(R, NoLocal, "Idle"))

ServeRestore ==
  /\ At(R, "ServeRestore")
  /\ PutBack(R, B0, "ServeFree")

ServeFree ==
  /\ At(R, "ServeFree")
  /\ FreeRecord(R, Goto(R, NoLocal, "Idle"))

ServiceNext ==
  \/ ServeTake \/ ServeWalk \/ ServeMerge \/ ServeMergeStash \/ ServeSweep
  \/ ServeSweepStash \/ ServePair \/ ServeMap \/ ServeMapStash \/ ServeClaim
  \/ ServeValue \/ ServeKey \/ ServeMember \/ ServeDrop \/ ServeRestore \/ ServeFree
=============================================================================
