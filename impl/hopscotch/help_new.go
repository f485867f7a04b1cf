package hopscotch

// The usual way of the commonest operation: its owner brings a new base into an empty home cell, and
// nobody interferes. These are the steps of finish, in its order, without the questions that the
// kind answers. Wherever others have been faster it goes on as any helper does. S01.

// finishNew is finish, for the owner of an installed operation that makes a new base. Home is the home
// of its key in the other half.
func (o *operation) finishNew(home uint32) ending {
	if tg := o.helpTarget(); tg != o.target {
		return o.goOn(o.take(tg))
	}
	other := place{1 - o.head.Half(), home}
	w := o.table.halves[other.half].cell(home).look()
	if !w.excludes(o.pair.Key()) {
		return o.goOn(o.decideSeen(hole{}, other, w))
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
