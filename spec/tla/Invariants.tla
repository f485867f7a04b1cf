----------------------------- MODULE Invariants -----------------------------
(***************************************************************************)
(* Every safety property of the table, one by one, in growing strength.    *)
(* The engine's structural check and the model use the same names.         *)
(***************************************************************************)
EXTENDS Hopscotch

Held(a) == w0[a].f \in {"C", "O"}
DescOf(a) == desc[w0[a].r.d]

(* The offsets that belong to the base at a, in operation or not.          *)
Offsets(a) ==
  IF w0[a].f = "B" THEN w0[a].m
  ELSE DescOf(a).plan.m
       \cup (IF DescOf(a).target.c # 0 THEN {DescOf(a).target.c} ELSE {})

(* I1: the key 0 is nobody's key. Catches a word composed of two forms. *)
I1NoEmptyKey == \A a \in Addr : w0[a].f \in {"B", "O", "M"} => w0[a].k # None

(* I2: an empty cell has no value, its generation is its version. Every    *)
(* expected value of a reservation rests on it.                            *)
I2EmptyWord == \A a \in Addr : w0[a].f = "E" => w1[a] = V(None, 0, w0[a].g)

(* I3: a reference in a cell names a descriptor of that very generation    *)
(* that has to do with the cell: its home, or its hole. Catches a helper   *)
(* that claims for an operation that is over.                              *)
I3RefsLive == \A a \in Addr : Held(a) =>
  /\ DescOf(a).head.gen = w0[a].r.g
  /\ \/ a = <<DescOf(a).head.h, DescOf(a).head.home>>
     \/ /\ w0[a].f = "C"
        /\ DescOf(a).target.c # 0
        /\ a = At(DescOf(a).head.h, DescOf(a).head.home, DescOf(a).target.c)

(* I4: a value is frozen only while its base is in operation. Catches a    *)
(* freeze that lands after the operation has been undone.                  *)
I4FrozenIsHeld == \A a \in Addr : w1[a].z = 1 => w0[a].f = "O"

(* I5: a member belongs to exactly one base, which names it. *)
I5MembersOwned == \A a \in Addr : w0[a].f = "M" =>
  LET b == <<a[1], (a[2] + N - w0[a].p) % N>> IN
  /\ w0[b].f \in {"B", "O"}
  /\ w0[a].p \in Offsets(b)

(* I6: what an idle base names is a member of it. *)
I6MapsExact == \A a \in Addr : w0[a].f = "B" => \A o \in w0[a].m :
  LET c == At(a[1], a[2], o) IN w0[c].f = "M" /\ w0[c].p = o

(* I7: an element stands in the bucket of its key. *)
I7InItsBucket == \A a \in Addr :
  /\ w0[a].f \in {"B", "O"} => Home[a[1]][w0[a].k] = a[2]
  /\ w0[a].f = "M" => (Home[a[1]][w0[a].k] + w0[a].p) % N = a[2]

(* Where a key can be seen by a reader at this instant. While a base is in *)
(* operation its displaced element is copied: until the flip the base has  *)
(* the element, and the copy is not counted.                               *)
Sites(k) ==
  {a \in Addr : w0[a].f \in {"B", "O"} /\ w0[a].k = k}
  \cup {a \in Addr : /\ w0[a].f = "M" /\ w0[a].k = k
                     /\ LET b == <<a[1], (a[2] + N - w0[a].p) % N>> IN
                        ~(w0[b].f = "O" /\ w0[b].k = k)}
ValueAt(a, k) ==
  IF w0[a].f = "O" /\ w1[a].z = 1 /\ DescOf(a).pair.k = k
  THEN DescOf(a).pair.v ELSE w1[a].v

(* I8: a key is in the table at most once, both halves together. H-28. *)
I8KeysUnique == \A k \in Keys : Cardinality(Sites(k)) <= 1

(* I9: at every instant memory holds exactly the atomic map. *)
I9MemoryIsMap == \A k \in Keys :
  IF map[k] = None THEN Sites(k) = {}
  ELSE \E a \in Sites(k) : ValueAt(a, k) = map[k]

(* I10: when everybody is done nothing is left of any operation. A dead    *)
(* actor may leave one operation behind, installed: whoever meets it next  *)
(* finishes it.                                                            *)
Leftover == {a \in Addr : Held(a) \/ w1[a].z = 1}
I10NothingLeft == AllDone => \A a \in Leftover : Held(a) /\ w0[a].r.d \in dead

(* I11: a descriptor that is not installed is nobody's business: at most   *)
(* one cell is held as home, at most one as hole, by one descriptor.       *)
I11HeldOnce == \A t \in Actors :
  Cardinality({a \in Addr : Held(a) /\ w0[a].r.d = t}) <= 2

(* P1: versions grow. P2: an empty cell never has the same generation      *)
(* twice: it grows whenever the cell is emptied.                           *)
P1VersionsGrow == [][\A a \in Addr : w1'[a] # w1[a] =>
  w1'[a].n > w1[a].n \/ (w1'[a].n = w1[a].n /\ w1[a].z = 0 /\ w1'[a].z = 1)]_w1
P2GenerationsGrow == [][\A a \in Addr :
  w0'[a] # w0[a] /\ w0'[a].f = "E" => w0[a].f = "C" /\ w1[a].n = w0'[a].g]_w0
=============================================================================
