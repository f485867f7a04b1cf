package volume

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
)

// world is the ring of one run, as the parent has it.
type world struct {
	*memory
	subject *subject
	state   int
	clients []*client // goroutines
	left    map[uint32]slots.State
	reused  uint64
	patient time.Duration // how long services may take to end what the clients have left
	before  [keys]uint64
}

// newWorld is a ring in r, which is the world's to close.
func newWorld(s *subject, state int, r *region.Region) (*world, error) {
	m, err := newMemory(r)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	w := &world{memory: m, subject: s, state: state, left: map[uint32]slots.State{}, patient: restTime}
	for i := range m.places { // each file is there before anybody is the client of it
		if _, err := slots.Over(m.file(i), m.options(), &system{memory: m, at: i}); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return w, nil
}

// Client attaches a goroutine.
func (w *world) Client(owner uint32) (stress.Client, error) {
	c, err := newClient(w.subject, w.state, w.memory, owner)
	if err == nil {
		w.clients = append(w.clients, c)
	}
	return c, err
}

// Handout names the file of the region.
func (w *world) Handout() ([]byte, error) {
	return json.Marshal(handout{Region: w.region.File(), State: w.state})
}

// InProgress looks at the slots of a client that is stopped or dead: those of its requests, and those that
// its service has.
func (w *world) InProgress(owner uint32) stress.Progress {
	place := -1
	for i := range w.places {
		if w.place(i, placeOwner).Load() == uint64(owner) {
			place = i
		}
	}
	if place < 0 {
		return stress.Idle // it is about to attach
	}
	own, served := slots.Free, slots.Free
	for slot := range w.memory.slots {
		if s := w.memory.state((place+1)%w.places, slot).State(); s != slots.Free {
			own = s
		}
		if s := w.memory.state(place, slot).State(); s == slots.Taken || s == slots.Abandoned {
			served = s
		}
	}
	w.left[owner] = own
	held := own == slots.Claimed || own == slots.Done || own == slots.Failed
	switch {
	case w.state == 2 && served == slots.Taken, w.state == 3 && own == slots.Taken, w.state == 5 && held:
		return stress.Wanted
	case own != slots.Free || served != slots.Free:
		return stress.Busy
	}
	return stress.Idle
}

// Close ends the services, and gives the region back.
func (w *world) Close() (err error) {
	for _, c := range w.clients {
		err = errors.Join(err, c.end())
	}
	return errors.Join(err, w.region.Close())
}

// restTime is world.patient, but in tests.
const restTime = 20 * time.Second

// rest waits until all slots are free. Those that are not then are lost.
func (w *world) rest(f *stress.Faults) {
	for end := time.Now().Add(w.patient); ; time.Sleep(100 * time.Microsecond) {
		free := true
		for i := range w.places {
			for slot := range w.memory.slots {
				x := w.memory.state(i, slot)
				free = free && x.State() == slots.Free
				if time.Now().After(end) && x.State() != slots.Free {
					f.Add("lost: slot %d of file %d is %v when all have been at rest for %v", slot, i,
						x.State(), w.patient)
				}
			}
		}
		if free || time.Now().After(end) {
			return
		}
	}
}

// performed is what a service has noted of a request.
type performed struct {
	times uint64
	old   uint64
	known bool // old is
}

func (w *world) performed(number uint64) (p performed) {
	e := w.entry(number)
	if e[doneNumber].Load() != number {
		return p
	}
	p.times, p.old, p.known = e[doneCount].Load(), e[doneOld].Load(), e[doneOld].Load() != 0
	if p.known {
		p.old--
	}
	return p
}

// Audit waits until nothing is under way, and holds what was performed, what was answered, and what the
// registers have against one another.
func (w *world) Audit(x *stress.Window, f *stress.Faults) stress.Audit {
	w.rest(f)
	now := [keys]uint64{}
	for key := range now {
		now[key] = w.words[wordRegister+key].Load()
	}
	ops := w.history(x, now, f)
	a := stress.Audit{Marks: w.marks(x), Returned: uint64(len(x.Dead)),
		History: stress.Ordered[asked, given]{Model: modelOf(w.before), Ops: ops}}
	w.others(x, f)
	for i := range w.places {
		if late := w.place(i, placeLate).Swap(0); late > 0 && recipes[w.state].idle == asleep {
			f.Add("lost: %d wake-ups of service %d: it found requests at the bound of its sleep", late, i)
		}
	}
	for i := range w.done {
		w.done[i].Store(0)
	}
	w.before = now
	w.left = map[uint32]slots.State{}
	return a
}

// others wants nothing performed that no client of the round has asked for.
func (w *world) others(x *stress.Window, f *stress.Faults) {
	asked := map[uint64]bool{}
	for i := range x.Events {
		asked[x.Events[i].Request[1]] = true
	}
	for n := range uint64(doneRoom) {
		if e := w.entry(n); e[doneCount].Load() != 0 && !asked[e[doneNumber].Load()] {
			f.Add("performed: request %d, which no client of this round has sent", e[doneNumber].Load())
			return
		}
	}
}

// Drain: the audit has wanted all slots free.
func (w *world) Drain(f *stress.Faults) { w.rest(f) }
