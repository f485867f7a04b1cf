------------------------------ MODULE Programs ------------------------------
(***************************************************************************)
(* The programs of the operation states: what each actor calls.            *)
(*                                                                         *)
(*   Ask     one request; the client waits as long as the service lives    *)
(*   Try     one request; the client gives up when a wait has timed out    *)
(*   Attach  a process takes the lock of its side. A client then frees     *)
(*           what a dead client has left. It ends if the lock is taken.    *)
(*   Serve   the rounds of a service, without end                          *)
(***************************************************************************)
EXTENDS Integers

(* slots: how many the slot file has. procs: the process of each actor.    *)
(* clients: the actors that are threads of clients. acts: what they call.  *)
(* mortal: the processes that may die; one of them does at most.           *)
(* bounded: the waits of clients may time out.                             *)
Of(slots, clients, procs, acts) ==
  [slots |-> slots, clients |-> clients, procs |-> procs, acts |-> acts, mortal |-> {}, bounded |-> FALSE]
Bounded(p) == [p EXCEPT !.bounded = TRUE]
Dying(p, some) == [Bounded(p) EXCEPT !.mortal = some]

Serves == <<"Serve">>
Follows == <<"Attach", "Serve">>

ProgramOf(name) == CASE
     name = "B01SlotAbandoned" ->
       Bounded(Of(1, {1}, <<1, 2>>, <<<<"Try", "Try">>, Serves>>))
  [] name = "B01SlotAbandoned_Two" ->
       Bounded(Of(1, {1, 2}, <<1, 1, 2>>, <<<<"Try", "Try">>, <<"Try">>, Serves>>))
  [] name = "B02SlotServiceDies" ->
       Dying(Of(1, {1}, <<1, 2, 3>>, <<<<"Ask", "Ask">>, Serves, Follows>>), {2})
  [] name = "B02SlotServiceDies_Alone" ->
       Dying(Of(1, {1}, <<1, 2, 3>>, <<<<"Try", "Try">>, Serves, Follows>>), {2})
  [] name = "B03SlotClientDies" ->
       Dying(Of(1, {1, 2}, <<1, 2, 3>>, <<<<"Ask">>, <<"Attach", "Ask">>, Serves>>), {1})
  [] name = "B03SlotClientDies_Serving" ->
       Dying(Of(2, {1}, <<1, 2>>, <<<<"Try", "Ask">>, Serves>>), {1})
  [] name = "B04BellSleep" ->
       Of(1, {1}, <<1, 2>>, <<<<"Ask", "Ask">>, Serves>>)
  [] name = "B04BellSleep_Two" ->
       Of(2, {1, 2}, <<1, 1, 2>>, <<<<"Ask">>, <<"Ask">>, Serves>>)
  [] name = "B05SlotReuse" ->
       Dying(Of(1, {1, 2}, <<1, 2, 3>>, <<<<"Try">>, <<"Attach", "Try", "Try">>, Serves>>), {1})
  [] name = "B05SlotReuse_Two" ->
       Bounded(Of(1, {1, 2}, <<1, 1, 2>>, <<<<"Try">>, <<"Ask">>, Serves>>))
=============================================================================
