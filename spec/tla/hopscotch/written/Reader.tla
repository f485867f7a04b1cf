------------------------------- MODULE Reader -------------------------------
(***************************************************************************)
(* Searching: count as a reader in the tbits, wait while the root is being *)
(* edited, look at the base, at the members that the real cbits name, and  *)
(* after a miss into the stash. States 5, 6, 11, 15 to 18.                 *)
(***************************************************************************)
EXTENDS Adder

(* Results of a search that are not yet results of the operation. *)
Retry == 6      \* look again
AtBase == 7     \* a delete has found its key at the base

Found(t, r) == [l[t] EXCEPT !.r = r, !.m = {}, !.w = Empty0, !.mode = "none"]
Miss(t) == Found(t, Absent)

(* After the search. Who has flagged the base, and finds the key no more,  *)
(* has deleted it.                                                         *)
After(t, r) ==
  CASE r = Retry -> Goto(t, Again(t), "SearchLoad")
    [] r = AtBase -> Goto(t, Again(t), "DeleteLoad")
    [] r = Absent /\ l[t].kind = "flagged" -> Answer(t, Deleted)
    [] OTHER -> Answer(t, r)

SearchLoad(t) ==
  /\ At(t, "SearchLoad")
  /\ IF IsBase(c[H(t)]) THEN Goto(t, l[t], "SearchJoin") ELSE After(t, Absent)
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
(* has the key of the base. A base that is being deleted is abandoned.     *)
SearchWait(t) ==
  LET w == c[H(t)]
      mode == IF "swappy" \in w.fl THEN "swappy" ELSE "none"
  IN
  /\ At(t, "SearchWait")
  /\ ~KeepsOut(w)
  /\ CASE ~IsBase(w) -> Goto(t, Miss(t), "SearchLeave")
       [] IsBase(w) /\ w.k = Op(t).k ->
            IF "delete" \in w.fl THEN Goto(t, Miss(t), "SearchLeave")
            ELSE IF Op(t).op = "delete" THEN Goto(t, Found(t, AtBase), "SearchLeave")
            ELSE Goto(t, l[t], "SearchBase")
       [] w.f = "B" /\ w.k # Op(t).k ->
            Goto(t, [l[t] EXCEPT !.m = w.m \ {0}], "SearchMember")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.s = w.s, !.mode = mode], "SearchReal")
  /\ KeepAll

SearchReal(t) ==
  LET careful == l[t].mode = "swappy" IN
  /\ At(t, "SearchReal")
  /\ Goto(t, [l[t] EXCEPT !.m = st[l[t].s].real \ {0}, !.s = 0],
          IF careful THEN "SearchHold" ELSE "SearchMember")
  /\ KeepAll

(* The base has the key: the value is in the other word. *)
SearchBase(t) ==
  LET v == tv[H(t)].v IN
  /\ At(t, "SearchBase")
  /\ IF Op(t).op = "update"
     THEN /\ tv' = [tv EXCEPT ![H(t)].v = Op(t).v]
          /\ Goto(t, Found(t, Updated), "SearchLeave")
     ELSE /\ Goto(t, Found(t, IF v = None THEN Absent ELSE v), "SearchLeave")
          /\ UNCHANGED tv
  /\ KeepBut1
----------------------------------------------------------------------------
(* Who wants to change a member in operation waits until it is reinserted: *)
(* it looks again.                                                         *)
InOperation(t, w) == w.f = "MO" /\ Op(t).op # "get"

(* The plain search pins what matches. *)
SearchMember(t) ==
  LET j == Least(l[t].m)
      w == c[Up(H(t), j)]
      match == IsMember(w) /\ w.k = Op(t).k
  IN
  /\ At(t, "SearchMember")
  /\ CASE l[t].m = {} -> Goto(t, l[t], "SearchEditor")
       [] l[t].m # {} /\ match ->
            IF InOperation(t, w) THEN Goto(t, Found(t, Retry), "SearchLeave")
            ELSE Goto(t, [l[t] EXCEPT !.w = w, !.j = j], "SearchPin")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.m = @ \ {j}], "SearchMember")
  /\ KeepAll

