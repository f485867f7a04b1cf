//go:build explore

package cache

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// searched runs a program in every order, with up to one kill, and returns its failure. Of three actors it
// bounds the preemptions.
func searched(t *testing.T, p explore.Program, preemptions int) error {
	t.Helper()
	r, err := explore.Explore(p, explore.Options{Preemptions: preemptions, Kills: 1, Stateful: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d executions, %d states", r.Stats.Executions, r.Stats.States)
	if r.Failure != nil {
		return fmt.Errorf("%v", r.Failure)
	}
	return nil
}

// both are two numbers of one word, as a writer asks for them.
type both struct {
	first, second             int // rows
	normalFirst, normalSecond uint32
	of                        func(basket.Tuning) (first, second uint32)
}

// settings are a change of both to one number.
func (b both) settings(value uint64) []Setting {
	return []Setting{{parameterRows[b.first].name, value}, {parameterRows[b.second].name, value}}
}

// bothOf are by what they decide.
var bothOf = map[string]both{
	"compaction": {liveLiving, liveGain, basket.DefaultLiving, basket.DefaultGain,
		func(x basket.Tuning) (uint32, uint32) { return x.Living, x.Gain }},
	"shares of two tiers": {liveShare, liveShare + 1, 0, 0,
		func(x basket.Tuning) (uint32, uint32) { return x.Share[0], x.Share[1] }},
}

// tunesOf is a program of two processes that change both numbers, each to a number of its own, and of one
// that reads them.
func tunesOf(t *testing.T, b both, tune func(p *params, value uint64) error) explore.Program {
	var words region.Words
	var broken error
	l := basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1, Tiers: 3}
	view := func() *params { p := new(params); p.init(words, l); return p }
	judge := func(where string) {
		x := view().tuning()
		first, second := b.of(x)
		if first != second && (first != b.normalFirst || second != b.normalSecond) {
			broken = fmt.Errorf("%s: half a change: %+v", where, x)
		}
	}
	return explore.Program{Name: "tune", Start: func(x *explore.Execution) (all []explore.Actor) {
		words, broken = make([]seam.Uint64, paramsMost), nil
		x.Region(unsafe.Pointer(&words[0]), len(words)*region.WordBytes)
		for i := range 2 {
			all = append(all, explore.Actor{Body: func() {
				if err := tune(view(), uint64(40+i)); err != nil {
					broken = err
				}
			}})
		}
		return append(all, explore.Actor{Body: func() { judge("beside") }})
	}, Finish: func(x *explore.Execution) error {
		judge("at the end")
		p := view()
		second := p.in(b.second, p.word(b.second))
		if broken == nil && !x.Killed(0) && !x.Killed(1) && !second.Tuned {
			broken = errors.New("both changes are lost")
		}
		return broken
	}}
}

// TestExplored_TuneIsOneStep: nobody sees half of a change of two parameters that must be consistent, in
// every order and with a kill at each step.
func TestExplored_TuneIsOneStep(t *testing.T) {
	for name, b := range bothOf {
		err := searched(t, tunesOf(t, b, func(p *params, value uint64) error {
			settings := b.settings(value)
			rows, err := p.check(settings)
			if err != nil {
				return err
			}
			return p.tune(settings, rows)
		}), explore.Unbounded)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExplored_TuneCanary: two changes of one parameter each are found to be two steps.
func TestExplored_TuneCanary(t *testing.T) {
	for name, b := range bothOf {
		err := searched(t, tunesOf(t, b, func(p *params, value uint64) error {
			settings := b.settings(value)
			err := p.tune(settings[:1], []int{b.first})
			return errors.Join(err, p.tune(settings[1:], []int{b.second}))
		}), explore.Unbounded)
		if err == nil {
			t.Errorf("%s: the search does not see half a change", name)
		}
	}
}

// TestExplored_ParametersOfOneInstant: whoever lists the parameters while both numbers of one word are tuned
// is told of the change as a whole, or of nothing of it.
func TestExplored_ParametersOfOneInstant(t *testing.T) {
	l := basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1, Tiers: 3}
	for name, b := range bothOf {
		var words region.Words
		var wrong error
		view := func() *params { p := new(params); p.init(words, l); return p }
		begin := func() { words, wrong = make([]seam.Uint64, paramsMost), nil }
		err := inOrders(t, begin, func() error { return wrong }, func() {
			rows, err := view().check(b.settings(40))
			if err == nil {
				err = view().tune(b.settings(40), rows)
			}
			wrong = errors.Join(wrong, err)
		}, func() {
			all := view().all()
			if first, second := all[b.first], all[b.second]; first.Tuned != second.Tuned ||
				first.Tuned && first.Value != second.Value {
				wrong = errors.Join(wrong, fmt.Errorf("half a change: %+v, %+v", first, second))
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
