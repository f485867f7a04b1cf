------------------------------- MODULE Memory -------------------------------
(***************************************************************************)
(* The words that processes share, the clock and the dead, which the system*)
(* knows, and the local state of an actor. Each actor is a process of its  *)
(* own, and has its number.                                                *)
(*                                                                         *)
(* lease: whose a word is, 0 for nobody, and when it was renewed.          *)
(* param: a word with two live parameters, 0 for one that nobody has tuned.*)
(* level: of a cell, the instant at which its bucket is empty.             *)
(* penalty: of a cell, the instant at which it ends, and the offences.     *)
(* wish: whether a writer is wanted, and until when that holds.            *)
(***************************************************************************)
EXTENDS Programs, FiniteSets

CONSTANTS Program,  \* the name of what the actors do
          Fair,     \* the actors that go on; any other may stop anywhere
          Without   \* rules that do not hold, for runs that must fail

VARIABLES lease, param, level, penalty, wish,
          clock,    \* of the host
          dead,     \* actors that have died
          loc,      \* actor -> its local state
          out,      \* actor -> the results of its calls (history, as all that follows)
          kept,     \* actor -> what it had read from the clock when it last had a lease
          did,      \* actor -> how many words it has tuned
          fed,      \* cell -> the bucket that is fed with each charge of it
          owed,     \* how many wishes were said that no call has heard or forgotten
          till      \* until when a wish holds that somebody has said

words == <<lease, param, level, penalty, wish>>
hist == <<out, kept, did, fed, till>>
vars == <<words, clock, dead, loc, hist, owed>>

Rule(x) == x \notin Without
P == ProgramOf(Program)
Actors == 1 .. Len(P.acts)
CellsOf == 1 .. P.cells
Rows == 4

(* What is given to the calls, in units of time. A unit of a charge drains *)
(* in one unit of time.                                                    *)
Still == 2        \* for so long the owner of a lease may stand still
Burst == 2        \* of a bucket
Most == 2 * Burst \* the level of a cell
Retry == 4        \* for which the first offence makes a suspect
Forget == 8 * Retry
OffencesMost == 7
Lasts == 2        \* for so long a wish holds

Max(x, y) == IF x > y THEN x ELSE y
Min(x, y) == IF x < y THEN x ELSE y

NoPenalty == [end |-> 0, n |-> 0]
Res(k, a, b) == [k |-> k, a |-> a, b |-> b]
None == Res("none", 0, 0)

(* ip: which call. ph: the part of the call. i: the word, or the row. run: *)
(* how many leases there may be. w: the lease that was loaded. t: the      *)
(* clock. old: the parameters that were loaded. x: the level that was      *)
(* loaded, low: the lowest one. p: the penalty that was loaded, q: the     *)
(* lowest one, or the one to mark. h: the wish that was loaded. res: how   *)
(* the call ends.                                                          *)
Local(pc, ip) == [pc |-> pc, ip |-> ip, ph |-> "none", i |-> 0, run |-> 0, w |-> Nobody, t |-> 0,
                  old |-> Untuned, x |-> 0, low |-> 0, p |-> NoPenalty, q |-> NoPenalty,
                  h |-> NoWish, res |-> None]

At(l, pc) == [l EXCEPT !.pc = pc]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
Ended(a) == loc[a].pc = "Over"
Is(a, pc) == loc[a].pc = pc
Call(a) == P.acts[a][loc[a].ip]
Alive(p) == p \in Actors /\ p \notin dead

(* The call ends with this result.                                         *)
Returns(l, res) == [Local("ClientReturn", l.ip) EXCEPT !.res = res]

(* What a step leaves as it is. Control.tla says of each what is owed.     *)
LoadsOnly == UNCHANGED <<words, clock, dead, hist>>
LeaseOnly == UNCHANGED <<param, level, penalty, wish, clock, dead, out, did, fed, till>>
ParamOnly == UNCHANGED <<lease, level, penalty, wish, clock, dead, out, kept, fed, till>>
LevelOnly == UNCHANGED <<lease, param, penalty, wish, clock, dead, out, kept, did, till>>
PenaltyOnly == UNCHANGED <<lease, param, level, wish, clock, dead, hist>>
WishOnly == UNCHANGED <<lease, param, level, penalty, clock, dead, out, kept, did, fed>>
=============================================================================
