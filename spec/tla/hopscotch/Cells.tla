------------------------------- MODULE Cells -------------------------------
(***************************************************************************)
(* The shared memory: cells of two words, and operation descriptors.       *)
(* Second rung: every variable of the table, its type, and the helpers     *)
(* for windows. Engine: impl/hopscotch/words.go, impl/region.              *)
(*                                                                         *)
(* Word 0 of a cell {key, control bits}:                                   *)
(*   E(g)      empty; g is the version of word 1                            *)
(*   C(r)      claimed by descriptor r: a base being born, or a hole that  *)
(*             waits for a displaced element                               *)
(*   B(k,m)    base with key k and members at the offsets m                *)
(*   O(k,r)    base in operation: the offsets are in descriptor r          *)
(*   M(k,p,g)  member, p cells above its base; generation g                *)
(*   U(k,r)    member in operation: descriptor r moves it or takes it out  *)
(* A key may be Lost: the element is deleted, its cell not yet reclaimed.  *)
(* Word 1 {v, z, n}: value, frozen, version. n grows with every change.    *)
(* Generations and versions count in a circle (WrapRef and so on below).   *)
(* A descriptor (the source text's stash record) has six words; five of    *)
(* them do not change within a generation, the last one holds progress.    *)
(* Seven kinds of operation:                                               *)
(*   new      an empty cell becomes a base                                 *)
(*   add      a base takes a new key, the displaced one goes into a hole   *)
(*   replace  a base takes a new key, the old one is lost or evicted       *)
(*   move     a member goes into another hole of its window                *)
(*   drop     a member leaves: it is lost, or the oldest of a full window, *)
(*            or of a ticket that holds                                    *)
(*   lift     a member becomes the key of its base, whose own key is lost, *)
(*            or of a ticket that holds                                    *)
(*   clear    a base without members, the same, becomes empty              *)
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
          MakeRoom,     \* an add usurps members, and makes room when a window is full
          Cropped,      \* every delete of the program is followed by a crop
          MaxCrashes,   \* how many actors may die
          WrapRef,      \* how many generations a descriptor has; 0: they have no end
          WrapVersion,  \* the same of versions, which empty cells have for generation
          WrapMember,   \* the same of the low part of a version that a member keeps
          FixRetry,          \* S04: the loser of a claim starts again (H-16)
          FixValueFirst,     \* S01: the value is there before the key (H-17, H-39)
          FixVersionCheck,   \* S06: a match is validated by the version (H-22)
          FixFrozenValue,    \* S06: a frozen value belongs to the old key (H-22)
          FixStashedMember,  \* S06: search looks where the stash points (H-10, H-47)
          FixOtherHalf,      \* decide only after a look into the other half (H-28)
          FixFreezeFirst,    \* an abort freezes before it thaws (late helper)
          FixMemberBase,     \* a writer that matched a member looks at its base again
          FixPhase,          \* a reader tells by the version whether a member has moved
          FixLastLook,       \* a bucket that looks empty after a move is looked at again
          FixNewKey,         \* only some operations bring a key to the base
          FixMark,           \* a member is marked before it moves, a delete helps (H-31)
          FixMoveAway,       \* S03: a member moves only away from its base
          FixStillMarked,    \* an abort thaws the member only if it is marked still
          FixValueAfter,     \* the value of a member is read after its key
          FixLostSkipped,    \* what was deleted meanwhile is not reinserted (H-67)
          FixHelp            \* whoever meets a descriptor finishes it (H-84)

Half == {0, 1}
Cell == 0 .. N - 1
Addr == {<<h, c>> : h \in Half, c \in Cell}

(* The cells of a window: half -> home -> offset -> cell. In a row, round  *)
(* the ring, and on beyond the window, unless a run has another table in   *)
(* place of this one, as on the engine's long rings (MCScattered). A cell  *)
(* that no step comes to is N: whoever came to it would find no word. So   *)
(* are all cells of the window of a cell that is nobody's home.            *)
InARow == [h \in Half |-> [home \in Cell |-> [o \in 0 .. N + W - 2 |-> (home + o) % N]]]
Place == InARow
(* And back: the home of which a cell has that offset, N if there is none; *)
(* the offset that a cell has from a home, W if it is not in the window.   *)
HomeFrom == [h \in Half |-> [c \in Cell |-> [o \in 0 .. W - 1 |->
  LET homes == {x \in Cell : Place[h][x][o] = c}
  IN IF homes = {} THEN N ELSE CHOOSE x \in homes : TRUE]]]
OffsetFrom == [h \in Half |-> [x \in Cell |-> [c \in Cell |->
  LET offsets == {o \in 0 .. W - 1 : Place[h][x][o] = c}
  IN IF offsets = {} THEN W ELSE CHOOSE o \in offsets : TRUE]]]

(* How many places an add looks at, in each half, for members that can     *)
(* move. And the front of a window, the offsets below it: a hole there is  *)
(* as good as any, for one behind it an add has a look at the other half.  *)
(* All of the window, unless a run has another.                            *)
Reach == IF 3 * W < N THEN 3 * W ELSE N
Front == W

ASSUME GeometryAssumption == W \in 2 .. N
ASSUME ActorsAssumption == Actors = 1 .. Cardinality(Actors)
ASSUME HomeAssumption == Home \in [Half -> [Keys -> Cell]]
(* Of each key's home there is a window, which begins with the home; the   *)
(* cells of a window are different ones, and of a cell and an offset there *)
(* is one home. The table ends with the window, or goes on as far as an    *)
(* add looks from any of its cells.                                        *)
ASSUME PlaceAssumption == \A h \in Half :
  /\ \A x \in Cell : DOMAIN Place[h][x] \in {0 .. W - 1, 0 .. N + W - 2}
  /\ \A k \in Keys : /\ Place[h][Home[h][k]][0] = Home[h][k]
                     /\ \A o \in 1 .. W - 1 : Place[h][Home[h][k]][o] \in Cell \cup {N}
  /\ \A x, y \in Cell, o, p \in 0 .. W - 1 :
       Place[h][x][o] = Place[h][y][p] /\ Place[h][x][o] # N => (x = y <=> o = p)
ASSUME WrapAssumption == /\ {WrapRef, WrapVersion, WrapMember} \subseteq Nat
                         /\ WrapMember = 0 \/ WrapVersion % WrapMember = 0

VARIABLES w0,     \* Addr -> word 0
          w1,     \* Addr -> word 1
          desc,   \* actor -> its descriptor in shared memory
          loc,    \* actor -> its local state, pc included
          dead,   \* actors that will never move again
          marks,  \* operation states whose race has happened (history)
          freed,  \* value -> how often it was handed to somebody (history)
          map, busy, seen, done, over, out   \* the atomic map (history; Map.tla)

memVars == <<w0, w1, desc>>
absVars == <<map, busy, seen, done, over, out>>
histVars == <<map, busy, seen, done, over, out, freed>>
vars == <<w0, w1, desc, loc, dead, marks, freed, map, busy, seen, done, over, out>>

----------------------------------------------------------------------------
None == 0
NoHalf == 2
Lost == 255

(* x on a circle of that many numbers. An actor that sleeps while a word   *)
(* goes once round takes the new one for the old one. Engine: 2^17 to 2^27 *)
(* by the number of descriptors, 2^29, 2^24.                               *)
Round(x, circle) == IF circle = 0 THEN x ELSE x % circle
NextRef(g)       == Round(g + 1, WrapRef)
NextVersion(n)   == Round(n + 1, WrapVersion)

E(g)       == [f |-> "E", g |-> g]
C(r)       == [f |-> "C", r |-> r]
B(k, m)    == [f |-> "B", k |-> k, m |-> m]
O(k, r)    == [f |-> "O", k |-> k, r |-> r]
M(k, p, g) == [f |-> "M", k |-> k, p |-> p, g |-> Round(g, WrapMember)]
U(k, r)    == [f |-> "U", k |-> k, r |-> r]
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
(* The member that an operation is about: offset, generation, version.     *)
NoSource == [c |-> 0, g |-> 0, n |-> 0]
NoDesc == [head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
           expect |-> NoWord1, source |-> NoSource, target |-> NoTarget]
NoHole == [c |-> 0, g |-> 0]

At(h, home, offset) == <<h, Place[h][home][offset]>>
Least(s) == CHOOSE x \in s : \A y \in s : x <= y
Greatest(s) == CHOOSE x \in s : \A y \in s : x >= y
(* f(x). In ENABLED TLC computes an argument anew wherever it is used, and *)
(* those in that argument, too; here it does so once.                      *)
Strictly(f(_), x) == CHOOSE y \in {f(z) : z \in {x}} : TRUE
Below(h, cell, offset) == <<h, HomeFrom[h][cell][offset]>>
NoOp == [op |-> "idle", k |-> None, v |-> None]
OfMember == {"move", "drop", "lift"}
(* What an add installs to make room, and what a crop installs. *)
OfRoom == OfMember \cup {"clear"}
BringsKey == {"add", "replace", "lift"}

(* How full a bucket looks from word 0 of its home; W: not to be used. *)
Load(a) == CASE a.f = "E" -> 0
             [] a.f = "C" -> 1
             [] a.f = "B" -> 1 + Cardinality(a.m)
             [] a.f = "O" -> 2
             [] MakeRoom  -> IF a.f = "M" THEN 1 ELSE 2
             [] OTHER     -> W
----------------------------------------------------------------------------
(* Local state. Fields are put back when they are no longer needed, so     *)
(* that equal states are equal.                                            *)
NoSearch == [mode |-> "none", k |-> None, h |-> 0, v |-> NoWord1, b |-> NoWord0,
             r |-> NoRef, head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
             expect |-> NoWord1, source |-> NoSource, t |-> NoTarget, twice |-> FALSE,
             left |-> {}, mw |-> NoWord0, mv |-> NoWord1]
NoView == [b |-> NoWord0, v |-> NoWord1]
NoHelp == [r |-> NoRef, head |-> NoHead, pair |-> NoPair, plan |-> NoPlan,
           expect |-> NoWord1, source |-> NoSource, t |-> NoTarget, i |-> 0,
           hole |-> NoHole]
(* What an operation on a bucket is about to be: the base at home of half  *)
(* h, its words b and v; the member at offset c, its words w and x; the    *)
(* members that are still to be looked at.                                 *)
NoWork == [kind |-> "none", h |-> 0, home |-> 0, v |-> NoWord1, b |-> NoWord0,
           c |-> 0, w |-> NoWord0, x |-> NoWord1, left |-> {}]
(* A ticket: the cell in which a lookup found its key, and word 1 there.   *)
NoTicket == [h |-> 0, c |-> 0, w |-> NoWord1]
(* A lost element above a member that cannot move: at offset c of the base  *)
(* in cell home of half h.                                                 *)
NoSpare == [h |-> 0, home |-> 0, c |-> 0]
NoLocal == [pc |-> "ClientCall", i |-> 1, s |-> NoSearch,
            view |-> [h \in Half |-> NoView], half |-> NoHalf, tried |-> {},
            room |-> 0, spare |-> NoSpare, u |-> NoWork, p |-> NoHelp, ticket |-> NoTicket]

Op(t) == Programs[t][loc[t].i]

(* The key k has the value v from now on. Whoever is busy with k sees it.   *)
(* When k leaves the table, an update of k that is in progress may still   *)
(* have taken effect just before; so may a swap that expects its value,    *)
(* which is what the lookup before has found.                              *)
TicketOf(x) == IF out[x].r \in {"found", "same"} THEN out[x].v ELSE None
Overtaken(x, k) ==
  /\ busy[x].k = k /\ ~done[x]
  /\ busy[x].op = "update" \/ (busy[x].op = "swap" /\ TicketOf(x) = map[k])
Becomes(k, v) ==
  /\ map' = [map EXCEPT ![k] = v]
  /\ seen' = [x \in Actors |-> IF busy[x].k = k THEN seen[x] \cup {v} ELSE seen[x]]
  /\ over' = [x \in Actors |->
       over[x] \/ (v = None /\ map[k] # None /\ Overtaken(x, k))]

(* The operation of actor u takes effect now. *)
Effect(u) ==
  /\ Becomes(busy[u].k, busy[u].v)
  /\ done' = [done EXCEPT ![u] = TRUE]
  /\ UNCHANGED <<busy, out>>

(* The same, and k0 leaves. *)
EffectFor(u, k0) ==
  /\ map' = [map EXCEPT ![busy[u].k] = busy[u].v, ![k0] = None]
  /\ seen' = [x \in Actors |->
       CASE busy[x].k = busy[u].k -> seen[x] \cup {busy[u].v}
         [] busy[x].k = k0 -> seen[x] \cup {None}
         [] OTHER -> seen[x]]
  /\ over' = [x \in Actors |->
       over[x] \/ Overtaken(x, k0)]
  /\ done' = [done EXCEPT ![u] = TRUE]
  /\ UNCHANGED <<busy, out>>

(* k is evicted on behalf of actor u. *)
Evict(k) == Becomes(k, None) /\ UNCHANGED <<done, busy, out>>

(* The change of actor u counts as just before the delete that it has met. *)
Supersede(u) ==
  /\ done' = [done EXCEPT ![u] = TRUE]
  /\ UNCHANGED <<map, busy, seen, over, out>>

(* v has left the table, and belongs to the owner of the operation.        *)
Free(v) == freed' = [freed EXCEPT ![v] = IF freed[v] = 2 THEN 2 ELSE freed[v] + 1]

Goto(t, l) == loc' = [loc EXCEPT ![t] = l]
At0(l, pc) == [l EXCEPT !.pc = pc]
Mark(s) == marks' = marks \cup s

ValuesOrNone == Values \cup {None}
TypeOK ==
  /\ \A a \in Addr : w0[a].f \in {"E", "C", "B", "O", "M", "U"}
  /\ \A a \in Addr : w1[a].v \in ValuesOrNone /\ w1[a].z \in {0, 1}
  /\ \A t \in Actors : desc[t].target.st \in {"undecided", "committed", "aborted", "full"}
  /\ \A t \in Actors : loc[t].i \in 1 .. Len(Programs[t]) + 1
  /\ dead \subseteq Actors
=============================================================================
