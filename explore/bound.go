package explore

import (
	"fmt"
	"strconv"

	"github.com/samecycle/samecycle/internal/plural"
)

// clauses are parts of a sentence. Building the sentence with fmt would take about as long as a search of a
// few executions.
type clauses []byte

// say adds a clause.
func (c *clauses) say(parts ...string) {
	if len(*c) > 0 {
		*c = append(*c, "; "...)
	}
	c.add(parts...)
}

// add extends the last clause.
func (c *clauses) add(parts ...string) {
	for _, p := range parts {
		*c = append(*c, p...)
	}
}

// count adds a number and the noun that it counts to a clause.
func (c *clauses) count(n uint64, what string) { *c = plural.Append(*c, n, what) }

// bound says in words what was covered and what was not.
func (e *engine) bound(r Report) string {
	s := e.crew.text[:0]
	s.say(e.part(r), " of the shared accesses of ")
	s.count(uint64(len(e.born)), "actor")
	s.add(", sequentially consistent")
	if e.o.Reduce {
		e.reduction(&s, r)
	}
	if e.o.Preemptions >= 0 {
		s.say("at most ", plural.Of(e.o.Preemptions, "preemption"))
	}
	if e.o.Delays > 0 {
		s.say("at most ", plural.Of(e.o.Delays, "delay"))
	}
	if len(e.processes) > 0 {
		s.say(e.settling())
	}
	switch {
	case e.o.Kills > 0 && len(e.processes) > 0:
		s.say("up to ", plural.Of(e.o.Kills, "death"), ", ", e.mortality())
	case e.o.Kills > 0 && e.o.AnyKill:
		s.say("up to ", plural.Of(e.o.Kills, "actor"), " killed, each at any time after its first step")
	case e.o.Kills > 0:
		s.say("up to ", plural.Of(e.o.Kills, "actor"), " killed, each right after any step of its own")
	default:
		s.say("no kills")
	}
	if e.o.Stateful {
		s.say(plural.Of(r.States, "distinct state"))
	}
	s.say()
	s.count(r.Executions, "execution")
	if e.walk != nil {
		s.say(e.walk.clause(e))
	}
	if e.race != nil {
		s.say(e.race.clause())
	}
	if r.StepBound > 0 {
		s.say("hit the step bound of ", plural.Of(e.o.MaxSteps, "access"), " ",
			plural.Of(r.StepBound, "time"), ", what follows is not covered")
	}
	if r.Crowded > 0 {
		e.crowdedOut(&s, r)
	}
	if r.Starved > 0 {
		s.say("nobody who could continue waits for more than ", plural.Of(e.o.Starvation, "step"),
			" of others: in ", plural.Of(r.Starved, "execution"), " somebody went next for that reason")
	}
	if e.o.Solo > 0 && r.Failure == nil {
		s.say(e.soloClause())
	}
	if e.o.LockFree > 0 && r.Failure == nil {
		s.say("lock-free: some operation ended within every ", plural.Of(r.LongestGap, "access"))
	}
	switch {
	case r.Failure != nil:
		s.say("stopped at the first failure")
	case e.walk != nil && (e.o.Walks == Endless || r.Executions == e.o.Walks):
	case !r.Exhaustive && r.StepBound == 0:
		s.say("stopped before the end")
	}
	e.uncovered(&s)
	c := e.crew
	if c.text = s; c.said != string(s) { // small searches often say the same
		c.said = string(s)
	}
	return c.said
}

// uncovered says what no search of this kind covers.
func (e *engine) uncovered(s *clauses) {
	s.say("not covered: weak memory, ")
	if e.race == nil {
		s.add("races of plain memory, ")
	}
	s.add("other programs and sizes")
}

// crowdedOut says what was left out for want of places.
func (e *engine) crowdedOut(s *clauses, r Report) {
	s.say("at most ", plural.Of(MaxActors, "actor"), " that can go on at a time: in ",
		plural.Of(r.Crowded, "execution"), " others had to wait until one of these waited or ended")
	if e.o.AnyKill {
		s.add(", and could not be killed meanwhile")
	}
}

// part says how much of the interleavings was covered.
func (e *engine) part(r Report) string {
	all := "all interleavings"
	if e.shards > 0 {
		all = fmt.Sprintf("shard %d of %d of the interleavings", e.o.Shard, e.o.Shards)
	}
	if r.Failure != nil || !r.Exhaustive {
		all = "part of the interleavings"
		if e.shards > 0 {
			all = "part of a shard of the interleavings"
		}
	}
	if e.walk != nil {
		all = fmt.Sprintf("random interleavings from seed %d", e.o.Seed)
	}
	if e.o.Guide != nil {
		all = "one interleaving"
	}
	return all
}

// reduction says what the reduced search was exhaustive for.
func (e *engine) reduction(s *clauses, rep Report) {
	s.say("reduced to ")
	*s = strconv.AppendUint(*s, rep.Classes, 10)
	s.add(" classes of executions that differ in the order of independent steps only; what ends, ends as ")
	if e.o.Histories {
		s.add("and with the history of one of them")
	} else {
		s.add("one of them, histories apart")
	}
	s.say("states between the steps are a part of all")
}
