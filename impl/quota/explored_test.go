//go:build explore

package quota_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/seam"
)

const (
	victim = uint64(0x0004_0003_0002_0001) // has the columns 1 to 4
	beside = uint64(0x0004_0003_0002_0007) // shares three of them
	cost   = uint64(second / 100)          // of a unit, by the limits
)

// world is what the actors of an execution share, and their results.
type world struct {
	t        *testing.T
	sketch   *quota.Sketch
	words    []seam.Uint64
	answered []bool // by actor: its call has returned
	rulings  []quota.Ruling
}

// begin makes a new world for an execution.
func (w *world) begin(x *explore.Execution, actors int) {
	w.sketch, w.words = newSketch(w.t, 16)
	x.Region(unsafe.Pointer(&w.words[0]), len(w.words)*8)
	w.answered, w.rulings = make([]bool, actors), make([]quota.Ruling, actors)
}

// search runs the program in every order with up to one kill, and returns its failure. With three actors,
// and in a short test, it bounds the preemptions.
func search(t *testing.T, p explore.Program, actors int) (explore.Stats, error) {
	t.Helper()
	o := explore.Options{Preemptions: explore.Unbounded, Kills: 1, Stateful: true}
	switch {
	case testing.Short():
		o.Preemptions = 2
	case actors > 2:
		o.Preemptions = 3
	}
	r, err := explore.Explore(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure != nil {
		return r.Stats, fmt.Errorf("%v", r.Failure)
	}
	return r.Stats, nil
}

// call is an actor's charge.
type call struct {
	id    uint64
	after uint64 // nanoseconds after the start
	units uint64
}

// charging is a program of actors that charge one unit each, by the function charge.
func charging(t *testing.T, calls []call, charge func(w *world, c call)) explore.Program {
	w := &world{t: t}
	return explore.Program{Name: "charge", Start: func(x *explore.Execution) (all []explore.Actor) {
		w.begin(x, len(calls))
		for i, c := range calls {
			all = append(all, explore.Actor{Body: func() {
				charge(w, c)
				w.answered[i] = true
				x.Mark(uint64(i))
			}})
		}
		return all
	}, Finish: func(x *explore.Execution) error { return w.charged(calls) }}
}

// charged compares each cell with all calls that were begun, as if they were made at the latest instant, and
// the level of each identity with the bucket that is fed with its complete calls.
func (w *world) charged(calls []call) error {
	later, units := start+calls[len(calls)-1].after, uint64(0)
	for _, c := range calls {
		units += c.units
	}
	for i := range w.words {
		if v, most := w.words[i].Load(), later+units*cost; v > most {
			return fmt.Errorf("word %d is %d ahead, all calls come to %d", i, v-start, most-start)
		}
	}
	for _, of := range calls {
		var least exact
		for i, c := range calls { // in the order of their instants
			if c.id == of.id && w.answered[i] {
				least.charge(start+c.after, c.units*cost, 100*cost)
			}
		}
		level := uint64(w.sketch.Level(of.id, later, limits))
		if least.empty > later && level < least.empty-later {
			return fmt.Errorf("level of %#x is %d, its complete calls come to %d", of.id, level,
				least.empty-later)
		}
	}
	return nil
}

// TestExplored_ChargeIsNeverLost: actors charge one identity, or two that share cells, at different
// instants. In every order, with a kill at each step, the cells contain all complete charges, and no more
// than was begun (I2, I3).
func TestExplored_ChargeIsNeverLost(t *testing.T) {
	for name, calls := range map[string][]call{
		"one identity":     {{victim, 0, 1}, {victim, 0, 1}},
		"other instants":   {{victim, 0, 1}, {victim, cost / 2, 1}},
		"drained between":  {{victim, 0, 1}, {victim, 3 * cost, 1}},
		"one stood still":  {{victim, 0, 1}, {victim, 500 * cost, 50}},
		"shared cells":     {{victim, 0, 1}, {beside, cost / 4, 2}},
		"three, one later": {{victim, 0, 1}, {beside, 0, 1}, {victim, cost / 2, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			stats, err := search(t, charging(t, calls, func(w *world, c call) {
				w.sketch.Add(c.id, start+c.after, c.units, limits)
			}), len(calls))
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d executions, %d states", stats.Executions, stats.States)
		})
	}
}

// TestExplored_Canary: a charge in two steps, a load and a store, is found to lose one.
func TestExplored_Canary(t *testing.T) {
	_, err := search(t, charging(t, []call{{victim, 0, 1}, {victim, 0, 1}}, func(w *world, c call) {
		for row := range quota.Depth {
			at := (row*16 + row + 1) * 2
			v := max(w.words[at].Load(), start+c.after)
			w.words[at].Store(v + cost)
		}
	}), 2)
	if err == nil {
		t.Error("the search does not see that a charge is lost")
	}
}

// marking is a program of two actors that judge an identity which is at its limit.
func marking(t *testing.T, second call, judge func(w *world, c call) quota.Ruling) explore.Program {
	w := &world{t: t}
	calls := []call{{victim, 0, 1}, second}
	return explore.Program{Name: "mark", Start: func(x *explore.Execution) (all []explore.Actor) {
		w.begin(x, len(calls))
		w.sketch.Add(victim, start, limits.Burst, limits)
		if second.id != victim {
			w.sketch.Add(second.id, start, limits.Burst, limits)
		}
		for i, c := range calls {
			all = append(all, explore.Actor{Body: func() {
				w.rulings[i] = judge(w, c)
				w.answered[i] = true
				x.Mark(uint64(i)<<8 | uint64(w.rulings[i].Offences)<<4 | uint64(w.rulings[i].Verdict))
			}})
		}
		return all
	}, Finish: func(x *explore.Execution) error { return w.marked(calls) }}
}

// marked compares the penalties of the identities with what the actors were told.
func (w *world) marked(calls []call) error {
	later := start + calls[1].after
	for i, c := range calls {
		r := w.sketch.Look(c.id, later, limits)
		if r.Offences > 1 {
			return fmt.Errorf("%#x has %d offences of one", c.id, r.Offences)
		}
		if r.Retry > limits.Retry+micro {
			return fmt.Errorf("%#x has to wait %d ns", c.id, r.Retry)
		}
		if !w.answered[i] {
			continue
		}
		if w.rulings[i].Verdict != quota.Suspect || r.Verdict != quota.Suspect || r.Offences != 1 {
			return fmt.Errorf("%#x was judged %+v, and is %+v", c.id, w.rulings[i], r)
		}
		if told := start + c.after + w.rulings[i].Retry; later+r.Retry < told {
			return fmt.Errorf("%#x was told to wait %d ns, and may come %d ns sooner", c.id,
				w.rulings[i].Retry, told-later-r.Retry)
		}
	}
	// Whatever a death has left, the next call finds the offence and counts it once.
	r := w.sketch.Judge(victim, later, 1, limits)
	if r.Verdict != quota.Suspect || r.Offences != 1 {
		return fmt.Errorf("the next call is judged %+v", r)
	}
	calm := later + limits.CalmAfter()
	if r := w.sketch.Judge(victim, calm, 1, limits); r.Verdict != quota.OK {
		return fmt.Errorf("judged %+v after the longest wait", r)
	}
	return nil
}

// TestExplored_MarkCountsOnce: two actors find one offence, or two offences of identities that share cells,
// and mark it. In every order, with a kill at each step, one offence counts once, each actor that was told
// so finds it, and the next call completes what a death has left (I4, I5).
func TestExplored_MarkCountsOnce(t *testing.T) {
	for name, second := range map[string]call{
		"one instant": {victim, 0, 1}, "another instant": {victim, 1000, 1},
		"shared cells": {beside, 1000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			stats, err := search(t, marking(t, second, func(w *world, c call) quota.Ruling {
				return w.sketch.Judge(c.id, start+c.after, 1, limits)
			}), 2)
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d executions, %d states", stats.Executions, stats.States)
		})
	}
}

