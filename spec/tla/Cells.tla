------------------------------- MODULE Cells -------------------------------
(***************************************************************************)
(* The shared memory: cells of two words, and operation descriptors.       *)
(* Second rung: every variable of the table, its type, and the helpers     *)
(* for windows. Engine: impl/hopscotch/words.go, impl/region.              *)
(*                                                                         *)
(* Word 0 of a cell {key, control bits}:                                   *)
(*   E(g)      empty, generation g, never twice the same g in one cell     *)
(*   C(r)      claimed by descriptor r: a base being born, or a hole that  *)
(*             waits for a displaced element                               *)
(*   B(k,m)    base with key k and members at the offsets m                *)
(*   O(k,r)    base in operation: the offsets are in descriptor r          *)
(*   M(k,p,g)  member, p cells above its base                              *)
(* Word 1 {v, z, n}: value, frozen, version. n never goes back.            *)
(* A descriptor (the source text's stash record) has five words; four of   *)
(* them do not change within a generation, the last one holds progress.    *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Actors,       \* numbers from 1; actor t owns descriptor t
          Keys,         \* positive numbers
          Values,       \* positive numbers
          N,            \* cells of a half, a ring
          W,            \* window: offsets 0 .. W-1
          Home,         \* half -> key -> cell
          Programs,     \* actor -> sequence of operations
          InitWord0,    \* <<half, cell>> -> word 0 before the program
          InitWord1,    \* <<half, cell>> -> word 1 before the program
          InitMap,      \* key -> value before the program
          MaxCrashes,   \* how many actors may die
          FixRetry,          \* S04: the loser of a claim starts again (H-16)
          FixValueFirst,     \* S01: the value is there before the key (H-17, H-39)
          FixVersionCheck,   \* S06: a match is validated by the version (H-22)
          FixFrozenValue,    \* S06: a frozen value belongs to the old key (H-22)
          FixStashedMember,  \* S06: search looks where the stash points (H-10, H-47)
          FixOtherHalf,      \* decide only after a look into the other half (H-28)
          FixFreezeFirst,    \* an abort freezes before it thaws (late helper)
          FixHelp            \* whoever meets a descriptor finishes it (H-84)

Half == {0, 1}
Cell == 0 .. N - 1
Addr == Half \X Cell

ASSUME GeometryAssumption == W \in 2 .. N
ASSUME ActorsAssumption == Actors = 1 .. Cardinality(Actors)
ASSUME HomeAssumption == Home \in [Half -> [Keys -> Cell]]

VARIABLES w0,     \* Addr -> word 0
          w1,     \* Addr -> word 1
          desc,   \* actor -> its descriptor in shared memory
          loc,    \* actor -> its local state, pc included
          dead,   \* actors that will never move again
          marks,  \* operation states whose race has happened (history)
          map, busy, seen, done, out   \* the atomic map (history; Map.tla)

memVars == <<w0, w1, desc>>
absVars == <<map, busy, seen, done, out>>
vars == <<w0, w1, desc, loc, dead, marks, map, busy, seen, done, out>>

----------------------------------------------------------------------------
None == 0
NoHalf == 2

E(g)       == [f |-> "E", g |-> g]
C(r)       == [f |-> "C", r |-> r]
B(k, m)    == [f |-> "B", k |-> k, m |-> m]
O(k, r)    == [f |-> "O", k |-> k, r |-> r]
M(k, p, g) == [f |-> "M", k |-> k, p |-> p, g |-> g]
V(v, z, n) == [v |-> v, z |-> z, n |-> n]
Ref(d, g)  == [d |-> d, g |-> g]
NoRef      == Ref(None, 0)

NoWord0 == E(0)
NoWord1 == V(None, 0, 0)

(* Progress of an operation: status, and for an add the hole {c, g}. *)
Tgt(gen, st, c, g) == [gen |-> gen, st |-> st, c |-> c, g |-> g]
NoTarget == Tgt(0, "undecided", 0, 0)
NoHead == [gen |-> 0, kind |-> "none", h |-> 0, home |-> 0]
NoPair == [k |-> None, v |-> None]
NoPlan == [k |-> None, m |-> {}]
NoDesc == [head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
           expect |-> NoWord1, target |-> NoTarget]
NoHole == [c |-> 0, g |-> 0]

At(h, home, offset) == <<h, (home + offset) % N>>
Least(s) == CHOOSE x \in s : \A y \in s : x <= y

(* How full a bucket looks from word 0 of its home; W: not to be used. *)
Load(a) == CASE a.f = "E" -> 0
             [] a.f = "C" -> 1
             [] a.f = "B" -> 1 + Cardinality(a.m)
             [] a.f = "O" -> 2
             [] OTHER     -> W
----------------------------------------------------------------------------
(* Local state. Fields are put back when they are no longer needed, so     *)
(* that equal states are equal.                                            *)
NoSearch == [mode |-> "none", k |-> None, h |-> 0, v |-> NoWord1, b |-> NoWord0,
             r |-> NoRef, head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
             t |-> NoTarget, left |-> {}, mw |-> NoWord0, mv |-> NoWord1]
NoView == [b |-> NoWord0, v |-> NoWord1]
NoHelp == [r |-> NoRef, head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
           expect |-> NoWord1, t |-> NoTarget, i |-> 0, hole |-> NoHole]
NoLocal == [pc |-> "ClientCall", i |-> 1, s |-> NoSearch,
            view |-> [h \in Half |-> NoView], half |-> NoHalf, tried |-> {},
            p |-> NoHelp]

Op(t) == Programs[t][loc[t].i]

(* What changes when the operation of actor u takes effect now. *)
Effect(u) ==
  /\ map' = [map EXCEPT ![busy[u].k] = busy[u].v]
  /\ done' = [done EXCEPT ![u] = TRUE]
  /\ seen' = [x \in Actors |->
       IF busy[x].k = busy[u].k THEN seen[x] \cup {busy[u].v} ELSE seen[x]]
  /\ UNCHANGED <<busy, out>>

Goto(t, l) == loc' = [loc EXCEPT ![t] = l]
At0(l, pc) == [l EXCEPT !.pc = pc]
Mark(s) == marks' = marks \cup s

TypeOK ==
  /\ \A a \in Addr : w0[a].f \in {"E", "C", "B", "O", "M"}
  /\ \A a \in Addr : w1[a].v \in Values \cup {None} /\ w1[a].z \in {0, 1}
  /\ \A t \in Actors : desc[t].target.st \in {"undecided", "committed", "aborted", "full"}
  /\ \A t \in Actors : loc[t].i \in 1 .. Len(Programs[t]) + 1
  /\ dead \subseteq Actors
=============================================================================
