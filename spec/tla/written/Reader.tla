------------------------------- MODULE Reader -------------------------------
(***************************************************************************)
(* Searching: count as a reader in the tbits, wait while the root is being *)
(* edited, look at the base, at the members that the real cbits name, and  *)
(* after a miss into the stash. States 5, 6, 11, 15 to 18.                 *)
(***************************************************************************)
EXTENDS Adder

Miss(t) == [l[t] EXCEPT !.r = Absent, !.m = {}, !.w = Empty0]

SearchLoad(t) ==
  /\ At(t, "SearchLoad")
  /\ IF IsBase(c[H(t)]) THEN Goto(t, l[t], "SearchJoin") ELSE Answer(t, Absent)
  /\ KeepAll

(* The first reader stashes the taken map; the next ones count. A base     *)
(* that has no map is being born: look again.                              *)
SearchJoin(t) ==
  LET x == tv[H(t)] IN
  /\ At(t, "SearchJoin")
  /\ CASE x.f = "O" -> /\ tv' = [tv EXCEPT ![H(t)].r = @ + 1]
                       /\ Goto(t, l[t], "SearchWait")
       [] x.f = "B" -> Goto(t, [l[t] EXCEPT !.x = x], "SearchPop") /\ UNCHANGED tv
       [] OTHER     -> Goto(t, l[t], "SearchLoad") /\ UNCHANGED tv
  /\ KeepBut1

SearchPop(t) ==
  /\ At(t, "SearchPop")
  /\ free # {}
  /\ free' = free \ {Least(free)}
  /\ Goto(t, [l[t] EXCEPT !.e = Least(free)], "SearchFill")
  /\ KeepButF

SearchFill(t) ==
  /\ At(t, "SearchFill")
  /\ st' = [st EXCEPT ![l[t].e] = Filled(l[t].x.m)]
  /\ Goto(t, l[t], "SearchStash")
  /\ KeepButS

SearchStash(t) ==
  LET x == l[t].x IN
  /\ At(t, "SearchStash")
  /\ IF tv[H(t)] = x
     THEN /\ tv' = [tv EXCEPT ![H(t)] = Word1("O", {}, l[t].e, 1, x.v)]
          /\ Goto(t, [l[t] EXCEPT !.x = Zero1, !.e = 0], "SearchWait")
     ELSE /\ Goto(t, [l[t] EXCEPT !.x = Zero1], "SearchPush")
          /\ UNCHANGED tv
  /\ KeepBut1

SearchPush(t) ==
  /\ At(t, "SearchPush")
  /\ free' = free \cup {l[t].e}
  /\ Goto(t, [l[t] EXCEPT !.e = 0], "SearchJoin")
  /\ KeepButF

(* Waiting is a step that is not possible yet. The word that ends the wait *)
(* has the key of the base.                                                *)
SearchWait(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "SearchWait")
  /\ ~KeepsOut(w)
  /\ CASE ~IsBase(w) -> Goto(t, Miss(t), "SearchLeave")
       [] IsBase(w) /\ w.k = Op(t).k -> Goto(t, [l[t] EXCEPT !.w = w], "SearchBase")
       [] w.f = "B" /\ w.k # Op(t).k ->
            Goto(t, [l[t] EXCEPT !.m = w.m \ {0}], "SearchMember")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.s = w.s], "SearchReal")
  /\ KeepAll

SearchReal(t) ==
  /\ At(t, "SearchReal")
  /\ Goto(t, [l[t] EXCEPT !.m = st[l[t].s].real \ {0}, !.s = 0], "SearchMember")
  /\ KeepAll

(* The base has the key: the value is in the other word. *)
SearchBase(t) ==
  LET v == tv[H(t)].v IN
  /\ At(t, "SearchBase")
  /\ Goto(t, [l[t] EXCEPT !.r = IF v = None THEN Absent ELSE v, !.w = Empty0], "SearchLeave")
  /\ KeepAll
----------------------------------------------------------------------------
SearchMember(t) ==
  LET j == Least(l[t].m)
      w == c[Up(H(t), j)]
  IN
  /\ At(t, "SearchMember")
  /\ CASE l[t].m = {} -> Goto(t, l[t], "SearchEditor")
       [] l[t].m # {} /\ IsMember(w) /\ w.k = Op(t).k ->
            Goto(t, [l[t] EXCEPT !.w = w, !.j = j], "SearchPin")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.m = @ \ {j}], "SearchMember")
  /\ KeepAll

