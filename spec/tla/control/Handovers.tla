----------------------------- MODULE Handovers -----------------------------
(***************************************************************************)
(* How a process that finds no writer says that one is wanted, and how one *)
(* that can give a writer up hears of it. Engine: impl/handover.           *)
(*                                                                         *)
(* The word is a hint with an end. Who wants a writer says so unless the   *)
(* word does, and says it again as long as it finds none. Who hears of it  *)
(* takes the wish out of the word, so that nobody else gives a writer up   *)
(* for it. The clock is read behind the load of the word. Otherwise a wish *)
(* that somebody says in between would seem to end too late, which is what *)
(* a damaged word looks like.                                              *)
(***************************************************************************)
EXTENDS Rates

(* A wish that ends further away than one can is damage.                   *)
Holds(w, now) == w.on = 1 /\ w.end > now /\ w.end - now <= Lasts
Counts(w, now) ==
  w.on = 1 /\ (w.end > now \/ ~Rule("over")) /\ (w.end - now <= Lasts \/ ~Rule("far"))

Wants(l) == [Local(IF Rule("behind") THEN "WishSee" ELSE "WishClock", l.ip) EXCEPT !.ph = "want"]

(* A call ends. One without end begins anew, and has been heard of or not. *)
WishEnds(a, l, k) ==
  IF Call(a).op \in {"Beg", "Serve"}
  THEN [Local("ClientCall", l.ip) EXCEPT !.ph = IF k = "heard" THEN k ELSE "none"]
  ELSE Returns(l, Res(k, 0, 0))

(* What who wants a writer makes of the word.                              *)
Seen(a, l, now) == IF Counts(l.h, now) THEN WishEnds(a, l, "said") ELSE At([l EXCEPT !.t = now], "WishSay")

WishSee(a) == LET l == loc[a]  m == [l EXCEPT !.h = wish] IN
  /\ Is(a, "WishSee")
  /\ Goto(a, IF Rule("behind") THEN At(m, "WishClock") ELSE Seen(a, m, l.t))
  /\ LoadsOnly

(* Without the rule "behind" this is the first step of who wants a writer. *)
WishClock(a) == LET l == loc[a] IN
  /\ Is(a, "WishClock")
  /\ Goto(a, CASE l.ph = "want" /\ Rule("behind") -> Seen(a, l, clock)
               [] l.ph = "want" /\ ~Rule("behind") -> At([l EXCEPT !.t = clock], "WishSee")
               [] OTHER -> WishEnds(a, l, IF Counts(l.h, clock) THEN "heard" ELSE "quiet"))
  /\ UNCHANGED <<wish, till>>
  /\ WishOnly

WishSay(a) == LET l == loc[a]  w == Wish(l.t + Lasts) IN
  /\ Is(a, "WishSay")
  /\ IF wish = l.h \/ ~Rule("say")
     THEN /\ wish' = w /\ till' = Max(till, w.end)
          /\ Goto(a, WishEnds(a, l, "said"))
     ELSE UNCHANGED <<wish, till>> /\ Goto(a, WishEnds(a, l, "unsaid"))
  /\ WishOnly

WishLook(a) == LET l == loc[a] IN
  /\ Is(a, "WishLook")
  /\ Goto(a, IF wish = NoWish THEN WishEnds(a, l, "quiet") ELSE At([l EXCEPT !.h = wish], "WishTake"))
  /\ LoadsOnly

WishTake(a) == LET l == loc[a] IN
  /\ Is(a, "WishTake")
  /\ IF wish = l.h \/ ~Rule("hear")
     THEN wish' = NoWish /\ Goto(a, At(l, "WishClock"))
     ELSE UNCHANGED wish /\ Goto(a, WishEnds(a, l, "quiet"))
  /\ UNCHANGED till
  /\ WishOnly
=============================================================================
