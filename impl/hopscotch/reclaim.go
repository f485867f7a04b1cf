package hopscotch

import (
	"errors"
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/region"
)

// What a dead owner leaves: one descriptor, and in it the last operation that it began. A reclaim
// finishes that operation as any helper does, and gives the descriptor back.
//
// Specification: spec/tla/hopscotch/Owner.tla; the accesses are in reclaim_steps.go. What it takes from the
// operations themselves is in spec/tla/hopscotch/MCReclaim.tla.
//
// Why it may. The head of a descriptor is written by its owner only, and the owner is dead. So
// the generation stands still, and the home cell that the head names refers to it from the
// installation until the last step of the operation, whoever makes it (helpFinish, helpRelease,
// helpPublishNew, helpReopen; holes and members are let go before). If it does not refer to it
// now, the operation has ended or was never installed, and will never be.
//
// One reclaims: the owner word goes from the dead to the reclaimer by compare-and-swap, and an owner
// is named by its attachment, which never comes back. A reclaimer that dies is itself a dead owner
// of that descriptor.
//
// What left by the operation is the owner's, who may have died before or after it was told. So it
// is handed over by the reclaim, with the truth about that (Reclaimed.Certain); and the
// generation moves on first, so that nobody hands it over again. A free descriptor therefore has
// a head of no kind: nothing in it is anybody's.

// Reclaimed is what was found in the descriptor of a dead owner.
type Reclaimed struct {
	Descriptor uint32
	Owner      Owner // who has died
	Kind       Kind  // of its last operation, KindNone if there is none to speak of
	// Finished says that the operation was in the table still, and has been finished for the owner.
	Finished bool
	// Left is what left the table by the operation, if Leaves. Nobody else is handed it.
	Left   Leaving
	Leaves bool
	// Certain says that the owner cannot have been told of Left. Otherwise it has died around the
	// end of its call or later: it may have used the value, or given it to somebody.
	Certain bool
}

// String is one line for a person.
func (x Reclaimed) String() string {
	s := fmt.Sprintf("descriptor %d of %v: %v", x.Descriptor, x.Owner, x.Kind)
	if x.Finished {
		s += " finished"
	}
	if x.Leaves {
		s += fmt.Sprintf(", key %s value %d has left", key(x.Left.Key), x.Left.Value)
		if !x.Certain {
			s += " (its owner may have used it)"
		}
	}
	return s
}

// Reclaim takes the descriptors of dead owners back, and returns what was in them. It may run while
// others use the table, and reclaim, too: each descriptor is reclaimed by one of them.
//
// What is handed over is what left by the last operation of the dead. What it won by earlier
// operations of the call that it died in, and the old value of an update, are in no descriptor and
// are lost; but a call that hands over to a function, such as CropAll, has done so before its next operation.
//
// Errors: ErrClosed and those of an earlier call; ErrCorrupt and ErrBusy with the descriptor, which
// stays its dead owner's; those of [region.Region.Alive]. The others are reclaimed nevertheless.
// Progress: each descriptor lock-free.
func (h *Handle) Reclaim() ([]Reclaimed, error) {
	if err := h.begin(); err != nil {
		return nil, fmt.Errorf("reclaim: %w", err)
	}
	var all []Reclaimed
	var failed error
	for i := range uint32(len(h.table.descriptors)) {
		if i == h.index {
			continue
		}
		x, ok, err := h.table.takeOver(i, h.owner)
		failed = errors.Join(failed, err)
		if !ok {
			continue
		}
		all = append(all, x)
		if !h.table.descriptors[i].ownerFree(h.owner) {
			failed = errors.Join(failed, fmt.Errorf("descriptor %d has another owner: %w", i, ErrCorrupt))
		}
	}
	return all, failed
}