(* Immobile: pinned by a count, and only the word that had the key.        *)
SearchPin(t) ==
  LET a == Up(H(t), l[t].j) IN
  /\ At(t, "SearchPin")
  /\ IF c[a] = l[t].w
     THEN /\ c' = [c EXCEPT ![a].n = @ + 1]
          /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.m = {}], "SearchValue")
     ELSE /\ Goto(t, [l[t] EXCEPT !.w = Empty0, !.j = 0], "SearchMember")
          /\ UNCHANGED c
  /\ KeepBut0

(* The careful search pins before it looks at the key. *)
SearchHold(t) ==
  LET j == Least(l[t].m)
      a == Up(H(t), j)
      w == c[a]
  IN
  /\ At(t, "SearchHold")
  /\ CASE l[t].m = {} -> Goto(t, l[t], "SearchEditor") /\ UNCHANGED c
       [] l[t].m # {} /\ IsMember(w) ->
            /\ c' = [c EXCEPT ![a].n = @ + 1]
            /\ IF w.k = Op(t).k /\ InOperation(t, w)
               THEN Goto(t, [Found(t, Retry) EXCEPT !.j = j], "SearchUnpin")
               ELSE IF w.k = Op(t).k
               THEN Goto(t, [l[t] EXCEPT !.j = j, !.m = {}, !.mode = "none"], "SearchValue")
               ELSE Goto(t, [l[t] EXCEPT !.j = j, !.m = @ \ {j},
                                         !.v = IF w.k = Lost THEN Lost ELSE None],
                         "SearchRelease")
       [] OTHER -> Goto(t, [l[t] EXCEPT !.m = @ \ {j}], "SearchHold") /\ UNCHANGED c
  /\ KeepBut0

Unpinned(a) == IF IsMember(c[a]) /\ c[a].n > 0 THEN [c EXCEPT ![a].n = @ - 1] ELSE c

(* ... and releases what it does not want. A lost key says: look at the    *)
(* base again.                                                             *)
SearchRelease(t) ==
  /\ At(t, "SearchRelease")
  /\ c' = Unpinned(Up(H(t), l[t].j))
  /\ Goto(t, [l[t] EXCEPT !.j = 0, !.v = None],
          IF l[t].v = Lost THEN "SearchRebase" ELSE "SearchHold")
  /\ KeepBut0

SearchRebase(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "SearchRebase")
  /\ IF IsBase(w) /\ w.k = Op(t).k /\ "delete" \notin w.fl
     THEN IF Op(t).op = "delete" THEN Goto(t, Found(t, AtBase), "SearchLeave")
          ELSE Goto(t, [l[t] EXCEPT !.m = {}, !.mode = "none"], "SearchBase")
     ELSE Goto(t, l[t], "SearchHold")
  /\ KeepAll

(* A pinned member has the key. Update overwrites the value, delete the    *)
(* key (Deleter.tla).                                                      *)
SearchValue(t) ==
  LET a == Up(H(t), l[t].j) IN
  /\ At(t, "SearchValue")
  /\ CASE Op(t).op = "get" ->
            Goto(t, [l[t] EXCEPT !.r = tv[a].v], "SearchUnpin") /\ UNCHANGED tv
       [] Op(t).op = "update" ->
            /\ tv' = [tv EXCEPT ![a].v = Op(t).v]
            /\ Goto(t, [l[t] EXCEPT !.r = Updated], "SearchUnpin")
       [] OTHER -> Goto(t, l[t], "DeleteMark") /\ UNCHANGED tv
  /\ KeepBut1

SearchUnpin(t) ==
  /\ At(t, "SearchUnpin")
  /\ c' = Unpinned(Up(H(t), l[t].j))
  /\ Goto(t, [l[t] EXCEPT !.j = 0], "SearchLeave")
  /\ KeepBut0

