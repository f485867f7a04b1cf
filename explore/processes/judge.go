package processes

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// Errors of the judge.
var (
	ErrFailed  = errors.New("a call failed")
	ErrEntries = errors.New("the process table is wrong")
)

// An End is an execution that is over, for the engine's judge.
type End struct {
	Region *region.Region // as one more process has it, that has come when all was over
	Again  bool           // the execution was run before, and is not to be counted
	stage  *Stage
}

// Dead reports whether the process of a thread has died.
func (e End) Dead(thread int) bool { return e.stage.Gone(e.stage.of[thread]) }

// Member is the name of the process of a thread.
func (e End) Member(thread int) string { return e.stage.p.Members[e.stage.of[thread]].Name }

// finish judges an execution: no thread that lives has an error, the process table is right for one more
// process that comes when all is over, and the engine's judge finds nothing.
func (s *Stage) finish(x *explore.Execution) error {
	e := End{Again: x.Again(), stage: s}
	for n := range s.of {
		err := s.p.Engine.Err(n)
		if err != nil && !(errors.Is(err, ErrInside) && e.Dead(n)) {
			return fmt.Errorf("%w: %s: %w", ErrFailed, e.Member(n), err)
		}
	}
	var err error
	if e.Region, err = s.later(); err != nil {
		return fmt.Errorf("%w: the judge: %w", ErrFailed, err)
	}
	if err := errors.Join(s.p.Engine.Judge(e), known(e.Region, s.attached())); err != nil {
		return err
	}
	return e.Region.Close()
}

// attached are the last attachments of all processes that had one.
func (s *Stage) attached() (all []attached) {
	for i, h := range s.hosts {
		if h.Process != 0 {
			lives := !s.Gone(i) && h.Region != nil
			all = append(all, attached{s.p.Members[i].Name, h.Process, lives})
		}
	}
	return all
}
