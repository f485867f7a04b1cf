----------------------------- MODULE MCShardMap -----------------------------
(***************************************************************************)
(* What must hold of the sharded map, what must come about, and the        *)
(* witnesses that the runs reach what they are about.                      *)
(***************************************************************************)
EXTENDS Refinement

Frames(a) == {loc[a].fr[i] : i \in 1 .. Len(loc[a].fr)}
HoldsLock(a, sh, has) == \E i \in 1 .. Len(loc[a].fr) : loc[a].fr[i].sh = sh /\ loc[a].fr[i].has = has
(* Counts in the word of a shard that belong to an actor: of the locks it  *)
(* holds, and one that it has yet to take back.                            *)
ReadsOf(a, sh) ==
  Cardinality({i \in 1 .. Len(loc[a].fr) : loc[a].fr[i].sh = sh /\ loc[a].fr[i].has = "read"})
  + (IF loc[a].pc = "ReadRetreat" /\ Top(loc[a]).sh = sh THEN 1 ELSE 0)
ClaimsOf(a, sh) == HoldsLock(a, sh, "write") \/ (loc[a].pc = "WriteDrain" /\ Top(loc[a]).sh = sh)
RECURSIVE Sum(_, _)
Sum(f, some) == IF some = {} THEN 0 ELSE LET a == CHOOSE a \in some : TRUE IN f[a] + Sum(f, some \ {a})

Pcs == {"ClientCall", "ClientReturn", "Over", "ReadEnter", "ReadRetreat", "ReadWait", "ReadLeave",
        "WriteClaim", "WriteWait", "WriteDrain", "WriteLeave", "ShardLook", "ShardChange",
        "CleanupClaim", "CleanupWait", "CleanupNext", "CleanupLeave"}
MCTypes ==
  /\ \A sh \in Shards : lock[sh] \in 0 .. 2 * Radix - 1
  /\ \A k \in Keys : map[k].n <= clock[Home(k)] /\ (map[k].n = 0 => map[k] = None)
  /\ flag \in BOOLEAN /\ cursor \in 0 .. Turn - 1
  /\ \A a \in Actors : loc[a].pc \in Pcs /\ Len(loc[a].fr) <= 2
  /\ Len(last) < P.shards

(* I1: a writer is inside alone.                                           *)
I1Excluded == \A sh \in Shards : \A a, b \in Actors :
  a # b /\ HoldsLock(a, sh, "write") => ~HoldsLock(b, sh, "write") /\ ~HoldsLock(b, sh, "read")
(* I2: the word is the sum of what the actors have put there.              *)
I2Counted == \A sh \in Shards :
  lock[sh] = Sum([a \in Actors |-> ReadsOf(a, sh) + (IF ClaimsOf(a, sh) THEN Radix ELSE 0)], Actors)
