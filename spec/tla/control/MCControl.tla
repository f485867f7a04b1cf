------------------------------ MODULE MCControl ------------------------------
(***************************************************************************)
(* What must hold of the words, what must come about, and the witnesses    *)
(* that the runs reach what they are about.                                *)
(***************************************************************************)
EXTENDS Control

Words == 1 .. Len(lease)
MCTypes ==
  /\ \A i \in Words : lease[i].own \in 0 .. Len(P.acts) + 1 /\ lease[i].at <= clock
  /\ \A i \in CellsOf : penalty[i].n \in 0 .. OffencesMost
  /\ wish.on \in 0 .. 1
  /\ \A a \in Actors : Len(out[a]) <= Len(P.acts[a]) /\ (a \in dead => Ended(a))

(* L1: a process has one lease at most.                                    *)
L1One == \A i \in Words : \A j \in Words \ {i} : lease[i].own = 0 \/ lease[i].own # lease[j].own

(* L2: a lease is renewed and given up by its owner. It is taken over from *)
(* nobody, from a dead process, and from one that has stood still for too  *)
(* long: never from one that lives and has renewed it in time.             *)
Vacant(w) == w.own = 0 \/ ~Alive(w.own) \/ clock - kept[w.own] > Still
MayChange(a, w, x) == IF x.own = a THEN w.own = a \/ Vacant(w) ELSE x = Nobody /\ w.own = a
L2Vacant == [][\A i \in Words : lease'[i] # lease[i] =>
  \E a \in Actors : Goes(a) /\ MayChange(a, lease[i], lease'[i])]_vars

(* L3: a lease is taken only within the number that the janitor has found  *)
(* allowed.                                                                *)
L3Few == [][\A i \in Words : \A a \in Actors :
  lease'[i].own = a /\ lease[i].own # a => i <= loc[a].run]_vars

(* L4: behind a turn that has found fewer leases allowed, the process has  *)
(* none of the others.                                                     *)
Turned(a) == loc[a].pc \in {"ClientCall", "Over"} /\ out[a] # <<>> /\ P.acts[a][1].op = "Turn"
L4Lowered == \A a \in Actors : Turned(a) =>
  \A i \in Words : i > out[a][Len(out[a])].a => lease[i].own # a

(* L5: who is told that it has a lease has one at this step, and who is    *)
(* told that it has none has none.                                         *)
Tells(a) == Goes(a) /\ loc'[a].pc = "ClientReturn"
L5Held == [][\A a \in Actors : Tells(a) /\ Call(a).op \in {"Hold", "Turn", "Leave"} =>
  (loc'[a].res.k = "held") = (\E i \in Words : lease'[i].own = a)]_vars
----------------------------------------------------------------------------
(* T1: a change of live parameters leaves those as they are that it does   *)
(* not name. T2: those of one word that are tuned together change together.*)
(* T3: those of the first word do so before those of the second one. T4:   *)
(* who was told so has made the change. T5: who reads a word is told both  *)
(* parameters as they are at one step of the call, the last one.           *)
TunesWord(a, i) == Goes(a) /\ Call(a).op = "Tune" /\ loc[a].i = i
Kept(set, old, new) == (set.a = 0 => new.a = old.a) /\ (set.b = 0 => new.b = old.b)
Made(set, new) == (set.a # 0 => new.a = set.a) /\ (set.b # 0 => new.b = set.b)
T1NoneLost == [][\A i \in 1 .. Len(param) : param'[i] # param[i] =>
  \E a \in Actors : TunesWord(a, i) /\ Kept(Call(a).set[i], param[i], param'[i])]_vars
T2Together == [][\A i \in 1 .. Len(param) : param'[i] # param[i] =>
  \E a \in Actors : TunesWord(a, i) /\ Made(Call(a).set[i], param'[i])]_vars
T3InOrder == \A i \in 2 .. Len(param) : param[i] # Untuned => param[1] # Untuned
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s) + Sum(Tail(s))
T4Told == \A a \in Actors : did[a] >= Sum([n \in 1 .. Len(out[a]) |-> Len(P.acts[a][n].set)])
T5Read == [][\A a \in Actors : Tells(a) /\ Call(a).op = "Read" =>
  loc'[a].res = Res("read", param[Call(a).n].a, param[Call(a).n].b)]_vars
----------------------------------------------------------------------------
CallsIn == UNION {{P.acts[a][n] : n \in 1 .. Len(P.acts[a])} : a \in Actors}
LastAt == CHOOSE t \in {c.at : c \in CallsIn} : \A c \in CallsIn : c.at <= t
UnitsOf(a) == Sum([n \in 1 .. Len(P.acts[a]) |-> P.acts[a][n].units])
AllUnits == Sum([a \in Actors |-> UnitsOf(a)])

(* R1: no charge is lost: a cell is never below the bucket that is fed with*)
(* all charges of it. R2: nor is one made twice: it is never above all that*)
(* was asked for, and drains within the time of Most. R3: what was charged *)
(* by calls that have returned is in each row: from any instant on a cell  *)
(* has the charges of this instant and later ones. R4: no charge lowers a  *)
(* cell.                                                                   *)
R1NoneLost == \A i \in CellsOf : level[i] >= fed[i]
R2Bound == \A i \in CellsOf : level[i] <= LastAt + Most /\ level[i] <= Max(P.full, LastAt) + AllUnits
Charges(a, n, i, t) == LET c == P.acts[a][n] IN
  IF out[a][n].k # "denied" /\ c.at >= t /\ \E row \in 1 .. Rows : Cell(c.n, row) = i THEN c.units ELSE 0
Returned(i, t) ==
  Sum([a \in Actors |-> Sum([n \in 1 .. Len(out[a]) |-> Charges(a, n, i, t)])])
R3Told == \A i \in CellsOf : \A t \in {c.at : c \in CallsIn} :
  Returned(i, t) > 0 => level[i] >= t + Min(Returned(i, t), Most)
R4Rises == [][\A i \in CellsOf : level'[i] >= level[i]]_vars

(* M1: an offence counts once, whoever sees it. M2: no mark shortens a     *)
(* penalty. M3: who was told to wait until some instant, or was told it of *)
(* somebody else, finds this penalty in all rows. M4: a penalty ends as    *)
(* soon as the offences say, or as the bucket has drained. M5: who is told *)
(* to wait is told so exactly if a penalty holds: at this step all rows    *)
(* have it until then. Who is told that it need not wait has marked no     *)
(* offence, has found room in its bucket, and has seen a row in which no   *)
(* penalty holds.                                                          *)
M1Once == \A i \in CellsOf : penalty[i].n <= P.crimes
M2Longer == [][\A i \in CellsOf : penalty'[i].end >= penalty[i].end]_vars
M3Kept == \A a \in Actors : \A n \in 1 .. Len(out[a]) : out[a][n].k = "suspect" =>
  \A row \in 1 .. Rows : penalty[Cell(P.acts[a][n].n, row)].end >= out[a][n].a
M4Bound == \A i \in CellsOf : penalty[i].end <= LastAt + Max(Wait(Max(P.crimes, 1)), Most - Burst)
MayWait(a, r) == LET c == Call(a) IN
  r.a > c.at /\ \A row \in 1 .. Rows : penalty'[Cell(c.n, row)].end >= r.a
MayGo(a) == LET l == loc[a] IN
  l.ph = "see" /\ l.low <= Burst /\ Min(l.q.end, penalty[CellOf(a)].end) <= Call(a).at
M5Told == [][\A a \in Actors : Tells(a) /\ Call(a).op = "Judge" =>
  LET r == loc'[a].res IN IF r.k = "suspect" THEN MayWait(a, r) ELSE r.k = "ok" /\ MayGo(a)]_vars

(* A1: what is admitted of one identity is what the bucket has room for,   *)
(* and one unit for each other actor that takes at the same time.          *)
Taken(a) == Sum([n \in 1 .. Len(out[a]) |-> IF out[a][n].k = "taken" THEN out[a][n].a ELSE 0])
A1Admitted == (\A c \in CallsIn : c.op = "Take") =>
  Sum([a \in Actors |-> Taken(a)]) <= Burst - P.full + LastAt + Len(P.acts) - 1
----------------------------------------------------------------------------
(* H1: a wish is heard once: no more calls hear one than were said. H2: one*)
(* is heard, or seen by somebody who says nothing then, only while a wish  *)
(* holds that somebody has said: one whose time is over is forgotten, and  *)
(* so is a word that is damaged. H3: while a wish holds, it stays as it is *)
(* until somebody hears it. H4: who hears of none, though a wish holds,    *)
(* had seen another one, which somebody else has heard, or said anew.      *)
Sees(a) == Ends(a) /\ loc[a].ph = "want" /\ loc[a].pc # "WishSay"
H1Once == owed >= 0
H2Lately == [][\A a \in Actors : Sees(a) \/ (Ends(a) /\ Heard(loc'[a])) => clock < till]_vars
H3Kept == [][wish' # wish /\ Holds(wish, clock) => wish' = NoWish]_vars
H4Heard == [][\A a \in Actors : Ends(a) =>
  /\ Is(a, "WishLook") => ~Holds(wish, clock)
  /\ Is(a, "WishTake") => wish # loc[a].h]_vars
----------------------------------------------------------------------------
(* Each call of an actor that goes on ends, whatever the others do. If an  *)
(* actor that goes on wants to keep a lease, it is not lost for ever. If   *)
(* one goes on saying that a writer is wanted, and one goes on asking, a   *)
(* wish is heard again and again.                                          *)
First(a) == P.acts[a][1].op
AtEase(a) == Ended(a) \/ (First(a) = "Keep" /\ loc[a].pc = "LeaseFind" /\ loc[a].i = 1)
                      \/ (First(a) \in {"Beg", "Serve"} /\ loc[a].pc = "ClientCall")
Held == (\E a \in Fair : First(a) = "Keep") => \E i \in Words : Alive(lease[i].own)
Served == {"Beg", "Serve"} \subseteq {First(a) : a \in Fair} => \E a \in Fair : loc[a].ph = "heard"
ComesAbout == (\A a \in Fair : []<>AtEase(a)) /\ []<>Held /\ []<>Served
----------------------------------------------------------------------------
(* Witnesses: claims that must be violated.                                *)
(* Two are about to take one lease.                                        *)
Takes(a) == Is(a, "LeaseTake") /\ lease[loc[a].i] = loc[a].w
NoP01LeaseTwo == ~\E a \in Actors : \E b \in Actors \ {a} :
  Takes(a) /\ Takes(b) /\ loc[a].i = loc[b].i
(* Somebody is about to take the lease of one who has died meanwhile.      *)
NoP02LeaseOwnerDies == ~\E a \in Actors : Takes(a) /\ loc[a].w.own \in dead
(* The owner is about to renew a lease that another one has taken over.    *)
NoP03LeaseOwnerLate == ~\E a \in Actors :
  Is(a, "LeaseRenew") /\ lease[loc[a].i].own \notin {0, a}
(* The owner is about to renew a lease that there may not be any more.     *)
NoP04LeaseRunLowered == ~\E a \in Actors :
  Is(a, "LeaseRenew") /\ Len(param) > 0 /\ loc[a].i > param[1].a
(* Somebody is about to change a word that another one has changed.        *)
NoP05TunePair == ~\E a \in Actors : Is(a, "TuneSwap") /\ param[loc[a].i] # loc[a].old
(* The same of the level of a cell.                                        *)
NoP06ChargeTwo == ~\E a \in Actors : Is(a, "LevelSwap") /\ level[CellOf(a)] # loc[a].x
(* Two have seen one offence, and mark it.                                 *)
NoP07MarkTwo == ~\E a \in Actors : \E b \in Actors \ {a} : loc[a].ph = "mark" /\ loc[b].ph = "mark"
(* Two have found room for one.                                            *)
NoP08TakeTwo == ~\E a \in Actors : \E b \in Actors \ {a} : loc[a].ph = "admit" /\ loc[b].ph = "admit"
(* Two are about to take one wish.                                         *)
Hears(a) == Is(a, "WishTake") /\ wish = loc[a].h
NoP09HandoverTwo == ~\E a \in Actors : \E b \in Actors \ {a} : Hears(a) /\ Hears(b)
=============================================================================