// Orphans are the descriptors whose owners are dead. It changes nothing. Errors: those of
// [region.Region.Alive]. Progress: wait-free.
func (t *Table) Orphans() ([]uint32, error) {
	var all []uint32
	for i := range t.descriptors {
		w := t.descriptors[i].ownerRead()
		if w == 0 {
			continue
		}
		alive, err := t.lives(w)
		if err != nil {
			return nil, err
		}
		if !alive {
			all = append(all, uint32(i))
		}
	}
	return all, nil
}

// lives reports whether the owner can still make a step.
func (t *Table) lives(w Owner) (bool, error) {
	if t.alive != nil {
		return t.alive(w), nil
	}
	return t.region.Alive(w.Process())
}

// ownerWord is the owner word of this process's actor of that number.
func (t *Table) ownerWord(number uint64) (Owner, error) {
	switch {
	case number == 0 || number > math.MaxUint32:
		return 0, fmt.Errorf("owner %d: %w", number, ErrOwner)
	case t.region.ReadOnly():
		return 0, fmt.Errorf("handle for owner %d: %w: open the region instead of observing it",
			number, region.ErrReadOnly)
	}
	return MakeOwner(uint32(number), t.region.Process()), nil
}

// inherit makes a handle of the first descriptor whose owner is dead.
func (t *Table) inherit(owner Owner) (*Handle, error) {
	var failed error
	for i := range uint32(len(t.descriptors)) {
		x, ok, err := t.takeOver(i, owner)
		failed = errors.Join(failed, err)
		if ok {
			h := t.handle(i, owner)
			h.inherited = x
			return h, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("handle for owner %d: %w (%d of %d)", owner.Number(),
		ErrHandles, len(t.descriptors), len(t.descriptors)), failed)
}

// takeOver makes the descriptor by's own, if its owner is dead, with nothing left in it.
func (t *Table) takeOver(i uint32, by Owner) (x Reclaimed, ok bool, err error) {
	d := &t.descriptors[i]
	dead := d.ownerRead()
	if dead == 0 {
		return x, false, nil
	}
	if alive, err := t.lives(dead); alive || err != nil {
		return x, false, err
	}
	if !d.ownerTakeOver(dead, by) {
		return x, false, nil
	}
	x, err = t.settle(i)
	x.Owner = dead
	if err != nil {
		d.ownerBack(by, dead)
		return x, false, fmt.Errorf("descriptor %d of %v: %w", i, dead, err)
	}
	return x, true, nil
}

// settle finishes what is installed of the last operation in the descriptor, which is the caller's,
// finds out what left by it, and ends its generation.
func (t *Table) settle(i uint32) (Reclaimed, error) {
	d, x := &t.descriptors[i], Reclaimed{Descriptor: i}
	head := d.ownerHead()
	if head.Valid() && head.Kind() == KindNone {
		return x, nil // never used, or given back
	}
	if !t.sound(head) {
		return x, ErrCorrupt
	}
	x.Kind = head.Kind()
	r := t.refs.Make(i, head.Generation())
	home := t.halves[head.Half()].cell(head.Home()).ownerHome()
	if form := home.Form(); (form == FormClaimed || form == FormOperating) && home.Ref() == r {
		var o operation
		switch o.help(t, r) {
		case broken:
			return x, ErrCorrupt
		case unfinished:
			return x, ErrBusy
		}
		x.Finished = true
	}
	if err := t.winnings(&x, r); err != nil {
		return x, err
	}
	d.ownerRetire(t.refs.Next(head.Generation()))
	return x, nil
}

// winnings are what left by the operation, which has ended or was never installed. Its target is the
// last word to be filled: without this generation the others may be of two.
func (t *Table) winnings(x *Reclaimed, r Ref) error {
	o := operation{table: t, ref: r, d: &t.descriptors[x.Descriptor]}
	target := o.d.ownerTarget()
	if target.Generation() != o.generation() || target.Status() != StatusCommitted {
		return nil
	}
	if o.load() != underway || o.take(target) != underway {
		return ErrCorrupt
	}
	x.Left, x.Leaves = o.leaving()
	x.Certain = x.Finished
	return nil
}
