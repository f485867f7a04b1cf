------------------------------- MODULE MCLate -------------------------------
(***************************************************************************)
(* Programs for what no program of the operation states shows: the way     *)
(* back of an aborted operation while a helper of it sleeps, a crop that   *)
(* finds its member behind a live one, and adds without room that meet     *)
(* what is lost, or have members of others in both home cells; updates     *)
(* of a key that is deleted meanwhile.                                     *)
(***************************************************************************)
EXTENDS MCHopscotch

(* The member has another value when it is to be frozen, so the move is    *)
(* given up. Whoever sleeps before the mark, or on the way back, finds it  *)
(* in the next operation on it, or at rest.                                *)
GivenBack == [program |-> << <<add(5, 15)>>, <<update(2, 22), restore(1)>> >>,
              memory |-> Usurpable]

(* Of two adds of a key the one in half 1 is aborted; the cell that it had *)
(* claimed is empty again, and somebody else's, while a helper sleeps.     *)
Reopened == [program |-> << <<add(1, 11)>>, <<add(1, 21), add(2, 22)>> >>, memory |-> {}]

(* The first member is alive, the second one is deleted.                   *)
Second == [program |-> << <<delete(4), crop(4)>> >>, memory |-> Three]

(* Both windows are full; what stands where a hole could be is lost.       *)
LostInTheWay == [program |-> << <<delete(6), add(2, 12)>> >>, memory |-> FullWithRoom]

(* In both halves the home cell is another bucket's, and cannot move: such *)
(* a member leaves, whatever its age.                                      *)
ForeignHomes == [program |-> << <<add(5, 15)>> >>,
                 memory |-> {in(0, 1, 10), member(0, 2, 20, 1), in(0, 9, 90),
                             in(1, 3, 30), member(1, 4, 40, 1), in(1, 10, 95)}]

(* An update may swap after the delete of its key, and counts as just      *)
(* before it (Supersede in Map); the other one swaps before, or finds      *)
(* nothing.                                                                *)
Superseded == [program |-> << <<update(1, 11)>>, <<update(1, 21)>>, <<delete(1)>> >>,
               memory |-> {in(0, 1, 10)}]
=============================================================================
