------------------------------- MODULE Append -------------------------------
(***************************************************************************)
(* How a record is copied, how a change of a chain is planned, and how     *)
(* records are appended. Engine: impl/basket.                              *)
(*                                                                         *)
(* Records of colliding keys form a chain. A change of one of them appends *)
(* the new record and copies of those before it in the chain, and swaps    *)
(* the word of the index. What is behind it is shared.                     *)
(***************************************************************************)
EXTENDS Region

ValueOf(c) == IF c.lo = c.hi THEN c.lo ELSE -1
Room(l) == IF Open(l) = 0 THEN 0 ELSE Slots - Pos(l) + 1

(* The ticket is void: from the beginning. What was appended for it was    *)
(* never seen, so its room is used again, and its first size word is zeroed*)
(* before. A get has appended nothing.                                     *)
Again(a, l) ==
  LET f == l.f  taken == IF f.kind = "get" THEN 0 ELSE f.cnt
      back == [l EXCEPT !.pos[Lane(l)] = IF Open(l) = 0 THEN 0 ELSE @ - taken]
      anew == IF f.kind \in Walks
              THEN [back EXCEPT !.pc = "IndexLookup",
                      !.f = [Frame EXCEPT !.kind = WalkOf(Op(a), l), !.h = f.h, !.r = f.r]]
              ELSE Begin(Op(a), back)
  IN IF taken = 0 THEN anew ELSE [anew EXCEPT !.pc = "AppendZero"]

(* What comes next: copies for the telling, records to append, the swap.   *)
Onward(l) == LET f == l.f IN
  CASE f.tell # <<>> -> [l EXCEPT !.pc = "CopyLow", !.f.at = Head(f.tell).ref, !.f.c = Head(f.tell)]
    [] f.tell = <<>> /\ f.todo # <<>> ->
         [l EXCEPT !.pc = "AppendZero", !.f.at = Head(f.todo).ref, !.f.c = Head(f.todo)]
    [] f.tell = <<>> /\ f.kind \in {"push", "take"} -> [l EXCEPT !.pc = "IndexDrop", !.f.at = 0, !.f.c = NoCopy]
    [] OTHER -> [l EXCEPT !.pc = IF P.adds = "descriptor" /\ f.t.ref = 0 THEN "IndexInstall" ELSE "IndexSwap",
                          !.f.at = 0, !.f.c = NoCopy]

Reversed(s) == [i \in 1 .. Len(s) |-> s[Len(s) + 1 - i]]
Fresh(k, v) == [ref |-> 0, k |-> k, lo |-> v, hi |-> v, nx |-> 0, sus |-> 0]

(* The chain was followed up to p, the record that the change is about; 0  *)
(* if there is none. pre: those before it. What is new comes to the front, *)
(* what is moved or marked keeps its place.                                *)
Plan(f, p) ==
  LET pre == IF p = 0 THEN <<>> ELSE SubSeq(f.ch, 1, p - 1)
      tail == IF p = 0 THEN f.t.ref ELSE f.ch[p].nx
      copies == IF Rule("copies") THEN Reversed(pre) ELSE <<>>
      own == IF Rule("ref") THEN f.ch[p] ELSE [f.ch[p] EXCEPT !.ref = f.r]
      new == CASE f.kind = "set" -> <<Fresh(f.k, f.v)>> [] f.kind \in {"move", "promote"} -> <<own>>
               [] f.kind = "mark" -> <<[own EXCEPT !.sus = f.v]>> [] OTHER -> <<>>
      shared == f.kind = "set" /\ ~Rule("neighbours")
  IN [f EXCEPT !.todo = CASE shared -> new [] f.kind \in {"move", "promote", "mark"} -> new \o copies
                               [] OTHER -> copies \o new,
               !.nx = IF shared THEN f.t.ref ELSE tail,
               !.tell = IF f.kind = "evict" THEN <<own>> ELSE <<>>, !.ch = <<>>, !.at = 0, !.c = NoCopy]
(* A mark that is overtaken is given up, with what it has appended.        *)
GivenUp(l) == [Done([l EXCEPT !.pos[Lane(l)] = @ - l.f.cnt], 0) EXCEPT !.pc = "AppendZero"]

