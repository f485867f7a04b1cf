------------------------------ MODULE Programs ------------------------------
(***************************************************************************)
(* The programs of the operation states: what each actor calls, and what   *)
(* there is before. Metadata is a number that grows with freshness, say    *)
(* the time of the put; a predicate with context c finds an entry stale    *)
(* whose metadata is below c. The Go model has the same table:             *)
(* model/shardmap/programs.go.                                             *)
(***************************************************************************)
EXTENDS Integers

(* in: what the callback or the predicate of the operation calls.          *)
Blank == [op |-> "none", k |-> 0, v |-> 0, m |-> 0, form |-> "none", c |-> 0, x |-> 0,
          act |-> "none", in |-> <<>>]
Named(op) == [Blank EXCEPT !.op = op]
OfKey(op, k) == [Blank EXCEPT !.op = op, !.k = k]

Get(k) == OfKey("Get", k)
(* act: what the callback says of a stale entry. It accepts fresh ones.    *)
GetFunc(k, act, c) == [OfKey("GetFunc", k) EXCEPT !.act = act, !.form = "meta", !.c = c]
Put(k, v, m) == [OfKey("Put", k) EXCEPT !.v = v, !.m = m]
Refill(k, v, m) == [OfKey("Refill", k) EXCEPT !.v = v, !.m = m]
Invalidate(k) == OfKey("Invalidate", k)
InvalidateIf(k, c) == [OfKey("InvalidateIf", k) EXCEPT !.form = "meta", !.c = c]
Clean(op, form, c, x) == [Named(op) EXCEPT !.form = form, !.c = c, !.x = x]
Cleanup(c) == Clean("Cleanup", "meta", c, 0)
TryCleanup(c) == Clean("TryCleanup", "meta", c, 0)
FullCleanup(c) == Clean("FullCleanup", "meta", c, 0)
Size == Named("Size")
Clear == Named("Clear")
Calls(outer, inner) == [outer EXCEPT !.in = <<inner>>]

Absent == [v |-> 0, m |-> 0, n |-> 0]
Old(v) == [v |-> v, m |-> 0, n |-> 1]
New(v) == [v |-> v, m |-> 1, n |-> 1]

(* acts: one sequence of calls for each actor. repeats: the actors that    *)
(* begin anew when they are through.                                       *)
Of(shards, homes, start, acts) ==
  [shards |-> shards, homes |-> homes, start |-> start, acts |-> acts, repeats |-> {}, cursor |-> 0]
One(start, acts) == Of(1, <<1>>, <<start>>, acts)
Again(p, some) == [p EXCEPT !.repeats = some]
From(p, cursor) == [p EXCEPT !.cursor = cursor]

(* Keys 1 and 2 are in shard 1, key 3 is in shard 2.                       *)
Two(start, acts) == Of(2, <<1, 1, 2>>, start, acts)

