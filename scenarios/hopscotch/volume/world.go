package volume

import (
	"encoding/json"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/stress"
)

// world is the table of one run, as the parent has it.
type world struct {
	subject  *subject
	work     workload
	region   *region.Region
	table    *hopscotch.Table
	keeper   *hopscotch.Handle // of the parent
	eye      *eye
	ledger   *ledger
	contents map[uint32]uint32
	dead     map[uint32]bool // owners of all who have died so far
}

// newWorld is a table in r, which is the world's to close.
func newWorld(s *subject, work workload, r *region.Region) (*world, error) {
	w := &world{subject: s, work: work, region: r, ledger: newLedger(work), contents: map[uint32]uint32{},
		dead: map[uint32]bool{}}
	err := w.attach()
	if err != nil {
		_ = r.Close() // the run is over before it has begun
		return nil, err
	}
	return w, nil
}

func (w *world) attach() (err error) {
	if w.table, err = hopscotch.NewWith(w.region, w.work.options()); err != nil {
		return err
	}
	if w.keeper, err = w.table.NewHandle(stress.ParentOwner); err != nil {
		return err
	}
	w.eye, err = newEye(w.region, w.keeper.Descriptor())
	return err
}

// Client attaches a goroutine.
func (w *world) Client(owner uint32) (stress.Client, error) {
	return w.subject.client(w.region, w.work, owner)
}

// Handout names the file of the region.
func (w *world) Handout() ([]byte, error) {
	return json.Marshal(handout{Region: w.region.File(), Work: w.work})
}

// InProgress looks for a cell that refers to the owner's descriptor.
func (w *world) InProgress(owner uint32) stress.Progress {
	switch w.eye.installed(uint64(owner)) {
	case hopscotch.KindNone:
		return stress.Idle
	case pairings[w.work.State].kind:
		return stress.Wanted
	}
	return stress.Busy
}

// Close gives the region back.
func (w *world) Close() error { return w.region.Close() }

// Audit finishes what the dead have left, and holds structure, counts, contents and history against one
// another.
func (w *world) Audit(x *stress.Window, f *stress.Faults) stress.Audit {
	if w.subject.meddle != nil {
		w.subject.meddle(w.region, x.Round)
	}
	for _, owner := range x.Dead {
		w.dead[owner] = true
	}
	var events []event
	var back []takenBack
	heirs := map[uint32]bool{}
	for i := range x.Events {
		if x.Events[i].Request[0] == callReclaim {
			back = append(back, takenBackBy(&x.Events[i])...)
			heirs[x.Events[i].Owner] = x.Events[i].Pending // its last call is the last of its events
			continue
		}
		e, err := decode(&x.Events[i])
		if err != nil {
			f.Add("%v", err)
			continue
		}
		events = append(events, e)
	}
	back = append(back, w.finish(x.Round, f)...)
	at := atRest(w.table, w.work.Keys, f)
	w.audit(x, at.owners, f)
	win := &window{workload: w.work, events: events, initial: w.contents, contents: at.contents,
		ended: x.Ended}
	h := win.history()
	w.ledger.book(events, f)
	w.inherit(back, heirs, f)
	lost := w.ledger.settle(at.cells, win.dead(), f)
	w.ledger.count(h, at.contents, f)
	w.contents = at.contents
	return stress.Audit{Marks: w.marks(events), Lost: uint64(lost), Returned: uint64(len(back)),
		History: decidable{h, win.initial}}
}

// marks is how often the events took part in the race of the run's state.
func (w *world) marks(events []event) uint64 {
	s, _ := register.StateByID(w.work.State)
	n := pairMarks(events)[s.Number]
	for i := range events {
		if events[i].states>>s.Number&1 != 0 {
			n++
		}
	}
	return n
}

// audit counts the descriptors: the parent and each living client has one, nobody else has any.
func (w *world) audit(x *stress.Window, owners map[uint64]int, f *stress.Faults) {
	entitled := map[uint64]bool{stress.ParentOwner: true}
	for _, o := range x.Living {
		entitled[uint64(o)] = true
	}
	for o := range entitled {
		if owners[o] == 0 {
			f.Add("descriptors: client %d has none", o)
		}
	}
	for o, n := range owners {
		switch {
		case w.dead[uint32(o)]:
			f.Add("descriptors: client %d is dead, and %d of its own have not been given back", o, n)
		case n != 1 || !entitled[o]:
			f.Add("descriptors: owner %d has %d", o, n)
		}
	}
	orphans, err := w.table.Orphans()
	if len(orphans) > 0 || err != nil {
		f.Add("descriptors: %v belong to the dead after a reclaim, %v", orphans, err)
	}
}

// Drain crops the table and takes every element out: what is handed over then must be all that
// the ledger knows to be there.
func (w *world) Drain(f *stress.Faults) {
	take := func(l hopscotch.Leaving) {
		w.ledger.hand(stress.ParentOwner, leaving{key: l.Key, value: l.Value}, f)
	}
	for _, key := range w.work.Keys {
		ok, err := w.keeper.Delete(key)
		if _, there := w.contents[key]; err != nil || ok != there {
			f.Add("drain: delete of key %d gives %v, %v", key, ok, err)
		}
	}
	if err := w.keeper.CropAll(take); err != nil {
		f.Add("drain: %v", err)
	}
	at := atRest(w.table, w.work.Keys, f)
	w.ledger.settle(at.cells, nil, f)
	if len(at.cells) != 0 {
		f.Add("drain: %d cells are not empty", len(at.cells))
	}
}
