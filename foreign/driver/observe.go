package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// observed is what the clients of one execution saw.
type observed struct {
	recording[*Invocation, string]
	after []string // results of the probe
	left  int      // number of actors that have not ended
	given rooms
}

// explored returns the program for the explorer. Each execution has a new value. The actor that ends last
// makes the probe at its end.
func (s *subject) explored(target string, p objectProgram) (explore.Program, *objectJudge, error) {
	s.several, s.longest, s.partial, s.timed = false, 0, false, false
	all, probe, err := s.sequences(p)
	if err != nil {
		return explore.Program{}, nil, err
	}
	s.clocked = s.clocked || s.timed
	inside, err := s.madeInside(p)
	if err != nil {
		return explore.Program{}, nil, err
	}
	j := &objectJudge{p: p, sequences: all, partial: s.partial, overtakes: s.overtakes, probe: probe,
		known:     map[string]error{},
		spinLimit: max(usualSpinLimit, s.longest+1)}
	return explore.Program{
		Name: target + fieldSeparator + p.name(s.o),
		Start: func(x *explore.Execution) []explore.Actor {
			var o any
			var ended atomic.Int32
			s.begin()
			j.saw.reset()
			j.saw.given.reset()
			j.saw.after, j.saw.left = nil, len(p.actors)
			actors := make([]explore.Actor, len(p.actors))
			for i, calls := range p.actors {
				actors[i] = explore.Actor{Name: actorName(i), Body: func() {
					n := -1
					j.saw.perform(x, i, calls, func(c *Invocation) string {
						n++
						return j.saw.given.invoke(x, place{i, n}, c, o)
					})
					if j.saw.left--; j.saw.left > 0 && !s.races {
						return
					}
					// A step orders the probe after everything that the other actors did.
					if s.races && ended.Add(1) < int32(len(p.actors)) {
						return
					}
					flow.LateTimers = true
					for n, c := range probe {
						x.Begin()
						j.saw.after = append(j.saw.after, j.saw.given.invoke(x, place{behind, n}, c, o))
						x.Mark(0)
					}
				}}
			}
			if o = nil; !inside {
				o, _ = s.make(x, p, &j.saw.given)
				return actors
			}
			return []explore.Actor{{Name: "actor", Body: func() {
				o, _ = s.make(x, p, &j.saw.given)
				for _, a := range actors {
					flow.Go(a.Body)
				}
			}}}
		},
		Finish: j.check, Stuck: j.check,
	}, j, nil
}

// An objectJudge compares what clients saw with the sequential runs of their program, and remembers the
// verdicts.
type objectJudge struct {
	p         objectProgram
	sequences []sequentialRun
	partial   bool // there are more runs than these
	overtakes bool // in some of them a call waits while others are made
	probe     []*Invocation
	saw       observed
	known     map[string]error
	doubts    []doubted
	spinLimit int // accesses without a change after which an actor waits; more than any call alone needs
}

// usualSpinLimit is enough for calls that do not go through long lists.
const usualSpinLimit = 50

// check judges an execution that has ended, or in which no actor can continue.
//
// If none of the runs that were made explains the execution, and there are more runs, it is a doubt. settle
// decides doubts after the exploration.
func (j *objectJudge) check(x *explore.Execution) error {
	if j.saw.left == 0 && len(j.saw.after) == len(j.probe) {
		j.saw.after = j.saw.given.saw(j.saw.after)
	}
	key := fmt.Sprint(j.saw.calls, j.saw.after)
	err, seen := j.known[key]
	if !seen {
		if err = j.judge(); errors.Is(err, ErrUnknown) && len(j.doubts) < mostDoubts {
			j.doubts = append(j.doubts, doubted{key, newGoal(j.p, j.saw.calls, j.saw.after), err, x.Token()})
			err = nil
		}
		j.known[key] = err
	}
	return err
}

