package driver

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/scenarios/explore"
	"github.com/samecycle/samecycle/scenarios/explore/shim/atomic"
	"github.com/samecycle/samecycle/scenarios/explore/shim/flow"
)

// performed is one call of one actor. Times count the calls and returns from 1; returned is 0 for one
// that has not come back.
type performed struct {
	actor, index     int
	result           string
	called, returned int
}

// observed is what the clients of one execution saw.
type observed struct {
	calls []performed
	after []string // of the probe
	clock int
	left  int // actors that have not ended
}

// explored returns the program as the explorer runs it: on a new value per execution, with the probe at
// the end of the actor that is the last to end.
func (s *subject) explored(target string, p objectProgram) (explore.Program, *objectJudge, error) {
	s.spawns, s.longest = false, 0
	all, probe, err := s.sequences(p)
	inside := s.o.Inside || s.spawns // else the executions need no steps to make a value
	if err != nil {
		return explore.Program{}, nil, err
	}
	j := &objectJudge{p: p, sequences: all, probe: probe, known: map[string]error{},
		patience: max(usualPatience, s.longest+1)}
	seed := maphash.MakeSeed()
	return explore.Program{
		Name: target + fieldSeparator + p.name(s.o),
		Start: func(x *explore.Execution) []explore.Actor {
			var o any
			var ended atomic.Int32
			j.saw = observed{calls: j.saw.calls[:0], left: len(p.actors)}
			actors := make([]explore.Actor, len(p.actors))
			for i, calls := range p.actors {
				actors[i] = explore.Actor{Name: fmt.Sprintf("actor %d", i+1), Body: func() {
					for k, c := range calls {
						x.Begin()
						x.Mark(0)
						id := j.saw.begin(i, k)
						text := invoke(x, c, o)
						j.saw.end(id, text)
						x.Mark(maphash.String(seed, text) | 1)
					}
					if j.saw.left--; j.saw.left > 0 && !s.races {
						return
					}
					// What orders the probe after all that the others did is a step.
					if s.races && ended.Add(1) < int32(len(p.actors)) {
						return
					}
					for _, c := range probe {
						x.Begin()
						j.saw.after = append(j.saw.after, invoke(x, c, o))
						x.Mark(0)
					}
				}}
			}
			if o = nil; !inside {
				o = s.make(x, p)
				return actors
			}
			return []explore.Actor{{Name: "actor", Body: func() {
				o = s.make(x, p)
				for _, a := range actors {
					flow.Go(a.Body)
				}
			}}}
		},
		Finish: func(*explore.Execution) error { return j.check() },
		Stuck:  func(*explore.Execution) error { return j.check() },
	}, j, nil
}

// make makes a value and calls what the program wants called before. That was done sequentially
// already, and worked.
func (s *subject) make(x *explore.Execution, p objectProgram) any {
	o, err := p.maker.New()
	if err != nil {
		panic(err)
	}
	for _, c := range p.setup {
		invoke(x, c, o)
	}
	return o
}

func (o *observed) begin(actor, index int) int {
	o.clock++
	o.calls = append(o.calls, performed{actor: actor, index: index, called: o.clock})
	return len(o.calls) - 1
}

func (o *observed) end(id int, text string) {
	o.clock++
	o.calls[id].result, o.calls[id].returned = text, o.clock
}

// An objectJudge holds what clients saw against the sequential runs of their program, and remembers the
// verdicts.
type objectJudge struct {
	p         objectProgram
	sequences []sequentialRun
	probe     []*Invocation
	saw       observed
	known     map[string]error
	patience  int // accesses that change nothing after which an actor waits, more than any call alone takes
}

// usualPatience is enough for calls that go through no long list.
const usualPatience = 50

// check judges the execution that has ended, or in which nobody can go on.
func (j *objectJudge) check() error {
	key := fmt.Sprint(j.saw.calls, j.saw.after)
	err, seen := j.known[key]
	if !seen {
		err = j.judge()
		j.known[key] = err
	}
	return err
}

