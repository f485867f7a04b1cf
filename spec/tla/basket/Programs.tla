------------------------------ MODULE Programs ------------------------------
(***************************************************************************)
(* The programs of the operation states: what each actor calls, and what   *)
(* is in the memory before. Three or four baskets of two records.          *)
(***************************************************************************)
EXTENDS Integers

OfKey(op, k, v) == [op |-> op, k |-> k, v |-> v]
Get(k) == OfKey("Get", k, 0)
Set(k, v) == OfKey("Set", k, v)
Delete(k) == OfKey("Delete", k, 0)
(* The key is a suspect from here on, or is one no more.                   *)
Mark(k) == OfKey("Mark", k, 1)
Clear(k) == OfKey("Mark", k, 0)
(* What makes room: a whole basket whose live records are evicted, the same*)
(* one record at a time, and one whose live records are moved.             *)
Retire == OfKey("Retire", 0, 0)
Portion == OfKey("Portion", 0, 0)
Compact == OfKey("Compact", 0, 0)
(* The same as the last one, but what is moved goes to the top tier.       *)
Promote == OfKey("Promote", 0, 0)
(* A sealed basket goes to the tier below.                                 *)
Age == OfKey("Age", 0, 0)
(* An add of another key that finds the index full, and takes out what has *)
(* the hash of k.                                                          *)
Crowd(k) == OfKey("Crowd", k, 0)
(* The parameters of ageing are a pair in one word. A change names the     *)
(* halves that it is about; 0 leaves one as it is.                         *)
Pair(lo, hi) == [lo |-> lo, hi |-> hi]
NoPair == Pair(0, 0)
Tune(lo, hi) == OfKey("Tune", lo, hi)
Changed(p, o) == Pair(IF o.k = 0 THEN p.lo ELSE o.k, IF o.v = 0 THEN p.hi ELSE o.v)
(* What ages by the pair. With one tier a basket retires, whose live       *)
(* records are moved if both halves say so, else evicted. With more tiers  *)
(* baskets go down from the top tier, or from the one below it, as the     *)
(* half of that tier says.                                                 *)
Tend == OfKey("Tend", 0, 0)
Compacts(p) == p = Pair(2, 2)
Sinks(p, tier) == (IF tier = 0 THEN p.lo ELSE p.hi) = 1
Services == {"Retire", "Portion", "Compact", "Promote", "Age", "Tend", "Crowd"}

No == [size |-> 0, k |-> 0, lo |-> 0, hi |-> 0, nx |-> 0, sus |-> 0]
RecOf(h, k, v, nx) == [size |-> h, k |-> k, lo |-> v, hi |-> v, nx |-> nx, sus |-> 0]
Rec(k, v, nx) == RecOf(1, k, v, nx)
(* A record that the index has not.                                        *)
Old == Rec(1, 9, 0)

HeadOf(st, own, seq) == [st |-> st, own |-> own, gen |-> 0, seq |-> seq, tier |-> 0]
Free == HeadOf("free", 0, 0)
Sealed(seq) == HeadOf("sealed", 0, seq)
Opened(a) == HeadOf("open", a, 1 + a)
Retiring(a) == HeadOf("retiring", a, 1)
(* The same in the tier below the top one.                                 *)
Below(w) == [w EXCEPT !.tier = 1]

(* hashes: of each key. start: the values before. words: the refs of the   *)
(* index. mortal, deaths: who may die, and how many. moves: how often the  *)
(* index moves an entry. adds: how the index takes a new key. tiers: how many    *)
(* there are. lanes: into how many of them an actor appends. pair: that of *)
(* the parameters before; NoPair where nobody ages by one.                 *)
Of(hashes, start, words, heads, recs, acts) ==
  [hashes |-> hashes, start |-> start, words |-> words, heads |-> heads, recs |-> recs, acts |-> acts,
   mortal |-> {}, deaths |-> 0, moves |-> 0, adds |-> "swap", tiers |-> 1, lanes |-> 1, pair |-> NoPair]
