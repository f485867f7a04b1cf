------------------------------- MODULE Memory -------------------------------
(***************************************************************************)
(* The slot file, what the system knows, and the local state of an actor.  *)
(*                                                                         *)
(* word: the state word of each slot, with its serial.                     *)
(*   free -> claimed -> published -> taken -> done -> free                 *)
(*   published -> free (withdrawn)   taken -> abandoned -> free            *)
(*   taken -> failed -> free (the service that took it is dead)            *)
(* The serial is raised by each claim and by each step to free.            *)
(* req, resp: the data areas. A request has its number, which is also its  *)
(* response.                                                               *)
(* lock: the process that has the lock of the clients, and of the service. *)
(* The system gives a lock up when its process ends, no earlier.           *)
(* asleep: who sleeps in the system's wait. A wait compares the word and   *)
(* falls asleep in one step.                                               *)
(***************************************************************************)
EXTENDS Programs, Sequences, FiniteSets

CONSTANTS Program,  \* the name of what the actors do
          Fair,     \* the actors that go on; any other may stop anywhere
          Without   \* rules that do not hold, for runs that must fail

VARIABLES word,     \* slot -> [st, ser]
          req,      \* slot -> a request, 0 for none
          resp,     \* slot -> a response, 0 for none
          bell,     \* the doorbell: how often it was rung
          sleeps,   \* the service says that it sleeps
          lock,     \* [client, service]: the process that has the lock, 0 for none
          asleep,   \* actors
          dead,     \* processes that have died
          loc,      \* actor -> its local state
          did,      \* actor -> of each of its calls, how often it was performed (history)
          out       \* actor -> the results of its calls

memVars == <<word, req, resp, bell, sleeps>>
histVars == <<did, out>>
vars == <<memVars, lock, asleep, dead, loc, histVars>>

Rule(x) == x \notin Without
P == ProgramOf(Program)
Actors == 1 .. Len(P.acts)
Clients == P.clients
Servers == Actors \ Clients
Slots == 1 .. P.slots

Free(ser) == [st |-> "free", ser |-> ser]
NoWord == Free(0)

(* ip: which call. i: the slot. ph: of what the actor is about, the part:  *)
(*   claim, wait; late, when a wait has timed out; leave, to give up;      *)
(*   attach; of a service first, again behind BellSleep, and tidy.         *)
(* w: the state word as it was loaded, or as the actor has made it. v: the *)
(* request that was copied. res: how the call ends. from: the slot that the*)
(* next scan begins with; last: the last one of this scan. seen: the       *)
(* doorbell. held: what PeerLook has found, or that a service looks at this*)
(* slot again. found: a request was taken.                                 *)
Local(pc, ip) == [pc |-> pc, ip |-> ip, i |-> 0, ph |-> "none", w |-> NoWord, v |-> 0, res |-> "none",
                  from |-> 1, last |-> 0, seen |-> 0, held |-> FALSE, found |-> FALSE]

At(l, pc) == [l EXCEPT !.pc = pc]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
Gone(a) == P.procs[a] \in dead
(* Of a process that has died all actors are over.                         *)
Ended(a) == loc[a].pc = "Over"
Is(a, pc) == loc[a].pc = pc /\ a \notin asleep
Call(a) == P.acts[a][loc[a].ip]
Number(a) == 10 * a + loc[a].ip

(* The call ends with this result.                                         *)
Returns(l, res) == [Local("ClientReturn", l.ip) EXCEPT !.res = res]

(* The next life of a slot, or the next state of this one.                 *)
To(w, st) == [st |-> st, ser |-> IF st \in {"free", "claimed"} THEN w.ser + 1 ELSE w.ser]
(* A compare-and-swap finds what it expects. Without the serial it compares*)
(* the state alone.                                                        *)
Finds(i, w) == IF Rule("serial") THEN word[i] = w ELSE word[i].st = w.st
Put(i, w) == word' = [word EXCEPT ![i] = w]

WordOnly == UNCHANGED <<req, resp, bell, sleeps, lock, asleep, dead, did, out>>
LoadsOnly == UNCHANGED <<memVars, lock, asleep, dead, did, out>>
BellOnly == UNCHANGED <<word, req, resp, lock, asleep, dead, did, out>>
WakesOnly == UNCHANGED <<memVars, lock, dead, did, out>>
=============================================================================
