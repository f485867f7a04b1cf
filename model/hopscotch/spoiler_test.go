package model

//lint:file-ignore SA4000 two calls of one function need not give the same

import "math/rand/v2"

// spoiler changes states of a machine at random.
type spoiler struct {
	m *Machine
	*rand.Rand
}

func (r spoiler) n(below int) uint8 { return uint8(r.IntN(below)) }

func (r spoiler) key() uint8 {
	if r.IntN(4) == 0 {
		return Lost
	}
	return r.m.keys[r.IntN(len(r.m.keys))]
}

func (r spoiler) value() uint8 {
	if r.IntN(4) == 0 {
		return 0
	}
	return r.m.values[r.IntN(len(r.m.values))]
}

func (r spoiler) offsets() Offsets { return Offsets(2 * r.n(1<<(r.m.w-1))) }

func (r spoiler) ref(s *State) Ref {
	t := r.IntN(r.m.actors)
	return Ref{uint8(t + 1), s.desc[t].Head.Gen + r.n(4)/3}
}

func (r spoiler) op() Op {
	x := Op{Op: OpAdd + OpKind(r.IntN(6)), K: r.m.keys[r.IntN(len(r.m.keys))]}
	if x.Op.stores() {
		x.V = r.m.values[r.IntN(len(r.m.values))]
	}
	return x
}

func (r spoiler) out() Out {
	x := Out{R: Full + Status(r.IntN(8))}
	if x.hasValue() {
		x.V = r.value()
	}
	return x
}

func (r spoiler) word0(s *State, version uint8) Word0 {
	switch r.IntN(6) {
	case 0:
		return empty(version + r.n(2))
	case 1:
		return claimed(r.ref(s))
	case 2:
		return base(r.key(), r.offsets())
	case 3:
		return inWork(r.key(), r.ref(s))
	case 4:
		return member(r.key(), 1+r.n(int(r.m.w)-1), version)
	}
	return marked(r.key(), r.ref(s))
}

// memory changes a word of memory, or one of the map that it is to be.
func (r spoiler) memory(s *State) {
	a := addr{r.n(Halves), r.n(int(r.m.n))}
	d := &s.desc[r.IntN(r.m.actors)]
	switch r.IntN(12) {
	case 0, 1, 2:
		*s.at0(a) = r.word0(s, s.at1(a).N)
	case 3:
		s.at1(a).V = r.value()
	case 4:
		s.at1(a).Z ^= 1
	case 5:
		s.at1(a).N += 1 + r.n(2)
	case 6:
		d.Head = Head{d.Head.Gen + r.n(2), Kind(r.IntN(8)), a.h, a.c}
	case 7:
		d.Head.Kind = Kind(r.IntN(8))
	case 8:
		d.Target = Target{d.Head.Gen, Status(r.IntN(4)), r.n(int(r.m.w)), d.Target.G}
	case 9:
		d.Plan, d.Source.C = Plan{r.key(), r.offsets()}, r.n(int(r.m.w))
	case 10:
		d.Pair = Pair{r.key(), r.value()}
	case 11:
		s.contents[r.m.keys[r.IntN(len(r.m.keys))]] = r.value()
	}
}

// client changes what an actor or its client knows.
func (r spoiler) client(s *State) {
	t := r.IntN(r.m.actors)
	switch r.IntN(9) {
	case 0:
		s.busy[t] = r.op()
	case 1:
		s.seen[t] ^= r.m.bits[r.value()]
	case 2:
		s.done ^= bit(t + 1)
	case 3:
		s.over ^= bit(t + 1)
	case 4:
		x := r.out()
		s.loc[t].pc, s.loc[t].p.t = ClientReturn, Target{St: x.R, C: x.V}
	case 5:
		s.out[t] = r.out()
	case 6:
		i := 2 * r.IntN(len(r.m.values))
		s.freed = s.freed&^(3<<i) | uint32(r.IntN(3))<<i
	case 7:
		s.busy[t] = restore(r.m.keys[r.IntN(len(r.m.keys))])
		s.loc[t].pc, s.loc[t].u.h = ActionID(r.IntN(int(actionCount))), r.n(Halves)
	case 8:
		r.untype(s, t)
	}
}

// untype puts into a field what is not of its type.
func (r spoiler) untype(s *State, t int) {
	a := addr{r.n(Halves), r.n(int(r.m.n))}
	switch r.IntN(5) {
	case 0:
		s.at1(a).V = 99
	case 1:
		s.at1(a).Z = 2
	case 2:
		s.desc[t].Target.St = Tended
	case 3:
		s.loc[t].i = s.length[t] + 2
	case 4:
		if w := s.at0(addr{r.n(Halves), 0}); w.hasKey() {
			w.K = 0
		}
	}
}