(* Where there is no room for copies, those before it go, too.             *)
PlanCut(f, p) ==
  [f EXCEPT !.kind = "evict", !.todo = <<>>, !.nx = f.ch[p].nx, !.tell = SubSeq(f.ch, 1, p), !.ch = <<>>,
            !.at = 0, !.c = NoCopy]

(* All records of a change go into one basket, which is open until the     *)
(* change is made: so none of them can be retired before.                  *)
PlannedAt(a, l, p) ==
  LET f == Plan(l.f, p)
  IN CASE Len(f.todo) <= Room(l) -> Onward([l EXCEPT !.f = f])
       [] l.f.kind \in Walks -> Onward([l EXCEPT !.f = PlanCut(l.f, p)])
       [] OTHER -> [l EXCEPT !.pc = IF Open(l) = 0 THEN "RoomLook" ELSE "RoomSeal",
                             !.f = [Frame EXCEPT !.b = 1]]
Planned(a, l) == PlannedAt(a, l, 0)

(* Is this the record that the operation is about?                         *)
Wanted(f, c) == IF f.kind \in Walks
                THEN IF Rule("ref") THEN c.ref = f.r ELSE c.k = rec[f.r].k
                ELSE c.k = f.k

NextHand(l, x) ==
  IF x = Len(P.acts) THEN [l EXCEPT !.pc = "WalkZero", !.f = Frame]
  ELSE [l EXCEPT !.pc = "WalkHand", !.f = [Frame EXCEPT !.b = x + 1]]

NotFound(a, l) ==
  CASE l.f.kind = "hand" -> NextHand(l, l.f.b)
    [] l.f.kind \in {"push", "take"} -> Onward([l EXCEPT !.f.tell = l.f.ch, !.f.ch = <<>>])
    [] l.f.kind = "set" -> Planned(a, l)
    [] l.f.kind = "get" /\ ~Rule("miss") -> Done(l, 0)
    [] l.f.kind \in Walks /\ ~Rule("walk") -> NextRecord(Op(a), l)
    [] OTHER -> At(l, "IndexStill")

