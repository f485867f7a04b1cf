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

// tunesOf is a program of two processes that change both numbers of compaction, each to a number of its own,
// and of one that reads them.
func tunesOf(t *testing.T, tune func(p *params, value uint64) error) explore.Program {
	var words region.Words
	var broken error
	l := basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1}
	view := func() *params { p := new(params); p.init(words, l); return p }
	judge := func(where string) {
		x := view().tuning()
		if x.Living != x.Gain && (x.Living != basket.DefaultLiving || x.Gain != basket.DefaultGain) {
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
		gain := p.in(liveGain, p.word(liveGain))
		if broken == nil && !x.Killed(0) && !x.Killed(1) && !gain.Tuned {
			broken = errors.New("both changes are lost")
		}
		return broken
	}}
}

// TestExplored_TuneIsOneStep: nobody sees half of a change of two parameters that must be consistent, in
// every order and with a kill at each step.
func TestExplored_TuneIsOneStep(t *testing.T) {
	err := searched(t, tunesOf(t, func(p *params, value uint64) error {
		settings := []Setting{{"compact.living", value}, {"compact.gain", value}}
		rows, err := p.check(settings)
		if err != nil {
			return err
		}
		return p.tune(settings, rows)
	}), explore.Unbounded)
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_TuneCanary: two changes of one parameter each are found to be two steps.
func TestExplored_TuneCanary(t *testing.T) {
	err := searched(t, tunesOf(t, func(p *params, value uint64) error {
		err := p.tune([]Setting{{"compact.living", value}}, []int{liveLiving})
		return errors.Join(err, p.tune([]Setting{{"compact.gain", value}}, []int{liveGain}))
	}), explore.Unbounded)
	if err == nil {
		t.Error("the search does not see half a change")
	}
}
