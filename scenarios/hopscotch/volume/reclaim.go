package volume

import (
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/stress"
)

// What the dead have left: operations in the table, and descriptors. Clients reclaim now and then while the
// others go on, and the parent does when all are at rest, so that no round begins with a dead one's
// descriptor.

// takenBack is a descriptor that a client has taken back, and what was in it.
type takenBack struct {
	leaving
	by uint32
}

// takenBackBy are the descriptors that a client says it has taken back in one call. One that died before the
// call returned says nothing: what it won is lost with it.
func takenBackBy(x *stress.Event) (all []takenBack) {
	for _, w := range x.Notes {
		all = append(all, takenBack{leavingOf(w), x.Owner})
	}
	return all
}

// finish does for the dead what any newcomer can do: it finishes their operations and takes their descriptors
// back. In odd rounds the reclaim finishes the operations itself. In even ones they are finished before, so
// that the descriptors can be read: what each of them says must be handed over.
func (w *world) finish(round uint64, f *stress.Faults) (all []takenBack) {
	var want map[uint32]leaving
	if round%2 == 0 {
		w.restore(f)
		want = w.expected(f)
	}
	reclaim := w.subject.reclaim
	if reclaim == nil {
		reclaim = (*hopscotch.Handle).Reclaim
	}
	got, err := reclaim(w.keeper)
	if err != nil {
		f.Add("reclaim: %v", err)
	}
	if round%2 == 0 {
		matches(want, got, f)
	} else {
		w.restore(f)
	}
	for _, x := range got {
		all = append(all, takenBack{reclaimedOf(x), stress.ParentOwner})
	}
	return all
}

func (w *world) restore(f *stress.Faults) {
	if err := w.keeper.RestoreAll(); err != nil {
		f.Add("a newcomer cannot finish what is installed: %v", err)
	}
}

// expected is what the descriptors of the dead say that a reclaim hands over, by descriptor.
func (w *world) expected(f *stress.Faults) map[uint32]leaving {
	orphans, err := w.table.Orphans()
	if err != nil {
		f.Add("orphans: %v", err)
	}
	all := map[uint32]leaving{}
	for _, d := range orphans {
		all[d] = w.eye.won(d)
	}
	return all
}

// matches holds what was handed over against what the descriptors said.
func matches(want map[uint32]leaving, got []hopscotch.Reclaimed, f *stress.Faults) {
	seen := map[uint32]bool{}
	for _, x := range got {
		l, ok := want[x.Descriptor]
		switch {
		case !ok:
			f.Add("reclaim: descriptor %d of %v was no dead one's", x.Descriptor, x.Owner)
		case seen[x.Descriptor]:
			f.Add("reclaim: descriptor %d of %v was taken back twice", x.Descriptor, x.Owner)
		case l != (leaving{x.Left.Key, x.Left.Value, x.Owner.Number(), false, !x.Leaves}):
			f.Add("reclaim: descriptor %d says that %+v has left, the reclaim says: %v", x.Descriptor, l, x)
		}
		seen[x.Descriptor] = true
	}
	for d := range want {
		if !seen[d] {
			f.Add("reclaim: descriptor %d of client %d was not taken back", d, want[d].owner)
		}
	}
}

// inherit enters what was taken back: each descriptor was that of a client that has died. heirs are the
// clients that died while they reclaimed. A descriptor of theirs may have been that of another dead client,
// which may have been told of the value in it.
func (w *world) inherit(back []takenBack, heirs map[uint32]bool, f *stress.Faults) {
	for _, x := range back {
		told := func(owner uint32) bool { return owner == x.owner || heirs[x.owner] && w.dead[owner] }
		if !w.dead[x.owner] {
			f.Add("reclaim: client %d took back a descriptor of client %d, which has not died", x.by, x.owner)
		}
		if !x.nothing {
			w.ledger.inherit(x, told, f)
		}
	}
}

// won is what left the table by the last operation in a descriptor. That operation has ended, and the owner
// makes no other one.
func (e *eye) won(d uint32) leaving {
	head := hopscotch.Head(e.word(d, hopscotch.DescriptorHead))
	target := hopscotch.Target(e.word(d, hopscotch.DescriptorTarget))
	l := leaving{owner: hopscotch.Owner(e.word(d, hopscotch.DescriptorOwner)).Number(), nothing: true}
	if target.Generation() != head.Generation() || target.Status() != hopscotch.StatusCommitted {
		return l // the owner has died before the operation was decided
	}
	pair := hopscotch.Pair(e.word(d, hopscotch.DescriptorPair))
	old := uint32(hopscotch.Word1(e.word(d, hopscotch.DescriptorExpect)).Value())
	key := hopscotch.KeyLost
	switch head.Kind() {
	case hopscotch.KindDrop:
		key, old = pair.Key(), uint32(pair.Value())
	case hopscotch.KindReplace, hopscotch.KindLift, hopscotch.KindClear:
		key = hopscotch.Plan(e.word(d, hopscotch.DescriptorPlan)).Key()
	default:
		return l
	}
	if l.value, l.nothing = old, false; key != hopscotch.KeyLost {
		l.key = uint32(key)
	}
	return l
}
