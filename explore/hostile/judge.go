package hostile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/internal/hook"
)

// Errors of the judge. That a call panics is said by the explorer.
var (
	ErrEndless  = errors.New("a call needs more accesses than it ever should")
	ErrOutside  = errors.New("an access outside of the region")
	ErrUntold   = errors.New("a call ended with an error that does not say what to do")
	ErrInnocent = errors.New("a call failed that had met no damage")
	ErrSpread   = errors.New("damage has spread to words that no call has to do with")
)

// step looks at each access: where it is, and whether it meets what has been written.
func (s *Stage) step(_ *explore.Execution, step explore.Step) error {
	if !step.Kind.Access() {
		return nil
	}
	at := int(step.Object / WordBytes)
	if step.Object%WordBytes != 0 || at < 0 || at >= len(s.image) {
		return fmt.Errorf("%w: %v by actor %d at %#x", ErrOutside, step.Kind, step.Actor, step.Object)
	}
	if step.Actor > len(s.actors) {
		s.written = at
		return nil
	}
	s.touched[at] = true
	a := s.actors[step.Actor-1]
	call := a.calls[a.inside]
	if a.accesses++; a.accesses > call.Most {
		return fmt.Errorf("%w: %s has made %d", ErrEndless, call.Name, a.accesses)
	}
	s.tally.Longest = max(s.tally.Longest, a.accesses)
	if at == s.written {
		if step.Kind == hook.Store && !s.met {
			s.written = None // it is as if nothing had happened
		} else {
			s.met = true
		}
	}
	if !step.OK || step.Old == step.New || step.Kind.Sync() {
		return nil
	}
	s.was[at] = step.Old
	if s.p.Subject.Aside(at) && !(s.written != None && s.p.Subject.Aside(s.written)) {
		return fmt.Errorf("%w: %s changes %s", ErrSpread, call.Name, s.p.Subject.Name(at))
	}
	return nil
}

// finish judges an execution.
func (s *Stage) finish(x *explore.Execution) error {
	if s.began != nil {
		return s.began
	}
	e := End{Written: s.written, Met: s.met, Again: x.Again()}
	for _, a := range s.actors {
		for _, f := range a.failed {
			if err := s.failed(a.calls[f.Call], f.Err); err != nil {
				return err
			}
		}
		e.Failed = append(e.Failed, a.failed)
	}
	if !e.Again && s.met {
		s.tally.Met++
	}
	return s.p.Subject.Judge(e)
}

// failed looks at how a call has failed.
func (s *Stage) failed(call Call, err error) error {
	if !s.met && !s.p.Spoilt {
		return fmt.Errorf("%w: %s: %w", ErrInnocent, call.Name, err)
	}
	for _, e := range s.p.Told {
		_, _, does := strings.Cut(e.Error(), ": ") // what is wrong, and what to do
		if does && errors.Is(err, e) && strings.Contains(err.Error(), e.Error()) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s: %w", ErrUntold, call.Name, err)
}