(* I3: when everybody has ended nothing is left behind.                    *)
I3FreeAtRest == (\A a \in Actors : loc[a].pc = "Over") => ~flag /\ \A sh \in Shards : lock[sh] = 0
(* I4: at most one cleans, and the flag says so.                           *)
Cleaners == {a \in Actors : \E f \in Frames(a) : f.cl}
I4OneCleanup == Cardinality(Cleaners) <= 1 /\ (flag <=> Cleaners # {})
(* I5: each count of a shard was right at a moment of the call.            *)
I5CountsRight == \A a \in Actors : since[a] # {} =>
  \A i \in 1 .. Len(Top(loc[a]).cnt) : \E x \in since[a] : x[i] = Top(loc[a]).cnt[i]
(* I6: where a cleanup has been nothing stale is left. (The programs put   *)
(* fresh entries only.)                                                    *)
Cleaned(a) == LET f == Top(loc[a]) IN
  IF Op(a, loc[a]).op = "FullCleanup" THEN Shards ELSE {f.sh}
I6Cleaned == \A a \in Actors : loc[a].pc = "CleanupLeave" =>
  \A k \in Keys : Home(k) \in Cleaned(a) => ~Stale(Op(a, loc[a]), k)
(* I7: a cleanup that only tries does not wait.                            *)
I7TryGivesUp == \A a \in Actors : loc[a].pc = "CleanupWait" => Op(a, loc[a]).op # "TryCleanup"

(* S1: an erase takes what its operation may take, and what is fresh stays.*)
MayErase(a, k) == LET o == Op(a, loc[a]) IN
  /\ loc[a].pc = "ShardChange" /\ Home(k) = Top(loc[a]).sh
  /\ CASE o.op = "Invalidate" -> k = o.k
       [] o.op = "InvalidateIf" -> k = o.k /\ Stale(o, k)
       [] o.op = "GetFunc" -> k = o.k /\ o.act = "invalidate" /\ Stale(o, k)
       [] o.op \in Cleanups -> Stale(o, k)
       [] o.op = "Clear" -> TRUE
       [] OTHER -> FALSE
S1FreshStays == [][\A k \in Keys : map[k] # None /\ map'[k] = None =>
  \E a \in Actors : loc'[a] # loc[a] /\ MayErase(a, k)]_map
(* S2: the rotation names each shard once before it names one again.       *)
S2EachInTurn == [][\A a \in Actors : loc[a].pc = "CleanupNext" /\ loc'[a] # loc[a] =>
  \A i \in 1 .. Len(last) : last[i] # Top(loc'[a]).sh]_loc
(* S3: a version is never given to another entry of the key.               *)
S3VersionsGrow == [][\A k \in Keys :
  map'[k] # map[k] /\ map'[k] # None => map'[k].n = clock[Home(k)] + 1]_map

(* Whoever does not begin anew for ever ends.                              *)
EverybodyEnds == <>(\A a \in Actors : Repeats(a) \/ loc[a].pc = "Over")
(* What a cleanup took comes back with the next miss of a client that puts.*)
ComesBack == []<>(map[1].m > 0)

(* Too much to claim: that the size is that of a moment of the call, and   *)
(* that what was put last is there.                                        *)
SizeIsSnapshot == \A a \in Actors : since[a] # {} /\ loc[a].pc = "ClientReturn" =>
  \E x \in since[a] : Sum(x, Shards) = Top(loc[a]).n
FreshAtEnd == (\A a \in Actors : loc[a].pc = "Over") => map[1].m > 0
----------------------------------------------------------------------------
(* Witnesses: claims that must be violated.                                *)
Before(a, pc) == loc[a].pc = pc
OpOf(a) == IF loc[a].fr = <<>> THEN "none" ELSE Op(a, loc[a]).op
Overtaken(a) == Before(a, "ShardChange") /\ \E x \in Top(loc[a]).todo : map[x.k].n > x.n
GaveUp(a) == Before(a, "ClientReturn") /\ OpOf(a) = "TryCleanup" /\ Top(loc[a]).s = 0

NoM01ReaderWriter == ~\E a, b \in Actors : Before(a, "ReadRetreat") /\ Before(b, "ShardChange")
NoM02WriterStarvation == ~\E a, b, c \in Actors :
  Before(a, "ReadWait") /\ Before(b, "ShardLook") /\ Before(c, "WriteDrain")
NoM03WriterDrain == ~\E a, b, c \in Actors :
  a # b /\ Before(a, "ReadLeave") /\ Before(b, "ReadLeave") /\ Before(c, "WriteDrain")
NoM04WriterWriter == ~\E a, b \in Actors : Before(a, "ShardChange") /\ Before(b, "WriteWait")
NoM05ReadRetreat == ~\E a \in Actors : Before(a, "ReadRetreat") /\ lock[Top(loc[a]).sh] < Radix
NoM06GetInvalidate == ~\E a, b \in Actors :
  /\ Before(a, "ReadLeave") /\ Top(loc[a]).n # 0
  /\ Before(b, "WriteDrain") /\ OpOf(b) = "Invalidate"
NoM07DeferredInvalidation == ~\E a \in Actors : OpOf(a) = "GetFunc" /\ Overtaken(a)
NoM08CleanupPut == ~\E a \in Actors : OpOf(a) = "Cleanup" /\ Overtaken(a)
NoM09TwoCleanups == ~\E a, b, c \in Actors :
  a \in Cleaners /\ Before(b, "CleanupWait") /\ GaveUp(c)
NoM10CursorWrap == ~(cursor < P.cursor /\ \E a \in Actors : Before(a, "CleanupWait"))
NoM11SizeChanging == ~\E a \in Actors :
  OpOf(a) = "Size" /\ Len(Top(loc[a]).cnt) = 1 /\ Top(loc[a]).cnt[1] # Counts[1]
NoM12ConditionalInvalidate == ~\E a, b \in Actors :
  OpOf(a) = "InvalidateIf" /\ Before(a, "WriteWait") /\ OpOf(b) = "Put" /\ Before(b, "WriteLeave")
NoM13FullCleanup == ~\E a, b \in Actors :
  OpOf(a) = "FullCleanup" /\ Overtaken(a) /\ GaveUp(b)
NoM14CallbackReenters == ~\E a, b \in Actors :
  Len(loc[a].fr) = 2 /\ Before(a, "ShardLook") /\ a # b /\ Before(b, "ShardLook")
=============================================================================
