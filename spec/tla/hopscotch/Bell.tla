-------------------------------- MODULE Bell --------------------------------
(***************************************************************************)
(* The bell: one word by which whoever makes work for the services of a    *)
(* table wakes those that sleep.                                           *)
(* Engine: impl/region/bell.go, service/service.go.                        *)
(*                                                                         *)
(*   Bell...     one access of the word, or of the system's sleep on it    *)
(*   Service...  the loop of a service: a pass over the places of the      *)
(*               table, which begins behind the place where the last ended *)
(*   Work...     what a client makes, such as a delete, or asks for, such  *)
(*               as the end of a service; of several one rings             *)
(*                                                                         *)
(* The word is a number of rings that begins anew after Circle of them,    *)
(* a flag that somebody listens (asleep), and one that the wake of the     *)
(* last ring is not known to be over (waking). The system's sleep compares *)
(* the number and the first flag, in one step with falling asleep. A wake  *)
(* for no reason is as one by a ring that is not for the sleeper.          *)
(*                                                                         *)
(* A sleep has a bound (BellTimeOut). Nothing depends on it here, because  *)
(* only steps are fair. A service that dies asleep leaves the first flag; a*)
(* ringer that dies before it wakes anybody leaves the second. Without     *)
(* removes rules, for runs that must fail.                                 *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Services,   \* numbers from 1
          Ringers,    \* the numbers behind
          Stoppers,   \* ringers that ask for the end of service Stopped, no work
          Stopped,    \* 0: nobody
          Places,     \* of the table
          MaxWork,    \* that a ringer makes
          Circle,     \* numbers of rings
          Mortal,     \* actors that may die
          MaxDeaths,
          Without     \* rules that do not hold

VARIABLES bell,    \* the word
          work,    \* places with something to reclaim; 0 is the end of Stopped
          loc,     \* actor -> its local state
          made,    \* ringer -> how often it has made work
          deaths,
          meant,   \* ringer -> what was there when its ring began (history, as all below)
          owed,    \* what was, when a ring began that is complete
          rang     \* services for which somebody has rung since they began to listen

histVars == <<meant, owed, rang>>
vars == <<bell, work, loc, made, deaths, histVars>>

Actors == Services \cup Ringers
Rule(x) == x \notin Without
Word(n, asleep, waking) == [n |-> n, asleep |-> asleep, waking |-> waking]
Quiet == Word(0, FALSE, FALSE)

(* word: what a ringer has seen of the bell, and what a service has heard. *)
(* i: the place that is next, or is made. rest: of a pass.                 *)
(* over: the bound has passed.                                             *)
Local(pc, i, rest) == [pc |-> pc, word |-> Quiet, i |-> i, rest |-> rest, over |-> FALSE]
Goto(a, l) == loc' = [loc EXCEPT ![a] = l]
At(l, pc) == [l EXCEPT !.pc = pc]
(* Nobody goes on from here but by the step of another actor.              *)
Gone == {"Over", "Dead"}
Sleeps(a) == loc[a].pc \in {"Asleep"}

(* A service listens before each pass that looks for work, also before the *)
(* first one. Only a service that may be stopped looks whether it is.      *)
Head(a, l) == At(l, IF a = Stopped /\ Rule("stop") THEN "ServiceStopped" ELSE "ServiceCrop")
Listen(a, l) ==
  LET x == [l EXCEPT !.rest = Places, !.over = FALSE, !.word = Quiet]
  IN CASE ~Rule("first") -> Head(a, x)
       [] a = Stopped /\ ~Rule("stop") -> At(x, "ServiceStopped")
       [] OTHER -> At(x, "BellListen")
(* Whoever is awake does not sleep.                                        *)
Asks(a, l) == At(l, IF a = Stopped /\ Rule("stop") THEN "BellAwake" ELSE "BellLook")
Listening(a, l) ==
  LET x == [l EXCEPT !.word = Word(bell.n, TRUE, FALSE)]
  IN IF Rule("first") THEN Head(a, x) ELSE Asks(a, x)
Heard(l) == bell.n = l.word.n /\ bell.asleep

Init ==
  /\ bell = Quiet /\ work = {}
  /\ loc = [a \in Actors |-> IF a \in Services THEN Listen(a, Local("", 1, Places))
                             ELSE Local("Ready", 0, 0)]
  /\ made = [a \in Ringers |-> 0] /\ deaths = 0
  /\ meant = [a \in Ringers |-> {}] /\ owed = {} /\ rang = {}

WordOnly == UNCHANGED <<work, made, deaths, meant, owed>>
LocalOnly == UNCHANGED bell /\ WordOnly
----------------------------------------------------------------------------
BellListen(a) == LET l == loc[a] IN
  /\ l.pc = "BellListen"
  /\ Goto(a, IF bell.asleep THEN Listening(a, l) ELSE At(l, "BellSay"))
  /\ rang' = IF bell.asleep THEN rang \ {a} ELSE rang
  /\ LocalOnly

(* In one step with the number that it is compared with. Who put the flag  *)
(* there by a compare-and-swap, and took it for there if that failed, could*)
(* be overtaken by the end of a ring, then by a ring that finds nobody who *)
(* listens, and then by another one who does.                              *)
BellSay(a) == LET l == loc[a] IN
  /\ l.pc = "BellSay"
  /\ bell' = [bell EXCEPT !.asleep = TRUE]
  /\ Goto(a, Listening(a, l))
  /\ rang' = rang \ {a}
  /\ WordOnly

Done(some) ==
  /\ work' = work \ some /\ owed' = owed \ some
  /\ meant' = [r \in Ringers |-> meant[r] \ some]

(* In the midst of a pass nobody asks for a ring; the bit of work that     *)
(* ends the last pass is followed by others as long as they find anything. *)
ServiceStopped(a) == LET l == loc[a] IN
  /\ l.pc = "ServiceStopped"
  /\ IF 0 \in work
     THEN /\ Goto(a, At(l, "Over"))
          /\ Done({0})
     ELSE /\ Goto(a, At(l, IF Rule("stop") THEN "ServiceCrop" ELSE "BellListen"))
          /\ UNCHANGED <<work, owed, meant>>
  /\ UNCHANGED <<bell, made, deaths, rang>>

ServiceCrop(a) == LET l == loc[a]  left == IF l.rest > 0 THEN l.rest - 1 ELSE 0
                      x == [l EXCEPT !.i = (l.i % Places) + 1, !.rest = left] IN
  /\ l.pc = "ServiceCrop"
  /\ Done({l.i})
  /\ Goto(a, CASE l.i \in work \/ left > 0 -> Head(a, x)
               [] ~Rule("first") -> At(x, "BellListen")
               [] OTHER -> Asks(a, x))
  /\ UNCHANGED <<bell, made, deaths, rang>>

BellAwake(a) == LET l == loc[a] IN
  /\ l.pc = "BellAwake"
  /\ Goto(a, IF 0 \in work THEN Head(a, l) ELSE At(l, "BellLook"))
  /\ LocalOnly /\ UNCHANGED rang

(* Rung, or not within the bound, or to sleep.                             *)
BellLook(a) == LET l == loc[a] IN
  /\ l.pc = "BellLook"
  /\ Goto(a, CASE ~Heard(l) -> Listen(a, l)
               [] l.over -> Head(a, [l EXCEPT !.over = FALSE])
               [] OTHER -> At(l, "BellSleep"))
  /\ LocalOnly /\ UNCHANGED rang

BellSleep(a) == LET l == loc[a] IN
  /\ l.pc = "BellSleep"
  /\ Goto(a, At(l, IF Heard(l) \/ ~Rule("compare") THEN "Asleep" ELSE "BellLook"))
  /\ LocalOnly /\ UNCHANGED rang

BellTimeOut(a) == LET l == loc[a] IN
  /\ Sleeps(a)
  /\ Goto(a, [l EXCEPT !.pc = "BellLook", !.over = TRUE])
  /\ LocalOnly /\ UNCHANGED rang
----------------------------------------------------------------------------
(* Work first, then the ring; or none. Of a ring that is over it is owed   *)
(* what was there when it began.                                           *)
Called(l) == At([l EXCEPT !.word = Quiet, !.i = 0], "Ready")
Rung(l) == IF Rule("work") THEN Called(l) ELSE At([l EXCEPT !.word = Quiet], "WorkAfter")
Owe(a) == /\ meant' = [meant EXCEPT ![a] = {}]
          /\ owed' = owed \cup (meant[a] \cap work)
(* Of who is not there any more nobody asks the end.                       *)
New(i) == IF i = 0 /\ loc[Stopped].pc \in Gone THEN {} ELSE {i}

WorkMake(a) == LET l == loc[a] IN
  /\ l.pc \in {"Ready"} /\ made[a] < MaxWork
  /\ made' = [made EXCEPT ![a] = @ + 1]
  /\ \E i \in IF a \in Stoppers THEN {0} ELSE 1 .. Places :
       IF Rule("work")
       THEN /\ work' = work \cup New(i)
            /\ \/ Goto(a, At(l, "BellRead"))
               \/ a \notin Stoppers /\ UNCHANGED loc
       ELSE Goto(a, At([l EXCEPT !.i = i], "BellRead")) /\ UNCHANGED work
  /\ UNCHANGED <<bell, deaths, histVars>>

(* Only where the ring comes first.                                        *)
WorkAfter(a) == LET l == loc[a] IN
  /\ l.pc = "WorkAfter"
  /\ work' = work \cup New(l.i) /\ owed' = owed \cup New(l.i)
  /\ Goto(a, Called(l))
  /\ UNCHANGED <<bell, made, deaths, meant, rang>>

(* Nobody listens, and nobody is to be woken: that is all.                 *)
BellRead(a) == LET l == loc[a]  seen == [l EXCEPT !.word = bell] IN
  /\ l.pc = "BellRead"
  /\ IF bell.asleep \/ bell.waking
     THEN /\ Goto(a, At(seen, IF bell.asleep THEN "BellRing" ELSE "BellWake"))
          /\ meant' = [meant EXCEPT ![a] = work] /\ UNCHANGED owed
     ELSE /\ Goto(a, Rung(l))
          /\ owed' = owed \cup work /\ UNCHANGED meant
  /\ UNCHANGED <<bell, work, made, deaths, rang>>

(* If it fails, another ringer was faster. That one may die before it wakes*)
(* anybody, so this one wakes them as well.                                *)
BellRing(a) == LET l == loc[a]
                   next == Word((bell.n + 1) % Circle, FALSE, Rule("waking")) IN
  /\ l.pc = "BellRing"
  /\ IF bell = l.word
     THEN /\ bell' = next /\ rang' = Services
          /\ Goto(a, At([l EXCEPT !.word = next], "BellWake"))
          /\ UNCHANGED <<meant, owed>>
     ELSE /\ IF Rule("late")
             THEN Goto(a, At([l EXCEPT !.word = Quiet], "BellWake")) /\ UNCHANGED <<meant, owed>>
             ELSE Goto(a, Rung(l)) /\ Owe(a)
          /\ UNCHANGED <<bell, rang>>
  /\ UNCHANGED <<work, made, deaths>>

(* The system wakes all who sleep.                                         *)
Woken(some) == [b \in Actors |-> IF b \in some THEN At(loc[b], "BellLook") ELSE loc[b]]
BellWake(a) == LET l == loc[a]  asleep == {b \in Services : Sleeps(b)} IN
  /\ l.pc = "BellWake"
  /\ \E some \in IF Rule("all") \/ asleep = {} THEN {asleep} ELSE {{b} : b \in asleep} :
       loc' = [Woken(some) EXCEPT ![a] = IF l.word.waking THEN At(l, "BellQuiet") ELSE Rung(l)]
  /\ IF l.word.waking THEN UNCHANGED <<meant, owed>> ELSE Owe(a)
  /\ UNCHANGED <<bell, work, made, deaths, rang>>

(* They are awake. Who fails leaves it to the next ring, which then wakes  *)
(* once more: somebody listens again, or has rung.                         *)
BellQuiet(a) == LET l == loc[a] IN
  /\ l.pc = "BellQuiet"
  /\ bell' = IF bell = l.word THEN [bell EXCEPT !.waking = FALSE] ELSE bell
  /\ Goto(a, Rung(l)) /\ Owe(a)
  /\ UNCHANGED <<work, made, deaths, rang>>

----------------------------------------------------------------------------
(* A process ends between two steps. Its end is nobody's wish any more.    *)
CallCrash(a) == LET l == loc[a] IN
  /\ a \in Mortal /\ deaths < MaxDeaths /\ l.pc \notin Gone
  /\ deaths' = deaths + 1
  /\ Goto(a, Local("Dead", 0, 0))
  /\ IF a \in Ringers
     THEN meant' = [meant EXCEPT ![a] = {}] /\ UNCHANGED <<work, owed, rang>>
     ELSE Done(IF a = Stopped THEN {0} ELSE {}) /\ rang' = rang \ {a}
  /\ UNCHANGED <<bell, made>>

Step(a) ==
  \/ BellListen(a) \/ BellSay(a) \/ BellAwake(a) \/ BellLook(a) \/ BellSleep(a)
  \/ ServiceStopped(a) \/ ServiceCrop(a)
  \/ WorkMake(a) \/ WorkAfter(a) \/ BellRead(a) \/ BellRing(a) \/ BellWake(a) \/ BellQuiet(a)

Resting == {"Ready", "Over", "Dead", "Asleep"}
Rest == (\A a \in Actors : loc[a].pc \in Resting) /\ UNCHANGED vars
Next == (\E a \in Actors : Step(a) \/ BellTimeOut(a) \/ CallCrash(a)) \/ Rest
Spec == Init /\ [][Next]_vars

(* Weak fairness of Step(a) and of BellTimeOut(a) in words that TLC checks *)
(* quickly, as in Hopscotch. That the words say the same is checked        *)
(* wherever FairSpec is. A bit of work that leaves its service where it was*)
(* is none that Goes sees; there are as many as there is work.             *)
CanGo(a) == loc[a].pc \notin Gone /\ ~Sleeps(a) /\ (loc[a].pc \in {"Ready"} => made[a] < MaxWork)
Goes(a) == /\ ~Sleeps(a) /\ deaths' = deaths
           /\ loc'[a] # loc[a] \/ (a \in Ringers /\ made'[a] # made[a])
FairSpec == Spec /\ \A a \in Actors : []<>~CanGo(a) \/ []<><<Goes(a)>>_vars
(* Bounds pass, too.                                                       *)
BoundSpec == FairSpec /\ \A a \in Services : []<>~Sleeps(a)

CanStep == \A a \in Actors : CanGo(a) = ENABLED <<Step(a)>>_vars
StepsAreSeen == [][\A a \in Actors :
  /\ Step(a) => Goes(a) \/ work' # work
  /\ Goes(a) => Step(a)]_vars
=============================================================================