Dying(p, some) == [p EXCEPT !.mortal = some, !.deaths = 1]
Moving(p) == [p EXCEPT !.moves = 1]
Described(p) == [p EXCEPT !.adds = "descriptor"]
Tiered(p, tiers) == [p EXCEPT !.tiers = tiers]
(* The key of that record is a suspect at the beginning.                   *)
Marked(p, ref) == [p EXCEPT !.recs[ref].sus = 1]
Paired(p, lo, hi) == [p EXCEPT !.pair = Pair(lo, hi)]
Laned(p) == [p EXCEPT !.tiers = 2, !.lanes = 2]

(* One key in the first basket, behind it a dead record.                   *)
One(heads, acts) == Of(<<1>>, <<10>>, <<1>>, heads, <<Rec(1, 10, 0), Old, No, No, No, No>>, acts)
(* Two keys of one hash in the first basket; the second one is the head.   *)
Two(heads, acts) ==
  Of(<<1, 1>>, <<10, 20>>, <<2>>, heads, <<Rec(1, 10, 0), Rec(2, 20, 1), No, No, No, No>>, acts)
(* The same, the head in the second basket.                                *)
Apart(heads, acts) ==
  Of(<<1, 1>>, <<10, 20>>, <<3>>, heads, <<Rec(1, 10, 0), Old, Rec(2, 20, 1), No, No, No>>, acts)

