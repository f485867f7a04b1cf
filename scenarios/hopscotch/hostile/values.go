package hostile

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// toFar is the offset at which, seen from home 0, the bucket has an empty cell that no call comes to.
const toFar = farHome + window - 1

// Values are what looks like a word of the kind that is at the index.
func (s *stage) Values(at int) []uint64 {
	switch {
	case at >= s.descriptor(0):
		return s.ofDescriptor(at, (at-s.descriptor(0))%hopscotch.DescriptorWords)
	case at < s.bell():
		return s.ofEntry(at)
	case at < s.cell(0, 0):
		return []uint64{1, 3, 1<<32 | 1}
	case at%2 == 0:
		return s.ofWord0(at)
	default:
		return s.ofWord1(at)
	}
}

// refs are references to each descriptor: to what it was about last and to what it is about next; and to one
// that is not there.
func (s *stage) refs() (all []hopscotch.Ref) {
	refs, n := s.tables[0].RefLayout(), s.p.layout().Descriptors
	for i := range n {
		g := hopscotch.Head(s.image[s.descriptor(int(i))]).Generation()
		for _, x := range []hopscotch.Generation{g - 1, g, g + 1} {
			all = append(all, refs.Make(i, x))
		}
	}
	return append(all, refs.Make(n, 1))
}

// ofWord0 are words of a cell in each form: one that holds a key that it may have, or another one.
func (s *stage) ofWord0(at int) (all []uint64) {
	k := hopscotch.Word0(s.image[at]).Key()
	if k == hopscotch.KeyNone {
		k = hopscotch.Key(s.keys[1])
	}
	for _, r := range s.refs() {
		all = append(all, uint64(hopscotch.ClaimedWord(r)), uint64(hopscotch.OperatingWord(k, r)),
			uint64(hopscotch.EngagedWord(k, r)))
	}
	for _, distance := range []uint32{0, 1, window - 1, window, toFar, 31} {
		all = append(all, uint64(hopscotch.MemberWord(k, distance, 1)))
	}
	for _, m := range []hopscotch.Map{0, 1<<1 | 1<<2, 1 << window, 1 << toFar, 1<<31 | 1<<1} {
		all = append(all, uint64(hopscotch.BaseWord(k, m)), uint64(hopscotch.BaseWord(hopscotch.KeyLost, m)))
	}
	w1 := hopscotch.Word1(s.image[at+1])
	far := s.cell(0, farHome)
	return append(all, s.image[far], s.image[s.cell(0, 0)], s.image[s.cell(1, 0)],
		uint64(hopscotch.EmptyWord(w1.Version())), uint64(hopscotch.EmptyWord(w1.Version().Next())),
		uint64(hopscotch.Word0(s.image[at]).WithKey(hopscotch.Key(s.keys[nearLast]))),
		uint64(hopscotch.Word0(s.image[at]).WithKey(hopscotch.KeyLost)))
}

// cell is the index of the first word of a cell.
func (s *stage) cell(half, cell uint32) int {
	return s.at(hopscotch.Engine, hopscotch.SectionCells) + hopscotch.CellWord(half, cell)
}

// ofWord1 are second words of a cell.
func (s *stage) ofWord1(at int) []uint64 {
	w := hopscotch.Word1(s.image[at])
	return []uint64{uint64(w.Freeze()), uint64(w.Next(w.Value())), uint64(w.Next(w.Value()).Freeze()),
		uint64(w.Next(0)), uint64(hopscotch.MakeWord1(99, w.Version())), uint64(w) | 1<<29, uint64(w) | 1<<30,
		s.image[s.cell(0, farHome)+1]}
}