func (j *objectJudge) judge() error {
	done, total := 0, 0
	for _, calls := range j.p.actors {
		total += len(calls)
	}
	for _, c := range j.saw.calls {
		if c.returned > 0 {
			done++
		}
	}
	if done < total {
		if j.waits(done) {
			return nil
		}
		return j.refused("no order of the calls that returned explains their results, and that the others " +
			"wait")
	}
	why := "no order of the calls, one after the other, has these results"
	for _, s := range j.sequences {
		if len(s.results) != total || !j.explains(s, total) {
			continue
		}
		if slices.Equal(s.after, j.saw.after) {
			return nil
		}
		why = "the calls have the results of an order, but afterwards there is what no such order leaves"
	}
	return j.refused(why)
}

// explains reports whether the first n calls of a sequential run are those that returned, with the
// same results, and in an order that agrees with the time: a call that returned before another one was
// called stands before it.
func (j *objectJudge) explains(s sequentialRun, n int) bool {
	if len(s.results) < n {
		return false
	}
	at := make([]int, len(j.p.actors))
	latest := 0 // the last call of those that stand before
	for i, a := range s.order[:n] {
		c := j.find(a, at[a])
		at[a]++
		if c == nil || c.returned == 0 || c.result != s.results[i] || c.returned < latest {
			return false
		}
		latest = max(latest, c.called)
	}
	return true
}

func (j *objectJudge) find(actor, index int) *performed {
	for i := range j.saw.calls {
		if c := &j.saw.calls[i]; c.actor == actor && c.index == index {
			return c
		}
	}
	return nil
}

// waits reports whether some order of the calls that returned explains them, after which each actor
// that has not ended waits in its next call, alone.
func (j *objectJudge) waits(done int) bool {
	for _, s := range j.sequences {
		if !j.explains(s, done) {
			continue
		}
		all := true
		for a, calls := range j.p.actors {
			if n := j.returned(a); n < len(calls) {
				all = all && j.stands(append(slices.Clone(s.order[:done]), a), s.results[:done])
			}
		}
		if all {
			return true
		}
	}
	return false
}

// stands reports whether a sequential run with these results does not return from the last call of the
// order.
func (j *objectJudge) stands(order []int, results []string) bool {
	return slices.ContainsFunc(j.sequences, func(s sequentialRun) bool {
		return len(s.order) >= len(order) && slices.Equal(s.order[:len(order)], order) &&
			slices.Equal(s.results, results)
	})
}

// returned counts the actor's calls that have returned.
func (j *objectJudge) returned(actor int) int {
	n := 0
	for _, c := range j.saw.calls {
		if c.actor == actor && c.returned > 0 {
			n++
		}
	}
	return n
}

// refused is the error of an execution that no order explains, with what was seen and what would be
// right.
func (j *objectJudge) refused(why string) error {
	var rows []row
	for _, c := range j.saw.calls {
		rows = append(rows, row{c.actor, j.p.actors[c.actor][c.index].Text, c.result, c.called, c.returned})
	}
	var b strings.Builder
	b.WriteString(history(rows))
	telling := j.telling()
	if text := answers(j.probe, j.saw.after, telling); text != "" {
		fmt.Fprintf(&b, "afterwards: %s\n", text)
	}
	b.WriteString("\none after the other:\n")
	seen := map[string]bool{}
	for _, s := range j.sequences {
		var calls []*Invocation
		at := make([]int, len(j.p.actors))
		for _, a := range s.order {
			calls = append(calls, j.p.actors[a][at[a]])
			at[a]++
		}
		line := "  " + answers(calls, s.results, nil)
		if text := answers(j.probe, s.after, telling); len(s.results) == len(calls) && text != "" {
			line += "\n    afterwards: " + text
		}
		if !seen[line] {
			seen[line] = true
			b.WriteString(line + "\n")
		}
	}
	return &unexplainedError{why, b.String()}
}

// telling are the calls of the probe whose results are not the same in all runs.
func (j *objectJudge) telling() []bool {
	all := make([]bool, len(j.probe))
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

// answers lists calls with their results, all or those that are wanted; one that has none never returns.
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
	return strings.Join(all, ", ")
}

// unexplainedError is an execution that no sequential run explains.
type unexplainedError struct{ why, history string }

func (e *unexplainedError) Error() string { return ErrIllegal.Error() + ": " + e.why }

func (e *unexplainedError) Unwrap() error { return ErrIllegal }

func (e *unexplainedError) told() (string, []byte) { return e.history, nil }
