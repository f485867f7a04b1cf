----------------------------- MODULE MCScattered -----------------------------
(***************************************************************************)
(* Programs on windows whose cells are not in a row, as on the engine's    *)
(* long rings (impl/hopscotch/displacement.go): far apart, over the end of *)
(* the ring, up in half 0 and down in half 1.                              *)
(* Same names and contents: model/scattered.go.                            *)
(***************************************************************************)
EXTENDS MCHopscotch

(* N = 8, W = 3: 7 and 5 cells up from the home in half 0, as many down in *)
(* half 1.                                                                 *)
Away == [o \in 0 .. 2 |-> CASE o = 0 -> 0 [] o = 1 -> 7 [] OTHER -> 5]
OppositeCells == [h \in {0, 1} |-> [home \in 0 .. N - 1 |-> [o \in 0 .. W - 1 |->
  IF h = 0 THEN (home + Away[o]) % N ELSE (home + N - Away[o]) % N]]]
Opposite == OppositeCells

(* The front of a window, as the engine has it there.                      *)
NearHalf == W - W \div 2

(* Two collisions want one hole, at another offset of each bucket.         *)
SharedHole == [program |-> << <<add(2, 12)>>, <<add(10, 22)>> >>,
               memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90),
                           in(1, 3, 30), in(1, 7, 70), in(1, 11, 95), member(1, 12, 97, 1)}]

(* In either half the home of key 5 is a member of another bucket, and has *)
(* another way to go.                                                      *)
Usurped == [program |-> << <<add(5, 15)>>, <<update(2, 22)>> >>,
            memory |-> {in(0, 9, 90), member(0, 10, 95, 1), in(1, 1, 10), member(1, 2, 20, 1)}]

(* Both windows are full; the member in cell 7 of half 0 can move to cell  *)
(* 5, which is in the window of its base only.                             *)
Filled == [program |-> << <<add(10, 15)>>, <<get(2)>> >>,
           memory |-> {in(0, 9, 90), in(0, 5, 50), in(0, 1, 10), member(0, 2, 20, 1),
                       in(1, 11, 95), in(1, 3, 30), member(1, 4, 40, 2), member(1, 12, 97, 2)}]

(* The home in half 1 is a member that cannot move until what stands       *)
(* further on in its own window has moved; half 0 is full.                 *)
Foreign == [program |-> << <<add(5, 15)>> >>,
            memory |-> {in(0, 7, 70), in(0, 3, 30), member(0, 8, 80, 2),
                        in(1, 1, 10), member(1, 2, 20, 1), in(1, 9, 90), member(1, 10, 95, 1)}]

(* The member moves up to the base, from the end of its window, while a    *)
(* reader looks for it.                                                    *)
Lifted == [program |-> << <<get(6)>>, <<delete(5), crop(5)>> >>,
           memory |-> {in(1, 5, 50), member(1, 6, 60, 2), in(0, 9, 90)}]

(* An adder alone, in whose way nobody moves a hole. Of key 2 the one in   *)
(* half 0 is behind the front, in half 1 in it; of key 4, then, half 1 has *)
(* no nearer one; and of key 6 none at all, for what it pushes away there  *)
(* is the last but one of its window.                                      *)
Glanced == [program |-> << <<add(2, 12), add(4, 14), add(6, 16)>> >>,
            memory |-> {in(0, 1, 10), in(0, 5, 50), in(0, 9, 90), member(0, 10, 95, 2), in(1, 3, 30)}]

(* A glance takes the chosen half when that has a hole in the front, or    *)
(* the other half none that is nearer; else the other one. The hole is the *)
(* offset of the first one, 0 if nothing has to be pushed away. Checked in *)
(* the programs of one actor.                                              *)
HoleIn(l, h, k) ==
  LET holes == {o \in Passed(l, h) + 1 .. W - 1 : w0[At(h, PushedFrom(l, h, k), o)].f = "E"}
  IN CASE ~Pushes(l, h) -> 0
       [] holes = {} -> W
       [] OTHER -> Least(holes)
NearerHole == [][\A t \in Actors : loc[t].pc = "FrontPeek" /\ loc'[t].pc \notin {"FrontPeek", "Dead"} =>
  LET l == loc[t]
      hole(h) == HoleIn(l, h, Op(t).k)
      stays == hole(l.half) < Front \/ hole(l.half) <= hole(1 - l.half)
  IN loc'[t].half = IF stays THEN l.half ELSE 1 - l.half]_loc
=============================================================================