// TestExplored_MarkCanary: a mark that adds to the offences in the cell is found to count twice.
func TestExplored_MarkCanary(t *testing.T) {
	_, err := search(t, marking(t, call{victim, 0, 1}, func(w *world, c call) quota.Ruling {
		r := quota.Ruling{Verdict: quota.Suspect, Retry: limits.Retry, Offences: 1}
		for row := range quota.Depth {
			word := &w.words[(row*16+row+1)*2+1]
			for done := false; !done; {
				old := quota.Penalty(word.Load())
				p := quota.MakePenalty(start+limits.Retry, old.Offences()+1)
				done = word.CompareAndSwap(uint64(old), uint64(p))
			}
		}
		return r
	}), 2)
	if err == nil {
		t.Error("the search does not see that an offence counts twice")
	}
}

// TestExplored_MarkCanaryOfABlindSwap: a mark whose swap expects the value that it has just read again, and
// not the value on which its decision is based, is found to admit a call sooner than the caller was told.
func TestExplored_MarkCanaryOfABlindSwap(t *testing.T) {
	_, err := search(t, marking(t, call{beside, 1000, 1}, func(w *world, c call) quota.Ruling {
		p := quota.MakePenalty(start+c.after+limits.Retry+7, 1)
		for row := range quota.Depth {
			column := int(c.id>>(16*row)) & 15
			word := &w.words[(row*16+column)*2+1]
			if old := quota.Penalty(word.Load()); old < p {
				word.CompareAndSwap(word.Load(), uint64(p))
			}
		}
		return quota.Ruling{Verdict: quota.Suspect, Retry: p.End() - start - c.after, Offences: 1}
	}), 2)
	if err == nil || !strings.Contains(err.Error(), "sooner") {
		t.Errorf("the search does not see that a mark is written over: %v", err)
	}
}
