package main

import (
	"context"
	"fmt"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/hopscotch/bell"
	"github.com/samecycle/samecycle/model/hopscotch/owner"
	"github.com/samecycle/samecycle/model/search"
)

// partModules are the specifications of parts of the protocol, whose runs belong to no operation state: one
// that goes wrong in the model turns every state red.
var partModules = []string{"MCOwner", "MCBell"}

// partVerdict is what the model of a part says of all its programs.
type partVerdict struct {
	status evidence.Status
	detail string
}

// addTo says of a state's record what is shared by all: behind its own details, ahead of them if it is wrong.
func (v partVerdict) addTo(r *evidence.Record) {
	if v.status == evidence.Pass {
		r.Detail = append(r.Detail, v.detail)
		return
	}
	r.Detail = append([]string{v.detail}, r.Detail...)
	if r.Status != evidence.Fail {
		r.Status = v.status
	}
}

// partModel is the model of a part.
type partModel[M search.Machine[S, A], S comparable, A fmt.Stringer] struct {
	what       string
	properties []search.Property[M, S]
	witnesses  []search.Property[M, S]
	programs   []partProgram[M, S, A]
	explore    func(ctx context.Context, m M, o search.Options[M, S, A]) search.Report[S, A]
}

// partProgram is one of its complete runs.
type partProgram[M search.Machine[S, A], S comparable, A fmt.Stringer] struct {
	name string
	make func() (M, error)
	live func(m M) *search.Live[S, A]
}

func owners() partModel[*owner.Machine, owner.State, owner.Action] {
	p := partModel[*owner.Machine, owner.State, owner.Action]{what: "owner words",
		properties: owner.Properties(), witnesses: owner.Witnesses(), explore: owner.Explore}
	for _, c := range owner.Programs() {
		p.programs = append(p.programs, partProgram[*owner.Machine, owner.State, owner.Action]{c.Name,
			func() (*owner.Machine, error) { return owner.New(c) },
			func(m *owner.Machine) *search.Live[owner.State, owner.Action] {
				if c.Name != owner.Live {
					return nil
				}
				return owner.LiveOf(m)
			}})
	}
	return p
}

func bells() partModel[*bell.Machine, bell.State, bell.Action] {
	p := partModel[*bell.Machine, bell.State, bell.Action]{what: "the bell",
		properties: bell.Properties(), witnesses: bell.Witnesses(), explore: bell.Explore}
	for _, c := range bell.Programs() {
		p.programs = append(p.programs, partProgram[*bell.Machine, bell.State, bell.Action]{c.Name,
			func() (*bell.Machine, error) { return bell.New(c) },
			func(m *bell.Machine) *search.Live[bell.State, bell.Action] {
				live, _ := bell.LiveByName(m, bell.LiveOf(c.Name))
				return live
			}})
	}
	return p
}

// judgePart searches the programs, compares the counts with TLC's, and wants each witness seen.
func judgePart[M search.Machine[S, A], S comparable, A fmt.Stringer](ctx context.Context,
	p partModel[M, S, A], counts map[string]tlc.Entry) partVerdict {
	unseen := unseenWitnesses[M, S]{}
	for _, w := range p.witnesses {
		unseen[w.Name] = w
	}
	var states int64
	for _, c := range p.programs {
		m, err := c.make()
		if err != nil {
			return partVerdict{evidence.Fail, fmt.Sprintf("%s: %v", c.name, err)}
		}
		rep := p.explore(ctx, m, search.Options[M, S, A]{Properties: p.properties, Live: c.live(m),
			Visit:     func(s *S) { unseen.state(m, s) },
			VisitStep: func(prev, next *S) { unseen.step(m, prev, next) }})
		states += rep.Distinct
		if v := judgeProgram(rep, c.name, counts); v.status != evidence.Pass {
			return v
		}
	}
	if v := unseen.verdict(p.what); v.status != evidence.Pass {
		return v
	}
	return partVerdict{evidence.Pass, fmt.Sprintf("%s, shared by all states: %d distinct states "+
		"of %d programs, as TLC", p.what, states, len(p.programs))}
}

// unseenWitnesses are those that nothing has violated yet.
type unseenWitnesses[M any, S comparable] map[string]search.Property[M, S]

func (u unseenWitnesses[M, S]) state(m M, s *S) {
	for name, w := range u {
		if w.State != nil && !w.State(m, s) {
			delete(u, name)
		}
	}
}

func (u unseenWitnesses[M, S]) step(m M, prev, next *S) {
	for name, w := range u {
		if w.Step != nil && !w.Step(m, prev, next) {
			delete(u, name)
		}
	}
}

// verdict is that of all programs together.
func (u unseenWitnesses[M, S]) verdict(what string) partVerdict {
	for name := range u {
		return partVerdict{evidence.Fail, what + ": nothing violates the witness " + name}
	}
	return partVerdict{status: evidence.Pass}
}

func judgeProgram[S comparable, A fmt.Stringer](rep search.Report[S, A], name string,
	counts map[string]tlc.Entry) partVerdict {
	e, known := counts[name]
	switch {
	case rep.Violation != nil:
		return partVerdict{evidence.Fail, rep.Violation.String()}
	case !rep.Exhaustive:
		return partVerdict{evidence.Unknown, name + ": not finished"}
	case !known:
		return partVerdict{evidence.Unknown, name + ": the manifest has no complete run of that name " +
			"to compare with"}
	case e.Distinct != rep.Distinct || e.Depth != rep.Depth:
		return partVerdict{evidence.Fail, fmt.Sprintf("%s: %d states of depth %d, TLC has %d of depth %d",
			name, rep.Distinct, rep.Depth, e.Distinct, e.Depth)}
	}
	return partVerdict{status: evidence.Pass}
}
