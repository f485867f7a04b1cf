------------------------------- MODULE MCLines -------------------------------
(***************************************************************************)
(* Adds that look for room beyond their windows,     on windows of the     *)
(* engine's shortest long ring: the rows that their programs can reach.    *)
(* Half 0 goes up to lines that are far from the others, half 1 down.      *)
(* Same names and contents: model/scattered.go, which the engine runs, too.*)
(***************************************************************************)
EXTENDS MCHopscotch

(* N = 8, W = 5. Of rows that no step comes to there are no cells.         *)
NoWindow == <<N, N, N, N, N>>
OfHalf0 == << <<0, 1, 2, 3, 4>>, <<1, 0, 3, 2, N>>, <<2, 3, 0, 1, 5>>, <<3, 2, 1, 0, N>>,
              NoWindow, NoWindow, <<6, N, N, 5, 7>>, NoWindow >>
OfHalf1 == << <<0, 1, 2, 3, 4>>, <<1, 0, 3, 2, N>>, <<2, 3, 0, 1, 5>>, <<3, 2, 1, 0, N>>,
              NoWindow, NoWindow, <<6, N, N, N, N>>, NoWindow >>
LineCells == [h \in {0, 1} |-> [home \in 0 .. N - 1 |-> [o \in 0 .. W - 1 |->
  IF h = 0 THEN OfHalf0[home + 1][o + 1] ELSE OfHalf1[home + 1][o + 1]]]]
OnLines == LineCells
NearHalf == W - W \div 2
ThreeWindows == 3 * W
LineOf(h, k) == CASE k < 10 -> 0 [] k \in {12, 13} -> 6 [] k = 14 -> 3 [] OTHER -> 2

(* Half 1 is full of its own bucket. On a line of its own in half 0 is a   *)
(* bucket of two, whose member can move.                                   *)
FullHalf1 == {in(1, 5, 50), member(1, 6, 60, 1), member(1, 7, 70, 2), member(1, 8, 80, 3), member(1, 9, 90, 4)}
Movable == {in(0, 12, 120), member(0, 13, 130, 3)}

(* The member at offset 1 of the window can move once the one beyond it    *)
(* has.                                                                    *)
Alone == [program |-> << <<add(1, 19)>> >>,
          memory |-> FullHalf1 \cup Movable \cup
            {in(0, 2, 20), member(0, 3, 30, 4), in(0, 10, 100), member(0, 11, 110, 3), in(0, 14, 140)}]

(* A member has the home, and the way beyond is above it in its own        *)
(* window. A service meets the moves.                                      *)
Foreign == [program |-> << <<add(1, 19)>>, <<restore(12)>> >>,
            memory |-> FullHalf1 \cup Movable \cup
              {in(0, 10, 100), member(0, 11, 110, 2), member(0, 15, 150, 3), in(0, 14, 140)}]

(* The last member of the window of key 1 in half 0 that could move has a  *)
(* deleted one above it, three offsets away, which no step of the scan     *)
(* comes to: it is kept in mind, and reclaimed at the end (RoomSpare).     *)
Spare == [program |-> << <<delete(13), add(1, 19)>> >>,
          memory |-> FullHalf1 \cup Movable \cup
            {in(0, 2, 20), member(0, 3, 30, 1), member(0, 4, 40, 4), in(0, 10, 100), member(0, 11, 110, 1)}]

(* The member at offset 2 of the window of key 1 has no place above it, and *)
(* its base, which is deleted, stands in a row that no step of the scan     *)
(* comes to: the member takes the place of its base (RoomBase).             *)
FarOf(h, k) == IF k \in {12, 13} /\ h = 1 THEN 5 ELSE LineOf(h, k)
FarCells == [h \in {0, 1} |-> [home \in 0 .. N - 1 |-> [o \in 0 .. W - 1 |->
  CASE h = 0 /\ home = 6 -> <<6, N, N, N, 2>>[o + 1]
    [] h = 1 /\ home = 5 -> <<5, N, N, N, N>>[o + 1]
    [] h = 1 /\ home = 6 -> N
    [] OTHER -> LineCells[h][home][o]]]]
FarBase == [program |-> << <<delete(12), add(1, 19)>> >>,
            memory |-> FullHalf1 \cup
              {in(0, 2, 20), member(0, 3, 30, 1), in(0, 14, 140), member(0, 4, 40, 4),
               in(0, 12, 120), member(0, 13, 130, 4)}]

(* What moves, or is reclaimed, makes room: nothing leaves but by a delete. *)
Deleted(k) == \E t \in Actors : \E i \in 1 .. Len(Programs[t]) : Programs[t][i] = delete(k)
NothingLeaves == \A k \in DOMAIN InitMap : map[k] # None \/ Deleted(k)
=============================================================================
