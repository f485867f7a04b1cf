----------------------------- MODULE Invariants -----------------------------
(***************************************************************************)
(* Every safety property of the table, one by one, in growing strength.    *)
(* The engine's structural check and the model use the same names.         *)
(***************************************************************************)
EXTENDS Hopscotch

Held(a) == w0[a].f \in {"C", "O", "U"}
DescOf(a) == desc[w0[a].r.d]
HasKey(a) == w0[a].f \in {"B", "O", "M", "U"}
Hole(x) == IF x.target.c # 0 THEN {x.target.c} ELSE {}

(* The member of a move, a drop or a lift has left its place. *)
HasLeft(a) ==
  LET x == DescOf(a) IN
  CASE x.head.kind \in {"move", "drop"} -> x.target.st = "committed" /\ w1[a].n # x.expect.n
    [] x.head.kind = "lift" -> w0[a].k # x.plan.k
    [] OTHER -> FALSE

(* The offsets whose cells belong to the base at a, in operation or not;   *)
(* and those where its members are at this instant: a copy does not count  *)
(* before the base is flipped.                                             *)
Offsets(a) ==
  IF w0[a].f = "B" THEN w0[a].m ELSE DescOf(a).plan.m \cup Hole(DescOf(a))
Current(a) ==
  LET x == DescOf(a) IN
  CASE w0[a].f = "B" -> w0[a].m
    [] x.head.kind = "add" /\ w0[a].k # x.plan.k -> x.plan.m \cup Hole(x)
    [] HasLeft(a) -> (x.plan.m \ {x.source.c}) \cup Hole(x)
    [] OTHER -> x.plan.m
(* The base of the member at a. *)
BaseOf(a) ==
  IF w0[a].f = "M" THEN Below(a[1], a[2], w0[a].p)
  ELSE <<DescOf(a).head.h, DescOf(a).head.home>>
OffsetOf(a) == OffsetFrom[a[1]][BaseOf(a)[2]][a[2]]

(* I1: the key 0 is nobody's key. Catches a word composed of two forms. *)
I1NoEmptyKey == \A a \in Addr : HasKey(a) => w0[a].k # None

(* I2: an empty cell has no value, its generation is its version. Every    *)
(* expected value of a reservation rests on it.                            *)
I2EmptyWord == \A a \in Addr : w0[a].f = "E" => w1[a] = V(None, 0, w0[a].g)

(* I3: a reference in a cell names a descriptor of that very generation    *)
(* that has to do with the cell: its home, its hole, or its member.        *)
(* Catches a helper that claims for an operation that is over.             *)
I3RefsLive == \A a \in Addr : Held(a) =>
  LET x == DescOf(a) IN
  /\ x.head.gen = w0[a].r.g
  /\ CASE w0[a].f = "O" -> a = <<x.head.h, x.head.home>>
       [] w0[a].f = "U" -> /\ x.head.kind \in OfMember
                           /\ a = At(x.head.h, x.head.home, x.source.c)
       [] OTHER -> \/ x.head.kind = "new" /\ a = <<x.head.h, x.head.home>>
                   \/ /\ x.target.c # 0
                      /\ a = At(x.head.h, x.head.home, x.target.c)

(* I4: a value is frozen only while its cell is in operation. Catches a    *)
(* freeze that lands after the operation has been undone.                  *)
I4FrozenIsHeld == \A a \in Addr : w1[a].z = 1 => w0[a].f \in {"O", "U"}

(* I5: a member belongs to exactly one base, which names it, and stands in *)
(* its window.                                                             *)
I5MembersOwned == \A a \in Addr : w0[a].f \in {"M", "U"} =>
  LET b == BaseOf(a) IN
  /\ b \in Addr
  /\ w0[b].f \in {"B", "O"}
  /\ OffsetOf(a) \in 1 .. W - 1
  /\ OffsetOf(a) \in Offsets(b)
  /\ w0[a].f = "U" => w0[b].f = "O" /\ w0[b].r = w0[a].r

(* I6: what an idle base names is a member of it. *)
I6MapsExact == \A a \in Addr : w0[a].f = "B" => \A o \in w0[a].m :
  LET c == At(a[1], a[2], o) IN w0[c].f = "M" /\ w0[c].p = o

(* I7: an element stands in the bucket of its key. *)
I7InItsBucket == \A a \in Addr : HasKey(a) /\ w0[a].k # Lost =>
  IF w0[a].f \in {"B", "O"} THEN Home[a[1]][w0[a].k] = a[2]
  ELSE <<a[1], Home[a[1]][w0[a].k]>> = BaseOf(a)

(* Where an element can be seen by a reader at this instant. *)
Sites == {a \in Addr : CASE w0[a].f \in {"B", "O"} -> TRUE
                         [] w0[a].f \in {"M", "U"} ->
                              OffsetOf(a) \in Current(BaseOf(a))
                         [] OTHER -> FALSE}
ValueAt(a, k) ==
  IF /\ w0[a].f = "O" /\ w1[a].z = 1
     /\ DescOf(a).head.kind \in BringsKey /\ DescOf(a).pair.k = k
  THEN DescOf(a).pair.v ELSE w1[a].v

Live == {a \in Sites : w0[a].k # Lost}

(* I8: a key is in the table at most once, both halves together. H-28. *)
I8KeysUnique == LET live == Live IN Cardinality({w0[a].k : a \in live}) = Cardinality(live)

(* I9: at every instant memory holds exactly the atomic map. *)
I9MemoryIsMap == {<<w0[a].k, ValueAt(a, w0[a].k)>> : a \in Live}
                 = {<<k, map[k]>> : k \in {x \in Keys : map[x] # None}}

(* I10: when everybody is done nothing is left of any operation. A dead    *)
(* actor may leave one operation behind, installed: whoever meets it next  *)
(* finishes it.                                                            *)
Leftover == {a \in Addr : Held(a) \/ w1[a].z = 1}
I10NothingLeft == AllDone => \A a \in Leftover : Held(a) /\ w0[a].r.d \in dead

(* I11: an operation holds one base, and at most two other cells: a member *)
(* and a hole. So helpers cannot wait for one another in a circle.         *)
I11HeldOnce == \A t \in Actors :
  LET held == {a \in Addr : Held(a) /\ w0[a].r.d = t} IN
  /\ Cardinality(held) <= 3
  /\ Cardinality({a \in held : w0[a].f = "O"}) <= 1

(* I13: what leaves the table is handed to exactly one owner, and has left: *)
(* no live element has its value. H-31, H-77.                              *)
I13HandedOnce ==
  /\ \A v \in Values : freed[v] <= 1
  /\ \A k \in Keys : map[k] # None => freed[map[k]] = 0

(* I14: nothing is lost without a trace: at the end each value that was    *)
(* there at first is in one cell, or was handed to somebody.               *)
Cells1(v) == Cardinality({a \in Addr : w1[a].v = v})
I14Conserved == AllDone /\ Leftover = {} =>
  /\ \A v \in Values : Cells1(v) + freed[v] <= 1
  /\ \A k \in DOMAIN InitMap : Cells1(InitMap[k]) + freed[InitMap[k]] = 1

(* I15: where each delete is followed by a crop, no lost cell stays. H-66. *)
I15NothingLost == Cropped /\ AllDone /\ dead = {} =>
  \A a \in Addr : HasKey(a) => w0[a].k # Lost

(* P1: every change of word 1 but a freeze takes the next version. P2: the *)
(* generation of a cell that is emptied is its version.                    *)
P1VersionsGrow == [][\A a \in Addr : w1'[a] # w1[a] =>
  \/ w1'[a].n = NextVersion(w1[a].n)
  \/ w1'[a].n = w1[a].n /\ w1[a].z = 0 /\ w1'[a].z = 1]_w1
P2GenerationsGrow == [][\A a \in Addr :
  w0'[a] # w0[a] /\ w0'[a].f = "E" =>
    w0[a].f \in {"C", "O", "U", "M"} /\ w1[a].n = w0'[a].g]_w0

(* P3: what is lost is not put into a new place. H-67. *)
P3LostStaysOut == [][\A a \in Addr :
  w0'[a] # w0[a] /\ w0'[a].f \in {"M", "B"} /\ w0'[a].k = Lost => w0[a].f # "C"]_w0

(* P4: the oldest leaves. An add that evicts takes the live member of the  *)
(* own bucket with the least value, and the base only if it is alone. The  *)
(* look at the members is not one instant: what "oldest" means is defined  *)
(* where nobody else changes them meanwhile, and checked where only one    *)
(* actor's program writes. A home cell that is another bucket's member is  *)
(* not the own bucket's: it leaves whatever its age.                       *)
Writes(t) == \E i \in 1 .. Len(Programs[t]) : Programs[t][i].op # "get"
OneWriter == Cardinality({t \in Actors : Writes(t)}) <= 1
Oldest(a) ==
  LET x == DescOf(a)
      cell(o) == At(a[1], a[2], o)
  IN CASE x.head.kind = "drop" -> \A o \in x.plan.m :
            w0[cell(o)].k = Lost \/ w1[cell(o)].v >= x.pair.v
       [] OTHER -> x.plan.m = {}
EvictsOwn(a) ==
  LET x == DescOf(a) IN
  /\ w0[a].f = "O" /\ x.target.st = "committed"
  /\ \/ /\ x.head.kind = "drop" /\ x.pair.k # Lost
        /\ busy[w0[a].r.d].op = "add" /\ Home[a[1]][busy[w0[a].r.d].k] = a[2]
     \/ x.head.kind = "replace" /\ x.plan.k # Lost
P4OldestLeaves == [][\A a \in Addr :
  OneWriter /\ w1'[a].n # w1[a].n /\ EvictsOwn(a) => Oldest(a)]_w1

(* P5: a member moves only away from its base. Then only an add that takes *)
(* effect brings an element nearer to its base: between two of them there  *)
(* are at most as many moves as there are cells above the members in their *)
(* windows, and adders that make room cannot keep one another from it.     *)
P5MovesAway == [][\A t \in Actors :
  LET x == desc'[t] IN
  x.target # desc[t].target /\ x.target.c # 0 /\ x.head.kind = "move"
    => x.target.c > x.source.c]_desc

(* P8: an element leaves only for want of room: in neither half has the    *)
(* new key an empty home cell or one that can become so, nor a bucket with *)
(* a lost base or with a cell in its window that is empty or can become    *)
(* so, by a move, or because the member that stands there can take the     *)
(* place of its base, which is lost; nor with a lost element in that       *)
(* window, whose cell, or that of a member of its bucket, is reclaimed.    *)
(* Checked where only one actor's program writes: what others empty        *)
(* between the look and the eviction nobody can know of.                   *)
Vacant(h, home, from) == \E o \in from .. W - 1 : w0[At(h, home, o)].f = "E"
VacantOrLost(h, home, from) == \E o \in from .. W - 1 :
  LET x == w0[At(h, home, o)] IN x.f = "E" \/ (x.f \in {"M", "B"} /\ x.k = Lost)
Yields(a, home) ==
  LET b == Below(a[1], a[2], w0[a].p) IN
  \/ w0[a].f = "M" /\ (w0[a].k = Lost \/ (b # home /\ VacantOrLost(b[1], b[2], w0[a].p + 1)))
  \/ w0[a].f = "M" /\ b # home /\ w0[b].f = "B" /\ w0[b].k = Lost
  \/ w0[a].f = "B" /\ w0[a].k = Lost
HasRoom(h, k) ==
  LET home == <<h, Home[h][k]>>
      x == w0[home]
  IN CASE x.f = "E" -> TRUE
       [] x.f \in {"B", "O"} -> \/ x.k = Lost \/ Vacant(h, home[2], 1)
                               \/ \E o \in 1 .. W - 1 : Yields(At(h, home[2], o), home)
       [] OTHER -> Yields(home, home)
Evicts(a) ==
  LET x == DescOf(a) IN
  /\ w0[a].f = "O" /\ x.target.st = "committed"
  /\ \/ x.head.kind = "drop" /\ x.pair.k # Lost /\ busy[w0[a].r.d].op = "add"
     \/ x.head.kind = "replace" /\ x.plan.k # Lost
P8RoomFirst == [][OneWriter => \A a \in Addr :
  w1'[a].n # w1[a].n /\ Evicts(a) =>
    \A h \in Half : ~HasRoom(h, busy[w0[a].r.d].k)]_w1

(* P9: a restore finishes what it comes to. It leaves the bucket of its    *)
(* key when the base is in no operation, at that instant, and does so in   *)
(* both halves. What a crop leaves behind is I15's.                        *)
P9RestoreFinishes == [][\A t \in Actors : busy[t].op = "restore" =>
  LET h == loc[t].u.h
      ends == loc[t].pc # "ClientReturn" /\ loc'[t].pc = "ClientReturn"
      leaves == ends \/ (h = 0 /\ loc'[t].u.h = 1)
  IN /\ ends => h = 1
     /\ leaves => ~Held(<<h, Home[h][busy[t].k]>>)]_loc
=============================================================================
