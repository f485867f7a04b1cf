package hostile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// Errors of the judge. That a call panics the explorer says.
var (
	ErrEndless   = errors.New("a call needs more accesses than it ever should")
	ErrOutside   = errors.New("an access outside of the region")
	ErrUntold    = errors.New("a call ended with an error that does not say what to do")
	ErrPatient   = errors.New("an add tried again at a member that no window has")
	ErrInnocent  = errors.New("a call failed that had met no damage")
	ErrDropped   = errors.New("a reclaim does not tell of a damaged descriptor")
	ErrAbandoned = errors.New("a descriptor of the dead that is sound was not reclaimed")
	ErrSpread    = errors.New("damage has spread to a bucket that it cannot touch")
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

// step looks at each access: where it is, and whether it meets what has been written.
func (s *stage) step(x *explore.Execution, step explore.Step) error {
	if !step.Kind.Access() {
		return nil
	}
	at := int(step.Object / region.WordBytes)
	if step.Object%region.WordBytes != 0 || at < 0 || at >= len(s.memory) {
		return fmt.Errorf("%w: %v by actor %d at %#x", ErrOutside, step.Kind, step.Actor, step.Object)
	}
	if step.Actor > len(s.p.Cast) {
		s.written = at
		return nil
	}
	s.touched[at] = true
	c := s.clients[step.Actor-1]
	if c.accesses++; c.accesses > c.inside.most() {
		return fmt.Errorf("%w: %v has made %d", ErrEndless, c.inside.Do, c.accesses)
	}
	s.tally.Longest = max(s.tally.Longest, c.accesses)
	if at == s.written {
		if step.Kind == hook.Store && !s.met {
			s.written = none // it is as if nothing had happened
		} else {
			s.met = true
		}
	}
	if !step.OK || step.Old == step.New || step.Kind.Sync() {
		return nil
	}
	s.was[at] = step.Old
	if s.isFar(at) && !s.isFar(s.written) && !s.everywhere() {
		return fmt.Errorf("%w: %v changes %s", ErrSpread, c.inside.Do, s.wordName(at))
	}
	return nil
}

// isFar tells whether the word is in a cell of the bucket that no call comes to, but for one on all of the
// table.
func (s *stage) isFar(at int) bool { return at >= s.cell(0, farHome) && at < s.cell(0, farHome+window) }

// everywhere tells whether there is a call that changes all of the table.
func (s *stage) everywhere() bool {
	return slices.ContainsFunc(s.p.Cast, func(calls []Call) bool {
		return slices.ContainsFunc(calls, func(x Call) bool { return x.Do == Empty })
	})
}

// finish judges an execution.
func (s *stage) finish(x *explore.Execution) error {
	for _, c := range s.clients {
		if c.err != nil {
			return c.err
		}
		if err := s.calls(c); err != nil {
			return err
		}
		if err := s.reclaimed(c); err != nil {
			return err
		}
	}
	if !x.Again() && s.met {
		s.tally.Met++
	}
	return s.aside()
}

// calls looks at how the calls of a client ended.
func (s *stage) calls(c *client) error {
	for _, f := range c.failed {
		if !s.met && !s.spoilt() {
			return fmt.Errorf("%w: %v: %w", ErrInnocent, f.call.Do, f.err)
		}
		known := false
		for _, e := range told {
			_, _, does := strings.Cut(e.Error(), ": ") // what is wrong, and what to do
			known = known || does && errors.Is(f.err, e) && strings.Contains(f.err.Error(), e.Error())
		}
		if !known {
			return fmt.Errorf("%w: %v: %w", ErrUntold, f.call.Do, f.err)
		}
		if errors.Is(f.err, hopscotch.ErrBusy) {
			if at := s.written; f.call.Do == Add && at != none && s.impossible(at, s.memory[at]) {
				return fmt.Errorf("%w: %v, at %s, which is %s", ErrPatient, f.call.Do, s.wordName(at),
					s.decode(at, s.memory[at]))
			}
			s.tally.Busy++
		} else {
			s.tally.Corrupt++
		}
	}
	return nil
}

// impossible tells whether the word is that of a member, as before the program, but at a distance that no
// window has: an add that wants its cell, or the cells about it, has no use in trying again.
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

// within tells whether the word that was written is one of these.
func (s *stage) within(first, words int) bool {
	return s.written >= first && s.written < first+words
}

// reclaimed: with one actor, who ends with a reclaim, that tells of each descriptor of the dead that was
// damaged and has been left alone, and has reclaimed each other one if nothing but descriptors was written
// to.
func (s *stage) reclaimed(c *client) error {
	calls := s.p.Cast[0]
	if len(s.p.Cast) > 1 || calls[0].Do != Reclaim || s.written != none && s.written < s.cell(0, 0) {
		return nil
	}
	var text string
	for _, f := range c.failed {
		text += f.err.Error() + "\n"
	}
	for i, d := range s.p.Dead {
		if s.within(s.descriptor(i), hopscotch.DescriptorWords) {
			continue
		}
		got := false
		for _, x := range c.got {
			got = got || x.Descriptor == uint32(i)
		}
		switch named := strings.Contains(text, fmt.Sprintf("descriptor %d of", i)); {
		case d.Spoilt && !named:
			return fmt.Errorf("%w: descriptor %d; it says %q", ErrDropped, i, text)
		case !d.Spoilt && !got && !(named && s.met):
			return fmt.Errorf("%w: descriptor %d; it says %q", ErrAbandoned, i, text)
		}
	}
	return nil
}

// aside uses the bucket that no call of the program comes to, unless one of its own cells was overwritten.
func (s *stage) aside() error {
	if s.everywhere() || s.isFar(s.written) {
		return nil
	}
	h := s.witness
	for i, e := range far {
		key := s.keys[e.Key]
		if got, ok, err := h.Table().Lookup(key); got != e.Value || !ok || err != nil {
			return fmt.Errorf("%w: key %d reads (%d, %t, %v), not %d", ErrSpread, e.Key, got, ok, err,
				e.Value)
		}
		if old, ok, err := h.Update(key, e.Value+1); old != e.Value || !ok || err != nil {
			return fmt.Errorf("%w: update of key %d is (%d, %t, %v)", ErrSpread, e.Key, old, ok, err)
		}
		if ok, err := h.Delete(key); i == 0 && (!ok || err != nil) {
			return fmt.Errorf("%w: delete of key %d is (%t, %v)", ErrSpread, e.Key, ok, err)
		}
	}
	if _, ok, err := h.Table().Lookup(s.keys[keyCount]); ok || err != nil {
		return fmt.Errorf("%w: key %d, which is nowhere, reads (%t, %v)", ErrSpread, keyCount, ok, err)
	}
	return nil
}
