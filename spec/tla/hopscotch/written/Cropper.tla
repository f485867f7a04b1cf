------------------------------ MODULE Cropper ------------------------------
(***************************************************************************)
(* The cropper: becomes master of a bucket and marks it swappy, waits for  *)
(* plain readers, exchanges lost members with the farthest live ones,      *)
(* takes the lost ones at the end out of the real cbits and of all taken   *)
(* maps, and zeroes their cells last. States 9, 16, 20, 22.                *)
(***************************************************************************)
EXTENDS Deleter

K == CropActor
KB == l[K].b
CropMine == {"root", "swappy"}
CropAgain == [NoLocal EXCEPT !.b = KB]

CropTake ==
  /\ At(K, "Idle")
  /\ cq # <<>>
  /\ cq' = Tail(cq)
  /\ Goto(K, [NoLocal EXCEPT !.b = Head(cq)], "CropLoad")
  /\ KeepButC

(* Waits while somebody else is master. *)
CropLoad ==
  LET w == c[KB] IN
  /\ At(K, "CropLoad")
  /\ ~(w.f = "BO" /\ "root" \in w.fl)
  /\ CASE ~IsBase(w) \/ (w.f = "B" /\ w.m = {0}) -> Goto(K, NoLocal, "Idle")
       [] w.f = "B" /\ w.m # {0} -> Goto(K, [l[K] EXCEPT !.w = w], "CropPop")
       [] OTHER -> Goto(K, [l[K] EXCEPT !.s = w.s], "CropFollow")
  /\ KeepAll

CropPop ==
  /\ At(K, "CropPop")
  /\ TakeRecord(K, "CropFill")

CropFill ==
  /\ At(K, "CropFill")
  /\ st' = [st EXCEPT ![l[K].s] = Filled(l[K].w.m)]
  /\ Goto(K, l[K], "CropStash")
  /\ KeepButS

CropStash ==
  /\ At(K, "CropStash")
  /\ IF c[KB] = l[K].w
     THEN /\ c' = [c EXCEPT ![KB] = BaseOp(l[K].s, CropMine, l[K].w.k)]
          /\ Goto(K, [l[K] EXCEPT !.w = Empty0], "CropWait")
     ELSE Goto(K, [l[K] EXCEPT !.w = Empty0], "CropPush") /\ UNCHANGED c
  /\ KeepBut0

CropPush ==
  /\ At(K, "CropPush")
  /\ FreeRecord(K, Goto(K, CropAgain, "CropLoad"))

CropFollow ==
  /\ At(K, "CropFollow")
  /\ Follow(K, KB, "CropMaster", Goto(K, CropAgain, "CropLoad"))

CropMaster ==
  LET w == c[KB] IN
  /\ At(K, "CropMaster")
  /\ IF w.f = "BO" /\ Names(w, l[K].s) /\ "root" \notin w.fl
     THEN /\ c' = [c EXCEPT ![KB].fl = @ \cup CropMine]
          /\ Goto(K, l[K], "CropWait")
     ELSE Goto(K, [l[K] EXCEPT !.r = Retry], "CropDrop") /\ UNCHANGED c
  /\ KeepBut0

CropWait ==
  /\ At(K, "CropWait")
  /\ NoReaders(tv[KB])
  /\ Goto(K, l[K], "CropReal")
  /\ KeepAll

CropReal ==
  /\ At(K, "CropReal")
  /\ Goto(K, [l[K] EXCEPT !.m = st[l[K].s].real \ {0}], "CropLow")
  /\ KeepAll
----------------------------------------------------------------------------
(* The nearest lost member. One that is pinned is waited for.              *)
CropLow ==
  LET j == Least(l[K].m)
      w == c[Up(KB, j)]
  IN
  /\ At(K, "CropLow")
  /\ IF l[K].m = {} THEN Goto(K, l[K], IF l[K].g = {} THEN "CropDrop" ELSE "CropCheck")
     ELSE IF w.f = "M" /\ w.k = Lost
     THEN w.n = 0 /\ Goto(K, [l[K] EXCEPT !.m = @ \ {j}, !.j = j], "CropHigh")
     ELSE Goto(K, [l[K] EXCEPT !.m = @ \ {j}], "CropLow")
  /\ KeepAll

(* The farthest live member beyond it; what is lost there stays there.     *)
CropHigh ==
  LET far == Most(l[K].m)
      w == c[Up(KB, far)]
  IN
  /\ At(K, "CropHigh")
  /\ IF l[K].m = {}
     THEN Goto(K, [l[K] EXCEPT !.g = @ \cup {l[K].j}, !.j = 0], "CropLow")
     ELSE IF w.f = "M" /\ w.k \notin {None, Lost}
     THEN w.n = 0 /\ Goto(K, [l[K] EXCEPT !.k = w.k], "CropCopy")
     ELSE Goto(K, [l[K] EXCEPT !.m = @ \ {far},
                               !.g = IF w.f = "M" /\ w.k = Lost THEN @ \cup {far} ELSE @],
               "CropHigh")
  /\ KeepAll

CropCopy ==
  /\ At(K, "CropCopy")
  /\ Goto(K, [l[K] EXCEPT !.v = tv[Up(KB, Most(l[K].m))].v], "CropMoveValue")
  /\ KeepAll

