package hopscotch

// The usual way of an add: one look at each home says that the key is not there, and one of the homes
// is empty. These are the steps of add, install and finish, in their order, without the questions
// that the case answers. Wherever it ends, the add goes on as any other from there. S01, S04.

// addFirst tries the usual way. No result and no error: the add goes on, with what it has seen.
func (h *Handle) addFirst(a *adding) (Result, error) {
	t, key := h.table, a.pair.Key()
	c0, c1 := &t.all[2*uint64(a.homes[0])], &t.all[2*uint64(a.homes[1])+1]
	c1.searchTouch()
	w0 := c0.look()
	a.views[0], a.looked = w0, 1
	if !w0.excludes(key) {
		return 0, nil
	}
	w1 := c1.look()
	a.views[1], a.looked = w1, 2
	if !w1.excludes(key) {
		return 0, nil
	}
	switch empty0, empty1 := w0.word0.empty(), w1.word0.empty(); {
	case empty0 && empty1:
		a.half = t.randomHalf()
	case empty0:
		a.half = 0
	case empty1:
		a.half = 1
	default:
		return 0, nil
	}
	home, seen, other := c0, w0.word0, c1
	if a.half == 1 {
		home, seen, other = c1, w1.word0, c0
	}
	if !h.installNew(a, home, seen) {
		a.again()
		return 0, nil
	}
	e := h.op.finishNew(other, a.homes[1-a.half])
	if e == over && h.op.target.Status() == StatusCommitted {
		return Added, nil
	}
	return h.concluded(a, e)
}

// installNew is install for a new base in the home cell of the chosen half, which was seen empty.
func (h *Handle) installNew(a *adding, home *cell, seen Word0) bool {
	g := h.table.refs.Next(h.generation)
	h.generation = g
	o := &h.op
	o.table, o.d, o.at, o.ref = h.table, h.d, home, h.table.refs.Make(h.index, g)
	o.head, o.pair, o.target = MakeHead(g, KindNew, a.half, a.homes[a.half&1]), a.pair, MakeTarget(g)
	o.plan, o.expect, o.source = 0, EmptyWord1(seen.Version()), 0
	o.addFillHead()
	o.addFillPair()
	o.addFillExpect()
	o.addFillTarget()
	return o.addClaimEmpty(seen)
}

// finishNew is finish, for the owner of an installed operation that makes a new base. Other is the home
// of its key in the other half, and at is its index.
func (o *operation) finishNew(other *cell, at uint32) ending {
	if tg := o.helpTarget(); tg != o.target {
		return o.goOn(o.take(tg))
	}
	w := other.look()
	if !w.excludes(o.pair.Key()) {
		return o.goOn(o.decideSeen(hole{}, place{1 - o.head.Half(), at}, w))
	}
	tg := o.target.Decide(StatusCommitted)
	if !o.helpCommit(tg) {
		return o.goOn(o.take(o.helpTarget()))
	}
	o.target = tg
	o.helpWriteValue()
	o.helpPublishNew()
	return over
}
