------------------------------ MODULE MCBasket ------------------------------
(***************************************************************************)
(* What must hold of the baskets, what must come about, and the witnesses  *)
(* that the runs reach what they are about.                                *)
(***************************************************************************)
EXTENDS Refinement

States == {"free", "open", "sealed", "retiring"}
MCTypes ==
  /\ \A h \in Hashes : word[h].ref \in Refs \cup {0} /\ pend[h].own \in Actors \cup {0}
  /\ \A b \in Baskets : head[b].st \in States
  /\ \A b \in Baskets : head[b].tier \in 0 .. LastTier
  /\ \A b \in Baskets : (head[b].own # 0) = (head[b].st \in {"open", "retiring"})
  /\ pair.lo \in 0 .. 2 /\ pair.hi \in 0 .. 2
  /\ \A b, c \in Baskets : b # c /\ head[b].seq # 0 => head[b].seq # head[c].seq

(* B1: the index leads to whole records of baskets that are not free.      *)
Led == UNION {{Chain(h)[i] : i \in 1 .. Len(Chain(h))} : h \in Hashes}
Held == UNION {{ChainOf(hand[a], Len(P.hashes) + 1)[i] : i \in 1 .. Len(ChainOf(hand[a], Len(P.hashes) + 1))} :
                a \in Actors}
B1NoneFreed == \A r \in Led \cup Held : head[BasketOf(r)].st # "free" /\ born[r] = head[BasketOf(r)].gen
B2Whole == \A h \in Hashes : \A i \in 1 .. Len(Chain(h)) :
  LET r == rec[Chain(h)[i]] IN r.size = h /\ Hash(r.k) = h /\ r.lo = r.hi
(* B3: a chain has each key once.                                          *)
B3KeyOnce == \A h \in Hashes : \A i, j \in 1 .. Len(Chain(h)) :
  i # j => rec[Chain(h)[i]].k # rec[Chain(h)[j]].k
(* B4: who walks a basket comes by each record that the index leads to, and*)
(* by none of an earlier life.                                             *)
Walked(b) == {Ref(b, i) : i \in {j \in 1 .. Slots : \A n \in 1 .. j : rec[Ref(b, n)].size # 0}}
B4Walkable == \A r \in Led : r \in Walked(BasketOf(r))
B5ThisLife == \A b \in Baskets : head[b].st # "retiring" => \A r \in Walked(b) : born[r] = head[b].gen
(* B6: free + open + sealed + retiring = all, and an owner knows what it   *)
(* has: one that retires, and one open basket in each lane, of the lane's  *)
(* tier; no more. What is free is in the top tier.                         *)
With(st) == {b \in Baskets : head[b].st = st}
B6Owned ==
  /\ Cardinality(With("free")) + Cardinality(With("open")) + Cardinality(With("sealed"))
       + Cardinality(With("retiring")) = Cardinality(Baskets)
  /\ \A b \in With("free") : head[b].tier = 0
  /\ \A a \in Actors : a \notin dead =>
       /\ {b \in With("open") : head[b].own = a} = {loc[a].open[i] : i \in Lanes} \ {0}
       /\ \A i \in Lanes : loc[a].open[i] # 0 => head[loc[a].open[i]].tier = i - 1
       /\ {b \in With("retiring") : head[b].own = a} = (IF loc[a].ret = 0 THEN {} ELSE {loc[a].ret})
(* B7: an answer is never torn.                                            *)
B7Untorn == \A a \in Actors : loc[a].n >= 0 /\ \A i \in 1 .. Len(loc[a].owe) : loc[a].owe[i].v > 0

(* B8: a basket changes its state as the picture says, and only its owner, *)
(* or somebody after the owner's death, changes one that has an owner. Its *)
(* tier is that of a lane when it is opened; it changes while the basket is*)
(* sealed, by one, and by nothing else.                                    *)
Stay(w, x, fields) == \A f \in fields : x[f] = w[f]
MayChange(a, w, x) ==
  \/ w.st = "free" /\ x.st = "open" /\ x.own = a /\ x.gen = w.gen /\ x.tier < P.lanes
  \/ w.st = "open" /\ x.st = "sealed" /\ (w.own = a \/ w.own \in dead) /\ Stay(w, x, {"gen", "seq", "tier"})
  \/ w.st = "sealed" /\ x.st = "sealed" /\ x = [w EXCEPT !.tier = @ + 1] /\ x.tier < P.tiers
  \/ w.st = "sealed" /\ x.st = "retiring" /\ x.own = a /\ Stay(w, x, {"gen", "seq", "tier"})
  \/ w.st = "retiring" /\ x.st = "retiring" /\ w.own \in dead /\ x.own = a /\ x.seq > w.seq
     /\ Stay(w, x, {"gen", "tier"})
  \/ w.st = "retiring" /\ x.st = "sealed" /\ w.own = a /\ x.seq > w.seq /\ Stay(w, x, {"gen", "tier"})
  \/ w.st = "retiring" /\ x.st = "free" /\ w.own = a /\ x.gen = w.gen + 1
B8ByItsOwner == [][\A b \in Baskets : head'[b] # head[b] =>
  \E a \in Actors \ dead : Goes(a) /\ MayChange(a, head[b], head'[b])]_head

(* B9: what is promoted is in the top tier from the swap on.               *)
Promotes(a) == loc[a].pc = "IndexSwap" /\ loc[a].f.kind = "promote"
B9ToTheTop == [][\A a \in Actors : Promotes(a) /\ Goes(a) =>
  \A h \in Hashes : word'[h].ref \notin {0, word[h].ref} => head'[BasketOf(word'[h].ref)].tier = 0]_word

(* B10: a mark comes, or goes, by the swap of an operation that is about   *)
(* this, and only while the key has the value that this one has copied;    *)
(* what is set has none.                                                   *)
Marks(a, k) == /\ Is(a, "IndexSwap") /\ Goes(a) /\ loc[a].f.kind = "mark" /\ loc[a].f.k = k
               /\ loc[a].f.v = sus'[k] /\ store[k] = loc[a].f.r
B10MarkOfSeen == [][\A k \in Keys :
  IF store'[k] # store[k] THEN sus'[k] = 0 ELSE sus'[k] # sus[k] => \E a \in Actors : Marks(a, k)]_<<word, rec>>

(* B11: the pair changes by a call that changes it, from what it is.       *)
B11ChangeOfIt == [][\E a \in Actors : Is(a, "TuneSwap") /\ loc[a].ip <= Len(P.acts[a]) /\ Goes(a)
  /\ Op(a).op = "Tune" /\ pair' = Changed(pair, Op(a))]_pair
(* B12: what an actor has loaded of the pair was the pair at one instant,  *)
(* and no call knows it from the one before.                               *)
B12OnePair == [][\A a \in Actors : LET l == loc[a]  x == loc'[a] IN
  /\ x.ip # l.ip => x.par = NoPair
  /\ x.par # l.par => x.par \in {NoPair, pair} \/ x.par.hi = 0]_loc
(* B13: what is aged, evicted and moved by a call is what its pair says.   *)
B13ByThePair == [][\A a \in Actors : InTend(a) /\ Goes(a) =>
  /\ loc[a].pc = "RoomAge" => \A b \in Baskets : head'[b] # head[b] => Sinks(loc[a].par, head[b].tier)
  /\ loc[a].pc = "IndexSwap" /\ word' # word => (loc[a].f.kind = "move") = Compacts(loc[a].par)]_<<head, word>>

(* B14: an actor owes what leaves in its own step, each removal once; it   *)
(* tells the first of what it owes, one in a step, and forgets none.       *)
AllOf(list) == {list[i] : i \in 1 .. Len(list)}
Leaves == {[k |-> k, v |-> store[k]] : k \in {x \in Keys : store'[x] # store[x]}}
            \cup UNION {InHands(x) : x \in {y \in Actors : hand'[y] # hand[y]}}
B14ToldOnce == [][\A a \in Actors : LET l == loc[a]  x == loc'[a] IN
  IF l.pc = "WalkTell" THEN Goes(a) => l.owe # <<>> /\ x.owe = Tail(l.owe)
  ELSE x.owe # l.owe =>
         l.owe = <<>> /\ AllOf(x.owe) = Leaves /\ Len(x.owe) = Cardinality(Leaves)]_loc

(* Each operation of an actor that goes on ends, whatever the others do.   *)
LoneEnds == \A a \in Fair : <>Ended(a)
(* Where baskets are scarce: those of the dead are enough.                 *)
RoomEnds == <>(dead # {}) => \A a \in Fair : <>Ended(a)
----------------------------------------------------------------------------
(* Witnesses: claims that must be violated.                                *)
Swaps(a, op) == Is(a, "IndexSwap") /\ loc[a].f.kind = op /\ word[loc[a].f.h] = loc[a].f.t
Race(one, two) == \E a, b \in Actors : a # b /\ Swaps(a, one) /\ Swaps(b, two)
NoC01GetReuse == ~\E a \in Actors :
  Is(a, "CopyHigh") /\ loc[a].f.kind = "get" /\ loc[a].f.c.lo # rec[loc[a].f.at].lo
NoC02SetEvict == ~Race("set", "evict")
NoC03SetCompact == ~Race("set", "move")
NoC04DeleteEvict == ~Race("delete", "evict")
NoC05PromoteSet == ~Race("set", "promote")
(* The other lane is open when a record is moved into the lower one.       *)
NoC05PromoteSet_Lanes == ~\E a, b \in Actors : a # b /\ Swaps(a, "set") /\ Swaps(b, "move")
  /\ head[BasketOf(loc[b].f.nx)].tier = 1 /\ loc[b].open[1] # 0
NoC06PromoteAge == ~\E a, b \in Actors : Is(a, "RoomAge") /\ Is(b, "RoomTake")
  /\ \A d \in {a, b} : loc[d].f.x.b = 1 /\ loc[d].f.x.w = head[1]
(* Somebody aged a basket and died, and another one would age what it was. *)
NoC06PromoteAge_Three == ~\E a \in dead : \E b \in Actors :
  Is(b, "RoomAge") /\ loc[b].f.x.w.tier < head[loc[b].f.x.b].tier /\ loc[a].pc = "ClientReturn"
NoC07SetSetColliding == ~Race("set", "set")
NoC08DeleteSetColliding == ~Race("delete", "set")
NoC09EvictColliding == ~(Race("set", "evict") /\ \A h \in Hashes : Len(Chain(h)) = 2)
(* An actor died with a record that was written and not published, and the *)
(* next one walks over that record.                                        *)
NoC10OpenOwnerDies == ~\E a \in dead : \E b \in Actors :
  loc[a].pc = "IndexSwap" /\ Is(b, "IndexLookup") /\ loc[b].f.r = loc[a].f.nx
NoC10OpenOwnerDies_New == ~\E a \in dead : \E b \in Actors :
  Is(b, "RoomSettle") /\ loc[b].f.x.w.own = a /\ \E h \in Hashes : pend[h].own = a
NoC11RetireOwnerDies == ~\E a \in dead : \E b, c \in Actors : b # c /\
  \A d \in {b, c} : Is(d, "RoomTake") /\ loc[d].f.x.w.own = a /\ head[loc[d].f.x.b] = loc[d].f.x.w
NoC12RoomForTwo == ~\E a, b \in Actors : a # b /\
  \A d \in {a, b} : Is(d, "RoomOpen") /\ loc[d].f.x.b = 2 /\ head[2].st = "free"
NoC13IndexFull == ~\E a, b \in Actors : Is(a, "CopyHigh") /\ loc[a].f.kind = "push"
  /\ Is(b, "WalkHand") /\ loc[b].f.b = a /\ BasketOf(loc[a].f.at) = loc[b].ret
(* An actor dropped what it had and died; who saw that record wants it.    *)
NoC13IndexFull_Two == ~\E a \in dead : \E b \in Actors :
  Is(b, "IndexDrop") /\ loc[b].f.kind = "take" /\ loc[b].f.b = a /\ hand[a] # loc[b].f.t.ref
NoC19SuspectSet == ~Race("set", "mark")
NoC19SuspectSet_Delete == ~Race("delete", "mark")
NoC19SuspectSet_Colliding == ~(Race("set", "mark") /\ \A h \in Hashes : Len(Chain(h)) = 2)
NoC19SuspectSet_Evict == ~Race("mark", "evict")
NoC19SuspectSet_Move == ~Race("mark", "move")
NoC19SuspectSet_Both == ~\E a, b \in Actors : a # b /\ Swaps(a, "mark") /\ Is(b, "IndexSwap")
  /\ loc[b].f.kind = "mark" /\ loc[b].f.v # loc[a].f.v
(* Where the record was that somebody would mark there is another value.   *)
NoC19SuspectSet_Reuse == ~\E a \in Actors :
  Is(a, "IndexSwap") /\ loc[a].f.kind = "mark" /\ loc[a].f.t.ref # 0 /\ rec[loc[a].f.t.ref].lo # loc[a].f.r
(* Somebody is about to age by a pair that is not there any more.          *)
NoC20ParameterChange == ~\E a \in Actors : Is(a, "RoomTake") /\ InTend(a) /\ loc[a].par # pair
NoC20ParameterChange_Halves == ~\E a, b \in Actors : a # b /\
  \A d \in {a, b} : Is(d, "TuneSwap") /\ loc[d].par = pair
(* What is in one basket is gone by the pair before, and what is in the    *)
(* next one is to be moved.                                                *)
NoC20ParameterChange_Again == ~\E a \in Actors :
  Is(a, "IndexSwap") /\ InTend(a) /\ loc[a].f.kind = "move" /\ word[1].ref = 0
NoC20ParameterChange_Tiers == ~\E a \in Actors : Is(a, "RoomAge") /\ InTend(a) /\ head[loc[a].f.x.b] = loc[a].f.x.w
  /\ ~Sinks(pair, loc[a].f.x.w.tier)
=============================================================================