ProgramOf(name) == CASE
     name = "C01GetReuse" ->
       One(<<Sealed(1), Opened(2), Free>>, <<<<Get(1)>>, <<Set(1, 11), Retire, Set(1, 12), Set(1, 13)>>>>)
  [] name = "C01GetReuse_Colliding" ->
       Two(<<Sealed(1), Opened(2), Free>>, <<<<Get(1)>>, <<Set(1, 11), Set(2, 21), Set(1, 12)>>>>)
  [] name = "C02SetEvict" ->
       Moving(Dying(One(<<Sealed(1), Opened(1), Free>>, <<<<Set(1, 11), Get(1)>>, <<Retire>>>>), {1, 2}))
  [] name = "C02SetEvict_Last" ->
       Of(<<1>>, <<10>>, <<1>>, <<Opened(2), Opened(1), Free>>, <<Rec(1, 10, 0), No, Old, No, No, No>>,
          <<<<Set(1, 11), Set(1, 12)>>, <<Retire, Get(1)>>>>)
  [] name = "C03SetCompact" ->
       Moving(Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Set(1, 11), Get(1)>>, <<Compact>>>>), {1, 2}))
  [] name = "C03SetCompact_Colliding" ->
       Apart(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Set(1, 11), Get(2)>>, <<Compact>>>>)
  [] name = "C04DeleteEvict" ->
       Moving(Dying(One(<<Sealed(1), Opened(1), Free>>, <<<<Delete(1), Get(1)>>, <<Retire>>>>), {1, 2}))
  [] name = "C05PromoteSet" ->
       Tiered(Moving(Dying(One(<<Below(Sealed(1)), Opened(1), Opened(2)>>,
                               <<<<Set(1, 11), Get(1)>>, <<Promote>>>>), {1, 2})), 2)
  [] name = "C05PromoteSet_Lanes" ->
       Laned(Dying(Of(<<1, 2>>, <<10, 20>>, <<1, 3>>,
                      <<Below(Sealed(1)), Below(Sealed(2)), Opened(2), Below(HeadOf("open", 2, 4))>>,
                      <<Rec(1, 10, 0), Old, RecOf(2, 2, 20, 0), Old, No, No, No, No>>,
                      <<<<Set(1, 11), Get(2)>>, <<Compact, Promote>>>>), {2}))
  [] name = "C06PromoteAge" ->
       Tiered(Dying(One(<<Sealed(1), Opened(1), Opened(2)>>,
                        <<<<Age, Promote, Get(1)>>, <<Promote, Age>>>>), {1, 2}), 2)
  [] name = "C06PromoteAge_Three" ->
       Tiered(Dying(Of(<<1>>, <<10>>, <<1>>, <<Sealed(1), Below(Sealed(2)), Opened(2)>>,
                       <<Rec(1, 10, 0), Old, Old, Old, No, No>>,
                       <<<<Age, Retire, Set(1, 11)>>, <<Age, Promote>>>>), {2}), 3)
  [] name = "C07SetSetColliding" ->
       Two(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Set(1, 11), Get(2)>>, <<Set(2, 21), Get(1)>>>>)
  [] name = "C07SetSetColliding_New" ->
       Described(Of(<<1, 1>>, <<0, 0>>, <<0>>, <<Opened(1), Opened(2), Free>>, <<No, No, No, No, No, No>>,
                    <<<<Set(1, 11), Get(1)>>, <<Set(2, 21), Get(1)>>>>))
  [] name = "C07SetSetColliding_Get" ->
       Moving(Two(<<Sealed(1), Opened(1), Opened(2)>>,
                  <<<<Set(1, 11), Get(2), Set(1, 12)>>, <<Get(2)>>>>))
  [] name = "C08DeleteSetColliding" ->
       Two(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Delete(1), Get(2)>>, <<Set(2, 21), Get(1)>>>>)
  [] name = "C08DeleteSetColliding_Back" ->
       Two(<<Sealed(1), Opened(1), Free>>, <<<<Set(1, 11), Delete(1), Get(1)>>, <<Get(2)>>>>)
  [] name = "C09EvictColliding" ->
       Apart(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Set(2, 21), Get(1)>>, <<Retire>>>>)
  [] name = "C09EvictColliding_Cut" ->
       Apart(<<Sealed(1), Opened(1), Free>>, <<<<Set(2, 21), Get(1)>>, <<Retire>>>>)
  [] name = "C09EvictColliding_Reuse" ->
       Apart(<<Retiring(2), Sealed(3), Opened(1)>>,
             <<<<Set(2, 21), Retire, Set(1, 12)>>, <<Retire>>>>)
  [] name = "C10OpenOwnerDies" ->
       Dying(Of(<<1>>, <<10>>, <<1>>, <<Sealed(1), Opened(1), Opened(2)>>,
                <<Rec(1, 10, 0), Old, No, No, Old, Old>>,
                <<<<Set(1, 11)>>, <<Set(1, 12), Set(1, 13), Set(1, 14), Get(1)>>>>), {1})
  [] name = "C10OpenOwnerDies_New" ->
       Described(Dying(Of(<<1>>, <<0>>, <<0>>, <<Free, Opened(1), Opened(2)>>, <<No, No, No, No, No, No>>,
                          <<<<Set(1, 11)>>, <<Retire, Get(1), Set(1, 12)>>>>), {1}))
  [] name = "C10OpenOwnerDies_Scarce" ->
       Dying(Of(<<1>>, <<0>>, <<0>>, <<Opened(1), Opened(3)>>, <<No, No, No, No>>,
                <<<<Set(1, 11)>>, <<Set(1, 12)>>, <<>>>>), {1})
  [] name = "C11RetireOwnerDies" ->
       Dying(One(<<Retiring(1), Free, Free>>, <<<<Retire>>, <<Retire>>, <<Retire>>>>), {1})
  [] name = "C11RetireOwnerDies_Portions" ->
       Dying(Of(<<1, 2>>, <<10, 20>>, <<1, 2>>, <<Sealed(1), Opened(1), Opened(2)>>,
                <<Rec(1, 10, 0), RecOf(2, 2, 20, 0), No, No, No, No>>,
                <<<<Portion, Set(1, 11), Portion, Portion>>, <<Compact, Get(2)>>>>), {1})
  [] name = "C11RetireOwnerDies_Scarce" ->
       Dying(Of(<<1>>, <<10>>, <<1>>, <<Sealed(1), Opened(3)>>, <<Rec(1, 10, 0), Old, No, No>>,
                <<<<Retire>>, <<Set(1, 12)>>, <<>>>>), {1})
  [] name = "C12RoomForTwo" ->
       Of(<<1>>, <<10>>, <<1>>, <<Sealed(1), Free, Sealed(2)>>, <<Rec(1, 10, 0), Old, No, No, Old, Old>>,
          <<<<Set(1, 11)>>, <<Set(1, 12)>>>>)
  [] name = "C13IndexFull" ->
       Dying(Apart(<<Sealed(1), Sealed(2), Free>>,
                   <<<<Crowd(1)>>, <<Retire, Set(1, 11), Set(2, 21), Get(1)>>>>), {1})
  [] name = "C13IndexFull_Set" ->
       One(<<Sealed(1), Opened(2), Free>>, <<<<Crowd(1)>>, <<Set(1, 11), Retire, Get(1)>>, <<Get(1)>>>>)
  [] name = "C13IndexFull_Two" ->
       Dying(One(<<Sealed(1), Free, Free>>, <<<<Crowd(1)>>, <<Retire>>, <<Retire>>>>), {1, 2})
  [] name = "C19SuspectSet" ->
       Moving(Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Set(1, 11), Get(1)>>, <<Mark(1), Get(1)>>>>),
                    {1, 2}))
  [] name = "C19SuspectSet_Delete" ->
       Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Delete(1), Get(1)>>, <<Mark(1)>>>>), {1, 2})
  [] name = "C19SuspectSet_Colliding" ->
       Dying(Marked(Two(<<Sealed(1), Opened(1), Opened(2)>>,
                        <<<<Set(2, 21), Get(1)>>, <<Mark(1), Get(2)>>>>), 2), {1, 2})
  [] name = "C19SuspectSet_Evict" ->
       Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Mark(1), Get(1)>>, <<Retire>>>>), {1, 2})
  [] name = "C19SuspectSet_Move" ->
       Dying(Marked(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Clear(1), Get(1)>>, <<Compact>>>>), 1), {1, 2})
  [] name = "C19SuspectSet_Both" ->
       Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Mark(1), Get(1)>>, <<Mark(1), Clear(1)>>>>), {1, 2})
  [] name = "C19SuspectSet_Reuse" ->
       One(<<Sealed(1), Opened(2), Opened(1)>>,
           <<<<Mark(1), Get(1)>>, <<Set(1, 11), Retire, Set(1, 12), Set(1, 13)>>>>)
  [] name = "C20ParameterChange" ->
       Paired(Dying(One(<<Sealed(1), Opened(1), Opened(2)>>, <<<<Tend, Get(1)>>, <<Tune(2, 1)>>>>), {1, 2}), 1, 2)
  [] name = "C20ParameterChange_Halves" ->
       Paired(Dying(One(<<Sealed(1), Opened(1), Opened(2)>>,
                        <<<<Tune(2, 0), Tend, Get(1)>>, <<Tune(0, 1), Get(1)>>>>), {1, 2}), 1, 2)
  [] name = "C20ParameterChange_Again" ->
       Paired(Dying(Of(<<1, 2>>, <<10, 20>>, <<1, 3>>, <<Sealed(1), Sealed(4), Opened(1), Opened(2)>>,
                       <<Rec(1, 10, 0), Old, RecOf(2, 2, 20, 0), Old, No, No, No, No>>,
                       <<<<Tend, Tend, Get(2)>>, <<Tune(2, 0)>>>>), {1, 2}), 1, 2)
  [] name = "C20ParameterChange_Tiers" ->
       Paired(Tiered(Dying(One(<<Sealed(1), Below(Sealed(2)), Free>>,
                               <<<<Tend, Get(1)>>, <<Tune(2, 1), Tend>>>>), {1, 2}), 3), 1, 2)
=============================================================================
