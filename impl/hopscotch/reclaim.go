package hopscotch

import (
	"errors"
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/region"
)

// A dead owner leaves one descriptor, and in it the last operation that it began. A reclaim finishes that
// operation as any helper does, and gives the descriptor back.
//
// Specification: spec/tla/hopscotch/Owner.tla; the accesses are in reclaim_steps.go. What a reclaim assumes
// about the operations is in spec/tla/hopscotch/MCReclaim.tla.
//
// Why a reclaim is correct. Only the owner writes the head of a descriptor, and the owner is dead. So the
// generation does not change. The home cell that the head names refers to the descriptor from the
// installation until the last step of the operation, whoever makes that step (helpFinish, helpRelease,
// helpPublishNew, helpReopen; holes and members are released before). If the home cell does not refer to it
// now, the operation has ended or was never installed, and will never be.
//
// Only one actor reclaims a descriptor: a compare-and-swap replaces the dead owner in the owner word by the
// reclaimer, and an owner is named by its attachment, which never comes back. A reclaimer that dies is itself
// a dead owner of that descriptor.
//
// The value that left by the operation belongs to the owner, which may have died before or after it was told
// of the value. So the reclaim hands the value over, and says which of the two is known (Reclaimed.Certain).
// It advances the generation first, so that nobody hands the value over again. Therefore the head of a free
// descriptor has no kind, and nothing in it belongs to anybody.
//
// If something else has written to the region, the words of an operation that is over may be invalid. Then
// nobody can be told what left by it. The descriptor is written off, so that it is not lost as well. This is
// safe if no cell of the table refers to it: then there is nothing to finish, and by the argument above there
// never will be. The head may be the word that was overwritten, so the reclaim looks at all cells, and not
// only at the home that the head names. A head that no process writes is never written off, because only the
// head tells from which generation to continue: a helper that sleeps in the middle of an old operation could
// take a new operation of that generation for the old one.

// Reclaimed is what was in the descriptor of a dead owner.
type Reclaimed struct {
	Descriptor uint32
	Owner      Owner // the owner that has died
	Kind       Kind  // kind of its last operation, KindNone if there was none
	// Finished says that the operation was still installed in the table, and has been finished for the owner.
	Finished bool
	// Left is the element that left the table by the operation, if Leaves. Nobody else receives it.
	Left   Leaving
	Leaves bool
	// Certain says that the owner cannot have received Left. Otherwise the owner died near the end of its
	// call or later, and may have used the value, or given it to somebody.
	Certain bool
	// WrittenOff says that the operation was over and its words were invalid, because something else writes
	// to the region. What left the table by the operation, if anything did, is lost; the descriptor is not.
	WrittenOff bool
}

// String describes it in one line.
func (x Reclaimed) String() string {
	s := fmt.Sprintf("descriptor %d of %v: %v", x.Descriptor, x.Owner, x.Kind)
	if x.Finished {
		s += " finished"
	}
	if x.WrittenOff {
		s += ", written off: its words make no sense"
	}
	if x.Leaves {
		s += fmt.Sprintf(", key %s value %d has left", key(x.Left.Key), x.Left.Value)
		if !x.Certain {
			s += " (its owner may have used it)"
		}
	}
	return s
}

// Reclaim takes the descriptors of dead owners back, and returns what was in them. It may run while others
// use the table, and while others reclaim: exactly one of them reclaims each descriptor.
//
// It returns what left by the last operation of each dead owner. Values that such an owner received by
// earlier operations of the call in which it died, and the old value of an update, are in no descriptor and
// are lost. A call that passes each value to a function, such as CropAll, has done so before its next
// operation, so it loses none.
//
// Errors: ErrClosed and those of an earlier call; ErrCorrupt and ErrBusy with the descriptor, which stays its
// dead owner's; those of [region.Region.Alive]. The other descriptors are reclaimed nevertheless. If nobody
// uses the table, Check finds whatever leads to ErrCorrupt here, and what is written off. Progress: lock-free
// for each descriptor; a descriptor that is written off takes a look at all cells.
func (h *Handle) Reclaim() ([]Reclaimed, error) {
	var all []Reclaimed
	err := h.ReclaimEach(func(x Reclaimed) { all = append(all, x) })
	return all, err
}

// ReclaimEach is Reclaim, but calls the function with the contents of each descriptor while the descriptor
// still names them. So Handed lists the value until the function has returned. If the caller dies in the
// function, the next actor that reclaims gets the same value, as not certain. The function must not use the
// handle. Errors and progress: those of Reclaim.
func (h *Handle) ReclaimEach(tell func(Reclaimed)) error {
	if err := h.begin(); err != nil {
		return fmt.Errorf("reclaim: %w", err)
	}
	if tell == nil {
		panic("hopscotch: reclaim each without a function to call: give one")
	}
	var failed error
	for i := range uint32(len(h.table.descriptors)) {
		if i == h.index {
			continue
		}
		_, ok, err := h.table.takeOver(i, h.owner, tell)
		failed = errors.Join(failed, err)
		if !ok {
			continue
		}
		if !h.table.descriptors[i].ownerFree(h.owner) {
			failed = errors.Join(failed, fmt.Errorf("descriptor %d has another owner: %w", i, ErrCorrupt))
		}
	}
	return failed
}

