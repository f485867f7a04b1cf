------------------------------- MODULE Stash -------------------------------
(***************************************************************************)
(* The shared memory of the source text: cells of two words, one pool of   *)
(* stash records, two queues. Two words never change in one step.          *)
(*                                                                         *)
(* Word 0 {cbits, key}                                                     *)
(*   E   empty: everything is zero                                         *)
(*   B   base: m is the map of members, 0 stands for the base itself       *)
(*   BO  base in operation: s is the stash record, fl the flags            *)
(*   M   member, o cells above its base; n counts who pins it              *)
(*   MO  member in operation: s is the stash record                        *)
(* Word 1 {tbits, value}                                                   *)
(*   Z   zero       T  member, a time       B  base: m is its taken map    *)
(*   O   base with readers: s is the stash record, r the semaphore         *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Clients,      \* numbers from 1
          Keys,         \* positive numbers
          N,            \* cells of a half, a ring
          Halves,       \* 1 or 2
          Draws,        \* clients whose random bit is 1
          W,            \* window: offsets 0 .. W-1
          P,            \* stash records
          Home,         \* key -> cell
          Programs,     \* client -> sequence of operations
          InitCells,    \* cell -> word 0 before the program
          InitTaken,    \* cell -> word 1 before the program
          InitMap,      \* key -> value before the program, 0 is absent
          Tied,         \* FALSE: as written. TRUE: a record is changed only
                        \* while the cell names it, in one step with the cell
          Readings,     \* other readings of the text, {} for none: README.md
          MaxDeaths     \* actors that may die, 0 for none

Least(s) == CHOOSE x \in s : \A y \in s : x <= y
Most(s) == CHOOSE x \in s : \A y \in s : x >= y

Cell == 0 .. Halves * N - 1
Record == 1 .. P
Service == Cardinality(Clients) + 1     \* the completion service
CropActor == Cardinality(Clients) + 2
Second == Cardinality(Clients) + 3      \* the other one, if there are two
Servers == IF "two services" \in Readings THEN {Service, Second} ELSE {Service}
Actors == 1 .. Most(Servers \cup {CropActor})

VARIABLES c,      \* cell -> word 0
          tv,     \* cell -> word 1
          st,     \* record -> stash record
          free,   \* records that nobody has
          q,      \* work of the completion service, first in first out
          cq,     \* bases to be cropped, first in first out
          tier,   \* keys that were sent on to older storage
          l,      \* actor -> its local state, pc included
          lin     \* key -> what an atomic map may have done (History.tla)

vars == <<c, tv, st, free, q, cq, tier, l, lin>>
----------------------------------------------------------------------------
None == 0
Lost == 99      \* the source text's UINT32_MAX

Word0(f, m, o, s, fl, n, k) ==
  [f |-> f, m |-> m, o |-> o, s |-> s, fl |-> fl, n |-> n, k |-> k]
Empty0 == Word0("E", {}, 0, 0, {}, 0, None)
Base(m, k) == Word0("B", m, 0, 0, {}, 0, k)
BaseOp(s, fl, k) == Word0("BO", {}, 0, s, fl, 0, k)
Member(o, fl, n, k) == Word0("M", {}, o, 0, fl, n, k)

Word1(f, m, s, r, v) == [f |-> f, m |-> m, s |-> s, r |-> r, v |-> v]
Zero1 == Word1("Z", {}, 0, 0, None)

(* A stash record: real bits, or the offset of a member, a pair, users.    *)
NoRecord == [real |-> {}, o |-> 0, k |-> None, v |-> None, u |-> 0]
Filled(real) == [NoRecord EXCEPT !.real = real, !.u = 1]

(* Cells of the second half follow those of the first one; each is a ring. *)
Up(b, o) == (b \div N) * N + ((b + o) % N)
Down(b, o) == (b \div N) * N + ((b + N - o) % N)
Offsets == 1 .. W - 1

Names(w, s) == w.f \in {"BO", "MO"} /\ w.s = s
IsMember(w) == w.f \in {"M", "MO"}
IsBase(w) == w.f \in {"B", "BO"}
(* A reader is kept out while somebody edits the root and does not swap.   *)
KeepsOut(w) == w.f = "BO" /\ "root" \in w.fl /\ "swappy" \notin w.fl

(* "Once the real tbits are unstashed": nobody counts on the base staying. *)
NoReaders(x) == x.f # "O"

(* kind: new a base is born; old a displaced pair, in the stash;           *)
(* put a new pair, in the item; drop nothing to reinsert.                  *)
Item(kind, b, s, k, v) == [kind |-> kind, b |-> b, s |-> s, k |-> k, v |-> v]
----------------------------------------------------------------------------
(* Local state; what is not needed any more is put back, so that equal     *)
(* states are equal. i next operation; h its half, which the caller of an  *)
(* add knows from then on; w, x words seen; s record of cbits, e record of *)
(* tbits; b a base; j a position, or the members of a bucket; m offsets;   *)
(* k, v a pair; r the result; kind what the work is; g offsets to be       *)
(* erased; mode is "swappy" for a careful search.                          *)
NoLocal == [pc |-> "Idle", i |-> 1, h |-> 0, w |-> Empty0, x |-> Zero1, s |-> 0, e |-> 0,
            b |-> 0, j |-> 0, m |-> {}, k |-> None, v |-> None, r |-> 0,
            kind |-> "none", g |-> {}, mode |-> "none"]
Fresh(t) == [NoLocal EXCEPT !.i = l[t].i, !.h = l[t].h]

(* Not counting what it knows of a base that it has flagged. *)
Again(t) == [Fresh(t) EXCEPT !.kind = l[t].kind]

At(t, p) == l[t].pc = p
Dead(t) == At(t, "Dead")
Goto(t, new, p) == l' = [l EXCEPT ![t] = [new EXCEPT !.pc = p]]

Op(t) == Programs[t][l[t].i]
H(t) == Home[Op(t).k] + N * l[t].h
Finished(t) == At(t, "Idle") /\ l[t].i > Len(Programs[t])

(* Everything but one variable and the local state stays. *)
KeepAll  == UNCHANGED <<c, tv, st, free, q, cq, tier, lin>>
KeepBut0 == UNCHANGED <<tv, st, free, q, cq, tier, lin>>
KeepBut1 == UNCHANGED <<c, st, free, q, cq, tier, lin>>
KeepButS == UNCHANGED <<c, tv, free, q, cq, tier, lin>>
KeepButF == UNCHANGED <<c, tv, st, q, cq, tier, lin>>
KeepButQ == UNCHANGED <<c, tv, st, free, cq, tier, lin>>
KeepButC == UNCHANGED <<c, tv, st, free, q, tier, lin>>
----------------------------------------------------------------------------
(* One reference more, after the cell was seen to name the record. *)
Follow(t, b, next, again) ==
  /\ IF Tied /\ ~Names(c[b], l[t].s) THEN again /\ UNCHANGED st
     ELSE Goto(t, l[t], next) /\ st' = [st EXCEPT ![l[t].s].u = @ + 1]
  /\ KeepButS

(* One reference less; who gives back the last one puts the real cbits     *)
(* into the cell, which releases the master's hold, and frees the record.  *)
Restored(b, s, real) == IF Names(c[b], s) THEN [c EXCEPT ![b] = Base(real, c[b].k)] ELSE c
GiveBack(t, b, restore, next, otherwise) ==
  LET y == st[l[t].s]
      last == y.u = 1
  IN
  /\ st' = [st EXCEPT ![l[t].s].u = @ - 1]
  /\ c' = IF last /\ Tied THEN Restored(b, l[t].s, y.real) ELSE c
  /\ IF ~last THEN otherwise
     ELSE IF Tied THEN Goto(t, l[t], next)
     ELSE Goto(t, [l[t] EXCEPT !.m = y.real], restore)
  /\ UNCHANGED <<tv, free, q, cq, tier, lin>>
PutBack(t, b, next) ==
  /\ c' = Restored(b, l[t].s, l[t].m)
  /\ Goto(t, [l[t] EXCEPT !.m = {}], next)
  /\ KeepBut0
FreeRecord(t, otherwise) ==
  /\ free' = free \cup {l[t].s}
  /\ otherwise
  /\ KeepButF
TakeRecord(t, next) ==
  /\ free # {}
  /\ free' = free \ {Least(free)}
  /\ Goto(t, [l[t] EXCEPT !.s = Least(free)], next)
  /\ KeepButF

(* The taken map of the base at a gets the bits add and loses the bits     *)
(* drop, in the cell or, one step later, in the record that has the map    *)
(* while there are readers.                                                *)
ChangeMap(t, a, add, drop, stash, otherwise) ==
  LET x == tv[a]
      changed(m) == (m \cup add) \ drop
  IN
  /\ IF x.f = "O" /\ ~Tied
     THEN Goto(t, [l[t] EXCEPT !.e = x.s], stash) /\ UNCHANGED <<tv, st>>
     ELSE /\ tv' = IF x.f = "B" THEN [tv EXCEPT ![a].m = changed(@)] ELSE tv
          /\ st' = IF x.f = "O" THEN [st EXCEPT ![x.s].real = changed(@)] ELSE st
          /\ otherwise
  /\ UNCHANGED <<c, free, q, cq, tier, lin>>
ChangeStashed(t, add, drop, otherwise) ==
  /\ st' = [st EXCEPT ![l[t].e].real = (@ \cup add) \ drop]
  /\ otherwise
  /\ KeepButS
=============================================================================