func (j *objectJudge) judge() error {
	why := refusal(j.sequences, sizesOf(j.p.actors), j.saw.calls, j.saw.after)
	if why == "" {
		return nil
	}
	if text := j.panics(); text != "" {
		return j.refused("a call panics: "+text+": which none does in any order of the calls, one after the "+
			"other", false)
	}
	return j.refused(why, j.partial)
}

// panics returns what a call panicked with, if no call panics so in a sequential run. It does not matter
// that some sequential runs may be missing, because it is a panic.
func (j *objectJudge) panics() string {
	known := func(result string) bool {
		return slices.ContainsFunc(j.sequences, func(r sequentialRun) bool {
			return slices.ContainsFunc(r.turns, func(t turn) bool { return t.result == result })
		})
	}
	for _, c := range j.saw.calls {
		if c.returned > 0 && panicked(c.answer) && !known(c.answer) {
			return strings.TrimPrefix(c.answer, panicPrefix)
		}
	}
	return ""
}

// refused returns the error of an execution that no order explains, with what was seen and what would be
// right.
func (j *objectJudge) refused(why string, partial bool) error {
	var b strings.Builder
	b.WriteString(j.saw.table(func(c *Invocation, result string) (string, string) { return c.Text, result }))
	telling := j.telling()
	if text := answers(j.probe, j.saw.after, telling); j.saw.left == 0 && text != "" {
		fmt.Fprintf(&b, "afterwards: %s\n", text)
	}
	b.WriteString("\none after the other:\n")
	seen := map[string]bool{}
	for _, s := range j.sequences {
		line := "  " + s.text(func(actor, n int) string { return j.p.actors[actor][n].Text })
		if text := answers(j.probe, s.after, telling); !s.stuck() && text != "" {
			line += "\n    afterwards: " + text
		}
		if !seen[line] {
			seen[line] = true
			b.WriteString(line + "\n")
		}
	}
	return &unexplainedError{why, b.String(), j.saw.left == 0, partial}
}

// telling says which calls of the probe do not have the same result in all runs. Its last element says
// whether the contents of the channels differ.
func (j *objectJudge) telling() []bool {
	all := make([]bool, len(j.probe)+2)
	for i := range all {
		results := map[string]bool{}
		for _, s := range j.sequences {
			if i < len(s.after) {
				results[s.after[i]] = true
			}
		}
		if i < len(j.saw.after) {
			results[j.saw.after[i]] = true
		}
		all[i] = len(results) > 1
	}
	return all
}

// answers lists calls with their results, all calls or only the wanted ones, and the contents of the
// channels. A call without a result never returns.
func answers(calls []*Invocation, results []string, wanted []bool) string {
	var all []string
	for i, c := range calls {
		if i >= len(results) {
			all = append(all, c.Text+" never returns")
			break
		}
		if wanted == nil || wanted[i] {
			all = append(all, c.Text+" -> "+results[i])
		}
	}
	for i := len(calls); i < len(results); i++ {
		if results[i] != "" && (wanted == nil || wanted[i]) {
			all = append(all, results[i])
		}
	}
	return strings.Join(all, ", ")
}

// settled returns the error of an execution that nothing explains, after all runs were tried.
func settled(err error) error {
	if e, is := errors.AsType[*unexplainedError](err); is {
		return &unexplainedError{e.why, e.history, e.returned, false}
	}
	return err
}

// unexplainedError is the error of an execution that no sequential run explains, of all runs or of a part of
// them.
type unexplainedError struct {
	why, history string
	returned     bool // all calls have
	partial      bool
}

func (e *unexplainedError) Error() string {
	text := e.Unwrap().Error() + ": " + e.why
	if e.partial {
		text += fmt.Sprintf(" among those that were run: with goroutines of the type's own there are more "+
			"than %d; leave a method that starts some out by --call", sequentialExecutions)
	}
	return text
}

func (e *unexplainedError) Unwrap() error {
	if e.partial {
		return ErrUnknown
	}
	return ErrIllegal
}

func (e *unexplainedError) told() (string, []byte) { return e.history, nil }