(* Nothing among the members. The editor's flag says: look in the stash.   *)
SearchEditor(t) ==
  LET w == c[H(t)] IN
  /\ At(t, "SearchEditor")
  /\ IF w.f = "BO" /\ "editor" \in w.fl
     THEN Goto(t, [l[t] EXCEPT !.s = w.s, !.mode = "none"], "SearchStashed")
     ELSE Goto(t, Miss(t), "SearchLeave")
  /\ KeepAll

(* A pair in the stash is read, overwritten, or its key is lost; or who    *)
(* would change it waits until it is reinserted: it looks again.           *)
SearchStashed(t) ==
  LET y == st[l[t].s]
      o == Op(t)
      r == IF y.k # o.k THEN Absent
           ELSE IF o.op = "get" THEN y.v
           ELSE IF "waits" \in Readings THEN Retry
           ELSE IF o.op = "update" THEN Updated ELSE Deleted
  IN
  /\ At(t, "SearchStashed")
  /\ st' = CASE r = Updated -> [st EXCEPT ![l[t].s].v = o.v]
             [] r = Deleted -> [st EXCEPT ![l[t].s].k = Lost]
             [] OTHER -> st
  /\ Goto(t, [l[t] EXCEPT !.s = 0, !.r = r], "SearchLeave")
  /\ KeepButS
----------------------------------------------------------------------------
(* Count down; the last reader puts the taken map back. *)
SearchLeave(t) ==
  LET x == tv[H(t)] IN
  /\ At(t, "SearchLeave")
  /\ IF x.f = "O" /\ x.r > 0
     THEN /\ tv' = [tv EXCEPT ![H(t)].r = @ - 1]
          /\ IF x.r = 1 THEN Goto(t, [l[t] EXCEPT !.e = x.s], "SearchTaken")
             ELSE After(t, l[t].r)
     ELSE After(t, l[t].r) /\ UNCHANGED tv
  /\ KeepBut1

MapBack(t, real, miss) ==
  LET x == tv[H(t)] IN
  IF x.f = "O" /\ x.r = 0 /\ x.s = l[t].e
  THEN /\ tv' = [tv EXCEPT ![H(t)] = Word1("B", real, 0, 0, x.v)]
       /\ Goto(t, [l[t] EXCEPT !.m = {}], "SearchFree")
  ELSE miss /\ UNCHANGED tv

SearchTaken(t) ==
  LET real == st[l[t].e].real IN
  /\ At(t, "SearchTaken")
  /\ IF Tied THEN MapBack(t, real, After(t, l[t].r))
     ELSE Goto(t, [l[t] EXCEPT !.m = real], "SearchRestore") /\ UNCHANGED tv
  /\ KeepBut1

SearchRestore(t) ==
  /\ At(t, "SearchRestore")
  /\ MapBack(t, l[t].m, After(t, l[t].r))
  /\ KeepBut1

SearchFree(t) ==
  /\ At(t, "SearchFree")
  /\ free' = free \cup {l[t].e}
  /\ After(t, l[t].r)
  /\ KeepButF

ReaderNext(t) ==
  \/ SearchLoad(t) \/ SearchJoin(t) \/ SearchPop(t) \/ SearchFill(t)
  \/ SearchStash(t) \/ SearchPush(t) \/ SearchWait(t) \/ SearchReal(t)
  \/ SearchBase(t) \/ SearchHold(t) \/ SearchRelease(t)
  \/ SearchRebase(t) \/ SearchMember(t) \/ SearchPin(t) \/ SearchValue(t)
  \/ SearchUnpin(t) \/ SearchEditor(t) \/ SearchStashed(t) \/ SearchLeave(t)
  \/ SearchTaken(t) \/ SearchRestore(t) \/ SearchFree(t)
=============================================================================
