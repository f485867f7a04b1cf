package volume

import (
	"sync/atomic"

	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/stress"
)

// world is the map of one run.
type world struct {
	subject *subject
	state   int // its number
	mix     states.Mix
	m       *table
	locks   [shards]*atomic.Uint32
	before  map[uint32]uint64 // contents at the end of the window before
}

func (w *world) Client(owner uint32) (stress.Client, error) { return &client{w: w, owner: owner}, nil }

func (*world) Handout() ([]byte, error) { return []byte("{}"), nil }

// InProgress: nobody is killed, so nobody asks.
func (*world) InProgress(uint32) stress.Progress { return stress.Idle }

const (
	writer  = 1 << 31
	readers = writer - 1
)

// seesLock is 1 if the lock word of the key's shard shows the race of a lock state with an operation of that
// kind.
func (w *world) seesLock(req stress.Words) uint64 {
	if w.state > 5 {
		return 0
	}
	word := w.locks[w.m.ShardOf(keyOf(req))].Load()
	k := kindOf(req)
	reads := k == states.Get || k == states.GetFunc
	writes := k == states.Put || k == states.Invalidate || k == states.InvalidateIf
	seen := false
	switch w.state {
	case 1:
		seen = reads && word&writer != 0
	case 2:
		seen = writes && word&readers != 0
	case 3:
		seen = writes && word&readers >= 2
	case 4:
		seen = writes && word&writer != 0
	case 5:
		seen = reads && word&writer != 0 && word&readers != 0
	}
	if seen {
		return 1
	}
	return 0
}

// contents are the entries of the map at rest.
func (w *world) contents() map[uint32]uint64 {
	all := map[uint32]uint64{}
	for _, entries := range w.m.Inspect().Entries {
		for key, e := range entries {
			all[key] = e.Value
		}
	}
	return all
}

// Audit judges a window: locks and flag are free at rest, and the history has an order.
func (w *world) Audit(x *stress.Window, f *stress.Faults) stress.Audit {
	v := w.m.Inspect()
	for i, word := range v.Locks {
		if word != 0 {
			f.Add("at rest the lock of shard %d is %#x", i, word)
		}
	}
	if v.Cleaning {
		f.Add("at rest the cleanup flag is set")
	}
	now := w.contents()
	a := stress.Audit{Marks: w.marks(x.Events),
		History: stress.Ordered[asked, given]{Model: modelOf(w.before), Ops: w.history(x, now)}}
	w.before = now
	return a
}

// Drain takes everything out.
func (w *world) Drain(f *stress.Faults) {
	n, had := w.m.Clear(), len(w.before)
	if n != had || w.m.Size() != 0 {
		f.Add("%d entries were there, %d came out, %d are left", had, n, w.m.Size())
	}
}

func (*world) Close() error { return nil }

// marks counts the races of the state in a window.
func (w *world) marks(events []stress.Event) (n uint64) {
	for i := range events {
		n += events[i].Extra
	}
	if w.state <= 5 || w.state == 14 {
		return n
	}
	for i := range events { // by their calls
		a := &events[i]
		for k := i + 1; k < len(events) && events[k].Call < a.Return; k++ {
			if w.race(a, &events[k]) || w.race(&events[k], a) {
				n++
			}
		}
	}
	return n
}

// race tells whether two operations whose intervals overlap are the race of the state, in this order of
// roles.
func (w *world) race(a, b *stress.Event) bool {
	k, with := kindOf(a.Request), kindOf(b.Request)
	same := keyOf(a.Request) == keyOf(b.Request)
	gaveUp := with == states.TryCleanup && b.Result[1] == 0
	collected := false
	for _, n := range a.Notes {
		collected = collected || uint32(n[0]) == keyOf(b.Request)
	}
	switch w.state {
	case 6:
		return k == states.Get && with == states.Invalidate && same && a.Result[1] == 1 && b.Result[0] == 1
	case 7:
		return k == states.GetFunc && with == states.Put && collected
	case 8:
		return k == states.Cleanup && with == states.Put && collected
	case 9:
		return k == states.Cleanup && gaveUp
	case 10:
		return k == states.Cleanup && with == states.Cleanup
	case 11:
		return k == states.Size && (with == states.Put || with == states.Invalidate && b.Result[0] == 1)
	case 12:
		return k == states.InvalidateIf && with == states.Put && same
	case 13:
		return k == states.FullCleanup && (with == states.Put && collected || gaveUp)
	}
	return false
}