ProgramOf(name) == CASE
     name = "M01ReaderWriter" -> One(Old(10), <<<<Get(1), Get(1)>>, <<Put(1, 11, 1)>>>>)
  [] name = "M01ReaderWriter_Three" ->
       One(Old(10), <<<<Get(1), Get(1)>>, <<Put(1, 11, 1)>>, <<Get(1), Put(1, 12, 1)>>>>)
  [] name = "M02WriterStarvation" ->
       Again(One(Old(10), <<<<Get(1)>>, <<Get(1)>>, <<Put(1, 11, 1)>>>>), {1, 2})
  [] name = "M02WriterStarvation_Readers" ->
       Again(One(Old(10), <<<<Invalidate(1)>>, <<Invalidate(1)>>, <<Get(1)>>>>), {1, 2})
  [] name = "M02WriterStarvation_Writers" ->
       Again(One(Old(10), <<<<Invalidate(1)>>, <<Invalidate(1)>>, <<Put(1, 11, 1)>>>>), {1, 2})
  [] name = "M03WriterDrain" -> One(Old(10), <<<<Get(1)>>, <<Get(1)>>, <<Put(1, 11, 1)>>>>)
  [] name = "M04WriterWriter" ->
       One(Old(10), <<<<Put(1, 11, 1)>>, <<Invalidate(1)>>, <<Get(1)>>>>)
  [] name = "M05ReadRetreat" -> One(Old(10), <<<<Get(1)>>, <<Put(1, 11, 1), Put(1, 12, 1)>>>>)
  [] name = "M05ReadRetreat_Three" ->
       One(Old(10), <<<<Get(1)>>, <<Put(1, 11, 1)>>, <<Put(1, 12, 1)>>>>)
  [] name = "M06GetInvalidate" ->
       One(Old(10), <<<<Get(1), Get(1)>>, <<Invalidate(1)>>, <<Put(1, 11, 1)>>>>)
  [] name = "M07DeferredInvalidation" ->
       One(Old(10), <<<<GetFunc(1, "invalidate", 1)>>, <<Put(1, 11, 1), Get(1)>>>>)
  [] name = "M07DeferredInvalidation_Anew" ->
       One(Old(10), <<<<GetFunc(1, "invalidate", 1)>>, <<Invalidate(1), Put(1, 11, 1)>>,
                      <<GetFunc(1, "reject", 1)>>>>)
  [] name = "M07DeferredInvalidation_Heals" ->
       Again(One(Old(10), <<<<GetFunc(1, "invalidate", 1)>>, <<Put(1, 11, 1)>>,
                            <<Get(1), Refill(1, 12, 1)>>>>), {3})
  [] name = "M08CleanupPut" ->
       Two(<<Old(10), Old(20), Old(30)>>, <<<<Cleanup(1)>>, <<Put(1, 11, 1), Get(1)>>>>)
  [] name = "M08CleanupPut_Three" ->
       Two(<<Old(10), New(20), Absent>>,
           <<<<Clean("Cleanup", "shard", 1, 1)>>, <<Put(1, 11, 1)>>, <<Invalidate(1), Put(1, 12, 1)>>>>)
  [] name = "M08CleanupPut_Heals" ->
       Again(One(Old(10), <<<<Cleanup(1)>>, <<Put(1, 11, 1)>>, <<Get(1), Refill(1, 12, 1)>>>>), {3})
  [] name = "M09TwoCleanups" ->
       Two(<<Old(10), Absent, Old(30)>>, <<<<Cleanup(1)>>, <<Cleanup(1)>>, <<TryCleanup(1)>>>>)
  [] name = "M09TwoCleanups_Throws" ->
       One(Old(10), <<<<Clean("Cleanup", "throws", 1, 0)>>, <<Cleanup(1)>>>>)
  [] name = "M10CursorWrap" ->
       From(Two(<<Old(10), Absent, Old(30)>>, <<<<Cleanup(1), Cleanup(1)>>, <<Cleanup(1)>>>>), 3)
  [] name = "M10CursorWrap_Four" ->
       From(Of(4, <<1, 2, 3, 4>>, <<Old(10), Old(20), Old(30), Old(40)>>,
               <<<<Cleanup(1), Cleanup(1), Cleanup(1)>>, <<TryCleanup(1), Cleanup(1)>>>>), 6)
  [] name = "M11SizeChanging" ->
       Two(<<Old(10), Absent, Old(30)>>, <<<<Size>>, <<Put(2, 21, 1), Invalidate(3)>>>>)
  [] name = "M11SizeChanging_Three" ->
       Two(<<Old(10), Absent, Old(30)>>, <<<<Size>>, <<Put(2, 21, 1)>>, <<Clear>>>>)
  [] name = "M12ConditionalInvalidate" ->
       One(Old(10), <<<<InvalidateIf(1, 1)>>, <<Put(1, 11, 1)>>, <<Get(1)>>>>)
  [] name = "M13FullCleanup" ->
       Two(<<Old(10), Absent, Old(30)>>,
           <<<<Clean("FullCleanup", "value", 1, 40)>>, <<Put(1, 11, 1)>>, <<TryCleanup(1)>>>>)
  [] name = "M14CallbackReenters" ->
       Two(<<Old(10), Old(20), Old(30)>>, <<<<Calls(GetFunc(1, "accept", 1), Get(2))>>, <<Get(1)>>>>)
  [] name = "M14CallbackReenters_OtherShard" ->
       Two(<<Old(10), Old(20), Old(30)>>,
           <<<<Calls(GetFunc(1, "accept", 1), Put(3, 31, 1))>>, <<Put(1, 11, 1)>>, <<Get(3)>>>>)
  [] name = "M14CallbackReenters_TryCleanup" ->
       Two(<<Old(10), Absent, Old(30)>>, <<<<Calls(Cleanup(1), TryCleanup(1))>>, <<TryCleanup(1)>>>>)
  [] name = "M14CallbackReenters_NestedGet" ->
       One(Old(10), <<<<Calls(GetFunc(1, "accept", 1), Get(1))>>, <<Put(1, 11, 1)>>>>)
  [] name = "M14CallbackReenters_NestedPut" ->
       One(Old(10), <<<<Calls(GetFunc(1, "accept", 1), Put(1, 11, 1))>>>>)
  [] name = "M14CallbackReenters_CrossedPuts" ->
       Of(2, <<1, 2>>, <<Old(10), Old(20)>>,
          <<<<Calls(GetFunc(1, "accept", 1), Put(2, 21, 1))>>,
            <<Calls(GetFunc(2, "accept", 1), Put(1, 11, 1))>>>>)
  [] name = "M14CallbackReenters_CrossedGets" ->
       Of(2, <<1, 2>>, <<Old(10), Old(20)>>,
          <<<<Calls(GetFunc(1, "accept", 1), Get(2))>>, <<Calls(GetFunc(2, "accept", 1), Get(1))>>,
            <<Put(1, 11, 1)>>, <<Put(2, 21, 1)>>>>)
  [] name = "M14CallbackReenters_PredicateGets" ->
       One(Old(10), <<<<Calls(InvalidateIf(1, 1), Get(1))>>>>)
  [] name = "M14CallbackReenters_PredicateCleans" ->
       One(Old(10), <<<<Calls(Cleanup(1), Cleanup(1))>>>>)
  [] name = "M14CallbackReenters_CallbackCleans" ->
       One(Old(10), <<<<Calls(GetFunc(1, "accept", 1), TryCleanup(1))>>>>)
=============================================================================
