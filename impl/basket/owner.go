package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// This file has the entries of writers. A basket names its owner by the entry, and a later writer may get
// the same entry. So a writer that takes an entry first gives up all baskets in its name: it seals an open
// basket, and gives a retiring one another number. After that, an actor that has found the earlier owner
// dead cannot take a basket of the new owner, because it expects a head that never comes again.

// ownerOf is the word of an owner.
func ownerOf(number uint32, p region.Process) Owner { return hopscotch.MakeOwner(number, p) }

// enter takes an entry.
func (w *Writer) enter() error {
	all := w.store.entries
	for i := range all {
		if all[i].ownerTake(w.owner) {
			w.number = uint32(i) + 1
			return nil
		}
	}
	for i := range all {
		dead, err := w.gone(i)
		if err != nil {
			return fmt.Errorf("writer: %w", err)
		}
		if dead != 0 && all[i].ownerTakeOver(dead, w.owner) {
			w.number = uint32(i) + 1
			return nil
		}
	}
	return fmt.Errorf("writer: %w (%d of %d)", ErrWriters, len(all), len(all))
}

// gone returns the owner of an entry if it is dead, else 0.
func (w *Writer) gone(entry int) (dead Owner, err error) {
	owner := w.store.entries[entry].ownerRead()
	if owner == 0 {
		return 0, nil
	}
	lives, err := w.lives(owner)
	if lives || err != nil {
		return 0, err
	}
	return owner, nil
}

// lives reports whether the owner can still make a step.
func (w *Writer) lives(owner Owner) (bool, error) {
	if w.alive != nil {
		return w.alive(owner), nil
	}
	return w.store.region.Alive(owner.Process())
}

// abandoned reports whether the owner of a basket, given by its number, is dead or has given up its entry.
func (w *Writer) abandoned(number uint32) (bool, error) {
	if number == 0 || number > uint32(len(w.store.entries)) || number == w.number {
		return false, nil
	}
	owner := w.store.entries[number-1].ownerRead()
	if owner == 0 {
		return true, nil
	}
	lives, err := w.lives(owner)
	return !lives, err
}

// inherit gives up the baskets in the name of the entry that the writer has taken.
func (w *Writer) inherit() error {
	settled := false
	for i := range w.store.baskets {
		b := &w.store.baskets[i]
		head := b.roomLook()
		if head.Owner() != w.number {
			continue
		}
		switch head.State() {
		case StateOpen:
			if !settled {
				if err := w.roomSettle(); err != nil {
					return err
				}
				settled = true
			}
			b.roomSeal(head, head.sealed())
		case StateRetiring:
			b.walkBack(head, head.renumbered(w.store.common.walkNumber()))
		}
	}
	return nil
}

// ownerTake takes a free entry.
func (e *entryWords) ownerTake(w Owner) bool { return e.owner.CompareAndSwap(0, uint64(w)) }

// ownerRead returns the owner of the entry.
func (e *entryWords) ownerRead() Owner { return Owner(e.owner.Load()) }

// ownerTakeOver takes the entry of a dead owner.
func (e *entryWords) ownerTakeOver(dead, w Owner) bool {
	return e.owner.CompareAndSwap(uint64(dead), uint64(w))
}

// ownerFree gives the entry up.
func (e *entryWords) ownerFree(w Owner) bool { return e.owner.CompareAndSwap(uint64(w), 0) }
