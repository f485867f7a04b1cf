------------------------------ MODULE Programs ------------------------------
(***************************************************************************)
(* The programs of the operation states: what each actor calls.            *)
(*                                                                         *)
(*   Hold     a turn of a janitor: renews the lease of its process, or     *)
(*            takes one of the first n words that is vacant                *)
(*   Keep     such turns without end                                       *)
(*   Turn     loads how many leases there may be, and holds one            *)
(*   Leave    gives up what the process has                                *)
(*   Tick     n goes by on the clock of the host                           *)
(*   Tune     changes live parameters: those of the first word, then those *)
(*            of the second one. 0 leaves a parameter as it is             *)
(*   Read     loads word n of the live parameters                          *)
(*   Charge   charges identity n with some units, at an instant            *)
(*   Judge    the same, and says whether it is a suspect                   *)
(*   Take     admits some units of identity n if its bucket has room       *)
(*   Want     says that a writer is wanted                                 *)
(*   Beg      does so without end                                          *)
(*   Ask      asks whether one is wanted, of one who can give one up       *)
(*   Serve    does so without end                                          *)
(*                                                                         *)
(* An instant of a charge is what the caller has read from the clock *)
(* before, however long ago.                                               *)
(***************************************************************************)
EXTENDS Integers, Sequences

Nobody == [own |-> 0, at |-> 0]
Lease(own) == [own |-> own, at |-> 0]
Pair(a, b) == [a |-> a, b |-> b]
Untuned == Pair(0, 0)
Wish(end) == [on |-> 1, end |-> end]
NoWish == [on |-> 0, end |-> 0]

Calls(op, n, at, units, set) == [op |-> op, n |-> n, at |-> at, units |-> units, set |-> set]
Hold(run) == Calls("Hold", run, 0, 0, <<>>)
Keep(run) == Calls("Keep", run, 0, 0, <<>>)
Turn == Calls("Turn", 0, 0, 0, <<>>)
Leave == Calls("Leave", 0, 0, 0, <<>>)
Tick(n) == Calls("Tick", n, 0, 0, <<>>)
Tune(set) == Calls("Tune", 0, 0, 0, set)
Read(word) == Calls("Read", word, 0, 0, <<>>)
Charge(id, at, units) == Calls("Charge", id, at, units, <<>>)
Judge(id, at, units) == Calls("Judge", id, at, units, <<>>)
Take(id, at, units) == Calls("Take", id, at, units, <<>>)
Want == Calls("Want", 0, 0, 0, <<>>)
Beg == Calls("Beg", 0, 0, 0, <<>>)
Ask == Calls("Ask", 0, 0, 0, <<>>)
Serve == Calls("Serve", 0, 0, 0, <<>>)

(* leases, params: the words at the beginning. cells: how many the sketch  *)
(* has, and full: what is in them. crimes: how many offences an identity   *)
(* commits at most. wish: that of one who has died, or damage. acts: what  *)
(* the actors call. mortal: who may die; one does at most.                 *)
Of(acts) == [leases |-> <<>>, params |-> <<>>, cells |-> 0, full |-> 0, crimes |-> 0, wish |-> NoWish,
             acts |-> acts, mortal |-> {}]
Leases(leases, acts) == [Of(acts) EXCEPT !.leases = leases]
Params(params, acts) == [Of(acts) EXCEPT !.params = params]
Cells(cells, full, acts) == [Of(acts) EXCEPT !.cells = cells, !.full = full]
Wishes(wish, acts) == [Of(acts) EXCEPT !.wish = wish]
Crimes(n, p) == [p EXCEPT !.crimes = n]
Mortal(some, p) == [p EXCEPT !.mortal = some]

