------------------------------- MODULE MCBell -------------------------------
(***************************************************************************)
(* What must hold of the bell, and the witnesses that the runs reach what  *)
(* they are about.                                                         *)
(***************************************************************************)
EXTENDS Bell

Items == (IF Stopped = 0 THEN 1 ELSE 0) .. Places
Asleep == {a \in Services : Sleeps(a)}
(* Somebody is there to do what is owed.                                   *)
Serves(i) == IF i = 0 THEN loc[Stopped].pc \notin Gone
             ELSE \E a \in Services : loc[a].pc \notin Gone

MCTypes ==
  /\ bell.n \in 0 .. Circle - 1
  /\ work \subseteq Items /\ owed \subseteq work
  /\ rang \subseteq Services /\ \A r \in Ringers : meant[r] \subseteq work
(* B1: a service that sleeps is known: the next ring is for it, or wakes   *)
(* it, or a living actor is about to wake it.                              *)
B1SleepersAreKnown == \A a \in Asleep :
  Heard(loc[a]) \/ bell.waking \/ \E r \in Ringers : loc[r].pc = "BellWake"
(* S1: rings are counted, one by one, and each ends the listening.         *)
S1RingsAreCounted == [][
  LET is == bell'  was == bell IN
  /\ is.n # was.n => was.asleep /\ ~is.asleep /\ is.n = (was.n + 1) % Circle
  /\ was.asleep /\ ~is.asleep /\ Circle > 1 => is.n # was.n]_bell
(* S2: who says that somebody has rung tells the truth.                    *)
S2RungIsTrue == [][\A a \in Services :
  loc[a].pc = "BellLook" /\ loc'[a].pc = "BellListen" => a \in rang]_loc
(* S3: that a wake may be missing is forgotten when nobody sleeps any more *)
(* but who listens since.                                                  *)
S3WokenBefore == [][bell.waking /\ ~bell'.waking => \A a \in Asleep : Heard(loc[a])]_bell

(* What was there when a ring began that is complete is done, without the  *)
(* bound of any sleep.                                                     *)
OwedIsDone == \A i \in Items : []<>(i \notin owed \/ ~Serves(i))
(* Whatever is lost costs no more than the bound: all work is done.        *)
AllIsDone == \A i \in Items : []<>(i \notin work \/ ~Serves(i))

(* Witnesses: claims that must be violated. A ring in the midst of a pass. *)
NobodyRingsWithin == \A a \in Services : ~(a \in rang /\ loc[a].pc = "ServiceCrop")
(* A ringer has rung and died, and another one is about to wake in its     *)
(* place.                                                                  *)
NobodyWakesForTheDead == \A r, dead \in Ringers : ~(loc[dead].pc = "Dead" /\ loc[r].pc = "BellWake" /\
  \E a \in Asleep : ~Heard(loc[a]))
(* Of two who ring one is too late.                                        *)
NobodyIsLate == \A r \in Ringers : ~(loc[r].pc = "BellWake" /\ ~loc[r].word.waking)
(* A sleep ends by its bound, and there is work.                           *)
NobodyOversleeps == \A a \in Services : ~(loc[a].over /\ work # {})
=============================================================================