(* Immobile: pinned by a count, and only the word that had the key. *)
SearchPin(t) ==
  LET a == Up(H(t), l[t].j) IN
  /\ At(t, "SearchPin")
  /\ IF c[a] = l[t].w
     THEN /\ c' = [c EXCEPT ![a].n = @ + 1]
          /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.m = {}], "SearchValue")
     ELSE /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.j = 0], "SearchMember")
          /\ UNCHANGED c
  /\ KeepBut0

SearchValue(t) ==
  /\ At(t, "SearchValue")
  /\ Goto(t, [l[t] EXCEPT !.r = tv[Up(H(t), l[t].j)].v], "SearchUnpin")
  /\ KeepAll

SearchUnpin(t) ==
  LET a == Up(H(t), l[t].j) IN
  /\ At(t, "SearchUnpin")
  /\ c' = IF IsMember(c[a]) /\ c[a].n > 0 THEN [c EXCEPT ![a].n = @ - 1] ELSE c
  /\ Goto(t, [l[t] EXCEPT !.j = 0], "SearchLeave")
  /\ KeepBut0

(* Nothing among the members. The editor's flag says: look in the stash.   *)
SearchEditor(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "SearchEditor")
  /\ IF w.f = "BO" /\ "editor" \in w.fl
     THEN Goto(t, [l[t] EXCEPT !.s = w.s], "SearchStashed")
     ELSE Goto(t, Miss(t), "SearchLeave")
  /\ KeepAll

SearchStashed(t) ==
  LET y == st[l[t].s] IN
  /\ At(t, "SearchStashed")
  /\ Goto(t, [l[t] EXCEPT !.s = 0, !.r = IF y.k = Op(t).k THEN y.v ELSE Absent],
          "SearchLeave")
  /\ KeepAll
----------------------------------------------------------------------------
(* Count down; the last reader puts the taken map back. *)
SearchLeave(t) ==
  LET x == tv[H(t)] IN
  /\ At(t, "SearchLeave")
  /\ IF x.f = "O" /\ x.r > 0
     THEN /\ tv' = [tv EXCEPT ![H(t)].r = @ - 1]
          /\ IF x.r = 1 THEN Goto(t, [l[t] EXCEPT !.e = x.s], "SearchTaken")
             ELSE Answer(t, l[t].r)
     ELSE Answer(t, l[t].r) /\ UNCHANGED tv
  /\ KeepBut1

SearchTaken(t) ==
  /\ At(t, "SearchTaken")
  /\ Goto(t, [l[t] EXCEPT !.m = st[l[t].e].real], "SearchRestore")
  /\ KeepAll

SearchRestore(t) ==
  LET x == tv[H(t)] IN
  /\ At(t, "SearchRestore")
  /\ IF x.f = "O" /\ x.r = 0 /\ x.s = l[t].e
     THEN /\ tv' = [tv EXCEPT ![H(t)] = Word1("B", l[t].m, 0, 0, x.v)]
          /\ Goto(t, [l[t] EXCEPT !.m = {}], "SearchFree")
     ELSE Answer(t, l[t].r) /\ UNCHANGED tv
  /\ KeepBut1

SearchFree(t) ==
  /\ At(t, "SearchFree")
  /\ free' = free \cup {l[t].e}
  /\ Answer(t, l[t].r)
  /\ KeepButF

ReaderNext(t) ==
  \/ SearchLoad(t) \/ SearchJoin(t) \/ SearchPop(t) \/ SearchFill(t)
  \/ SearchStash(t) \/ SearchPush(t) \/ SearchWait(t) \/ SearchReal(t)
  \/ SearchBase(t) \/ SearchMember(t) \/ SearchPin(t) \/ SearchValue(t)
  \/ SearchUnpin(t) \/ SearchEditor(t) \/ SearchStashed(t) \/ SearchLeave(t)
  \/ SearchTaken(t) \/ SearchRestore(t) \/ SearchFree(t)
=============================================================================
