------------------------------- MODULE Region -------------------------------
(***************************************************************************)
(* The memory of the cache, and the local state of an actor.               *)
(*                                                                         *)
(* word: what the index promises. One word for each hash, the ref of a     *)
(* record with the version of the word; ref 0 is absent. A ticket is the   *)
(* word as it was seen.                                                    *)
(* head: one packed word for each basket.                                  *)
(*   free -> open(owner) -> sealed -> retiring(owner) -> free, next gen    *)
(* The tier is 0 at the top. A sealed basket may age: its tier grows by    *)
(* one, and no byte of it is moved. A lane is a tier that an actor appends *)
(* to, lane 1 to the top one; it has one open basket in each at most.      *)
(* The sequence number is drawn when a basket is opened, so that anybody   *)
(* can seal it by one compare-and-swap. It is the age.                     *)
(* rec: the records, Slots of them in a basket. A value is two words, so   *)
(* that a copy can be torn. The size word has the hash beside the size; 0  *)
(* says that the basket has no more records. The word with key and next has*)
(* the mark of a suspect, too.                                             *)
(*                                                                         *)
(* An actor that dies makes no step any more. The dead are known: how that *)
(* is found out is the region's matter.                                    *)
(***************************************************************************)
EXTENDS Programs, Sequences, FiniteSets

CONSTANTS Program,  \* the name of what the actors do
          Fair,     \* the actors that go on; any other may stop anywhere
          Without   \* rules that do not hold, for runs that must fail

VARIABLES word,     \* hash -> [ref, ver]
          pend,     \* hash -> [own, ref], an add that is installed; own 0: none
          head,     \* basket -> [st, own, gen, seq, tier]
          rec,      \* ref -> [size, k, lo, hi, nx]
          seq,      \* the next sequence number
          dead,     \* the actors that have died
          moved,    \* how often the index has moved an entry
          pair,     \* the parameters of ageing
          hand,     \* actor -> what the index has handed over to it, a ref or 0
          loc,      \* actor -> its local state
          born      \* ref -> generation in which its size word was written (history)

memVars == <<word, pend, head, rec, seq>>
vars == <<memVars, dead, moved, pair, hand, loc, born>>

Rule(x) == x \notin Without
P == ProgramOf(Program)
Actors == 1 .. Len(P.acts)
Keys == 1 .. Len(P.hashes)
Hash(k) == P.hashes[k]
Hashes == {Hash(k) : k \in Keys}
Baskets == 1 .. Len(P.heads)
Slots == 2
Lanes == 1 .. P.lanes
LastTier == P.tiers - 1
Refs == 1 .. Slots * Len(P.heads)
Ref(b, i) == (b - 1) * Slots + i
BasketOf(ref) == (ref - 1) \div Slots + 1

NoWord == [ref |-> 0, ver |-> 0]
NoPend == [own |-> 0, ref |-> 0]
NoHead == [st |-> "none", own |-> 0, gen |-> 0, seq |-> 0, tier |-> 0]
NoCopy == [ref |-> 0, k |-> 0, lo |-> 0, hi |-> 0, nx |-> 0, sus |-> 0]

(* What an actor remembers within an operation.                            *)
(*   kind: get, set, delete, mark, or what is done to a record of a basket *)
(*   that retires: evict, move, promote; to a hand: push, hand, take. k, v,*)
(*   h: key, value, hash; v is the mark that there is to be. r: that       *)
(*   record; of a mark, the value that it has copied.                      *)
(*   t: the ticket. at: what is copied. c: the copy. ch: the heads of the  *)
(*   chain as far as it was followed. tell: records to copy for the        *)
(*   telling; told: their copies. todo: records to append, the last of the *)
(*   chain first; nx: what they lead to. cnt: how many are appended; of a  *)
(*   get, how many records it has come by; of a basket, the number drawn.  *)
(*   b: the basket that is looked at. x: the best one so far, and its word.*)
Frame == [kind |-> "none", k |-> 0, v |-> 0, h |-> 0, r |-> 0, t |-> NoWord, at |-> 0, c |-> NoCopy,
          ch |-> <<>>, tell |-> <<>>, told |-> <<>>, todo |-> <<>>, nx |-> 0, cnt |-> 0,
          b |-> 0, x |-> [b |-> 0, w |-> NoHead]]

(* ip: which operation. st: open, done; n: the answer; m: the mark that a  *)
(* get has found. owe: what is removed                                     *)
(* and not told. open, pos: by lane the basket that it appends to, and the *)
(* next slot there. ret, i: the basket that it retires, the next record.   *)
(* par: the pair as it has loaded it.                                      *)
Local(pc, ip) == [pc |-> pc, ip |-> ip, st |-> "idle", n |-> 0, m |-> 0, owe |-> <<>>,
                  open |-> [i \in Lanes |-> 0], pos |-> [i \in Lanes |-> 0], ret |-> 0, i |-> 0,
                  par |-> NoPair, f |-> Frame]

(* What is done to a record of a basket that retires.                      *)
Walks == {"evict", "move", "promote"}
WalkOf(o, l) == CASE o.op = "Compact" \/ (o.op = "Tend" /\ Compacts(l.par)) -> "move"
                  [] o.op = "Promote" -> "promote" [] OTHER -> "evict"

(* The lane that the operation appends to: the top one, but for a record   *)
(* that is moved without being promoted. That one keeps its tier.          *)
Lane(l) == IF l.f.kind # "move" THEN 1
           ELSE IF head[l.ret].tier < P.lanes THEN head[l.ret].tier + 1 ELSE P.lanes
Open(l) == l.open[Lane(l)]
Pos(l) == l.pos[Lane(l)]

At(l, pc) == [l EXCEPT !.pc = pc]
Done(l, n) == [l EXCEPT !.pc = "ClientReturn", !.st = "done", !.n = n, !.f = Frame]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
Op(a) == P.acts[a][loc[a].ip]
Is(a, pc) == loc[a].pc = pc /\ a \notin dead

HeadOnly == UNCHANGED <<word, pend, rec, seq, dead, moved, pair, hand, born>>
RecOnly == UNCHANGED <<word, pend, head, seq, dead, moved, pair, hand>>
Reads == UNCHANGED <<memVars, dead, moved, pair, hand, born>>
LoadsOnly == Reads

(* An operation begins, or begins anew.                                    *)
Begin(o, l) ==
  IF o.op = "Crowd" THEN [l EXCEPT !.pc = "IndexPush", !.f = [Frame EXCEPT !.kind = "push", !.h = Hash(o.k)]]
  ELSE IF o.op = "Tune" THEN [l EXCEPT !.pc = "TuneLoad", !.f = Frame]
  ELSE IF o.op = "Tend" /\ l.par = NoPair THEN [l EXCEPT !.pc = "ParamRead", !.f = Frame]
  ELSE IF o.op \in Services
  THEN IF l.ret # 0 /\ o.op # "Age" THEN [l EXCEPT !.pc = "WalkSize", !.f = Frame]
       ELSE [l EXCEPT !.pc = "RoomLook", !.f = [Frame EXCEPT !.b = 1]]
  ELSE [l EXCEPT !.pc = "IndexLookup",
          !.f = [Frame EXCEPT !.kind = CASE o.op = "Get" -> "get" [] o.op = "Set" -> "set"
                                         [] o.op = "Mark" -> "mark" [] OTHER -> "delete",
                              !.k = o.k, !.v = o.v, !.h = Hash(o.k)]]

(* A record of a basket that retires is done with.                         *)
NextRecord(o, l) ==
  LET next == [l EXCEPT !.i = @ + 1, !.f = Frame]
  IN IF o.op = "Portion" THEN At(next, "ClientReturn") ELSE At(next, "WalkSize")
=============================================================================
