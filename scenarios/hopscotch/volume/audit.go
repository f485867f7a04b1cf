package volume

import (
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// ledger follows each value of a run from the operation that put it in. When all clients rest, each of them
// is the value of one cell, or was handed to one client, which may have reclaimed it from a dead one. Or it
// left by an operation whose client died before it returned, and is lost.
type ledger struct {
	workload
	put    map[uint32]uint32 // value to key: put in for certain
	maybe  map[uint32]uint32 // the same, by operations of the dead
	handed map[uint32]uint32 // value to the owner of the client that was told of it
	lost   map[uint32]bool
	counts map[uint32]int // key to how often it is there: 0 or 1
}

func newLedger(w workload) *ledger {
	return &ledger{w, map[uint32]uint32{}, map[uint32]uint32{}, map[uint32]uint32{}, map[uint32]bool{},
		map[uint32]int{}}
}

// book enters the operations of one window.
func (l *ledger) book(events []event, f *stress.Faults) {
	for i := range events {
		e := &events[i]
		switch {
		case e.Request.Kind.HasValue() && e.Pending:
			l.maybe[e.Request.Value] = e.Request.Key
		case e.Result.Outcome == mapmodel.Added, e.Result.Outcome == mapmodel.Updated:
			l.put[e.Request.Value] = e.Request.Key
		}
	}
	for i := range events {
		e := &events[i]
		if e.Result.Outcome == mapmodel.Updated {
			l.hand(uint32(e.Client), leaving{key: e.Request.Key, value: e.Result.Value}, f)
		}
		for _, x := range e.left {
			l.hand(uint32(e.Client), x, f)
		}
	}
}

// inherit enters what a client was handed of a dead one. One of those in told may have been told of it
// before, unless that is said to be impossible; nobody else may.
func (l *ledger) inherit(x takenBack, told func(owner uint32) bool, f *stress.Faults) {
	if owner, ok := l.handed[x.value]; ok && !x.certain && told(owner) {
		return
	}
	l.hand(x.by, x.leaving, f)
}

// hand enters a value that a client was handed, with its key if the element was not deleted.
func (l *ledger) hand(by uint32, x leaving, f *stress.Faults) {
	key, ok := l.put[x.value]
	if !ok {
		key, ok = l.maybe[x.value]
	}
	switch {
	case !ok:
		f.Add("value %d of key %d was handed over and never put in", x.value, x.key)
	case x.key != 0 && x.key != key:
		f.Add("value %d was handed over with key %d, and was put in under key %d", x.value, x.key, key)
	case l.wasHanded(x.value):
		f.Add("value %d of key %d was handed over twice", x.value, key)
	case l.lost[x.value]:
		f.Add("value %d of key %d was nowhere, and is handed over later", x.value, key)
	}
	l.handed[x.value] = by
}

func (l *ledger) wasHanded(value uint32) bool {
	_, ok := l.handed[value]
	return ok
}

// settle compares the ledger with the cells at rest. taken are the operations of the dead of this
// window. It returns how many values were lost with them.
func (l *ledger) settle(cells []hopscotch.CellPicture, taken []event, f *stress.Faults) (lost int) {
	live := map[uint32]bool{}
	for _, c := range cells {
		key, ok := l.put[c.Value]
		if !ok {
			key, ok = l.maybe[c.Value]
		}
		switch {
		case !ok:
			f.Add("cell %d.%d has the value %d, which nobody put in", c.Half, c.Cell, c.Value)
		case c.Key != uint32(hopscotch.KeyLost) && c.Key != key:
			f.Add("key %d has the value %d, which was put in under key %d", c.Key, c.Value, key)
		case live[c.Value]:
			f.Add("value %d of key %d is in two cells", c.Value, key)
		case l.wasHanded(c.Value):
			f.Add("value %d of key %d was handed over, and is in cell %d.%d", c.Value, key, c.Half, c.Cell)
		case l.lost[c.Value]:
			f.Add("value %d of key %d was nowhere, and is in cell %d.%d", c.Value, key, c.Half, c.Cell)
		}
		live[c.Value] = true
	}
	room := 0
	for i := range taken {
		room += l.takes(&taken[i])
	}
	for v, key := range l.put {
		if live[v] || l.wasHanded(v) || l.lost[v] {
			continue
		}
		l.lost[v] = true
		if lost++; !slices.ContainsFunc(taken, func(e event) bool { return l.mayTake(&e, key) }) {
			f.Add("value %d of key %d is in no cell and was handed to nobody", v, key)
		}
	}
	if lost > room {
		f.Add("%d values are gone, the operations of the dead can have taken %d", lost, room)
	}
	l.forget(live)
	return lost
}

// forget drops the values that are settled for ever but for a second appearance of a lost one.
func (l *ledger) forget(live map[uint32]bool) {
	for v := range l.maybe {
		if !live[v] && !l.wasHanded(v) {
			l.lost[v] = true // it was never put in, or is gone with the dead
		} else {
			l.put[v] = l.maybe[v]
			delete(l.maybe, v)
		}
	}
}

// roomWindows is how far above its home an add makes room, in windows: it takes out each lost member
// that it meets there. The base of a member stands below it.
const roomWindows = 3

// takes is how many values an operation can take out of the table.
func (l *ledger) takes(e *event) int {
	switch e.Request.Kind {
	case mapmodel.Add:
		return 2 * roomWindows * int(l.Width)
	case mapmodel.Crop, mapmodel.Restore:
		return 2 * int(l.Width)
	case mapmodel.Update, mapmodel.Swap, mapmodel.Discard:
		return 1
	}
	return 0
}

// mayTake tells whether the operation can have taken a value of that key out of the table.
func (l *ledger) mayTake(e *event, key uint32) bool {
	switch {
	case e.Request.Kind == mapmodel.Update, e.Request.Kind == mapmodel.Swap,
		e.Request.Kind == mapmodel.Discard:
		return e.Request.Key == key
	case e.Request.Kind == mapmodel.Add && l.Room:
		return l.reaches(e.Request.Key, key, l.Width, roomWindows*l.Width)
	case e.Request.Kind == mapmodel.Add, e.Request.Kind == mapmodel.Crop, e.Request.Kind == mapmodel.Restore:
		return l.reaches(e.Request.Key, key, 1, 1)
	}
	return false
}

// reaches tells whether in some half the home of key b is less than so many cells below or above
// that of key a.
func (w workload) reaches(a, b, below, above uint32) bool {
	var homes [2][2]uint32
	homes[0][0], homes[0][1] = hopscotch.Homes(a, w.layout(1))
	homes[1][0], homes[1][1] = hopscotch.Homes(b, w.layout(1))
	for half := range 2 {
		d := (homes[1][half] + w.Cells - homes[0][half]) % w.Cells
		if d < above || w.Cells-d < below {
			return true
		}
	}
	return false
}

// count holds, for each key, what was added against what is there, was deleted, or was evicted.
// The operations of the dead may or may not count.
func (l *ledger) count(h mapmodel.History, contents map[uint32]uint32, f *stress.Faults) {
	type sum struct{ in, out, maybeIn, maybeOut int }
	sums := map[uint32]*sum{}
	for _, k := range l.Keys {
		sums[k] = &sum{}
	}
	for i := range h {
		op := &h[i]
		s := sums[op.Request.Key]
		switch {
		case op.Pending && op.Request.Kind == mapmodel.Add:
			s.maybeIn++
		case op.Pending && (op.Request.Kind == mapmodel.Delete || op.Request.Kind == mapmodel.Discard ||
			op.Request.Kind == mapmodel.Evict):
			s.maybeOut++
		case op.Result.Outcome == mapmodel.Added:
			s.in++
		case op.Result.Outcome == mapmodel.Deleted, op.Result.Outcome == mapmodel.Discarded,
			op.Result.Outcome == mapmodel.Evicted:
			s.out++
		}
	}
	for k, s := range sums {
		now := 0
		if _, there := contents[k]; there {
			now = 1
		}
		got := l.counts[k] + s.in - s.out
		if now < got-s.maybeOut || now > got+s.maybeIn {
			f.Add("key %d was there %d times, added %d times and taken out %d times (the dead: %d and %d), "+
				"and is there %d times", k, l.counts[k], s.in, s.out, s.maybeIn, s.maybeOut, now)
		}
		l.counts[k] = now
	}
}
