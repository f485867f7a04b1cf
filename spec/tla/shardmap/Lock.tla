-------------------------------- MODULE Lock --------------------------------
(***************************************************************************)
(* The readers-writer lock of a shard, one access of its word an action.   *)
(* Engine: impl/shardmap.                                                  *)
(***************************************************************************)
EXTENDS Shard

LockOnly == UNCHANGED <<map, clock, flag, cursor, histVars>>
Holding(l, has) == With(l, [Top(l) EXCEPT !.has = has])
SetLock(sh, word) == lock' = [lock EXCEPT ![sh] = word]

ReadEnter(a) == LET l == loc[a]  sh == Top(l).sh  was == lock[sh] IN
  /\ l.pc = "ReadEnter"
  /\ SetLock(sh, Plus(was, 1))
  /\ Goto(a, CASE WriterIn(was) /\ Rule("bit") /\ Rule("retreat") -> At(l, "ReadRetreat")
               [] WriterIn(was) /\ Rule("bit") -> At(l, "ReadWait")
               [] OTHER -> At(Holding(l, "read"), "ShardLook"))
  /\ LockOnly

ReadRetreat(a) == LET l == loc[a]  sh == Top(l).sh IN
  /\ l.pc = "ReadRetreat"
  /\ SetLock(sh, Plus(lock[sh], -1))
  /\ Goto(a, At(l, "ReadWait"))
  /\ LockOnly

(* Without the rule a reader waits with its count in the word, and has the *)
(* lock when the writer has left.                                          *)
ReadWait(a) == LET l == loc[a] IN
  /\ l.pc = "ReadWait" /\ ~WriterIn(lock[Top(l).sh])
  /\ Goto(a, IF Rule("retreat") THEN At(l, "ReadEnter") ELSE At(Holding(l, "read"), "ShardLook"))
  /\ UNCHANGED lock /\ LockOnly

ReadLeave(a) == LET l == loc[a]  sh == Top(l).sh IN
  /\ l.pc = "ReadLeave"
  /\ SetLock(sh, Plus(lock[sh], -1))
  /\ Goto(a, Onward(a, Holding(l, "none")))
  /\ LockOnly

(* Without writer preference a writer takes the bit when nobody is inside. *)
WriteClaim(a) == LET l == loc[a]  sh == Top(l).sh  was == lock[sh] IN
  /\ l.pc = "WriteClaim"
  /\ was = 0 \/ (was # 0 /\ Rule("preference"))
  /\ SetLock(sh, IF WriterIn(was) THEN was ELSE was + Radix)
  /\ Goto(a, CASE WriterIn(was) /\ Rule("claim") -> At(l, "WriteWait")
               [] Rule("drain") -> At(l, "WriteDrain")
               [] OTHER -> At(Holding(l, "write"), "ShardChange"))
  /\ LockOnly

WriteWait(a) == LET l == loc[a] IN
  /\ l.pc = "WriteWait" /\ ~WriterIn(lock[Top(l).sh])
  /\ Goto(a, At(l, "WriteClaim"))
  /\ UNCHANGED lock /\ LockOnly

WriteDrain(a) == LET l == loc[a] IN
  /\ l.pc = "WriteDrain" /\ ReadersOf(lock[Top(l).sh]) = 0
  /\ Goto(a, At(Holding(l, "write"), "ShardChange"))
  /\ UNCHANGED lock /\ LockOnly

(* Readers that met the writer may still have their counts in the word.    *)
WriteLeave(a) == LET l == loc[a]  sh == Top(l).sh IN
  /\ l.pc = "WriteLeave"
  /\ SetLock(sh, IF Rule("leave") THEN ReadersOf(lock[sh]) ELSE 0)
  /\ Goto(a, Onward(a, Holding(l, "none")))
  /\ LockOnly
=============================================================================