// Orphans lists the descriptors whose owners are dead. It changes nothing. Errors: those of
// [region.Region.Alive]. Progress: wait-free.
func (t *Table) Orphans() ([]uint32, error) {
	if err := t.made(); err != nil {
		return nil, fmt.Errorf("orphans: %w", err)
	}
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
	case t.made() != nil:
		return 0, fmt.Errorf("handle for owner %d: %w", number, t.made())
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
		x, ok, err := t.takeOver(i, owner, func(Reclaimed) {})
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

// takeOver makes the descriptor by's own, if its owner is dead, with nothing left in it. It tells what was.
func (t *Table) takeOver(i uint32, by Owner, tell func(Reclaimed)) (x Reclaimed, ok bool, err error) {
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
	settled := false
	defer func() {
		if !settled { // An error, or tell has panicked.
			d.ownerBack(by, dead)
		}
	}()
	x, err = t.settle(i, dead, tell)
	if settled = err == nil; err != nil {
		return x, false, fmt.Errorf("descriptor %d of %v: %w", i, dead, err)
	}
	return x, true, nil
}

// settle finishes what is installed of the last operation in the descriptor, which is the caller's,
// finds out what left by it, tells it, and ends its generation.
func (t *Table) settle(i uint32, dead Owner, tell func(Reclaimed)) (Reclaimed, error) {
	d, x := &t.descriptors[i], Reclaimed{Descriptor: i, Owner: dead}
	head := d.ownerHead()
	if head.Valid() && head.Kind() == KindNone {
		tell(x)
		return x, nil // never used, or given back
	}
	if !t.sound(head) {
		return x, ErrCorrupt
	}
	x.Kind = head.Kind()
	r := t.refs.Make(i, head.Generation())
	if t.installed(head, r) {
		var o operation
		switch o.help(t, r) {
		case over:
		case unfinished:
			return x, ErrBusy
		default: // the generation of the dead does not move on by itself
			return x, ErrCorrupt
		}
		x.Finished = true
	}
	if !t.winnings(&x, r) {
		if t.refersTo(i) {
			return x, ErrCorrupt
		}
		x.WrittenOff = true
	}
	tell(x)
	d.ownerRetire(t.refs.Next(head.Generation()))
	if x.WrittenOff {
		d.blank()
	}
	return x, nil
}

// installed reports whether the home cell refers to the operation r with that head, which is sound.
func (t *Table) installed(head Head, r Ref) bool {
	home := t.halves[head.Half()].cell(head.Home()).ownerHome()
	form := home.Form()
	return (form == FormClaimed || form == FormOperating) && home.Ref() == r
}

// refersTo reports whether a cell of the table refers to the descriptor of that index, in any generation.
// The owner is dead and installs nothing. An operation has its home cell from first to last, so if the home
// cell, wherever it is, is seen without a reference, the operation has no other cell then, and never again.
func (t *Table) refersTo(index uint32) bool {
	for i := range t.all {
		w := t.all[i].ownerHome()
		switch w.Form() {
		case FormClaimed, FormOperating, FormEngaged:
			if t.refs.Index(w.Ref()) == index {
				return true
			}
		}
	}
	return false
}

// winnings finds the element that left by the operation, which has ended or was never installed. It reports
// whether the words of the operation make sense, or do not matter.
func (t *Table) winnings(x *Reclaimed, r Ref) bool {
	o := operation{table: t, ref: r, d: &t.descriptors[x.Descriptor]}
	committed, sense := o.recall()
	if committed && sense {
		x.Left, x.Leaves = o.leaving()
		x.Certain = x.Finished
	}
	return sense
}

// recall reads the last operation of a descriptor, which is not installed, and reports whether something
// may have left by it, and whether its words make sense. The target is the last word to be filled: without
// this generation the others may be of two, and do not matter.
func (o *operation) recall() (committed, sense bool) {
	target := o.d.ownerTarget()
	if o.target = target; target.Generation() != o.generation() || target.Status() != StatusCommitted {
		return false, true
	}
	return true, o.load() == underway && o.take(target) == underway
}

// blank empties the words of a descriptor whose generation has been ended, so that what was written there
// is not found again. Nobody reads them before the next operation is installed, by a compare-and-swap.
func (d *descriptor) blank() {
	d.addFillPair(0)
	d.addFillPlan(0)
	d.addFillExpect(0)
	d.addFillSource(0)
	d.addFillTarget(0)
}
