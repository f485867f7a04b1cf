package volume

import (
	"encoding/json"
	"errors"
	"math/bits"

	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/stress"
)

// world is the words of one run, as the parent has them.
type world struct {
	*memory
	subject *subject

	// What there was at the begin of the round.
	held      map[uint32]uint32 // leases of living clients: by owner, when each was renewed
	words     [paramWords]uint64
	wished    wish
	penalties map[uint32]penalties // by identity
}

// epoch is the first instant of the clock of the sketch, in nanoseconds.
const epoch = 1 << 40

// newWorld is the words of a state in r, which is the world's to close.
func newWorld(s *subject, r *region.Region) (*world, error) {
	m, err := newMemory(r)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	w := &world{memory: m, subject: s}
	if w.runs {
		w.params[0].Store(set(0, 0, fieldFirst, uint64(w.recipe.leases)))
	}
	w.begin(epoch, nil)
	return w, nil
}

// begin takes note of the words, and lets the next round begin at an instant of the sketch's clock.
func (w *world) begin(instant uint64, living []uint32) {
	w.held = map[uint32]uint32{}
	for i := range w.leases {
		l := control.Lease(w.leases[i].Load())
		for _, owner := range living {
			if l != 0 && l.Owner() == w.processOf(owner) {
				w.held[owner] = l.Stamp()
			}
		}
	}
	for i := range w.words {
		w.words[i] = w.params[i].Load()
	}
	w.wished = wishOf(w.wish[0].Load())
	w.run[wordInstant].Store(instant)
	w.run[wordFirst].Store(w.run[wordClock].Load() + 1)
	w.penalties = map[uint32]penalties{}
	for column := range w.width {
		var p penalties
		for row := range quota.Depth {
			w.level(row, column).Store(instant + w.full*w.unit())
			p[row] = quota.Penalty(w.penalty(row, column).Load())
		}
		if p != (penalties{}) {
			w.penalties[column] = p
		}
	}
}

// Client attaches a goroutine.
func (w *world) Client(owner uint32) (stress.Client, error) {
	return newClient(w.subject, w.memory, owner), nil
}

// Handout names the file of the region.
func (w *world) Handout() ([]byte, error) { return json.Marshal(handout{Region: w.region.File()}) }

// holds reports whether a client has a lease.
func (m *memory) holds(owner uint32) bool {
	for i := range m.leases {
		if l := control.Lease(m.leases[i].Load()); l != 0 && l.Owner() == m.processOf(owner) {
			return true
		}
	}
	return false
}

// uneven reports whether a charge is in some rows only.
func (w *world) uneven() bool {
	columns := []uint32{0, 1}
	if !w.share {
		columns = nil
		for i := range calls {
			columns = append(columns, w.identity(w.run[wordClock].Load()-w.run[wordFirst].Load(), i)%w.width)
		}
	}
	var sums [quota.Depth]uint64
	for row := range sums {
		for _, column := range columns {
			sums[row] += w.level(row, column).Load()
		}
	}
	return sums[0] != sums[quota.Depth-1]
}

// InProgress looks at a client that is stopped or dead.
func (w *world) InProgress(owner uint32) stress.Progress {
	busy := w.owner(owner, ownerBusy).Load() != 0
	switch {
	case w.recipe.leases > 0 && w.holds(owner), busy && w.width > 0 && w.uneven(),
		busy && w.wish[0].Load() != 0:
		return stress.Wanted
	case busy:
		return stress.Busy
	}
	return stress.Idle
}

// Audit holds the words at rest and what the clients saw against one another.
func (w *world) Audit(x *stress.Window, f *stress.Faults) stress.Audit {
	a := stress.Audit{Returned: uint64(len(x.Dead))}
	next := w.run[wordInstant].Load() + 1
	if w.width > 0 {
		r := w.roundOf(x)
		r.rest(f)
		a.Marks, a.History = r.marks(), r
		next = w.later(next)
	} else {
		for i := range x.Events {
			w.behind(&x.Events[i], f)
			a.Marks += w.race(&x.Events[i])
		}
		a.History = w.history(x)
	}
	w.begin(next, x.Living)
	return a
}

// later is an instant behind all penalties. After some offences it is one at which they are forgotten: the
// longer a penalty is for these, the less it differs from another one.
func (w *world) later(next uint64) uint64 {
	for column := range w.width {
		for row := range quota.Depth {
			p := quota.Penalty(w.penalty(row, column).Load())
			next = max(next, p.End()+w.limits.Retry/2)
			if p.Offences() > offencesMost {
				next = max(next, p.End()+forgotten*w.limits.Retry)
			}
		}
	}
	return next
}

const (
	offencesMost = 2
	forgotten    = 8 * 7 // waits after which no offence counts
)

// race counts the race of a state of leases, of live parameters or of handovers in an operation.
func (w *world) race(e *stress.Event) uint64 {
	bit := map[int]uint64{1: seenLost, 2: seenDead, 3: seenLate, 4: seenLowered, 5: seenOther,
		9: seenOther}[w.state]
	return e.Extra & bit / bit
}

// behind judges what a janitor has seen behind its turn. Nobody else gives it a lease.
func (w *world) behind(e *stress.Event, f *stress.Faults) {
	k := kindOf(e.Request)
	if k > kindLeave || e.Pending {
		return
	}
	own, run := e.Result[1]&(1<<wordRun-1), int(e.Result[1]>>wordRun)
	what := ""
	switch {
	case bits.OnesCount64(own) > 1:
		what = "one: it has two leases"
	case e.Result[0] == 0 && own != 0:
		what = "told: it has a lease, and was told that it has none"
	case k != kindLeave && bits.Len64(own) > run:
		what = "few: it has a lease that there may not be"
	default:
		return
	}
	f.Add("%s: client %d, %v at %d, words %b of %d", what, e.Owner, k, e.Request[1], own, run)
}

// Drain: each audit has looked at all words.
func (*world) Drain(*stress.Faults) {}

// Close gives the region back.
func (w *world) Close() error { return w.region.Close() }
