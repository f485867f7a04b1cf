------------------------------- MODULE Shard -------------------------------
(***************************************************************************)
(* The memory of the sharded map, the local state of an actor, and where   *)
(* an operation goes on. Engine: impl/shardmap.                            *)
(*                                                                         *)
(* A lock word is a number below 2 * Radix. The writer bit is worth Radix, *)
(* and the rest is the number of readers. Addition is modulo 2 * Radix, as *)
(* the addition of a uint32 is modulo 2^32, so taking 1 from 0 sets every  *)
(* bit, the writer bit among them.                                         *)
(*                                                                         *)
(* The contents of a shard are plain memory. One action, ShardLook or      *)
(* ShardChange, stands for all accesses of a critical section.             *)
(*                                                                         *)
(* A load that spins (ReadWait, WriteWait, WriteDrain, CleanupWait) is     *)
(* enabled when its condition holds. A load that finds it false would lead *)
(* to the same state.                                                      *)
(***************************************************************************)
EXTENDS Programs, Sequences, FiniteSets

CONSTANTS Program,  \* the name of what the actors do
          Check,    \* what an erase compares with what was collected for it: "version",
                    \* "predicate", or "nothing" as the source text has it
          Radix,    \* the number of readers that a lock word cannot count any more
          Turn,     \* the number of values of the cursor; 256 in the source text
          Without   \* rules that do not hold, for runs that must fail

VARIABLES lock,     \* shard -> lock word
          map,      \* key -> entry, or None
          clock,    \* shard -> number of puts; the next version
          flag,     \* a cleanup is in progress
          cursor,   \* of the rotation
          loc,      \* actor -> its local state
          out,      \* actor -> answers; of an actor that repeats the last one (history, as below)
          last,     \* the shards that the rotation named last, one fewer than there are
          since     \* actor -> counts of all shards at each moment of its call of Size

memVars == <<lock, map, clock, flag, cursor>>
histVars == <<out, last, since>>
vars == <<memVars, loc, histVars>>

Rule(x) == x \notin Without
P == ProgramOf(Program)
Actors == 1 .. Len(P.acts)
Keys == 1 .. Len(P.homes)
Shards == 1 .. P.shards
Home(k) == P.homes[k]
None == [v |-> 0, m |-> 0, n |-> 0]

WriterIn(word) == word >= Radix
ReadersOf(word) == word % Radix
Plus(word, d) == (word + d + 2 * Radix) % (2 * Radix)

(* A frame is an operation in progress. A callback or a predicate that     *)
(* calls the map puts a second one on top.                                 *)
(*   sh: the shard. has: the lock that is held there. cl: the cleanup flag *)
(*   is taken. ph: what is left to do in the shard. todo: what was         *)
(*   collected, keys with versions. cnt: counts so far. n, s: the answer.  *)
Frame(sh, ph) == [sh |-> sh, has |-> "none", cl |-> FALSE, ph |-> ph, todo |-> {}, cnt |-> <<>>,
                  n |-> 0, s |-> 0]
Local(pc, ip, fr) == [pc |-> pc, ip |-> ip, fr |-> fr]
Top(l) == l.fr[Len(l.fr)]
(* The operation of the top frame.                                         *)
Op(a, l) == LET o == P.acts[a][l.ip] IN IF Len(l.fr) = 2 THEN o.in[1] ELSE o
Repeats(a) == a \in P.repeats

At(l, pc) == [l EXCEPT !.pc = pc]
With(l, f) == [l EXCEPT !.fr[Len(l.fr)] = f]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]

(* The predicate of an operation, in the three forms of the source text:   *)
(* of metadata, of the value too, and of the shard too. One that throws    *)
(* (panics in Go) finds nothing: the lock is given back, and the call ends.*)
Stale(o, k) ==
  /\ map[k] # None
  /\ CASE o.form = "meta"  -> map[k].m < o.c
       [] o.form = "value" -> map[k].m < o.c /\ map[k].v < o.x
       [] o.form = "shard" -> map[k].m < o.c /\ Home(k) = o.x
       [] OTHER -> FALSE

Cleanups == {"Cleanup", "TryCleanup", "FullCleanup"}
(* Operations that go through all shards, one after the other.             *)
Rounds == {"FullCleanup", "Size", "Clear"}

(* Where an operation begins. Refill is what a client of a cache does on a *)
(* miss: a put, if its last answer was that the key is absent.             *)
Begin(o, was) ==
  CASE o.op \in {"Get", "GetFunc"} -> [pc |-> "ReadEnter", f |-> Frame(Home(o.k), "look")]
    [] o.op = "InvalidateIf" /\ ~Rule("together") ->
         [pc |-> "ReadEnter", f |-> Frame(Home(o.k), "look")]
    [] o.op = "Refill" /\ was # 0 -> [pc |-> "ClientReturn", f |-> Frame(Home(o.k), "end")]
    [] o.op \in {"Put", "Refill", "Invalidate", "InvalidateIf"} ->
         [pc |-> "WriteClaim", f |-> Frame(Home(o.k), "change")]
    [] o.op = "Size" -> [pc |-> "ReadEnter", f |-> Frame(1, "look")]
    [] o.op = "Clear" -> [pc |-> "WriteClaim", f |-> Frame(1, "change")]
    [] OTHER -> [pc |-> "CleanupClaim", f |-> Frame(0, "look")]

(* The top operation is over. One that a callback made goes back into the  *)
(* critical section of the other one.                                      *)
Finish(l) ==
  IF Len(l.fr) = 1 THEN At(l, "ClientReturn")
  ELSE [l EXCEPT !.fr = <<l.fr[1]>>, !.pc = IF l.fr[1].has = "read" THEN "ReadLeave" ELSE "WriteLeave"]

(* Behind a critical section.                                              *)
Onward(a, l) ==
  LET o == Op(a, l)  f == Top(l)  next == [f EXCEPT !.sh = f.sh + 1]
  IN CASE f.ph = "change" -> At(l, "WriteClaim")
       [] o.op = "Clear" /\ f.sh < P.shards ->
            At(With(l, [next EXCEPT !.ph = "change"]), "WriteClaim")
       [] o.op \in Rounds /\ f.sh < P.shards ->
            At(With(l, [next EXCEPT !.ph = "look"]), "ReadEnter")
       [] o.op \in Cleanups /\ (Rule("unwind") \/ o.form # "throws") -> At(l, "CleanupLeave")
       [] OTHER -> Finish(l)
=============================================================================
