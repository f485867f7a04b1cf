package processes

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Errors of the judge, besides those of the general machinery.
var (
	ErrMistaken  = errors.New("a dead process was taken for one that lives")
	ErrTaken     = errors.New("a descriptor has the wrong owner")
	ErrStructure = errors.New("the table is damaged")
	ErrBooks     = errors.New("a value is lost or in two places")
)

// A verdict judges one execution.
type verdict struct {
	*table
	processes.End
}

// Judge reclaims what the dead have left, and looks at descriptors, cells and values.
func (s *table) Judge(e processes.End) error {
	v := verdict{s, e}
	if err := v.refusals(); err != nil {
		return err
	}
	t, err := hopscotch.NewWith(e.Region, settled())
	if err != nil {
		return err
	}
	got, err := sweep(t)
	if err != nil {
		return fmt.Errorf("%w: the judge: %w", processes.ErrFailed, err)
	}
	if found := hopscotch.Check(t, hopscotch.CheckOptions{}); len(found) > 0 {
		return fmt.Errorf("%w: %d findings, the first: %v", ErrStructure, len(found), found[0])
	}
	if err := errors.Join(v.owners(t), v.books(t, got)); err != nil {
		return err
	}
	if !e.Again {
		v.count(got)
	}
	return nil
}

// sweep reclaims what the dead have left. If the living own every descriptor there is nothing.
func sweep(t *hopscotch.Table) ([]hopscotch.Reclaimed, error) {
	h, err := t.NewHandle(judge)
	if errors.Is(err, hopscotch.ErrHandles) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	got, err := h.Reclaim()
	if x, ok := h.Inherited(); ok {
		got = append(got, x)
	}
	return got, errors.Join(err, h.Close())
}

// judge is the owner number of the judge.
const judge = 98

// refusals: a process in the entry of one that died with a descriptor finds that descriptor, unless another
// process has taken it. It is not told apart by the number of the entry.
func (s verdict) refusals() error {
	for n, c := range s.clients {
		if !c.refused {
			continue
		}
		for m, d := range s.clients {
			if m == n || !s.Dead(m) || d.handle == nil || d.Process.Index() != c.Process.Index() ||
				d.Process.Epoch() > c.Process.Epoch() || s.taken(d) {
				continue
			}
			return fmt.Errorf("%w: %s is process %v and found no descriptor, though %s, process %v, had "+
				"died with one", ErrMistaken, s.Member(n), c.Process,
				s.Member(m), d.Process)
		}
	}
	return nil
}

// taken reports whether some client has taken, or is taking, descriptors of the dead.
func (s verdict) taken(d *Client) bool {
	for _, c := range s.clients {
		if c.taking {
			return true
		}
		for _, x := range c.got {
			if x.Owner == hopscotch.MakeOwner(uint32(d.number), d.Process) {
				return true
			}
		}
	}
	return false
}

// owners: each descriptor that is owned is that of one client that lives and has not left, and each of
// these has its own still.
func (s verdict) owners(t *hopscotch.Table) error {
	want := map[uint64]string{}
	for n, c := range s.clients {
		if c.handle != nil && !c.gone && !s.Dead(n) {
			want[uint64(c.handle.Descriptor())] = s.Member(n)
		}
	}
	p := hopscotch.Snapshot(t, hopscotch.DumpOptions{})
	for _, d := range p.Descriptors {
		if want[uint64(d.Index)] == "" {
			return fmt.Errorf("%w: descriptor %d is owned, and nobody who lives owns it", ErrTaken, d.Index)
		}
		if d.Installed {
			return fmt.Errorf("%w: the operation in descriptor %d is not over", ErrTaken, d.Index)
		}
		delete(want, uint64(d.Index))
	}
	for i, name := range want {
		return fmt.Errorf("%w: %s lives, and descriptor %d is not its own any more", ErrTaken, name, i)
	}
	return nil
}

// books finds each value in one place: in a cell, with a client that was told of it, or with one that
// reclaimed it. Only a dead client may have taken a value along: one that it was handed by the call in
// which it died, or that it was about to take from another dead one.
func (s verdict) books(t *hopscotch.Table, got []hopscotch.Reclaimed) error {
	where, doubtful, certain := map[uint32]int{}, map[uint32]bool{}, map[uint32]bool{}
	for _, c := range hopscotch.Snapshot(t, hopscotch.DumpOptions{}).Cells {
		if c.Value != 0 {
			where[c.Value]++
		}
	}
	taken := map[string]bool{}
	for _, x := range s.reclaimed(got) {
		one := fmt.Sprint(x.Descriptor, x.Owner)
		if taken[one] {
			return fmt.Errorf("%w: two have taken descriptor %d from %v", ErrBooks, x.Descriptor, x.Owner)
		}
		taken[one] = true
		if x.Leaves {
			where[x.Left.Value]++
			doubtful[x.Left.Value], certain[x.Left.Value] = !x.Certain, x.Certain
		}
	}
	lost, mayLose := map[uint32]bool{}, 0
	for n, c := range s.clients {
		for _, v := range c.told {
			if !s.Dead(n) || !doubtful[v] {
				where[v]++
			}
		}
		if !s.Dead(n) {
			continue
		}
		mayLose += int(one(c.taking))
		for _, v := range c.left() {
			lost[v] = true
			if certain[v] {
				return fmt.Errorf("%w: %d is called certain, and %s was told of it", ErrBooks, v,
					s.Member(n))
			}
		}
	}
	for v, n := range where {
		if n > 1 {
			return fmt.Errorf("%w: %d is in %d places", ErrBooks, v, n)
		}
		if !s.known(v) {
			return fmt.Errorf("%w: %d, which nobody has added", ErrBooks, v)
		}
	}
	for _, v := range s.must() {
		if where[v] == 0 && !lost[v] {
			if mayLose--; mayLose < 0 {
				return fmt.Errorf("%w: %d is nowhere", ErrBooks, v)
			}
		}
	}
	return nil
}

// reclaimed is what everybody has taken from the dead.
func (s *table) reclaimed(got []hopscotch.Reclaimed) []hopscotch.Reclaimed {
	for _, c := range s.clients {
		got = append(got, c.got...)
	}
	return got
}

// must are the values that came into the table.
func (s *table) must() (all []uint32) {
	for _, v := range s.p.Standing {
		all = append(all, v)
	}
	for _, c := range s.clients {
		all = append(all, c.came...)
	}
	return all
}

// known reports whether a value can be in the table: it came, or its adder died.
func (s *table) known(v uint32) bool {
	for _, w := range s.must() {
		if w == v {
			return true
		}
	}
	for _, c := range s.clients {
		if c.pending == v {
			return true
		}
	}
	return false
}

// count notes what the execution had in it.
func (s verdict) count(got []hopscotch.Reclaimed) {
	for n, c := range s.clients {
		s.tally.Inherited += len(c.got)
		s.tally.Refused += int(one(c.refused))
		s.tally.Left += int(one(c.gone))
		s.tally.Cleared += c.cleared
		for m, d := range s.clients {
			if m != n && s.Dead(m) && d.Process != 0 && c.Process.Index() == d.Process.Index() &&
				c.Process.Epoch() > d.Process.Epoch() {
				s.tally.Reused++
			}
		}
	}
	for _, x := range s.reclaimed(got) {
		s.tally.Finished += int(one(x.Finished))
	}
}