// operation lets a cell refer to an operation, or to one that has been in its descriptor.
func (r spoiler) operation(s *State, home addr) {
	d := &s.desc[0]
	d.Head = Head{d.Head.Gen, Kind(1 + r.IntN(7)), home.h, home.c}
	d.Source.C, d.Target.C = r.n(int(r.m.w)), r.n(int(r.m.w))
	ref := Ref{1, d.Head.Gen + r.n(2)}
	a := r.m.at(home.h, home.c, []uint8{0, d.Source.C, d.Target.C}[r.IntN(3)])
	*s.at0(a) = []Word0{claimed(ref), inWork(r.key(), ref), marked(r.key(), ref)}[r.IntN(3)]
}

// scene makes a step of which one property says something, or a state at the end of all programs.
func (r spoiler) scene(prev, next *State) {
	a, d := addr{r.n(Halves), r.n(int(r.m.n))}, &prev.desc[0]
	ref := Ref{1, d.Head.Gen}
	*next = *prev
	switch r.IntN(11) {
	case 0: // P3
		prev.w0[a.h][a.c] = claimed(r.ref(prev))
		*next.at0(a) = []Word0{base(r.key(), r.offsets()), member(r.key(), 1, 1)}[r.IntN(2)]
	case 1, 2, 3: // P4, P8
		k := r.m.keys[r.IntN(len(r.m.keys))]
		a = r.m.home(a.h, k)
		w := prev.at0(a)
		if w.F != Base {
			return
		}
		d.Head = Head{ref.G, []Kind{KindDrop, KindReplace}[r.IntN(2)], a.h, a.c}
		d.Plan, d.Pair = Plan{w.K, w.M}, Pair{r.key(), r.value()}
		d.Target = Target{ref.G, Committed, 0, 0}
		*w, prev.busy[0] = inWork(w.K, ref), Op{OpAdd, k, r.m.values[0]}
		if r.IntN(2) == 0 {
			r.memory(prev)
		}
		*next = *prev
		next.at1(a).N++
	case 4: // P5
		d.Head.Kind, d.Source.C = []Kind{KindMove, KindMove, KindAdd}[r.IntN(3)], 1+r.n(int(r.m.w)-1)
		*next = *prev
		next.desc[0].Target = Target{ref.G, Committed, r.n(int(r.m.w)), 7}
	case 5, 10: // P9
		k := r.m.keys[r.IntN(len(r.m.keys))]
		prev.busy[0], prev.loc[0].pc, prev.loc[0].u.h = restore(k), CropBase, a.h
		*prev.at0(r.m.home(a.h, k)) = []Word0{base(k, 0), inWork(k, ref), claimed(ref)}[r.IntN(3)]
		*next = *prev
		next.loc[0].pc, next.loc[0].u.h = []ActionID{ClientReturn, CropVersion}[r.IntN(2)], min(r.n(4), 1)
	case 6, 7: // I12
		x := r.op()
		prev.busy[0], prev.seen[0] = x, r.m.bits[r.value()]|r.m.bits[r.value()]
		prev.done ^= r.n(2)
		results := map[OpKind][]Status{OpAdd: {Added, Exists, Full}, OpGet: {Found, Absent},
			OpUpdate: {Updated, Updated, Absent}, OpDelete: {Deleted, Absent}, OpCrop: {Tended},
			OpRestore: {Tended}}
		of := results[x.Op]
		out := Out{R: of[r.IntN(len(of))]}
		if out.hasValue() {
			out.V = r.value()
		}
		prev.loc[0].pc, prev.loc[0].p.t = ClientReturn, Target{St: out.R, C: out.V}
		*next = *prev
		next.out[0], next.busy[0], next.seen[0] = out, Op{}, 0
		next.done &^= 1
		next.over &^= 1
	case 8: // I3, I5
		r.operation(prev, a)
		*next = *prev
	case 9: // I14, I15
		rest(prev)
		prev.dead &= r.n(4)
		*prev.at0(a) = []Word0{base(Lost, 0), member(Lost, 1, 1)}[r.IntN(2)]
		*next = *prev
	}
}

// rest lets every actor be finished, whatever it was about.
func rest(s *State) {
	atEnd(s)
	for t := range s.loc {
		s.loc[t].pc = ClientCall
	}
}

func (r spoiler) spoil(s *State) {
	for range 1 + r.IntN(2) {
		switch r.IntN(8) {
		case 0, 1, 2, 3, 4:
			r.memory(s)
		case 5, 6:
			r.client(s)
		case 7:
			rest(s)
			s.dead = r.n(1<<r.m.actors) & r.n(1<<r.m.actors)
		}
	}
}

// forget keeps of the actors' own memory what properties look at.
func forget(s *State) {
	for t := range s.loc {
		was := s.loc[t]
		s.loc[t] = noLocal
		s.loc[t].pc, s.loc[t].i, s.loc[t].p.t, s.loc[t].u.h = was.pc, was.i, was.p.t, was.u.h
	}
}
