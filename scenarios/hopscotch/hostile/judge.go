package hostile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore/hostile"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Errors of the judge, besides those of the general machinery.
var (
	ErrPatient   = errors.New("an add tried again at a member that no window has")
	ErrDropped   = errors.New("a reclaim does not tell of a damaged descriptor")
	ErrAbandoned = errors.New("a descriptor of the dead that is sound was not reclaimed")
)

// What bounds a call on a damaged table, in accesses. It starts again [patience] times at most, and so does
// each help within it. A start is a search of two windows, or the steps of one operation. A call on all of
// the table does that once for each home.
const (
	attemptMost = 2*3*window + 3*hopscotch.DescriptorWords
	callMost    = patience * (patience + 1) * attemptMost
	tableMost   = 2 * cells * callMost
)

// most bounds the accesses of a call.
func (x Call) most() int {
	switch x.Do {
	case Walk, Empty, CropAll, Reclaim:
		return tableMost
	}
	return callMost
}

// told are the errors that a call on a damaged region may end with.
var told = []error{hopscotch.ErrCorrupt, hopscotch.ErrBusy, hopscotch.ErrHandles}

// isFar tells whether the word is in a cell of the bucket that no call comes to, but for one on all of the
// table.
func (s *stage) isFar(at int) bool { return at >= s.cell(0, farHome) && at < s.cell(0, farHome+window) }

// everywhere tells whether there is a call that changes all of the table.
func (s *stage) everywhere() bool {
	return slices.ContainsFunc(s.p.Cast, func(calls []Call) bool {
		return slices.ContainsFunc(calls, func(x Call) bool { return x.Do == Empty })
	})
}

// Aside reports whether the word is in the bucket that no call comes to.
func (s *stage) Aside(word int) bool { return s.isFar(word) && !s.everywhere() }

// Judge looks at how calls have failed, at what was reclaimed, and uses the bucket that no call comes to.
func (s *stage) Judge(e hostile.End) error {
	for i, c := range s.clients {
		if err := s.calls(e, i); err != nil {
			return err
		}
		if err := s.reclaimed(e, c); err != nil {
			return err
		}
	}
	return s.aside(e.Written)
}

// calls looks at the calls of a client that have failed.
func (s *stage) calls(e hostile.End, client int) error {
	for _, f := range e.Failed[client] {
		if !errors.Is(f.Err, hopscotch.ErrBusy) {
			s.tally.Corrupt += counts(e)
			continue
		}
		x := s.p.Cast[client][f.Call]
		if at := e.Written; x.Do == Add && at != hostile.None && s.impossible(at, s.memory[at]) {
			return fmt.Errorf("%w: %v, at %s, which is %s", ErrPatient, x.Do, s.Name(at),
				s.Text(at, s.memory[at]))
		}
		s.tally.Busy += counts(e)
	}
	return nil
}

// counts is 1 for an execution that is to be counted.
func counts(e hostile.End) uint64 {
	if e.Again {
		return 0
	}
	return 1
}

// impossible tells whether the word is that of the same member as before the program, but at a distance
// that no window has. For an add that needs its cell, or the cells around it, it is useless to try again.
func (s *stage) impossible(at int, v uint64) bool {
	w := hopscotch.Word0(v)
	return at >= s.cell(0, 0) && at < s.descriptor(0) && at%2 == 0 && w.Form() == hopscotch.FormMember &&
		w.Distance() >= window && hopscotch.Word0(s.image[at]).Form() == hopscotch.FormMember
}

// spoilt tells whether a descriptor was damaged before the program.
func (s *stage) spoilt() bool {
	for _, d := range s.p.Dead {
		if d.Spoilt {
			return true
		}
	}
	return false
}

// reclaimed judges programs with one actor, which ends with a reclaim. The reclaim reports each descriptor
// of a dead owner that is damaged, and leaves it alone. It reclaims every other one if only descriptors
// were overwritten.
func (s *stage) reclaimed(e hostile.End, c *client) error {
	calls := s.p.Cast[0]
	if len(s.p.Cast) > 1 || calls[0].Do != Reclaim || e.Written != hostile.None && e.Written < s.cell(0, 0) {
		return nil
	}
	var text string
	for _, f := range e.Failed[0] {
		text += f.Err.Error() + "\n"
	}
	for i, d := range s.p.Dead {
		if first := s.descriptor(i); e.Written >= first && e.Written < first+hopscotch.DescriptorWords {
			continue
		}
		got := false
		for _, x := range c.got {
			got = got || x.Descriptor == uint32(i)
		}
		switch named := strings.Contains(text, fmt.Sprintf("descriptor %d of", i)); {
		case d.Spoilt && !named:
			return fmt.Errorf("%w: descriptor %d; it says %q", ErrDropped, i, text)
		case !d.Spoilt && !got && !(named && e.Met):
			return fmt.Errorf("%w: descriptor %d; it says %q", ErrAbandoned, i, text)
		}
	}
	return nil
}

// aside uses the bucket that no call of the program comes to, unless one of its own cells was overwritten.
func (s *stage) aside(written int) error {
	if s.everywhere() || s.isFar(written) {
		return nil
	}
	h := s.witness
	for i, e := range far {
		key := s.keys[e.Key]
		if got, ok, err := h.Table().Lookup(key); got != e.Value || !ok || err != nil {
			return fmt.Errorf("%w: key %d reads (%d, %t, %v), not %d", hostile.ErrSpread, e.Key, got, ok, err,
				e.Value)
		}
		if old, ok, err := h.Update(key, e.Value+1); old != e.Value || !ok || err != nil {
			return fmt.Errorf("%w: update of key %d is (%d, %t, %v)", hostile.ErrSpread, e.Key, old, ok, err)
		}
		if ok, err := h.Delete(key); i == 0 && (!ok || err != nil) {
			return fmt.Errorf("%w: delete of key %d is (%t, %v)", hostile.ErrSpread, e.Key, ok, err)
		}
	}
	if _, ok, err := h.Table().Lookup(s.keys[keyCount]); ok || err != nil {
		return fmt.Errorf("%w: key %d, which is nowhere, reads (%t, %v)", hostile.ErrSpread, keyCount,
			ok, err)
	}
	return nil
}