// ofDescriptor are words of a descriptor, of the operation that it has in the image and of the next one.
func (s *stage) ofDescriptor(at, index int) (all []uint64) {
	first := at - index
	head := hopscotch.Head(s.image[first])
	for _, g := range []hopscotch.Generation{head.Generation(), head.Generation() + 1} {
		switch index {
		case hopscotch.DescriptorHead:
			for k := hopscotch.KindNone; k <= hopscotch.KindClear; k++ {
				all = append(all, uint64(hopscotch.MakeHead(g, k, head.Half(), head.Home())))
			}
			for _, home := range []uint32{1, farHome, cells, 1<<32 - 1} {
				all = append(all, uint64(hopscotch.MakeHead(g, hopscotch.KindAdd, 0, home)),
					uint64(hopscotch.MakeHead(g, hopscotch.KindNew, 1, home)))
			}
		case hopscotch.DescriptorTarget:
			t := hopscotch.MakeTarget(g)
			for status := hopscotch.StatusUndecided; status <= hopscotch.StatusFull; status++ {
				t := t.Decide(status)
				all = append(all, uint64(t), uint64(t.Propose(0, 1)), uint64(t.Propose(1, 1)))
				for _, offset := range []uint32{window - 1, window, toFar, 31} {
					all = append(all, uint64(t.Propose(offset, 0)))
				}
			}
		}
	}
	switch index {
	case hopscotch.DescriptorPair:
		for _, k := range []int{1, 5, nearLast, nearLast + 1, keyCount} {
			all = append(all, uint64(hopscotch.MakePair(hopscotch.Key(s.keys[k]), 99)))
		}
		all = append(all, uint64(hopscotch.MakePair(hopscotch.KeyLost, 1)))
	case hopscotch.DescriptorPlan:
		for _, m := range []hopscotch.Map{0, 1<<1 | 1<<2, 1 << window, 1 << toFar, 1<<31 | 1<<1, 1} {
			all = append(all, uint64(hopscotch.MakePlan(hopscotch.Key(s.keys[1]), m)),
				uint64(hopscotch.MakePlan(hopscotch.KeyLost, m)))
		}
	case hopscotch.DescriptorExpect:
		for _, half := range []uint32{0, 1} {
			for c := range uint32(window) {
				all = append(all, s.image[s.cell(half, c)+1])
			}
		}
	case hopscotch.DescriptorOwner:
		all = append(all, s.ofOwner()...)
	case hopscotch.DescriptorSource:
		for _, offset := range []uint32{0, 1, window - 1, window, toFar, 31} {
			all = append(all, uint64(hopscotch.MakeSource(offset, 1, 1)),
				uint64(hopscotch.MakeSource(offset, 2, 2)))
		}
	}
	return all
}

// ofOwner are owners who live, who have died and who never were.
func (s *stage) ofOwner() (all []uint64) {
	for _, p := range []region.Process{0, s.dead, s.regions[0].Process(), region.MakeProcess(63, 1),
		region.MakeProcess(s.dead.Index(), s.dead.Epoch()+1)} {
		all = append(all, uint64(hopscotch.MakeOwner(owners, p)), uint64(hopscotch.MakeOwner(1, p)),
			uint64(hopscotch.MakeOwner(0, p)))
	}
	return all
}

// ofEntry are states of an entry of the process table.
func (s *stage) ofEntry(at int) (all []uint64) {
	epoch := region.ProcessState(s.image[at]).Epoch()
	for _, e := range []uint32{0, 1, epoch, epoch + 1} {
		all = append(all, uint64(region.MakeProcessState(e, true)), uint64(region.MakeProcessState(e, false)))
	}
	return all
}

// Name names a word for a person.
func (s *stage) Name(at int) string {
	switch {
	case at >= s.descriptor(0):
		n := at - s.descriptor(0)
		const words = hopscotch.DescriptorWords
		names := [words]string{"head", "pair", "plan", "expect", "target", "owner", "source", "spare"}
		return fmt.Sprintf("descriptor %d %s", n/words, names[n%words])
	case at >= s.cell(0, 0):
		n := at - s.cell(0, 0)
		return fmt.Sprintf("cell %d.%d word %d", n/2%2, n/4, n%2)
	case at >= s.bell():
		return fmt.Sprintf("bell word %d", at-s.bell())
	case at >= s.entries():
		n := at - s.entries()
		return fmt.Sprintf("process entry %d word %d", n/8, n%8)
	}
	return fmt.Sprintf("header word %d", at)
}

// Text renders a word as the engine prints it.
func (s *stage) Text(at int, v uint64) string {
	switch n := at - s.descriptor(0); {
	case at < s.cell(0, 0):
		return fmt.Sprintf("%#x", v)
	case n < 0 && at%2 == 0:
		return s.tables[0].RefLayout().Text(hopscotch.Word0(v))
	case n < 0:
		return hopscotch.Word1(v).String()
	default:
		return hopscotch.DescriptorText(n%hopscotch.DescriptorWords, v)
	}
}
