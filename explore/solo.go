package explore

import (
	"fmt"
	"math/bits"
)

// Obstruction freedom (Herlihy, Luchangco, Moir 2003) means: from every reachable state, each actor that
// continues alone ends its operation within a bounded number of its own steps. With Options.Solo the search
// tests this. At each new state it notes the decisions that led there. After the execution it goes to that
// state again for each live actor, and lets that actor run alone until its operation ends. Dead actors stay
// dead, and other actors stay in the middle of their operations. So a pass shows that no actor has to wait
// for another. A data choice of the actor that runs alone takes its first value.

// A solo is one such run, or the request for one.
type solo struct {
	actor int
	limit int // most accesses and yields
	at    int // number of the decision from which the actor is alone
	on    bool
	steps int
}

// A standpoint is a state that the current execution has passed.
type standpoint struct {
	at   int // number of the decision
	live uint64
}

// noteState notes the state at a decision for probes, unless it was noted before.
func (e *engine) noteState(a *actor, enabled uint64) {
	if e.o.Solo == 0 || e.probing || e.script != nil || e.pos < e.planned {
		return
	}
	if e.walk == nil && !e.stood.add(e.stateKey(a, 0, enabled), 0) {
		return
	}
	e.standpoints = append(e.standpoints, standpoint{e.decisions, e.live})
}

// probe runs each live actor alone from each state that was noted; after a random execution, from
// one of them.
func (e *engine) probe() *Failure {
	all := e.standpoints
	if e.walk != nil && len(all) > 0 {
		i := mix64(e.o.Seed, e.stats.Executions, k4) % uint64(len(all))
		all = all[i : i+1]
	}
	e.probing = true
	defer func() { e.probing, e.solo = false, nil }()
	for _, p := range all {
		for m := p.live; m != 0 && !e.signals.stopped(); m &= m - 1 {
			i := bits.TrailingZeros64(m)
			e.solo = &solo{actor: i, at: p.at, limit: e.aloneLimit(i)}
			e.execute()
			if e.failure != nil {
				return e.explain(e.failure)
			}
			if e.outcome == stepBound {
				e.stats.StepBound++
				continue
			}
			e.stats.Probes++
			e.stats.SoloSteps = max(e.stats.SoloSteps, e.solo.steps)
		}
	}
	return nil
}

// aloneLimit returns the largest number of accesses that an operation of actor i may make alone.
func (e *engine) aloneLimit(i int) int {
	if i < len(e.actors) && e.actors[i].alone > 0 {
		return e.actors[i].alone
	}
	return e.o.Solo
}

// soloDue reports whether an actor runs alone from this decision on.
func (e *engine) soloDue() bool { return e.solo != nil && (e.solo.on || e.decisions >= e.solo.at) }

// pickSolo continues the actor that runs alone, and fails if that actor cannot continue.
func (e *engine) pickSolo() {
	s := e.solo
	if !s.on {
		s.on, s.steps = true, 0
		if e.rec != nil {
			e.rec.pick(soloItem(s.actor, s.limit))
		}
	}
	b, bit := e.actors[s.actor], uint64(1)<<uint(s.actor)
	if e.spinning&bit != 0 {
		e.spinning, e.ready = e.spinning&^bit, e.ready|bit
	}
	if e.waiting&bit != 0 && !b.wait.Holds() {
		e.obstructed("has to wait for somebody")
	}
	if e.failure != nil {
		e.cur = driver
		return
	}
	e.cur = b.id
}

// soloStep counts an access or a yield of the actor that runs alone.
func (e *engine) soloStep() {
	if e.solo == nil || !e.solo.on {
		return
	}
	if e.solo.steps++; e.solo.steps > e.solo.limit {
		e.obstructed(fmt.Sprintf("does not end its operation within %d accesses", e.solo.limit))
	}
}

// soloEnds reports whether the actor that runs alone has ended an operation, and ends the probe.
func (e *engine) soloEnds() bool {
	if e.solo == nil || !e.solo.on || e.solo.steps == 0 && e.live>>uint(e.solo.actor)&1 == 1 {
		return false
	}
	e.outcome = probed
	return true
}

func (e *engine) obstructed(what string) {
	e.fail(&Failure{Kind: Obstructed, Message: fmt.Sprintf("%s goes on alone and %s; it is not "+
		"obstruction-free", e.actors[e.solo.actor].name, what)})
}

// soloClause says in words what the probes showed.
func (e *engine) soloClause() string {
	from := fmt.Sprintf("from each of %d states", e.stood.n)
	if e.walk != nil {
		from = "from one state of each execution"
	}
	return fmt.Sprintf("obstruction-free: %s every live actor alone ended its operation within %d of its "+
		"own accesses (%d runs)", from, e.stats.SoloSteps, e.stats.Probes)
}
