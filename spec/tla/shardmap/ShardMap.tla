------------------------------ MODULE ShardMap ------------------------------
(***************************************************************************)
(* The clients, and the whole machine. There is no crash: the actors are   *)
(* goroutines of one process, and a death ends them all.                   *)
(***************************************************************************)
EXTENDS Cleanup

ClientCall(a) == LET l == loc[a]  o == P.acts[a][l.ip]
                     was == IF out[a] = <<>> THEN 0 ELSE out[a][Len(out[a])].n
                     b == Begin(o, was) IN
  /\ l.pc = "ClientCall"
  /\ Goto(a, Local(b.pc, l.ip, <<b.f>>))
  /\ since' = [since EXCEPT ![a] = IF o.op = "Size" THEN {Counts} ELSE {}]
  /\ UNCHANGED <<memVars, out, last>>

ClientReturn(a) == LET l == loc[a]  f == Top(l)  answer == [n |-> f.n, s |-> f.s] IN
  /\ l.pc = "ClientReturn"
  /\ out' = [out EXCEPT ![a] = IF Repeats(a) THEN <<answer>> ELSE Append(@, answer)]
  /\ Goto(a, CASE l.ip < Len(P.acts[a]) -> Local("ClientCall", l.ip + 1, <<>>)
               [] Repeats(a) -> Local("ClientCall", 1, <<>>)
               [] OTHER -> Local("Over", l.ip, <<>>))
  /\ since' = [since EXCEPT ![a] = {}]
  /\ UNCHANGED <<memVars, last>>

Init ==
  /\ lock = [sh \in Shards |-> 0]
  /\ map = [k \in Keys |-> P.start[k]]
  /\ clock = [sh \in Shards |-> 1]
  /\ flag = FALSE /\ cursor = P.cursor
  /\ loc = [a \in Actors |-> Local("ClientCall", 1, <<>>)]
  /\ out = [a \in Actors |-> <<>>] /\ last = <<>> /\ since = [a \in Actors |-> {}]

Step(a) ==
  \/ ClientCall(a) \/ ClientReturn(a)
  \/ ReadEnter(a) \/ ReadRetreat(a) \/ ReadWait(a) \/ ReadLeave(a)
  \/ WriteClaim(a) \/ WriteWait(a) \/ WriteDrain(a) \/ WriteLeave(a)
  \/ ShardLook(a) \/ ShardChange(a)
  \/ CleanupClaim(a) \/ CleanupWait(a) \/ CleanupNext(a) \/ CleanupLeave(a)

Rest == (\A a \in Actors : loc[a].pc = "Over") /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a)) \/ Rest
Spec == Init /\ [][Next]_vars

(* Weak fairness of Step(a) in words that TLC checks quickly: a load that  *)
(* spins cannot go on while its condition does not hold, and each step     *)
(* changes the local state of its actor. That the words say the same is    *)
(* checked wherever FairSpec is.                                           *)
CanGo(a) == LET l == loc[a] IN
  CASE l.pc = "Over" -> FALSE
    [] l.pc \in {"ReadWait", "WriteWait"} -> ~WriterIn(lock[Top(l).sh])
    [] l.pc = "WriteDrain" -> ReadersOf(lock[Top(l).sh]) = 0
    [] l.pc = "WriteClaim" -> Rule("preference") \/ lock[Top(l).sh] = 0
    [] l.pc = "CleanupWait" -> ~flag
    [] OTHER -> TRUE
Goes(a) == loc'[a] # loc[a]
FairSpec == Spec /\ \A a \in Actors : []<>~CanGo(a) \/ []<><<Goes(a)>>_vars

CanStep == \A a \in Actors : CanGo(a) = ENABLED <<Step(a)>>_vars
StepsAreSeen == [][\A a \in Actors : Step(a) <=> Goes(a)]_vars
=============================================================================