(* Somebody's hand leads into the basket that retires. If it is dead, what *)
(* it had is taken; if not, the basket is left for later.                  *)
InHand(l) == LET f == l.f IN
  IF f.b \in dead THEN [l EXCEPT !.f = [Frame EXCEPT !.kind = "take", !.b = f.b, !.t = f.t, !.at = f.t.ref]]
  ELSE IF Rule("back") THEN [l EXCEPT !.pc = "WalkNumber", !.f = Frame] ELSE NextHand(l, f.b - 1)

(* Is the record what a get looks for? Or has it the mark that there is to *)
(* be, so that nothing is left to do? Without the rule a mark is stored    *)
(* into the record that is there, and nothing is appended.                 *)
Asks(f, c) == c.k = f.k /\ (f.kind = "get" \/ (f.kind = "mark" /\ (c.sus = f.v \/ ~Rule("swap"))))

(* A chain is bounded: what is longer was torn.                            *)
CopyHead(a) == LET l == loc[a]  f == l.f  r == rec[f.at]
                   c == [NoCopy EXCEPT !.ref = f.at, !.k = r.k, !.nx = r.nx, !.sus = r.sus]
                   all == Append(f.ch, c)
                   on == IF f.kind = "get" THEN [l EXCEPT !.f.cnt = @ + 1] ELSE [l EXCEPT !.f.ch = all]
  IN
  /\ Is(a, "CopyHead")
  /\ Goto(a, CASE Asks(f, c) -> [l EXCEPT !.pc = "CopyLow", !.f.c = c]
               [] f.kind = "hand" /\ BasketOf(f.at) = l.ret -> InHand(l)
               [] f.kind \in {"set", "delete", "mark"} \cup Walks /\ Wanted(f, c) -> PlannedAt(a, on, Len(all))
               [] r.nx # 0 /\ Len(f.ch) + f.cnt < Len(P.hashes) -> [on EXCEPT !.f.at = r.nx]
               [] OTHER -> NotFound(a, [on EXCEPT !.f.at = 0]))
  /\ LoadsOnly

CopyLow(a) == LET l == loc[a] IN
  /\ Is(a, "CopyLow")
  /\ Goto(a, [l EXCEPT !.pc = "CopyHigh", !.f.c.lo = rec[l.f.at].lo])
  /\ LoadsOnly

CopyHigh(a) == LET l == loc[a]  f == l.f  c == [f.c EXCEPT !.hi = rec[f.at].hi] IN
  /\ Is(a, "CopyHigh")
  /\ Goto(a, CASE f.kind = "get" \/ (f.kind = "mark" /\ f.todo = <<>>) ->
                    [l EXCEPT !.pc = "IndexStill", !.f.c = c, !.f.at = 0]
               [] f.kind # "get" /\ f.tell # <<>> ->
                    Onward([l EXCEPT !.f.told = Append(@, [k |-> c.k, v |-> ValueOf(c)]), !.f.tell = Tail(@),
                                     !.f.c = NoCopy, !.f.at = 0])
               [] OTHER -> [l EXCEPT !.pc = "AppendHead", !.f.c = c, !.f.at = 0,
                                     !.f.r = IF f.kind = "mark" /\ c.k = f.k THEN c.hi ELSE @])
  /\ LoadsOnly
----------------------------------------------------------------------------
(* The size word of the record behind this one is zeroed first: whoever    *)
(* walks ends there, whenever the owner dies.                              *)
Mine(l) == Ref(Open(l), Pos(l))
Write(r, new) == rec' = [rec EXCEPT ![r] = new]

(* The size word behind the record that comes; without one, that of what is*)
(* given up.                                                               *)
AppendZero(a) == LET l == loc[a]  r == Mine(l) IN
  /\ Is(a, "AppendZero")
  /\ CASE l.f.todo = <<>> -> Write(r, [rec[r] EXCEPT !.size = 0])
       [] l.f.todo # <<>> /\ Pos(l) < Slots /\ Rule("zero") -> Write(r + 1, [rec[r + 1] EXCEPT !.size = 0])
       [] OTHER -> UNCHANGED rec
  /\ Goto(a, At(l, CASE l.f.todo = <<>> /\ l.st = "done" -> "ClientReturn"
                      [] l.f.todo = <<>> /\ l.st # "done" -> "IndexLookup" [] l.f.at # 0 -> "CopyLow" [] OTHER -> "AppendHead"))
  /\ RecOnly /\ UNCHANGED born

AppendHead(a) == LET l == loc[a]  r == Mine(l) IN
  /\ Is(a, "AppendHead")
  /\ Write(r, [rec[r] EXCEPT !.k = l.f.c.k, !.nx = l.f.nx, !.sus = l.f.c.sus])
  /\ Goto(a, At(l, "AppendLow")) /\ RecOnly /\ UNCHANGED born

AppendLow(a) == LET l == loc[a]  r == Mine(l) IN
  /\ Is(a, "AppendLow")
  /\ Write(r, [rec[r] EXCEPT !.lo = l.f.c.lo])
  /\ Goto(a, At(l, "AppendHigh")) /\ RecOnly /\ UNCHANGED born

Appended(l) ==
  LET on == Onward([l EXCEPT !.pos[Lane(l)] = @ + 1, !.f.cnt = @ + 1, !.f.nx = Mine(l), !.f.todo = Tail(@),
                             !.f.c = NoCopy])
  IN IF Pos(on) > Slots /\ ~Rule("publish") THEN At(on, "RoomSeal") ELSE on

AppendHigh(a) == LET l == loc[a]  r == Mine(l) IN
  /\ Is(a, "AppendHigh")
  /\ Write(r, [rec[r] EXCEPT !.hi = l.f.c.hi])
  /\ Goto(a, IF Rule("size") THEN At(l, "AppendSize") ELSE Appended(l)) /\ RecOnly /\ UNCHANGED born

(* Before the record can be found: a walker must not miss it.              *)
AppendSize(a) == LET l == loc[a]  r == Mine(l) IN
  /\ Is(a, "AppendSize")
  /\ Write(r, [rec[r] EXCEPT !.size = l.f.h])
  /\ born' = [born EXCEPT ![r] = head[Open(l)].gen]
  /\ Goto(a, Appended(l)) /\ RecOnly
=============================================================================