CropMoveValue ==
  /\ At(K, "CropMoveValue")
  /\ tv' = [tv EXCEPT ![Up(KB, l[K].j)].v = l[K].v]
  /\ Goto(K, [l[K] EXCEPT !.v = None], "CropMoveKey")
  /\ KeepBut1

CropMoveKey ==
  LET a == Up(KB, l[K].j) IN
  /\ At(K, "CropMoveKey")
  /\ IF c[a].f = "M" /\ c[a].k = Lost
     THEN /\ c' = [c EXCEPT ![a] = Member(c[a].o, {}, c[a].n, l[K].k)]
          /\ Goto(K, [l[K] EXCEPT !.j = 0], "CropMoveLost")
     ELSE Goto(K, [l[K] EXCEPT !.j = 0, !.k = None], "CropLow") /\ UNCHANGED c
  /\ KeepBut0

(* The element has moved; what it leaves is lost, and past the swap. Who   *)
(* has pinned it is waited for.                                            *)
CropMoveLost ==
  LET far == Most(l[K].m)
      a == Up(KB, far)
  IN
  /\ At(K, "CropMoveLost")
  /\ ~(c[a].f = "M" /\ c[a].k = l[K].k /\ c[a].n > 0)
  /\ c' = IF c[a].f = "M" /\ c[a].k = l[K].k
          THEN [c EXCEPT ![a].k = Lost, ![a].fl = {"delete"}] ELSE c
  /\ Goto(K, [l[K] EXCEPT !.m = @ \ {far}, !.g = @ \cup {far}, !.k = None], "CropLow")
  /\ KeepBut0
----------------------------------------------------------------------------
(* Is the key of what is to be erased still lost? m holds what was looked  *)
(* at.                                                                     *)
CropCheck ==
  LET j == Least(l[K].g \ l[K].m)
      w == c[Up(KB, j)]
      seen == l[K].m \cup {j}
      keep == IF w.f = "M" /\ w.k = Lost THEN l[K].g ELSE l[K].g \ {j}
  IN
  /\ At(K, "CropCheck")
  /\ Goto(K, [l[K] EXCEPT !.g = keep, !.m = IF keep \subseteq seen THEN {} ELSE seen \cap keep],
          IF keep = {} THEN "CropDrop"
          ELSE IF keep \subseteq seen THEN "CropRemove" ELSE "CropCheck")
  /\ KeepAll

CropRemove ==
  /\ At(K, "CropRemove")
  /\ st' = [st EXCEPT ![l[K].s].real = @ \ l[K].g]
  /\ Goto(K, [l[K] EXCEPT !.m = Offsets], "CropSweep")
  /\ KeepButS

(* Cell by cell: out of every taken map that covers it, then zero.         *)
CropCell == Up(KB, Most(l[K].g))

CropSweep ==
  LET d == Least(l[K].m)
      rest == [l[K] EXCEPT !.m = @ \ {d}]
  IN
  /\ At(K, "CropSweep")
  /\ ChangeMap(K, Down(CropCell, d), {}, {d}, "CropSweepStash",
               Goto(K, rest, IF rest.m = {} THEN "CropZero1" ELSE "CropSweep"))

CropSweepStash ==
  LET d == Least(l[K].m)
      rest == [l[K] EXCEPT !.m = @ \ {d}, !.e = 0]
  IN
  /\ At(K, "CropSweepStash")
  /\ ChangeStashed(K, {}, {d},
                   Goto(K, rest, IF rest.m = {} THEN "CropZero1" ELSE "CropSweep"))

CropZero1 ==
  /\ At(K, "CropZero1")
  /\ tv' = [tv EXCEPT ![CropCell] = Zero1]
  /\ Goto(K, l[K], "CropZero0")
  /\ KeepBut1

CropZero0 ==
  LET rest == l[K].g \ {Most(l[K].g)} IN
  /\ At(K, "CropZero0")
  /\ c' = IF c[CropCell].f = "M" /\ c[CropCell].k = Lost
          THEN [c EXCEPT ![CropCell] = Empty0] ELSE c
  /\ Goto(K, [l[K] EXCEPT !.g = rest, !.m = IF rest = {} THEN {} ELSE Offsets],
          IF rest = {} THEN "CropDrop" ELSE "CropSweep")
  /\ KeepBut0
----------------------------------------------------------------------------
CropEnd == IF l[K].r = Retry THEN Goto(K, CropAgain, "CropLoad") ELSE Goto(K, NoLocal, "Idle")

CropDrop ==
  /\ At(K, "CropDrop")
  /\ GiveBack(K, KB, "CropRestore", "CropFree", CropEnd)

CropRestore ==
  /\ At(K, "CropRestore")
  /\ PutBack(K, KB, "CropFree")

CropFree ==
  /\ At(K, "CropFree")
  /\ FreeRecord(K, CropEnd)

CropperNext ==
  \/ CropTake \/ CropLoad \/ CropPop \/ CropFill \/ CropStash \/ CropPush
  \/ CropFollow \/ CropMaster \/ CropWait \/ CropReal \/ CropLow \/ CropHigh
  \/ CropCopy \/ CropMoveValue \/ CropMoveKey \/ CropMoveLost \/ CropCheck
  \/ CropRemove \/ CropSweep \/ CropSweepStash \/ CropZero1 \/ CropZero0
  \/ CropDrop \/ CropRestore \/ CropFree
=============================================================================
