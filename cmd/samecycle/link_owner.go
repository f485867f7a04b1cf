package main

import (
	"context"
	"fmt"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/owner"
)

// ownerModule is the specification of owner words, whose runs belong to no operation state: one that
// goes wrong in the model turns every state red.
const ownerModule = "MCOwner"

// ownerVerdict is what the model says of all its programs of owner words.
type ownerVerdict struct {
	status evidence.Status
	detail string
}

// judgeOwners searches them, compares the counts with TLC's, and wants each witness seen.
func judgeOwners(ctx context.Context, counts map[string]tlc.Entry,
	witnesses []owner.Property) ownerVerdict {
	unseen := unseenOwners{}
	for _, p := range witnesses {
		unseen[p.Name] = p
	}
	var states int64
	for _, p := range owner.Programs() {
		m, err := owner.New(p)
		if err != nil {
			return ownerVerdict{evidence.Fail, fmt.Sprintf("%s: %v", p.Name, err)}
		}
		rep := owner.Explore(ctx, m, owner.Options{Properties: owner.Properties(),
			Live:      p.Name == owner.Live,
			Visit:     func(s *owner.State) { unseen.state(m, s) },
			VisitStep: func(prev, next *owner.State) { unseen.step(m, prev, next) }})
		states += rep.Distinct
		if v := judgeOwner(rep, p, counts); v.status != evidence.Pass {
			return v
		}
	}
	if v := unseen.verdict(); v.status != evidence.Pass {
		return v
	}
	return ownerVerdict{evidence.Pass, fmt.Sprintf("owner words, shared by all states: %d distinct states "+
		"of %d programs, as TLC", states, len(owner.Programs()))}
}

// unseenOwners are the witnesses that nothing has violated yet.
type unseenOwners map[string]owner.Property

func (u unseenOwners) state(m *owner.Machine, s *owner.State) {
	for name, w := range u {
		if w.State != nil && !w.State(m, s) {
			delete(u, name)
		}
	}
}

func (u unseenOwners) step(m *owner.Machine, prev, next *owner.State) {
	for name, w := range u {
		if w.Step != nil && !w.Step(m, prev, next) {
			delete(u, name)
		}
	}
}

// verdict is that of all programs together.
func (u unseenOwners) verdict() ownerVerdict {
	for name := range u {
		return ownerVerdict{evidence.Fail, "owner words: nothing violates the witness " + name}
	}
	return ownerVerdict{status: evidence.Pass}
}

func judgeOwner(rep owner.Report, p owner.Config, counts map[string]tlc.Entry) ownerVerdict {
	e, known := counts[p.Name]
	switch {
	case rep.Violation != nil:
		return ownerVerdict{evidence.Fail, rep.Violation.String()}
	case !rep.Exhaustive:
		return ownerVerdict{evidence.Unknown, p.Name + ": not finished"}
	case !known:
		return ownerVerdict{evidence.Unknown, p.Name + ": the manifest has no complete run of that name " +
			"to compare with"}
	case e.Distinct != rep.Distinct || e.Depth != rep.Depth:
		return ownerVerdict{evidence.Fail, fmt.Sprintf("%s: %d states of depth %d, TLC has %d of depth %d",
			p.Name, rep.Distinct, rep.Depth, e.Distinct, e.Depth)}
	}
	return ownerVerdict{status: evidence.Pass}
}
