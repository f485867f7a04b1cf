-------------------------------- MODULE Crop --------------------------------
(***************************************************************************)
(* The services, which have no rights of their own. A restore finishes     *)
(* what is installed on the bucket of a key; a crop then reclaims what is  *)
(* lost there: a lost member is dropped, a lost base takes the key of its  *)
(* farthest live member, a lost base that is alone becomes empty.          *)
(* S08 to S10, S16, S17, S20 to S24. Engine: impl/hopscotch/crop.go.       *)
(***************************************************************************)
EXTENDS Room

CropHome(t) == <<loc[t].u.h, Home[loc[t].u.h][Op(t).k]>>
CropCell(t) == At(loc[t].u.h, CropHome(t)[2], Least(loc[t].u.left))

(* The bucket in this half needs nothing. *)
Tended(l) ==
  IF l.u.h = 0 THEN {[l EXCEPT !.pc = "CropVersion", !.u = [NoWork EXCEPT !.h = 1]]}
  ELSE Finish(l, Result("tended", None))

(* All members have been seen: none is lost, u.c is the farthest. *)
Scanned(l) ==
  IF l.u.left # {} THEN {[l EXCEPT !.pc = "CropMember"]}
  ELSE IF l.u.b.k = Lost THEN {[l EXCEPT !.u.kind = "lift", !.pc = "CropValue"]}
  ELSE Tended(l)
----------------------------------------------------------------------------
CropVersion(t) ==
  LET l == loc[t] IN
  /\ l.pc = "CropVersion"
  /\ ReadsLocal(t, [l EXCEPT !.u = [NoWork EXCEPT !.h = l.u.h, !.home = CropHome(t)[2],
                                                  !.v = w1[CropHome(t)]],
                             !.pc = "CropBase"])
  /\ Silent

CropBase(t) ==
  LET l == loc[t]
      a == w0[CropHome(t)]
      tends == a.f = "B" /\ Op(t).op = "crop"
  IN
  /\ l.pc = "CropBase"
  /\ \E l1 \in CASE a.f \in {"C", "O", "U"} -> {MeetDescriptor(l, a.r)}
                 [] tends /\ l.u.v.z = 1 -> {Again(t, l)}
                 [] tends /\ a.m # {} -> {[l EXCEPT !.u.b = a, !.u.left = a.m, !.pc = "CropMember"]}
                 [] tends /\ a.k = Lost ->
                      {[l EXCEPT !.u.b = a, !.u.kind = "clear", !.pc = "AddFillHead"]}
                 [] OTHER -> Tended(l) : ReadsLocal(t, l1)
  /\ MarkIf(a.f = "O" /\ BusyWith(t, {"add"}) /\ desc[a.r.d].head.kind = "add",
            "S09AddCollisionDeleteMember")

CropMember(t) ==
  LET l == loc[t]
      a == w0[CropCell(t)]
      o == Least(l.u.left)
      here == [l EXCEPT !.u.c = o, !.u.w = a, !.u.left = l.u.left \ {o}]
  IN
  /\ l.pc = "CropMember"
  /\ \E l1 \in CASE a.f = "U" -> {MeetDescriptor(l, a.r)}
                 [] a.f # "M" -> {Again(t, l)}
                 [] a.k = Lost -> {[here EXCEPT !.u.left = {}, !.u.kind = "drop", !.pc = "CropValue"]}
                 [] OTHER -> Scanned(here) : ReadsLocal(t, l1)
  /\ Silent

CropValue(t) ==
  LET l == loc[t] IN
  /\ l.pc = "CropValue"
  /\ ReadsLocal(t, [l EXCEPT !.u.x = w1[At(l.u.h, l.u.home, l.u.c)], !.pc = "AddFillHead"])
  /\ Silent

CropNext(t) == CropVersion(t) \/ CropBase(t) \/ CropMember(t) \/ CropValue(t)
=============================================================================
