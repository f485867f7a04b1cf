package hopscotch

// The usual way of an add: one look at each home says that the key is not there, and one of the homes
// is empty. These are the steps of add, install and finish, in their order, without the questions
// that the case answers. Wherever it ends, the add goes on as any other from there. S01, S04.
//
// Its cost depends on the number of instructions between the look at one home and that of the next add. A
// processor looks some three hundred instructions ahead. If the next add begins among these, both wait for
// memory at the same time. So what is known is kept in registers, and the own operation is described only
// where it is not finished at once. And which home is taken is a branch, which the processor guesses: the
// address of a compare-and-swap that it had to wait for would stop it from looking ahead.

// addAt is an add that has been admitted, of a key whose homes are at the spots of Table.spots.
//
//go:nosplit
func (h *Handle) addAt(k Key, v Value, first, apart spot) (Result, error) {
	if v == 0 {
		return 0, h.refuseValue("add", k)
	}
	all := h.table.all
	c0, c1 := first.of(all), (first ^ apart).of(all)
	c1.searchTouch()
	w0 := c0.look()
	empty0 := w0.word0.empty()
	if !empty0 && !w0.excludes(k) {
		return h.addSearching(MakePair(k, v), first, apart, w0, view{}, 1)
	}
	w1 := c1.look()
	switch empty1 := w1.word0.empty(); {
	case empty0 && empty1:
		return h.addEither(MakePair(k, v), first, apart, w0.word0, w1.word0)
	case empty1:
		return h.addNew(MakePair(k, v), first^apart, apart, w1.word0, w0.word0)
	case empty0 && w1.excludes(k):
		return h.addNew(MakePair(k, v), first, apart, w0.word0, w1.word0)
	}
	return h.addSearching(MakePair(k, v), first, apart, w0, w1, 2)
}

// newAdding is an add in the half of that home, of which nothing else is known but in which bits the other
// home differs.
func newAdding(pair Pair, at, apart spot) adding {
	a := adding{pair: pair, half: at.half()}
	a.homes[a.half], a.homes[1-a.half] = at.index(), (at ^ apart).index()
	return a
}

// addSearching goes on after a look at one home or at both.
//
//go:noinline
func (h *Handle) addSearching(pair Pair, first, apart spot, w0, w1 view, looked uint32) (Result, error) {
	if looked == 2 {
		h.table.requestWindows(first, apart)
	}
	a := newAdding(pair, first, apart)
	a.half, a.views, a.looked = noHalf, [2]view{w0, w1}, looked
	return h.addRest(&a, 0, nil)
}

// addEither is addNew in one of the homes, which both were seen empty. It is computed with what the coin
// says, and not guessed: nobody waits for a coin.
//
//go:nosplit
//go:noinline
func (h *Handle) addEither(pair Pair, first, apart spot, seen0, seen1 Word0) (Result, error) {
	var toss uint32
	if h.table.tie == nil {
		toss = h.coin.Toss()
	} else {
		toss = h.table.randomHalf()
	}
	chosen := -uint64(toss)
	swap := (seen0 ^ seen1) & Word0(chosen)
	return h.addNew(pair, first^apart&spot(chosen), apart, seen0^swap, seen1^swap)
}

// addNew makes the element the base of its home at, which was seen empty; the other home was seen, too, and
// has not the key.
//
//go:nosplit
func (h *Handle) addNew(pair Pair, at, apart spot, seen, other Word0) (Result, error) {
	t, d, g := h.table, h.d, h.table.refs.Next(h.generation)
	h.generation = g
	ref, target, empty := t.refs.Make(h.index, g), MakeTarget(g), EmptyWord1(seen.Version())
	home := t.on(at)
	d.addFillHead(MakeHead(g, KindNew, at.half(), at.index()))
	d.addFillPair(pair)
	d.addFillExpect(empty)
	d.addFillTarget(target)
	if !home.addClaimEmpty(seen, ref) {
		return h.addAnew(pair, at, apart)
	}
	now, w := d.helpTarget(), view{}
	if now == target {
		if w = t.on(at ^ apart).look(); w.word0 == other {
			if d.helpCommit(target, target.Decide(StatusCommitted)) {
				home.helpWriteValue(empty, pair.Value())
				home.helpPublishNew(ref, pair.Key())
				return h.added()
			}
			now = d.helpTarget()
		}
	}
	return h.addNewOn(pair, at, apart, seen, now, w)
}

// addAnew begins an add again whose home at has been taken by somebody else.
//
//go:noinline
func (h *Handle) addAnew(pair Pair, at, apart spot) (Result, error) {
	a := newAdding(pair, at, apart)
	return h.addRest(&a, 0, nil)
}

// addNewOn goes on after the installation, with the target as it is now, and if it is not decided with that
// look at the other home.
//
//go:noinline
func (h *Handle) addNewOn(pair Pair, at, apart spot, seen Word0, now Target, w view) (Result, error) {
	a := newAdding(pair, at, apart)
	a.work = work{kind: KindNew, half: a.half, home: at.index(), base: view{word0: seen}}
	o := h.describe(&a.work, pair)
	var e ending
	if now == o.target {
		e = o.decideSeen(hole{}, place{1 - a.half, (at ^ apart).index()}, w)
	} else {
		e = o.take(now)
	}
	r, err := h.concluded(&a, o.goOn(e))
	return h.addRest(&a, r, err)
}