ProgramOf(name) == CASE
     name = "P01LeaseTwo" ->
       Leases(<<Nobody>>, <<<<Hold(1), Hold(1)>>, <<Hold(1), Hold(1)>>>>)
  [] name = "P01LeaseTwo_Leave" ->
       Leases(<<Lease(4)>>, <<<<Hold(1), Leave>>, <<Hold(1), Leave>>, <<Hold(1)>>>>)
  [] name = "P01LeaseTwo_Words" ->
       Leases(<<Nobody, Nobody>>, <<<<Hold(2), Hold(2)>>, <<Hold(2), Leave>>, <<Hold(2)>>>>)
  [] name = "P02LeaseOwnerDies" ->
       Mortal({1}, Leases(<<Nobody>>, <<<<Keep(1)>>, <<Keep(1)>>>>))
  [] name = "P02LeaseOwnerDies_Two" ->
       Mortal({1}, Leases(<<Lease(1)>>, <<<<Hold(1), Hold(1)>>, <<Keep(1)>>, <<Keep(1)>>>>))
  [] name = "P03LeaseOwnerLate" ->
       Leases(<<Lease(1)>>, <<<<Hold(1), Hold(1)>>, <<Hold(1), Hold(1)>>, <<Tick(1), Tick(3)>>>>)
  [] name = "P03LeaseOwnerLate_Leave" ->
       Mortal({1, 2}, Leases(<<Lease(1)>>, <<<<Hold(1), Leave>>, <<Hold(1), Hold(1)>>, <<Tick(3)>>>>))
  [] name = "P04LeaseRunLowered" ->
       [Leases(<<Lease(1), Lease(2)>>, <<<<Turn, Turn>>, <<Turn, Turn>>, <<Tune(<<Pair(1, 0)>>)>>>>)
          EXCEPT !.params = <<Pair(2, 0)>>]
  [] name = "P04LeaseRunLowered_Raised" ->
       [Leases(<<Lease(1), Lease(4)>>,
               <<<<Turn, Turn>>, <<Turn, Turn>>, <<Tune(<<Pair(0, 1)>>), Tune(<<Pair(2, 0)>>)>>>>)
          EXCEPT !.params = <<Pair(1, 0)>>]
  [] name = "P05TunePair" ->
       Mortal({1, 2}, Params(<<Untuned>>,
         <<<<Tune(<<Pair(1, 1)>>)>>, <<Tune(<<Pair(2, 2)>>), Tune(<<Pair(3, 0)>>)>>,
           <<Read(1), Read(1)>>>>))
  [] name = "P05TunePair_Fields" ->
       Mortal({1, 2}, Params(<<Untuned>>,
         <<<<Tune(<<Pair(1, 0)>>), Tune(<<Pair(2, 0)>>)>>, <<Tune(<<Pair(0, 3)>>), Tune(<<Pair(0, 4)>>)>>,
           <<Read(1), Read(1)>>>>))
  [] name = "P05TunePair_Words" ->
       Mortal({1, 2}, Params(<<Untuned, Untuned>>,
         <<<<Tune(<<Pair(1, 1), Pair(1, 0)>>)>>, <<Tune(<<Pair(2, 0), Pair(2, 2)>>)>>,
           <<Read(2), Read(1)>>>>))
  [] name = "P06ChargeTwo" ->
       Mortal({1, 2}, Cells(4, 0, <<<<Charge(1, 0, 1)>>, <<Charge(1, 1, 1), Charge(1, 1, 1)>>>>))
  [] name = "P06ChargeTwo_Shared" ->
       Mortal({1, 2}, Cells(5, 1, <<<<Charge(1, 0, 1), Charge(1, 5, 1)>>, <<Charge(2, 1, 2)>>>>))
  [] name = "P06ChargeTwo_Three" ->
       Mortal({1, 2}, Cells(5, 0, <<<<Charge(1, 0, 1)>>, <<Charge(2, 0, 1)>>, <<Charge(1, 2, 2)>>>>))
  [] name = "P07MarkTwo" ->
       Mortal({1, 2}, Crimes(1, Cells(4, 2, <<<<Judge(1, 0, 1)>>, <<Judge(1, 1, 2)>>>>)))
  [] name = "P07MarkTwo_Again" ->
       Mortal({1, 2}, Crimes(2, Cells(4, 2, <<<<Judge(1, 0, 1)>>, <<Judge(1, 0, 1), Judge(1, 9, 3)>>>>)))
  [] name = "P07MarkTwo_Shared" ->
       Mortal({1, 2}, Crimes(1, Cells(5, 2, <<<<Judge(1, 0, 1)>>, <<Judge(2, 0, 2)>>>>)))
  [] name = "P07MarkTwo_Room" ->
       Mortal({1, 2}, Crimes(1, Cells(4, 1, <<<<Judge(1, 0, 1)>>, <<Judge(1, 0, 1)>>>>)))
  [] name = "P08TakeTwo" ->
       Mortal({1, 2}, Cells(4, 1, <<<<Take(1, 0, 1), Take(1, 0, 1)>>, <<Take(1, 0, 1), Take(1, 1, 1)>>>>))
  [] name = "P09HandoverTwo" ->
       Mortal({1, 2}, Wishes(NoWish, <<<<Want, Want>>, <<Ask, Ask>>, <<Ask>>>>))
  [] name = "P09HandoverTwo_Over" ->
       Mortal({1}, Wishes(Wish(2), <<<<Want, Ask>>, <<Ask, Ask>>, <<Tick(1), Tick(2)>>>>))
  [] name = "P09HandoverTwo_Late" ->
       Mortal({1, 2}, Wishes(NoWish, <<<<Want>>, <<Want, Ask>>, <<Tick(1), Tick(2)>>>>))
  [] name = "P09HandoverTwo_Damaged" ->
       Wishes(Wish(9), <<<<Want, Ask>>, <<Ask>>, <<Tick(1), Tick(2)>>>>)
  [] name = "P09HandoverTwo_Bit" ->
       Wishes([NoWish EXCEPT !.end = 2], <<<<Want>>, <<Ask, Ask>>, <<Tick(1)>>>>)
  [] name = "P09HandoverTwo_Served" ->
       Wishes(NoWish, <<<<Beg>>, <<Serve>>, <<Tick(1), Tick(3)>>>>)
  [] name = "P09HandoverTwo_Dies" ->
       Mortal({1}, Wishes(NoWish, <<<<Beg>>, <<Beg>>, <<Serve>>>>))
=============================================================================
